"""The connection to the job store: SQLite made safe for many processes, or PostgreSQL."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, func, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    DatabaseError,
    DataError,
    DisconnectionError,
    IntegrityError,
    InterfaceError,
    ProgrammingError,
    TimeoutError,
)

from pipeline.errors import StorageFull, StoreUnavailable
from workers.tables import SQLITE_NOW

_BUSY_MS = 5_000
# Of PostgreSQL. Whoever is stopped in the middle of a transaction loses it, and with it the locks
# that keep its job from everybody else.
_POSTGRES_OPTIONS = (
    f"-c lock_timeout={_BUSY_MS} -c statement_timeout={6 * _BUSY_MS} "
    f"-c idle_in_transaction_session_timeout={4 * _BUSY_MS}"
)
_FRESH_S = 1.0  # a connection that was used so lately need not be looked at
_MIGRATING = 0x6669656C64  # the lock of whoever migrates


class Database:
    """Transactions on the job store; all errors of the database come out as `StoreUnavailable`.

    SQLite runs in WAL mode with full synchronisation: readers never wait, and what was committed
    survives a power cut. A writing transaction takes the lock at its start, so that what it read
    still holds when it writes. PostgreSQL runs with its own defaults and bounded times to wait;
    what a power cut may undo is written over connections that do not wait for the disk.
    A connection that was not used for a moment is looked at first: the server may have come back
    meanwhile.

    Args:
        url: SQLAlchemy address; the folder of a SQLite file is made when missing.
    """

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        options: dict[str, Any] = {}
        if self.url.get_backend_name() == "sqlite":
            if self.url.database:
                Path(self.url.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            options["connect_args"] = {"timeout": _BUSY_MS / 1000}
        else:
            options["connect_args"] = {"connect_timeout": 5, "options": _POSTGRES_OPTIONS}
        self.engine = self._lazy_engine = self._engine(options)
        if self.url.get_backend_name() == "sqlite":
            event.listen(self.engine, "connect", _prepare)
            event.listen(self.engine, "begin", _begin)
        else:
            # Connections of their own, rather than a statement more in each transaction.
            options["connect_args"]["options"] += " -c synchronous_commit=off"
            self._lazy_engine = self._engine(options)
            for engine in (self.engine, self._lazy_engine):
                event.listen(engine, "checkin", _leave)
                event.listen(engine, "checkout", _look_at)

    def _engine(self, options: dict[str, Any]) -> Engine:
        return create_engine(self.url, pool_size=10, max_overflow=30, pool_timeout=5, **options)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection for reading.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        with _translated(), self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":  # each statement sees what is committed
                yield connection.execution_options(isolation_level="AUTOCOMMIT")
            else:
                yield connection.execution_options(reading=True)

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Connection]:
        """Give a connection in one writing transaction, committed at the end.

        Args:
            durable: a power cut must not undo it. What a worker notes of a job in hand it may:
                the job is done again then. That spares a wait for the disk.

        Raises:
            StoreUnavailable: the database does not answer, or was locked for 5 s.
            StorageFull: there is no room on its disk.
        """
        engine = self.engine if durable else self._lazy_engine
        with _translated(), engine.connect() as connection:
            if not durable:
                connection = connection.execution_options(lazy=True)
            with connection.begin():
                yield connection

    @contextmanager
    def noting(self, *, durable: bool = False) -> Iterator[Connection]:
        """Give a connection for one statement that writes.

        On PostgreSQL the statement is its own transaction: that spares two turns to the server.

        Args:
            durable: as of `writing`.

        Raises:
            StoreUnavailable, StorageFull: as `writing`.
        """
        if self.url.get_backend_name() == "sqlite":
            with self.writing(durable=durable) as connection:
                yield connection
            return
        engine = self.engine if durable else self._lazy_engine
        with _translated(), engine.connect() as connection:
            yield connection.execution_options(isolation_level="AUTOCOMMIT")

    def migrate(self) -> None:
        """Bring the tables up to date; safe to repeat and to race."""
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self.writing() as connection:
            if connection.dialect.name == "postgresql":
                for statement in ("SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0"):
                    connection.execute(text(statement))
                connection.execute(select(func.pg_advisory_xact_lock(_MIGRATING)))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()
        self._lazy_engine.dispose()


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (DataError, IntegrityError, ProgrammingError):
        raise  # faults of this code, not of the database
    except (DatabaseError, InterfaceError, TimeoutError) as error:
        message = str(getattr(error, "orig", ""))
        if "full" in message or "No space left" in message:
            raise StorageFull("The job store has no room left on its disk.") from error
        raise StoreUnavailable("The job store does not answer.") from error


def _prepare(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # transactions are begun by `_begin`, not by the driver
    # Within a statement the time stands still, as by SQLite's own clock: it is asked once for each.
    connection.create_function(SQLITE_NOW, 0, time.time, deterministic=True)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()
    connection.execute(f"PRAGMA busy_timeout={_BUSY_MS}").close()


def _leave(connection: Any, record: Any) -> None:
    """Note when a connection goes back into the pool."""
    record.info["left"] = time.monotonic()


def _look_at(connection: Any, record: Any, proxy: Any) -> None:
    """Look whether a connection still leads somewhere; another one is taken where it does not."""
    if time.monotonic() - record.info.get("left", time.monotonic()) < _FRESH_S:
        return
    try:
        connection.execute("SELECT 1")
        connection.rollback()
    except psycopg.Error as error:
        raise DisconnectionError from error


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    if options.get("reading"):
        connection.exec_driver_sql("BEGIN")
        return
    kept = "NORMAL" if options.get("lazy") else "FULL"
    driver: Any = connection.connection.dbapi_connection
    driver.execute(f"PRAGMA synchronous={kept}").close()
    connection.exec_driver_sql("BEGIN IMMEDIATE")
