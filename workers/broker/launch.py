"""Starts the nodes that serve given queues on this machine, and keeps them running."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from store.jobs import STAGES
from store.settings import Settings
from workers.process_supervisor import Child, ProcessSupervisor

LATE_S = 5.0  # beyond the time to drain: then a node ends, whatever it waits for


def nodes_for(queues: Sequence[str]) -> list[tuple[str, ...]]:
    """Return which queues share a node: reading has its own, the model has one process.

    Raises:
        ValueError: there is no such queue.
    """
    if not queues or not set(queues) <= set(STAGES):
        raise ValueError(f"no such queue among {queues}")
    chosen = tuple(stage for stage in STAGES if stage in queues)
    if chosen[:2] == ("read", "tag"):
        return [("read",), chosen[1:]]
    return [chosen]


def work(settings: Settings, queues: Sequence[str], concurrency: int) -> None:
    """Work at queues until SIGTERM.

    Args:
        settings: of the installation, with its broker; the nodes read the same environment.
        queues: among ``read``, ``tag``, ``resolve``.
        concurrency: documents that are read at a time.
    """
    children = [
        Child(
            [
                *(sys.executable, "-m", "workers.broker.node", ",".join(stages)),
                *(str(1 if "tag" in stages else concurrency), settings.device),
            ],
            "-".join(stages),
        )
        for stages in nodes_for(queues)
    ]
    ProcessSupervisor(children, drain_seconds=settings.drain_seconds + 2 * LATE_S).run()
