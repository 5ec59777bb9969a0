"""Announcements to the broker, and what is heard of them: each from a thread of its own."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Sequence

from celery import Celery
from kombu.exceptions import KombuError
from redis import Redis, RedisError

from store.announce import MOST
from store.settings import Settings
from workers.broker.celery_app import PREFIX, build_app, task_name
from workers.broker.idle import Waking
from workers.embedded.bell import Bell

log = logging.getLogger(__name__)

_KEPT = 1000  # announcements not yet sent
_ENOUGH = 8  # that wait for a worker: all are busy, and look by themselves when they are not
_PAUSE_S = 1.0  # while the broker is away
_FAREWELL_S = 2.0  # for what is still to be sent at the end
_ENDS = f"{PREFIX}ends"  # the channel on which the ends of jobs are told
_SILENCE_S = 1.0  # after which a listener looks whether it is to stop
_ALIVE_S = 30.0  # between two looks of it whether the broker is still there


class Publishing:
    """Announces to the broker, from a thread of its own.

    Workers that are idle and awake are woken directly; what is left goes to Celery. Where enough
    announcements wait to be heard, no more are sent: whoever hears one looks for all jobs of its
    stage. While the broker is away they are dropped: the sweeper makes up for them.

    Args:
        settings: of the installation, with its broker.
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
        channel = _client(self._settings)
        waking = Waking(channel)
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
                    channel.publish(_ENDS, "\n".join(ends))
                _send(app, channel, waking, chosen)
                away = False
            except (KombuError, RedisError, OSError) as error:
                if not away:
                    log.warning("broker away", extra={"reason": type(error).__name__})
                away = True
                with self._changed:
                    self._changed.wait_for(lambda: self._closing, _PAUSE_S)
        channel.close()
        app.close()


class Listening:
    """Hears from the broker that jobs have ended, and rings a bell; in a thread of its own.

    While the broker is away nothing is heard: who waits looks for himself now and then.

    Args:
        settings: of the installation, with its broker.
        bell: rung for every end of a job.
    """

    def __init__(self, settings: Settings, bell: Bell) -> None:
        self._settings = settings
        self._bell = bell
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Hear no more; returns when the bell will not be rung again, in three seconds at most."""
        self._stopped.set()
        self._thread.join(_FAREWELL_S + _SILENCE_S)

    def _listen(self) -> None:
        while not self._stopped.is_set():
            with contextlib.suppress(RedisError, OSError), _client(self._settings) as client:
                channel = client.pubsub(ignore_subscribe_messages=True)
                channel.subscribe(_ENDS)
                due = time.monotonic() + _ALIVE_S
                while not self._stopped.is_set():
                    message = channel.get_message(timeout=_SILENCE_S)
                    for job_id in message["data"].decode().splitlines() if message else ():
                        self._bell.ring(job_id)
                    if time.monotonic() > due:
                        channel.ping()
                        due = time.monotonic() + _ALIVE_S
            self._stopped.wait(_PAUSE_S)


def pending(settings: Settings, stage: str) -> int:
    """Return how many announcements of a stage the broker holds for workers to come.

    Raises:
        RedisError: it does not answer within a second.
    """
    with _client(settings) as client:
        return _waiting(client, stage)


def _client(settings: Settings) -> Redis:
    return Redis.from_url(settings.broker_url, socket_timeout=1.0, socket_connect_timeout=1.0)


def _send(app: Celery, channel: Redis, waking: Waking, chosen: Sequence[tuple[str, str]]) -> None:
    for stage in dict(chosen):
        job_ids = [job_id for other, job_id in chosen if other == stage]
        asleep = job_ids[waking.wake(stage, len(job_ids)) :]
        if asleep and _waiting(channel, stage) < _ENOUGH:
            with app.producer_or_acquire() as producer:
                for job_id in asleep:
                    task = task_name(stage)
                    app.send_task(task, args=[job_id], producer=producer, retry=False)


def _waiting(client: Redis, stage: str) -> int:
    """Return how many announcements of a stage no worker has taken yet."""
    return int(client.llen(f"{PREFIX}{stage}"))
