"""The embedded service: one supervisor keeps the API and the workers running, without a broker.

The supervisor holds no document and no model. It restarts a process that died, frees the jobs a
dead worker held, stops a worker whose document takes too long, and drains all at the end. Each
process leads its own group, and the group is killed with it: no Tesseract survives its worker.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from pipeline.errors import FieldwrightError, ReadingTimeout, ServiceError
from workers.jobs import Jobs
from workers.records import LeaseLost
from workers.settings import Settings

log = logging.getLogger(__name__)

_TICK = 0.1  # seconds between two looks at the processes
_LOOK = 0.5  # seconds between two looks at the jobs they hold
_QUICK_DEATH = 5.0  # seconds; a process that lives shorter is restarted more and more slowly
_ROOT = Path(__file__).resolve().parents[1]


@dataclass(slots=True)
class _Child:
    """A process kept running; `worker` is its name in the job store, empty for others."""

    command: list[str]
    label: str
    handles: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    worker: str = ""
    started: float = 0.0
    failures: int = 0
    due: float = 0.0
    silent_since: float | None = None
    environment: dict[str, str] = field(default_factory=dict)


class Supervisor:
    """Runs `workers` worker processes, and the API where `api` gives its command.

    `run` must be called in the main thread: the children die with the thread that started them.

    Args:
        settings: of the installation; the children read the same environment.
        workers: number of worker processes, each with its own model in memory.
        api: command of the API process, such as ``["python", "-m", "cli.serve"]``.
        handles: file descriptors that the API inherits, such as its listening socket.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        workers: int,
        api: Sequence[str] = (),
        handles: tuple[int, ...] = (),
    ) -> None:
        self.settings = settings
        self.jobs = Jobs(settings)
        self._stopping = threading.Event()
        # Each worker computes on its share of the cores; more threads only get in the way.
        cores = str(max(1, len(os.sched_getaffinity(0)) // max(1, workers)))
        share = {
            "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", cores),
            "FIELDWRIGHT_READ_PROCESSES": str(settings.read_processes or cores),
        }
        self._children = [
            _Child([sys.executable, "-m", "workers.worker"], f"worker-{index}", environment=share)
            for index in range(workers)
        ]
        if api:
            self._children.append(_Child(list(api), "api", handles=handles))

    def stop(self) -> None:
        """Drain and return from `run`; may be called from a signal handler or another thread."""
        self._stopping.set()

    def run(self) -> None:
        """Keep all processes running until `stop`, SIGTERM or SIGINT; then drain."""

        def on_signal(number: int, frame: FrameType | None) -> None:
            self.stop()

        previous = {n: signal.signal(n, on_signal) for n in (signal.SIGTERM, signal.SIGINT)}
        looked, swept, deep = 0.0, 0.0, -3600.0
        try:
            self.jobs.prepare()
            while not self._stopping.wait(_TICK):
                now = time.monotonic()
                for child in self._children:
                    self._keep(child, now)
                with contextlib.suppress(ServiceError):  # looked at again in a moment
                    if now - looked >= _LOOK:
                        looked = now
                        self._look(now)
                    if now - swept >= self.settings.sweep_seconds:
                        swept = now
                        self.jobs.clean(deep=now - deep >= 3600)
                        deep = now if now - deep >= 3600 else deep
        finally:
            self._drain()
            self.jobs.close()
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _keep(self, child: _Child, now: float) -> None:
        """Start a process that is not there, once its pause is over."""
        if child.process is not None and child.process.poll() is not None:
            status = child.process.returncode
            log.warning("process died", extra={"child": child.label, "status": status})
            # One that died over a document is wanted back at once; the attempts of the document
            # are counted. One that cannot even start is tried more and more slowly.
            at_work = self._bury(child)
            quick = now - child.started < _QUICK_DEATH and not at_work
            child.failures = child.failures + 1 if quick else 0
            child.due = now + (min(10.0, 0.25 * 2**child.failures) if quick else 0.0)
        if child.process is None and now >= child.due:
            command = list(child.command)
            if child.label.startswith("worker"):
                child.worker = f"{child.label}-{socket.gethostname()[:20]}-{uuid.uuid4().hex[:8]}"
                command.append(child.worker)
            child.started, child.silent_since = now, None
            child.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr.fileno(),  # standard output belongs to the caller
                env={**os.environ, **child.environment, "PYTHONPATH": _python_path()},
                pass_fds=child.handles,
                start_new_session=True,
            )

    def _bury(self, child: _Child) -> bool:
        """Kill what is left of a process and its group; free the jobs it held, if there were."""
        if child.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.process.pid, signal.SIGKILL)
            child.process.wait()
            child.process = None
        if child.worker:
            with contextlib.suppress(ServiceError):  # then the lease runs out instead
                return self.jobs.store.release(child.worker)
        return False

    def _look(self, now: float) -> None:
        """Stop the workers whose document takes too long, and those that are silent."""
        limit = self.settings.document_timeout_s
        ages = {worker.name: worker.age for worker in self.jobs.store.workers()}
        for child in self._children:
            if child.process is None or not child.worker:
                continue
            for job, seconds in self.jobs.store.running(child.worker):
                if seconds > limit:
                    error = ReadingTimeout(f"The document took longer than {limit:g} seconds.")
                    with contextlib.suppress(LeaseLost):  # it ended at the last moment
                        self.jobs.store.fail(job, error)
                        log.warning("document too slow", extra={"job": job.id})
                        self._bury(child)
            silent = ages.get(child.worker, 0.0) > self.settings.lease_seconds
            if not silent:
                child.silent_since = None
            elif child.silent_since is None:
                # A store that was away makes all workers look silent: give them one more beat.
                child.silent_since = now
            elif now - child.silent_since > 2 * self.settings.heartbeat_seconds:
                log.warning("worker hangs", extra={"child": child.label})
                self._bury(child)

    def _drain(self) -> None:
        """Let running jobs end for a while, hand the others back, and stop all processes."""
        alive = [child for child in self._children if child.process is not None]
        for child in alive:
            if child.process is not None:
                child.process.terminate()
        deadline = time.monotonic() + self.settings.drain_seconds
        for child in alive:
            if child.process is None:
                continue
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(timeout=max(0.0, deadline - time.monotonic()))
            if child.worker and child.process.poll() is None:
                with contextlib.suppress(LeaseLost, FieldwrightError):
                    for job, _ in self.jobs.store.running(child.worker):
                        self.jobs.store.hand_back(job)
                        log.info("job handed back", extra={"job": job.id})
            self._bury(child)


def _python_path() -> str:
    """Return PYTHONPATH with this project in front, so that children find the same code."""
    return os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
