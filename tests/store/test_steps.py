"""Single statements, a transaction each, on both databases; and PostgreSQL that goes away."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import bindparam, delete, insert, select
from sqlalchemy.exc import IntegrityError

from store.database import Database
from store.errors import StoreUnavailable
from store.tables import CounterRow, WorkerRow
from tests.patience import until
from tests.servers import PostgresServer, running_postgres

_ADDED = insert(CounterRow).returning(CounterRow.name, CounterRow.value)
_FOUND = select(CounterRow.value).where(CounterRow.name == bindparam("wanted"))
_REPORTED = insert(WorkerRow).returning(WorkerRow.models)
_GONE = delete(CounterRow).where(CounterRow.name == bindparam("wanted")).returning(CounterRow.label)


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """A PostgreSQL server of this test alone."""
    with running_postgres() as server:
        yield server


@pytest.mark.parametrize("durable", [True, False])
def test_step_is_committed_and_returns_its_row(database: Database, durable: bool) -> None:
    row = {"name": "a", "label": "", "value": 2.5}
    added = database.step(_ADDED, row, durable=durable)
    assert added is not None
    assert tuple(added) == ("a", 2.5)
    with database.reading() as connection:  # another connection than the one that wrote
        assert connection.scalar(_FOUND, {"wanted": "a"}) == 2.5
    found = database.look(_FOUND, {"wanted": "a"})
    assert found is not None
    assert tuple(found) == (2.5,)
    assert database.look(_FOUND, {"wanted": "b"}) is None
    assert database.step(_GONE, {"wanted": "b"}, durable=durable) is None


def test_values_are_stored_as_their_columns_want_them(database: Database) -> None:
    row = {"name": "w", "pid": 1, "ready": True, "detail": "", "seen_at": 1.0}
    row |= {"models": ["receipts@1.0.0", "ö"], "stages": ["read"]}
    added = database.step(_REPORTED, row)
    assert added is not None
    assert added[0] == ["receipts@1.0.0", "ö"]
    with database.reading() as connection:
        (worker,) = connection.execute(select(WorkerRow))
    assert (worker.ready, worker.models, worker.stages) == (True, row["models"], ["read"])


def test_fault_of_a_statement_is_not_one_of_the_store(database: Database) -> None:
    row = {"name": "a", "label": "", "value": 1.0}
    database.step(_ADDED, row)
    with pytest.raises((IntegrityError, psycopg.IntegrityError)):
        database.step(_ADDED, row)
    assert database.step(_ADDED, row | {"name": "b"}) is not None


def test_server_that_comes_back_is_found_again(server: PostgresServer) -> None:
    database = Database(server.new_database())
    database.migrate()

    def works() -> bool:
        try:
            return database.look(_FOUND, {"wanted": "a"}) is None
        except StoreUnavailable:
            return False

    assert works()
    server.stop(immediate=True)
    with pytest.raises(StoreUnavailable):
        database.look(_FOUND, {"wanted": "a"})
    with pytest.raises(StoreUnavailable):
        database.step(_ADDED, {"name": "a", "label": "", "value": 1.0}, durable=False)
    server.start()
    until(works, "the store to be found again")
    assert database.step(_ADDED, {"name": "a", "label": "", "value": 1.0}) is not None
    database.close()


def test_lock_that_is_not_given_is_a_store_that_does_not_answer(postgres_url: str) -> None:
    database = Database(postgres_url)
    database.migrate()
    row = {"name": "a", "label": "", "value": 1.0}
    with database.writing() as connection:
        connection.execute(insert(CounterRow), row)
        with pytest.raises(StoreUnavailable):  # after the seconds that a lock may take
            database.step(_ADDED, row)
    assert database.look(_FOUND, {"wanted": "a"}) is not None
    database.close()
