"""Ends of jobs, heard from the broker."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

from redis import RedisError

from store.settings import Settings
from workers.broker.celery_app import ENDS, connect

_PAUSE_S = 1.0  # while the broker is away
_SILENCE_S = 1.0  # after which the listener looks whether it is to stop
_LONGEST_STOP_S = 3.0
_ALIVE_S = 30.0  # between two looks whether the broker is still there


class EndListener:
    """Hears from the broker that jobs have ended, in a thread of its own.

    While the broker is away nothing is heard: whoever waits looks at the store now and then.

    Args:
        settings: of the installation, with its broker.
        on_end: called with the id of each job that has ended.
    """

    def __init__(self, settings: Settings, on_end: Callable[[str], None]) -> None:
        self._settings = settings
        self._on_end = on_end
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """End, in three seconds at most; `on_end` is not called again."""
        self._stopped.set()
        self._thread.join(_LONGEST_STOP_S)

    def _listen(self) -> None:
        while not self._stopped.is_set():
            with contextlib.suppress(RedisError, OSError), connect(self._settings) as client:
                channel = client.pubsub(ignore_subscribe_messages=True)
                channel.subscribe(ENDS)
                due = time.monotonic() + _ALIVE_S
                while not self._stopped.is_set():
                    message = channel.get_message(timeout=_SILENCE_S)
                    for job_id in message["data"].decode().splitlines() if message else ():
                        self._on_end(job_id)
                    if time.monotonic() > due:
                        channel.ping()
                        due = time.monotonic() + _ALIVE_S
            self._stopped.wait(_PAUSE_S)
