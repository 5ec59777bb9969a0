"""What every place for the bytes of jobs promises."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol


class Blobs(Protocol):
    """The files of jobs, by the id of the job (a UUID) and a name.

    A blob is replaced whole: readers see the old one or the new. Removing what is not there is no
    error. Methods that read or write raise `StoreUnavailable` where the place does not answer;
    removals do not, for what they leave is found by `found` and removed later.

    Attributes:
        spool: local folder for files that are on their way.
        fault: why the place did not do what it was last asked, None where it did or is a folder.
    """

    spool: Path
    fault: str | None

    def check_room(self) -> None:
        """Return where there is room for documents; raises StorageFull."""

    def put(self, job_id: str, name: str, data: bytes | BinaryIO, *, durable: bool = False) -> None:
        """Store a blob; `durable` ones survive a power cut. Raises StorageFull."""

    def get(self, job_id: str, name: str) -> bytes | None:
        """Return a blob, or None where there is none."""

    def holds(self, job_id: str, name: str) -> bool:
        """Return whether there is such a blob."""

    def keep_only(self, job_id: str, *names: str) -> None:
        """Remove all blobs of a job but those named."""

    def remove(self, *job_ids: str) -> None:
        """Remove all blobs of jobs."""

    def found(self, *, older_than: float) -> Iterator[tuple[str, frozenset[str]]]:
        """Yield the jobs whose blobs were last changed more than so many seconds ago.

        Each by its id, with the names of its blobs.
        """

    def clear_spool(self) -> None:
        """Remove the half-written files of processes that are dead."""

    def identity(self) -> str:
        """Return the name that the place gave itself at its first use, at most 64 characters."""

    def note_cleaning(self, token: str) -> str | None:
        """Note a cleaning by its token; return that of the last one, None where there was none."""
