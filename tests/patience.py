"""How tests wait: for a condition, generously, and never for a length of time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 120.0  # seconds until a test gives up, on a machine that has other work to do


def until(condition: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """Return the condition's first true value; fail after `patience` seconds."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited in vain for {what}")


def tidied() -> None:
    """Return when what documents that were read here left behind is gone."""
    for thread in threading.enumerate():
        if thread.name == "tidying":
            thread.join(PATIENCE)
