"""The pulse of a process: by it the one that keeps it sees that it still does something."""

from __future__ import annotations

import mmap
import time


class Pulse:
    """When a process last did something, in memory that it shares with the one that forks it.

    The job store has that, too, but hears nothing of a worker while it takes no writes, and such a
    worker does not hang. The clock stands still while the machine sleeps.
    """

    def __init__(self) -> None:
        self._seen = memoryview(mmap.mmap(-1, 8)).cast("d")

    def forget(self) -> None:
        """Begin anew: another process is about to be started."""
        self._seen[0] = 0.0

    def beat(self) -> None:
        """Note that this process does something."""
        self._seen[0] = time.monotonic()

    @property
    def silence(self) -> float:
        """Seconds since it last did something; 0 before it first did."""
        seen = self._seen[0]
        return time.monotonic() - seen if seen else 0.0
