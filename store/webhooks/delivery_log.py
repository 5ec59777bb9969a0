"""Deliveries and their attempts, as the owners of webhooks see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from store.sql.tables import AttemptRow, DeliveryRow


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt: the status that came back, or the `error`; None for both is no outcome.

    Attributes:
        at: when it began.
        seconds: it took.
        error: ``sending`` while it is made, ``interrupted`` where its sender died in it.
    """

    number: int
    at: float
    seconds: float
    status: int | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event for one webhook.

    Attributes:
        subject: id of the job or batch.
        state: ``pending``, ``sending``, ``delivered``, ``failed`` or ``blocked``.
        next_at: when it is tried next; None where it is not.
    """

    id: str
    event: str
    subject: str
    state: str
    attempts: tuple[Attempt, ...]
    created_at: float
    next_at: float | None
    ended_at: float | None


def logged(connection: Connection, rows: Sequence[Any]) -> list[Delivery]:
    """Return deliveries, given as rows of their table, with their attempts."""
    attempts: dict[str, list[Attempt]] = defaultdict(list)
    query = select(AttemptRow.__table__).where(AttemptRow.delivery_id.in_([r.id for r in rows]))
    for row in connection.execute(query.order_by(AttemptRow.number)):
        attempt = Attempt(row.number, row.at, row.seconds, row.status, row.error)
        attempts[row.delivery_id].append(attempt)
    return [
        Delivery(
            *(row.id, row.event, row.subject, row.state, tuple(attempts[row.id])),
            *(row.created_at, row.next_at if row.state == "pending" else None, row.ended_at),
        )
        for row in rows
    ]


def by_state(connection: Connection) -> dict[str, int]:
    """Return the number of deliveries in each state that any is in."""
    counted = select(DeliveryRow.state, func.count()).group_by(DeliveryRow.state)
    return {state: number for state, number in connection.execute(counted)}
