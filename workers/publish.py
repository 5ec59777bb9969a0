"""Announcements to the broker, from a thread of their own."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Sequence

from celery import Celery
from kombu.exceptions import KombuError
from redis import Redis, RedisError

from workers.announce import MOST
from workers.celery_app import PREFIX, build_app, task_name
from workers.settings import Settings

log = logging.getLogger(__name__)

_KEPT = 1000  # announcements not yet sent
_PAUSE_S = 1.0  # while the broker is away
_FAREWELL_S = 2.0  # for what is still to be sent at the end


class Publishing:
    """Announces to the broker, from a thread of its own.

    While the broker is away, announcements are dropped: the sweeper makes up for them.

    Args:
        settings: of the installation, with its broker.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._waiting: deque[tuple[str, str]] = deque(maxlen=_KEPT)
        self._changed = threading.Condition()
        self._closing = False
        self._thread: threading.Thread | None = None

    def announce(self, stage: str, job_ids: Sequence[str]) -> None:
        """Have the broker told of a stage's jobs; of many, of the first ones."""
        with self._changed:
            self._waiting.extend((stage, job_id) for job_id in job_ids[:MOST])
            if self._waiting and self._thread is None and not self._closing:
                self._thread = threading.Thread(target=self._work, name="announcer", daemon=True)
                self._thread.start()
            self._changed.notify()

    def close(self) -> None:
        """Send what is left, for two seconds at most, and stop."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(_FAREWELL_S)

    def _work(self) -> None:
        app = build_app(self._settings, announcing=True)
        away = False
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if not self._waiting:
                    break
                chosen = list(self._waiting)
                self._waiting.clear()
            try:
                _send(app, chosen)
                away = False
            except (KombuError, RedisError, OSError) as error:
                if not away:
                    log.warning("broker away", extra={"reason": type(error).__name__})
                away = True
                with self._changed:
                    self._changed.wait_for(lambda: self._closing, _PAUSE_S)
        app.close()


def pending(settings: Settings, stage: str) -> int:
    """Return how many announcements of a stage the broker holds for workers to come.

    Raises:
        RedisError: it does not answer within a second.
    """
    with Redis.from_url(
        settings.broker_url, socket_timeout=1.0, socket_connect_timeout=1.0
    ) as client:
        return int(client.llen(f"{PREFIX}{stage}"))


def _send(app: Celery, chosen: Sequence[tuple[str, str]]) -> None:
    with app.producer_or_acquire() as producer:
        for stage, job_id in chosen:
            app.send_task(task_name(stage), args=[job_id], producer=producer, retry=False)
