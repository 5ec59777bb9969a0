"""Access keys, which the operator makes, rotates and revokes; the principal behind a request.

A key is ``fw_PREFIX_SECRET``. The prefix is public: it is shown in lists and finds the row. Only
the SHA-256 of the whole key is stored; 192 random bits need no slower hash. When a key is rotated
(`Keys.rotate`), the new one owns what the old one owned, and both work for a while.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import secrets
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Literal, TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, and_, func, insert, or_, select, update

from pipeline.errors import InvalidOption
from store.access import audit
from store.access.ownership import ANY_OWNER, OwnerScope
from store.access.sessions import hashed
from store.sql.database import Database
from store.sql.tables import KeyRow, RevisionRow, SessionRow, db_now
from store.sql.tables import now as clock

SCOPES = ("extract", "read", "review", "train", "admin")

_SECRET_BYTES = 24
_NAME_LENGTH = 120
TOUCH_SECONDS = 60.0  # between two notes of a key's use
_REVISION = "keys"  # counted by triggers of their tables, see migration 0010
_NOBODY = hashlib.sha256(b"").hexdigest()  # compared with where no key has the prefix

KeyState: TypeAlias = Literal["valid", "expired", "revoked"]


@dataclass(frozen=True, slots=True)
class Principal:
    """The caller of one request.

    Attributes:
        key_id: under which what the caller owns is stored; None where the service has no keys.
        scopes: ``extract`` to submit and remove, ``read`` to look, ``review`` to look and decide,
            ``train`` to label, train and choose what is in service, ``admin`` for all owners.
        rate_per_minute: most requests of the key a minute, None for the installation's.
        max_queued: most unfinished jobs of the key, None for the installation's.
        actor: what the audit log calls the caller.
        name: of the key, for people; None where the service has no keys.
    """

    key_id: str | None
    scopes: frozenset[str]
    rate_per_minute: int | None = None
    max_queued: int | None = None
    actor: str = "anyone"
    name: str | None = field(default=None, compare=False)

    @property
    def owner_scope(self) -> OwnerScope:
        """Whose objects the caller sees: its own, or with ``admin`` all."""
        return ANY_OWNER if "admin" in self.scopes else self.key_id


OPEN = Principal(None, frozenset(SCOPES))
"""The caller of a service without keys, who may do everything."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key as the operator sees it; times are seconds since 1970 by the database's clock."""

    id: str
    owner: str
    name: str
    prefix: str
    scopes: tuple[str, ...]
    rate_per_minute: int | None
    max_queued: int | None
    created_at: float
    expires_at: float | None
    revoked_at: float | None
    last_used_at: float | None
    state: KeyState


@dataclass(frozen=True, slots=True)
class ValidKey:
    """A valid key in memory: the hash it must have, and who sends it."""

    id: str
    hash: str = field(repr=False)
    principal: Principal


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The keys that were valid at a moment, held in memory so that a request costs no query.

    Attributes:
        used: whether the installation ever had a key, valid or not.
        keys: the valid keys by prefix.
        sessions: the valid keys of browsers that are signed in, by the hash of the session.
        revision: how often the keys of the installation had changed.
        until: when the first of them expires, by the database's clock.
    """

    used: bool
    keys: Mapping[str, ValidKey]
    sessions: Mapping[str, ValidKey] = field(default_factory=dict)
    revision: int = 0
    until: float = math.inf

    def find(self, presented: str) -> ValidKey | None:
        """Return the key of that text, None where it is no valid one.

        A wrong prefix, a wrong secret and a key out of date take the same steps to refuse.
        """
        key = self.keys.get(_prefix(presented))
        matches = hmac.compare_digest(key.hash if key else _NOBODY, _hash(presented))
        return key if matches else None

    def find_session(self, token: str) -> ValidKey | None:
        """Return the key that a browser signed in with, None where the token is no valid one."""
        return self.sessions.get(hashed(token))


class Keys:
    """All reads and writes of the keys of an installation.

    Methods raise `StoreUnavailable` where the database does not answer.
    """

    def __init__(self, database: Database) -> None:
        self.database = database

    def create(
        self,
        name: str,
        scopes: Iterable[str] = ("extract", "read"),
        *,
        owner_of: str | None = None,
        expires_s: float | None = None,
        rate_per_minute: int | None = None,
        max_queued: int | None = None,
    ) -> tuple[Key, str]:
        """Make a key; return it and its text, which is kept nowhere.

        Args:
            name: chosen by the operator; no other valid key may have it.
            scopes: of `SCOPES`, one at least.
            owner_of: id, prefix or name of a valid key whose jobs the new one sees too.
            expires_s: seconds until it expires; never where None.
            rate_per_minute: most requests a minute, the installation's where None.
            max_queued: most unfinished jobs, the installation's where None.

        Raises:
            InvalidOption: the name is taken or not fit to be shown, a scope is unknown, or there
                is no valid key `owner_of`.
        """
        _check(name, tuple(scopes))
        with self.database.writing() as connection:
            now = clock(connection)
            if connection.execute(
                select(KeyRow.id).where(valid_at(now), KeyRow.name == name)
            ).first():
                raise InvalidOption(
                    f"There is a valid key named {name!r}.",
                    advice=f"Choose another name, or `fieldwright keys rotate {name}`.",
                )
            key_id = str(uuid.uuid4())
            owner = key_id if owner_of is None else _matching(connection, now, owner_of)[0].owner
            values = {
                "owner": owner,
                "name": name,
                "scopes": [scope for scope in SCOPES if scope in set(scopes)],
                "rate_per_minute": rate_per_minute,
                "max_queued": max_queued,
                "expires_at": None if expires_s is None else now + expires_s,
            }
            made = _add(connection, key_id, now, values)
            audit.record(connection, "key.created", key_id, name=name, scopes=values["scopes"])
            return made

    def rotate(self, which: str, *, grace_s: float) -> tuple[Key, str]:
        """Make a successor of a key; the old one works for `grace_s` seconds more.

        The new key owns what the old one owned, and has its name, scopes, limits and, where it
        has one, its time of expiry.

        Args:
            which: id, prefix or name of one valid key.
            grace_s: seconds for which both work, so that clients can change one by one.

        Raises:
            InvalidOption: no valid key of that name, or several.
        """
        with self.database.writing() as connection:
            now = clock(connection)
            olds = _matching(connection, now, which)
            if len(olds) > 1:
                raise InvalidOption(
                    f"{len(olds)} valid keys are named {which!r}.",
                    advice="Give the id or the prefix; see `fieldwright keys list`.",
                )
            old = olds[0]
            names = ("owner", "name", "scopes", "rate_per_minute", "max_queued", "expires_at")
            made = _add(connection, str(uuid.uuid4()), now, {n: getattr(old, n) for n in names})
            end = min(now + grace_s, old.expires_at or now + grace_s)
            query = update(KeyRow).where(KeyRow.id == old.id).values(expires_at=end)
            connection.execute(query)
            audit.record(connection, "key.rotated", old.id, name=old.name, successor=made[0].id)
            return made

    def revoke(self, which: str) -> list[Key]:
        """Stop the key of an id or prefix, or all of a name; return what was stopped.

        Raises:
            InvalidOption: no valid key of that id, prefix or name.
        """
        with self.database.writing() as connection:
            now = clock(connection)
            ids = []
            for row in _matching(connection, now, which):
                ids.append(row.id)
                audit.record(connection, "key.revoked", row.id, name=row.name)
            connection.execute(update(KeyRow).where(KeyRow.id.in_(ids)).values(revoked_at=now))
            return [key for key in _all(connection, now) if key.id in ids]

    def list(self) -> list[Key]:
        """Return all keys, the oldest first, including those that no longer work."""
        with self.database.reading() as connection:
            return _all(connection, clock(connection))

    def ring(self, known: KeyRing | None = None) -> KeyRing:
        """Return the valid keys as they stand now.

        Args:
            known: read earlier; given back where no key has changed or expired since, which costs
                one row, however many keys there are.
        """
        changes = select(RevisionRow.number).where(RevisionRow.name == _REVISION).scalar_subquery()
        with self.database.reading() as connection:
            now, revision = connection.execute(select(db_now(), func.coalesce(changes, 0))).one()
            if known is not None and known.revision == revision and now < known.until:
                return known
            # What changes from here on has another revision, and is read the next time.
            rows = connection.execute(select(KeyRow.__table__).where(valid_at(now))).all()
            used = connection.execute(select(KeyRow.id).limit(1)).first() is not None
            alive = select(SessionRow.hash, SessionRow.key_id, SessionRow.expires_at)
            sessions = connection.execute(alive.where(SessionRow.expires_at > now)).all()
        keys = {row.id: _held(row) for row in rows}
        return KeyRing(
            used,
            {row.prefix: keys[row.id] for row in rows},
            {row.hash: keys[row.key_id] for row in sessions if row.key_id in keys},
            revision,
            min((row.expires_at for row in [*rows, *sessions] if row.expires_at), default=math.inf),
        )

    def touch(self, key_id: str) -> None:
        """Record that a key was used, at most once a minute."""
        with self.database.writing() as connection:
            now = clock(connection)
            stale = or_(KeyRow.last_used_at.is_(None), KeyRow.last_used_at < now - TOUCH_SECONDS)
            query = update(KeyRow).where(KeyRow.id == key_id, stale).values(last_used_at=now)
            connection.execute(query)


def _check(name: str, scopes: tuple[str, ...]) -> None:
    if not name.strip() or len(name) > _NAME_LENGTH or not name.isprintable():
        raise InvalidOption(
            "The name of a key has 1 to 120 printable characters.",
            advice="Choose a name that says who uses the key.",
        )
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown or not scopes:
        raise InvalidOption(
            f"There is no scope {unknown[0]!r}." if unknown else "A key needs a scope.",
            advice=f"Choose from {', '.join(SCOPES)}.",
        )


def _add(
    connection: Connection, key_id: str, now: float, values: Mapping[str, object]
) -> tuple[Key, str]:
    prefix = secrets.token_hex(5)
    text = f"fw_{prefix}_{secrets.token_urlsafe(_SECRET_BYTES)}"
    row = {"id": key_id, "prefix": prefix, "hash": _hash(text), "created_at": now, **values}
    connection.execute(insert(KeyRow).values(row))
    (key,) = (key for key in _all(connection, now) if key.id == key_id)
    return key, text


def _matching(connection: Connection, now: float, which: str) -> list[Row[tuple[object, ...]]]:
    """Return the valid key of an id or prefix, or the valid keys of a name."""
    query = select(KeyRow.__table__).where(valid_at(now))
    exact = connection.execute(
        query.where(or_(KeyRow.id == which, KeyRow.prefix == which.removeprefix("fw_")))
    ).all()
    found = exact or connection.execute(query.where(KeyRow.name == which)).all()
    if not found:
        raise InvalidOption(
            f"There is no valid key {which[:40]!r}.", advice="See `fieldwright keys list`."
        )
    return list(found)


def _all(connection: Connection, now: float) -> list[Key]:
    query = select(KeyRow.__table__).order_by(KeyRow.created_at, KeyRow.id)
    return [_key(row, now) for row in connection.execute(query)]


def _key(row: Row[tuple[object, ...]], now: float) -> Key:
    state: KeyState = "valid"
    if row.revoked_at is not None:
        state = "revoked"
    elif row.expires_at is not None and row.expires_at <= now:
        state = "expired"
    kept = {item.name: getattr(row, item.name) for item in fields(Key) if item.name != "state"}
    return Key(**{**kept, "scopes": tuple(row.scopes)}, state=state)


def _held(row: Row[tuple[object, ...]]) -> ValidKey:
    limits = row.rate_per_minute, row.max_queued
    actor = f"key:fw_{row.prefix}"
    principal = Principal(row.owner, frozenset(row.scopes), *limits, actor, row.name)
    return ValidKey(row.id, row.hash, principal)


def valid_at(now: float) -> ColumnElement[bool]:
    """Return the SQL condition that a key is valid at a time of the database's clock."""
    unexpired = or_(KeyRow.expires_at.is_(None), KeyRow.expires_at > now)
    return and_(KeyRow.revoked_at.is_(None), unexpired)


def _prefix(presented: str) -> str:
    parts = presented.split("_", 2)
    return parts[1] if len(parts) == 3 else ""


def _hash(presented: str) -> str:
    return hashlib.sha256(presented.encode()).hexdigest()
