"""Sign-ins of browsers: a random token stands for a key, for some hours and no longer than it."""

from __future__ import annotations

import hashlib
import secrets

from sqlalchemy import delete, insert, select

from store.sql.database import Database
from store.sql.tables import SessionRow, now

SESSION_SECONDS = 12 * 3600.0  # a working day
_OF_ONE_KEY = 20  # those that began last; all are held in memory
_TOKEN_BYTES = 24


class Sessions:
    """The sign-ins of an installation; methods raise `StoreUnavailable` as `Database`.

    They are read with the keys, see `Keys.ring`.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def start(self, key_id: str) -> str:
        """Sign in with a key, by its id; return the token, which is kept nowhere.

        Of one key the twenty sessions that began last are kept.
        """
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        with self._database.writing() as connection:
            moment = now(connection)
            connection.execute(delete(SessionRow).where(SessionRow.expires_at < moment))
            row = {"hash": hashed(token), "key_id": key_id, "expires_at": moment + SESSION_SECONDS}
            connection.execute(insert(SessionRow).values(row))
            of_key = SessionRow.key_id == key_id
            kept = select(SessionRow.hash).where(of_key).order_by(SessionRow.expires_at.desc())
            others = SessionRow.hash.not_in(kept.limit(_OF_ONE_KEY))
            connection.execute(delete(SessionRow).where(of_key, others))
        return token

    def end(self, token: str) -> None:
        """Sign out; a token that is none changes nothing."""
        with self._database.writing() as connection:
            connection.execute(delete(SessionRow).where(SessionRow.hash == hashed(token)))


def hashed(token: str) -> str:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
