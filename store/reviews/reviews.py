"""The queue of reviews: what is worth most comes first, and one person has it at a time.

A claim is the name of whoever claims, random and chosen there, and a time until which it holds;
each decision renews it. Where it has lapsed and nobody else came, it is simply taken again: what
was decided stands in any case.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from pipeline.result import Extraction
from store.access import audit
from store.access.ownership import ANY_OWNER, OwnerScope, owned
from store.errors import ReviewClaimed, check_answered, no_job
from store.reviews.applied import (
    Decision,
    Made,
    after,
    applied,
    based,
    check_same,
    in_force,
    iso,
    numbered_rows,
    places,
)
from store.reviews.need import Need, need_of
from store.sql.database import Database
from store.sql.tables import (
    BatchRow,
    DecisionRow,
    JobRow,
    ResultRow,
    ReviewRow,
    insert_where,
    now,
)
from store.webhooks import outbox

CLAIM_SECONDS = 600.0  # from the last thing that its holder did
_BATCHES = 50  # that the queue names

Rechecked = Callable[[dict[str, Any]], list[dict[str, Any]]]
"""Returns the checks of an answer, made again with the values that it now has."""


def _as_they_were(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the checks that the machine made."""
    return list(answer.get("checks", []))


@dataclass(frozen=True, slots=True)
class Review:
    """A review as it stands; times are seconds since 1970 by the database's clock.

    Attributes:
        job_id: of the answer.
        document: name of the file as sent.
        model: that answered.
        doubts: values that the machine marked.
        worth: see `need_of`.
        skipped: how often it was put back undone; such ones come later.
        note: of whoever put it back.
        created_at: when the answer was given.
        reviewer: who has or had it last, empty for nobody.
        claimant: who has it, until `claimed_until`.
        done_at: when the review was finished.
    """

    job_id: str
    document: str
    model: str
    doubts: int
    worth: float
    skipped: int
    note: str
    created_at: float
    reviewer: str
    claimant: str | None
    claimed_until: float | None
    done_at: float | None


@dataclass(frozen=True, slots=True)
class WaitingBatch:
    """A batch some of whose answers wait, and how many do."""

    id: str
    name: str
    waiting: int


@dataclass(frozen=True, slots=True)
class Queue:
    """The reviews that wait, those first that are worth most.

    Attributes:
        reviews: the first of them.
        waiting: their number by model.
        batches: of which some wait, the newest first.
        oldest: age in seconds of the oldest; None where none waits.
    """

    reviews: list[Review]
    waiting: dict[str, int]
    batches: list[WaitingBatch]
    oldest: float | None


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided on an answer, in order, and its fields as they then are.

    In `fields`, a value of many that is absent leaves None in its place; `groups` has the rows of
    each group, as ``row`` (its number) and ``cells``; `answer` is the machine's, of the model that
    was chosen last; `in_force` are the decisions on its values that hold.
    """

    decisions: list[Decision]
    fields: dict[str, Any]
    groups: dict[str, list[dict[str, Any]]]
    checks: list[dict[str, Any]]
    answer: dict[str, Any]
    in_force: list[Decision]

    @classmethod
    def of(cls, answer: dict[str, Any], decisions: list[Decision], rechecked: Rechecked) -> Decided:
        """Return what was decided on an answer."""
        made = applied(answer, decisions, done=False)
        checks = rechecked(made) if decisions else _as_they_were(answer)
        return cls(
            decisions=decisions,
            fields=places(answer, decisions),
            groups=numbered_rows(answer, decisions),
            checks=checks,
            answer=based(answer, decisions)[0],
            in_force=in_force(answer, decisions),
        )


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often people agreed with the machine on a field, and how long they took on average."""

    model: str
    field: str
    decisions: int
    accepted: int
    seconds: float | None


_OF_ROW: list[Any] = [
    *(ReviewRow.job_id, JobRow.filename, ReviewRow.model, ReviewRow.doubts, ReviewRow.worth),
    *(ReviewRow.skipped, ReviewRow.note, ReviewRow.created_at, ReviewRow.reviewer),
    *(ReviewRow.claimant, ReviewRow.claimed_until, ReviewRow.done_at),
]
_DECISION: list[Any] = [getattr(DecisionRow, item.name) for item in fields(Decision)]
_JOINED = ReviewRow.__table__.join(JobRow.__table__, JobRow.id == ReviewRow.job_id)
_ORDER = (ReviewRow.skipped, ReviewRow.worth.desc(), ReviewRow.created_at)


class Reviews:
    """All reads and writes of reviews; methods raise `StoreUnavailable` as `Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def queue(
        self,
        scope: OwnerScope = ANY_OWNER,
        *,
        model: str | None = None,
        batch: str | None = None,
        older_than: float = 0.0,
        limit: int = 50,
    ) -> Queue:
        """Return what waits for review, of one model, batch or age where they are given.

        Counts by model are of the same batch and age; those by batch of all.
        """
        query = select(*_OF_ROW).select_from(_JOINED).order_by(*_ORDER).limit(limit)
        counted = select(ReviewRow.model, func.count(), func.min(ReviewRow.created_at))
        counted = counted.group_by(ReviewRow.model)
        with self._database.reading() as connection:
            moment = now(connection)
            latest = moment - older_than if older_than else None
            by_model = connection.execute(counted.where(_waiting(scope, None, batch, latest))).all()
            oldest = [first for name, _, first in by_model if model in (None, name)]
            found = connection.execute(query.where(_waiting(scope, model, batch, latest)))
            return Queue(
                [Review(*row) for row in found],
                {name: count for name, count, _ in by_model},
                [WaitingBatch(*row) for row in connection.execute(_by_batch(scope))],
                max(0.0, moment - min(oldest)) if oldest else None,
            )

    def claim_next(
        self,
        claimant: str,
        reviewer: str,
        scope: OwnerScope = ANY_OWNER,
        *,
        model: str | None = None,
        batch: str | None = None,
        older_than: float = 0.0,
    ) -> Review | None:
        """Claim the review that is worth most of those nobody has; None where there is none."""
        with self._database.writing() as connection:
            moment = now(connection)
            latest = moment - older_than if older_than else None
            waiting = _waiting(scope, model, batch, latest), _free(claimant, moment)
            query = select(ReviewRow.job_id).where(*waiting).order_by(*_ORDER).limit(1)
            job_id = connection.scalar(query.with_for_update(skip_locked=True, of=ReviewRow))
            return None if job_id is None else _claim(connection, job_id, claimant, reviewer)

    def claim(
        self, job_id: str, claimant: str, reviewer: str, scope: OwnerScope = ANY_OWNER
    ) -> Review:
        """Claim the review of an answer, be it in the queue or not.

        Raises:
            JobUnknown: there is no such job, or it is out of scope.
            FieldwrightError: it has no answer; as `check_answered`.
            ReviewClaimed: somebody else has it.
        """
        with self._database.writing() as connection:
            _answer(connection, job_id, scope)
            return _claim(connection, job_id, claimant, reviewer)

    def decided(
        self,
        job_id: str,
        scope: OwnerScope = ANY_OWNER,
        *,
        rechecked: Rechecked = _as_they_were,
    ) -> Decided:
        """Return all that was decided on an answer; raises as `claim`."""
        with self._database.reading() as connection:
            answer = _answer(connection, job_id, scope)
            decisions = _decisions(connection, job_id)
        return Decided.of(answer, decisions, rechecked)

    def decide(
        self,
        job_id: str,
        *made: Made,
        claimant: str,
        reviewer: str,
        scope: OwnerScope = ANY_OWNER,
        rechecked: Rechecked = _as_they_were,
    ) -> Decided:
        """Keep decisions, for good; one that undoes another reopens a review that was done.

        Raises:
            JobUnknown, JobNotFinished, JobExpired, ReviewClaimed: as `claim`.
            InvalidOption: one does not fit the answer; none of them is kept.
        """
        with self._database.writing() as connection:
            answer = _answer(connection, job_id, scope)
            review = _claim(connection, job_id, claimant, reviewer)
            decisions = _decisions(connection, job_id)
            machine, reopens = based(answer, decisions)[0], False
            for wanted in made:
                if known := [decision for decision in decisions if decision.id == wanted.id]:
                    check_same(known[0], wanted)
                    continue
                before, value = after(wanted, answer, decisions)
                decision = Decision(
                    id=wanted.id,
                    number=len(decisions) + 1,
                    kind=wanted.kind,
                    field=wanted.field,
                    place=wanted.place,
                    before=before,
                    after=value,
                    undoes=wanted.undoes if wanted.kind == "undo" else None,
                    reviewer=reviewer,
                    at=now(connection),
                    seconds=wanted.seconds,
                )
                decisions.append(decision)
                connection.execute(insert(DecisionRow).values(**asdict(decision), job_id=job_id))
                what = {"decision": wanted.id, "kind": wanted.kind, "field": wanted.field}
                audit.record(connection, "review.decided", job_id, **what)
                reopens |= wanted.kind in ("model", "undo")
            if based(answer, decisions)[0] is not machine:
                _change(connection, job_id, **_worth_now(answer, decisions))
            done = review.done_at is not None and not reopens
            if reopens:
                _change(connection, job_id, done_at=None)
            _keep(connection, job_id, applied(answer, decisions, done=done), rechecked)
        return Decided.of(answer, decisions, rechecked)

    def end(
        self,
        job_id: str,
        how: Literal["done", "skip", "release"],
        *,
        claimant: str,
        reviewer: str,
        note: str = "",
        scope: OwnerScope = ANY_OWNER,
        rechecked: Rechecked = _as_they_were,
    ) -> Review:
        """End a claim: the review is done, put back for later, or given back as it was.

        Webhooks are told that it is done, and again where something was decided since.

        Raises:
            JobUnknown, JobNotFinished, JobExpired, ReviewClaimed: as `claim`.
        """
        with self._database.writing() as connection:
            answer = _answer(connection, job_id, scope)
            review = _claim(connection, job_id, claimant, reviewer)
            values: dict[str, Any] = {"claimant": None, "claimed_until": None}
            if how == "skip":
                values |= {"skipped": review.skipped + 1, "note": note}
                audit.record(connection, "review.skipped", job_id)
            if how == "done":
                values |= {"done_at": now(connection)}
            _change(connection, job_id, **values)
            if how == "done":
                decisions = _decisions(connection, job_id)
                finished = applied(answer, decisions, done=True)
                # Whoever ends it without a decision has found all of it right.
                mark = {"done": True, "by": [reviewer], "at": iso(values["done_at"]), "fields": {}}
                finished.setdefault("reviewed", mark)
                _keep(connection, job_id, finished, rechecked)
                if review.done_at is None or any(one.at > review.done_at for one in decisions):
                    outbox.job_reviewed(connection, job_id)
                audit.record(connection, "review.done", job_id)
            return _one(connection, job_id)

    def done(
        self, scope: OwnerScope = ANY_OWNER, *, model: str | None = None, limit: int = 500
    ) -> list[str]:
        """Return the jobs whose review is done, of one model where it is given, newest first."""
        conditions = [ReviewRow.done_at.is_not(None), owned(ReviewRow.owner, scope)]
        if model is not None:
            conditions.append(ReviewRow.model == model)
        query = select(ReviewRow.job_id).where(*conditions)
        query = query.order_by(ReviewRow.done_at.desc()).limit(limit)
        with self._database.reading() as connection:
            return list(connection.scalars(query))

    def agreement(self, scope: OwnerScope = ANY_OWNER) -> list[Agreement]:
        """Return by model and field how often people agreed with the machine.

        What was undone does not count, nor what was decided before another model was chosen.
        """
        undone = select(DecisionRow.undoes).where(DecisionRow.undoes.is_not(None)).cte()
        held = DecisionRow.id.not_in(select(undone))
        chosen = select(DecisionRow.job_id, func.max(DecisionRow.number).label("number"))
        last = chosen.where(DecisionRow.kind == "model", held).group_by(DecisionRow.job_id).cte()
        accepted = func.sum(case((DecisionRow.kind == "accept", 1), else_=0))
        query = (
            select(
                *(ReviewRow.model, DecisionRow.field, func.count(), accepted),
                func.avg(DecisionRow.seconds),
            )
            .join(DecisionRow, DecisionRow.job_id == ReviewRow.job_id)
            .outerjoin(last, last.c.job_id == DecisionRow.job_id)
            .where(owned(ReviewRow.owner, scope), DecisionRow.kind != "undo", held)
            .where(DecisionRow.number > func.coalesce(last.c.number, 0))
            .group_by(ReviewRow.model, DecisionRow.field)
            .order_by(ReviewRow.model, DecisionRow.field)
        )
        with self._database.reading() as connection:
            return [Agreement(*row) for row in connection.execute(query)]


def _worth_now(answer: dict[str, Any], decisions: list[Decision]) -> dict[str, Any]:
    """Return the columns of a review by the model that was chosen last."""
    now_of, _ = based(answer, decisions)
    need = need_of(Extraction.model_validate(now_of)) or Need(0, 0.0)
    worth = {"doubts": need.doubts, "worth": need.worth}
    return {**worth, "model": now_of["model"]["name"], "again": None}


def open_review(connection: Connection, job_id: str, model: str, need: Need | None) -> None:
    """Put an answer into the queue, if it needs a review, in the transaction that stores it."""
    if need is None:
        return
    row = {"job_id": job_id, "model": model.partition("@")[0], "created_at": now(connection)}
    row |= {"doubts": need.doubts, "worth": need.worth, "skipped": 0, "note": "", "reviewer": ""}
    connection.execute(insert_where(connection, ReviewRow).values(row).on_conflict_do_nothing())


def forget(connection: Connection, job_ids: Sequence[str]) -> None:
    """Remove the reviews of answers that are removed, with all that was decided."""
    for table in (DecisionRow, ReviewRow):
        connection.execute(delete(table).where(table.job_id.in_(job_ids)))


def _waiting(
    scope: OwnerScope, model: str | None, batch: str | None, latest: float | None = None
) -> ColumnElement[bool]:
    """Return the condition of what waits, of one model, batch or age where they are given."""
    conditions = [ReviewRow.done_at.is_(None), owned(ReviewRow.owner, scope)]
    if model is not None:
        conditions.append(ReviewRow.model == model)
    if batch is not None:
        conditions.append(ReviewRow.batch_id == batch)
    if latest is not None:
        conditions.append(ReviewRow.created_at <= latest)
    return and_(*conditions)


def _by_batch(scope: OwnerScope) -> Select[*tuple[Any, ...]]:
    """Return the query of the newest batches of which something waits."""
    waiting = select(ReviewRow.batch_id, func.count().label("number"))
    waiting = waiting.where(_waiting(scope, None, None)).group_by(ReviewRow.batch_id)
    counted = waiting.subquery()
    query = select(BatchRow.id, BatchRow.name, counted.c.number)
    query = query.join(counted, counted.c.batch_id == BatchRow.id)
    return query.order_by(BatchRow.created_at.desc(), BatchRow.id).limit(_BATCHES)


def _free(claimant: str, moment: float) -> ColumnElement[bool]:
    """Return the SQL condition that nobody else has a review in hand."""
    mine = ReviewRow.claimant == claimant
    # Much longer than any claim, and it was made before a clock was set back; a little longer, and
    # somebody else made it after `moment`.
    held = ReviewRow.claimed_until.between(moment, moment + 2 * CLAIM_SECONDS)
    return or_(ReviewRow.claimant.is_(None), ~held, mine)


def _claim(connection: Connection, job_id: str, claimant: str, reviewer: str) -> Review:
    """Claim a review, or renew the claim, and return it; raises JobUnknown, ReviewClaimed.

    Its job may be removed at any moment until the review is claimed.
    """
    if connection.scalar(select(ReviewRow.job_id).where(ReviewRow.job_id == job_id)) is None:
        model = connection.scalar(select(JobRow.model).where(JobRow.id == job_id))
        try:
            open_review(connection, job_id, model or "", Need(0, 0.0))
        except IntegrityError as error:
            raise no_job() from error
    moment = now(connection)
    values = {"claimant": claimant, "claimed_until": moment + CLAIM_SECONDS, "reviewer": reviewer}
    change = update(ReviewRow).where(ReviewRow.job_id == job_id, _free(claimant, moment))
    if not connection.execute(change.values(values)).rowcount:
        holder = _one(connection, job_id).reviewer or "Somebody else"
        raise ReviewClaimed(f"{holder} has this document in hand.")
    return _one(connection, job_id)


def _change(connection: Connection, job_id: str, **values: Any) -> None:
    connection.execute(update(ReviewRow).where(ReviewRow.job_id == job_id).values(values))


def _one(connection: Connection, job_id: str) -> Review:
    query = select(*_OF_ROW).select_from(_JOINED).where(ReviewRow.job_id == job_id)
    row = connection.execute(query).first()
    if row is None:
        raise no_job()
    return Review(*row)


def _answer(connection: Connection, job_id: str, scope: OwnerScope) -> dict[str, Any]:
    """Return the machine's answer; raises JobUnknown, and as `check_answered`."""
    error = JobRow.error_code, JobRow.error_detail, JobRow.error_advice
    query = select(JobRow.state, JobRow.expired_at, *error, ResultRow.body)
    query = query.where(JobRow.id == job_id).outerjoin(ResultRow, ResultRow.job_id == JobRow.id)
    mine = owned(JobRow.owner, scope), JobRow.purpose.is_(None)
    row = connection.execute(query.where(*mine)).first()
    if row is None:
        raise no_job()
    check_answered(row)
    answer: dict[str, Any] = json.loads(row.body)
    return answer


def _decisions(connection: Connection, job_id: str) -> list[Decision]:
    query = select(*_DECISION).where(DecisionRow.job_id == job_id).order_by(DecisionRow.number)
    return [Decision(*row) for row in connection.execute(query)]


def _keep(
    connection: Connection, job_id: str, reviewed: dict[str, Any], rechecked: Rechecked
) -> None:
    """Keep the answer with all decisions applied, which is given from now on."""
    if "reviewed" in reviewed:
        if checks := rechecked(reviewed):
            reviewed["checks"] = checks
        else:
            reviewed.pop("checks", None)
        body = json.dumps(reviewed, ensure_ascii=False, separators=(",", ":"))
        _change(connection, job_id, body=body)
