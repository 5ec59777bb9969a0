"""Secrets of webhooks in the database: never in clear, and encrypted anew without a stop."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select, text, update

from store.backoff import Schedule
from store.networks import Policy
from store.secrets import SecretCipher, new_key
from store.sql.database import Database
from store.sql.tables import WebhookRow
from store.webhooks import EVENTS, Deliveries, Webhooks

OLD, NEW = new_key(), new_key()


async def public(host: str, port: int) -> list[str]:
    return ["93.184.215.14"]


def cipher(*keys: str) -> SecretCipher:
    return SecretCipher(",".join(keys), Path("/nowhere"))


def webhooks_of(database: Database, *keys: str) -> Webhooks:
    return Webhooks(database, cipher(*keys), policy=Policy(), most=9, resolve=public)


def register(webhooks: Webhooks) -> tuple[str, str]:
    webhook, secret = asyncio.run(webhooks.register("https://a.example/", EVENTS, None))
    return webhook.id, secret


def signing(database: Database, webhook_id: str, *keys: str) -> tuple[str, ...]:
    """Return the secrets that sign a test delivery, for a process with these keys."""
    webhooks_of(database, *keys).test(webhook_id)
    (claimed,) = Deliveries(database, Schedule.of("0"), cipher(*keys)).claim(1, lease=60)
    return claimed.secrets


def test_no_secret_stands_in_the_database(database: Database) -> None:
    webhooks = webhooks_of(database, OLD)
    webhook_id, first = register(webhooks)
    _, second = webhooks.rotate(webhook_id)
    with database.reading() as connection:
        stored = repr(connection.execute(text("SELECT * FROM webhooks")).all())
        stored += repr(connection.execute(text("SELECT * FROM audit_log")).all())
    assert first[6:] not in stored
    assert second[6:] not in stored
    assert signing(database, webhook_id, OLD) == (second, first)


def test_keys_are_changed_without_a_stop(database: Database) -> None:
    webhook_id, first = register(webhooks_of(database, OLD))
    _, second = webhooks_of(database, NEW, OLD).rotate(webhook_id)
    assert signing(database, webhook_id, OLD, NEW) == (second, first)
    assert webhooks_of(database, NEW, OLD).reencrypt() == (1, [])
    assert webhooks_of(database, NEW, OLD).reencrypt() == (0, [])
    assert signing(database, webhook_id, NEW) == (second, first)


def test_clear_secrets_of_the_release_before_sign_and_are_encrypted(database: Database) -> None:
    webhook_id, _ = register(webhooks_of(database, OLD))
    with database.writing() as connection:
        clear = {"secret": "whsec_new", "old_secret": "whsec_old", "old_secret_until": 1e12}
        connection.execute(update(WebhookRow).values(clear))
    assert signing(database, webhook_id, OLD) == ("whsec_new", "whsec_old")
    webhooks_of(database, OLD).encrypt_clear()
    with database.reading() as connection:
        row = connection.execute(select(WebhookRow.secret, WebhookRow.old_secret)).one()
    assert "whsec" not in "".join(row)
    assert signing(database, webhook_id, OLD) == ("whsec_new", "whsec_old")


def test_lost_key_is_told_and_a_new_secret_helps(database: Database) -> None:
    webhook_id, _ = register(webhooks_of(database, OLD))
    webhooks = webhooks_of(database, NEW)
    assert signing(database, webhook_id, NEW) == ()
    assert webhooks.reencrypt() == (0, [webhook_id])
    _, secret = webhooks.rotate(webhook_id)
    assert signing(database, webhook_id, NEW) == (secret,)


def test_service_starts_where_clear_secrets_cannot_be_encrypted(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    webhook_id, _ = register(webhooks_of(database, OLD))
    with database.writing() as connection:
        connection.execute(update(WebhookRow).values(secret="whsec_clear"))
    nowhere = SecretCipher("", Path("/proc/nowhere"))
    Webhooks(database, nowhere, policy=Policy(), most=9, resolve=public).encrypt_clear()
    assert "secrets stay unencrypted" in caplog.text
    assert signing(database, webhook_id, OLD) == ("whsec_clear",)
