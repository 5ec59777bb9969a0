"""Ties a process to the one that started it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent(signal_number: int = signal.SIGTERM, *, parent: int | None = None) -> None:
    """Ask the kernel to send this process a signal when its parent dies; Linux only.

    The parent has to start it from its main thread: the kernel watches that very thread.

    Args:
        signal_number: to be sent; at once where the parent is dead by now.
        parent: process number of the parent; what the kernel says now where it is not known.
    """
    if sys.platform != "linux":
        return
    parent = os.getppid() if parent is None else parent
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, int(signal_number), 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal_number)
