"""The files of a batch: documents and archives of documents, judged one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO

from app.intake.archive import Archive, is_archive, most_entries_of
from app.intake.documents import NAME_LENGTH, judge, shown, too_large
from app.intake.orders import Order
from pipeline.errors import DocumentError, InvalidOption
from store.batches import BATCH_PRIORITY, Refused, Skipped
from store.errors import ArchiveCorrupt, ArchiveUnsafe, BatchTooLarge
from store.jobs import Submission
from store.settings import Settings

_SUFFIX_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Upload:
    """One file of a batch as it was sent: a document, or a ZIP archive of documents."""

    filename: str
    content: BinaryIO
    sha256: str


@dataclass(frozen=True, slots=True)
class _File:
    """A file that may be a document; `size` and `sha256` where they are known beforehand."""

    filename: str
    content: AbstractContextManager[BinaryIO]
    size: int = 0
    sha256: str | None = None


def documents_of(
    uploads: Sequence[Upload], order: Order, settings: Settings, *, owner: str | None
) -> Iterator[Submission | Refused | Skipped]:
    """Yield the documents of a batch in their order; each may be read until the next one is asked.

    No two of them have the same name: rows of results are told apart by it.

    Args:
        uploads: as they were sent.
        order: how they are to be read.
        settings: how many documents there may be, and how many bytes.
        owner: of the batch.

    Raises:
        InvalidOption: there is none.
        BatchTooLarge: more documents than the limit.
        ArchiveUnsafe: an archive may not be unpacked.
    """
    names, max_files, max_bytes = set[str](), settings.batch_max_files, settings.max_bytes
    for file in _files(uploads, max_files, settings.batch_max_bytes):
        if isinstance(file, Skipped):
            yield file
            continue
        if len(names) >= max_files:
            raise BatchTooLarge(f"The batch has more than {max_files} documents.")
        name = _apart(shown(file.filename) or "document", names)
        names.add(name.casefold())
        if isinstance(file, Refused):
            yield Refused(name, file.error, file.sha256)
            continue
        try:
            if file.size > max_bytes:  # as an archive says, before it is unpacked
                raise too_large(max_bytes)
            with file.content as stream:
                yield judge(
                    stream,
                    order,
                    limit=max_bytes,
                    filename=name,
                    owner=owner,
                    priority=BATCH_PRIORITY,
                )
        except DocumentError as error:
            yield Refused(name, error, file.sha256)
    if not names:
        raise InvalidOption(
            "The batch holds no document.",
            advice="Send documents, or ZIP archives of them, in the field `files`.",
        )


def _files(
    uploads: Sequence[Upload], max_files: int, max_unpacked: int
) -> Iterator[_File | Refused | Skipped]:
    """Yield the files of a batch, those of an archive in its place."""
    unpacked = entries = 0
    for upload in uploads:
        whole = _File(upload.filename, nullcontext(upload.content), sha256=upload.sha256)
        head = upload.content.read(4)
        upload.content.seek(0)
        if not is_archive(head):
            yield whole
            continue
        left = max_unpacked - unpacked
        try:
            archive = Archive(upload.content, max_files=max_files, max_bytes=left)
        except ArchiveCorrupt as error:
            yield Refused(upload.filename, error, upload.sha256)
            continue
        except ArchiveUnsafe as error:  # it may be one of many
            detail = f"{shown(upload.filename)}: {error.detail}"
            raise ArchiveUnsafe(detail, advice=error.advice) from error
        with archive:
            if archive.packed_document:  # an office file, which is refused by its own name
                upload.content.seek(0)
                yield whole
                continue
            entries += archive.entries
            if entries > (most := most_entries_of(max_files)):
                raise BatchTooLarge(f"The archives have more than {most} entries together.")
            yield from (Skipped(shown(name)) for name in archive.skipped)
            for entry in archive.documents:
                unpacked += entry.size
                yield _File(entry.name, archive.open(entry), entry.size)


def _apart(name: str, taken: set[str]) -> str:
    """Return a name that differs from those taken, which are in lower case, by a number."""
    suffix = PurePosixPath(name).suffix
    if len(suffix) > _SUFFIX_LENGTH:
        suffix = ""
    stem, number = name.removesuffix(suffix), 1
    while name.casefold() in taken:
        number += 1
        mark = f" ({number}){suffix}"
        name = stem[: NAME_LENGTH - len(mark)] + mark
    return name
