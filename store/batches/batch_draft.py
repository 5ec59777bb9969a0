"""A batch on its way in: documents and archives become jobs and items, stored all or not at all."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import BinaryIO

from pipeline.errors import DocumentError, FileTooLarge
from store.batches.archive import Archive, is_archive
from store.batches.records import Item
from store.errors import ArchiveCorrupt, BatchTooLarge
from store.jobs.records import Job
from store.jobs.submit import Intake, Order, shown

PRIORITY = 1  # after documents that somebody waits for
_NAME_LENGTH = 255
_SUFFIX_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Upload:
    """One file of a batch as it was sent: a document, or a ZIP archive of documents."""

    filename: str
    content: BinaryIO
    sha256: str


class Draft:
    """The documents of a batch that is being accepted: on the disk, and known to nobody else.

    Args:
        queue: that they are meant for.
        order: how they are to be read.
        owner: of the batch.

    Attributes:
        order, owner: as given.
        items: in the order of arrival, those that were refused among them.
        jobs: of the items that were not refused.
        skipped: names of files in archives that are no documents.
    """

    def __init__(self, queue: Intake, order: Order, owner: str | None) -> None:
        self._queue = queue
        self.order = order
        self.owner = owner
        self._bytes = 0  # of unpacked entries
        self._names: set[str] = set()
        self.items: list[Item] = []
        self.jobs: list[Job] = []
        self.skipped: list[str] = []

    def add(self, upload: Upload) -> None:
        """Take in a file as it was sent.

        Raises:
            BatchTooLarge: more documents than the limit.
            ArchiveUnsafe: it is an archive that may not be unpacked.
            StorageFull: no room on the disk.
        """
        settings = self._queue.settings
        head = upload.content.read(4)
        upload.content.seek(0)
        if not is_archive(head):
            self._take(upload.filename, nullcontext(upload.content), sha256=upload.sha256)
            return
        left = settings.batch_max_bytes - self._bytes
        try:
            archive = Archive(upload.content, max_files=settings.batch_max_files, max_bytes=left)
        except ArchiveCorrupt as error:
            self._refuse(self._apart(upload.filename), error, upload.sha256)
            return
        with archive:
            if archive.packed_document:  # an office file, which is refused by its own name
                upload.content.seek(0)
                self._take(upload.filename, nullcontext(upload.content), sha256=upload.sha256)
                return
            self.skipped += map(shown, archive.skipped)
            for entry in archive.documents:
                self._bytes += entry.size
                self._take(entry.name, archive.open(entry), size=entry.size)

    def discard(self) -> None:
        """Remove the documents from the disk again."""
        for job in self.jobs:
            self._queue.blobs.remove(job.id)

    def _take(
        self,
        filename: str,
        content: AbstractContextManager[BinaryIO],
        *,
        size: int = 0,
        sha256: str | None = None,
    ) -> None:
        name, limit = self._apart(filename), self._queue.settings.max_bytes
        try:
            if size > limit:  # as an archive says, before it is unpacked
                raise FileTooLarge(f"The document has more than {limit} bytes.")
            with content as stream:
                job = self._queue.receive(
                    stream, self.order, filename=name, owner=self.owner, priority=PRIORITY
                )
        except DocumentError as error:
            self._refuse(name, error, sha256)
            return
        self.jobs.append(job)
        self.items.append(Item(len(self.items) + 1, name, job.sha256, job.id, "queued"))

    def _refuse(self, name: str, error: DocumentError, sha256: str | None) -> None:
        self.items.append(
            Item(
                len(self.items) + 1,
                name,
                sha256,
                None,
                "refused",
                error_code=error.code,
                error_detail=error.detail,
                error_advice=error.advice,
            )
        )

    def _apart(self, filename: str) -> str:
        """Return a name fit to be shown that no item before has: rows are told apart by it.

        Raises:
            BatchTooLarge: there may be no further item.
        """
        most = self._queue.settings.batch_max_files
        if len(self.items) >= most:
            raise BatchTooLarge(f"The batch has more than {most} documents.")
        name = shown(filename) or "document"
        suffix = PurePosixPath(name).suffix
        if len(suffix) > _SUFFIX_LENGTH:
            suffix = ""
        stem, number = name.removesuffix(suffix), 1
        while name.casefold() in self._names:
            number += 1
            mark = f" ({number}){suffix}"
            name = stem[: _NAME_LENGTH - len(mark)] + mark
        self._names.add(name.casefold())
        return name
