"""The webhooks of an installation: registered, changed, tested, and their deliveries listed."""

from __future__ import annotations

import asyncio
import base64
import logging
import secrets
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, or_, select, update

from store.access import audit
from store.access.ownership import ANY_OWNER, OwnerScope, owned
from store.errors import (
    DeliveryUnknown,
    SecretKeyMissing,
    TooManyWebhooks,
    WebhookDisabled,
    WebhookUnknown,
)
from store.idempotency import Once
from store.networks import Policy
from store.secrets import SecretCipher
from store.sql import cursors
from store.sql.cursors import plain_id
from store.sql.database import Database
from store.sql.tables import DeliveryRow, WebhookRow, now
from store.webhooks import deliveries, outbox
from store.webhooks.deliveries import SENDING
from store.webhooks.delivery_log import Delivery, logged
from store.webhooks.outbox import Event
from store.webhooks.targets import NameNotResolved, Resolver, judged, not_public, resolved

log = logging.getLogger(__name__)

_CLEAR = "whsec_"  # what a secret begins with
_SECRET_BYTES = 32
_BOTH_SECRETS = 24 * 3600.0  # seconds for which the old secret signs too
_RESOLVING = 5.0  # seconds that the name of a host may take
_BY_USER = "It was switched off by its owner."


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that is told of events; times are seconds since 1970 by the database's clock.

    Attributes:
        events: it is told of.
        active: False where nothing is sent; `disabled_reason` says why.
        old_secret_until: until when the secret before this one signs too, None where none does.
    """

    id: str
    url: str
    events: tuple[str, ...]
    active: bool
    disabled_reason: str | None
    old_secret_until: float | None
    created_at: float


class Webhooks:
    """What an owner can do with webhooks.

    Methods raise `StoreUnavailable` where the database does not answer. Those that are no
    coroutines block for milliseconds.

    Args:
        database: where they are stored.
        cipher: encrypts their secrets.
        policy: where they may go.
        most: of one owner.
        resolve: finds the addresses of a name.
    """

    def __init__(
        self,
        database: Database,
        cipher: SecretCipher,
        *,
        policy: Policy,
        most: int,
        resolve: Resolver = resolved,
    ) -> None:
        self._database = database
        self._cipher = cipher
        self._policy = policy
        self._most = most
        self._resolve = resolve

    async def register(
        self,
        url: str,
        events: Iterable[Event],
        owner: str | None,
        *,
        once: Once | None = None,
    ) -> tuple[Webhook, str]:
        """Register an address; return the webhook and its secret, which nobody else is shown.

        Args:
            url: of the receiver.
            events: to be told of.
            owner: whose jobs and batches it is told of.
            once: whoever sends this request again is given the same webhook and its secret.

        Raises:
            WebhookUnknown: the one that the same request made was deleted.
            IdempotencyKeyReused: its key came with another request.
            WebhookTargetRefused: the address is not one that this service may send to.
            TooManyWebhooks: the owner has as many as one may have.
            SecretKeyMissing: no key can encrypt the secret.
        """
        await self._judge(url)
        return await asyncio.to_thread(self._add, url, list(dict.fromkeys(events)), owner, once)

    async def change(
        self,
        webhook_id: str,
        scope: OwnerScope = ANY_OWNER,
        *,
        url: str | None = None,
        events: Iterable[Event] | None = None,
        active: bool | None = None,
    ) -> Webhook:
        """Change what is given; return the webhook.

        What waits for a webhook when it is switched off is not sent later; see `replay`.

        Raises:
            WebhookUnknown: it does not exist or is out of scope.
            WebhookTargetRefused: as `register`.
        """
        if url is not None:
            await self._judge(url)
        values: dict[str, Any] = {} if url is None else {"url": url}
        if events is not None:
            values["events"] = list(dict.fromkeys(events))
        return await asyncio.to_thread(self._change, webhook_id, scope, values, active)

    def get(self, webhook_id: str, scope: OwnerScope = ANY_OWNER) -> Webhook:
        """Return a webhook; raises WebhookUnknown."""
        with self._database.reading() as connection:
            return _view(_one(connection, webhook_id, scope), now(connection))

    def page(
        self, cursor: str | None = None, limit: int = 50, scope: OwnerScope = ANY_OWNER
    ) -> tuple[list[Webhook], str | None]:
        """Return webhooks, the newest first, and the cursor of the next page or None at the end.

        Raises:
            InvalidOption: `cursor` was not made here.
        """
        query = cursors.newest_first(select(WebhookRow.__table__), WebhookRow, cursor, limit)
        with self._database.reading() as connection:
            moment = now(connection)
            rows: list[Any] = list(connection.execute(query.where(owned(WebhookRow.owner, scope))))
        found, following = cursors.page(rows, limit)
        return [_view(row, moment) for row in found], following

    def delete(self, webhook_id: str, scope: OwnerScope = ANY_OWNER) -> None:
        """Remove a webhook with its deliveries; raises WebhookUnknown."""
        with self._database.reading() as connection:
            row = _one(connection, webhook_id, scope)
        # There may be any number; what is added meanwhile goes with the webhook.
        self._database.remove(DeliveryRow, DeliveryRow.webhook_id == row.id)
        with self._database.writing() as connection:
            row = _one(connection, webhook_id, scope)
            connection.execute(delete(WebhookRow).where(WebhookRow.id == row.id))
            audit.record(connection, "webhook.deleted", row.id)

    def rotate(self, webhook_id: str, scope: OwnerScope = ANY_OWNER) -> tuple[Webhook, str]:
        """Change the secret and return the new one; the old one signs too for 24 hours.

        Raises:
            WebhookUnknown: it does not exist or is out of scope.
            SecretKeyMissing: as `register`.
        """
        secret = _secret()
        encrypted = self._cipher.encrypt(secret)
        with self._database.writing() as connection:
            row, moment = _one(connection, webhook_id, scope), now(connection)
            values = {"secret": encrypted, "old_secret": row.secret}
            values["old_secret_until"] = moment + _BOTH_SECRETS
            connection.execute(update(WebhookRow).where(WebhookRow.id == row.id).values(values))
            audit.record(connection, "webhook.secret_rotated", row.id)
            return _view(_one(connection, webhook_id, scope), moment), secret

    def test(self, webhook_id: str, scope: OwnerScope = ANY_OWNER) -> Delivery:
        """Have an event ``webhook.test`` delivered.

        Raises:
            WebhookUnknown: it does not exist or is out of scope.
            WebhookDisabled: nothing is sent to it.
        """
        with self._database.writing() as connection:
            row = _active(connection, webhook_id, scope)
            return _delivery(connection, row.id, outbox.tested(connection, row.id))

    def deliveries(
        self,
        webhook_id: str,
        cursor: str | None = None,
        limit: int = 50,
        scope: OwnerScope = ANY_OWNER,
    ) -> tuple[list[Delivery], str | None]:
        """Return a webhook's deliveries with their attempts, as `page`; raises WebhookUnknown."""
        query = cursors.newest_first(select(DeliveryRow.__table__), DeliveryRow, cursor, limit)
        with self._database.reading() as connection:
            webhook = _one(connection, webhook_id, scope)
            query = query.where(DeliveryRow.webhook_id == webhook.id)
            rows: list[Any] = list(connection.execute(query))
            found, following = cursors.page(rows, limit)
            return logged(connection, found), following

    def replay(self, webhook_id: str, delivery_id: str, scope: OwnerScope = ANY_OWNER) -> Delivery:
        """Have a delivery sent again, now, with the same id and body and all its attempts anew.

        One that is being sent at this moment is left alone.

        Raises:
            WebhookUnknown: it does not exist or is out of scope.
            DeliveryUnknown: the webhook has no such delivery.
            WebhookDisabled: nothing is sent to it.
        """
        with self._database.writing() as connection:
            webhook = _active(connection, webhook_id, scope)
            delivery = _delivery(connection, webhook.id, delivery_id)
            if delivery.state == SENDING:
                return delivery
            audit.record(connection, "delivery.replayed", delivery.id, webhook=webhook.id)
            values = {"state": "pending", "attempts": 0, "next_at": now(connection)}
            own = update(DeliveryRow).where(DeliveryRow.id == delivery.id)
            connection.execute(own.values(**values, ended_at=None, token=None))
            return _delivery(connection, webhook.id, delivery.id)

    def reencrypt(self) -> tuple[int, list[str]]:
        """Encrypt with the first key what another one encrypted, or none.

        Returns:
            How many webhooks were changed; and the ids of those whose secret no key decrypts.
        """
        with self._database.writing() as connection:
            changed, unreadable = self._encrypt(connection)
            audit.record(
                connection, "secrets.reencrypted", "webhooks", changed=changed, failed=unreadable
            )
            return changed, unreadable

    def encrypt_clear(self) -> None:
        """Encrypt the secrets that were stored before secrets were encrypted."""
        with self._database.writing() as connection:
            columns = WebhookRow.secret, WebhookRow.old_secret
            clear = or_(*(column.startswith(_CLEAR, autoescape=True) for column in columns))
            _, left = self._encrypt(connection, clear)
        if left:  # they work as they are
            advice = SecretKeyMissing.default_advice
            log.error("secrets stay unencrypted", extra={"webhooks": left, "advice": advice})

    def _encrypt(
        self, connection: Connection, *where: ColumnElement[bool]
    ) -> tuple[int, list[str]]:
        columns = WebhookRow.id, WebhookRow.secret, WebhookRow.old_secret
        changed, unreadable = 0, []
        for row in connection.execute(select(*columns).where(*where).with_for_update()).all():
            try:
                values = {
                    name: self._cipher.renewed(value)
                    for name, value in (("secret", row.secret), ("old_secret", row.old_secret))
                    if value is not None
                }
            except SecretKeyMissing:
                unreadable.append(row.id)
                continue
            if values != {name: getattr(row, name) for name in values}:
                own = update(WebhookRow).where(WebhookRow.id == row.id)
                connection.execute(own.values(values))
                changed += 1
        return changed, unreadable

    async def _judge(self, url: str) -> None:
        """Raise WebhookTargetRefused for an address that nothing may be sent to."""
        try:
            async with asyncio.timeout(_RESOLVING):
                await judged(url, self._policy, self._resolve)
        except (NameNotResolved, TimeoutError):
            raise not_public() from None

    def _add(
        self, url: str, events: list[str], owner: str | None, once: Once | None
    ) -> tuple[Webhook, str]:
        webhook_id = str(uuid.uuid4())
        with self._database.writing() as connection:
            moment = now(connection)
            if once is not None and (earlier := once.keep(connection, webhook_id)):
                row = _one(connection, earlier, owner)
                return _view(row, moment), self._cipher.decrypt(row.secret)
            query = select(func.count()).select_from(WebhookRow)
            if (connection.scalar(query.where(owned(WebhookRow.owner, owner))) or 0) >= self._most:
                raise TooManyWebhooks(f"There are {self._most} webhooks already.")
            secret = _secret()
            new = insert(WebhookRow).values(id=webhook_id, owner=owner, url=url)
            new = new.values(secret=self._cipher.encrypt(secret))
            new = new.values(events=events, active=True, active_since=moment, created_at=moment)
            connection.execute(new)
            audit.record(connection, "webhook.created", webhook_id, events=events)
            return _view(_one(connection, webhook_id, ANY_OWNER), moment), secret

    def _change(
        self, webhook_id: str, scope: OwnerScope, values: dict[str, Any], active: bool | None
    ) -> Webhook:
        with self._database.writing() as connection:
            row, moment = _one(connection, webhook_id, scope), now(connection)
            if values:
                change = update(WebhookRow).where(WebhookRow.id == row.id)
                connection.execute(change.values(values))
            if active is True and not row.active:
                deliveries.switch_on(connection, row.id)
            elif active is False and row.active:
                deliveries.switch_off(connection, row.id, _BY_USER)
            asked = sorted(values) if active is None else sorted([*values, "active"])
            audit.record(connection, "webhook.changed", row.id, changed=asked)
            return _view(_one(connection, webhook_id, scope), moment)


def _secret() -> str:
    return f"{_CLEAR}{base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}"


def _one(connection: Connection, webhook_id: str, scope: OwnerScope) -> Any:
    query = select(WebhookRow.__table__).where(owned(WebhookRow.owner, scope))
    row = connection.execute(query.where(WebhookRow.id == plain_id(webhook_id))).first()
    if row is None:
        raise WebhookUnknown("There is no webhook of that id.")
    return row


def _active(connection: Connection, webhook_id: str, scope: OwnerScope) -> Any:
    row = _one(connection, webhook_id, scope)
    if not row.active:
        raise WebhookDisabled(f"The webhook is switched off. {row.disabled_reason or ''}".strip())
    return row


def _delivery(connection: Connection, webhook_id: str, delivery_id: str) -> Delivery:
    query = select(DeliveryRow.__table__).where(DeliveryRow.webhook_id == webhook_id)
    rows = connection.execute(query.where(DeliveryRow.id == plain_id(delivery_id))).all()
    if not rows:
        raise DeliveryUnknown("The webhook has no delivery of that id.")
    return logged(connection, rows)[0]


def _view(row: Any, moment: float) -> Webhook:
    until = row.old_secret_until
    return Webhook(
        *(row.id, row.url, tuple(row.events), row.active, row.disabled_reason),
        *(until if until is not None and until > moment else None, row.created_at),
    )
