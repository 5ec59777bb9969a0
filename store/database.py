"""The connection to the job store: SQLite made safe for many processes, or PostgreSQL."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Connection, Engine, Executable, create_engine, event, func, select, text
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

from pipeline.errors import StorageFull
from store.errors import StoreUnavailable
from store.steps import Steps
from store.tables import SQLITE_NOW

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
        self._steps: dict[bool, Steps] = {}  # by whether they are durable
        options: dict[str, Any] = {}
        if self.url.get_backend_name() == "sqlite":
            if self.url.database:
                Path(self.url.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            options["connect_args"] = {"timeout": _BUSY_MS / 1000}
            self.engine = self._lazy_engine = self._reading_engine = self._engine(**options)
            event.listen(self.engine, "connect", _prepare)
            event.listen(self.engine, "begin", _begin)
            return
        # Connections for each purpose, rather than statements more at each use of one.
        self.engine, self._lazy_engine = self._of_postgresql(durable=True), self._of_postgresql()
        options = {"isolation_level": "AUTOCOMMIT", "pool_reset_on_return": None}
        self._reading_engine = self._of_postgresql(durable=True, **options)
        self._steps = {
            True: Steps(self._reading_engine),
            False: Steps(self._of_postgresql(**options)),
        }

    @property
    def at_once(self) -> bool:
        """Whether one statement may change several tables."""
        return self.url.get_backend_name() == "postgresql"

    def _of_postgresql(self, *, durable: bool = False, **options: Any) -> Engine:
        settings = _POSTGRES_OPTIONS + ("" if durable else " -c synchronous_commit=off")
        options["connect_args"] = {"connect_timeout": 5, "options": settings}
        engine = self._engine(**options)
        event.listen(engine, "checkin", _leave)
        event.listen(engine, "checkout", _look_at)
        return engine

    def _engine(self, **options: Any) -> Engine:
        return create_engine(self.url, pool_size=10, max_overflow=30, pool_timeout=5, **options)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection for reading.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        # On PostgreSQL each statement sees what is committed.
        with _translated(), self._reading_engine.connect() as connection:
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

    def step(
        self, statement: Executable, values: Mapping[str, Any], *, durable: bool = True
    ) -> Sequence[Any] | None:
        """Execute one statement that writes and is a transaction of its own; return its first row.

        Args:
            statement: made once, or as often as there are shapes of it.
            values: of its parameters.
            durable: as of `writing`.

        Raises:
            StoreUnavailable, StorageFull: as `writing`.
        """
        if self.at_once:
            with _translated():
                return self._steps[durable].first(statement, values)
        with self.writing(durable=durable) as connection:
            return connection.execute(statement, values).first()

    def look(self, statement: Executable, values: Mapping[str, Any]) -> Sequence[Any] | None:
        """Execute one statement that reads; return its first row. As `step`."""
        if self.at_once:
            return self.step(statement, values)
        with self.reading() as connection:
            return connection.execute(statement, values).first()

    def migrate(self) -> None:
        """Bring the tables up to date; safe to repeat and to race."""
        from alembic import command  # slow to import, and not everybody migrates
        from alembic.config import Config

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
        for steps in self._steps.values():
            steps.close()


# Faults of this code, not of the database.
_OURS = (
    *(DataError, IntegrityError, ProgrammingError),
    *(psycopg.DataError, psycopg.IntegrityError, psycopg.ProgrammingError),
)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except _OURS:
        raise
    except (DatabaseError, InterfaceError, TimeoutError, psycopg.Error) as error:
        message = str(getattr(error, "orig", error))
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
