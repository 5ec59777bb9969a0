"""A semaphore of several processes that a process gives back even by dying."""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator


class ProcessSemaphore:
    """Lets so many processes in; made before they fork, and used in each of them by one thread.

    Each place is a byte of one nameless file. The lock on it belongs to the process: the system
    releases it when the process ends, however it does.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (open as long as the processes live)

    @contextlib.contextmanager
    def acquired(self) -> Iterator[bool]:
        """Take a place, without waiting for one, for as long as the context lasts.

        Yields:
            Whether there was one.
        """
        for index in range(self._count):
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, index, os.SEEK_SET)
            except OSError:  # another process has it
                continue
            try:
                yield True
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, index, os.SEEK_SET)
            return
        yield False
