"""`fieldwright keys`, and the services that will not start without them."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from cli import USAGE
from store.access import Keys
from store.networks import Policy
from store.secrets import SecretCipher, new_key
from store.sql.database import Database
from store.webhooks import Webhooks
from tests.cli.test_command_line import Command
from tests.commands import run
from tests.patience import PATIENCE, until
from tests.service import ROOT, Api, address, environment
from tests.stores import install_tables

KEY = re.compile(r"fw_[0-9a-f]{10}_[A-Za-z0-9_-]{32}\n")


@pytest.fixture
def keys(command: Command) -> Iterator[Keys]:
    """The keys of the commands' home, looked at from outside."""
    command.home.mkdir()
    install_tables(command.home)
    database = Database(f"sqlite:///{command.home / 'jobs.db'}")
    yield Keys(database)
    database.close()


def listed(command: Command) -> list[dict[str, object]]:
    done = command("keys", "list", "--json")
    rows: list[dict[str, object]] = json.loads(done.out)
    return rows


def test_new_key_is_all_that_stands_on_standard_output(command: Command, keys: Keys) -> None:
    done = command("keys", "create", "erp", code=0)
    assert KEY.fullmatch(done.out)
    assert done.out.strip() not in done.err
    found = keys.ring().find(done.out.strip())
    assert found is not None
    assert found.principal.scopes == {"extract", "read"}


def test_options_of_a_key(command: Command, keys: Keys) -> None:
    options = ["--scope", "admin", "--expires", "90d", "--rate", "60", "--max-queued", "1000"]
    assert command("keys", "create", "ops", *options).code == 0
    (key,) = keys.list()
    assert (key.scopes, key.rate_per_minute, key.max_queued) == (("admin",), 60, 1000)
    assert key.expires_at == pytest.approx(key.created_at + 90 * 86_400)


def test_list_shows_everything_but_the_secret(command: Command) -> None:
    shown = command("keys", "create", "erp", "--rate", "5").out.strip()
    assert command("keys", "create", "old", "--expires", "1m").code == 0
    table = command("keys", "list")
    assert shown not in table.out
    assert [line.split()[0] for line in table.out.splitlines()] == ["name", "erp", "old"]
    assert "extract,read  valid" in table.out
    rows = listed(command)
    assert [row["name"] for row in rows] == ["erp", "old"]
    assert (rows[0]["state"], rows[0]["rate_per_minute"]) == ("valid", 5)
    assert str(rows[0]["prefix"]) in shown
    assert rows[0]["last_used_at"] is None
    assert shown not in json.dumps(rows)
    assert "hash" not in rows[0]


def test_empty_list_says_how_to_make_one(command: Command) -> None:
    done = command("keys", "list")
    assert (done.code, done.out) == (0, "")
    assert "fieldwright keys create" in done.err
    assert listed(command) == []


def test_changed_and_revoked_keys(command: Command, keys: Keys) -> None:
    first = command("keys", "create", "erp").out.strip()
    changed = command("keys", "rotate", "erp", "--grace", "1h")
    second = changed.out.strip()
    assert KEY.fullmatch(changed.out)
    assert "1h" in changed.err
    assert f"`fieldwright keys revoke {'_'.join(first.split('_')[:2])}`" in changed.err
    ring = keys.ring()
    assert ring.find(first) is not None
    assert ring.find(second) is not None
    done = command("keys", "revoke", "_".join(first.split("_")[:2]), code=0)
    assert "erp" in done.err
    assert keys.ring().find(first) is None
    assert command("keys", "revoke", "erp").code == 0
    assert keys.ring().find(second) is None
    assert [row["state"] for row in listed(command)] == ["revoked", "revoked"]


def test_a_rotated_key_leaves_webhooks_that_are_named(command: Command, keys: Keys) -> None:
    async def public(host: str, port: int) -> list[str]:
        return ["93.184.215.14"]

    command("keys", "create", "erp")
    assert "Webhooks" not in command("keys", "rotate", "erp", "--grace", "0s").err
    (owner,) = {key.owner for key in keys.list()}
    cipher = SecretCipher(new_key(), command.home)
    webhooks = Webhooks(keys.database, cipher, policy=Policy(), most=9, resolve=public)
    url = "https://a.example/hook"
    hook, _ = asyncio.run(webhooks.register(url, ["job.succeeded"], owner))
    changed = command("keys", "rotate", "erp")
    assert f"{hook.id} ({url})" in changed.err
    assert KEY.fullmatch(changed.out)


def test_a_rotated_key_is_told_whatever_fails_after_it(command: Command, keys: Keys) -> None:
    command("keys", "create", "erp")
    with keys.database.writing() as connection:
        connection.execute(text("ALTER TABLE webhooks RENAME TO elsewhere"))
    assert KEY.fullmatch(command("keys", "rotate", "erp").out)


def test_a_name_of_several_keys_stops_none_of_them_unless_all_are_meant(command: Command) -> None:
    shown = [command("keys", *words, "erp").out for words in (["create"], ["rotate"])]
    done = command("keys", "revoke", "erp")
    assert (done.code, done.out) == (USAGE, "")
    for key in shown:
        assert f"`fieldwright keys revoke {'_'.join(key.split('_')[:2])}`" in done.err
    assert "`fieldwright keys revoke erp --all`" in done.err
    assert [row["state"] for row in listed(command)] == ["valid", "valid"]
    assert command("keys", "revoke", "erp", "--all").code == 0
    assert [row["state"] for row in listed(command)] == ["revoked", "revoked"]


def test_the_first_key_ends_access_without_one_and_says_so(command: Command) -> None:
    assert "refuses requests without a key" in command("keys", "create", "first").err
    assert "refuses" not in command("keys", "create", "second").err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        pytest.param(["revoke", "nobody"], "keys list", id="unknown"),
        pytest.param(["rotate", "nobody"], "keys list", id="unknown_to_change"),
        pytest.param(["create", "x", "--scope", "write"], "extract", id="scope"),
        pytest.param(["create", "x", "--expires", "soon"], "90d", id="duration"),
        pytest.param(["create", "x", "--expires", "0d"], "90d", id="no_duration"),
        pytest.param(["create", "x", "--expires", "999999w"], "100 years", id="too_long"),
        pytest.param(["rotate", "x", "--grace", "5219w"], "100 years", id="grace_too_long"),
        pytest.param(["create", "x", "--rate", "0"], "--rate", id="rate"),
        pytest.param(["create", ""], "name", id="no_name"),
    ],
)
def test_wrong_calls_say_what_to_do(command: Command, arguments: list[str], word: str) -> None:
    done = command("keys", *arguments)
    assert (done.code, done.out) == (USAGE, "")
    assert word in done.err
    assert listed(command) == []


def test_list_shows_keys_that_outlive_all_calendars(command: Command, keys: Keys) -> None:
    keys.create("forever", expires_s=999_999 * 604_800.0)  # as could be asked for once
    assert "9999-12-31 23:59" in command("keys", "list").out
    assert listed(command)[0]["expires_at"] == "9999-12-31T23:59:59+00:00"


def test_home_is_its_owners_alone(command: Command) -> None:
    command("keys", "create", "erp")
    for path in (command.home, command.home / "jobs.db"):
        assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [(["--host", "0.0.0.0"], {}), (["--host", "::"], {}), ([], {"ACCESS": "keys"})],
    ids=["all_addresses", "all_addresses_of_6", "asked_for"],
)
def test_service_does_not_start_without_a_key(
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    settings: dict[str, str],
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(f"FIELDWRIGHT_{name}", value)
    command("keys", "create", "gone")
    command("keys", "revoke", "gone")  # a key that is not valid does not count
    done = command("serve", "--port", "0", *arguments)
    assert (done.code, done.out) == (USAGE, "")
    assert "fieldwright keys create" in done.err
    assert "FIELDWRIGHT_ACCESS=open" in done.err
    assert "Serving" not in done.err


@pytest.mark.parametrize("url", ["redis://:changeme@127.0.0.1/0", "redis://:PASSWORD@redis:6379"])
def test_service_does_not_start_with_a_password_that_everybody_knows(
    command: Command, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("FIELDWRIGHT_BROKER_URL", url)
    done = command("serve", "--port", "0", code=USAGE)
    assert "FIELDWRIGHT_BROKER_URL" in done.err
    assert "changeme" not in done.err.lower()


def test_other_machines_are_served_with_a_key(tmp_path: Path) -> None:
    home = tmp_path / "home"
    log = tmp_path / "log"
    settings = environment(home, {})
    made = run("keys", "create", "erp", FIELDWRIGHT_HOME=home)
    with log.open("ab") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "cli.main", "serve", "--host=0.0.0.0", "--port=0"],
            cwd=ROOT,
            env=settings,
            stderr=stream,
        )
    api = Api(home)
    try:
        api.client.base_url = address(process, log, 0)
        until(lambda: alive(api), "the service")
        assert api.status("/jobs") == 401
        with_key = api.client.get("/jobs", headers={"X-API-Key": made.stdout.strip()})
        assert with_key.status_code == 200
    finally:
        api.client.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE) == 0


def alive(api: Api) -> bool:
    return api.status("/livez") == 200
