"""The service of one command: a supervisor keeps the API running, and workers without a broker.

The supervisor holds no document and no model. It restarts a process that died, frees the jobs a
dead worker held, stops a worker whose document takes too long, and drains all at the end. It
sweeps, too. With a broker the workers are processes of their own (`fieldwright worker`), on any
machine; then it keeps the API alone.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import sys
import uuid
from collections.abc import Sequence

from pipeline.errors import FieldwrightError, ReadingTimeout, ServiceError
from store.jobs.jobs import Jobs
from store.jobs.records import Job, LeaseLost
from store.settings import Settings
from workers.announcing import announcer_for
from workers.embedded.bell import Bell
from workers.embedded.keeper import Child, Keeper
from workers.health import HOST_LENGTH
from workers.sweeper import Sweeper

log = logging.getLogger(__name__)

_LOOK = 0.5  # seconds between two looks at the jobs in hand


class Supervisor(Keeper):
    """Runs `workers` worker processes, and the API where `api` gives its command.

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
        self.jobs = Jobs(settings, announcer_for(settings))
        self._sweeper = Sweeper(self.jobs)
        self._bell, self._end_bell = Bell.made(), Bell.made()
        self._looked = 0.0
        # Each worker computes on its share of the cores; more threads only get in the way.
        cores = str(max(1, len(os.sched_getaffinity(0)) // max(1, workers)))
        bells = {
            "FIELDWRIGHT_BELL": self._bell.setting,
            "FIELDWRIGHT_END_BELL": self._end_bell.setting,
        }
        ends = (*self._bell.ends, *self._end_bell.ends)
        share = {
            "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", cores),
            "FIELDWRIGHT_READ_PROCESSES": str(settings.read_processes or cores),
        }
        command = [sys.executable, "-m", "workers.worker"]
        children = [
            Child(command, f"worker-{index}", ends, bells | share) for index in range(workers)
        ]
        if api:
            children.append(Child(list(api), "api", (*handles, *ends), bells))
        super().__init__(children, drain_seconds=settings.drain_seconds)

    def begin(self) -> None:
        """Bring the store up to date, and sweep from then on."""
        self.jobs.prepare()
        self._sweeper.start()

    def end(self) -> None:
        """Sweep no more."""
        self._sweeper.stop()
        self.jobs.close()
        self._bell.close()
        self._end_bell.close()

    def arguments(self, child: Child) -> list[str]:
        """Return the new name of a worker."""
        if not child.label.startswith("worker"):
            return []
        host = socket.gethostname()[:HOST_LENGTH]
        child.worker = f"{child.label}-{host}-{uuid.uuid4().hex[:8]}"
        return [child.worker]

    def look(self, now: float) -> None:
        """Stop the workers whose document takes too long, and those that are silent."""
        if now - self._looked < _LOOK:
            return
        self._looked = now
        with contextlib.suppress(ServiceError):  # looked at again in a moment
            ages = {worker.name: worker.age for worker in self.jobs.store.workers()}
            for child in self._children:
                if child.process is not None and child.worker:
                    self._look_at(child, ages.get(child.worker, 0.0), now)

    def buried(self, child: Child) -> bool:
        """Free the jobs that a dead worker held; say whether there were any."""
        if child.worker:
            with contextlib.suppress(ServiceError):  # then the lease runs out instead
                return self.jobs.store.release(child.worker)
        return False

    def unfinished(self, child: Child) -> None:
        """Hand back the jobs of a worker."""
        if child.worker:
            with contextlib.suppress(ServiceError):
                self._hand_back([job for job, _ in self.jobs.store.running(child.worker)])

    def _look_at(self, child: Child, age: float, now: float) -> None:
        limit = self.settings.document_timeout_s
        running = self.jobs.store.running(child.worker)
        late = [job for job, seconds in running if seconds > limit]
        if late:
            error = ReadingTimeout(f"The document took longer than {limit:g} seconds.")
            for job in late:
                with contextlib.suppress(LeaseLost):  # it ended at the last moment
                    self.jobs.store.fail(job, error)
                    log.warning("document too slow", extra={"job": job.id})
            self._hand_back([job for job, _ in running if job not in late])
            self.bury(child)
        elif age <= self.settings.lease_seconds:
            child.silent_since = None
        elif child.silent_since is None:
            # A store that was away makes all workers look silent: give them one more beat.
            child.silent_since = now
        elif now - child.silent_since > 2 * self.settings.heartbeat_seconds:
            log.warning("worker hangs", extra={"child": child.label})
            self.bury(child)

    def _hand_back(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            with contextlib.suppress(LeaseLost, FieldwrightError):
                self.jobs.store.hand_back(job)
                log.info("job handed back", extra={"job": job.id})
