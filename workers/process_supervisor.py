"""Keeps child processes running: starts them, restarts them, and ends them with all they started.

Each child leads its own process group, and the group is killed with it: no Tesseract survives its
worker. `ProcessSupervisor.run` must be called in the main thread: children die with the thread
that started them.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from pipeline.reading.isolation.parent import SUPERVISOR

log = logging.getLogger(__name__)

_TICK = 0.1  # seconds between two looks at the processes
_QUICK_DEATH = 5.0  # seconds; a process that lives shorter is restarted more and more slowly
_ROOT = Path(__file__).resolve().parents[1]


@dataclass(slots=True)
class Child:
    """A process that is kept running.

    Attributes:
        command: of the process.
        label: its name in the log.
        handles: file descriptors that it inherits.
        environment: added to ours.
        arguments: returns what is added to the command; called before each start.
        on_death: called when it is dead; returns whether it died at work, not at its start.
        wanted: says whether it is to be started; a child that has one may end by itself.
        on_kill: called before it is killed because it did not end in time.
        process: while it runs.
        started, failures, due: when it was started, how often it died soon, when it may start.
    """

    command: Sequence[str]
    label: str
    handles: tuple[int, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    arguments: Callable[[], Sequence[str]] = tuple
    on_death: Callable[[], bool] = lambda: False
    on_kill: Callable[[], None] = lambda: None
    wanted: Callable[[], bool] | None = None
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0
    due: float = 0.0

    def kill(self) -> bool:
        """Kill what is left of it and of its group; return as `on_death`."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
        return self.on_death()

    def keep(self) -> None:
        """Start it where it does not run, once the pause after its last death is over."""
        now = time.monotonic()
        if self.process is not None and (status := self.process.poll()) is not None:
            done = self.wanted is not None and status == 0
            if not done:
                log.warning("process died", extra={"child": self.label, "status": status})
            # One that died over a document is wanted back at once; the attempts of the document
            # are counted. One that cannot even start is tried more and more slowly.
            at_work = self.kill()
            quick = now - self.started < _QUICK_DEATH and not at_work and not done
            self.failures = self.failures + 1 if quick else 0
            self.due = now + (min(10.0, 0.25 * 2**self.failures) if quick else 0.0)
        if self.process is None and now >= self.due and (self.wanted is None or self.wanted()):
            self.started = now
            self.process = subprocess.Popen(
                [*self.command, *self.arguments()],
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr.fileno(),  # standard output belongs to the caller
                env={
                    **os.environ,
                    **self.environment,
                    "PYTHONPATH": _python_path(),
                    SUPERVISOR: str(os.getpid()),
                },
                pass_fds=self.handles,
                start_new_session=True,
            )


class ProcessSupervisor:
    """Keeps its children running until it is told to stop, then lets them finish.

    Args:
        children: to be kept running.
        drain_seconds: at a stop, longest time for them to end by themselves.
        look: called several times a second while they run.
    """

    def __init__(
        self,
        children: Sequence[Child],
        *,
        drain_seconds: float,
        look: Callable[[], None] = lambda: None,
    ) -> None:
        self._children = children
        self._drain_seconds = drain_seconds
        self._look = look
        self._stopping = False

    def stop(self) -> None:
        """Drain and return from `run`; may be called from a signal handler or another thread."""
        # Not an Event: the code that the signal interrupted may hold its lock.
        self._stopping = True

    def run(self) -> None:
        """Keep all children running until `stop`, SIGTERM or SIGINT; then drain."""

        def on_signal(number: int, frame: FrameType | None) -> None:
            self.stop()

        previous = {n: signal.signal(n, on_signal) for n in (signal.SIGTERM, signal.SIGINT)}
        try:
            while not self._stopping:
                for child in self._children:
                    child.keep()
                self._look()
                time.sleep(_TICK)
        finally:
            self._drain()
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _drain(self) -> None:
        """Let the children end by themselves for a while, then kill those that did not."""
        alive = [(child, child.process) for child in self._children if child.process is not None]
        for _, process in alive:
            process.terminate()
        deadline = time.monotonic() + self._drain_seconds
        for child, process in alive:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=max(0.0, deadline - time.monotonic()))
            if process.poll() is None:
                child.on_kill()
            child.kill()


def _python_path() -> str:
    """Return PYTHONPATH with this project in front, so that children find the same code."""
    return os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
