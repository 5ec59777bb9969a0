"""The job store on each database that it runs on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.database import Database
from store.jobs.store import Store


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
def store(database: Database) -> Store:
    """The store of that database."""
    return Store(database)
