"""Transactions on both databases: what is committed, whose fault an error is, and servers gone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError

from store.errors import StoreUnavailable
from store.sql.database import Database
from store.sql.tables import CounterRow
from tests.patience import until
from tests.servers import PostgresServer, running_postgres

ROW = {"name": "a", "label": "", "value": 2.5}
FOUND = select(CounterRow.value).where(CounterRow.name == "a")


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """A PostgreSQL server of this test alone."""
    with running_postgres() as server:
        yield server


def add(database: Database, *, durable: bool = True) -> None:
    with database.writing(durable=durable) as connection:
        connection.execute(insert(CounterRow), ROW)


def found(database: Database) -> float | None:
    with database.reading() as connection:
        return connection.scalar(FOUND)


@pytest.mark.parametrize("durable", [True, False])
def test_what_was_written_is_seen_by_others(database: Database, durable: bool) -> None:
    add(database, durable=durable)
    other = Database(database.url.render_as_string(hide_password=False))
    assert found(other) == 2.5
    other.close()


def test_transaction_that_fails_leaves_nothing(database: Database) -> None:
    with pytest.raises(IntegrityError), database.writing() as connection:
        connection.execute(insert(CounterRow), [ROW, ROW | {"label": "b"}, ROW])
    assert found(database) is None


def test_fault_of_a_statement_is_not_one_of_the_store(database: Database) -> None:
    add(database)
    with pytest.raises(IntegrityError):
        add(database)
    assert found(database) == 2.5


def test_tables_of_today_are_not_migrated_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    monkeypatch.setattr("alembic.command.upgrade", lambda _, to: steps.append(to))
    database.migrate()
    assert steps == []
    with database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0010'"))
    database.migrate()
    assert steps == ["head"]


def test_server_that_comes_back_is_found_again(server: PostgresServer) -> None:
    database = Database(server.new_database())
    database.migrate()

    def works() -> bool:
        try:
            return found(database) is None
        except StoreUnavailable:
            return False

    assert works()
    server.stop(immediate=True)
    with pytest.raises(StoreUnavailable):
        found(database)
    with pytest.raises(StoreUnavailable):
        add(database, durable=False)
    server.start()
    until(works, "the store to be found again")
    add(database)
    assert found(database) == 2.5
    database.close()


def test_lock_that_is_not_given_is_a_store_that_does_not_answer(postgres_url: str) -> None:
    database = Database(postgres_url)
    database.migrate()
    with database.writing() as connection:
        connection.execute(insert(CounterRow), ROW)
        with pytest.raises(StoreUnavailable):  # after the seconds that a lock may take
            add(database)
    assert found(database) == 2.5
    database.close()


def test_connections_that_are_all_in_use_are_a_store_that_does_not_answer(
    postgres_url: str,
) -> None:
    database = Database(postgres_url, connections=1)
    database.migrate()
    with database.reading(), pytest.raises(StoreUnavailable, match="in use"):
        found(database)
    assert found(database) is None
    database.close()
