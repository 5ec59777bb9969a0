"""Rows of jobs within a transaction: one job, a change, an end. What the store is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, select, update

from pipeline.errors import FieldwrightError, JobUnknown
from workers import counters, notices
from workers.ownership import ANY, Reach, owned
from workers.records import Job, State
from workers.tables import BatchItemRow, JobRow

COLUMNS = [getattr(JobRow, item.name) for item in fields(Job)]
"""What is selected for ``Job(*row)``."""


def one(connection: Connection, job_id: str, reach: Reach = ANY) -> Job:
    """Return a job within a transaction; raises JobUnknown where there is none within reach."""
    query = select(*COLUMNS).where(JobRow.id == job_id, owned(JobRow.owner, reach))
    row = connection.execute(query).first()
    if row is None:
        raise JobUnknown(f"There is no job {job_id[:40]!r}.")
    return Job(*row)


def held(job: Job) -> ColumnElement[bool]:
    """Return the SQL condition that a claim still holds."""
    return and_(JobRow.id == job.id, JobRow.token == job.token, JobRow.state == "running")


def change(connection: Connection, where: ColumnElement[bool], **values: Any) -> int:
    """Change rows of jobs and return how many there were."""
    return connection.execute(update(JobRow).where(where).values(**values)).rowcount


def end(
    connection: Connection,
    job_id: str,
    state: State,
    now: float,
    error: FieldwrightError,
    *where: ColumnElement[bool],
) -> int:
    """End a job without an answer; a cancelled one keeps no name of its document.

    Args:
        connection: of a writing transaction.
        job_id: of the job.
        state: that it ends in.
        now: by the database's clock.
        error: why.
        where: what must hold of its row.

    Returns:
        1, or 0 where it did not hold.
    """
    values: dict[str, Any] = {"filename": ""} if state == "cancelled" else {}
    changed = change(
        connection,
        and_(JobRow.id == job_id, *where),
        state=state,
        finished_at=now,
        lease_until=None,
        worker=None,
        error_code=error.code,
        error_detail=error.detail,
        error_advice=error.advice,
        **values,
    )
    if changed:
        if state == "cancelled":
            forget_names(connection, [job_id])
        notices.job_ended(connection, job_id)
        counters.add(connection, counters.ended(state, error.code))
    return changed


def forget_names(connection: Connection, job_ids: Sequence[str]) -> None:
    """Remove the names of documents from their batches, where these jobs have one."""
    item = update(BatchItemRow).where(BatchItemRow.job_id.in_(job_ids))
    connection.execute(item.values(filename=""))
