"""Reviews: what should be seen, who has it in hand, and what they decide."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, Field

from app.deps import CatalogueDep, JobsDep, PrefixDep, SubmissionsDep, problems
from app.edge.access import PrincipalDep
from app.reviewing import ValueMaker, rechecked, row_at, value_at
from app.schemas.common import Asked, FieldKey, JobView, Uuid, View
from models.packages import AUTO
from pipeline.errors import InvalidOption
from pipeline.result import CheckResult, FieldValue, ModelInfo
from store.access import Principal
from store.jobs import Jobs
from store.rereads import Rereads
from store.reviews import Decided, DecisionKind, Made, Review
from store.sql.cursors import plain_id

router = APIRouter(tags=["reviews"])

JobId = Annotated[str, Path(description="Of the answer to review")]
_Claimant = Annotated[
    str,
    Field(
        pattern="^[A-Za-z0-9-]{8,64}$",
        description="A random name of whoever works on it, such as one window of a browser",
    ),
]
_Name = Annotated[
    str,
    Field(
        max_length=120,
        pattern=r"^[^\x00-\x1f\x7f]*$",
        description="Of the reviewer, where the service has no keys",
    ),
]
_Field = Annotated[
    FieldKey,
    Field(description="Of the model; `group.column` of a cell; the group where a row is meant"),
]
_OLDER = Field(
    ge=0, le=10**9, allow_inf_nan=False, description="Only answers of at least so many seconds"
)
_TEXT = Field(max_length=2000, pattern=r"^[^\x00]*$")


class ReviewView(View):
    """A review as it stands."""

    job_id: str
    document: str
    model: str
    doubts: Annotated[int, Field(description="Values that the machine marked")]
    worth: Annotated[float, Field(description="Chance of a mistake, times the doubtful values")]
    skipped: int
    note: str
    created_at: datetime
    reviewer: Annotated[str, Field(description="Who has or had it last; empty for nobody")]
    claimed_until: datetime | None
    done_at: datetime | None

    @classmethod
    def of(cls, review: Review) -> ReviewView:
        """Return the view of a review."""
        return cls.showing(review, worth=round(review.worth, 4))


class WaitingBatchView(View):
    """A batch some of whose answers wait for review."""

    id: str
    name: str
    waiting: int


class QueueView(BaseModel):
    """What waits for review, worst first."""

    reviews: list[ReviewView]
    waiting: Annotated[dict[str, int], Field(description="Number of those that wait, by model")]
    batches: Annotated[
        list[WaitingBatchView], Field(description="Of which some wait, the newest first")
    ]
    oldest_seconds: float | None


class DecisionView(View):
    """A decision as it is kept, for good."""

    id: str
    number: int
    kind: DecisionKind
    field: str
    place: int
    before: Annotated[Any, Field(description="The value before; null for none")]
    after: Annotated[Any, Field(description="The value after; null for none")]
    undoes: str | None
    reviewer: str
    at: datetime
    seconds: float | None


class RowView(BaseModel):
    """A row of a group; its cells are as of the answer."""

    row: int
    cells: dict[str, FieldValue | None]


class DecidedView(BaseModel):
    """All that was decided on an answer, what was undone too, and its fields as they then are."""

    decisions: list[DecisionView]
    model: Annotated[ModelInfo, Field(description="Whose answer this is: the one chosen last")]
    fields: Annotated[
        dict[str, Any],
        Field(description="As in the answer; what is absent of many values leaves a null"),
    ]
    groups: Annotated[
        dict[str, list[RowView]], Field(description="Rows in order, each with its number for good")
    ]
    checks: Annotated[list[CheckResult], Field(description="Made again with the values as decided")]

    @classmethod
    def of(cls, decided: Decided) -> DecidedView:
        """Return the view of what was decided."""
        views = [DecisionView.showing(decision) for decision in decided.decisions]
        return cls(
            decisions=views,
            model=ModelInfo.model_validate(decided.answer["model"]),
            fields=decided.fields,
            groups={
                group: [RowView.model_validate(row) for row in rows]
                for group, rows in decided.groups.items()
            },
            checks=[CheckResult.model_validate(check) for check in decided.checks],
        )


class Claim(Asked):
    """Who wants a document: a certain one, or the next one."""

    claimant: _Claimant
    reviewer: _Name = ""
    job_id: Uuid | None = None
    model: Annotated[str | None, _TEXT] = None
    batch: Uuid | None = None
    older_than: Annotated[float, _OLDER] = 0.0


class Likewise(Asked):
    """Another value that is decided alike, as a decision of its own."""

    id: Uuid
    field: _Field
    place: Annotated[int, Field(ge=0, le=99_999)] = 0
    undoes: Uuid | None = None


class NewDecision(Asked):
    """A decision on one value; sent again with the same `id`, it is kept once."""

    id: Uuid
    claimant: _Claimant
    reviewer: _Name = ""
    kind: DecisionKind
    field: _Field
    place: Annotated[
        int, Field(ge=-1, le=99_999, description="Of the value; of cells and rows the row's number")
    ] = 0
    number: Annotated[int, Field(ge=0, le=999)] = 0
    text: Annotated[str | None, _TEXT] = None
    words: Annotated[list[Annotated[int, Field(ge=0, le=10**7)]], Field(max_length=500)] = Field(
        default_factory=list
    )
    undoes: Uuid | None = None
    seconds: Annotated[float | None, Field(ge=0, le=86400, allow_inf_nan=False)] = None
    likewise: Annotated[
        list[Likewise],
        Field(max_length=200, description="More to `accept` or to `undo`: all are kept, or none"),
    ] = Field(default_factory=list)


class End(Asked):
    """How a claim ends."""

    claimant: _Claimant
    reviewer: _Name = ""
    how: Literal["done", "skip", "release"]
    note: Annotated[str, _TEXT] = ""


class Again(Asked):
    """Another model that is to read a document."""

    claimant: _Claimant
    reviewer: _Name = ""
    model: Annotated[str, Field(max_length=160, description="NAME or NAME@VERSION")]
    password: Annotated[
        str | None, Field(max_length=500, description="Of an encrypted PDF; not kept")
    ] = None


class Typed(Asked):
    """A text that is to be read as a value of a field."""

    field: _Field
    text: Annotated[str, _TEXT]


class AgreementView(View):
    """How often people agreed with the machine on a field."""

    model: str
    field: str
    decisions: int
    accepted: int
    seconds: Annotated[float | None, Field(description="That a decision took, on average")]


class AgreementList(BaseModel):
    """Agreement by model and field."""

    fields: list[AgreementView]


_OF_ONE = {
    "s400": "The body cannot be read",
    "s404": "There is no such job, or its model was removed",
    "s409": "Somebody else has it in hand, or the job has no answer",
    "s410": "The answer was removed for its age",
    "s413": "The body is too large",
    "s422": "Not allowed, or does not fit the answer, or the job failed: its document",
}


@router.get(
    "/reviews",
    summary="List the answers that wait for review",
    responses=problems(),
)
def list_reviews(
    jobs: JobsDep,
    principal: PrincipalDep,
    model: Annotated[str | None, Query(max_length=160, pattern=r"^[^\x00]*$")] = None,
    batch: Uuid | None = None,
    older_than: Annotated[float, _OLDER] = 0.0,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> QueueView:
    """Return the queue: first what is worth most, those that were put back last."""
    scope = principal.owner_scope
    queue = jobs.reviews.queue(scope, model=model, batch=batch, older_than=older_than, limit=limit)
    views = [ReviewView.of(review) for review in queue.reviews]
    batches = [WaitingBatchView.showing(batch) for batch in queue.batches]
    return QueueView(
        reviews=views, waiting=queue.waiting, batches=batches, oldest_seconds=queue.oldest
    )


@router.get(
    "/reviews/agreement", summary="See where people and machine agree", responses=problems()
)
def get_agreement(jobs: JobsDep, principal: PrincipalDep) -> AgreementList:
    """Return by model and field how many decisions accepted the machine's value, and their time."""
    found = jobs.reviews.agreement(principal.owner_scope)
    return AgreementList(fields=[AgreementView.showing(one) for one in found])


@router.post(
    "/reviews/claims",
    summary="Take a document in hand",
    response_model=ReviewView,
    responses={204: {"description": "Nothing waits"}, **problems(**_OF_ONE)},
)
def claim(wanted: Claim, jobs: JobsDep, principal: PrincipalDep) -> Any:
    """Claim a certain answer, or the one that is worth most, for ten minutes from each decision."""
    who, scope = _who(principal, wanted.reviewer), principal.owner_scope
    if wanted.job_id is not None:
        job_id = plain_id(wanted.job_id)
        return ReviewView.of(jobs.reviews.claim(job_id, wanted.claimant, who, scope))
    review = jobs.reviews.claim_next(
        wanted.claimant,
        who,
        scope,
        model=wanted.model,
        batch=wanted.batch,
        older_than=wanted.older_than,
    )
    return Response(status_code=204) if review is None else ReviewView.of(review)


@router.get(
    "/reviews/{job_id}/decisions",
    summary="See what was decided on an answer",
    responses=problems(
        s404="There is no such job",
        s409="It has no answer",
        s410="The answer was removed for its age",
        s422="Not allowed",
    ),
)
def list_decisions(
    job_id: JobId, jobs: JobsDep, catalogue: CatalogueDep, principal: PrincipalDep
) -> DecidedView:
    """Return every decision, with the value before and after it, who made it and when."""
    return DecidedView.of(_decided(jobs, catalogue, job_id, principal))


@router.post(
    "/reviews/{job_id}/decisions",
    summary="Decide on a value",
    responses=problems(**_OF_ONE),
)
def decide(
    job_id: JobId,
    wanted: NewDecision,
    jobs: JobsDep,
    catalogue: CatalogueDep,
    principal: PrincipalDep,
) -> DecidedView:
    """Keep a decision, and return all that was decided.

    Once this is answered, the decision outlives any crash. `edit` wants a `text` that can be read
    as a value of the field, `pick` wants `words`; `candidate` and `reading` take the one of that
    `number`; a `place` behind the last value of a field with many adds one. Of rows, `insert` adds
    one behind the row `place` (-1: before the first), `remove` takes it out, and `split` parts it
    before the first of `words`, or before its second line. `model` takes the answer of the model
    that has read the document again (`POST /reviews/{job_id}/again`), with `field` as `model`; what
    was decided before is kept, and counts again once that is undone.
    """
    who = _who(principal, wanted.reviewer)
    value = _wanted_value(wanted, jobs, catalogue, job_id, principal)
    made = Made(
        id=wanted.id,
        kind=wanted.kind,
        field=wanted.field,
        place=wanted.place,
        number=wanted.number,
        value=value,
        undoes=wanted.undoes,
        seconds=wanted.seconds,
    )
    if wanted.likewise and wanted.kind not in ("accept", "undo"):
        raise InvalidOption(f"`{wanted.kind}` is of one value.", advice="Leave `likewise` out.")
    decided = jobs.reviews.decide(
        plain_id(job_id),
        *(made, *(replace(made, **dict(one)) for one in wanted.likewise)),
        claimant=wanted.claimant,
        reviewer=who,
        scope=principal.owner_scope,
        rechecked=partial(rechecked, catalogue),
    )
    return DecidedView.of(decided)


@router.post(
    "/reviews/{job_id}/reading",
    summary="See what a text would become",
    responses=problems(**_OF_ONE),
)
def read_text(
    job_id: JobId, typed: Typed, jobs: JobsDep, catalogue: CatalogueDep, principal: PrincipalDep
) -> FieldValue:
    """Return the value of a text in a field of this document; nothing is decided."""
    return _maker(jobs, catalogue, job_id, principal).of_text(typed.field, typed.text)


@router.post(
    "/reviews/{job_id}/again",
    status_code=202,
    summary="Have a document read by another model",
    responses=problems(
        **_OF_ONE, s503="Too many documents wait", s507="There is no room for the document"
    ),
)
def read_again(
    job_id: JobId,
    wanted: Again,
    jobs: JobsDep,
    submissions: SubmissionsDep,
    principal: PrincipalDep,
    prefix: PrefixDep,
) -> JobView:
    """Return the job in which another model reads the document; nothing is decided yet.

    Once it has ended, a decision of the kind `model` takes its answer in place of the first one.
    """
    order = submissions.order(principal.owner_scope, model=wanted.model)
    if order.model == AUTO:
        raise InvalidOption("Another model has to be named.", advice="See GET /models.")
    job = Rereads(jobs).start(
        job_id,
        order.model,
        claimant=wanted.claimant,
        reviewer=_who(principal, wanted.reviewer),
        password=wanted.password,
        max_queued=principal.max_queued,
        scope=principal.owner_scope,
    )
    return JobView.of(job, prefix)


@router.post("/reviews/{job_id}/end", summary="Lay a document aside", responses=problems(**_OF_ONE))
def end(
    job_id: JobId,
    wanted: End,
    jobs: JobsDep,
    catalogue: CatalogueDep,
    principal: PrincipalDep,
) -> ReviewView:
    """End a claim: the review is `done`, put back for later (`skip`), or given back (`release`).

    Webhooks hear of `job.reviewed` when it is done.
    """
    review = jobs.reviews.end(
        plain_id(job_id),
        wanted.how,
        claimant=wanted.claimant,
        reviewer=_who(principal, wanted.reviewer),
        note=wanted.note,
        scope=principal.owner_scope,
        rechecked=partial(rechecked, catalogue),
    )
    return ReviewView.of(review)


def _who(principal: Principal, named: str) -> str:
    """Return the name that goes with a decision: of the key, or as given where there are none."""
    return principal.name or named.strip() or "Somebody"


def _maker(jobs: Jobs, catalogue: CatalogueDep, job_id: str, principal: Principal) -> ValueMaker:
    answer = jobs.result(job_id, principal.owner_scope)  # of the model that was chosen last
    return ValueMaker(answer, jobs.blobs, catalogue)


def _decided(jobs: Jobs, catalogue: CatalogueDep, job_id: str, principal: Principal) -> Decided:
    again = partial(rechecked, catalogue)
    return jobs.reviews.decided(plain_id(job_id), principal.owner_scope, rechecked=again)


def _wanted_value(
    wanted: NewDecision, jobs: Jobs, catalogue: CatalogueDep, job_id: str, principal: Principal
) -> dict[str, Any] | None:
    """Return what a decision brings with it; raises InvalidOption, and why a reading failed."""
    if wanted.kind not in ("edit", "pick", "insert", "split", "model"):
        return None
    if wanted.kind == "model":
        known = _decided(jobs, catalogue, job_id, principal).decisions
        return None if wanted.id in {one.id for one in known} else Rereads(jobs).answer(job_id)
    maker = _maker(jobs, catalogue, job_id, principal)
    if wanted.kind == "insert":
        return {**maker.empty_row(wanted.field)}
    if wanted.kind == "pick":
        return maker.of_words(wanted.field, wanted.words).model_dump(mode="json")
    decided = _decided(jobs, catalogue, job_id, principal)
    if any(one.id == wanted.id for one in decided.decisions):
        return None  # sent again: it is kept as it is
    if wanted.kind == "split":
        cells = row_at(decided, wanted.field, wanted.place)
        if not cells:
            return None  # of a row that is not there, which is said where the decision is kept
        return {**maker.split_row(wanted.field, cells, min(wanted.words, default=None))}
    text = wanted.text or ""
    if not text.strip():
        raise InvalidOption("There is no text.", advice="Send `text`, or decide `absent`.")
    before = value_at(decided, wanted.field, wanted.place)
    made = maker.of_text(wanted.field, text, before)
    if made.value is None:
        reason = made.normalisation.reason or f"The text is no {made.kind}."
        raise InvalidOption(
            f"The text cannot be read as {made.kind}. {reason}",
            advice="Type it as the document might print it, or decide `absent`.",
        )
    return made.model_dump(mode="json")
