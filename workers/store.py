"""The job store: the one truth on every job. Claims, leases, progress, and the single result.

A job is claimed by giving it a fresh token and a lease. Every write to a running job names the
token: a worker that was taken for dead and comes back holds an old one, and its writes change
nothing (`LeaseLost`). The result is stored in the transaction that ends the job, so there is
exactly one, whatever runs twice. Leases are compared with the database's clock alone.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, cast

from sqlalchemy import ColumnElement, Connection, and_, delete, insert, or_, select, tuple_, update

from pipeline.errors import FieldwrightError, JobCancelled, JobUnknown, WorkerCrashed
from workers import counters, notices
from workers.database import Database
from workers.ownership import ANY, Reach, owned
from workers.records import STAGES, TERMINAL, Job, LeaseLost, Progress, State, WorkerInfo
from workers.tables import BatchItemRow, IdempotencyRow, JobRow, ResultRow, WorkerRow
from workers.tables import now as _now

_COLUMNS = [getattr(JobRow, item.name) for item in fields(Job)]
# What a job keeps when it is tried again from the start; the rest is as of a new one.
_OF_THE_REQUEST = {
    *("id", "model", "sha256", "filename", "media_type", "size", "options", "owner"),
    *("created_at", "priority", "fingerprint"),
}


class Store:
    """All reads and writes of the job store; methods raise `StoreUnavailable` as `Database`."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, job: Job) -> Job:
        """Store a new job and return it with its time of creation."""
        with self.database.writing() as connection:
            insert_jobs(connection, [job])
            return one(connection, job.id)

    def get(self, job_id: str, reach: Reach = ANY) -> Job:
        """Return a job; raises JobUnknown where there is none within reach."""
        with self.database.reading() as connection:
            return one(connection, job_id, reach)

    def body(self, job_id: str) -> str | None:
        """Return a job's answer as JSON text, or None while there is none."""
        with self.database.reading() as connection:
            return connection.scalar(select(ResultRow.body).where(ResultRow.job_id == job_id))

    def page(self, after: tuple[float, str] | None, limit: int, reach: Reach = ANY) -> list[Job]:
        """Return up to `limit` jobs, the newest first, those older than the mark `after`."""
        query = select(*_COLUMNS).where(owned(JobRow.owner, reach)).limit(limit)
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
                _change(connection, JobRow.id == job_id, cancel_requested=True)
                return False
            batches = [] if job.ended else notices.batches_of(connection, [job_id])
            remove_jobs(connection, [job_id])
            for batch_id in batches:  # it may have been the last one
                notices.batch_finished(connection, batch_id)
            return True

    def claim(self, worker: str, *, lease: float, max_attempts: int) -> Job | None:
        """Take the oldest job that waits, or whose worker fell silent; None where there is none.

        On its way it ends the jobs that may not run again: those cancelled while their worker
        died, and those that stopped their worker `max_attempts` times.

        Args:
            worker: name of the claimant.
            lease: seconds until the job is free again without a heartbeat.
            max_attempts: most claims of one job.
        """
        with self.database.reading() as connection:  # idle workers never take the write lock
            if connection.scalar(select(JobRow.id).where(_free(_now(connection))).limit(1)) is None:
                return None
        with self.database.writing() as connection:
            now = _now(connection)
            query = (
                select(*_COLUMNS)
                .where(_free(now))
                .order_by(JobRow.created_at, JobRow.id)
                .limit(1)
                .with_for_update(skip_locked=True)
            )
            while (row := connection.execute(query).first()) is not None:
                job = Job(*row)
                if job.cancel_requested:
                    _end(connection, job.id, "cancelled", now, JobCancelled("It was cancelled."))
                elif job.attempts >= max_attempts:
                    detail = f"The document stopped its worker {job.attempts} times."
                    _end(connection, job.id, "failed", now, WorkerCrashed(detail))
                else:
                    _change(
                        connection,
                        JobRow.id == job.id,
                        state="running",
                        attempts=job.attempts + 1,
                        token=str(uuid.uuid4()),
                        worker=worker,
                        lease_until=now + lease,
                        not_before=None,
                        claimed_at=now,
                        started_at=job.started_at or now,
                    )
                    return one(connection, job.id)
        return None

    def renew(self, job: Job, *, lease: float, **progress: Any) -> None:
        """Extend the lease of a claimed job and note its progress.

        Args:
            job: as claimed.
            lease: seconds from now.
            progress: new values of ``stage``, ``pages_done``, ``pages_total``, ``model_version``.

        Raises:
            LeaseLost: the job is no longer this worker's.
            JobCancelled: the user wants it stopped.
        """
        with self.database.writing() as connection:
            lease_until = _now(connection) + lease
            if not _change(connection, _held(job), lease_until=lease_until, **progress):
                raise LeaseLost(job.id)
            cancelled = select(JobRow.cancel_requested).where(JobRow.id == job.id)
            if connection.scalar(cancelled):
                raise JobCancelled("The job was cancelled while it ran.")

    def succeed(self, job: Job, body: str, counts: counters.Amounts | None = None) -> None:
        """End a claimed job with its answer, both or neither.

        Args:
            job: as claimed.
            body: the answer as JSON text.
            counts: what the answer adds to the counters; see `counters.answered`.

        Raises:
            LeaseLost: it is no longer this worker's.
            JobCancelled: the user wants it stopped.
        """
        with self.database.writing() as connection:
            now = _now(connection)
            open_ = and_(_held(job), JobRow.cancel_requested.is_(False))
            done = {"state": "succeeded", "stage": "done", "lease_until": None}
            if not _change(connection, open_, finished_at=now, worker=None, **done):
                held = connection.scalar(select(JobRow.id).where(_held(job)))
                raise LeaseLost(job.id) if held is None else JobCancelled("It was cancelled.")
            connection.execute(insert(ResultRow).values(job_id=job.id, body=body, created_at=now))
            notices.job_ended(connection, job.id)
            counters.add(connection, {**counters.ended("succeeded"), **(counts or {})})

    def fail(self, job: Job, error: FieldwrightError) -> None:
        """End a claimed job with its error, as cancelled for JobCancelled; raises LeaseLost."""
        state: State = "cancelled" if isinstance(error, JobCancelled) else "failed"
        with self.database.writing() as connection:
            if not _end(connection, job.id, state, _now(connection), error, _held(job)):
                raise LeaseLost(job.id)

    def hand_back(self, job: Job, *, delay: float = 0.0, spent: bool = False) -> None:
        """Put a claimed job back into the queue.

        Args:
            job: as claimed.
            delay: seconds before anybody may claim it.
            spent: True where the attempt counts.

        Raises:
            LeaseLost: it is no longer this worker's.
        """
        with self.database.writing() as connection:
            changed = _change(
                connection,
                _held(job),
                state="queued",
                attempts=job.attempts if spent else job.attempts - 1,
                token=None,
                worker=None,
                lease_until=None,
                not_before=_now(connection) + delay,
            )
            if not changed:
                raise LeaseLost(job.id)

    def running(self, worker: str) -> list[tuple[Job, float]]:
        """Return the jobs that a worker holds, each with the seconds since it was claimed."""
        query = select(*_COLUMNS).where(JobRow.state == "running", JobRow.worker == worker)
        with self.database.reading() as connection:
            now = _now(connection)
            jobs = [Job(*row) for row in connection.execute(query)]
            return [(job, now - (job.claimed_at or now)) for job in jobs]

    def release(self, worker: str) -> bool:
        """Free the jobs of a dead worker at once, their attempt spent, and forget the worker.

        Returns:
            Whether it held any.
        """
        with self.database.writing() as connection:
            held = and_(JobRow.state == "running", JobRow.worker == worker)
            connection.execute(delete(WorkerRow).where(WorkerRow.name == worker))
            return _change(connection, held, lease_until=0.0) > 0

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
            known = update(WorkerRow).where(WorkerRow.name == name).values(values)
            if not connection.execute(known).rowcount:
                connection.execute(insert(WorkerRow).values(name=name, **values))

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

    def known(self, job_ids: list[str]) -> dict[str, bool]:
        """Return which of these jobs exist, each with whether it has ended."""
        query = select(JobRow.id, JobRow.state).where(JobRow.id.in_(job_ids))
        with self.database.reading() as connection:
            return {job_id: state in TERMINAL for job_id, state in connection.execute(query)}

    def progress(self, job_ids: Sequence[str]) -> dict[str, Progress]:
        """Return how far these jobs are, those left out that do not exist."""
        columns = [getattr(JobRow, item.name) for item in fields(Progress)]
        query = select(JobRow.id, *columns).where(JobRow.id.in_(job_ids))
        with self.database.reading() as connection:
            return {row[0]: Progress(*row[1:]) for row in connection.execute(query)}

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


def insert_jobs(connection: Connection, jobs: Sequence[Job]) -> None:
    """Put new jobs into the queue, in their order, within a transaction."""
    now = _now(connection)
    names = [item.name for item in fields(Job)]
    rows = [
        # A microsecond apart: of jobs that came together, the first is taken first.
        {**{name: getattr(job, name) for name in names}, "created_at": now + place * 1e-6}
        for place, job in enumerate(jobs)
    ]
    if rows:
        connection.execute(insert(JobRow), rows)


def requeue_jobs(connection: Connection, job_ids: Sequence[str]) -> list[str]:
    """Put those of the jobs that failed back into the queue, as new; return their ids."""
    new = {item.name: item.default for item in fields(Job) if item.name not in _OF_THE_REQUEST}
    statement = update(JobRow).where(JobRow.id.in_(job_ids), JobRow.state == "failed").values(new)
    queued = list(connection.scalars(statement.returning(JobRow.id)))
    notices.reopened(connection, queued)
    return queued


def remove_jobs(connection: Connection, job_ids: Sequence[str]) -> None:
    """Remove jobs that do not run, with all that names them, within a transaction.

    Their Idempotency-Keys go too: who sends one again makes a new request. So does what webhooks
    were told of them, or were still to be told.
    """
    notices.forget(connection, job_ids)
    connection.execute(delete(IdempotencyRow).where(IdempotencyRow.job_id.in_(job_ids)))
    connection.execute(delete(ResultRow).where(ResultRow.job_id.in_(job_ids)))
    _forget_names(connection, job_ids)
    connection.execute(delete(JobRow).where(JobRow.id.in_(job_ids)))


def one(connection: Connection, job_id: str, reach: Reach = ANY) -> Job:
    """Return a job within a transaction; raises JobUnknown where there is none within reach."""
    query = select(*_COLUMNS).where(JobRow.id == job_id, owned(JobRow.owner, reach))
    row = connection.execute(query).first()
    if row is None:
        raise JobUnknown(f"There is no job {job_id[:40]!r}.")
    return Job(*row)


def _forget_names(connection: Connection, job_ids: Sequence[str]) -> None:
    """Remove the names of documents from their batches, where these jobs have one."""
    item = update(BatchItemRow).where(BatchItemRow.job_id.in_(job_ids))
    connection.execute(item.values(filename=""))


def _free(now: float) -> ColumnElement[bool]:
    waiting = and_(
        JobRow.state == "queued", or_(JobRow.not_before.is_(None), JobRow.not_before <= now)
    )
    return or_(waiting, and_(JobRow.state == "running", JobRow.lease_until < now))


def _held(job: Job) -> ColumnElement[bool]:
    return and_(JobRow.id == job.id, JobRow.token == job.token, JobRow.state == "running")


def _change(connection: Connection, where: ColumnElement[bool], **values: Any) -> int:
    return connection.execute(update(JobRow).where(where).values(**values)).rowcount


def _end(
    connection: Connection,
    job_id: str,
    state: State,
    now: float,
    error: FieldwrightError,
    *where: ColumnElement[bool],
) -> int:
    """End a job without an answer; a cancelled one keeps no name of its document."""
    values: dict[str, Any] = {"filename": ""} if state == "cancelled" else {}
    changed = _change(
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
            _forget_names(connection, [job_id])
        notices.job_ended(connection, job_id)
        counters.add(connection, counters.ended(state, error.code))
    return changed
