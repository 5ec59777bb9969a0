"""Claims of jobs: taken with a token and a lease, renewed, handed on and handed back.

A job is claimed by giving it a fresh token and a lease. Every write to a running job names the
token: a worker that was taken for dead and comes back holds an old one, and its writes change
nothing (`LeaseLost`). Leases are compared with the database's clock alone.

`attempts` counts the claims that came to no good end: a claim adds one, a job that is handed on
to its next stage, or back unharmed, gets it back. What is left, when a job ends without trouble,
is the one of its last claim.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import (
    Connection,
    Row,
    and_,
    delete,
    or_,
    select,
)

from pipeline.errors import FieldwrightError
from store.database import Database
from store.errors import JobCancelled, WorkerCrashed
from store.jobs.claim_queries import Place, best, best_at_each, every_place, lock_best
from store.jobs.records import STAGES, Job, LeaseLost, Stage, State
from store.jobs.rows import (
    COLUMNS,
    Later,
    New,
    change,
    change_held,
    change_one,
    end,
    held_change,
    is_held,
)
from store.tables import JobRow, WorkerRow, db_now
from store.tables import now as _now

VersionOf = Callable[[str], str | None]


class Claims:
    """The part of the job store that workers write to; errors as of `Database`.

    A power cut may undo what is noted of a job in hand: its lease runs out, and it is done again.

    Args:
        database: of the job store.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def claim(
        self,
        worker: str,
        *,
        lease: float,
        max_attempts: int,
        stages: Sequence[str] = STAGES,
        priority_at_most: int | None = None,
        version_of: VersionOf = lambda model: None,
    ) -> Job | None:
        """Take the best job that waits, or whose worker fell silent; None where there is none.

        The best is of the lowest priority number, and of those the oldest. On its way it ends
        the jobs that may not run again: those cancelled while their worker died, and those that
        stopped their worker `max_attempts` times.

        Args:
            worker: name of the claimant.
            lease: seconds until the job is free again without a heartbeat.
            max_attempts: most claims of one job that come to no good end.
            stages: that the claimant works at.
            priority_at_most: leave jobs of higher numbers to others.
            version_of: gives the version that answers for a model; asked at a job's first claim,
                which fixes it: a later promotion changes nothing. None leaves it open.
        """
        limited = priority_at_most is not None
        options = {"most": priority_at_most} if limited else {}
        every = every_place(tuple(stages))
        with self.database.reading() as connection:  # idle workers never take the write lock
            heads = connection.execute(best_at_each(every, limited), options).all()
        if not heads:
            return None
        with self.database.writing(durable=False) as connection:
            for place in (every[row.number] for row in sorted(heads, key=lambda row: row[1:])):
                query = lock_best(place, limited)
                while (row := connection.execute(query, options).first()) is not None:
                    job, now = Job(*row[:-1]), float(row[-1])
                    if _hopeless(connection, job, now, max_attempts):
                        continue
                    version = job.model_version or version_of(job.model)
                    return _take(connection, job, worker, now, lease, model_version=version)
        return None

    def waits(self, stages: Sequence[str]) -> bool:
        """Return whether a job of these stages waits to be claimed."""
        with self.database.reading() as connection:
            query = best_at_each(every_place(tuple(stages)), False)
            return connection.execute(query).first() is not None

    def claim_more(self, worker: str, like: Job, *, lease: float, words: int) -> list[Job]:
        """Take further jobs that go through the same model in one pass with a claimed one.

        They are of its stage, its model and version, and its priority; their words are known.
        Jobs that were in trouble before are left out: they may be what stops a worker, and
        would take the others with them.

        Args:
            worker: name of the claimant.
            like: the job at hand.
            lease: as of `claim`.
            words: most words in all, those of `like` included.
        """
        room = words - (like.words or words)
        if room <= 0 or like.model_version is None:
            return []
        name = like.model.partition("@")[0]
        with self.database.reading() as connection:
            same = and_(
                Place((like.stage,), False).where(),
                JobRow.priority == like.priority,
                JobRow.attempts == 0,
                JobRow.cancel_requested.is_(False),
                JobRow.model.in_((name, f"{name}@{like.model_version}")),
                JobRow.model_version == like.model_version,
                JobRow.words <= room,
            )
            first = best(select(JobRow.id, JobRow.words), same, most=_MOST_AT_ONCE)
            chosen = list(_within(connection.execute(first), room))
        if not chosen:
            return []
        with self.database.writing(durable=False) as connection:
            now = _now(connection)
            query = select(*COLUMNS).where(same, JobRow.id.in_(chosen)).order_by(JobRow.created_at)
            rows = connection.execute(query.with_for_update(skip_locked=True)).all()
            return [_take(connection, Job(*row), worker, now, lease) for row in rows]

    def renew(self, job: Job, *, lease: float, **progress: New) -> None:
        """Extend the lease of a claimed job and note its progress.

        Args:
            job: as claimed.
            lease: seconds from now.
            progress: new values of ``stage``, ``pages_done``, ``pages_total``, ``words``.

        Raises:
            LeaseLost: the job is no longer this worker's.
            JobCancelled: the user wants it stopped.
        """
        given = {**progress, "lease_until": Later(lease)}
        row = self.database.step(*held_change(job, given), durable=False)
        if row is None:
            raise LeaseLost(job.id)
        if row[0]:
            raise JobCancelled("The job was cancelled while it ran.")

    def renew_all(self, jobs: Iterable[Job], *, lease: float) -> None:
        """Extend the leases of claimed jobs; those that are another worker's by now stay so."""
        with self.database.writing(durable=False) as connection:
            for job in jobs:
                change_held(connection, job, {"lease_until": Later(lease)})

    def hand_on(self, job: Job, stage: Stage, **progress: New) -> None:
        """Put a claimed job into the queue of its next stage; the attempt is not spent.

        Args:
            job: as claimed.
            stage: what is to be done next.
            progress: as of `renew`.

        Raises:
            LeaseLost: it is no longer this worker's.
            JobCancelled: the user wants it stopped.
        """
        given: dict[str, New] = {**_FREE, **progress, "stage": stage}
        given |= {"announced_at": Later(), "attempts": job.attempts - 1}
        if self.database.step(*held_change(job, given, uncancelled=True), durable=False) is None:
            with self.database.reading() as connection:
                raise not_written(connection, job)

    def hand_back(self, job: Job, *, delay: float = 0.0, spent: bool = False) -> None:
        """Put a claimed job back into the queue of its stage.

        Args:
            job: as claimed.
            delay: seconds before anybody may claim it.
            spent: True where the attempt counts.

        Raises:
            LeaseLost: it is no longer this worker's.
        """
        with self.database.writing(durable=False) as connection:
            attempts = job.attempts if spent else job.attempts - 1
            waiting: dict[str, New] = {**_FREE, "attempts": attempts, "announced_at": None}
            waiting["not_before"] = Later(delay)
            if change_held(connection, job, waiting).first() is None:
                raise LeaseLost(job.id)

    def fail(self, job: Job, error: FieldwrightError) -> None:
        """End a claimed job with its error, as cancelled for JobCancelled; raises LeaseLost."""
        state: State = "cancelled" if isinstance(error, JobCancelled) else "failed"
        with self.database.writing() as connection:
            mine = JobRow.token == job.token
            if not end(connection, job.id, state, _now(connection), error, mine, _RUNNING):
                raise LeaseLost(job.id)

    def running(self, worker: str | None = None) -> list[tuple[Job, float]]:
        """Return the jobs that a worker holds, or all do, with the seconds since their claim."""
        query = select(*COLUMNS).where(JobRow.state == "running")
        if worker is not None:
            query = query.where(JobRow.worker == worker)
        with self.database.reading() as connection:
            now = _now(connection)
            jobs = [Job(*row) for row in connection.execute(query)]
            return [(job, now - (job.claimed_at or now)) for job in jobs]

    def release(self, worker: str) -> bool:
        """Free the jobs of a dead worker at once, their attempt spent, and forget the worker.

        Returns:
            Whether it held any.
        """
        with self.database.writing(durable=False) as connection:
            his = and_(JobRow.state == "running", JobRow.worker == worker)
            connection.execute(delete(WorkerRow).where(WorkerRow.name == worker))
            return change(connection, his, lease_until=0.0) > 0

    def end_hopeless(self, *, max_attempts: int) -> int:
        """End the jobs of dead workers that may not run again, as `claim` does; return how many."""
        with self.database.reading() as connection:
            lost = Place(STAGES, True).where()
            spent = or_(JobRow.cancel_requested.is_(True), JobRow.attempts >= max_attempts)
            if connection.scalar(select(JobRow.id).where(lost, spent).limit(1)) is None:
                return 0
        with self.database.writing() as connection:
            query = select(*COLUMNS).where(lost, spent).with_for_update(skip_locked=True)
            jobs = [Job(*row) for row in connection.execute(query)]
            now = _now(connection)
            return sum(_hopeless(connection, job, now, max_attempts) for job in jobs)

    def unannounced(self, stage: str, *, older_than: float, most: int) -> list[str]:
        """Return jobs that wait at a stage and of which nobody was told for a while.

        Args:
            stage: at which they wait, or at which their worker died.
            older_than: seconds since the last announcement.
            most: how many, the best first.
        """
        found: list[str] = []
        with self.database.reading() as connection:
            silent = or_(JobRow.announced_at.is_(None), JobRow.announced_at < db_now() - older_than)
            for place in (Place((stage,), True), Place((stage,), False)):
                query = best(select(JobRow.id), and_(place.where(), silent), most=most)
                found += connection.scalars(query)
        return found[:most]

    def note_announced(self, job_ids: Sequence[str]) -> None:
        """Note that the broker was told of these jobs just now."""
        with self.database.writing(durable=False) as connection:
            change(connection, JobRow.id.in_(job_ids), announced_at=db_now())


def not_written(connection: Connection, job: Job) -> LeaseLost | JobCancelled:
    """Return why a claimed job's row could not be changed that nobody may want stopped."""
    if is_held(connection, job):
        return JobCancelled("It was cancelled.")
    return LeaseLost(job.id)


_RUNNING = JobRow.state == "running"
_MOST_AT_ONCE = 64  # documents in one pass
_FREE: dict[str, New] = {"state": "queued", "token": None, "worker": None, "lease_until": None}


def _take(
    connection: Connection, job: Job, worker: str, now: float, lease: float, **values: New
) -> Job:
    """Give a free job to a worker, and return it as the worker holds it."""
    claim: dict[str, Any] = {
        "state": "running",
        "attempts": job.attempts + 1,
        "token": str(uuid.uuid4()),
        "worker": worker,
        "lease_until": now + lease,
        "not_before": None,
        "claimed_at": now,
        "started_at": job.started_at or now,
        **values,
    }
    change_one(connection, job.id, claim)
    return replace(job, **claim)


def _hopeless(connection: Connection, job: Job, now: float, max_attempts: int) -> bool:
    """End a free job that may not run again; return whether it was one."""
    if job.cancel_requested:
        end(connection, job.id, "cancelled", now, JobCancelled("It was cancelled."))
        return True
    if job.attempts >= max_attempts:
        detail = f"The document stopped its worker {job.attempts} times."
        end(connection, job.id, "failed", now, WorkerCrashed(detail))
        return True
    return False


def _within(rows: Iterable[Row[str, int | None]], room: int) -> Iterable[str]:
    """Yield the ids from the first on, while their words find room."""
    for job_id, words in rows:
        room -= words or 0
        if room < 0:
            return
        yield job_id
