"""What a service says of datasets, trainings and shadow runs, typed as `answers` are."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from fieldwright_client.answers import Answered, Problem

DocumentState = Literal["reading", "failed", "new", "suggested", "labelled", "doubtful"]
TrainingState = Literal["queued", "running", "succeeded", "failed", "cancelled"]


class DatasetField(Answered):
    """A field of a dataset.

    Attributes:
        name: of the field.
        key: its name; of a column with its group before it, such as ``items.amount``.
        kind: such as ``amount``.
        guessed: the kind follows from the labels.
        many: a document may have several values.
        group: that it is a column of.
        range_start: the date that begins the range which this one ends.
    """

    name: str
    key: str
    kind: str
    guessed: bool
    many: bool
    group: str | None = None
    range_start: str | None = None


class Dataset(Answered):
    """Documents of one kind that people label.

    Attributes:
        id: of the dataset.
        name: as people call it.
        model_name: of the models that are trained on it.
        fields: what is read from its documents.
        documents: their number.
        counts: documents by state.
        needed: labelled documents that are missing until a model is worth it.
        may_train: there are enough to begin with.
        training: id of the training that waits or runs.
        trainings: ids of all, the newest first.
    """

    id: str
    name: str
    model_name: str
    created_at: datetime
    fields: list[DatasetField]
    documents: int
    counts: dict[DocumentState, int]
    needed: int
    may_train: bool
    training: str | None = None
    trainings: list[str]


class DatasetDocument(Answered):
    """A document of a dataset.

    Attributes:
        id: in the dataset.
        job_id: of the job that read it, which has its pictures and words.
        pages: None until it is read.
        state: how far it is labelled.
        error: why it could not be read.
        fields: fields and groups of the dataset.
        labelled: those of them that have a label, or are absent.
        sure: lowest confidence of the suggestions, 0 to 1; None where there is none.
    """

    id: str
    job_id: str
    filename: str
    sha256: str
    pages: int | None
    state: DocumentState
    error: Problem | None = None
    fields: int
    labelled: int
    sure: float | None = None


class ListedDocument(DatasetDocument):
    """A document as a list of them has it; `doubts` counts labels that look wrong."""

    doubts: int = 0


class NumberedWord(Answered):
    """A word as it was read; labels name it by its number, which counts over all pages from 0."""

    number: int
    page: int
    text: str
    box: list[float]
    line: int


class LabelledValue(Answered):
    """A value of a label or a suggestion; `page` and `box` are None where it has no place.

    `confidence` is of suggestions only.
    """

    text: str
    value: Any
    status: Literal["ok", "ambiguous", "failed"]
    page: int | None
    box: list[float] | None
    words: list[int]
    confidence: float | None = None


class LabelledDocument(DatasetDocument):
    """A document with all that is known of it.

    Attributes:
        words: in reading order.
        labels: by field; an empty list says that the document has no such value.
        rows: of each group.
        suggestions: by field, of the model `suggested_by`.
        suggested_rows: of each group.
        doubts: why labels look wrong, by field.
    """

    words: list[NumberedWord]
    labels: dict[str, list[LabelledValue]]
    rows: dict[str, list[dict[str, LabelledValue]]]
    suggestions: dict[str, list[LabelledValue]]
    suggested_rows: dict[str, list[dict[str, LabelledValue]]]
    suggested_by: str | None
    doubts: dict[str, str]


class Refusal(Problem):
    """A file that did not become a document."""

    filename: str


class Added(Answered):
    """What came of files: new documents, ids of those that were there, and those refused.

    `left` are those that are still to be taken: asked again, the service takes the next ones.
    """

    added: list[ListedDocument]
    known: list[str]
    refused: list[Refusal]
    left: int = 0


class Doubt(Answered):
    """A label that looks wrong, by the last training."""

    document: str
    filename: str
    field: str
    text: str
    reason: str


class Score(Answered):
    """Scores from 0 to 1 on held-out documents; `low` and `high` bound F1 at 95%."""

    f1: float
    precision: float
    recall: float
    low: float
    high: float


class FieldScore(Score):
    """The scores of a field, on `support` values of held-out documents."""

    key: str
    kind: str
    support: int


class CurvePoint(Answered):
    """F1 of a model that was trained on so many documents."""

    documents: int
    f1: float


class WorstDocument(Answered):
    """A held-out document with faults; `fields` has ``key``, ``expected`` and ``found`` texts."""

    document: str
    filename: str
    faults: int
    fields: list[dict[str, Any]]


class Comparison(Answered):
    """The version in service on the same documents; `difference` is what the new one adds to F1.

    `seen` counts those held out that are left out, as the version in service learnt from them.
    """

    model: str
    f1: float
    low: float
    high: float
    difference: float
    documents: int
    seen: int | None = None


class Report(Answered):
    """What a training says for itself.

    Attributes:
        held_out, trained_on: numbers of documents.
        all: the score over all fields.
        fields: the scores of each.
        curve: scores by the number of documents, the largest last.
        sentence: what more documents would give.
        worst: the documents with the most faults first.
        against: the version in service before; None for none.
        notes: what a reader should know.
    """

    held_out: int
    trained_on: int
    all: Score
    fields: list[FieldScore]
    curve: list[CurvePoint]
    sentence: str
    worst: list[WorstDocument]
    against: Comparison | None = None
    notes: list[str]


class Training(Answered):
    """A training as it stands.

    Attributes:
        id: of the training.
        dataset_id: whose documents it learns from.
        name, version: of the model that it makes.
        state: as of a job.
        stage: ``reading``, ``training``, ``final``, ``curve``, ``judging`` or ``packing`` while it
            runs.
        epoch, epochs: done, and at most.
        scores: F1 on held-out documents, by epoch.
        best: the best of them.
        seconds_left: estimated.
        error: why it failed.
        promoted: its model is in service now.
        report: once it has succeeded.
    """

    id: str
    dataset_id: str
    name: str
    version: str
    state: TrainingState
    stage: str | None = None
    epoch: int
    epochs: int
    scores: list[float]
    best: float | None = None
    seconds_left: float | None = None
    documents: int
    cancelling: bool = False
    attempts: int = 0
    created_at: datetime
    finished_at: datetime | None = None
    error: Problem | None = None
    promoted: bool = False
    report: Report | None = None

    @property
    def ended(self) -> bool:
        """Whether it neither waits nor runs; one that was cancelled can be resumed."""
        return self.state in ("succeeded", "failed", "cancelled")


class Version(Answered):
    """A version of a model; `current` answers for its name, `training` made it."""

    version: str
    current: bool
    bundled: bool
    training: str | None = None


class Difference(Answered):
    """A live document whose answers differ; `fields` has ``key``, ``current`` and ``shadow``."""

    job_id: str
    document: str
    at: datetime
    fields: list[dict[str, Any]]


class Shadow(Answered):
    """A version that reads live documents beside the one in service.

    Attributes:
        model: name of the model.
        version, against: that reads beside, and the one in service at its start.
        share: of the documents that are read, 0 to 1.
        active: it goes on.
        documents: that were compared; the next three say with what result.
        failed: the shadow gave no answer.
        skipped: too many waited already.
        differences: the newest first.
    """

    model: str
    version: str
    against: str
    share: float
    active: bool
    started_at: datetime
    documents: int
    same: int
    different: int
    failed: int
    skipped: int
    differences: list[Difference]
