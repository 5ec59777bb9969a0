"""The job store: the one truth on every job, on the workers, and on whose turn it is.

What workers write to the jobs they hold stands in `store.jobs.claims`. The result is stored in the
transaction that ends the job, so there is exactly one, whatever runs twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import cast

from sqlalchemy import Connection, and_, bindparam, delete, insert, select, tuple_, update

from store import counters
from store.access.ownership import ANY, Reach, owned
from store.jobs.claims import Claims, not_written
from store.jobs.records import STAGES, TERMINAL, Job, Progress, State, WorkerInfo
from store.jobs.rows import (
    COLUMNS,
    Later,
    New,
    change,
    change_held,
    forget_names,
    held_answer,
    one,
    unknown,
)
from store.tables import (
    IdempotencyRow,
    JobRow,
    LockRow,
    ResultRow,
    WorkerRow,
    db_now,
    insert_where,
)
from store.tables import now as _now
from store.webhooks import outbox as notices

# What a job keeps when it is tried again from the start; the rest is as of a new one.
_OF_THE_REQUEST = {
    *("id", "model", "sha256", "filename", "media_type", "size", "options", "owner"),
    *("created_at", "priority", "fingerprint"),
}


class Store(Claims):
    """All reads and writes of the job store; methods raise `StoreUnavailable` as `Database`."""

    def add(self, job: Job) -> Job:
        """Store a new job and return it with its time of creation."""
        row = {name: getattr(job, name) for name in _NAMES if name not in _WHEN_ADDED}
        stored = self.database.step(_INSERT_ONE, row)
        assert stored is not None
        created_at, announced_at = stored
        return replace(job, created_at=created_at, announced_at=announced_at)

    def get(self, job_id: str, reach: Reach = ANY) -> Job:
        """Return a job; raises JobUnknown where there is none within reach."""
        with self.database.reading() as connection:
            return one(connection, job_id, reach)

    def answered(self, job_id: str, reach: Reach = ANY) -> tuple[Job, str | None]:
        """Return a job and its answer as JSON text, None while there is none.

        Raises:
            JobUnknown: no such job within reach.
        """
        if reach is ANY:
            row = self.database.look(_ANSWERED, {"job_id": job_id})
        else:
            row = self.database.look(_ANSWERED_TO, {"job_id": job_id, "owner": reach})
        if row is None:
            raise unknown(job_id)
        return Job(*row[:-1]), row[-1]

    def page(self, after: tuple[float, str] | None, limit: int, reach: Reach = ANY) -> list[Job]:
        """Return up to `limit` jobs, the newest first, those older than the mark `after`."""
        query = select(*COLUMNS).where(owned(JobRow.owner, reach)).limit(limit)
        query = query.order_by(JobRow.created_at.desc(), JobRow.id.desc())
        if after is not None:
            query = query.where(tuple_(JobRow.created_at, JobRow.id) < tuple_(*after))
        with self.database.reading() as connection:
            return [Job(*row) for row in connection.execute(query)]

    def delete(self, job_id: str, reach: Reach = ANY) -> bool:
        """Delete a job with its result, or ask its worker to stop where it is running.

        Returns:
            True where it is gone, False where its worker was asked.

        Raises:
            JobUnknown: no such job within reach.
        """
        with self.database.writing() as connection:
            job = one(connection, job_id, reach)
            if job.state == "running":
                connection.execute(delete(IdempotencyRow).where(IdempotencyRow.job_id == job_id))
                change(connection, JobRow.id == job_id, cancel_requested=True)
                return False
            batches = [] if job.ended else notices.batches_of(connection, [job_id])
            remove_jobs(connection, [job_id])
            for batch_id in batches:  # it may have been the last one
                notices.batch_finished(connection, batch_id)
            return True

    def succeed(
        self, job: Job, body: str, counts: counters.Amounts | None = None, **progress: New
    ) -> None:
        """End a claimed job with its answer, both or neither.

        Args:
            job: as claimed.
            body: the answer as JSON text.
            counts: what the answer adds to the counters; see `counters.answered`.
            progress: as of `renew`.

        Raises:
            LeaseLost: it is no longer this worker's.
            JobCancelled: the user wants it stopped.
        """
        done: dict[str, New] = {**progress, "state": "succeeded", "stage": "done"}
        done |= {"worker": None, "lease_until": None, "finished_at": Later()}
        added = {**counters.ended("succeeded"), **(counts or {})}
        if self.database.at_once and self.database.step(*held_answer(job, done, body, added)):
            return
        with self.database.writing() as connection:
            if change_held(connection, job, done, uncancelled=True).first() is None:
                raise not_written(connection, job)
            connection.execute(_ANSWER, {"job_id": job.id, "body": body})
            notices.job_ended(connection, job.id)
            counters.add(connection, added)

    def report(
        self,
        name: str,
        *,
        pid: int,
        ready: bool,
        detail: str,
        models: list[str],
        stages: Sequence[str] = STAGES,
    ) -> None:
        """Note that a worker is alive, whether it is ready, what it misses, has and works at."""
        with self.database.writing() as connection:
            values = {"pid": pid, "ready": ready, "detail": detail, "models": models}
            values |= {"stages": list(stages), "seen_at": _now(connection)}
            # In one statement: a worker's threads may both tell of it for the first time.
            new = insert_where(connection, WorkerRow).values(name=name, **values)
            connection.execute(new.on_conflict_do_update(index_elements=["name"], set_=values))

    def workers(self) -> list[WorkerInfo]:
        """Return all workers that have reported, dead ones too until they are swept."""
        with self.database.reading() as connection:
            now = _now(connection)
            return [
                WorkerInfo(
                    w.name,
                    w.pid,
                    w.ready,
                    w.detail,
                    tuple(w.models),
                    now - w.seen_at,
                    tuple(w.stages),
                )
                for w in connection.execute(select(WorkerRow))
            ]

    def exists(self, job_id: str) -> bool:
        """Say whether there is such a job."""
        with self.database.reading() as connection:
            return connection.scalar(select(JobRow.id).where(JobRow.id == job_id)) is not None

    def known(self, job_ids: list[str]) -> dict[str, bool]:
        """Return which of these jobs exist and have not expired, each with whether it ended."""
        query = select(JobRow.id, JobRow.state)
        query = query.where(JobRow.id.in_(job_ids), JobRow.expired_at.is_(None))
        with self.database.reading() as connection:
            return {job_id: state in TERMINAL for job_id, state in connection.execute(query)}

    def progress(self, job_ids: Sequence[str]) -> dict[str, Progress]:
        """Return how far these jobs are, those left out that do not exist."""
        with self.database.reading() as connection:
            rows = connection.execute(_PROGRESS, {"job_ids": list(job_ids)})
            return {row[0]: Progress(*row[1:]) for row in rows}

    def fruitless(self, *, within: float) -> dict[str, State]:
        """Return the jobs that failed or were cancelled in the last `within` seconds."""
        query = select(JobRow.id, JobRow.state).where(JobRow.state.in_(("failed", "cancelled")))
        with self.database.reading() as connection:
            recent = query.where(
                JobRow.expired_at.is_(None), JobRow.finished_at > _now(connection) - within
            )
            return {job_id: cast(State, state) for job_id, state in connection.execute(recent)}

    def forget_workers(self, *, silent_for: float) -> None:
        """Remove the workers that were not heard of for so many seconds."""
        with self.database.writing() as connection:
            limit = _now(connection) - silent_for
            connection.execute(delete(WorkerRow).where(WorkerRow.seen_at < limit))

    def take_turn(self, name: str, holder: str, *, every: float) -> bool:
        """Take a turn that comes once in a while for all processes together; say if it is ours.

        Nobody holds anything: where the holder dies, the next turn is simply somebody else's.

        Args:
            name: of what is done in turns, at most 32 characters.
            holder: who asks.
            every: seconds from one turn to the next.
        """
        due = {"holder": holder[:64], "lease_until": db_now() + every}
        with self.database.writing() as connection:
            turn = update(LockRow).where(LockRow.name == name, LockRow.lease_until <= db_now())
            if connection.execute(turn.values(due)).rowcount:
                return True
            if connection.scalar(select(LockRow.name).where(LockRow.name == name)) is not None:
                return False
            first = insert_where(connection, LockRow).values(name=name, **due)
            return bool(connection.execute(first.on_conflict_do_nothing()).rowcount)


# As in `store.jobs.rows`, made once.
_ANSWER = insert(ResultRow).values(
    job_id=bindparam("job_id"), body=bindparam("body"), created_at=db_now()
)
_INSERT = insert(JobRow)
_NAMES = [item.name for item in fields(Job)]
_WHEN_ADDED = ("created_at", "announced_at")
_INSERT_ONE = (
    insert(JobRow)
    .values(dict.fromkeys(_WHEN_ADDED, db_now()))
    .returning(JobRow.created_at, JobRow.announced_at)
)
_ANSWERED = (
    select(*COLUMNS, ResultRow.body)
    .outerjoin(ResultRow, ResultRow.job_id == JobRow.id)
    .where(JobRow.id == bindparam("job_id"))
)
_ANSWERED_TO = _ANSWERED.where(JobRow.owner.is_not_distinct_from(bindparam("owner")))
_PROGRESS = select(JobRow.id, *(getattr(JobRow, item.name) for item in fields(Progress))).where(
    JobRow.id.in_(bindparam("job_ids", expanding=True))
)


def insert_jobs(connection: Connection, jobs: Sequence[Job]) -> list[Job]:
    """Put new jobs into the queue, in their order, within a transaction; return them as stored."""
    if not jobs:
        return []
    now = _now(connection)
    # A microsecond apart: of jobs that came together, the first is taken first. Whoever adds jobs
    # announces them next.
    stored = [
        replace(job, created_at=now + place * 1e-6, announced_at=now)
        for place, job in enumerate(jobs)
    ]
    connection.execute(_INSERT, [{name: getattr(job, name) for name in _NAMES} for job in stored])
    return stored


def requeue_jobs(connection: Connection, job_ids: Sequence[str]) -> list[str]:
    """Put those of the jobs that failed back into the queue, as new; return their ids."""
    new = {item.name: item.default for item in fields(Job) if item.name not in _OF_THE_REQUEST}
    failed = and_(JobRow.state == "failed", JobRow.expired_at.is_(None))
    statement = update(JobRow).where(JobRow.id.in_(job_ids), failed).values(new)
    queued = list(connection.scalars(statement.returning(JobRow.id)))
    notices.reopened(connection, queued)
    return queued


def remove_jobs(connection: Connection, job_ids: Sequence[str]) -> None:
    """Remove jobs that do not run, with all that names them, within a transaction.

    So goes what webhooks were told of them, or were still to be told.
    """
    notices.forget(connection, job_ids)
    forget_jobs(connection, job_ids)
    connection.execute(delete(JobRow).where(JobRow.id.in_(job_ids)))


def forget_jobs(connection: Connection, job_ids: Sequence[str]) -> None:
    """Remove the answers of jobs that do not run, and their documents' names in batches.

    Their Idempotency-Keys go too: who sends one again makes a new request.
    """
    connection.execute(delete(IdempotencyRow).where(IdempotencyRow.job_id.in_(job_ids)))
    connection.execute(delete(ResultRow).where(ResultRow.job_id.in_(job_ids)))
    forget_names(connection, job_ids)
