"""Keeps child processes running: starts them, starts them again, and ends them with all they began.

Each child leads its own process group, and the group is killed with it: no Tesseract survives
its worker. `Keeper.run` must be called in the main thread: children die with the thread that
started them.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

log = logging.getLogger(__name__)

_TICK = 0.1  # seconds between two looks at the processes
_QUICK_DEATH = 5.0  # seconds; a process that lives shorter is restarted more and more slowly
_ROOT = Path(__file__).resolve().parents[2]


@dataclass(slots=True)
class Child:
    """A process that is kept running.

    Attributes:
        command: of the process.
        label: its name in the log.
        handles: file descriptors that it inherits.
        environment: added to ours.
        process: while it runs.
        worker: its name in the job store, new at each start; empty where it has none.
        started, failures, due: when it was started, how often it died soon, when it may start.
        silent_since: since when nothing was heard of it.
    """

    command: list[str]
    label: str
    handles: tuple[int, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None
    worker: str = ""
    started: float = 0.0
    failures: int = 0
    due: float = 0.0
    silent_since: float | None = None


class Keeper:
    """Keeps its children running until it is told to stop, then drains them.

    Args:
        children: to be kept.
        drain_seconds: at a stop, longest time for them to end by themselves.
    """

    def __init__(self, children: Sequence[Child], *, drain_seconds: float) -> None:
        self._children = list(children)
        self._drain_seconds = drain_seconds
        self._stopping = False

    def stop(self) -> None:
        """Drain and return from `run`; may be called from a signal handler or another thread."""
        # Not an Event: its lock may be held by the very code that the signal interrupted.
        self._stopping = True

    def run(self) -> None:
        """Keep all processes running until `stop`, SIGTERM or SIGINT; then drain."""

        def on_signal(number: int, frame: FrameType | None) -> None:
            self.stop()

        previous = {n: signal.signal(n, on_signal) for n in (signal.SIGTERM, signal.SIGINT)}
        try:
            self.begin()
            while not self._stopping:
                now = time.monotonic()
                for child in self._children:
                    self._keep(child, now)
                self.look(now)
                time.sleep(_TICK)
        finally:
            self._drain()
            self.end()
            for number, handler in previous.items():
                signal.signal(number, handler)

    def begin(self) -> None:
        """Do what comes before the first child."""

    def look(self, now: float) -> None:
        """Look after the children; called often."""

    def arguments(self, child: Child) -> list[str]:
        """Return what the command of a child ends with, this time."""
        return []

    def buried(self, child: Child) -> bool:
        """Clean up after a dead child; say whether it died at work rather than at its start."""
        return False

    def unfinished(self, child: Child) -> None:
        """Take back what a child has in hand that did not end in time; it is killed next."""

    def end(self) -> None:
        """Do what comes after the last child."""

    def bury(self, child: Child) -> bool:
        """Kill what is left of a child and its group, and clean up; return as `buried`."""
        if child.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, signal.SIGKILL)
            child.process.wait()
            child.process = None
        return self.buried(child)

    def _keep(self, child: Child, now: float) -> None:
        """Start a process that is not there, once its pause is over."""
        if child.process is not None and child.process.poll() is not None:
            status = child.process.returncode
            log.warning("process died", extra={"child": child.label, "status": status})
            # One that died over a document is wanted back at once; the attempts of the document
            # are counted. One that cannot even start is tried more and more slowly.
            at_work = self.bury(child)
            quick = now - child.started < _QUICK_DEATH and not at_work
            child.failures = child.failures + 1 if quick else 0
            child.due = now + (min(10.0, 0.25 * 2**child.failures) if quick else 0.0)
        if child.process is None and now >= child.due:
            child.started, child.silent_since = now, None
            child.process = subprocess.Popen(
                [*child.command, *self.arguments(child)],
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr.fileno(),  # standard output belongs to the caller
                env={**os.environ, **child.environment, "PYTHONPATH": _python_path()},
                pass_fds=child.handles,
                start_new_session=True,
            )

    def _drain(self) -> None:
        """Let the children end by themselves for a while, then end all."""
        alive = [child for child in self._children if child.process is not None]
        for child in alive:
            if child.process is not None:
                child.process.terminate()
        deadline = time.monotonic() + self._drain_seconds
        for child in alive:
            if child.process is None:
                continue
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(timeout=max(0.0, deadline - time.monotonic()))
            if child.process.poll() is None:
                self.unfinished(child)
            self.bury(child)


def _python_path() -> str:
    """Return PYTHONPATH with this project in front, so that children find the same code."""
    return os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
