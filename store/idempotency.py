"""Repeatable requests: one Idempotency-Key makes one thing, however often it is sent.

The key is stored in the same transaction as what the request became: whenever a process dies,
there are both or neither, and the second of two equal requests at the same time finds the key
taken. Keys of different owners, or sent to different routes, are different keys.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, Connection, and_, delete, select

from store.errors import IdempotencyInFlight, IdempotencyKeyReused
from store.sql.database import Database
from store.sql.tables import IdempotencyRow, insert_where, now

Route = Literal[
    "extract",
    "batches",
    "datasets",
    "trainings",
    "resumed",
    "shadows",
    "rolled back",
    "webhooks",
]


# With a job or a batch its key goes; that of anything else outlives it.
_COLUMNS = {"extract": "job_id", "batches": "batch_id"}


@dataclass(frozen=True, slots=True)
class Repeatable:
    """A request that may be sent again.

    Attributes:
        owner: id of the sender's access key; None where the service has no keys.
        route: where it was sent to; the same key elsewhere is another request.
        key: chosen by the sender, 1 to 255 printable ASCII characters.
        fingerprint: hash of what was asked for.
    """

    owner: str | None
    route: Route
    key: str
    fingerprint: str

    @property
    def column(self) -> str:
        """The column of what its route makes: a job, a batch, or something else."""
        return _COLUMNS.get(self.route, "made_id")


class Idempotency:
    """The keys of one installation.

    Args:
        database: where they are stored.
        hours: how long a key is known; later it makes a new request.
    """

    def __init__(self, database: Database, *, hours: float) -> None:
        self._database = database
        self._seconds = 3600 * hours
        self._accepting: set[tuple[str | None, str, str]] = set()
        self._lock = threading.Lock()

    def find(self, request: Repeatable) -> str | None:
        """Return the id of what an earlier request with this key made, None where there was none.

        Raises:
            IdempotencyKeyReused: it asked for something else.
        """
        with self._database.reading() as connection:
            recent = IdempotencyRow.created_at >= now(connection) - self._seconds
            return _earlier(connection, request, recent)

    def keep(self, connection: Connection, request: Repeatable, made_id: str) -> str | None:
        """Keep a key with the id of what is made, within the transaction that stores just that.

        Returns:
            None where the key is kept now. Otherwise what an earlier request made: nothing was
            kept, and nothing else of this request may be stored.

        Raises:
            IdempotencyKeyReused: an earlier request with this key asked for something else.
        """
        moment = now(connection)
        old = IdempotencyRow.created_at < moment - self._seconds
        connection.execute(delete(IdempotencyRow).where(_same(request), old))
        # Where another transaction holds the key, this one waits for its end.
        new = insert_where(connection, IdempotencyRow).values(
            owner=request.owner or "",
            route=request.route,
            key=request.key,
            fingerprint=request.fingerprint,
            created_at=moment,
            **{request.column: made_id},
        )
        kept = new.on_conflict_do_nothing().returning(IdempotencyRow.key)
        while connection.execute(kept).first() is None:
            if (earlier := _earlier(connection, request)) is not None:
                return earlier  # else it was just removed, and the key is free again
        return None

    @contextmanager
    def accepting(self, request: Repeatable | None) -> Iterator[None]:
        """Mark a request as being accepted by this process, until the context ends.

        So a document is stored once even where requests overlap; what other processes accept at
        the same time is found by `keep`. Requests without a key (None) never conflict.

        Raises:
            IdempotencyInFlight: an earlier one with this key is still being accepted.
        """
        if request is None:
            yield
            return
        mark = (request.owner, request.route, request.key)
        with self._lock:
            if mark in self._accepting:
                raise IdempotencyInFlight(
                    "The first request with this Idempotency-Key is still being accepted.",
                    retry_after=1.0,
                )
            self._accepting.add(mark)
        try:
            yield
        finally:
            with self._lock:
                self._accepting.discard(mark)

    def forget(self) -> None:
        """Remove the keys that are too old to be repeated."""
        with self._database.reading() as connection:
            limit = now(connection) - self._seconds
        self._database.remove(IdempotencyRow, IdempotencyRow.created_at < limit)


@dataclass(frozen=True, slots=True)
class Once:
    """A request with a key that makes one thing, which the database alone holds.

    Unlike a document, it needs no `accepting`: the second of two requests waits in `keep`. What
    changes more than the database is done `alone`.

    Attributes:
        keys: of the installation.
        request: that may be sent again.
    """

    keys: Idempotency
    request: Repeatable

    def alone(self) -> AbstractContextManager[None]:
        """Mark it as being carried out by this process, as `Idempotency.accepting`."""
        return self.keys.accepting(self.request)

    def made(self) -> str | None:
        """Return the id of what an earlier request made, or None; raises IdempotencyKeyReused."""
        return self.keys.find(self.request)

    def keep(self, connection: Connection, made_id: str) -> str | None:
        """Keep the key with what is made, as `Idempotency.keep`; return what was made before."""
        return self.keys.keep(connection, self.request, made_id)


def _earlier(
    connection: Connection, request: Repeatable, *where: ColumnElement[bool]
) -> str | None:
    query = select(IdempotencyRow).where(_same(request), *where)
    row = connection.execute(query).first()
    if row is None:
        return None
    if row.fingerprint != request.fingerprint:
        raise IdempotencyKeyReused(
            "This Idempotency-Key came before with another document, model, options or body."
        )
    return getattr(row, request.column) or ""


def _same(request: Repeatable) -> ColumnElement[bool]:
    return and_(
        IdempotencyRow.owner == (request.owner or ""),
        IdempotencyRow.route == request.route,
        IdempotencyRow.key == request.key,
    )
