"""Keeps jobs that may have stopped a worker apart from others, in a process with several lanes.

A job that ends the process takes the jobs of the other lanes with it, and nothing tells which of
them it was. So each of them runs alone from then on: the innocent ones succeed, and the guilty one
is set aside after its attempts.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator


class Quarantine:
    """A lock that the lanes of a process share, or that one lane has to itself.

    Args:
        on_wait: called when a lane begins to wait until it is alone; for tests.
    """

    def __init__(self, on_wait: Callable[[], None] = lambda: None) -> None:
        self._on_wait = on_wait
        self._changed = threading.Condition()
        self._sharing = 0
        self._waiting = 0
        self._alone = False

    @contextlib.contextmanager
    def shared(self) -> Iterator[None]:
        """Hold the lock with others; not while a lane is alone, or waits to be."""
        with self._changed:
            self._changed.wait_for(lambda: not self._alone and not self._waiting)
            self._sharing += 1
        try:
            yield
        finally:
            with self._changed:
                self._sharing -= 1
                self._changed.notify_all()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the lock alone, as soon as all others have released it."""
        with self._changed:
            self._waiting += 1
            self._on_wait()
            try:
                self._changed.wait_for(lambda: not self._alone and not self._sharing)
                self._alone = True
            finally:
                self._waiting -= 1
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._changed.notify_all()
