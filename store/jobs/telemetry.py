"""Figures about the job store for monitoring: jobs, queues, workers, deliveries, counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, literal, select, union_all

from store.jobs import counts
from store.jobs.records import STAGES
from store.sql import counters
from store.sql.database import Database
from store.sql.tables import JobRow, TrainingRow, WorkerRow
from store.sql.tables import now as database_now
from store.webhooks.delivery_log import by_state

_TRAININGS = select(func.count()).select_from(TrainingRow).where(TrainingRow.state == "queued")


@dataclass(frozen=True, slots=True)
class Telemetry:
    """One look at the store.

    Attributes:
        jobs: those in the store by (state, stage).
        waiting: by (stage, priority) how many jobs are queued, and the age of the oldest in
            seconds.
        workers: those alive by (stage, whether they are ready).
        deliveries: those of webhooks by state.
        trainings: that wait for a trainer.
        counters: by (name, label), see `store.sql.counters`.
    """

    jobs: dict[tuple[str, str], int]
    waiting: dict[tuple[str, int], tuple[int, float]]
    workers: dict[tuple[str, bool], int]
    deliveries: dict[str, int]
    trainings: int
    counters: dict[tuple[str, str], float]


def observe(database: Database, *, silent_after: float) -> Telemetry:
    """Look at the store; takes milliseconds, however many jobs there are.

    Args:
        database: of the job store.
        silent_after: seconds after which a worker that said nothing does not count.

    Raises:
        StoreUnavailable: the store does not answer.
    """
    with database.reading() as connection:
        now = database_now(connection)
        jobs: Counter[tuple[str, str]] = Counter()
        queued: Counter[tuple[str, int]] = Counter()
        for kind, number in counts.read(connection).items():
            jobs[kind.state, kind.stage] += number
            if kind.state == "queued":
                queued[kind.stage, kind.priority] += number
        oldest = _oldest(connection, sorted(queued))
        waiting = {
            queue: (number, max(0.0, now - oldest.get(queue, now)))
            for queue, number in queued.items()
        }
        return Telemetry(
            dict(jobs),
            waiting,
            _workers(connection, now - silent_after),
            by_state(connection),
            connection.scalar(_TRAININGS) or 0,
            counters.read(connection),
        )


def _oldest(
    connection: Connection, queues: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], float]:
    """Return when the oldest job of each queue came, by stage and priority."""
    if not queues:
        return {}
    heads = []
    for number, (stage, priority) in enumerate(queues):
        columns = select(literal(number).label("number"), JobRow.created_at)
        of_queue = (JobRow.state == "queued", JobRow.stage == stage, JobRow.priority == priority)
        oldest = columns.where(*of_queue).order_by(JobRow.created_at).limit(1)
        heads.append(select(oldest.subquery()))
    return {queues[number]: moment for number, moment in connection.execute(union_all(*heads))}


def _workers(connection: Connection, since: float) -> dict[tuple[str, bool], int]:
    found = {(stage, ready): 0 for stage in STAGES for ready in (True, False)}
    query = select(WorkerRow.stages, WorkerRow.ready).where(WorkerRow.seen_at >= since)
    for stages, ready in connection.execute(query):
        for stage in stages:
            found[stage, ready] = found.get((stage, ready), 0) + 1
    return found
