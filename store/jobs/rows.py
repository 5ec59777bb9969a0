"""Rows of jobs within a transaction: read, insert, change, end, remove."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, or_, select, update

from pipeline.errors import FieldwrightError
from store import reviews
from store.access.ownership import ANY_OWNER, OwnerScope, owned
from store.errors import no_job
from store.jobs.records import Job, State
from store.sql import counters
from store.sql.tables import (
    BatchItemRow,
    BatchRow,
    IdempotencyRow,
    JobRow,
    ResultRow,
    ReviewRow,
    ShadowJobRow,
    db_now,
    now,
)
from store.webhooks import outbox

COLUMNS = [getattr(JobRow, item.name) for item in fields(Job)]
"""What is selected for ``Job(*row)``."""

_NAMES = [item.name for item in fields(Job)]
# What a job keeps when it is tried again from the start; all else is as in a new one.
_OF_THE_REQUEST = {
    *("id", "model", "sha256", "filename", "media_type", "size", "options", "owner"),
    *("priority", "fingerprint", "purpose"),
}


@dataclass(frozen=True, slots=True)
class Later:
    """A moment by the database's clock: so many seconds from now."""

    seconds: float = 0.0


New: TypeAlias = str | float | bool | Later | None
"""A new value of a column of a job's row."""


def one(
    connection: Connection, job_id: str, scope: OwnerScope = ANY_OWNER, *, locked: bool = False
) -> Job:
    """Return a job, `locked` where nobody shall change it meanwhile.

    Raises:
        JobUnknown: it does not exist or is out of scope.
    """
    query = select(*COLUMNS).where(JobRow.id == job_id, owned(JobRow.owner, scope))
    if locked:  # weakly: who adds something to the job, such as a decision, need not wait
        query = query.with_for_update(key_share=True)
    row = connection.execute(query).first()
    if row is None:
        raise no_job()
    return Job(*row)


def insert_jobs(connection: Connection, jobs: Sequence[Job]) -> list[Job]:
    """Put new jobs into the queue in their order; return them as stored."""
    if not jobs:
        return []
    moment = now(connection)
    # A microsecond apart: of jobs that came together, the first is taken first. They count as
    # announced, since whoever inserts jobs announces them next.
    stored = [
        replace(job, created_at=moment + place * 1e-6, announced_at=moment)
        for place, job in enumerate(jobs)
    ]
    rows = [{name: getattr(job, name) for name in _NAMES} for job in stored]
    connection.execute(insert(JobRow), rows)
    return stored


def change(connection: Connection, *where: ColumnElement[bool], **values: New) -> int:
    """Change the rows of jobs for which the conditions hold; return how many there were."""
    return connection.execute(update(JobRow).where(*where).values(_sql(values))).rowcount


def change_held(
    connection: Connection, job: Job, values: dict[str, New], *, uncancelled: bool = False
) -> bool | None:
    """Change the row of a claimed job, if the claim still holds.

    Args:
        connection: of a writing transaction.
        job: as claimed.
        values: new ones by column.
        uncancelled: change it only where nobody asked for the job to be stopped.

    Returns:
        Whether somebody asked for the job to be stopped; None where nothing was changed.
    """
    statement = update(JobRow).where(is_held(job)).values(_sql(values))
    if uncancelled:
        statement = statement.where(JobRow.cancel_requested.is_(False))
    return connection.scalar(statement.returning(JobRow.cancel_requested))


def is_held(job: Job) -> ColumnElement[bool]:
    """Return the SQL condition that a claim still holds."""
    return and_(JobRow.id == job.id, JobRow.token == job.token, JobRow.state == "running")


def end(
    connection: Connection,
    state: State,
    error: FieldwrightError,
    job_id: str,
    *where: ColumnElement[bool],
) -> bool:
    """End a job without an answer; a cancelled one keeps no name of its document.

    Args:
        connection: of a writing transaction.
        state: that it ends in.
        error: why.
        job_id: of the job.
        where: what must hold of its row.

    Returns:
        False where that does not hold: nothing was changed.
    """
    values: dict[str, New] = {"filename": ""} if state == "cancelled" else {}
    # Its files are in nobody's hands, and not tidied yet; see `JobRow`.
    values |= {"state": state, "finished_at": Later(), "lease_until": Later(), "worker": None}
    values |= {"error_code": error.code, "error_detail": error.detail, "error_advice": error.advice}
    if not change(connection, JobRow.id == job_id, *where, **values):
        return False
    if state == "cancelled":
        forget_names(connection, [job_id])
    outbox.job_ended(connection, job_id)
    counters.add(connection, counters.ended(state, error.code))
    return True


def requeue_jobs(
    connection: Connection, job_ids: Sequence[str], *where: ColumnElement[bool]
) -> list[str]:
    """Put those of the jobs that failed, and of which conditions hold, back into the queue.

    Returns:
        Their ids; they are as new, behind those that came meanwhile.
    """
    new = {item.name: item.default for item in fields(Job) if item.name not in _OF_THE_REQUEST}
    new["created_at"] = db_now()
    failed = and_(JobRow.state == "failed", JobRow.expired_at.is_(None))
    statement = update(JobRow).where(JobRow.id.in_(job_ids), failed, *where).values(new)
    queued = list(connection.scalars(statement.returning(JobRow.id)))
    outbox.reopened(connection, queued)
    return queued


def copies_of(connection: Connection, job_ids: Sequence[str]) -> list[str]:
    """Return the queued jobs that read documents of these once more; running ones are stopped."""
    shadows = select(ShadowJobRow.shadow_job_id).where(ShadowJobRow.job_id.in_(job_ids))
    again = select(ReviewRow.again).where(ReviewRow.job_id.in_(job_ids))
    copy = or_(JobRow.id.in_(shadows), JobRow.id.in_(again))
    return removable(connection, copy, JobRow.state.in_(("queued", "running")))[0]


def removable(connection: Connection, *where: ColumnElement[bool]) -> tuple[list[str], list[str]]:
    """Return the jobs of a condition that may be removed, and those that run: they are to stop.

    All are locked, before anything that they belong to: in the order of whoever ends one.
    """
    query = select(JobRow.id, JobRow.state).where(*where).order_by(JobRow.id)
    found = connection.execute(query.with_for_update(key_share=True, of=JobRow)).all()
    running = [job_id for job_id, state in found if state == "running"]
    if running:
        change(connection, JobRow.id.in_(running), cancel_requested=True)
    return [job_id for job_id, state in found if state != "running"], running


def remove_jobs(connection: Connection, job_ids: Sequence[str]) -> None:
    """Remove jobs that do not run, with all that names them.

    That includes what webhooks were told of them, or were still to be told.
    """
    forget_jobs(connection, job_ids)
    outbox.forget(connection, job_ids)  # after the reviews: who ends one takes both in this order
    connection.execute(delete(JobRow).where(JobRow.id.in_(job_ids)))


def remove_batches(connection: Connection, batch_ids: Sequence[str]) -> None:
    """Remove batches, with all that names them but their jobs.

    Their Idempotency-Keys go too: a client that sends one again makes a new batch.
    """
    for column in (BatchItemRow.batch_id, BatchRow.id, IdempotencyRow.batch_id):
        connection.execute(delete(column.class_).where(column.in_(batch_ids)))
    outbox.forget(connection, batch_ids)
    change(connection, JobRow.batch_id.in_(batch_ids), batch_id=None)  # those that run


def forget_jobs(connection: Connection, job_ids: Sequence[str]) -> None:
    """Remove the answers of jobs that do not run, and their documents' names in batches.

    Their Idempotency-Keys go too: a client that sends one again makes a new request.
    """
    connection.execute(delete(IdempotencyRow).where(IdempotencyRow.job_id.in_(job_ids)))
    connection.execute(delete(ResultRow).where(ResultRow.job_id.in_(job_ids)))
    # Values that answers differed in; that they did stays counted.
    compared = update(ShadowJobRow).where(ShadowJobRow.job_id.in_(job_ids))
    connection.execute(compared.values(found=[]))
    reviews.forget(connection, job_ids)
    forget_names(connection, job_ids)


def forget_names(connection: Connection, job_ids: Sequence[str]) -> None:
    """Remove the names of documents from their batches, where these jobs have one."""
    item = update(BatchItemRow).where(BatchItemRow.job_id.in_(job_ids))
    connection.execute(item.values(filename=""))


def _sql(values: dict[str, New]) -> dict[str, Any]:
    return {
        name: db_now() + value.seconds if isinstance(value, Later) else value
        for name, value in values.items()
    }
