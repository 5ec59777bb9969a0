"""A job that may have stopped a worker runs alone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from tests.patience import PATIENCE
from workers.quarantine import Quarantine


def test_suspect_is_alone() -> None:
    """It waits for those that run, and those that come later wait for it."""
    waits, order = threading.Event(), list[str]()
    quarantine = Quarantine(on_wait=waits.set)

    def suspect() -> None:
        with quarantine.alone():
            order.append("suspect")

    def late() -> None:
        with quarantine.shared():
            order.append("late")

    with ThreadPoolExecutor() as pool:
        with ExitStack() as early:
            early.enter_context(quarantine.shared())
            early.enter_context(quarantine.shared())
            waiting = pool.submit(suspect)
            assert waits.wait(PATIENCE)
            later = pool.submit(late)
            order.append("early")
        waiting.result(PATIENCE)
        later.result(PATIENCE)
    assert order == ["early", "suspect", "late"]
