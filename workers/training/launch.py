"""`fieldwright worker --queues train`: a trainer while there is something to train."""

from __future__ import annotations

from store.settings import Settings
from store.sql.database import Database
from workers.process_supervisor import ProcessSupervisor
from workers.training.process import TrainerProcess


def train(settings: Settings) -> None:
    """Train what waits, one training at a time, until SIGTERM or SIGINT.

    Args:
        settings: of the installation.

    Raises:
        ServiceError: the store does not answer.
    """
    database = Database(settings.store_url, connections=1)
    try:
        database.migrate_when_there()
        trainer = TrainerProcess(settings, database)
        ProcessSupervisor(
            [trainer.child], drain_seconds=settings.drain_seconds, before_fork=database.close
        ).run()
    finally:
        database.close()
