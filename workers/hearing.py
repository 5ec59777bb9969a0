"""A Celery worker that went deaf with a broken connection is made to hear again."""

from __future__ import annotations

from typing import Any

from celery import bootsteps
from celery.worker import state
from redis import ConnectionError as RedisConnectionError

_LOOK_S = 1.0  # between two looks


class Hearing(bootsteps.StartStopStep):  # type: ignore[misc]  # Celery has no types
    """Connects anew where an acknowledgement was lost.

    Where the connection breaks while every process of a worker has a message, nothing is being
    received, so that nothing but the acknowledgement fails. Celery notes that and goes on, kombu
    takes the message for one that is still being worked at, and with a prefetch of 1 the worker
    would never ask for another.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)
    _entry: Any = None

    def start(self, consumer: Any) -> None:
        """Look now and then, for as long as this connection lasts."""
        self._entry = consumer.timer.call_repeatedly(_LOOK_S, self._look, (consumer,))

    def stop(self, consumer: Any) -> None:
        """Look no more."""
        if self._entry is not None:
            self._entry.cancel()

    def _look(self, consumer: Any) -> None:
        """Raise what Celery takes for a broken connection where it is deaf."""
        if not state.reserved_requests and not consumer.task_consumer.channel.qos.can_consume():
            raise RedisConnectionError("An acknowledgement was lost.")
