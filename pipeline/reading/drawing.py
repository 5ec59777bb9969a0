"""Draws pages for people to look at: pictures of a document as a viewer shows it, in PNG.

As reading, it happens in a confined child, which has the document open and draws a page at a time;
this process only moves the bytes of the pictures, which are no more to be trusted than those of
the document.
"""

from __future__ import annotations

import os
import select
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import DocumentError, ReaderCrashed, ReadingTimeout, error_from
from pipeline.reading import serving
from pipeline.reading.isolation.channel import ProtocolError
from pipeline.reading.isolation.child import Child, Place
from pipeline.reading.isolation.folder import temporary_folder
from pipeline.reading.isolation.limits import Limits
from pipeline.reading.isolation.sandbox import require
from pipeline.reading.media import sniff
from pipeline.reading.options import ReadOptions
from pipeline.reading.reader import prepare_reading

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LARGEST = 64 << 20  # bytes of a picture; one of 2,000 pixels' width has a few million
_START_S = 60.0  # for a process to be there
_GRACE_S = 1.0  # the process's own timers come first


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page to be drawn: its number in the document, from 1, and the picture's width in pixels."""

    number: int
    width: int


def draw_pages(
    data: bytes, sheets: Sequence[Sheet], options: ReadOptions, *, opener: str = serving.OPENER
) -> Iterator[tuple[Sheet, bytes | DocumentError | None]]:
    """Yield a PNG of each page as soon as it is drawn, or why it cannot be.

    None stands for a page that the document does not have. What ends the process that draws is the
    outcome of the page in hand, and of those that were to follow.

    Args:
        data: the file as delivered.
        sheets: the pages wanted.
        options: password and limits.
        opener: what opens the document in the child, as ``module:name``.

    Raises:
        DocumentError: the document cannot be opened.
        FieldwrightError: the installation is at fault, as with a confinement that is missing.
        ReaderLost: the process could not be started.
    """
    require(options.confinement)
    prepare_reading()
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        document, own = folder / "document", folder / "0"
        own.mkdir()
        serving.within_disk(lambda: document.write_bytes(data), "The document")
        limits = Limits(
            options.memory_mb, (4 * options.max_pixels_per_page + 4 * len(data) >> 20) + 64
        )
        place = Place(
            limits,
            own,
            readable=(document,),
            functions=(opener,),
            confined=options.confinement != "off",
        )
        child = Child(serving.FUNCTION, place)
        stack.callback(child.kill)
        job = serving.Job(str(document), sniff(data), str(own), options, opener)
        _ask(child, None, _START_S)
        opened = _ask(child, job.to_json(), options.page_timeout_s)
        if isinstance(opened, DocumentError):
            raise opened
        ended: DocumentError | None = None
        for sheet in sheets:
            if sheet.number > opened.get("pages", 0):
                yield sheet, None
                continue
            task = [sheet.number, sheet.width]
            said = ended or _ask(child, task, options.page_timeout_s)
            if isinstance(said, ReaderCrashed | ReadingTimeout):
                ended = said
            failed = said if isinstance(said, DocumentError) else None
            yield sheet, failed or picture_in(own / serving.PICTURE)


def _ask(child: Child, message: object, seconds: float) -> dict[str, int] | DocumentError:
    """Send a message, if there is one, and return the answer to it, or the error that it is.

    A child that ends, hangs or sends what was not agreed on has crashed on its document.

    Raises:
        FieldwrightError: the installation is at fault.
    """
    channel, deadline = child.channel, time.monotonic() + seconds + _GRACE_S
    try:
        if message is not None:
            channel.send(message)
        while (answer := channel.take()) is None:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([channel], [], [], left)[0]:
                return ReadingTimeout(f"Drawing the page took longer than {seconds:g} seconds.")
            channel.fill()
            if channel.ended:
                raise ProtocolError("no answer")
    except (OSError, ProtocolError):
        return ReaderCrashed("The process that drew the page crashed.")
    match answer:
        case {"ready": True} | {"drawn": True}:
            return {}
        case {"pages": int(count)}:
            return {"pages": count}
        case {"error": {"code": str(code), "detail": str(detail), "advice": str(advice)}}:
            error = error_from(code, detail, advice)
            if isinstance(error, DocumentError):
                return error
            raise error
    return ReaderCrashed("The process that drew the page crashed.")


def picture_in(path: Path) -> bytes | DocumentError:
    """Return the picture that a child has drawn; what it left may be no file, or another one."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            data = file.read(_LARGEST + 1) if stat.S_ISREG(found.st_mode) else b""
    except OSError:
        data = b""
    if data.startswith(_SIGNATURE) and len(data) <= _LARGEST:
        return data
    return ReaderCrashed("The process that drew the page left no picture.")
