"""Deliveries to be sent: claimed with a lease, attempted, and settled; fair to all receivers.

An attempt is logged before it is made. If a sender dies after it has sent and before it has
settled, the lease runs out, the attempt stays in the log as ``interrupted``, and the same delivery
is sent again under the same id.
"""

from __future__ import annotations

import uuid
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, insert, or_, select, update

from store.access.keys import valid_at
from store.backoff import Schedule
from store.errors import SecretKeyMissing
from store.secrets import SecretCipher
from store.sql.database import Database
from store.sql.tables import AttemptRow, DeliveryRow, KeyRow, WebhookRow, now

SENDING, INTERRUPTED, BLOCKED = "sending", "interrupted", "blocked"

_AT_ONCE = 2  # attempts at one receiver
_OF_OWNER = 8  # attempts at all receivers of one owner
_ENOUGH = 5  # deliveries given up, none delivered between them: then the webhook is switched off


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery to be attempted now.

    Attributes:
        id: same for all attempts.
        token: proof of the claim.
        url: of the receiver, judged before anything is sent.
        secrets: that sign, the newest first; none where no key decrypts them.
        body: to be sent as it is.
        number: of the attempt in the log.
        attempts: since the delivery was last asked for, this one included.
        at: when, by the clock of the database.
    """

    id: str
    token: str
    webhook_id: str
    url: str
    secrets: tuple[str, ...]
    event: str
    body: str
    number: int
    attempts: int
    at: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an attempt.

    Attributes:
        seconds: it took.
        status: that the receiver answered, None where none came.
        error: why it counts as failed, None for success.
        wish: seconds that the receiver asked for before the next attempt.
    """

    seconds: float
    status: int | None
    error: str | None
    wish: float | None = None


class Deliveries:
    """The deliveries of an installation, as a sender sees them; methods raise `StoreUnavailable`.

    Args:
        database: where they are stored.
        schedule: when they are tried again.
        cipher: decrypts the secrets that sign them.
    """

    def __init__(self, database: Database, schedule: Schedule, cipher: SecretCipher) -> None:
        self._database = database
        self._cipher = cipher
        self._schedule = schedule

    def claim(self, limit: int, *, lease: float) -> list[Claimed]:
        """Take up to `limit` deliveries that are due, the owners who have fewest at work first.

        Of one owner's receivers, too, those with fewest at work go first: who hears at once is not
        held up by others that never answer. At one receiver two are tried at the same time,
        whichever processes send.

        Args:
            limit: most deliveries.
            lease: seconds after which another sender may take them.
        """
        with self._database.reading() as connection:  # idle senders never take the write lock
            moment = now(connection)
            waiting = select(DeliveryRow.id).join(WebhookRow).where(_listening(moment))
            due = waiting.where(DeliveryRow.state.in_(("pending", SENDING)))
            if connection.scalar(due.where(DeliveryRow.next_at <= moment).limit(1)) is None:
                return []
        claimed: list[Claimed] = []
        with self._database.writing() as connection:
            moment = now(connection)
            busy: Counter[str | None] = Counter()
            receivers, at_work = [], dict[str, int]()
            for row in connection.execute(_receivers(moment)):
                busy[row.owner] += row.busy
                if row.due is not None and row.busy < _AT_ONCE:
                    receivers.append(row)
                    at_work[row.id] = row.busy
            while receivers and len(claimed) < limit:
                receiver = min(
                    receivers, key=lambda row: (busy[row.owner], at_work[row.id], row.due)
                )
                if busy[receiver.owner] >= _OF_OWNER:
                    break
                taken = self._take(connection, receiver.id, moment, lease)
                if taken is not None:
                    busy[receiver.owner] += 1
                    at_work[receiver.id] += 1
                    claimed.append(taken)
                if taken is None or at_work[receiver.id] >= _AT_ONCE:
                    receivers.remove(receiver)
        return claimed

    def settle(self, claimed: Claimed, outcome: Outcome) -> None:
        """Record the outcome of an attempt, and when the next one is due, if any.

        If another sender has claimed the delivery meanwhile, only the log is written.
        """
        with self._database.writing() as connection:
            moment = now(connection)
            delay = self._schedule.after(claimed.attempts, outcome.wish)
            if outcome.error is None:
                _end(connection, claimed, "delivered", moment)
            elif outcome.error == BLOCKED:
                _end(connection, claimed, BLOCKED, moment)
            elif outcome.status == 410:
                if _end(connection, claimed, "failed", moment):
                    switch_off(connection, claimed.webhook_id, "The receiver answered 410 Gone.")
            elif delay is None or not _active(connection, claimed.webhook_id):
                if _end(connection, claimed, "failed", moment):
                    _given_up(connection, claimed.webhook_id)
            else:
                values = {"state": "pending", "token": None, "next_at": moment + delay}
                connection.execute(update(DeliveryRow).where(_held(claimed)).values(values))
            _note(connection, claimed, outcome.seconds, outcome.status, outcome.error)

    def give_back(self, claimed: Claimed) -> None:
        """Make a delivery due again at once: the sender stops before it knows the outcome."""
        with self._database.writing() as connection:
            values = {"state": "pending", "token": None, "next_at": now(connection)}
            values["attempts"] = claimed.attempts - 1
            connection.execute(update(DeliveryRow).where(_held(claimed)).values(values))
            _note(connection, claimed, 0.0, None, INTERRUPTED)

    def hasten(self) -> None:
        """Make due what is put off for longer than anything is: a clock was set back since."""
        with self._database.reading() as connection:  # the write lock is taken only where needed
            latest = now(connection) + self._schedule.longest
            waiting = DeliveryRow.state.in_(("pending", SENDING))
            beyond = and_(waiting, DeliveryRow.next_at > latest)
            if connection.scalar(select(DeliveryRow.id).where(beyond).limit(1)) is None:
                return
        with self._database.writing() as connection:
            change = update(DeliveryRow).where(beyond)
            connection.execute(change.values(next_at=now(connection)))

    def prune(self, *, older_than: float) -> None:
        """Remove the deliveries that were stored more than so many seconds ago."""
        with self._database.reading() as connection:
            limit = now(connection) - older_than
        self._database.remove(DeliveryRow, DeliveryRow.created_at < limit)

    def _take(
        self, connection: Connection, webhook_id: str, moment: float, lease: float
    ) -> Claimed | None:
        """Claim what is due first at one receiver; None while another sender does so."""
        query = select(WebhookRow.__table__).where(WebhookRow.id == webhook_id)
        # A weak lock, for which jobs that end need not wait.
        webhook = connection.execute(
            query.with_for_update(key_share=True, skip_locked=True)
        ).first()
        if webhook is None or (connection.scalar(_busy(webhook_id, moment)) or 0) >= _AT_ONCE:
            return None
        # First those whose sender fell silent.
        for state in (SENDING, "pending"):
            query = select(DeliveryRow.__table__).where(_due(webhook_id, state, moment))
            query = query.order_by(DeliveryRow.next_at).limit(_AT_ONCE)
            for row in connection.execute(query).all():
                begun = self._begin(connection, webhook, row, moment, lease)
                if begun is not None:
                    return begun
        return None

    def _begin(
        self, connection: Connection, webhook: Any, row: Any, moment: float, lease: float
    ) -> Claimed | None:
        """Begin an attempt and write it into the log; None where there is none left, or no need."""
        token: str | None = str(uuid.uuid4())
        values = {"state": SENDING, "attempts": row.attempts + 1, "next_at": moment + lease}
        if row.attempts >= len(self._schedule.delays):  # the last attempt was interrupted
            token, values = None, {"state": "failed", "next_at": None, "ended_at": moment}
        # Its sender may have settled it since, late as it was.
        open_ = and_(DeliveryRow.id == row.id, DeliveryRow.next_at <= moment)
        change = update(DeliveryRow).where(open_).values(**values, token=token)
        if not connection.execute(change).rowcount:
            return None
        _log_interrupted(connection, row.id)
        if token is None:
            return None
        last = select(func.coalesce(func.max(AttemptRow.number), 0))
        number = (connection.scalar(last.where(AttemptRow.delivery_id == row.id)) or 0) + 1
        attempt = {"delivery_id": row.id, "number": number, "at": moment, "seconds": 0.0}
        connection.execute(insert(AttemptRow).values(**attempt, error=SENDING))
        return Claimed(
            *(row.id, token, webhook.id, webhook.url, self._secrets(webhook, moment)),
            *(row.event, row.payload, number, row.attempts + 1, moment),
        )

    def _secrets(self, webhook: Any, moment: float) -> tuple[str, ...]:
        """Return what signs at a moment, the newest first, as far as it can be decrypted."""
        kept = [webhook.secret]
        if webhook.old_secret and (webhook.old_secret_until or 0.0) > moment:
            kept.append(webhook.old_secret)
        found = []
        for secret in kept:
            with suppress(SecretKeyMissing):
                found.append(self._cipher.decrypt(secret))
        return tuple(found)


def _receivers(moment: float) -> Any:
    """Return the query of the receivers: attempts at work, and since when one is due."""
    due = [
        select(DeliveryRow.next_at)
        .where(_due(WebhookRow.id, state, moment))
        .order_by(DeliveryRow.next_at)
        .limit(1)
        .correlate(WebhookRow)
        .scalar_subquery()
        for state in (SENDING, "pending")
    ]
    busy = _busy(WebhookRow.id, moment).correlate(WebhookRow).scalar_subquery()
    columns = (WebhookRow.id, WebhookRow.owner, func.coalesce(*due).label("due"))
    return select(*columns, busy.label("busy")).where(_listening(moment))


def _listening(moment: float) -> ColumnElement[bool]:
    """Return the condition that a webhook is on, and that its owner still has a valid key."""
    keys = select(KeyRow.id).where(KeyRow.owner == WebhookRow.owner, valid_at(moment))
    return and_(WebhookRow.active.is_(True), or_(WebhookRow.owner.is_(None), keys.exists()))


def _due(webhook_id: Any, state: str, moment: float) -> ColumnElement[bool]:
    of_receiver = and_(DeliveryRow.webhook_id == webhook_id, DeliveryRow.state == state)
    return and_(of_receiver, DeliveryRow.next_at <= moment)


def _busy(webhook_id: Any, moment: float) -> Any:
    at_work = and_(DeliveryRow.webhook_id == webhook_id, DeliveryRow.state == SENDING)
    return select(func.count()).where(at_work, DeliveryRow.next_at > moment)


def _held(claimed: Claimed) -> ColumnElement[bool]:
    return and_(DeliveryRow.id == claimed.id, DeliveryRow.token == claimed.token)


def _end(connection: Connection, claimed: Claimed, state: str, moment: float) -> bool:
    """End a delivery; return whether it was still this sender's."""
    values = {"state": state, "token": None, "next_at": None, "ended_at": moment}
    ended = connection.execute(update(DeliveryRow).where(_held(claimed)).values(values))
    return bool(ended.rowcount)


def _note(
    connection: Connection, claimed: Claimed, seconds: float, status: int | None, error: str | None
) -> None:
    attempt = and_(AttemptRow.delivery_id == claimed.id, AttemptRow.number == claimed.number)
    values = {"seconds": round(seconds, 3), "status": status, "error": error}
    connection.execute(update(AttemptRow).where(attempt).values(values))


def _log_interrupted(connection: Connection, delivery_id: str) -> None:
    open_ = and_(AttemptRow.delivery_id == delivery_id, AttemptRow.error == SENDING)
    connection.execute(update(AttemptRow).where(open_).values(error=INTERRUPTED))


def _active(connection: Connection, webhook_id: str) -> bool:
    return bool(connection.scalar(select(WebhookRow.active).where(WebhookRow.id == webhook_id)))


def _given_up(connection: Connection, webhook_id: str) -> None:
    """Switch a webhook off where several deliveries were given up and none went through since."""
    own = DeliveryRow.webhook_id == webhook_id
    newest = select(func.coalesce(func.max(DeliveryRow.ended_at), 0.0))
    last = newest.where(own, DeliveryRow.state == "delivered").scalar_subquery()
    since = select(WebhookRow.active_since).where(WebhookRow.id == webhook_id).scalar_subquery()
    count = select(func.count()).where(own, DeliveryRow.state == "failed")
    late = and_(DeliveryRow.ended_at > last, DeliveryRow.ended_at > since)
    number = connection.scalar(count.where(late)) or 0
    if number >= _ENOUGH and _active(connection, webhook_id):
        reason = f"{number} deliveries failed in all their attempts, and none went through since."
        switch_off(connection, webhook_id, reason)


def switch_off(connection: Connection, webhook_id: str, reason: str) -> None:
    """Send nothing more to a webhook; what waits for it can be asked for again one by one."""
    webhook = update(WebhookRow).where(WebhookRow.id == webhook_id)
    connection.execute(webhook.values(active=False, disabled_reason=reason))
    waiting = and_(DeliveryRow.webhook_id == webhook_id, DeliveryRow.state == "pending")
    values = {"state": "failed", "next_at": None, "ended_at": now(connection)}
    connection.execute(update(DeliveryRow).where(waiting).values(values))


def switch_on(connection: Connection, webhook_id: str) -> None:
    """Send to a webhook again what happens from now on; earlier failures no longer count."""
    values = {"active": True, "disabled_reason": None, "active_since": now(connection)}
    connection.execute(update(WebhookRow).where(WebhookRow.id == webhook_id).values(values))
