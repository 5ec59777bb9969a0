"""Rows of jobs within a transaction: one job, a change, an end. What the store is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, TypeAlias

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    CursorResult,
    Select,
    Text,
    Update,
    and_,
    bindparam,
    insert,
    select,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from pipeline.errors import FieldwrightError
from store import counters
from store.access.ownership import ANY, Reach, owned
from store.errors import JobUnknown
from store.jobs.records import Job, State
from store.tables import BatchItemRow, JobRow, ResultRow, db_now
from store.webhooks import outbox as notices

COLUMNS = [getattr(JobRow, item.name) for item in fields(Job)]
"""What is selected for ``Job(*row)``."""


@dataclass(frozen=True, slots=True)
class Later:
    """A moment by the database's clock: so many seconds from now."""

    seconds: float = 0.0


New: TypeAlias = str | float | bool | Later | None
"""What a column of a job's row may be changed to."""


# Statements take longer to put together than to execute: those of every job are made once.
_ID: BindParameter[str] = bindparam("job_id")
_TOKEN: BindParameter[str] = bindparam("job_token")
_ONE = select(*COLUMNS).where(JobRow.id == _ID)
_HELD = (JobRow.id == _ID, JobRow.token == _TOKEN, JobRow.state == "running")
_UNCANCELLED = JobRow.cancel_requested.is_(False)
_STILL_HELD = select(JobRow.id).where(*_HELD)


def one(connection: Connection, job_id: str, reach: Reach = ANY) -> Job:
    """Return a job within a transaction; raises JobUnknown where there is none within reach."""
    query = _ONE if reach is ANY else _ONE.where(owned(JobRow.owner, reach))
    row = connection.execute(query, {"job_id": job_id}).first()
    if row is None:
        raise unknown(job_id)
    return Job(*row)


def unknown(job_id: str) -> JobUnknown:
    """Return the error that there is no such job, or none for who asks."""
    return JobUnknown(f"There is no job {job_id[:40]!r}.")


def is_held(connection: Connection, job: Job) -> bool:
    """Say whether a claim still holds."""
    return connection.scalar(_STILL_HELD, _claim(job)) is not None


def held_change(
    job: Job, values: Mapping[str, New], *, uncancelled: bool = False
) -> tuple[ReturningUpdate[tuple[bool]], dict[str, Any]]:
    """Return what changes the row of a claimed job, where the claim still holds.

    Args:
        job: as claimed.
        values: new ones by column; a `Later` for a moment.
        uncancelled: only where nobody wants it stopped.

    Returns:
        A statement, which returns ``cancel_requested`` of the row that was changed, and its
        parameters.
    """
    return _change_held(_shape(values), uncancelled), _claim(job) | _parameters(values)


def change_held(
    connection: Connection, job: Job, values: Mapping[str, New], *, uncancelled: bool = False
) -> CursorResult[tuple[bool]]:
    """Do as `held_change` says within a writing transaction."""
    return connection.execute(*held_change(job, values, uncancelled=uncancelled))


def held_answer(
    job: Job, values: Mapping[str, New], body: str, counts: counters.Amounts
) -> tuple[Select[tuple[str]], dict[str, Any]]:
    """Return what ends a claimed job with its answer in one step, which PostgreSQL alone can do.

    Args:
        job: as claimed.
        values: as of `held_change`.
        body: the answer as JSON text.
        counts: to be added to the counters.

    Returns:
        A statement and its parameters. It returns a row where it did; none, and does nothing,
        where the claim holds no more, somebody wants the job stopped, or a webhook is to be told.
    """
    given = {"body": body, "amounts": counters.rows(counts)}
    return _answer_held(_shape(values)), _claim(job) | _parameters(values) | given


def change_one(connection: Connection, job_id: str, values: Mapping[str, New]) -> None:
    """Change the row of a job, whoever holds it; values as of `change_held`."""
    statement = _change_one(_shape(values))
    connection.execute(statement, {"job_id": job_id} | _parameters(values))


_Shape = tuple[tuple[str, bool], ...]


def _claim(job: Job) -> dict[str, Any]:
    return {"job_id": job.id, "job_token": job.token}


def _shape(values: Mapping[str, New]) -> _Shape:
    return tuple((name, isinstance(value, Later)) for name, value in values.items())


def _parameters(values: Mapping[str, New]) -> dict[str, Any]:
    return {
        f"new_{name}": value.seconds if isinstance(value, Later) else value
        for name, value in values.items()
    }


@cache
def _change_held(shape: _Shape, uncancelled: bool) -> ReturningUpdate[tuple[bool]]:
    statement = _update(shape).where(*_HELD)
    if uncancelled:
        statement = statement.where(_UNCANCELLED)
    return statement.returning(JobRow.cancel_requested)


@cache
def _answer_held(shape: _Shape) -> Select[tuple[str]]:
    quiet = _update(shape).where(*_HELD, _UNCANCELLED, ~notices.LISTENED_TO)
    ended = quiet.returning(JobRow.id).cte("ended")
    answer = select(ended.c.id, bindparam("body", type_=Text()), db_now())
    stored = insert(ResultRow).from_select(["job_id", "body", "created_at"], answer)
    counted = counters.add_where(ended)
    return select(ended.c.id).add_cte(stored.cte("stored"), counted.cte("counted"))


@cache
def _change_one(shape: _Shape) -> Update:
    return _update(shape).where(JobRow.id == _ID)


def _update(shape: _Shape) -> Update:
    columns = JobRow.__table__.c
    new = {name: bindparam(f"new_{name}", type_=columns[name].type) for name, _ in shape}
    return update(JobRow).values(
        {name: db_now() + new[name] if later else new[name] for name, later in shape}
    )


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
