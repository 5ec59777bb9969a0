"""The job store on each database that it runs on.

Its tables are made once a process, by the migrations, and copied from then on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import pytest

from store.batches import Batches
from store.blobs import LocalBlobs
from store.jobs import Jobs
from store.jobs.claims import Claims
from store.jobs.leases import Leases
from store.jobs.repository import JobRepository
from store.jobs.workers import WorkerRegistry
from store.settings import Settings
from store.sql.database import Database
from store.sql.turns import Turns


class JobStore:
    """The parts of the job store, as `store.jobs.Jobs` puts them together, without documents."""

    def __init__(self, database: Database, blobs: LocalBlobs | None = None) -> None:
        self.database = database
        self.blobs = blobs  # where batches are removed
        self.jobs = JobRepository(database)
        self.claims = Claims(database)
        self.leases = Leases(database)
        self.workers = WorkerRegistry(database)
        self.turns = Turns(database)
        self.batches = Batches(cast(Jobs, self))  # their rows: files ask for more of the queue


def install_tables(home: Path) -> None:
    """Put a job store without jobs into the home of a service where none is there yet."""
    if not (home / "jobs.db").exists():
        (home / "jobs.db").write_bytes(_tables())


def prepare(jobs: Jobs) -> None:
    """Make the tables of a new queue."""
    if not jobs.settings.database_url:
        install_tables(jobs.settings.home)
    jobs.prepare()


@contextmanager
def opened(settings: Settings, *, tiny: str = "") -> Iterator[Jobs]:
    """Give a new queue with its tables, and the tiny model in its home if a version is named."""
    if tiny:
        from tests.packages import tiny_package  # loads torch

        package = settings.home / "models" / "tiny" / tiny
        package.parent.mkdir(parents=True)
        tiny_package(package)
    jobs = Jobs(settings)
    prepare(jobs)
    yield jobs
    jobs.close()


@cache
def _tables() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "jobs.db"
        database = Database(f"sqlite:///{path}")
        database.migrate()
        database.close()  # with the last connection all is in the one file
        return path.read_bytes()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Address of a database with tables without rows, as the setting `database_url` wants it."""
    if request.param == "sqlite":
        install_tables(tmp_path)
        return f"sqlite:///{tmp_path / 'jobs.db'}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """A job store with its tables."""
    database = Database(url)
    database.migrate()  # where a test has its own address
    yield database
    database.close()


@pytest.fixture
def store(database: Database, tmp_path: Path) -> JobStore:
    """The store of that database."""
    return JobStore(database, LocalBlobs(tmp_path / "blobs"))
