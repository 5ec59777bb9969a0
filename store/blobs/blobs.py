"""Files of jobs, by job and name: documents, and what one stage leaves for the next."""

from __future__ import annotations

import errno
import logging
import os
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pipeline.errors import StorageFull
from pipeline.reading.isolation.owner import abandoned, own
from store.errors import StoreUnavailable

log = logging.getLogger(__name__)

FILE = "file"
PASSWORD = "password"
WORDS = "words.json"
KEPT = (FILE, WORDS)
"""What is kept of a job that has ended; all else is made again, or no longer needed."""

_PART = ".part"
_IDENTITY = "installation"
_CLEANED = "cleaned"


@contextmanager
def on_disk() -> Iterator[None]:
    """Turn the system's errors into StorageFull for a full disk, else into StoreUnavailable.

    A disk that broke, or that somebody took away, is no fault of a document.
    """
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise StorageFull("The service has no room to store the document.") from error
        log.warning("folder of documents", extra={"error": str(error)[:500]})
        raise StoreUnavailable(
            f"The folder of documents cannot be used: {error.strerror}."
        ) from error


class LocalBlobs:
    """Blobs in a local folder: ``ROOT/ab/abcd.../NAME``, readable by their owner alone.

    They are named by the id of their job (a UUID) and a name. A blob is replaced whole, readers see
    the old one or the new: it is written under a temporary name and renamed. Those that must
    survive a power cut are flushed to the disk first. Methods that read or write raise
    `StoreUnavailable` where the place does not answer; removals do not, for what they leave is
    found by `found` and removed later.

    Args:
        root: the folder; made when missing.
        min_free_bytes: that have to be free on its disk for new documents.
        before_close: called with the name of each blob before it is complete; an OSError that it
            raises counts as one of the disk.

    Attributes:
        root: as given.
        spool: folder on the same disk for files that are on their way.
        fault: why the place did not do what it was last asked: none of a folder, the room of whose
            disk is looked at instead.
    """

    fault: str | None = None

    def __init__(
        self,
        root: Path,
        *,
        min_free_bytes: int = 0,
        before_close: Callable[[str], None] = lambda name: None,
    ) -> None:
        self.root = root.absolute()
        self.spool = self.root / "tmp"
        self.spool.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._min_free_bytes = min_free_bytes
        self.before_close = before_close

    @on_disk()
    def check_room(self) -> None:
        """Return where the disk has room for documents; raises StorageFull."""
        if shutil.disk_usage(self.root).free < self._min_free_bytes:
            raise StorageFull("The disk of the service is nearly full.")

    def put(self, job_id: str, name: str, data: bytes | BinaryIO, *, durable: bool = False) -> None:
        """Store a blob, given as bytes or as a file; one of that name is replaced.

        Raises:
            StorageFull: no room on the disk.
            StoreUnavailable: the folder cannot be used.
        """
        with self._writing(job_id, name, durable=durable) as file:
            if isinstance(data, bytes):
                file.write(data)
            else:
                shutil.copyfileobj(data, file)

    @on_disk()
    def get(self, job_id: str, name: str) -> bytes | None:
        """Return a blob, or None where there is none; raises StoreUnavailable."""
        try:
            return (self._folder(job_id) / name).read_bytes()
        except FileNotFoundError:
            return None

    @on_disk()
    def holds(self, job_id: str, name: str) -> bool:
        """Return whether there is such a blob; raises StoreUnavailable."""
        return (self._folder(job_id) / name).is_file()

    def keep_only(self, job_id: str, *names: str) -> None:
        """Remove all blobs of a job but those named."""
        with suppress(OSError):  # there are none, or the next deep cleaning does it
            for path in self._folder(job_id).iterdir():
                if path.name not in names:
                    path.unlink(missing_ok=True)

    def remove(self, *job_ids: str) -> None:
        """Remove all blobs of jobs; none is not an error."""
        for job_id in job_ids:
            shutil.rmtree(self._folder(job_id), ignore_errors=True)

    def found(self, *, older_than: float) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield the jobs whose blobs were last changed more than so many seconds ago.

        Each by its id, with the names of its blobs.
        """
        limit = time.time() - older_than
        for path in self.root.glob("??/*"):
            with suppress(FileNotFoundError):  # its job was deleted meanwhile
                if is_job_id(path.name) and path.stat().st_mtime < limit:
                    yield path.name, frozenset(blob.name for blob in path.iterdir())

    def clear_spool(self) -> None:
        """Remove the half-written blobs of processes that are dead."""
        for path in self.spool.glob(f"*{_PART}"):
            with abandoned(path) as free:
                if free:
                    path.unlink(missing_ok=True)  # it got its name meanwhile

    @on_disk()
    def identity(self) -> str:
        """Return the name, of 64 characters at most, that the folder was given at its first use."""
        path = self.root / _IDENTITY
        if not path.exists():
            with self._temporary() as (temporary, descriptor):
                with os.fdopen(descriptor, "w") as file:
                    file.write(uuid.uuid4().hex)
                with suppress(FileExistsError):  # another process was faster
                    path.hardlink_to(temporary)
                temporary.unlink(missing_ok=True)
        return path.read_text()[:64]

    @on_disk()
    def note_cleaning(self, token: str) -> str | None:
        """Note a cleaning by its token; return that of the last one, None where there was none."""
        path = self.root / _CLEANED
        last = path.read_text()[:64] if path.exists() else None
        with self._temporary() as (temporary, descriptor):
            with os.fdopen(descriptor, "w") as file:
                file.write(token)
            temporary.replace(path)
        return last

    def _folder(self, job_id: str) -> Path:
        plain = job_id_of(job_id)
        return self.root / plain[:2] / plain

    @contextmanager
    def _writing(self, job_id: str, name: str, *, durable: bool) -> Iterator[BinaryIO]:
        folder = self._folder(job_id)
        with on_disk(), self._temporary() as (temporary, descriptor):
            with os.fdopen(descriptor, "wb") as file:
                yield file
                self.before_close(name)
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
            path = self.spool / f"{uuid.uuid4().hex}{_PART}"
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


def job_id_of(text: str) -> str:
    """Return an id as it is used in paths; raises ValueError where it is none.

    Ids come from addresses too: only what `uuid` itself would print may become part of a path.
    """
    return str(uuid.UUID(text))


def is_job_id(text: str) -> bool:
    """Say whether a name is a job's: systems put files of their own into any folder."""
    with suppress(ValueError):
        return job_id_of(text) == text
    return False


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
