"""Tells whether a file or folder is still somebody's.

Its owner holds a lock on it, which the kernel drops with the process, however that ends: what
nobody has locked is what a killed process left.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def own(descriptor: int, path: Path) -> bool:
    """Own what this process has just made, until the descriptor is closed.

    Where the file system knows no locks it is ours as well: `abandoned` takes nothing there.

    Returns:
        False where it was taken for abandoned before it was locked: it has to be made again.
    """
    try:
        return _locked(descriptor) and path.exists()
    except OSError:
        return True


@contextmanager
def abandoned(path: Path) -> Iterator[bool]:
    """Tell whether a file or folder is nobody's, and keep others from it meanwhile.

    It is not where it is gone, may not be opened, or lies where there are no locks.
    """
    descriptor, free = -1, False
    with suppress(OSError):
        # Not blocking: what others put there may be a pipe.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        free = _locked(descriptor)
    try:
        yield free
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
