"""What the store hands out of batches: the batch with its counts, and its items, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from pipeline.errors import DocumentError

ItemState = Literal[
    "queued", "running", "succeeded", "failed", "cancelled", "refused", "expired", "removed"
]
STATES: tuple[ItemState, ...] = get_args(ItemState)


@dataclass(frozen=True, slots=True)
class NewBatch:
    """What the sender of a batch said of it, checked; attributes as of `Batch`."""

    name: str
    model: str
    options: dict[str, Any]
    owner: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A document that cannot be accepted, and why; its digest where it is known."""

    filename: str
    error: DocumentError
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file in an archive that is no document, such as systems leave behind."""

    filename: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Documents that were sent together, and how far they are.

    Attributes:
        owner: id of the key that sent them; None where the service has no keys.
        name: as its sender calls it.
        model: as asked for, ``NAME`` or ``NAME@VERSION``.
        options: of reading, without the password.
        skipped: names of the first hundred files in its archives that are no documents.
        counts: items by state, for every state.
        errors: items by the code of their error.
        finished_at: when its last document ended; None before, and where it has none.
        seconds_left: estimated from the pace of the last documents; None where there is none yet.
    """

    id: str
    owner: str | None
    name: str
    model: str
    options: dict[str, Any]
    skipped: tuple[str, ...]
    created_at: float
    counts: dict[ItemState, int]
    errors: dict[str, int]
    finished_at: float | None = None
    seconds_left: float | None = None

    @property
    def total(self) -> int:
        """All items."""
        return sum(self.counts.values())

    @property
    def ended(self) -> int:
        """Items of which nothing more will come."""
        return self.total - self.counts["queued"] - self.counts["running"]


@dataclass(frozen=True, slots=True)
class Item:
    """One document of a batch: how its job stands, or why it has none.

    Attributes:
        number: place in the batch, from 1.
        sha256: of the document; None where it was refused inside an archive.
        job_id: None where it was refused, or its job was removed.
        state: of its job; ``refused`` where it never had one, ``expired`` and ``removed`` where
            its answer is gone.
    """

    number: int
    filename: str
    sha256: str | None
    job_id: str | None
    state: ItemState
    pages_done: int = 0
    pages_total: int | None = None
    error_code: str | None = None
    error_detail: str | None = None
    error_advice: str | None = None
