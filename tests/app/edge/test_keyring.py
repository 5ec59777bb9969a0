"""The keys in memory: when a service is open, and what becomes of it when the store is away."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from app.main import build
from app.settings import ApiSettings
from store.access import Keys
from tests.app.inside import call
from tests.app.test_extract_route import check_problem
from tests.patience import until
from tests.stores import prepare


def test_first_key_closes_a_service_that_was_open(tmp_path: Path) -> None:
    api = build(ApiSettings(home=tmp_path))
    prepare(api.state.jobs)
    assert call(api, "GET", "/jobs").status_code == 200
    _, shown = Keys(api.state.jobs.database).create("first")
    until(lambda: call(api, "GET", "/jobs").status_code == 401, "the door to close")
    assert call(api, "GET", "/jobs", headers={"X-API-Key": shown}).status_code == 200
    Keys(api.state.jobs.database).revoke("first")
    until(
        lambda: call(api, "GET", "/jobs", headers={"X-API-Key": shown}).status_code == 401,
        "the key to stop",
    )
    assert call(api, "GET", "/jobs").status_code == 401  # never open again by itself
    api.state.jobs.close()


@pytest.mark.parametrize(
    ("access", "host", "status"),
    [
        ("auto", "127.0.0.1", 200),
        ("auto", "[::1]", 200),
        ("auto", "[::ffff:127.0.0.1]", 200),
        ("auto", "192.168.1.5", 401),
        ("auto", "[2001:db8::1]", 401),
        ("open", "192.168.1.5", 200),
        ("keys", "127.0.0.1", 401),
    ],
)
def test_without_keys_only_this_machine_is_served(
    tmp_path: Path, access: Any, host: str, status: int
) -> None:
    api = build(ApiSettings(home=tmp_path, access=access))
    prepare(api.state.jobs)
    assert call(api, "GET", "/jobs", base=f"http://{host}").status_code == status
    assert call(api, "GET", "/livez", base=f"http://{host}").status_code == 200
    api.state.jobs.close()


@pytest.mark.parametrize(
    ("host", "origin", "served"),
    [
        ("127.0.0.1:8000", None, True),
        ("localhost:8000", None, True),
        ("LOCALHOST", None, True),
        ("my.localhost:8000", None, True),
        ("[::1]:8000", None, True),
        ("", None, True),
        ("127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ("localhost", "HTTP://localhost", True),
        ("rebound.example:8000", None, False),
        ("rebound.example:8000", "http://rebound.example:8000", False),
        ("127.0.0.1.example", None, False),
        ("localhost.example", None, False),
        ("[127.0.0.1", None, False),
        ("127.0.0.1:8000", "http://page.example", False),
        ("127.0.0.1:8000", "http://127.0.0.1:3000", False),
        ("127.0.0.1:8000", "null", False),
    ],
)
def test_without_keys_no_page_of_another_site_is_served(
    tmp_path: Path, host: str, origin: str | None, served: bool
) -> None:
    api = build(ApiSettings(home=tmp_path))
    prepare(api.state.jobs)
    headers = {"Host": host} | ({} if origin is None else {"Origin": origin})
    for method, path in (("GET", "/jobs"), ("POST", "/extract"), ("GET", "/v1/models")):
        answer = call(api, method, path, base="http://127.0.0.1:8000", headers=headers)
        if served:
            assert answer.status_code == (422 if method == "POST" else 200)  # for want of a file
        else:
            check_problem(answer, 403, "foreign_page")
    assert call(api, "GET", "/livez", base="http://127.0.0.1", headers=headers).status_code == 200
    api.state.jobs.close()


def test_without_keys_no_picture_is_shown_in_a_page_of_another_site(tmp_path: Path) -> None:
    api = build(ApiSettings(home=tmp_path))
    prepare(api.state.jobs)
    for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200)):
        # Pictures are asked for without an Origin, and so are scripts.
        headers = {"Host": "127.0.0.1:8000", "Sec-Fetch-Site": site}
        answer = call(api, "GET", "/jobs", base="http://127.0.0.1:8000", headers=headers)
        assert answer.status_code == status
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    api.state.jobs.close()


def test_a_key_serves_pages_of_any_site(tmp_path: Path) -> None:
    api = build(ApiSettings(home=tmp_path))
    prepare(api.state.jobs)
    key = Keys(api.state.jobs.database).create("erp")[1]
    headers = {"X-API-Key": key, "Host": "documents.example", "Origin": "https://page.example"}
    answer = call(api, "GET", "/jobs", base="http://127.0.0.1", headers=headers)
    assert answer.status_code == 200, answer.text
    api.state.jobs.close()


def test_keys_that_cannot_be_read_open_nothing(tmp_path: Path) -> None:
    api = build(ApiSettings(home=tmp_path, database_url=f"sqlite:///{tmp_path}"))
    headers = {"X-API-Key": "fw_1_2"}
    check_problem(call(api, "GET", "/models", headers=headers), 503, "store_unavailable")
    api.state.jobs.close()


def test_keys_in_memory_outlive_an_outage_of_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("app.edge.keyring._MAX_AGE", -1.0)  # read again for each request
    api = build(ApiSettings(home=tmp_path))
    prepare(api.state.jobs)
    headers = {"X-API-Key": Keys(api.state.jobs.database).create("erp")[1]}
    assert call(api, "GET", "/models", headers=headers).status_code == 200
    with sqlite3.connect(tmp_path / "jobs.db") as store:
        store.execute("DROP TABLE api_keys")
        store.execute("DROP TABLE revisions")  # what is looked at first, and changes with the keys
    with caplog.at_level(logging.WARNING, "app.edge.keyring"):
        assert call(api, "GET", "/models", headers=headers).status_code == 200
    assert "keys could not be read again" in caplog.messages
    check_problem(call(api, "GET", "/models"), 401, "key_missing")
    # A key of which this process has not heard may be a new one: its owner is to come back.
    new = {"X-API-Key": "fw_0123456789_new"}
    check_problem(call(api, "GET", "/models", headers=new), 503, "store_unavailable")
    new = {"Cookie": "fieldwright_session=new", "Sec-Fetch-Site": "same-origin"}
    check_problem(call(api, "GET", "/models", headers=new), 503, "store_unavailable")
    api.state.jobs.close()


FORWARDING = [
    ("Forwarded", "for=192.0.2.1"),
    ("Via", "1.1 proxy"),
    ("X-Forwarded-For", "192.0.2.1"),
    ("x-forwarded-host", "127.0.0.1"),
    ("X-Forwarded-Proto", "https"),
    ("X-Real-IP", "127.0.0.1"),
    ("CF-Connecting-IP", "192.0.2.1"),
    ("True-Client-IP", "192.0.2.1"),
    ("X-Envoy-External-Address", "192.0.2.1"),
]


@pytest.mark.parametrize(("name", "value"), FORWARDING)
def test_what_a_proxy_forwards_is_not_of_this_machine(
    tmp_path: Path, name: str, value: str
) -> None:
    api = build(ApiSettings(home=tmp_path))
    prepare(api.state.jobs)
    for trusted in ({}, {"Host": "localhost"}):
        headers = {name: value, **trusted}
        answer = call(api, "GET", "/jobs", base="http://127.0.0.1", headers=headers)
        check_problem(answer, 401, "key_missing")
    api.state.jobs.close()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"X-Forwarded-For": "127.0.0.1"}, 200),
        ({"X-Forwarded-For": "192.0.2.1"}, 401),
        ({"X-Forwarded-For": "127.0.0.1, 192.0.2.1"}, 401),
        ({"X-Forwarded-For": "unknown"}, 401),
        ({"X-Real-IP": "127.0.0.1"}, 401),  # names nobody whom the service would believe
        ({"Forwarded": "for=127.0.0.1"}, 401),
        ({}, 200),
    ],
)
def test_trusted_proxy_says_who_is_of_this_machine(
    tmp_path: Path, headers: dict[str, str], status: int
) -> None:
    api = build(ApiSettings(home=tmp_path, trusted_proxies="127.0.0.1"))
    prepare(api.state.jobs)
    answer = call(api, "GET", "/jobs", base="http://127.0.0.1", headers=headers)
    assert answer.status_code == status
    api.state.jobs.close()


def test_proxies_are_addresses_and_networks(tmp_path: Path) -> None:
    settings = ApiSettings(home=tmp_path, trusted_proxies="10.0.0.1, fd00::/8")
    assert settings.trusted_proxies
    with pytest.raises(ValueError, match="trusted_proxies"):
        ApiSettings(home=tmp_path, trusted_proxies="proxy.example")
