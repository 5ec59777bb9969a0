"""Back-pressure: whether one more document may wait, judged by time and not by number.

The time until a new document is through is estimated as the documents before it, of its priority
or a lower number, times the seconds that lie between two documents at full work. These seconds
are measured at the last documents that ended: by the time in which at least one of them was
running, and by the mean of their times, spread over the workers. The first is right while the
queue is full, also where a document waits between its stages; the second while it is nearly
empty. Both are too large in the other case, so the smaller one counts.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import and_, func, literal, or_, select

from pipeline.errors import StorageFull
from store.database import Database
from store.errors import Overloaded, TooManyJobs
from store.jobs.records import STAGES, Job
from store.jobs.store import Store
from store.settings import Settings
from store.tables import JobRow

_MEASURED = 50  # documents that ended last
_UNMEASURED = 1.0  # seconds a document, before the first one has ended
_FRESH = 1.0  # seconds that a look at the queue is good for, at least
_SHARE = 20  # a look is good for so many times the time it took: it costs at most a part of 20
_LONGEST = 86_400.0  # seconds that a sender is told to stay away, at most
_FAR = 10_000  # places in the queue that are counted


@dataclass(slots=True)
class _Look:
    """The queue at one moment, and what was admitted since."""

    queued: Counter[int]  # by priority
    unfinished: Counter[str | None]  # by owner
    seconds_per_job: float
    good_until: float

    def wait(self, priority: int) -> float:
        """Return the seconds until a new document is through."""
        before = sum(number for other, number in self.queued.items() if other <= priority)
        return before * self.seconds_per_job


class Admission:
    """Decides whether documents are taken in; the queue is looked at about once a second.

    Args:
        store: the job store.
        settings: with the limits.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._lock = threading.Lock()
        self._seen: _Look | None = None

    def check(
        self,
        owner: str | None,
        priority: int,
        *,
        documents: int = 1,
        max_queued: int | None = None,
    ) -> None:
        """Return where documents may be put into the queue; they count from then on.

        Args:
            owner: id of the sender's key; None where the service has no keys, and no limit then.
            priority: 0 where somebody waits, 1 in a batch.
            documents: how many are to come.
            max_queued: most unfinished jobs of the key; None for the installation's.

        Raises:
            Overloaded: the queue is too long; it says when it will not be.
            TooManyJobs: the owner has too many jobs in it.
        """
        most = max_queued or self._settings.max_queued
        limit = (
            self._settings.max_batch_queue_seconds if priority else self._settings.max_queue_seconds
        )
        with self._lock:
            look = self._look()
            own = look.unfinished[owner] + documents
            if owner is not None and own > most:
                raise TooManyJobs(
                    f"This key has {own - documents} unfinished jobs; {most} is the most.",
                    retry_after=min(_LONGEST, (own - most) * look.seconds_per_job),
                )
            wait = look.wait(priority)
            if wait > limit:
                raise Overloaded(
                    f"The document would have to wait for about {wait:.0f} seconds.",
                    retry_after=min(_LONGEST, wait - limit),
                )
            look.queued[priority] += documents
            look.unfinished[owner] += documents

    def wait(self, priority: int) -> float:
        """Return the seconds that a new document of a priority would have to wait, about."""
        with self._lock:
            return self._look().wait(priority)

    def check_room(self) -> None:
        """Return where the disk has room for documents; raises StorageFull."""
        if shutil.disk_usage(self._settings.home).free < self._settings.min_free_bytes:
            raise StorageFull("The disk of the service is nearly full.")

    def _look(self) -> _Look:
        """Return the queue as it stands, or stood a moment ago."""
        begun = time.monotonic()
        if self._seen is None or begun >= self._seen.good_until:
            queued, unfinished, runs = _counted(self._store.database)
            workers = [
                worker.stages
                for worker in self._store.workers()
                if worker.ready and worker.age < self._settings.lease_seconds
            ]
            hands = min(sum(stage in stages for stages in workers) for stage in STAGES)
            ended = time.monotonic()
            good_for = max(_FRESH, _SHARE * (ended - begun))
            pace = seconds_per_job(runs, max(1, hands))
            self._seen = _Look(queued, unfinished, pace, ended + good_for)
        return self._seen


def seconds_per_job(runs: Iterable[tuple[float, float]], workers: int) -> float:
    """Return the seconds between the ends of two documents at full work.

    Args:
        runs: beginning and end of the documents that ended last, in seconds.
        workers: that work at the same time.
    """
    spans = sorted(runs)
    if not spans:
        return _UNMEASURED / workers
    busy, until = 0.0, -float("inf")
    for begin, end in spans:
        busy += max(0.0, end - max(begin, until))
        until = max(until, end)
    mean = sum(end - begin for begin, end in spans) / len(spans)
    return min(busy / len(spans), mean / workers)


def position(database: Database, job: Job) -> int | None:
    """Return a queued job's place before the stage it waits for, from 1.

    None for jobs that do not wait, and for those with more than 10,000 others before them.
    """
    if job.state != "queued":
        return None
    older = or_(
        JobRow.created_at < job.created_at,
        and_(JobRow.created_at == job.created_at, JobRow.id < job.id),
    )
    first = or_(JobRow.priority < job.priority, and_(JobRow.priority == job.priority, older))
    before = (
        select(literal(1))
        .where(JobRow.state == "queued", JobRow.stage == job.stage, first)
        .limit(_FAR + 1)
        .subquery()
    )
    with database.reading() as connection:
        number = connection.scalar(select(func.count()).select_from(before)) or 0
    return number + 1 if number <= _FAR else None


def _counted(
    database: Database,
) -> tuple[Counter[int], Counter[str | None], list[tuple[float, float]]]:
    """Return the queued jobs by priority, the unfinished by owner, and the last runs."""
    waiting = (
        select(JobRow.owner, JobRow.priority, JobRow.state, func.count())
        .where(JobRow.state.in_(("queued", "running")))
        .group_by(JobRow.owner, JobRow.priority, JobRow.state)
    )
    ended = (
        select(JobRow.started_at, JobRow.finished_at)
        .where(
            JobRow.expired_at.is_(None),
            JobRow.finished_at.is_not(None),
            JobRow.started_at.is_not(None),
            JobRow.attempts > 0,
            JobRow.state.in_(("succeeded", "failed")),
        )
        .order_by(JobRow.finished_at.desc())
        .limit(_MEASURED)
    )
    queued: Counter[int] = Counter()
    unfinished: Counter[str | None] = Counter()
    with database.reading() as connection:
        for owner, priority, state, number in connection.execute(waiting):
            unfinished[owner] += number
            if state == "queued":
                queued[priority] += number
        runs = [
            (float(begin or 0.0), float(end or 0.0)) for begin, end in connection.execute(ended)
        ]
    return queued, unfinished, runs
