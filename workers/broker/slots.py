"""A few places that processes share: whoever holds one gives it back even by dying."""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator


class Slots:
    """So many places; made before the processes fork, and used in each of them by one thread.

    Each is a byte of one nameless file. The lock on it is the process's own: the system frees it
    when the process ends, however it does.

    Args:
        count: how many.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (open as long as the processes live)

    @contextlib.contextmanager
    def place(self) -> Iterator[bool]:
        """Give whether one was free; it is ours meanwhile."""
        for index in range(self._count):
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, index, os.SEEK_SET)
            except OSError:  # somebody else's
                continue
            try:
                yield True
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN, 1, index, os.SEEK_SET)
            return
        yield False

    def close(self) -> None:
        """Give up all places of this process."""
        self._file.close()
