"""Files of the jobs: the documents delivered and what lies between two stages, by job and name."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pipeline.errors import EmptyDocument, FileTooLarge
from pipeline.reading.isolation.owner import abandoned, own
from store.spool import Spool, no_room

FILE = "file"
PASSWORD = "password"
_CHUNK = 1 << 20
_PART = ".part"


class LocalBlobs:
    """Blobs in a local folder: ``ROOT/ab/abcd.../NAME``, readable by their owner alone.

    A blob is there whole or not at all: it is written beside its place and renamed. Those that
    must outlive a power cut are flushed to the disk first.

    Args:
        root: the folder; made when missing.
        before_close: called with the name of each blob before its last byte is out; an error of
            the system that it raises counts as one of the disk.
    """

    def __init__(self, root: Path, before_close: Callable[[str], None] = lambda name: None) -> None:
        self.root = root.absolute()
        self._before_close = before_close
        self._spool = self.root / "tmp"
        self._spool.mkdir(mode=0o700, parents=True, exist_ok=True)

    def receive(self, job_id: str, source: BinaryIO, *, limit: int) -> tuple[int, str]:
        """Store a delivered document durably; return its size in bytes and its SHA-256.

        Raises:
            FileTooLarge: more than `limit` bytes.
            EmptyDocument: no bytes.
            StorageFull: no room on the disk.
        """
        size, digest = 0, hashlib.sha256()
        with self._writing(job_id, FILE, durable=True) as file:
            while chunk := source.read(_CHUNK):
                size += len(chunk)
                if size > limit:
                    raise FileTooLarge(f"The document has more than {limit} bytes.")
                digest.update(chunk)
                file.write(chunk)
            if not size:
                raise EmptyDocument("The document has no bytes.")
        return size, digest.hexdigest()

    def put(self, job_id: str, name: str, data: bytes, *, durable: bool = False) -> None:
        """Store a blob; one of that name is replaced. Raises StorageFull."""
        with self._writing(job_id, name, durable=durable) as file:
            file.write(data)

    def get(self, job_id: str, name: str) -> bytes | None:
        """Return a blob, or None where there is none."""
        try:
            return (self._folder(job_id) / name).read_bytes()
        except FileNotFoundError:
            return None

    def holds(self, job_id: str, name: str) -> bool:
        """Return whether there is such a blob."""
        return (self._folder(job_id) / name).is_file()

    def spool(self) -> Spool:
        """Return an empty file for what arrives, on the disk of the blobs."""
        return Spool(self._spool)

    def keep_only(self, job_id: str, *names: str) -> None:
        """Remove all blobs of a job but those named."""
        folder = self._folder(job_id)
        if folder.is_dir():
            for path in folder.iterdir():
                if path.name not in names:
                    path.unlink(missing_ok=True)

    def remove(self, job_id: str) -> None:
        """Remove all blobs of a job; none is not an error."""
        shutil.rmtree(self._folder(job_id), ignore_errors=True)

    def ids(self, *, older_than: float) -> list[str]:
        """Return the jobs whose blobs were last changed more than so many seconds ago."""
        limit = time.time() - older_than
        found = []
        for path in self.root.glob("??/*"):
            try:
                if path.stat().st_mtime < limit:
                    found.append(path.name)
            except FileNotFoundError:  # its job was deleted meanwhile
                continue
        return found

    def clear_spool(self) -> None:
        """Remove the half-written blobs of processes that are dead."""
        for path in self._spool.glob(f"*{_PART}"):
            with abandoned(path) as free:
                if free:
                    path.unlink(missing_ok=True)  # it got its name meanwhile

    def _folder(self, job_id: str) -> Path:
        # Ids come from addresses too: only what `uuid` itself would print may reach the disk.
        plain = str(uuid.UUID(job_id))
        return self.root / plain[:2] / plain

    @contextmanager
    def _writing(self, job_id: str, name: str, *, durable: bool) -> Iterator[BinaryIO]:
        folder = self._folder(job_id)
        with no_room(), self._temporary() as (temporary, descriptor):
            with os.fdopen(descriptor, "wb") as file:
                yield file
                self._before_close(name)
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            temporary.replace(folder / name)
            if durable:
                for place in (folder, folder.parent, self.root):
                    _sync(place)

    @contextmanager
    def _temporary(self) -> Iterator[tuple[Path, int]]:
        """Hold a new file that `clear_spool` spares; yield it with a descriptor to be closed."""
        while True:
            path = self._spool / f"{uuid.uuid4().hex}{_PART}"
            lock = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                if own(lock, path):
                    # The lock is held until it has its name, longer than it is written.
                    yield path, os.dup(lock)
                    return
            except BaseException:
                path.unlink(missing_ok=True)
                raise
            finally:
                os.close(lock)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
