"""The audit log: who changed what, in the transaction that changed it, and for good."""

from __future__ import annotations

from contextlib import suppress

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError

from store.access import Keys, audit
from store.actor import acting
from store.errors import StoreUnavailable
from store.sql.database import Database


def test_log_names_actor_action_and_subject(database: Database) -> None:
    keys = Keys(database)
    with acting("operator:ann"):
        key, _ = keys.create("erp")
        successor, _ = keys.rotate("erp", grace_s=60)
    keys.revoke(key.id)
    logged = list(audit.entries(database))
    assert [(e.actor, e.action, e.subject) for e in logged] == [
        ("operator:ann", "key.created", key.id),
        ("operator:ann", "key.rotated", key.id),
        ("service", "key.revoked", key.id),
    ]
    assert logged[0].detail == {"name": "erp", "scopes": ["extract", "read"]}
    assert logged[1].detail["successor"] == successor.id
    assert logged[0].at <= logged[1].at <= logged[2].at


def test_log_of_any_length_is_given_whole_and_since_a_time(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "_PAGE", 2)
    with database.writing() as connection:
        for number in range(5):
            audit.record(connection, "job.deleted", str(number))
    assert [entry.subject for entry in audit.entries(database)] == list("01234")
    assert len(list(audit.entries(database, within=60))) == 5
    assert list(audit.entries(database, within=-60)) == []


def test_what_is_undone_is_not_logged(database: Database) -> None:
    with suppress(KeyError), database.writing() as connection:
        audit.record(connection, "job.deleted", "x")
        raise KeyError
    assert list(audit.entries(database)) == []


@pytest.mark.parametrize(
    "statement", ["UPDATE audit_log SET actor = 'x'", "DELETE FROM audit_log", "TRUNCATE audit_log"]
)
def test_database_refuses_to_change_the_log(database: Database, statement: str) -> None:
    with database.writing() as connection:
        audit.record(connection, "job.deleted", "x")
        if connection.dialect.name == "sqlite" and statement.startswith("TRUNCATE"):
            pytest.skip("SQLite has no TRUNCATE")
    with (
        pytest.raises((DatabaseError, StoreUnavailable), match="append-only") as caught,
        database.writing() as connection,
    ):
        connection.execute(text(statement))
    assert caught.value
    assert [entry.actor for entry in audit.entries(database)] == ["service"]
