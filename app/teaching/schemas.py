"""What the routes of datasets, trainings and shadow runs take and answer."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from app.schemas.common import Asked, FieldKey, FieldName, JobError, Uuid, View
from app.teaching.labels import MOST_FIELDS
from app.teaching.teaching import WORTH_TRAINING, Added
from pipeline.values.schema import Kind
from store.datasets import Dataset, DatasetState, Example, key_of, keys_of
from store.shadows import Difference, Shadow
from store.trainings import LEAST_LABELLED, Training, TrainingState

_NAME = Field(
    min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$"
)
_MODEL = Field(pattern="^[a-z][a-z0-9_-]{0,63}$", description="Of the models trained on it")


class NewDataset(Asked):
    """A dataset to be made."""

    name: Annotated[str, _NAME]
    model_name: Annotated[str | None, _MODEL] = None


class ChangedDataset(Asked):
    """New names of a dataset and its models."""

    name: Annotated[str | None, _NAME] = None
    model_name: Annotated[str | None, _MODEL] = None


class FieldAsked(Asked):
    """A field of a dataset."""

    name: FieldName
    kind: Annotated[Kind | None, Field(description="null: guessed from the first values")] = None
    many: Annotated[bool, Field(description="A document may have several values")] = False
    group: Annotated[FieldName | None, Field(description="That it is a column of")] = None
    range_start: Annotated[
        FieldName | None, Field(description="The date that begins the range which this one ends")
    ] = None
    was: Annotated[
        FieldKey | None, Field(description="Key that it had until now; its labels go along")
    ] = None


class FieldsAsked(Asked):
    """All fields of a dataset; those that are left out go, with their labels."""

    fields: Annotated[list[FieldAsked], Field(max_length=MOST_FIELDS)]
    known: Annotated[
        list[FieldKey] | None,
        Field(
            description="Keys of the fields that you have seen: where there are others by now, 409",
            max_length=MOST_FIELDS,
        ),
    ] = None


class DatasetField(BaseModel):
    """A field of a dataset; `key` is its name, of a column with its group before it."""

    name: str
    key: str
    kind: Kind
    guessed: Annotated[bool, Field(description="The kind follows from the labels")]
    many: bool
    group: str | None
    range_start: str | None


class Suggests(BaseModel):
    """What suggestions come from: the most alike model, or the last training of the dataset."""

    model: str
    own: bool


class DatasetView(View):
    """A dataset as it stands."""

    id: str
    name: str
    model_name: str
    created_at: datetime
    fields: list[DatasetField]
    documents: int
    counts: Annotated[dict[DatasetState, int], Field(description="Documents by state")]
    needed: Annotated[
        int, Field(description="Labelled documents that are missing until a model is worth it")
    ]
    may_train: Annotated[bool, Field(description="There are enough to begin with")]
    suggests: Suggests | None
    training: Annotated[str | None, Field(description="Id of the one that waits or runs")]
    trainings: Annotated[list[str], Field(description="Ids, the newest first")]

    @classmethod
    def of(cls, dataset: Dataset, trainings: list[Training]) -> DatasetView:
        """Return the view of a dataset and its trainings, the newest first."""
        fields = [
            DatasetField(key=key_of(field), **{**field, "kind": Kind(field["kind"])})
            for field in dataset.fields
        ]
        active = [one.id for one in trainings if one.state in ("queued", "running")]
        suggests = None
        if dataset.source is not None:
            suggests = Suggests(model=dataset.source, own=True)
        elif dataset.documents:
            suggests = Suggests(model="auto", own=False)
        return cls.showing(
            dataset,
            fields=fields,
            needed=max(0, WORTH_TRAINING - dataset.labelled),
            may_train=bool(fields) and dataset.labelled >= LEAST_LABELLED,
            suggests=suggests,
            training=next(iter(active), None),
            trainings=[one.id for one in trainings],
        )


class DatasetList(BaseModel):
    """A page of datasets, the newest first."""

    datasets: list[DatasetView]
    next: Annotated[str | None, Field(description="Cursor of the next page, null at the end")]


class Kinds(BaseModel):
    """The kinds that fields may have."""

    kinds: list[Kind]


class _Shown(BaseModel):
    """A document of a dataset; its pages are pictures at `/jobs/{job_id}/pages/{n}.png`."""

    id: str
    job_id: str
    filename: str
    media_type: str
    size: int
    sha256: str
    pages: Annotated[int | None, Field(description="null until it is read")]
    state: DatasetState
    error: JobError | None
    added_at: datetime
    fields: Annotated[int, Field(description="Fields and groups of the dataset")]
    labelled: Annotated[int, Field(description="Those that have a label, or are absent")]
    sure: Annotated[float | None, Field(description="Lowest confidence of the suggestions")]


class DocumentView(_Shown):
    """A document of a dataset; its pages are pictures at `/jobs/{job_id}/pages/{n}.png`."""

    doubts: Annotated[int, Field(description="Labels that look wrong")]

    @classmethod
    def of(cls, example: Example, dataset: Dataset) -> DocumentView:
        """Return the view of a document."""
        return cls(**shown(example, dataset), doubts=len(example.doubts))


class DocumentPage(BaseModel):
    """Documents in the order of adding."""

    documents: list[DocumentView]
    next: Annotated[str | None, Field(description="Cursor of the next page; null at the end")]


class PageSize(BaseModel):
    """A page of a document: its number, from 1, and its size as delivered."""

    number: int
    width: float
    height: float


class NumberedWord(View):
    """A word as read; `number` counts from 0 over all pages, `box` is in fractions of the page."""

    number: int
    page: int
    text: str
    box: list[float]
    line: int


class LabelView(BaseModel):
    """A value: as it is printed or typed, and what it is read as; no `page` where it has no place.

    `confidence` is of suggestions only.
    """

    text: str
    value: Any
    status: Literal["ok", "ambiguous", "failed"]
    page: int | None
    box: list[float] | None
    words: list[int]
    confidence: float | None = None


class DocumentFull(_Shown):
    """A document with all that is known of it.

    In `labels`, an empty list says that the document has no such value; what is not there is not
    labelled. `rows` are those of groups.
    """

    pages_of: list[PageSize]
    words: list[NumberedWord]
    labels: dict[str, list[LabelView]]
    rows: dict[str, list[dict[str, LabelView]]]
    suggestions: dict[str, list[LabelView]]
    suggested_rows: dict[str, list[dict[str, LabelView]]]
    suggested_by: str | None
    doubts: Annotated[dict[str, str], Field(description="Why labels look wrong, by field")]


class Refusal(View):
    """A file that did not become a document."""

    filename: str
    code: str
    detail: str
    advice: str


class AddedView(BaseModel):
    """What came of the files: new documents, those that were there before, those refused."""

    added: list[DocumentView]
    known: Annotated[list[str], Field(description="Ids of documents with the same bytes")]
    refused: list[Refusal]
    left: Annotated[int, Field(description="Documents that the same request adds the next time")]

    @classmethod
    def of(cls, added: Added, dataset: Dataset) -> AddedView:
        """Return the view of what came of files."""
        return cls(
            added=[DocumentView.of(one, dataset) for one in added.added],
            known=added.known,
            refused=[Refusal.showing(one.error, filename=one.filename) for one in added.refused],
            left=added.left,
        )


class Take(Asked):
    """Which documents to take over: those of jobs, of a batch, or those that were reviewed."""

    job_ids: Annotated[list[Uuid], Field(max_length=500)] = Field(default_factory=list)
    batch_id: Uuid | None = None
    reviewed: bool = False
    model: Annotated[str | None, Field(max_length=160, pattern=r"^[^\x00]*$")] = None


class DoubtView(BaseModel):
    """A label that looks wrong."""

    document: str
    filename: str
    field: str
    text: str
    reason: str


class DoubtList(BaseModel):
    """Labels that look wrong."""

    doubts: list[DoubtView]


class NewTraining(Asked):
    """How a model is to be trained; what is left out is decided by the number of documents."""

    version: Annotated[
        str | None, Field(pattern="^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$", description="Of the model")
    ] = None
    preset: Annotated[str | None, Field(pattern="^[a-z0-9_-]{1,32}$")] = None
    epochs: Annotated[int, Field(ge=1, le=50, description="At most")] = 8
    curve: Annotated[
        bool, Field(description="Train on half of the documents too: what more would give")
    ] = True
    final: Annotated[
        bool | None, Field(description="Learn in the end from the documents held out, too")
    ] = None
    start: Annotated[
        Literal["nearest", "minilm"], Field(description="The most alike model, or words alone")
    ] = "nearest"
    note: Annotated[str, Field(max_length=500, pattern=r"^[^\x00]*$")] = ""


class TrainingView(View):
    """A training as it stands; `report` is there once it has succeeded."""

    id: str
    dataset_id: str
    name: str
    version: str
    state: TrainingState
    stage: Annotated[
        Literal["reading", "training", "final", "curve", "judging", "packing"] | None,
        Field(description="Of a training that runs"),
    ]
    epoch: Annotated[int, Field(description="Done")]
    epochs: Annotated[int, Field(description="At most")]
    step: int
    steps: int
    scores: Annotated[list[float], Field(description="F1 on held-out documents, by epoch")]
    best: float | None
    seconds_left: float | None
    documents: int
    cancelling: bool
    attempts: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    error: JobError | None
    promoted: Annotated[bool, Field(description="Its model is in service now")]
    report: dict[str, Any] | None

    @classmethod
    def of(
        cls, training: Training, report: dict[str, Any] | None, *, promoted: bool
    ) -> TrainingView:
        """Return the view of a training."""
        scores = [round(float(score), 4) for score in training.scores]
        left = training.seconds_left if training.state == "running" else None
        stage: Any = training.stage if training.state == "running" else None
        return cls.showing(
            training,
            stage=stage,
            scores=scores,
            best=max(scores, default=None),
            seconds_left=None if left is None else round(left, 1),
            cancelling=training.cancel_requested and training.state == "running",
            error=JobError.of(training.error_code, training.error_detail, training.error_advice),
            promoted=promoted,
            report=report,
        )


class TrainingList(BaseModel):
    """Trainings, the newest first."""

    trainings: list[TrainingView]


class VersionView(View):
    """A version of a model."""

    version: str
    current: Annotated[bool, Field(description="Answers for the model's name")]
    bundled: bool
    training: Annotated[str | None, Field(description="That made it")]


class VersionList(BaseModel):
    """The versions of a model, the newest first."""

    versions: list[VersionView]
    earlier: Annotated[str | None, Field(description="That a rollback puts back in service")]


class VersionAsked(Asked):
    """A version of a model."""

    version: Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[^\x00]*$")]


class NewShadow(VersionAsked):
    """A version that is to read live documents beside the one in service."""

    share: Annotated[
        float, Field(gt=0, le=1, allow_inf_nan=False, description="Of the documents")
    ] = 1.0


class ComparedField(BaseModel):
    """How often a field was compared, and how often its values differed."""

    key: str
    compared: int
    different: int


class DifferenceView(View):
    """A document whose answers differ."""

    job_id: str
    document: str
    at: datetime
    fields: Annotated[
        list[dict[str, Any]], Field(description="`key`, and the texts `current` and `shadow`")
    ]


class ShadowView(View):
    """A shadow run, and the documents whose answers differ, the newest first."""

    model: str
    version: str
    against: Annotated[str, Field(description="In service when it began")]
    share: float
    active: bool
    started_at: datetime
    documents: int
    same: int
    different: int
    failed: Annotated[int, Field(description="The shadow gave no answer")]
    skipped: Annotated[int, Field(description="Too many waited already")]
    fields: list[ComparedField]
    differences: list[DifferenceView]

    @classmethod
    def of(cls, shadow: Shadow, differences: list[Difference]) -> ShadowView:
        """Return the view of a shadow run."""
        counts = shadow.counts
        numbers = {
            name: int(counts.get(name, 0)) for name in ("same", "different", "failed", "skipped")
        }
        return cls.showing(
            shadow,
            documents=numbers["same"] + numbers["different"] + numbers["failed"],
            **numbers,
            fields=[
                ComparedField(key=key, compared=compared, different=different)
                for key, (compared, different) in sorted(counts.get("fields", {}).items())
            ],
            differences=[DifferenceView.showing(one) for one in differences],
        )


def shown(example: Example, dataset: Dataset) -> dict[str, Any]:
    """Return the values of `DocumentView`."""
    plain, groups = keys_of(dataset.fields)
    job = example.job
    done = sum(key in example.labels for key in plain)
    done += sum(group in example.rows for group in groups)
    error = None
    if example.state == "failed":
        error = JobError.of(job.error_code or job.state, job.error_detail, job.error_advice)
    return {
        "id": example.id,
        "job_id": job.id,
        "filename": job.filename,
        "media_type": job.media_type,
        "size": job.size,
        "sha256": job.sha256,
        "pages": job.pages_total,
        "state": example.state,
        "error": error,
        "added_at": example.added_at,
        "fields": len(plain) + len(groups),
        "labelled": done,
        "sure": example.sure,
    }
