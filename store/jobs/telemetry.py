"""Figures about the job store for monitoring: jobs, queues, workers, deliveries, counters."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from store import counters
from store.database import Database
from store.jobs.records import STAGES
from store.tables import JobRow, WorkerRow
from store.tables import now as database_now
from store.webhooks.delivery_log import by_state


@dataclass(frozen=True, slots=True)
class Waiting:
    """The queue of one stage and priority; `oldest` is its oldest job's age in seconds."""

    stage: str
    priority: int
    jobs: int
    oldest: float


@dataclass(frozen=True, slots=True)
class Telemetry:
    """One look at the store.

    Attributes:
        jobs: those in the store by (state, stage).
        waiting: one entry for each stage and priority in which jobs are queued.
        workers: those alive by (stage, whether they are ready).
        deliveries: those of webhooks by state.
        counters: by (name, label), see `store.counters`.
    """

    jobs: dict[tuple[str, str], int]
    waiting: tuple[Waiting, ...]
    workers: dict[tuple[str, bool], int]
    deliveries: dict[str, int]
    counters: dict[tuple[str, str], float]


def observe(database: Database, *, silent_after: float) -> Telemetry:
    """Look at the store; takes milliseconds for a hundred thousand jobs.

    Args:
        database: of the job store.
        silent_after: seconds after which a worker that said nothing does not count.

    Raises:
        StoreUnavailable: the store does not answer.
    """
    with database.reading() as connection:
        now = database_now(connection)
        jobs: dict[tuple[str, str], int] = {}
        waiting = []
        groups = (JobRow.state, JobRow.stage, JobRow.priority)
        counted = select(*groups, func.count(), func.min(JobRow.created_at)).group_by(*groups)
        for state, stage, priority, number, oldest in connection.execute(counted):
            jobs[state, stage] = jobs.get((state, stage), 0) + number
            if state == "queued":
                waiting.append(Waiting(stage, priority, number, max(0.0, now - oldest)))
        return Telemetry(
            jobs,
            tuple(waiting),
            _workers(connection, now - silent_after),
            by_state(connection),
            counters.read(connection),
        )


def _workers(connection: Connection, since: float) -> dict[tuple[str, bool], int]:
    found = {(stage, ready): 0 for stage in STAGES for ready in (True, False)}
    query = select(WorkerRow.stages, WorkerRow.ready).where(WorkerRow.seen_at >= since)
    for stages, ready in connection.execute(query):
        for stage in stages:
            found[stage, ready] = found.get((stage, ready), 0) + 1
    return found
