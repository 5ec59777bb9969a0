"""The connection to the job store: SQLite made safe for many processes, or PostgreSQL."""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    create_engine,
    delete,
    event,
    func,
    inspect,
    select,
    text,
    tuple_,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
)
from sqlalchemy.orm import DeclarativeBase

from pipeline.errors import InvalidOption, StorageFull
from store.errors import StoreUnavailable
from store.sql.fair_semaphore import Places
from store.sql.tables import SQLITE_NOW

log = logging.getLogger(__name__)

_BUSY_MS = 5_000
# A server whose machine vanished says nothing more: without these the system waits for it for many
# minutes, and so does whoever asked, although another one of the address may answer.
_CONNECTING = {
    "connect_timeout": 5,
    "tcp_user_timeout": 2 * _BUSY_MS,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
_STATEMENT_MS = 6 * _BUSY_MS
# A process that is stopped in the middle of a transaction loses it, and with it the locks that keep
# its job from all others. Of the transaction, not of the connection: see `Database`.
_BEGIN_POSTGRESQL = (
    f"BEGIN; SET LOCAL lock_timeout = {_BUSY_MS}; SET LOCAL statement_timeout = {_STATEMENT_MS}; "
    f"SET LOCAL idle_in_transaction_session_timeout = {4 * _BUSY_MS}"
)
_NO_RIGHTS = "42501"
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
_LAZILY = "; SET LOCAL synchronous_commit TO off"
_AGAIN_S = 2.0
_SQLITE_CONNECTIONS = 40
_CHUNK = 500  # rows that one transaction removes
_MIGRATIONS = Path(__file__).parents[1] / "migrations"
_NEWEST = max(path.stem for path in (_MIGRATIONS / "versions").glob("[0-9]*.py")).split("_")[0]
_MIGRATING = 0x6669656C64  # the advisory lock of the process that migrates


class Database:
    """Transactions on the job store; every error of the database is raised as `StoreUnavailable`.

    SQLite runs in WAL mode with full synchronisation: readers never wait, and what was committed
    survives a power cut. A writing transaction takes the lock at its start, so that what it read
    still holds when it writes. PostgreSQL runs with its own defaults and bounded times to wait.
    Its connections are checked before each use: the server may have been restarted meanwhile. One
    that says nothing more is given up: after five seconds by who comes, else soon after it should
    have ended the statement itself.

    A process has one of these, and with it one pool of connections: each transaction takes one
    for as long as it lasts, and threads that wait for one get it in the order in which they came.
    So one connection does for threads that seldom need it, and a thread must never take a second
    one. Nothing is kept in a session of PostgreSQL (no setting, no prepared statement, no lock),
    so that PgBouncer may stand between, which pools transactions.

    Args:
        url: SQLAlchemy address; the folder of a SQLite file is made when missing.
        connections: to PostgreSQL, at most. Half of them stay open, at least one; the others are
            for moments.

    Attributes:
        url: as given.
        fault: why it did not answer last, for its operator alone; None where it did.
        full: its disk had no room for what this process last wrote.

    Raises:
        InvalidOption: the address cannot be read.
    """

    def __init__(self, url: str, *, connections: int = 10) -> None:
        self.url = _parsed(url)
        sqlite = self.url.get_backend_name() == "sqlite"
        if sqlite and self.url.database:
            Path(self.url.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        most = _SQLITE_CONNECTIONS if sqlite else connections
        kept = max(1, most // 2)
        pool: dict[str, Any] = {"pool_size": kept, "max_overflow": most - kept}
        pool["hide_parameters"] = True  # no error may quote a value
        self._engine = (
            create_engine(self.url, **pool, connect_args={"timeout": _BUSY_MS / 1000})
            if sqlite
            else create_engine(
                self.url,
                **pool,
                isolation_level="AUTOCOMMIT",  # `_begin_postgresql` begins transactions
                pool_pre_ping=True,
                connect_args=_connecting(self.url),
            )
        )
        self._places = Places(most)
        self.fault: str | None = None
        self.full = False
        if sqlite:
            event.listen(self._engine, "connect", _prepare_sqlite)
        else:
            from store.sql.postgresql import connected, returned  # the driver is slow to import

            event.listen(self._engine, "do_connect", connected)
            event.listen(self._engine, "checkin", returned)
        event.listen(self._engine, "begin", _begin_sqlite if sqlite else _begin_postgresql)

    @property
    def remote(self) -> bool:
        """Whether the database is a server, which processes on several machines may share."""
        return self.url.get_backend_name() != "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection for reading.

        Raises:
            StoreUnavailable: the database does not answer.
        """
        with self._connected() as connection:
            yield connection.execution_options(reading=True)

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[Connection]:
        """Give a connection in one writing transaction, committed at the end.

        Args:
            durable: a power cut must not undo the transaction. What a worker notes of a job in
                hand may be undone, as the job is then done again: that spares a wait for the disk.

        Raises:
            StoreUnavailable: the database does not answer, or was locked for 5 s.
            StorageFull: there is no room on its disk.
        """
        with self._connected() as connection:
            connection = connection.execution_options(lazy=not durable)
            with connection.begin():
                yield connection
            self.full = False

    def check_writable(self) -> None:
        """Return where the database takes changes: no standby, and not set to read alone.

        Raises:
            StoreUnavailable: it takes none, or does not answer.
        """
        with self.reading() as connection:
            if not self.remote:
                return
            read_only = connection.scalar(select(func.current_setting("transaction_read_only")))
        if read_only == "on":  # so it is on a standby, too
            raise StoreUnavailable("The job store takes no changes: it is read-only.")

    def remove(self, table: type[DeclarativeBase], *where: ColumnElement[bool]) -> int:
        """Remove the rows for which conditions hold, however many, a few in each transaction.

        So nobody waits long for their locks, and what was removed stays so where this is ended.

        Args:
            table: where they are.
            where: conditions that an index answers.

        Returns:
            How many rows were removed.

        Raises:
            StoreUnavailable: the database does not answer; some may be removed.
        """
        key = tuple_(*inspect(table).primary_key)
        some = select(*inspect(table).primary_key).where(*where).limit(_CHUNK)
        removed = 0
        while True:
            with self.writing() as connection:
                number = connection.execute(delete(table).where(key.in_(some))).rowcount
            removed += number
            if number < _CHUNK:
                return removed

    def may_have_committed(self, error: BaseException) -> bool:
        """Say whether a transaction that failed so may stand in the database all the same.

        A server may commit and its acknowledgement be lost on the way; SQLite commits in this
        process and knows.
        """
        return self.remote and isinstance(error, StoreUnavailable)

    def migrate(self, revision: str = "head") -> None:
        """Bring the tables up to date; safe to repeat and to race.

        Args:
            revision: to which to bring them; one that is older than theirs takes away what came
                after it, and what is kept there.

        Raises:
            InvalidOption: there is no such revision, or the tables are those of a newer release.
        """
        if revision == "head" and self._revision() == _NEWEST:
            return
        from alembic import command  # slow to import, and mostly there is nothing to migrate
        from alembic.config import Config
        from alembic.runtime.migration import MigrationContext
        from alembic.script import ScriptDirectory

        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS))
        with self._connected() as connection, connection.execution_options(patient=True).begin():
            if connection.dialect.name == "postgresql":
                for statement in ("SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0"):
                    connection.execute(text(statement))
                connection.execute(select(func.pg_advisory_xact_lock(_MIGRATING)))
            config.attributes["connection"] = connection
            known = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]
            current = MigrationContext.configure(connection).get_current_revision()
            if current is not None and current not in known:
                raise InvalidOption(
                    f"The tables are those of a newer release: {current[:40]}.",
                    advice="Start that release, or have it take them back: "
                    f"`fieldwright migrate --to {known[0]}`.",
                )
            if revision not in ("head", *known):
                raise InvalidOption(
                    f"There is no revision {revision[:40]!r} of the tables.",
                    advice=f"Choose among {', '.join(reversed(known))}.",
                )
            # The newest comes first: what stands behind it in the list is older.
            goes_back = revision in known and current in known[: known.index(revision)]
            (command.downgrade if goes_back else command.upgrade)(config, revision)

    def migrate_when_there(self) -> None:
        """Bring the tables up to date; where a server does not answer yet, wait until it does.

        Raises:
            InvalidOption: the tables are those of a newer release.
            StoreUnavailable: the database is a file that cannot be used.
        """
        while True:
            try:
                return self.migrate()
            except StoreUnavailable:
                if not self.remote:
                    raise
            time.sleep(_AGAIN_S)

    def _revision(self) -> str | None:
        """Return the revision of the tables; None where there are none yet."""
        with self.reading() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
            return found

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        if not self._places.take(timeout=_BUSY_MS / 1000):
            raise StoreUnavailable("The connections to the job store are all in use.")
        try:
            with self._translated(), self._engine.connect() as connection:
                yield connection
        finally:
            self._places.give_back()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (DataError, IntegrityError, ProgrammingError) as error:
            if getattr(error.orig, "sqlstate", None) != _NO_RIGHTS:
                raise  # a fault of this code, not of the database
            self._note(_reason(error))
            raise StoreUnavailable(
                "The user of the database lacks rights on the tables of the job store.",
                advice="Give it those of their owner: docs/deploy.md, Rotation of keys.",
            ) from error
        except (DatabaseError, InterfaceError) as error:
            self._note(_reason(error))
            message = str(getattr(error, "orig", error))
            if "full" in message or "No space left" in message:
                self.full = True
                raise StorageFull("The job store has no room left on its disk.") from error
            if getattr(error.orig, "sqlite_errorname", "").startswith(_DAMAGED):
                raise StoreUnavailable(
                    "The job store is damaged: its file is no whole database.",
                    advice="Stop the service, and restore it as docs/deploy.md says, Back-up.",
                ) from error
            raise StoreUnavailable("The job store does not answer.") from error
        self._note(None)

    def _note(self, fault: str | None) -> None:
        """Log why the database does not answer, once for each reason, and that it does again."""
        if fault == self.fault:
            return
        self.fault = fault
        if fault is None:
            log.info("job store answers again")
        else:
            log.warning("job store does not answer", extra={"reason": fault})


def _parsed(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):  # which may hold a part of the password
        raise InvalidOption(
            "FIELDWRIGHT_DATABASE_URL cannot be read as an address.",
            advice="Write one such as postgresql://USER:PASSWORD@HOST:5432/NAME, with %40 for @ "
            "in a password.",
        ) from None


def _connecting(url: URL) -> dict[str, Any]:
    """Return how PostgreSQL is connected to; what the address says of it holds."""
    own = {name: value for name, value in _CONNECTING.items() if name not in url.query}
    return {**own, "prepare_threshold": None}


def _reason(error: DatabaseError | InterfaceError) -> str:
    """Return the class of an error with its SQLSTATE, or what was said where there is none.

    A server that answers with a state may quote values. Without one nobody was reached, or was
    let in: then it is said whom, and why, but never the password.
    """
    cause = error.orig if error.orig is not None else error
    said = getattr(cause, "sqlstate", None) or " ".join(str(cause).split())[:300]
    return f"{type(cause).__name__}: {said}"


def _prepare_sqlite(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # `_begin_sqlite` begins transactions, not the driver
    # Deterministic: SQLite asks once for each statement, within which the time stands still.
    connection.create_function(SQLITE_NOW, 0, time.time, deterministic=True)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()
    connection.execute(f"PRAGMA busy_timeout={_BUSY_MS}").close()


def _begin_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    if options.get("reading"):
        connection.exec_driver_sql("BEGIN")
        return
    level = "NORMAL" if options.get("lazy") else "FULL"
    driver: Any = connection.connection.dbapi_connection
    driver.execute(f"PRAGMA synchronous={level}").close()
    while True:
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            return
        except OperationalError as error:
            # Another process may migrate the file. To wait in pieces lets Ctrl-C through.
            if not (options.get("patient") and "locked" in str(error.orig)):
                raise


def _begin_postgresql(connection: Connection) -> None:
    options = connection.get_execution_options()
    driver: Any = connection.connection.dbapi_connection
    driver.silence_s = None if options.get("patient") else (_STATEMENT_MS + _BUSY_MS) / 1000
    if options.get("reading"):
        return  # each statement sees what is committed, and needs no transaction
    connection.exec_driver_sql(_BEGIN_POSTGRESQL + (_LAZILY if options.get("lazy") else ""))
