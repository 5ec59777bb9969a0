"""Imports large libraries without the garbage collector in the way."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading(library: str) -> Iterator[None]:
    """Collect no garbage while a library is imported, and leave its objects out afterwards.

    Modules live as long as their process, yet the collector goes through their objects again and
    again: while they are created, a fifth of the time that importing PyTorch takes; in every full
    collection; and when the process ends, half a second.

    Args:
        library: name of its module; if it is loaded already, nothing happens.
    """
    if library in sys.modules or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
