"""All attacks, by name: an attack is a function and a line here."""

from __future__ import annotations

from tests.attacks import door, parcels
from tests.attacks.frame import Attack

ATTACKS: dict[str, Attack] = {
    "100 MB of headers in one line": door.header_of_one_line,
    "100 MB of headers in short lines": door.headers_of_many_lines,
    "100 MB of address": door.address_of_one_line,
    "100 MB of trailers in one line": door.trailer_of_one_line,
    "100 MB of trailers in short lines": door.trailers_of_many_lines,
    "100 MB of a chunk's extension": door.chunk_extension,
    "20 MB of pipelined requests": door.pipelined_requests,
    "99 heads that trickle": door.trickled_heads,
    "100 connections that say nothing": door.silent_connections,
    "1,500 connections": door.many_connections,
    "50 answers that nobody reads": door.unread_answers,
    "bodies shorter than they say": door.short_bodies,
    "100 MB of a body that nobody reads": door.body_nobody_reads,
    "JSON of 20 MB": door.large_json,
    "JSON of 20 MB without a length": door.json_without_length,
    "thousands of faults in one body": door.many_faults,
    "form fields of 18 MB, ten times": door.large_fields,
    "parts that nearly end": door.parts_that_nearly_end,
    "boundary of 300 characters": door.long_boundary,
    "40 slow uploads from one address": door.slow_uploads_of_one,
    "40 slow uploads from 40 addresses": door.slow_uploads_of_many,
    "uploads whose senders wait": door.waiting_uploads,
    "archives that are bombs": parcels.archives,
    "50 exports that nobody reads": parcels.unread_exports,
    "full folder of uploads": door.full_folder,
    "forwarded as if from this machine": door.forwarded_as_local,
}
