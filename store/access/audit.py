"""The audit log: what keys, reviewers and operators did. Rows are added and never touched.

A row is written in the transaction that it tells of: there are both or neither. Triggers of the
database refuse to change or remove one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, insert, select

from store.actor import actor
from store.sql.database import Database
from store.sql.tables import AuditRow, now

Action = Literal[
    "batch.deleted",
    "batch.retried",
    "dataset.changed",
    "dataset.created",
    "dataset.deleted",
    "dataset.labelled",
    "delivery.replayed",
    "job.cancelled",
    "job.deleted",
    "key.created",
    "key.revoked",
    "key.rotated",
    "model.promoted",
    "model.removed",
    "model.rolled_back",
    "review.decided",
    "review.done",
    "review.reread",
    "review.skipped",
    "secrets.reencrypted",
    "shadow.started",
    "shadow.stopped",
    "training.cancelled",
    "training.deleted",
    "training.resumed",
    "training.started",
    "webhook.changed",
    "webhook.created",
    "webhook.deleted",
    "webhook.secret_rotated",
]

_PAGE = 500


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """What was done once.

    Attributes:
        id: grows with time.
        at: seconds since 1970 by the database's clock.
        actor: who did it, as `store.actor.actor` tells.
        action: what was done.
        subject: id or name of what it was done to.
        detail: what else is known: never a secret, a value or a document's name.
    """

    id: int
    at: float
    actor: str
    action: str
    subject: str
    detail: dict[str, Any]


def record(connection: Connection, action: Action, subject: str, **detail: Any) -> None:
    """Add a row to the log, within the transaction that does what it tells of."""
    row = {"at": now(connection), "actor": actor(), "action": action, "subject": subject}
    connection.execute(insert(AuditRow).values(**row, detail=detail))


def entries(database: Database, *, within: float | None = None) -> Iterator[AuditEntry]:
    """Give the rows of the log, or of its last `within` seconds, the oldest first.

    A few hundred are read at a time.

    Raises:
        StoreUnavailable: the database does not answer.
    """
    columns = AuditRow.__table__.columns
    after = 0
    while True:
        query = select(*columns).where(AuditRow.id > after).order_by(AuditRow.id).limit(_PAGE)
        with database.reading() as connection:
            if within is not None:
                query = query.where(AuditRow.at >= now(connection) - within)
            rows = connection.execute(query).all()
        yield from (AuditEntry(*row) for row in rows)
        if len(rows) < _PAGE:
            return
        after = rows[-1].id
