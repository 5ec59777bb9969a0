"""Keeps child processes running: starts them, restarts them, and ends them with all they started.

Children are forks of the process that keeps them: what it has loaded they have at once, and share
its memory. So that process has no threads, and no connection while it forks.

Each child leads its own process group, and the group is killed with it: no Tesseract survives its
worker. `ProcessSupervisor.run` must be called in the main thread: children die with the thread
that started them.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import FrameType

from pipeline.loading import loading
from pipeline.reading.isolation.parent import die_with_parent

log = logging.getLogger(__name__)

TAGGING = ("models.graph_tagger", "pipeline.extract", "workers.worker")
"""Modules that processes which tag share: they take a second to load."""
_TICK = 0.1  # seconds between two looks at the processes
_SOON = 0.02  # the same at a stop
_QUICK_DEATH = 5.0  # seconds; a process that lives shorter is restarted more and more slowly
_NO_ROOM = 1.0  # seconds until it is tried again where the system has no room for a process
_DESCRIPTORS = 4096  # more than a supervisor ever opens
_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_PR_SET_NAME = 15
_OOM_SCORE, _HIGHEST_OOM_SCORE = Path("/proc/self/oom_score_adj"), 1000
_SOONER = 300  # thousandths of all memory that a child counts for more than its supervisor


@dataclass(slots=True)
class Child:
    """A process that is kept running.

    Attributes:
        label: its name in the log, and `process_name` in the system.
        act: what it does; returns its exit status, or None for 0.
        handles: file descriptors that it keeps; all others but the standard ones are closed.
        preload: modules that are loaded before its first start, for all children to come.
        on_start: called before each start.
        on_death: called when it is dead; returns whether it died at work, not at its start.
        wanted: says whether it is to be started; a child that has one may end by itself.
        on_kill: called before it is killed because it did not end in time.
        process: while it runs.
        started, failures, due: when it was started, how often it died soon, when it may start.
    """

    label: str
    act: Callable[[], int | None]
    handles: tuple[int, ...] = ()
    preload: tuple[str, ...] = ()
    on_start: Callable[[], None] = lambda: None
    on_death: Callable[[], bool] = lambda: False
    on_kill: Callable[[], None] = lambda: None
    wanted: Callable[[], bool] | None = None
    process: ForkProcess | None = None
    started: float = 0.0
    failures: int = 0
    due: float = 0.0

    def kill(self) -> bool:
        """Kill what is left of it and of its group; return as `on_death`."""
        if self.process is not None:
            assert self.process.pid is not None
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()  # it may not lead its group yet
            self.process.join()
            self.process = None
        return self.on_death()

    def keep(self, before_fork: Callable[[], None]) -> None:
        """Start it where it does not run, once the pause after its last death is over."""
        now = time.monotonic()
        if self.process is not None and (status := self.process.exitcode) is not None:
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
            for module in self.preload:
                # Where it cannot be loaded the child says so, each time that it needs it.
                with contextlib.suppress(ImportError), loading(module):
                    importlib.import_module(module)
            self.on_start()
            before_fork()
            self.started = time.monotonic()
            try:
                self.process = self._forked()
            except OSError as error:
                log.warning(
                    "process not started", extra={"child": self.label, "reason": str(error)}
                )
                self.due = self.started + _NO_ROOM

    def _forked(self) -> ForkProcess:
        process = get_context("fork").Process(target=self._be, args=(os.getpid(),))
        # Until it has its own handlers it dies of a signal: ours would only set a flag in it.
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        try:
            process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        return process

    def _be(self, parent: int) -> None:
        """Be the child."""
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        os.setsid()
        die_with_parent(parent=parent)
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_NAME, process_name(self.label).encode(), 0, 0, 0)
            _be_killed_first()
        os.dup2(sys.stderr.fileno(), 1)  # standard output belongs to the caller
        kept = sorted({2, *self.handles})
        for low, high in zip(kept, [*kept[1:], _DESCRIPTORS], strict=True):
            os.closerange(low + 1, high)
        try:
            status = self.act()
        except Exception:
            log.exception("process stumbled", extra={"child": self.label})
            status = 1
        sys.exit(status)


def process_name(label: str) -> str:
    """Return how the system lists a child, such as ``fw-worker-0``; at most 15 characters."""
    return f"fw-{label}"[:15]


def _be_killed_first() -> None:
    """Have the kernel choose this process before its parent, which has as much in memory.

    Where memory runs out a child is lost, and started again, and not the whole service.
    """
    with contextlib.suppress(OSError):
        score = int(_OOM_SCORE.read_text())
        _OOM_SCORE.write_text(str(min(_HIGHEST_OOM_SCORE, score + _SOONER)))


class ProcessSupervisor:
    """Keeps its children running until it is told to stop, then lets them finish.

    Args:
        children: to be kept running.
        drain_seconds: at a stop, longest time for them to end by themselves.
        look: called several times a second while they run.
        before_fork: called before each start of a child; closes what it must not share.
        before_drain: called at a stop, before the children are told.
    """

    def __init__(
        self,
        children: Sequence[Child],
        *,
        drain_seconds: float,
        look: Callable[[], None] = lambda: None,
        before_fork: Callable[[], None] = lambda: None,
        before_drain: Callable[[], None] = lambda: None,
    ) -> None:
        self._children = children
        self._drain_seconds = drain_seconds
        self._look = look
        self._before_fork = before_fork
        self._before_drain = before_drain
        self._stopping = False

    def stop(self) -> None:
        """Drain and return from `run`; may be called from a signal handler or another thread."""
        # Not an Event: the code that the signal interrupted may hold its lock.
        self._stopping = True

    def run(self) -> None:
        """Keep all children running until `stop`, SIGTERM or SIGINT; then drain."""

        def on_signal(number: int, frame: FrameType | None) -> None:
            self.stop()

        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's would begin as it is loaded
        previous = {n: signal.signal(n, on_signal) for n in _SIGNALS}
        try:
            while not self._stopping:
                for child in self._children:
                    if not self._stopping:
                        child.keep(self._before_fork)
                self._look()
                time.sleep(_TICK)
        finally:
            self._before_drain()
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
            # Not `join` with a timeout: that listens at a descriptor which the child has closed.
            while process.exitcode is None and time.monotonic() < deadline:
                time.sleep(_SOON)
            if process.exitcode is None:
                child.on_kill()
            child.kill()
