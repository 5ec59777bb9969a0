"""The jobs of an installation as values: added, read, listed, deleted.

How workers get them is in `claims`, what workers write to them in `leases`.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    func,
    literal,
    or_,
    select,
    tuple_,
)

from store.access import audit
from store.access.ownership import ANY_OWNER, OwnerScope, owned
from store.errors import no_job
from store.jobs.claim_queries import ORDER, QUEUED, best
from store.jobs.records import TERMINAL, Job, Progress, Purpose, State
from store.jobs.rows import (
    COLUMNS,
    Later,
    New,
    change,
    copies_of,
    insert_jobs,
    one,
    remove_jobs,
)
from store.sql import cursors
from store.sql.database import Database
from store.sql.tables import IdempotencyRow, JobRow, ResultRow, ReviewRow, db_now, now
from store.webhooks import outbox

_FARTHEST = 1_000  # places in the queue that are counted
_CHUNK = 100
_LATELY_S = 600.0  # seconds after their end in which the files of such jobs are tidied
_HOLD_S = 60.0  # for which the files of ended jobs are in somebody's hands, should they die
_PROGRESS = [getattr(JobRow, item.name) for item in fields(Progress)]
_FRUITLESS = JobRow.state.in_(("failed", "cancelled"))


@dataclass(frozen=True, slots=True)
class Hold:
    """Ended jobs whose files somebody has in hand, by their ids; `token` is proof of it."""

    token: str
    states: dict[str, State]


class JobRepository:
    """The rows of all jobs; methods raise `StoreUnavailable` as `Database`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, job: Job) -> Job:
        """Store a new job and return it with its time of creation."""
        with self._database.writing() as connection:
            return insert_jobs(connection, [job])[0]

    def get(self, job_id: str, scope: OwnerScope = ANY_OWNER) -> Job:
        """Return a job; raises JobUnknown where it does not exist or is out of scope."""
        with self._database.reading() as connection:
            return one(connection, job_id, scope)

    def answered(
        self, job_id: str, scope: OwnerScope = ANY_OWNER, *, reviewed: bool = True
    ) -> tuple[Job, str | None]:
        """Return a job and its answer as JSON text, None while there is none.

        Args:
            job_id: of the job.
            scope: of the caller.
            reviewed: with what people decided on it, if they did; else as the machine gave it.

        Raises:
            JobUnknown: it does not exist or is out of scope.
        """
        body = func.coalesce(ReviewRow.body, ResultRow.body) if reviewed else ResultRow.body
        query = select(*COLUMNS, body).where(JobRow.id == job_id)
        query = query.outerjoin(ResultRow, ResultRow.job_id == JobRow.id)
        query = query.outerjoin(ReviewRow, ReviewRow.job_id == JobRow.id)
        with self._database.reading() as connection:
            row = connection.execute(query.where(owned(JobRow.owner, scope))).first()
        if row is None:
            raise no_job()
        return Job(*row[:-1]), row[-1]

    def page(
        self,
        cursor: str | None = None,
        limit: int = 50,
        scope: OwnerScope = ANY_OWNER,
        *,
        state: State | None = None,
    ) -> tuple[list[Job], str | None]:
        """Return jobs, the newest first, and the cursor of the next page or None at the end.

        Only those of one `state` where it is given; never the service's own, which have a purpose.

        Raises:
            InvalidOption: `cursor` was not made here.
        """
        query = select(*COLUMNS).where(owned(JobRow.owner, scope), JobRow.purpose.is_(None))
        query = cursors.newest_first(query, JobRow, cursor, limit)
        if state is not None:
            query = query.where(JobRow.state == state)
        with self._database.reading() as connection:
            found = [Job(*row) for row in connection.execute(query)]
        return cursors.page(found, limit)

    def position(self, job: Job) -> int | None:
        """Return a queued job's place before the stage it waits for, from 1.

        None for jobs that do not wait, and for those with more than 1,000 others before them. It
        may grow: of other keys' jobs that come later, those with a lower turn go before.
        """
        if job.state != "queued":
            return None
        with self._database.reading() as connection:
            turn = connection.scalar(select(JobRow.turn).where(JobRow.id == job.id))
            if turn is None:  # it is gone
                return None
            # As a comparison of rows an index answers it, and the count ends at the limit. Of two
            # jobs of the same turn and microsecond neither is before the other.
            first = tuple_(*ORDER) < tuple_(job.priority, turn, job.created_at)
            where = and_(QUEUED, JobRow.stage == job.stage, first)
            before = best(select(literal(1)), where, most=_FARTHEST + 1).subquery()
            number = connection.scalar(select(func.count()).select_from(before)) or 0
        return number + 1 if number <= _FARTHEST else None

    def delete(self, job_id: str, scope: OwnerScope = ANY_OWNER) -> list[str]:
        """Delete a job with its result, or ask its worker to stop where it is running.

        Returns:
            The jobs that are gone: it, and queued ones that were to read its document once more;
            none where its worker was asked.

        Raises:
            JobUnknown: it does not exist, is out of scope, or is the service's own.
        """
        with self._database.writing() as connection:
            job = one(connection, job_id, scope, locked=True)
            if job.purpose is not None:
                raise no_job()
            if job.state == "running":
                connection.execute(delete(IdempotencyRow).where(IdempotencyRow.job_id == job_id))
                change(connection, JobRow.id == job_id, cancel_requested=True)
                audit.record(connection, "job.cancelled", job_id)
                return []
            batches = [] if job.ended else outbox.batches_of(connection, [job_id])
            removed = [job_id, *copies_of(connection, [job_id])]
            remove_jobs(connection, removed)
            audit.record(connection, "job.deleted", job_id, state=job.state)
            for batch_id in batches:  # it may have been the last one
                outbox.batch_finished(connection, batch_id)
            return removed

    def remove_unwanted(self, purpose: Purpose, wanted: Select[*tuple[Any, ...]]) -> list[str]:
        """Remove some ended jobs of the service's own that nothing names any more; return them.

        Args:
            purpose: that they have.
            wanted: selects the jobs that are kept; without None.
        """
        where = and_(
            JobRow.purpose == purpose, JobRow.state.in_(TERMINAL), JobRow.id.not_in(wanted)
        )
        with self._database.reading() as connection:
            found = list(connection.scalars(select(JobRow.id).where(where).limit(_CHUNK)))
        if found:
            with self._database.writing() as connection:
                remove_jobs(connection, found)
        return found

    def exists(self, job_id: str) -> bool:
        """Say whether there is such a job."""
        with self._database.reading() as connection:
            return connection.scalar(select(JobRow.id).where(JobRow.id == job_id)) is not None

    def known(self, job_ids: list[str]) -> dict[str, State]:
        """Return which of these jobs exist and have not expired, each with its state."""
        query = select(JobRow.id, JobRow.state)
        query = query.where(JobRow.id.in_(job_ids), JobRow.expired_at.is_(None))
        with self._database.reading() as connection:
            return {job_id: cast(State, state) for job_id, state in connection.execute(query)}

    def progress(self, job_ids: Sequence[str]) -> dict[str, Progress]:
        """Return how far these jobs are, those left out that do not exist."""
        query = select(JobRow.id, *_PROGRESS).where(JobRow.id.in_(job_ids))
        with self._database.reading() as connection:
            return {row[0]: Progress(*row[1:]) for row in connection.execute(query)}

    @contextmanager
    def holding(self, job_ids: Sequence[str]) -> Iterator[Hold]:
        """Hold jobs that failed or were cancelled while something is done to their files.

        Nobody else holds them meanwhile, and only the holder may queue them anew. Files may be far
        away, so no transaction is open: where the holder dies, the hold runs out. It is given
        those of the jobs that nobody else holds. Their files count as tidied at the end, unless
        that comes with an error.
        """
        token, free = str(uuid.uuid4()), JobRow.lease_until <= db_now()
        with self._database.writing(durable=False) as connection:
            states = _unlocked(connection, job_ids, or_(JobRow.lease_until.is_(None), free))
            taken: dict[str, New] = {"token": token, "lease_until": Later(_HOLD_S)}
            change(connection, JobRow.id.in_(list(states)), **taken)
        until: Later | None = Later()
        try:
            yield Hold(token, states)
            until = None
        finally:
            if states:
                with self._database.writing(durable=False) as connection:
                    held = _unlocked(connection, list(states), JobRow.token == token)
                    change(connection, JobRow.id.in_(list(held)), lease_until=until)

    def fruitless(self) -> list[str]:
        """Return jobs that lately ended in vain, whose files nobody has tidied or has in hand."""
        query = select(JobRow.id).where(_FRUITLESS, JobRow.expired_at.is_(None))
        with self._database.reading() as connection:
            moment = now(connection)
            query = query.where(JobRow.finished_at > moment - _LATELY_S)
            return list(connection.scalars(query.where(JobRow.lease_until <= moment)))


def _unlocked(
    connection: Connection, job_ids: Sequence[str], where: ColumnElement[bool]
) -> dict[str, State]:
    """Lock those of fruitless jobs that no other transaction has, and return their states."""
    query = select(JobRow.id, JobRow.state).where(JobRow.id.in_(job_ids), _FRUITLESS, where)
    # None is waited for: there is no order in which all would lock several.
    rows = connection.execute(query.with_for_update(key_share=True, skip_locked=True))
    return {job_id: cast(State, state) for job_id, state in rows}
