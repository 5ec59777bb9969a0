"""`fieldwright audit` and `fieldwright secrets`, as an operator runs them."""

from __future__ import annotations

import getpass
import json
from contextlib import closing

import pytest

from cli import USAGE
from store.access import audit
from store.sql.database import Database
from tests.cli.test_command_line import Command
from tests.packages import tiny_package


def logged(command: Command, *options: str) -> list[tuple[str, str]]:
    done = command("audit", *options, code=0)
    entries = [json.loads(line) for line in done.out.splitlines()]
    assert all(entry["actor"] == f"operator:{getpass.getuser()}" for entry in entries)
    return [(entry["action"], entry["subject"]) for entry in entries]


def test_operators_doings_are_logged_as_json_lines(command: Command) -> None:
    for version in ("1.0.0", "1.1.0"):
        tiny_package(command.home / "models" / "tiny" / version, version=version)
    for words in (
        ("keys", "create", "erp"),
        ("keys", "revoke", "erp"),
        ("models", "promote", "tiny@1.0.0"),
        ("models", "promote", "tiny@1.1.0"),
        ("models", "rollback", "tiny"),
        ("models", "remove", "tiny@1.1.0"),
    ):
        assert command(*words).code == 0
    assert command("models", "promote", "tiny@9").code == USAGE  # nothing was done
    found = logged(command)
    assert [action for action, _ in found[:2]] == ["key.created", "key.revoked"]
    assert found[2:] == [
        ("model.promoted", "tiny@1.0.0"),
        ("model.promoted", "tiny@1.1.0"),
        ("model.rolled_back", "tiny"),
        ("model.removed", "tiny@1.1.0"),
    ]
    assert logged(command, "--since", "1h") == found


@pytest.mark.parametrize("act", ["promote", "rollback", "remove"])
def test_no_transaction_is_open_while_packages_are_copied(
    act: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*given: object) -> str:
        database = Database(f"sqlite:///{command.home / 'jobs.db'}")
        with database.writing() as connection:  # of a service, which waits for nothing
            audit.record(connection, "key.created", "another")
        database.close()
        return "tiny@1.0.0"

    monkeypatch.setattr(f"models.packages.releases.{act}", slow)
    command("models", act, "tiny" if act == "rollback" else "tiny@1.0.0", code=0)
    with closing(Database(f"sqlite:///{command.home / 'jobs.db'}")) as database:
        told = [entry.action for entry in audit.entries(database)]
    assert told[0] == "key.created"
    assert told[1].startswith("model.")


def test_keys_of_secrets_are_made_and_put_to_use(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = command("secrets", "new-key").out.strip()
    monkeypatch.setenv("FIELDWRIGHT_SECRET_KEYS", key)
    done = command("secrets", "reencrypt")
    assert (done.code, "0 webhooks" in done.err) == (0, True)
    assert logged(command) == [("secrets.reencrypted", "webhooks")]
    monkeypatch.setenv("FIELDWRIGHT_SECRET_KEYS", "no key")
    done = command("secrets", "reencrypt", code=USAGE)
    assert "FIELDWRIGHT_SECRET_KEYS" in done.err
