"""What one of those who share a store does or holds: turns every few seconds, marks for good."""

from __future__ import annotations

from sqlalchemy import or_, select, update

from store.sql.database import Database
from store.sql.tables import LockRow, db_now, insert_where


class Turns:
    """Whose turn it is, which nobody holds: where a process dies, another has the next one.

    And who holds something for good, such as the documents of this store: `holder`.

    Args:
        database: of the store.
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
            first = insert_where(connection, LockRow).values(name=name, **due)
            return bool(connection.execute(first.on_conflict_do_nothing()).rowcount)

    def first_holder(self, name: str, holder: str) -> str:
        """Return who was the first to say that it holds something for good; perhaps the caller.

        Args:
            name: of what is held, at most 32 characters.
            holder: who asks, at most 64 characters.

        Raises:
            StoreUnavailable: the store does not answer.
        """
        with self._database.writing() as connection:
            first = insert_where(connection, LockRow)
            first = first.values(name=name, holder=holder, lease_until=0)
            connection.execute(first.on_conflict_do_nothing())
            known = connection.scalar(select(LockRow.holder).where(LockRow.name == name))
        return known or holder

    def holder(self, name: str) -> str | None:
        """Return who holds something, None where nobody has said so.

        Raises:
            StoreUnavailable: the store does not answer.
        """
        with self._database.reading() as connection:
            return connection.scalar(select(LockRow.holder).where(LockRow.name == name))

    def pass_on(self, name: str, holder: str) -> str | None:
        """Have something held by the caller; return who held it before, None where nobody did.

        Args:
            name: of what is held, at most 32 characters.
            holder: who asks, at most 64 characters.

        Raises:
            StoreUnavailable: the store does not answer.
        """
        with self._database.writing() as connection:
            wanted = select(LockRow.holder).where(LockRow.name == name).with_for_update()
            before = connection.scalar(wanted)
            now = insert_where(connection, LockRow)
            now = now.values(name=name, holder=holder, lease_until=0)
            connection.execute(
                now.on_conflict_do_update(index_elements=["name"], set_={"holder": holder})
            )
        return before
