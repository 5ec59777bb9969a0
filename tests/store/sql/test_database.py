"""Transactions on both databases: what is committed, whose fault an error is, and servers gone."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from sqlalchemy import insert, make_url, select, text
from sqlalchemy.exc import IntegrityError

from store.errors import StoreUnavailable
from store.sql.database import Database
from store.sql.tables import CounterRow, JobRow
from tests.patience import PATIENCE, until
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


def test_a_second_process_waits_for_the_one_that_migrates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long that takes: with a file, too."""
    monkeypatch.setattr("store.sql.database._BUSY_MS", 100)
    database = Database(f"sqlite:///{tmp_path}/jobs.db")
    database.migrate("0010")
    with closing(sqlite3.connect(tmp_path / "jobs.db")) as other, ThreadPoolExecutor() as pool:
        other.execute("BEGIN IMMEDIATE")
        second = pool.submit(database.migrate)
        wait([second], timeout=1)
        assert not second.done()
        other.rollback()
        second.result(PATIENCE)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable):  # who waits for anything else is told soon
            pool.submit(add, database).result(4)
    database.close()


def test_ctrl_c_ends_the_wait_for_a_migration(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    database = Database(url)
    database.migrate("0010")
    database.close()
    lines = (
        "import signal",  # which a shell has its jobs in the background ignore
        "signal.signal(signal.SIGINT, signal.default_int_handler)",
        "from store.sql.database import Database",
        f"database = Database({url!r})",
        "print('loaded', flush=True)",
        "database.migrate()",
    )
    with closing(sqlite3.connect(tmp_path / "jobs.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        with subprocess.Popen(
            [sys.executable, "-c", "; ".join(lines)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as second:
            try:
                assert second.stdout is not None
                assert second.stdout.readline() == b"loaded\n"
                with pytest.raises(subprocess.TimeoutExpired):
                    second.wait(5)  # it begins to wait
                second.send_signal(signal.SIGINT)
                assert second.wait(PATIENCE) != 0
            finally:
                second.kill()


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


@contextmanager
def frozen(server: PostgresServer) -> Iterator[None]:
    """Stop all processes of a server: its kernel goes on to acknowledge what is sent to it."""
    assert server.process is not None
    first = psutil.Process(server.process.pid)
    family = [first, *first.children(recursive=True)]
    for process in family:
        process.suspend()
    try:
        yield
    finally:
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.resume()


def test_server_that_hangs_is_given_up_by_all_who_come(server: PostgresServer) -> None:
    database = Database(server.new_database(), connections=4)
    database.migrate()
    with ThreadPoolExecutor(8) as pool, frozen(server):
        asking = [pool.submit(found, database) for _ in range(8)]
        done, _ = wait(asking, timeout=PATIENCE / 2)
        assert len(done) == len(asking)
        for one in asking:
            with pytest.raises(StoreUnavailable):
                one.result()
    assert found(database) is None
    database.close()


def test_server_that_hangs_in_a_transaction_is_given_up(
    server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A moment after it should have ended the statement by itself."""
    monkeypatch.setattr("store.sql.database._STATEMENT_MS", 1000)
    database = Database(server.new_database())
    database.migrate()

    def add_while_it_hangs() -> None:
        with database.writing() as connection:
            connection.execute(insert(CounterRow), ROW)
            with frozen(server):
                connection.execute(FOUND)

    with pytest.raises(StoreUnavailable):
        add_while_it_hangs()
    until(lambda: found(database) is None, "the server to forget it")
    add(database)
    assert found(database) == 2.5
    database.close()


def test_statement_that_is_given_up_goes_on_nowhere(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else those who ask again fill the server with what nobody waits for any more."""
    monkeypatch.setattr("store.sql.database._STATEMENT_MS", -4000)  # given up after a second
    database = Database(postgres_url)
    with pytest.raises(StoreUnavailable), database.reading() as connection:
        connection.execute(text("SELECT pg_sleep(321)"))
    running = text(
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' "
        "AND pid <> pg_backend_pid() AND query LIKE '%pg_sleep(321)%'"
    )

    def over() -> bool:
        with database.reading() as connection:
            return bool(connection.scalar(running) == 0)

    until(over, "the server to end it")
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


def parameters(url: str) -> dict[str, str]:
    """Return what a connection was made with."""
    database = Database(url)
    with database.reading() as connection:
        driver: Any = connection.connection.dbapi_connection
        found: dict[str, str] = driver.info.get_parameters()
    database.close()
    return found


def test_servers_that_vanish_are_given_up_soon(postgres_url: str) -> None:
    used = parameters(postgres_url)
    assert used["tcp_user_timeout"] == "10000"
    assert int(used["keepalives_idle"]) <= 10
    parts = make_url(postgres_url).update_query_dict({"tcp_user_timeout": "1234"})
    own = parameters(parts.render_as_string(hide_password=False))
    assert (own["tcp_user_timeout"], own["keepalives_idle"]) == ("1234", used["keepalives_idle"])


@pytest.mark.parametrize("kept", [0, 8192], ids=["not_a_database", "pages_lost"])
def test_a_damaged_file_is_to_be_restored(tmp_path: Path, kept: int) -> None:
    """To try again in a few seconds, as of a store that is locked, would be no advice."""
    file = tmp_path / "jobs.db"
    database = Database(f"sqlite:///{file}")
    database.migrate()
    database.close()
    sound = file.read_bytes()
    file.write_bytes(sound[:kept] + b"\xa5" * (len(sound) - kept))
    with pytest.raises(StoreUnavailable, match="damaged") as told, database.reading() as connection:
        connection.execute(select(JobRow)).all()
    assert "Back-up" in told.value.advice
    database.close()


def test_reason_is_logged_once_and_that_it_is_over(
    server: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "store.sql.database")
    database = Database(server.new_database())
    database.migrate()
    server.stop(immediate=True)
    for _ in range(5):
        with pytest.raises(StoreUnavailable):
            found(database)
    server.start()
    until(lambda: found(database) is None, "the server to answer")
    database.close()
    reasons = [vars(record).get("reason", "") for record in caplog.records]
    assert len(reasons) == len(set(reasons))
    assert any("refused" in reason or "No such file" in reason for reason in reasons)
    assert caplog.messages[-1] == "job store answers again"


def test_reason_of_a_server_that_answers_quotes_nothing(
    postgres_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database(postgres_url)
    raised = "DO $$ BEGIN RAISE EXCEPTION 'Anna' USING ERRCODE = '57P01'; END $$"
    with pytest.raises(StoreUnavailable), database.reading() as connection:
        connection.execute(text(raised))
    assert [vars(record)["reason"] for record in caplog.records] == ["AdminShutdown: 57P01"]
    database.close()
