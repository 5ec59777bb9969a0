"""Starts the nodes that serve given queues on this machine, and keeps them running."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from store.jobs import STAGES
from store.settings import Settings
from workers.process_supervisor import TAGGING, Child, ProcessSupervisor

_NODE = "workers.broker.node"
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
        settings: of the installation, with its broker.
        queues: among ``read``, ``tag``, ``resolve``.
        concurrency: documents that are read at a time.
    """
    children = [
        Child(
            "-".join(stages),
            partial(_be_node, settings, stages, 1 if "tag" in stages else concurrency),
            preload=(_NODE, *(TAGGING if "tag" in stages else ())),
        )
        for stages in nodes_for(queues)
    ]
    ProcessSupervisor(children, drain_seconds=settings.drain_seconds + 2 * LATE_S).run()


def _be_node(settings: Settings, stages: Sequence[str], concurrency: int) -> int:
    from workers.broker.node import main  # loaded in advance: see `_NODE`

    return main(settings, stages, concurrency)
