"""Browsers sign in with a key; their cookie opens the service to its own pages alone."""

from __future__ import annotations

import httpx
import pytest

from tests.app.conftest import Guarded
from tests.app.test_extract_route import check_problem
from tests.patience import until
from tests.service import Service

COOKIE = "fieldwright_session"


def origin(guarded: Guarded) -> dict[str, str]:
    """Return what a browser says of a request from a page of the service."""
    return {"Origin": str(guarded.service.client.base_url).rstrip("/")}


def signed_in(guarded: Guarded, name: str) -> dict[str, str]:
    """Sign in with a key, and return the header that a browser sends from then on."""
    response = guarded.service.client.post(
        "/session", json={"key": guarded.shown[name]}, headers=origin(guarded)
    )
    assert response.status_code == 204, response.text
    told = response.headers["set-cookie"].lower()
    assert "httponly" in told
    assert "samesite=strict" in told
    guarded.service.client.cookies.clear()
    return {"Cookie": response.headers["set-cookie"].partition(";")[0]}


def ask(guarded: Guarded, method: str, path: str, **headers: str) -> httpx.Response:
    return guarded.service.client.request(method, path, headers=headers)


def test_cookie_stands_for_the_key_and_its_scopes(guarded: Guarded) -> None:
    cookie = signed_in(guarded, "reader")
    told = ask(guarded, "GET", "/session", **cookie)
    assert told.json() == {"name": "reader", "scopes": ["read"]}
    assert ask(guarded, "GET", "/jobs", **cookie).status_code == 200
    sent = {**cookie, **origin(guarded)}
    check_problem(ask(guarded, "POST", "/extract", **sent), 403, "scope_missing")


@pytest.mark.parametrize("said", [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}])
def test_pages_of_other_sites_cannot_use_it(guarded: Guarded, said: dict[str, str]) -> None:
    cookie = signed_in(guarded, "a")
    for method, path in (("POST", "/extract"), ("DELETE", "/jobs/1"), ("DELETE", "/session")):
        check_problem(ask(guarded, method, path, **cookie, **said), 403, "foreign_page")
    other = {**cookie, "Sec-Fetch-Site": "cross-site"}
    check_problem(ask(guarded, "GET", "/jobs", **other), 403, "foreign_page")
    key = {"key": guarded.shown["a"]}
    signing = guarded.service.client.post("/session", json=key, headers=said)
    check_problem(signing, 403, "foreign_page")


def test_session_ends_with_the_sign_out_and_with_its_key(guarded: Guarded) -> None:
    guarded.keys.create("leaving", ("read",))
    _, guarded.shown["leaving"] = guarded.keys.rotate("leaving", grace_s=0)
    shown = {"X-API-Key": guarded.shown["leaving"]}
    until(lambda: ask(guarded, "GET", "/jobs", **shown).status_code == 200, "the new key")
    first, second = signed_in(guarded, "leaving"), signed_in(guarded, "leaving")
    assert first != second
    assert ask(guarded, "DELETE", "/session", **first, **origin(guarded)).status_code == 204
    check_problem(ask(guarded, "GET", "/jobs", **first), 401, "key_missing")
    assert ask(guarded, "GET", "/jobs", **second).status_code == 200
    guarded.keys.revoke("leaving")
    until(lambda: ask(guarded, "GET", "/jobs", **second).status_code == 401, "its end")


def test_sign_in_counts_as_a_request_of_the_key(guarded: Guarded) -> None:
    _, key = guarded.keys.create("hasty", ("read",), rate_per_minute=3)

    def sign_in() -> httpx.Response:
        return guarded.service.client.post("/session", json={"key": key}, headers=origin(guarded))

    until(lambda: sign_in().status_code == 204, "the new key")
    *_, last = [sign_in() for _ in range(3)]
    guarded.service.client.cookies.clear()
    check_problem(last, 429, "rate_limited")
    assert int(last.headers["retry-after"]) >= 1


def test_wrong_key_and_made_up_cookie_open_nothing(guarded: Guarded) -> None:
    wrong = guarded.service.client.post(
        "/session", json={"key": "fw_0000000000_no"}, headers=origin(guarded)
    )
    check_problem(wrong, 401, "key_invalid")
    check_problem(ask(guarded, "GET", "/jobs", Cookie=f"{COOKIE}=no"), 401, "key_missing")


def test_store_holds_no_session_that_opens(guarded: Guarded) -> None:
    token = signed_in(guarded, "a")["Cookie"].partition("=")[2]
    kept = b"".join(path.read_bytes() for path in guarded.service.home.glob("jobs.db*"))
    assert token.encode() not in kept + guarded.service.log.read_bytes()


def test_service_without_keys_knows_nobody(service: Service) -> None:
    told = service.client.get("/session").json()
    assert told["name"] is None
    assert {"extract", "read"} <= set(told["scopes"])


def test_pages_are_open_and_hold_no_secret(guarded: Guarded) -> None:
    for path in ("/", "/web/try/main.js", "/web/style.css", "/web/examples/receipt.png"):
        answer = ask(guarded, "GET", path)
        assert answer.status_code == 200, path
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    for path in ("/web/nothing.js", "/web/../README.md", "/web/%2e%2e/README.md"):
        assert ask(guarded, "GET", path).status_code in (401, 404), path
