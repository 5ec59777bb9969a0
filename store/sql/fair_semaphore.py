"""Places that threads take in the order in which they came."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable


class Places:
    """A semaphore that nobody overtakes: a place that is given back goes to who waits longest.

    The semaphore of the standard library lets a thread that gives its place back take it again at
    once, and again, while others wait; so does the queue of SQLAlchemy's pools.

    Args:
        number: of places, at least 1.
        on_wait: called when a thread has begun to wait; for tests.
    """

    def __init__(self, number: int, on_wait: Callable[[], None] = lambda: None) -> None:
        self._free = number
        self._on_wait = on_wait
        self._waiting = deque[threading.Event]()  # nobody waits while there are free places
        self._lock = threading.Lock()

    def take(self, timeout: float) -> bool:
        """Take a place; return False where there was none for so many seconds."""
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            given = threading.Event()
            self._waiting.append(given)
        try:
            self._on_wait()
            given.wait(timeout)
        except BaseException:  # of a signal, in the main thread
            if not self._leave(given):
                self.give_back()
            raise
        return not self._leave(given)

    def give_back(self) -> None:
        """Give a place that was taken back, or on to who waits longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1

    def _leave(self, given: threading.Event) -> bool:
        """Wait no longer; return False where a place was given, be it at the last moment."""
        with self._lock:
            if given.is_set():
                return False
            self._waiting.remove(given)
            return True
