"""Datasets and their documents as values; times are seconds since 1970 by the database's clock."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from store.jobs import Job

DatasetState = Literal["reading", "failed", "new", "suggested", "labelled", "doubtful"]
States: tuple[DatasetState, ...] = get_args(DatasetState)

Labels: TypeAlias = dict[str, list[dict[str, Any]]]
"""Values by field: an empty list says that the document has none."""
Rows: TypeAlias = dict[str, list[dict[str, dict[str, Any]]]]
"""By group its rows, each of values by column."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset.

    Attributes:
        id: UUID.
        owner: id of the key that made it; None where the service has no keys.
        name: for people.
        model_name: of the models that are trained on it.
        fields: each with ``name``, ``kind``, ``guessed``, ``many``, ``group``, ``range_start``.
        source: its own model whose suggestions stand at the documents, as NAME@VERSION, or None.
        renames: fields of the dataset to those of other models that say the same.
        revision: grows when suggestions have to be made again.
        created_at: when it was made.
        counts: its documents by state, all states.
    """

    id: str
    owner: str | None
    name: str
    model_name: str
    fields: list[dict[str, Any]]
    source: str | None
    renames: dict[str, Any]
    revision: int
    created_at: float
    counts: dict[DatasetState, int] = field(default_factory=dict)

    @property
    def documents(self) -> int:
        """Number of its documents."""
        return sum(self.counts.values())

    @property
    def labelled(self) -> int:
        """Number of documents that are labelled, those with doubts among them."""
        return self.counts.get("labelled", 0) + self.counts.get("doubtful", 0)


@dataclass(frozen=True, slots=True)
class Example:
    """A document of a dataset.

    Attributes:
        id: UUID, made when it was added.
        dataset_id: of its dataset.
        number: grows in the order of adding.
        state: see `DatasetState`.
        labels, rows: what people said; what is in neither is not labelled.
        complete: every field and group is labelled.
        suggestions: ``fields`` and ``groups`` of a model's answer by the names of the dataset.
        sure: the lowest confidence of the suggestions; None where there are none.
        revision: of the dataset when they were made.
        doubts: why labels look wrong, by field.
        added_at, labelled_at: when it was added, and labelled last.
        job: that read it; its document's name, type and error are there.
    """

    id: str
    dataset_id: str
    number: int
    state: DatasetState
    labels: Labels
    rows: Rows
    complete: bool
    suggestions: dict[str, Any] | None
    sure: float | None
    revision: int
    doubts: dict[str, str]
    added_at: float
    labelled_at: float | None
    job: Job


@dataclass(frozen=True, slots=True)
class NewExample:
    """A document to be added.

    Attributes:
        job: of its own, not stored yet; its bytes are among the blobs.
        answer: of that job as JSON text, where it is known already.
        labels: that are known already.
        rows: of groups, that are known already.
    """

    job: Job
    answer: str | None = None
    labels: Labels = field(default_factory=dict)
    rows: Rows = field(default_factory=dict)
