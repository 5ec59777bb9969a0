"""A Celery worker that went deaf with a broken connection is made to hear again."""

from __future__ import annotations

from typing import Any

from celery import bootsteps
from celery.worker import state
from redis import ConnectionError as RedisConnectionError

_LOOK_S = 1.0  # between two looks


class Hearing(bootsteps.StartStopStep):  # type: ignore[misc]  # Celery has no types
    """Connects anew where an acknowledgement was lost.

    Where the connection breaks while nothing is being received, since every process of a worker
    has a message, nothing but the acknowledgement fails. Celery notes that and goes on, and kombu
    takes the message for one that is still being worked at: it holds a place of the prefetch for
    ever. With the last place the worker would never ask for a message again.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)
    _entry: Any = None
    _lost = 0  # places held for no message at the look before

    def start(self, consumer: Any) -> None:
        """Look now and then, for as long as this connection lasts."""
        self._lost = 0
        self._entry = consumer.timer.call_repeatedly(_LOOK_S, self._look, (consumer,))

    def stop(self, consumer: Any) -> None:
        """Look no more."""
        if self._entry is not None:
            self._entry.cancel()

    def _look(self, consumer: Any) -> None:
        """Raise what Celery takes for a broken connection where a place stays lost."""
        qos = consumer.task_consumer.channel.qos
        room = qos.can_consume_max_estimate()
        if room is None:  # there is no limit
            return
        lost = qos.prefetch_count - room - len(state.reserved_requests)
        if lost > 0 and self._lost > 0:  # not just between a message's end and its acknowledgement
            raise RedisConnectionError("An acknowledgement was lost.")
        self._lost = lost
