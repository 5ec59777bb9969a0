"""Pipes that wake the processes of the embedded service, so that none has to ask the store often.

`fieldwright serve` makes two: the API writes to one when a job waits, and the workers to the other
when a job has ended. A byte in a pipe is only a hint: workers, and those who wait for an answer,
look at the job store now and then anyway.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
from collections.abc import Sequence

from store.announce import Announcer


class WakeupPipe:
    """A new pipe; forks of this process have both its ends, programs that it starts have not.

    Attributes:
        ends: descriptors to read from and to write to.
    """

    def __init__(self) -> None:
        self.ends = os.pipe()
        for end in self.ends:
            os.set_blocking(end, False)

    def send(self, name: str = "") -> None:
        """Wake whoever waits, and tell them a name; a full pipe is one that wakes already."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            os.write(self.ends[1], f"{name}\n".encode())

    def wait(self, seconds: float) -> bool:
        """Return when woken, or after so many seconds; say whether it was woken."""
        if not select.select([self.ends[0]], [], [], seconds)[0]:
            return False
        self._received()
        return True

    async def heard(self, seconds: float) -> set[str]:
        """Return when woken, or after so many seconds, without holding up the event loop.

        Returns:
            The names that were sent; one that was sent without a name is empty.
        """
        loop, readable = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self.ends[0], readable.set)
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(readable.wait(), seconds)
        finally:
            loop.remove_reader(self.ends[0])
        return self._received()

    def _received(self) -> set[str]:
        """Empty the pipe; lines are written in one piece, so none is there in part."""
        try:
            return set(os.read(self.ends[0], 65536).decode().splitlines())
        except BlockingIOError:  # another process was faster, or nothing was sent
            return set()

    def close(self) -> None:
        """Close both ends in this process."""
        for end in self.ends:
            os.close(end)


class PipeAnnouncer(Announcer):
    """Announces through pipes; what was sent is in them when it closes.

    Args:
        wakeup: wakes the workers.
        ends: tells those who wait which jobs have ended.
    """

    def __init__(self, wakeup: WakeupPipe, ends: WakeupPipe) -> None:
        self._wakeup = wakeup
        self._ends = ends

    def announce(self, stage: str, job_ids: Sequence[str]) -> None:
        """Wake the workers; they look for jobs of any stage."""
        if job_ids:
            self._wakeup.send()

    def ended(self, job_id: str) -> None:
        """Wake those who wait."""
        self._ends.send(job_id)
