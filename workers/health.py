"""Health check of the workers on this host: ``python -m workers.health`` ends with 0 or 1.

A worker is healthy while it reports to the job store and is ready. What is missing goes to
standard error, where `docker inspect` shows it.
"""

from __future__ import annotations

import socket
import sys
from contextlib import closing

from pipeline.errors import FieldwrightError
from store.jobs import WorkerInfo, WorkerRegistry
from store.settings import Settings
from store.sql.database import Database
from workers.names import host_label


def complaint(workers: list[WorkerInfo], host: str, lease: float) -> str:
    """Return why no worker of a host is healthy; empty where one is.

    Args:
        workers: all that have reported.
        host: its name.
        lease: seconds of silence after which a worker counts as dead.
    """
    own = [w for w in workers if w.name.partition("/")[0] == host_label(host) and w.age < lease]
    if any(worker.ready for worker in own):
        return ""
    return " ".join(worker.detail for worker in own) or f"No worker of {host} has reported."


def main() -> int:
    """Look at the workers of this host; return the exit status."""
    try:
        settings = Settings.load()
        if not settings.database_url and not (settings.home / "jobs.db").exists():
            fault = f"No job store in {settings.home}: give this command the worker's settings."
        else:
            with closing(Database(settings.store_url)) as database:
                found = WorkerRegistry(database).list()
            fault = complaint(found, socket.gethostname(), settings.lease_seconds)
    except FieldwrightError as error:
        fault = str(error)
    sys.stderr.write(f"{fault}\n" if fault else "")
    return int(bool(fault))


if __name__ == "__main__":
    sys.exit(main())
