"""One document as it was sent: what it is by its content, its size, its digest, its name."""

from __future__ import annotations

import hashlib
import unicodedata
import uuid
from typing import BinaryIO

from app.intake.orders import Order
from pipeline.errors import EmptyDocument, FileTooLarge
from pipeline.reading.media import HEAD_BYTES, sniff
from store.jobs import Job, Submission

NAME_LENGTH = 255
_CHUNK = 1 << 20


def judge(
    source: BinaryIO,
    order: Order,
    *,
    limit: int,
    filename: str = "",
    owner: str | None = None,
    priority: int = 0,
) -> Submission:
    """Return a document that is fit to be stored.

    Args:
        source: the document, read from its start, and left there.
        order: how it is to be read.
        limit: most bytes.
        filename: as the user calls it; shown only, never a path on the disk.
        owner: who may see the job; None where the service has no keys.
        priority: 0 where somebody waits, 1 in a batch.

    Raises:
        UnsupportedMedia, EmptyDocument, FileTooLarge: what is wrong with it.
    """
    media_type = sniff(source.read(HEAD_BYTES))
    source.seek(0)
    size, digest = 0, hashlib.sha256()
    while chunk := source.read(_CHUNK):
        size += len(chunk)
        if size > limit:
            raise too_large(limit)
        digest.update(chunk)
    if not size:
        raise EmptyDocument("The document has no bytes.")
    source.seek(0)
    sha256 = digest.hexdigest()
    job = Job(
        id=str(uuid.uuid4()),
        model=order.model,
        sha256=sha256,
        filename=shown(filename),
        media_type=media_type,
        size=size,
        options=order.options,
        owner=owner,
        priority=priority,
        fingerprint=order.fingerprint(sha256),
    )
    return Submission(job, source, order.password)


def too_large(limit: int) -> FileTooLarge:
    """Return the error of a document that has more bytes than `limit`."""
    return FileTooLarge(f"The document has more than {limit} bytes.")


def shown(filename: str) -> str:
    """Return a file name fit to be shown: no folders, no control or direction marks, cut."""
    last = filename.replace("\\", "/").rpartition("/")[2]
    kept = "".join(c for c in last if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp"))
    return kept.strip()[:NAME_LENGTH]
