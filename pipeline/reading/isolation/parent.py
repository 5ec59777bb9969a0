"""Ties a process to the one that started it."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent(signal_number: int = signal.SIGTERM) -> None:
    """Ask the kernel to send this process a signal when its parent dies; Linux only.

    The parent has to start it from its main thread: the kernel watches that very thread.
    """
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, int(signal_number), 0, 0, 0)
    if os.getppid() != parent:  # it died while we asked
        os.kill(os.getpid(), signal_number)
