"""The process that trains: started when a training waits, one at a time, and ended after each."""

from __future__ import annotations

import sys
import time
from contextlib import suppress

from pipeline.errors import ServiceError
from store.jobs import Jobs
from store.trainings import Trainings
from workers.names import worker_name
from workers.process_supervisor import Child

_LOOK = 1.0  # seconds between two looks whether a training waits
_ROLE = "trainer"


class TrainerProcess:
    """A child process that is there while there is something to train.

    Args:
        jobs: the queue; closed by whoever made it.

    Attributes:
        child: to be kept by a `ProcessSupervisor`.
    """

    def __init__(self, jobs: Jobs) -> None:
        self._trainings = Trainings(jobs.database)
        self._looked = 0.0
        self._name = ""
        self.child = Child([sys.executable, "-m", "workers.training.trainer"], _ROLE)
        self.child.arguments, self.child.on_death = self._start, self._release
        self.child.wanted = self._waits

    def _start(self) -> list[str]:
        self._name = worker_name(_ROLE)
        return [self._name]

    def _release(self) -> bool:
        """Free the training that it had when it died; say whether there was one."""
        with suppress(ServiceError):  # then the lease runs out instead
            return self._trainings.release(self._name)
        return False

    def _waits(self) -> bool:
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return False
        self._looked = now
        with suppress(ServiceError):  # it looks again in a moment
            return self._trainings.waits()
        return False
