"""The service of one command: a supervisor keeps the API running, and workers without a broker.

The supervisor holds no document and no model. It restarts a process that died, frees the jobs of
dead workers, stops a worker whose document takes too long, starts a trainer while a training
waits, does the chores of the installation, and lets all finish at the end. With a broker the
workers are processes of their own (`fieldwright worker`), on any machine; then it keeps the API
alone.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from pipeline.errors import FieldwrightError, ReadingTimeout, ServiceError
from store.jobs import Job, Jobs, LeaseLost, WorkerInfo
from workers.embedded.pipe import WakeupPipe
from workers.names import this_host, worker_name
from workers.process_supervisor import Child, ProcessSupervisor
from workers.sweeper import Sweeper
from workers.training.process import TrainerProcess

log = logging.getLogger(__name__)

_ROLE = "worker"  # of embedded workers, in their names
_LOOK = 1.0  # seconds between two looks at the jobs in hand


class Supervisor:
    """Runs worker processes, and the API.

    Args:
        jobs: the queue; closed by `run`.
        sweeper: does the chores of the installation meanwhile.
        workers: number of worker processes, each with its own model in memory.
        api: command of the API process; the arguments of the pipes by which it wakes the workers
            and hears of ends are added to it.
        handles: file descriptors that the API inherits, such as its listening socket.
    """

    def __init__(
        self,
        jobs: Jobs,
        sweeper: Sweeper,
        *,
        workers: int,
        api: Sequence[str],
        handles: tuple[int, ...] = (),
    ) -> None:
        self._jobs = jobs
        self._sweeper = sweeper
        self._pipes = WakeupPipe.create(), WakeupPipe.create()
        self._looked = 0.0
        # Each worker computes on its share of the cores; more threads only get in the way.
        cores = str(max(1, len(os.sched_getaffinity(0)) // max(1, workers)))
        share = {
            "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", cores),
            "FIELDWRIGHT_READ_PROCESSES": str(jobs.settings.read_processes or cores),
        }
        arguments = [pipe.argument for pipe in self._pipes]
        ends = tuple(end for pipe in self._pipes for end in pipe.ends)
        command = [sys.executable, "-m", "workers.embedded.worker", *arguments]
        self._workers = [
            _WorkerProcess(jobs, Child(command, f"{_ROLE}-{number}", ends, share))
            for number in range(workers)
        ]
        self._children = [worker.child for worker in self._workers]
        self._children.append(Child([*api, *arguments], "api", (*handles, *ends)))
        if self._workers:  # with a broker, `fieldwright worker --queues train` trains
            self._children.append(TrainerProcess(jobs).child)

    def run(self) -> None:
        """Serve until SIGTERM or SIGINT; the store is brought up to date first.

        Raises:
            ServiceError: the store does not answer.
        """
        self._jobs.prepare()
        if self._workers:
            self._free_jobs_of_former_starts()
        self._sweeper.start()
        try:
            ProcessSupervisor(
                self._children,
                drain_seconds=self._jobs.settings.drain_seconds,
                look=self._look,
            ).run()
        finally:
            self._sweeper.stop()
            self._jobs.close()
            for pipe in self._pipes:
                pipe.close()

    def _free_jobs_of_former_starts(self) -> None:
        """Free what the workers of this host held when the whole service was killed."""
        with contextlib.suppress(ServiceError):  # then the leases run out instead
            for worker in self._jobs.workers.list():
                if worker.name.startswith(f"{this_host()}/{_ROLE}-") and not _runs(worker):
                    self._jobs.claims.release(worker.name)

    def _look(self) -> None:
        """Stop the workers whose document takes too long, and those that are silent."""
        if time.monotonic() - self._looked < _LOOK:
            return
        self._looked = time.monotonic()
        with contextlib.suppress(ServiceError):  # it looks again in a moment
            ages = {worker.name: worker.age for worker in self._jobs.workers.list()}
            for worker in self._workers:
                if worker.child.process is not None:
                    worker.look(ages.get(worker.name, 0.0))


def _runs(worker: WorkerInfo) -> bool:
    """Return whether an embedded worker's process runs: its name is in its command."""
    if sys.platform != "linux":
        return True  # who knows
    try:
        command = Path(f"/proc/{worker.pid}/cmdline").read_bytes()
    except OSError:
        return False
    return worker.name.encode() in command.split(b"\0")


class _WorkerProcess:
    """A worker process and the jobs that it holds, as its supervisor sees them.

    Args:
        jobs: the queue.
        child: the process, which is told its name at each start.
    """

    def __init__(self, jobs: Jobs, child: Child) -> None:
        self.name = ""  # in the job store; a new one at each start
        self.child = child
        child.arguments, child.on_death, child.on_kill = self._start, self._release, self._hand_back
        self._claims, self._leases = jobs.claims, jobs.leases
        self._settings = jobs.settings
        self._silent_since: float | None = None

    def look(self, age: float) -> None:
        """Stop it where its document takes too long, or where it is silent.

        Args:
            age: seconds since its last heartbeat.
        """
        now, limit = time.monotonic(), self._settings.document_timeout_s
        running = self._claims.running(self.name)
        late = [job for job, seconds in running if seconds > limit]
        if late:
            error = ReadingTimeout(f"The document took longer than {limit:g} seconds.")
            for job in late:
                with contextlib.suppress(LeaseLost):  # it ended at the last moment
                    self._leases.fail(job, error)
                    log.warning("document too slow", extra={"job": job.id})
            self._return([job for job, _ in running if job not in late])
            self.child.kill()
        elif age <= self._settings.lease_seconds:
            self._silent_since = None
        elif self._silent_since is None:
            # While the store was away all workers seemed silent: wait for one more heartbeat.
            self._silent_since = now
        elif now - self._silent_since > 2 * self._settings.heartbeat_seconds:
            log.warning("worker hangs", extra={"child": self.child.label})
            self.child.kill()

    def _start(self) -> list[str]:
        self._silent_since = None
        self.name = worker_name(self.child.label)
        return [self.name]

    def _release(self) -> bool:
        """Free the jobs that it held when it died; say whether there were any."""
        with contextlib.suppress(ServiceError):  # then the lease runs out instead
            return self._claims.release(self.name)
        return False

    def _hand_back(self) -> None:
        with contextlib.suppress(ServiceError):
            self._return([job for job, _ in self._claims.running(self.name)])

    def _return(self, jobs: Sequence[Job]) -> None:
        for job in jobs:
            with contextlib.suppress(LeaseLost, FieldwrightError):
                self._leases.hand_back(job)
                log.info("job handed back", extra={"job": job.id})
