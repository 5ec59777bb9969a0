"""Claims of jobs: who works on what. What a worker writes to its job is in `leases`.

A job is claimed by giving it a fresh token and a lease. Every write to a running job names the
token: a worker that was taken for dead and comes back holds an old one, and its writes change
nothing (`LeaseLost`). Leases are compared with the database's clock alone.

`attempts` counts the claims that did not finish cleanly: a claim adds one, and a job that is
handed on to its next stage, or back unharmed, gets it back. When a job ends without trouble, the
one of its last claim is left.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, or_, select

from store.errors import JobCancelled, WorkerCrashed
from store.jobs.claim_queries import (
    LONGEST_DELAY,
    ORDER,
    ClaimSource,
    best,
    heads,
    lock_head,
    sources_of,
)
from store.jobs.records import STAGES, Job
from store.jobs.rows import COLUMNS, Later, New, change, end
from store.sql.database import Database
from store.sql.tables import JobRow, WorkerRow, db_now
from store.sql.tables import now as database_now

VersionOf = Callable[[str], str | None]

_MOST_AT_ONCE = 64  # documents in one pass


class Claims:
    """Gives jobs to workers, and takes those of dead workers away; errors as of `Database`.

    A power cut may undo a claim: the job is then claimed again.

    Args:
        database: of the job store.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(
        self,
        worker: str,
        *,
        lease: float,
        max_attempts: int,
        stages: Sequence[str] = STAGES,
        priority_at_most: int | None = None,
        version_of: VersionOf = lambda model: None,
        held: Sequence[str] = (),
    ) -> Job | None:
        """Claim the best job that waits, or whose worker fell silent; None where there is none.

        The best one has the lowest priority number, and of that the lowest turn. On the way, jobs
        that may not run again are ended: those cancelled while their worker died, and those that
        stopped their worker `max_attempts` times.

        Args:
            worker: name of the claimant.
            lease: seconds until the job is free again without a heartbeat.
            max_attempts: most claims of one job that do not finish cleanly.
            stages: that the claimant works at.
            priority_at_most: leave jobs of higher numbers to others.
            version_of: gives the version that answers for a model. Asked at a job's first claim,
                which fixes it: a later promotion changes nothing. None leaves it open.
            held: tokens of claims that the claimant works on. Where the store was away for
                longer than their lease they are its own all the same, and soon renewed.
        """
        sources = sources_of(stages, held)
        with self._database.reading() as connection:  # idle workers never take the write lock
            found = connection.execute(heads(sources, priority_at_most)).all()
        if not found:
            return None
        with self._database.writing(durable=False) as connection:
            for source in (sources[row.number] for row in sorted(found, key=lambda row: row[1:])):
                query = lock_head(source, priority_at_most)
                while (row := connection.execute(query).first()) is not None:
                    job, now = Job(*row[:-1]), float(row[-1])
                    if _end_if_hopeless(connection, job, max_attempts):
                        continue
                    version = job.model_version or version_of(job.model)
                    return _give(connection, job, worker, now, lease, model_version=version)
        return None

    def waits(self, stages: Sequence[str]) -> bool:
        """Return whether a job of these stages waits to be claimed."""
        with self._database.reading() as connection:
            return connection.execute(heads(sources_of(stages), None)).first() is not None

    def claim_more(self, worker: str, like: Job, *, lease: float, words: int) -> list[Job]:
        """Claim further jobs that can go through the model in one pass with a claimed one.

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
        with self._database.reading() as connection:
            same = and_(
                ClaimSource((like.stage,)).where(),
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
        with self._database.writing(durable=False) as connection:
            now = database_now(connection)
            query = select(*COLUMNS).where(same, JobRow.id.in_(chosen)).order_by(*ORDER)
            rows = connection.execute(query.with_for_update(skip_locked=True)).all()
            return [_give(connection, Job(*row), worker, now, lease) for row in rows]

    def running(self, worker: str) -> list[Job]:
        """Return the jobs that a worker holds."""
        query = select(*COLUMNS).where(JobRow.state == "running", JobRow.worker == worker)
        with self._database.reading() as connection:
            return [Job(*row) for row in connection.execute(query)]

    def unannounced(self, stage: str, *, older_than: float, most: int) -> list[str]:
        """Return jobs that wait without the broker having been told of them for a while.

        Args:
            stage: at which they wait, or at which their worker died.
            older_than: seconds since the last announcement.
            most: how many, the best first.
        """
        lately = JobRow.announced_at.between(db_now() - older_than, db_now())  # by a clock set back
        silent = or_(JobRow.announced_at.is_(None), ~lately)
        found: list[str] = []
        with self._database.reading() as connection:
            for source in reversed(sources_of([stage])):  # those of dead workers first
                query = best(select(JobRow.id), and_(source.where(), silent), most=most)
                found += connection.scalars(query)
        return found[:most]

    def note_announced(self, job_ids: Sequence[str]) -> None:
        """Note that the broker was told of these jobs just now."""
        with self._database.writing(durable=False) as connection:
            change(connection, JobRow.id.in_(job_ids), announced_at=Later())

    def release(self, worker: str) -> bool:
        """Free the jobs of a dead worker at once, their attempt spent, and forget the worker.

        Returns:
            Whether it held any.
        """
        with self._database.writing(durable=False) as connection:
            connection.execute(delete(WorkerRow).where(WorkerRow.name == worker))
            held = JobRow.state == "running", JobRow.worker == worker
            return change(connection, *held, lease_until=0.0) > 0

    def cut_leases(self, *, lease: float) -> None:
        """Cut leases that end later than any can, for a clock was set back: who lives renews them.

        Args:
            lease: seconds that they have from now.
        """
        too_long = JobRow.state == "running", JobRow.lease_until > db_now() + lease + LONGEST_DELAY
        with self._database.reading() as connection:  # the write lock is taken only where needed
            if connection.scalar(select(JobRow.id).where(*too_long).limit(1)) is None:
                return
        with self._database.writing(durable=False) as connection:
            change(connection, *too_long, lease_until=Later(lease))

    def end_hopeless(self, *, max_attempts: int) -> int:
        """End the jobs of dead workers that may not run again, as `claim` does; return how many."""
        lost = ClaimSource(STAGES, expired=True).where()
        spent = or_(JobRow.cancel_requested.is_(True), JobRow.attempts >= max_attempts)
        with self._database.reading() as connection:  # the write lock is taken only where needed
            if connection.scalar(select(JobRow.id).where(lost, spent).limit(1)) is None:
                return 0
        with self._database.writing() as connection:
            query = select(*COLUMNS).where(lost, spent).with_for_update(skip_locked=True)
            jobs = [Job(*row) for row in connection.execute(query)]
            return sum(_end_if_hopeless(connection, job, max_attempts) for job in jobs)


def _give(
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
    change(connection, JobRow.id == job.id, **claim)
    return replace(job, **claim)


def _end_if_hopeless(connection: Connection, job: Job, max_attempts: int) -> bool:
    """End a free job that may not run again; say whether it was one."""
    if job.cancel_requested:
        return end(connection, "cancelled", JobCancelled("It was cancelled."), job.id)
    if job.attempts >= max_attempts:
        detail = f"The document stopped its worker {job.attempts} times."
        return end(connection, "failed", WorkerCrashed(detail), job.id)
    return False


def _within(rows: Iterable[Row[str, int | None]], room: int) -> Iterable[str]:
    """Yield the ids from the first on, while their words find room."""
    for job_id, words in rows:
        room -= words or 0
        if room < 0:
            return
        yield job_id
