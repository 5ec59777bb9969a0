"""Back-pressure: whether one more document may wait, judged by time and not by number.

The time until a new document is finished is estimated as the number of documents before it times
the seconds between two documents at full load. Before it are those of lower priority numbers, and
of its own priority those of its key, and of each other key as many and one more at most: keys are
served in turns. So the long queue of one key keeps out no other. The seconds are measured on the
last documents that ended, in two ways: the time in which at least one of them was running, and the
mean of their times, spread over the workers. The first is right while the queue is full, even where
documents wait between stages; the second while it is nearly empty. Each is too large in the other
case, so the smaller one counts.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, select

from store.errors import BatchTooLarge, Overloaded, StoreUnavailable, TooManyJobs
from store.jobs import counts
from store.jobs.records import STAGES, TERMINAL
from store.jobs.workers import WorkerRegistry
from store.settings import Settings
from store.sql.database import Database
from store.sql.tables import JobRow, KeyRow, db_now

_MEASURED = 50  # documents that ended last
_UNMEASURED = 1.0  # seconds a document, before the first one has ended
_LONGEST_RUN = 600.0  # seconds; meanwhile a clock was set, or the machine asleep
_FRESH = 1.0  # seconds that a look at the queue is good for, at least
_SHARE = 20  # a look is good for so many times the time it took: it costs at most a part of 20
_TURN_S = 5.0  # longest wait for others who look at the queue
_AT_ONCE = 10_000  # jobs; more than all processes store for one key between two looks
_LONGEST = 86_400.0  # seconds that a sender is told to stay away, at most


@dataclass(slots=True)
class _Look:
    """The queue at one moment, and what was admitted since."""

    queued: Counter[tuple[int, str]]  # by priority and owner
    unfinished: Counter[str]  # by owner
    seconds_per_job: float
    good_until: float

    def wait(self, owner: str, priority: int) -> float:
        """Return the seconds until a new document of an owner is through."""
        own = self.queued[priority, owner]
        before = own + sum(
            number if other < priority else min(number, own + 1)
            for (other, another), number in self.queued.items()
            if other < priority or (other == priority and another != owner)
        )
        return before * self.seconds_per_job


class Admission:
    """Decides whether documents are accepted; the queue is looked at about once a second.

    Between two looks a process knows what it let in itself, not what others did. Near a key's limit
    its jobs are therefore counted exactly, once more, in the transaction that stores what it sends.

    Args:
        database: of the job store.
        workers: that share the work.
        settings: how long documents may wait, and how many jobs an owner may have unfinished.
    """

    def __init__(self, database: Database, workers: WorkerRegistry, settings: Settings) -> None:
        self._database = database
        self._workers = workers
        self._settings = settings
        self._lock = threading.Lock()
        self._seen: _Look | None = None

    def check(
        self,
        owner: str | None,
        priority: int,
        *,
        documents: int = 1,
        counted: int = 0,
        max_queued: int | None = None,
    ) -> None:
        """Return where documents may be put into the queue; they count from then on.

        Args:
            owner: id of the sender's key; None where the service has no keys, and no limit then.
            priority: 0 where somebody waits, 1 in a batch.
            documents: how many are to come.
            counted: how many of the same request were let in before.
            max_queued: most unfinished jobs of the key; None for the installation's.

        Raises:
            BatchTooLarge: these are more than the owner may ever have in the queue.
            Overloaded: the queue is too long; it says when it will not be.
            TooManyJobs: the owner has too many jobs in it.
            StoreUnavailable: the queue could not be looked at.
        """
        settings, most = self._settings, self._most(max_queued)
        limit = settings.max_batch_queue_seconds if priority else settings.max_queue_seconds
        sent, name = counted + documents, owner or ""
        if owner is not None and sent > most:  # to wait would not help
            raise BatchTooLarge(f"This key may have {most} unfinished jobs, and sends {sent}.")
        with self._looking() as look:
            own = look.unfinished[name] + documents
            if owner is not None and own > most:
                raise TooManyJobs(
                    f"This key has {own - documents} unfinished jobs; {most} is the most.",
                    retry_after=min(_LONGEST, (own - most) * look.seconds_per_job),
                )
            wait = look.wait(name, priority)
            if wait > limit:
                raise Overloaded(
                    f"The document would have to wait for about {wait:.0f} seconds.",
                    retry_after=min(_LONGEST, wait - limit),
                )
            look.queued[priority, name] += documents
            look.unfinished[name] += documents

    def confirm(
        self, connection: Connection, owner: str | None, max_queued: int | None = None
    ) -> None:
        """Return where a key has no more unfinished jobs than it may, those just stored included.

        To be asked last in the transaction that stores them: who stores jobs of the same key at
        the same time, in another process too, waits here for its end. Far from the limit nobody
        waits or counts: the disk then takes the transactions of a busy key together.

        Raises:
            TooManyJobs: it has more; nothing may be stored.
        """
        most = self._most(max_queued)
        seen = self._seen.unfinished[owner] if owner and self._seen else 0
        if owner is None or seen <= most - _AT_ONCE:
            return
        own = select(KeyRow.id).where(KeyRow.id == owner)
        connection.execute(own.with_for_update(key_share=True))
        if counts.read(connection, owner).total() > most:
            raise TooManyJobs(f"This key may have {most} unfinished jobs.", retry_after=_FRESH)

    def _most(self, max_queued: int | None) -> int:
        return max_queued or self._settings.max_queued

    @contextmanager
    def _looking(self) -> Iterator[_Look]:
        """Give the queue to one thread at a time; while the store is silent none queues up here."""
        if not self._lock.acquire(timeout=_TURN_S):
            raise StoreUnavailable("The job store does not answer.")
        try:
            yield self._look()
        finally:
            self._lock.release()

    def _look(self) -> _Look:
        """Return the queue as it stands, or stood a moment ago."""
        begun = time.monotonic()
        if self._seen is None or begun >= self._seen.good_until:
            queued, unfinished, runs = _counted(self._database)
            workers = [
                worker.stages
                for worker in self._workers.list()
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


def _counted(
    database: Database,
) -> tuple[Counter[tuple[int, str]], Counter[str], list[tuple[float, float]]]:
    """Return the queued jobs by priority and owner, the unfinished by owner, and the last runs."""
    ended = (
        select(JobRow.started_at, JobRow.finished_at)
        .where(
            JobRow.expired_at.is_(None),
            JobRow.finished_at <= db_now(),  # a clock may have been set back
            JobRow.started_at.is_not(None),
            JobRow.attempts > 0,
            JobRow.state.in_(("succeeded", "failed")),
        )
        .order_by(JobRow.finished_at.desc())
        .limit(_MEASURED)
    )
    queued: Counter[tuple[int, str]] = Counter()
    unfinished: Counter[str] = Counter()
    with database.reading() as connection:
        for kind, number in counts.read(connection).items():
            if kind.state not in TERMINAL:
                unfinished[kind.owner] += number
            if kind.state == "queued":
                queued[kind.priority, kind.owner] += number
        runs = [
            (min(end, max(begin or 0.0, end - _LONGEST_RUN)), end)
            for begin, end in connection.execute(ended)
            if end is not None
        ]
    return queued, unfinished, runs
