"""The process that trains: started when a training waits, one at a time, and ended after each.

`train` is `fieldwright worker --queues train`.
"""

from __future__ import annotations

import os
import time
from contextlib import closing, suppress

from pipeline.errors import ServiceError
from pipeline.loading import loading
from store.settings import Settings
from store.sql.database import Database
from store.trainings import Trainings
from workers.names import worker_name
from workers.process_supervisor import Child, ProcessSupervisor
from workers.training.forgotten import left_behind

_CLEAN_S = 3600.0  # seconds between two looks for what deleted datasets left here
_LOOK = 1.0  # seconds between two looks whether a training waits
_ROLE = "trainer"


class TrainerProcess:
    """A child process that is there while there is something to train.

    Args:
        settings: of the installation.
        database: of its store; closed by whoever made it.

    Attributes:
        child: to be kept by a `ProcessSupervisor`.
    """

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._trainings = Trainings(database)
        # Of this moment: workers may be given a share of the cores, a trainer takes them all.
        threads = os.environ.get("OMP_NUM_THREADS")  # whoever sets it knows better
        self._threads = int(threads or len(os.sched_getaffinity(0)))
        self._looked = 0.0
        self._cleaned: float | None = None
        self._name = ""
        self.child = Child(_ROLE, self._train)
        self.child.on_start, self.child.on_death = self._start, self._release
        self.child.wanted = self._waits

    def _start(self) -> None:
        self._name = worker_name(_ROLE)

    def _train(self) -> None:
        with loading("training"):
            from workers.training.trainer import main
        main(self._settings, self._name, threads=self._threads)

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
        if self._cleaned is None or now - self._cleaned > _CLEAN_S:
            self._cleaned = now
            if left_behind(self._settings.home):  # it looks at them when it starts
                return True
        with suppress(ServiceError):  # it looks again in a moment
            return self._trainings.waits()
        return False


def train(settings: Settings) -> None:
    """Train what waits, one training at a time, until SIGTERM or SIGINT.

    Raises:
        ServiceError: the store does not answer.
    """
    with closing(Database(settings.store_url, connections=1)) as database:
        database.migrate_when_there()
        trainer = TrainerProcess(settings, database)
        ProcessSupervisor(
            [trainer.child], drain_seconds=settings.drain_seconds, before_fork=database.close
        ).run()
