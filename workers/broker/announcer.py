"""Announcements to the broker, and again of those that it lost.

Announcing never fails and never waits: a thread sends what there is.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Sequence

from celery import Celery
from kombu.exceptions import KombuError
from redis import Redis, RedisError

from store.announce import MOST, Announcer
from store.jobs import STAGES, Jobs
from store.settings import Settings
from workers.broker.celery_app import ENDS, PREFIX, build_app, connect, task_name
from workers.sweeper import Chore

log = logging.getLogger(__name__)

_KEPT = 1000  # announcements not yet sent
_ENOUGH = 8  # that wait for a worker: all are busy, and look by themselves when they are not
_PAUSE_S = 1.0  # while the broker is away
_FAREWELL_S = 2.0  # for what is still to be sent at the end


class BrokerAnnouncer(Announcer):
    """Announces to the broker, from a thread of its own.

    Where enough announcements wait to be heard, no more are sent: whoever hears one looks for all
    jobs of its stage. While the broker is away they are dropped: the sweeper makes up for them.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._waiting: deque[tuple[str, str]] = deque(maxlen=_KEPT)
        self._ends: deque[str] = deque(maxlen=_KEPT)
        self._changed = threading.Condition()
        self._closing = False
        self._thread: threading.Thread | None = None

    def announce(self, stage: str, job_ids: Sequence[str]) -> None:
        """Have the broker told of a stage's jobs; of many, of the first ones."""
        with self._changed:
            self._waiting.extend((stage, job_id) for job_id in job_ids[:MOST])
            if self._waiting:
                self._begin()
        time.sleep(0)  # let the thread go first: somebody waits for it

    def ended(self, job_id: str) -> None:
        """Have those told who wait for the job to end, at every host."""
        with self._changed:
            self._ends.append(job_id)
            self._begin()
        time.sleep(0)

    def close(self) -> None:
        """Send what is left, for two seconds at most, and stop."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(_FAREWELL_S)

    def _begin(self) -> None:
        """Have the thread send what there is; the caller holds the lock."""
        if self._thread is None and not self._closing:
            self._thread = threading.Thread(target=self._work, name="announcer", daemon=True)
            self._thread.start()
        self._changed.notify()

    def _work(self) -> None:
        app = build_app(self._settings, announcing=True)
        channel = connect(self._settings)
        away = False
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._ends or self._closing)
                if not self._waiting and not self._ends:
                    break
                chosen, ends = list(self._waiting), list(self._ends)
                self._waiting.clear()
                self._ends.clear()
            try:
                if ends:
                    channel.publish(ENDS, "\n".join(ends))
                _send(app, channel, chosen)
                away = False
            except (KombuError, RedisError, OSError) as error:
                if not away:
                    log.warning("broker away", extra={"reason": type(error).__name__})
                away = True
                with self._changed:
                    self._changed.wait_for(lambda: self._closing, _PAUSE_S)
            except Exception:  # a fault of ours must not end all announcements to come
                log.exception("announcer stumbled")
        channel.close()
        app.close()


def announcing_chore(jobs: Jobs) -> Chore:
    """Return the chore that a queue with a broker has besides those of `queue_chores`."""
    return Chore("sweep-announce", lambda: announce_again(jobs), jobs.settings.sweep_seconds)


def announce_again(jobs: Jobs) -> int:
    """Tell the broker of jobs that have waited for a while, where it holds too few announcements.

    Whatever the broker lost comes back by this. It never holds more than one announcement a job
    and period, nor many in all: a worker that is woken goes on while there is work.

    Returns:
        How many announcements were made.

    Raises:
        ServiceError: the store does not answer.
        ConnectionError: the broker does not.
    """
    made = 0
    for stage in STAGES:
        waiting = jobs.claims.unannounced(
            stage, older_than=jobs.settings.announce_seconds, most=MOST
        )
        if not waiting:
            continue
        missing = waiting[: max(0, len(waiting) - pending(jobs.settings, stage))]
        jobs.announcer.announce(stage, missing)
        jobs.claims.note_announced(waiting)
        made += len(missing)
    if made:
        log.info("announced again", extra={"jobs": made})
    return made


def pending(settings: Settings, stage: str) -> int:
    """Return how many announcements of a stage the broker holds for workers to come.

    Raises:
        ConnectionError: it does not answer within a second.
    """
    try:
        with connect(settings) as client:
            return _waiting(client, stage)
    except RedisError as error:
        raise ConnectionError(f"The broker does not answer: {error}") from error


def _send(app: Celery, channel: Redis, chosen: Sequence[tuple[str, str]]) -> None:
    for stage in dict(chosen):
        if _waiting(channel, stage) >= _ENOUGH:
            continue
        with app.producer_or_acquire() as producer:
            for job_id in (job_id for other, job_id in chosen if other == stage):
                app.send_task(task_name(stage), args=[job_id], producer=producer, retry=False)


def _waiting(client: Redis, stage: str) -> int:
    """Return how many announcements of a stage no worker has taken yet."""
    return int(client.llen(f"{PREFIX}{stage}"))
