"""How tests wait: for a condition, generously, and never for a length of time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 120.0  # seconds until a test gives up, on a machine that has other work to do


def until(condition: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """Return the condition's first true value; fail after `patience` seconds."""
    began = time.monotonic()
    while (waited := time.monotonic() - began) < patience:
        if value := condition():
            return value
        # Each look takes time from what is waited for: the longer that lasts, the fewer there are.
        time.sleep(min(0.02 + waited / 40, 0.25))
    raise AssertionError(f"waited in vain for {what}")


def tidied() -> None:
    """Return when what documents that were read here left behind is gone."""
    for thread in threading.enumerate():
        if thread.name == "tidying":
            thread.join(PATIENCE)
