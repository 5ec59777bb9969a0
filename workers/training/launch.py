"""`fieldwright worker --queues train`: a trainer while there is something to train."""

from __future__ import annotations

from store.jobs import Jobs
from store.settings import Settings
from workers.process_supervisor import ProcessSupervisor
from workers.training.process import TrainerProcess


def train(settings: Settings) -> None:
    """Train what waits, one training at a time, until SIGTERM or SIGINT.

    Args:
        settings: of the installation.

    Raises:
        ServiceError: the store does not answer.
    """
    jobs = Jobs(settings)
    try:
        jobs.prepare()
        trainer = TrainerProcess(jobs)
        ProcessSupervisor([trainer.child], drain_seconds=settings.drain_seconds).run()
    finally:
        jobs.close()
