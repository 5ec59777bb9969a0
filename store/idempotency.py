"""Repeatable requests: one Idempotency-Key makes one thing, however often it is sent.

The key is stored in the same transaction as what the request became: whenever a process dies,
there are both or neither, and the second of two equal requests at the same time finds the key
taken. Keys of different owners, or sent to different routes, are different keys.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
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


class Idempotency:
    """The keys of one installation.

    Args:
        database: where they are stored.
        hours: how long a key is known; later it makes a new request.

    Attributes:
        database: as given.
        seconds: how long a key is known.
        under_way: owner, route and key of what this process carries out `Once.alone`.
        lock: held while `under_way` is looked at or changed.
    """

    def __init__(self, database: Database, *, hours: float) -> None:
        self.database = database
        self.seconds = 3600 * hours
        self.under_way: set[tuple[str | None, str, str]] = set()
        self.lock = threading.Lock()

    def forget(self) -> None:
        """Remove the keys that are too old to be repeated."""
        with self.database.reading() as connection:
            limit = now(connection) - self.seconds
        self.database.remove(IdempotencyRow, IdempotencyRow.created_at < limit)


@dataclass(frozen=True, slots=True)
class Once:
    """A request that may be sent again, and makes one thing.

    Where the database alone holds that, the second of two requests waits in `keep`. What changes
    more than the database, as a document does, is done `alone`.

    Attributes:
        keys: of the installation.
        owner: id of the sender's access key; None where the service has no keys.
        route: where it was sent to; the same key elsewhere is another request.
        key: chosen by the sender, 1 to 255 printable ASCII characters.
        fingerprint: hash of what was asked for.
    """

    keys: Idempotency
    owner: str | None
    route: Route
    key: str
    fingerprint: str

    def made(self) -> str | None:
        """Return the id of what an earlier request with this key made, None where there was none.

        Raises:
            IdempotencyKeyReused: it asked for something else.
        """
        with self.keys.database.reading() as connection:
            recent = IdempotencyRow.created_at >= now(connection) - self.keys.seconds
            return self._earlier(connection, recent)

    def keep(self, connection: Connection, made_id: str) -> str | None:
        """Keep the key with the id of what is made, within the transaction that stores just that.

        Returns:
            None where the key is kept now. Otherwise what an earlier request made: nothing was
            kept, and nothing else of this request may be stored.

        Raises:
            IdempotencyKeyReused: an earlier request with this key asked for something else.
        """
        moment = now(connection)
        old = IdempotencyRow.created_at < moment - self.keys.seconds
        connection.execute(delete(IdempotencyRow).where(self._same(), old))
        # Where another transaction holds the key, this one waits for its end.
        new = insert_where(connection, IdempotencyRow).values(
            owner=self.owner or "",
            route=self.route,
            key=self.key,
            fingerprint=self.fingerprint,
            created_at=moment,
            **{self._column: made_id},
        )
        kept = new.on_conflict_do_nothing().returning(IdempotencyRow.key)
        while connection.execute(kept).first() is None:
            if (earlier := self._earlier(connection)) is not None:
                return earlier  # else it was just removed, and the key is free again
        return None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Mark it as being carried out by this process, until the context ends.

        So a document is stored once even where requests overlap; what other processes accept at
        the same time is found by `keep`.

        Raises:
            IdempotencyInFlight: an earlier one with this key is still being carried out.
        """
        mark, keys = (self.owner, self.route, self.key), self.keys
        with keys.lock:
            if mark in keys.under_way:
                raise IdempotencyInFlight(
                    "The first request with this Idempotency-Key is still being accepted.",
                    retry_after=1.0,
                )
            keys.under_way.add(mark)
        try:
            yield
        finally:
            with keys.lock:
                keys.under_way.discard(mark)

    @property
    def _column(self) -> str:
        """The column of what its route makes: a job, a batch, or something else."""
        return _COLUMNS.get(self.route, "made_id")

    def _earlier(self, connection: Connection, *where: ColumnElement[bool]) -> str | None:
        row = connection.execute(select(IdempotencyRow).where(self._same(), *where)).first()
        if row is None:
            return None
        if row.fingerprint != self.fingerprint:
            raise IdempotencyKeyReused(
                "This Idempotency-Key came before with another document, model, options or body."
            )
        return getattr(row, self._column) or ""

    def _same(self) -> ColumnElement[bool]:
        return and_(
            IdempotencyRow.owner == (self.owner or ""),
            IdempotencyRow.route == self.route,
            IdempotencyRow.key == self.key,
        )
