"""What a service answers, typed; what a later service says besides is kept in `model_extra`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

State = Literal["queued", "running", "succeeded", "failed", "cancelled"]


class Answered(BaseModel):
    """Whatever a service answers."""

    model_config = ConfigDict(extra="allow", protected_namespaces=())


class Candidate(Answered):
    """Another value that the document offers for a field."""

    text: str
    value: Any
    confidence: float
    page: int
    box: list[float]


class Normalisation(Answered):
    """How the text became the value; `status` is ok, ambiguous or failed."""

    status: str
    reason: str | None = None
    alternatives: list[Any] = []


class Value(Answered):
    """One value of a field.

    Attributes:
        kind: such as ``amount``; it says what `value` looks like.
        text: as printed.
        value: typed, such as ``{"amount": "9.00", "currency": "MYR"}``; None where the text is no
            value of the kind.
        confidence: estimated probability that the value is right; of an amount, that its number is.
        currency_confidence: of an amount's currency; None where it has none.
        page: number from 1.
        box: left, top, right, bottom as fractions of the page; empty where it is not printed.
        words: indices into the document's words.
        candidates: other values, best first.
        needs_review: somebody should look.
        source: ``embedded`` where the value is that of an e-invoice's XML, ``page`` otherwise.
    """

    kind: str
    text: str
    value: Any
    confidence: float
    currency_confidence: float | None = None
    page: int
    box: list[float]
    words: list[int] = []
    normalisation: Normalisation | None = None
    candidates: list[Candidate] = []
    needs_review: bool = False
    source: str = "page"

    def __str__(self) -> str:
        return self.text


class AnsweringModel(Answered):
    """The model that answered; `fit` says how like its documents this one is, 0 to 1."""

    name: str
    version: str
    sha256: str = ""
    fit: float | None = None


class Answer(Answered):
    """The fields of a document; a field that may have several values has a list.

    Attributes:
        id: of the job.
        document: what was read: ``sha256``, ``page_count``, ``pages`` and more.
        model: that answered.
        fields: by name; None for what the document does not say.
        groups: rows of each repeated group, such as ``items``; a value or None for every column.
        checks: of sums and dates: ``name``, ``expected``, ``found``, ``ok`` and ``fields``.
        needs_review: somebody should look at the document: a value asks for it, none was found, or
            it is none that the model is for.
        title: what the document calls itself, of the titles that the model lists; else None.
        warnings: whatever a person should know.
        timings: seconds by stage.
    """

    id: str
    document: dict[str, Any]
    model: AnsweringModel
    fields: dict[str, Value | list[Value] | None]
    groups: dict[str, list[dict[str, Value | None]]] = {}
    checks: list[dict[str, Any]] = []
    needs_review: bool = False
    title: str | None = None
    warnings: list[str] = []
    timings: dict[str, float] = {}

    def model_post_init(self, _: Any) -> None:
        """Say `needs_review` by the values where an earlier release of the service did not."""
        if "needs_review" not in self.model_fields_set:
            self.needs_review = any(value.needs_review for value in self.values())

    def values(self) -> Iterator[Value]:
        """Yield the values of all fields, then those of all rows."""
        yield from (value for _, value in self._named_values())

    @property
    def fields_to_review(self) -> list[str]:
        """Names of the fields, and of columns as ``items.amount``, that somebody should look at."""
        named = self._named_values()
        return list(dict.fromkeys(name for name, value in named if value.needs_review))

    def _named_values(self) -> Iterator[tuple[str, Value]]:
        for name, given in self.fields.items():
            for value in given if isinstance(given, list) else [given]:
                if value:
                    yield name, value
        for group, rows in self.groups.items():
            for row in rows:
                yield from ((f"{group}.{name}", cell) for name, cell in row.items() if cell)


class Problem(Answered):
    """Why there is no answer."""

    code: str
    detail: str
    advice: str = ""


class Job(Answered):
    """A document on its way."""

    id: str
    state: State
    stage: str
    pages_done: int = 0
    pages_total: int | None = None
    model: str = ""
    document: str = ""
    created_at: datetime | None = None
    error: Problem | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in ("succeeded", "failed", "cancelled")


class Batch(Answered):
    """Documents that were sent together."""

    id: str
    name: str = ""
    total: int
    ended: int
    finished: bool
    counts: dict[str, int] = {}
    errors: dict[str, int] = {}


class Row(Answered):
    """One document of a batch: its fields, or why there are none."""

    document: str
    sha256: str | None = None
    fields: dict[str, Value | list[Value] | None] = {}
    model: AnsweringModel | None = None
    error: Problem | None = None


class Model(Answered):
    """A model that can be asked for; `fields` maps names to kinds."""

    name: str
    version: str
    current: bool
    default: bool
    fields: dict[str, str] = Field(default_factory=dict)
