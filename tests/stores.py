"""The job store on each database that it runs on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.jobs.announcements import Announcements
from store.jobs.claims import Claims
from store.jobs.leases import Leases
from store.jobs.repository import JobRepository
from store.jobs.workers import WorkerRegistry
from store.sql.database import Database
from store.sql.turns import Turns


class JobStore:
    """The parts of the job store, as `store.jobs.Jobs` puts them together, without documents."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.jobs = JobRepository(database)
        self.claims = Claims(database)
        self.leases = Leases(database)
        self.workers = WorkerRegistry(database)
        self.announcements = Announcements(database)
        self.turns = Turns(database)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Address of an empty database, as the setting `database_url` wants it."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'jobs.db'}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    """A job store with its tables."""
    database = Database(url)
    database.migrate()
    yield database
    database.close()


@pytest.fixture
def store(database: Database) -> JobStore:
    """The store of that database."""
    return JobStore(database)
