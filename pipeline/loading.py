"""Imports libraries of many thousand objects without the garbage collector in the way."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading(library: str) -> Iterator[None]:
    """Collect no garbage while a library is imported, and never look at what it made again.

    Modules live as long as their process. The collector looks through them again and again while
    they are made, which is a fifth of the time that PyTorch takes, once in every full collection,
    and at the end of the process, where it takes half a second.

    Args:
        library: name of its module; where that is there already, nothing happens.
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
