"""Bells between the processes of the embedded service: one rings, and one that waits wakes.

One bell rings for a new job, another for a job that has ended, and names it. Each is a pipe that
all of them inherit. A ring is a line; who wakes empties the pipe. Nothing but time depends on it:
who waits looks into the job store now and then all the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select


class Bell:
    """One pipe, both ends in every process.

    Args:
        ends: descriptors to read from and to write to.
    """

    def __init__(self, ends: tuple[int, int]) -> None:
        self.ends = ends

    @classmethod
    def made(cls) -> Bell:
        """Return a new bell; its ends are not inherited unless they are passed on."""
        ends = os.pipe()
        for end in ends:
            os.set_blocking(end, False)
        return cls(ends)

    @property
    def setting(self) -> str:
        """The value of the setting `bell` by which a child finds the inherited ends."""
        return f"{self.ends[0]},{self.ends[1]}"

    @classmethod
    def inherited(cls, setting: str) -> Bell | None:
        """Return the bell of a setting, None where it is empty."""
        if not setting:
            return None
        read, _, write = setting.partition(",")
        return cls((int(read), int(write)))

    def ring(self, name: str = "") -> None:
        """Wake whoever waits, and tell them a name; a full pipe rings already."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            os.write(self.ends[1], f"{name}\n".encode())

    def wait(self, seconds: float) -> bool:
        """Return at the next ring, or after so many seconds; say whether it rang."""
        if not select.select([self.ends[0]], [], [], seconds)[0]:
            return False
        self._told()
        return True

    async def heard(self, seconds: float) -> set[str]:
        """Return at the next ring, or after so many seconds, without holding up the event loop.

        Returns:
            The names that were told; a ring without a name tells an empty one.
        """
        loop, rung = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self.ends[0], rung.set)
        try:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(rung.wait(), seconds)
        finally:
            loop.remove_reader(self.ends[0])
        return self._told()

    def _told(self) -> set[str]:
        """Empty the pipe; a line is written at once, and so never lies there in part."""
        try:
            return set(os.read(self.ends[0], 65536).decode().splitlines())
        except BlockingIOError:  # somebody else was faster, or nobody rang
            return set()

    def close(self) -> None:
        """Close both ends in this process."""
        for end in self.ends:
            os.close(end)
