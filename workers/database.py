"""The connection to the job store: SQLite made safe for many processes, or PostgreSQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError, DataError, IntegrityError, ProgrammingError, TimeoutError

from pipeline.errors import StorageFull, StoreUnavailable

_BUSY_MS = 5_000


class Database:
    """Transactions on the job store; all errors of the database come out as `StoreUnavailable`.

    SQLite runs in WAL mode with full synchronisation: readers never wait, and what was committed
    survives a power cut. A writing transaction takes the lock at its start, so that what it read
    still holds when it writes.

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
        self.engine = create_engine(
            self.url, pool_size=10, max_overflow=30, pool_timeout=5, pool_pre_ping=False, **options
        )
        if self.url.get_backend_name() == "sqlite":
            event.listen(self.engine, "connect", _prepare)
            event.listen(self.engine, "begin", _begin)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection for reading.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        with _translated(), self.engine.connect() as connection:
            yield connection.execution_options(reading=True)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection in one writing transaction, committed at the end.

        Raises:
            StoreUnavailable: the database does not answer, or was locked for 5 s.
            StorageFull: there is no room on its disk.
        """
        with _translated(), self.engine.begin() as connection:
            yield connection

    def migrate(self) -> None:
        """Bring the tables up to date; safe to repeat and to race."""
        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self.writing() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (DataError, IntegrityError, ProgrammingError):
        raise  # faults of this code, not of the database
    except (DatabaseError, TimeoutError) as error:
        if "full" in str(getattr(error, "orig", "")):
            raise StorageFull("The job store has no room left on its disk.") from error
        raise StoreUnavailable("The job store does not answer.") from error


def _prepare(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # transactions are begun by `_begin`, not by the driver
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()
    connection.execute(f"PRAGMA busy_timeout={_BUSY_MS}").close()


def _begin(connection: Connection) -> None:
    reading = connection.get_execution_options().get("reading")
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
