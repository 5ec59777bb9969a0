"""The service of one command: a supervisor keeps the API running, and workers without a broker.

The supervisor holds no document and no model. It restarts a process that died, frees the jobs of
dead workers, stops a worker whose document takes too long, starts a trainer while a training
waits, and lets all finish at the end; a process of its own does the chores of the installation.
With a broker the workers are started apart (`fieldwright worker`), on any machine; then it keeps
the API and the chores alone.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from pipeline.errors import FieldwrightError, ReadingTimeout, ServiceError
from store.jobs import Claims, Job, LeaseLost, Leases, WorkerInfo, WorkerRegistry
from store.settings import Settings
from store.sql.database import Database
from workers.embedded.pipe import WakeupPipe
from workers.embedded.pulse import Pulse
from workers.names import this_host, worker_name
from workers.process_supervisor import TAGGING, Child, ProcessSupervisor, process_name
from workers.training.process import TrainerProcess

log = logging.getLogger(__name__)

_ROLE = "worker"  # of embedded workers, in their names
_LOOK = 2.0  # seconds between two looks at the jobs in hand


class Supervisor:
    """Runs worker processes, the API, and what does the chores.

    Args:
        settings: of the installation.
        workers: number of worker processes, each with its own model in memory.
        api: serves the API; called in its process with the pipes by which it wakes the workers and
            hears of ends.
        chores: does the chores of the installation; called in its process.
        handles: file descriptors that the API keeps, such as its listening socket.
        before_drain: called at a stop, before the processes are told.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        workers: int,
        api: Callable[[WakeupPipe, WakeupPipe], None],
        chores: Callable[[], None],
        handles: tuple[int, ...] = (),
        before_drain: Callable[[], None] = lambda: None,
    ) -> None:
        self._settings = settings
        self._before_drain = before_drain
        self._database = database = Database(settings.store_url, connections=1)
        self._claims = Claims(database)
        self._registry = WorkerRegistry(database)
        self._pipes = wakeup, ends = WakeupPipe(), WakeupPipe()
        self._looked = 0.0
        self._share = max(1, len(os.sched_getaffinity(0)) // max(1, workers))
        held = (*wakeup.ends, *ends.ends)
        reading = settings.model_copy(
            update={"read_processes": settings.read_processes or self._share}
        )
        self._workers = [
            _WorkerProcess(reading, database, number, self._pipes) for number in range(workers)
        ]
        self._children = [
            Child("api", lambda: api(wakeup, ends), (*handles, *held)),
            Child("sweeper", chores),
            *(worker.child for worker in self._workers),
        ]
        if self._workers:  # with a broker, `fieldwright worker --queues train` trains
            self._children.append(TrainerProcess(settings, database).child)

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT; the store is waited for, and brought up to date first.

        Raises:
            ServiceError: the store does not answer.
        """
        # Each worker computes on its share of the cores; more threads only get in the way.
        os.environ.setdefault("OMP_NUM_THREADS", str(self._share))
        try:
            self._database.migrate_when_there()
            if self._workers:
                self._free_jobs_of_former_starts()
            ProcessSupervisor(
                self._children,
                drain_seconds=self._settings.drain_seconds,
                look=self._look,
                before_fork=self._database.close,
                before_drain=self._before_drain,
            ).run()
        finally:
            self._database.close()
            for pipe in self._pipes:
                pipe.close()

    def _free_jobs_of_former_starts(self) -> None:
        """Free what the workers of this host held when the whole service was killed."""
        with contextlib.suppress(ServiceError):  # then the leases run out instead
            for worker in self._registry.list():
                if worker.name.startswith(f"{this_host()}/{_ROLE}-") and not _runs(worker):
                    self._claims.release(worker.name)

    def _look(self) -> None:
        """Stop the workers whose document takes too long, and those that are silent."""
        if time.monotonic() - self._looked < _LOOK:
            return
        self._looked = time.monotonic()
        for worker in self._workers:
            if worker.child.process is not None:
                worker.look()


def _runs(worker: WorkerInfo) -> bool:
    """Return whether an embedded worker's process runs: its number is that of such a process."""
    if sys.platform != "linux":
        return True  # who knows
    try:
        status = Path(f"/proc/{worker.pid}/stat").read_text()  # NUMBER (NAME) STATE ...
    except OSError:
        return False
    name, _, rest = status.partition("(")[2].rpartition(") ")
    label = worker.name.partition("/")[2].rpartition("-")[0]
    return name == process_name(label) and rest[0] not in "ZX"  # dead, and nobody has asked


class _WorkerProcess:
    """A worker process and the jobs that it holds, as its supervisor sees them."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        number: int,
        pipes: tuple[WakeupPipe, WakeupPipe],
    ) -> None:
        self.name = ""  # in the job store; a new one at each start
        self._settings = settings
        self._claims, self._leases = Claims(database), Leases(database)
        self._pipes = pipes
        self._seen: dict[tuple[str, float | None], float] = {}  # claims, since when
        self._pulse = Pulse()
        self._silent = False  # at the last look
        self.child = Child(
            f"{_ROLE}-{number}",
            self._work,
            tuple(end for pipe in pipes for end in pipe.ends),
            preload=TAGGING,
            on_start=self._start,
            on_death=self._release,
            on_kill=self._hand_back,
        )

    def look(self) -> None:
        """Stop it where it hangs, or where its document takes too long."""
        before, self._silent = self._silent, self._pulse.silence > self._settings.lease_seconds
        # Not at once: where the whole service stood still, as by `docker pause`, so did we.
        if before and self._silent:
            log.warning("worker hangs", extra={"child": self.child.label})
            self.child.kill()
            return
        with contextlib.suppress(ServiceError):  # it looks again in a moment
            self._end_late()

    def _end_late(self) -> None:
        now, limit = time.monotonic(), self._settings.document_timeout_s
        running = self._claims.running(self.name)
        # By this clock, which nobody sets: that of the database jumps where a machine has slept.
        self._seen = {
            (job.id, job.claimed_at): self._seen.get((job.id, job.claimed_at), now)
            for job in running
        }
        late = [job for job in running if now - self._seen[job.id, job.claimed_at] > limit]
        if late:
            error = ReadingTimeout(f"The document took longer than {limit:g} seconds.")
            for job in late:
                with contextlib.suppress(LeaseLost):  # it ended at the last moment
                    self._leases.fail(job, error)
                    log.warning("document too slow", extra={"job": job.id})
            self._return([job for job in running if job not in late])
            self.child.kill()

    def _start(self) -> None:
        self._pulse.forget()
        self._silent = False
        self.name = worker_name(self.child.label)

    def _work(self) -> None:
        from workers.embedded.worker import main

        main(self._settings, *self._pipes, self.name, self._pulse)

    def _release(self) -> bool:
        """Free the jobs that it held when it died; say whether there were any."""
        with contextlib.suppress(ServiceError):  # then the lease runs out instead
            return self._claims.release(self.name)
        return False

    def _hand_back(self) -> None:
        with contextlib.suppress(ServiceError):
            self._return(self._claims.running(self.name))

    def _return(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            with contextlib.suppress(LeaseLost, FieldwrightError):
                self._leases.hand_back(job)
                log.info("job handed back", extra={"job": job.id})
