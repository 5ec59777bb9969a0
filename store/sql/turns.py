"""What one of those who share a store does or holds: turns every few seconds, marks for good."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, or_, select, update

from store.sql.database import Database
from store.sql.tables import LockRow, db_now, insert_where


class Turns:
    """Whose turn it is, which nobody holds: where a process dies, another has the next one.

    And who holds something for good, such as the documents of this store: `holder`.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def take(self, name: str, holder: str, *, every: float) -> bool:
        """Take a turn if it is due; say whether it is the caller's.

        Args:
            name: of what is done in turns, at most 32 characters.
            holder: who asks.
            every: seconds from one turn to the next.

        Raises:
            StoreUnavailable: the store does not answer.
        """
        due = {"holder": holder[:64], "lease_until": db_now() + every}
        with self._database.writing(durable=False) as connection:  # after a power cut all are due
            # One that is farther away than it can be was taken by a clock that was set back since.
            farthest = db_now() + every
            is_due = or_(LockRow.lease_until <= db_now(), LockRow.lease_until > farthest)
            turn = update(LockRow).where(LockRow.name == name, is_due)
            if connection.execute(turn.values(due)).rowcount:
                return True
            if connection.scalar(select(LockRow.name).where(LockRow.name == name)) is not None:
                return False
            return _is_first(connection, name=name, **due)

    def holder(self, name: str) -> str | None:
        """Return who holds something, None where nobody has said so.

        Raises:
            StoreUnavailable: the store does not answer.
        """
        with self._database.reading() as connection:
            return connection.scalar(select(LockRow.holder).where(LockRow.name == name))

    def hold(self, name: str, holder: str, *, over: bool = False) -> str | None:
        """Say that the caller holds something for good; return who did before, None for nobody.

        Args:
            name: of what is held, at most 32 characters.
            holder: who asks, at most 64 characters; it does not count where somebody else was
                first, unless `over`.
            over: it passes on to the caller.

        Raises:
            StoreUnavailable: the store does not answer.
        """
        with self._database.writing() as connection:
            if _is_first(connection, name=name, holder=holder, lease_until=0):
                return None
            row = LockRow.name == name
            before = connection.scalar(select(LockRow.holder).where(row).with_for_update())
            if over:
                connection.execute(update(LockRow).where(row).values(holder=holder))
            return before


def _is_first(connection: Connection, **row: Any) -> bool:
    """Add a row where there is none of its name; say whether there was none."""
    new = insert_where(connection, LockRow).values(row).on_conflict_do_nothing()
    return connection.execute(new.returning(LockRow.name)).first() is not None
