"""Keys, scopes and what is open, on a running service that wants keys."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.edge.access import need_of, principal_of
from app.errors import KeyMissing
from app.main import build
from app.settings import ApiSettings
from store.access import Keys
from tests.app.conftest import Guarded
from tests.app.inside import call
from tests.app.test_extract_route import check_problem
from tests.builders import make_receipt, receipt_pdf
from tests.patience import until
from tests.stores import prepare

PDF = receipt_pdf(make_receipt(4))
OPEN = {"/livez", "/readyz"}
SIGN = {("post", "/session"), ("delete", "/session")}  # who signs in has no key to show yet


def get(guarded: Guarded, path: str, name: str = "", **headers: str) -> httpx.Response:
    sent = {**(guarded.headers(name) if name else {}), **headers}
    return guarded.service.client.get(path, headers=sent)


def post(guarded: Guarded, name: str) -> httpx.Response:
    return guarded.service.post(PDF, headers=guarded.headers(name), wait=0)


def told(response: httpx.Response) -> tuple[object, ...]:
    """Return all of an answer that does not belong to this one request."""
    body = {k: v for k, v in response.json().items() if k != "request_id"}
    headers = {k: v for k, v in response.headers.items() if k not in ("x-request-id", "date")}
    return response.status_code, body, headers


def test_document_is_read_with_a_key(guarded: Guarded) -> None:
    response = guarded.service.post(PDF, headers=guarded.headers("a"), wait=60)
    assert response.status_code == 200, response.text
    job = get(guarded, f"/jobs/{response.json()['id']}", "a")
    assert job.json()["state"] == "succeeded"


def test_request_without_a_key_is_told_how_to_send_one(guarded: Guarded) -> None:
    for headers in ({}, {"Authorization": "Basic YTpi"}, {"Authorization": "Bearer"}):
        response = guarded.service.client.get("/jobs", headers=headers)
        check_problem(response, 401, "key_missing")
        assert response.headers["www-authenticate"] == 'Bearer realm="fieldwright"'
        assert "Authorization: Bearer" in response.json()["advice"]


def test_all_keys_that_are_not_valid_get_the_same_answer(guarded: Guarded) -> None:
    shown = guarded.shown["a"]
    _, expired = guarded.keys.create("expired", expires_s=0)
    _, revoked = guarded.keys.create("revoked")
    guarded.keys.revoke("revoked")
    wrong = {
        "secret": f"{shown[:-4]}abcd",
        "prefix": f"fw_0000000000_{shown.rpartition('_')[2]}",
        "form": "letmein",
        "expired": expired,
        "revoked": revoked,
    }
    answers = {
        why: told(get(guarded, "/jobs", Authorization=f"Bearer {key}"))
        for why, key in wrong.items()
    }
    status, body, headers = answers["secret"]
    assert status == 401
    assert isinstance(body, dict)
    assert isinstance(headers, dict)
    assert body["code"] == "key_invalid"
    assert 'error="invalid_token"' in headers["www-authenticate"]
    for why, answer in answers.items():
        assert answer == answers["secret"], why


@pytest.mark.parametrize("name", ["X-API-Key", "x-api-key", "Authorization"])
def test_key_comes_in_either_header(guarded: Guarded, name: str) -> None:
    value = guarded.shown["a"]
    value = f"bearer {value}" if name == "Authorization" else value
    response = guarded.service.client.get("/v1/jobs", headers={name: value})
    assert response.status_code == 200


def test_scopes_decide_what_a_key_may_do(guarded: Guarded) -> None:
    assert post(guarded, "sender").status_code == 202
    refused = post(guarded, "reader")
    check_problem(refused, 403, "scope_missing")
    wanted = 'error="insufficient_scope", scope="extract"'
    assert wanted in refused.headers["www-authenticate"]
    check_problem(get(guarded, "/jobs", "sender"), 403, "scope_missing")
    assert get(guarded, "/jobs", "reader").status_code == 200
    check_problem(get(guarded, "/metrics", "a"), 403, "scope_missing")
    assert get(guarded, "/metrics", "admin").status_code == 200
    assert post(guarded, "admin").status_code == 202
    for path in ("/models", "/limits"):
        assert get(guarded, path, "sender").status_code == 200
        assert get(guarded, path).status_code == 401


def test_health_and_documentation_are_open(guarded: Guarded) -> None:
    assets = "/docs/assets/swagger-ui-bundle.js"
    for path in (*OPEN, "/v1/livez", "/docs", "/openapi.json", assets):
        assert get(guarded, path).status_code == 200, path


def test_no_other_address_is_open(guarded: Guarded) -> None:
    paths = get(guarded, "/openapi.json").json()["paths"]
    seen = 0
    for path, operations in paths.items():
        for method, operation in operations.items():
            if path in OPEN or (method, path) in SIGN:
                assert "security" not in operation
                continue
            seen += 1
            address = path.replace("{", "").replace("}", "")
            for prefix in ("", "/v1"):
                response = guarded.service.client.request(method, f"{prefix}{address}")
                check_problem(response, 401, "key_missing")
            assert {"401", "429"} <= set(operation["responses"]), path
            assert [set(way) for way in operation["security"]] == [{"bearer"}, {"header"}]
    assert seen > 10
    for path in ("/nothing", "/docs/else", "/livez/", "/v1/docs/x", "/METRICS"):
        assert get(guarded, path).status_code in (401, 307), path


def test_new_key_works_at_once_and_a_revoked_one_stops_within_seconds(guarded: Guarded) -> None:
    _, shown = guarded.keys.create("short")
    sent = {"X-API-Key": shown}
    until(
        lambda: guarded.service.client.get("/jobs", headers=sent).status_code == 200, "the new key"
    )
    guarded.keys.revoke("short")
    until(lambda: guarded.service.client.get("/jobs", headers=sent).status_code == 401, "its end")


def test_use_of_a_key_is_noted(guarded: Guarded) -> None:
    key, shown = guarded.keys.create("noted")
    headers = {"X-API-Key": shown}
    until(
        lambda: guarded.service.client.get("/jobs", headers=headers).status_code == 200, "the key"
    )
    until(
        lambda: [one.last_used_at for one in guarded.keys.list() if one.id == key.id] != [None],
        "the note",
    )


def test_no_key_is_on_the_disk_or_in_the_log(guarded: Guarded) -> None:
    service = guarded.service
    assert service.post(PDF, "private.pdf", guarded.headers("a"), wait=60).status_code == 200
    get(guarded, "/jobs", Authorization="Bearer fw_0_wrong-but-secret")
    kept = b"".join(path.read_bytes() for path in service.home.glob("jobs.db*"))
    log = service.log.read_bytes()
    for shown in guarded.shown.values():
        secret = shown.split("_", 2)[2]  # which may hold the sign itself
        assert len(secret) > 20
        assert secret.encode() not in kept + log
    for word in ("wrong-but-secret", "private", "Bearer", make_receipt(4).company):
        assert word.encode() not in log
    (line, *_) = (line for line in service.events("request") if line["method"] == "POST")
    known = {key.id for key in guarded.known.values()}
    assert line["key"] in known  # the log tells who, by an id that opens nothing


def test_every_answer_has_the_security_headers(guarded: Guarded) -> None:
    client = guarded.service.client
    answers = [
        get(guarded, "/jobs", "a"),
        get(guarded, "/jobs"),
        get(guarded, "/metrics", "a"),
        get(guarded, "/jobs/1", "a"),
        client.options(
            "/jobs",
            headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "GET"},
        ),
        client.get("/livez", headers={"Origin": "https://evil.example"}),
    ]
    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert "server" not in answer.headers
        assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_tls_in_front_is_believed_of_known_proxies_alone(guarded: Guarded, service: Any) -> None:
    hsts = "strict-transport-security"
    behind = {"X-Forwarded-Proto": "https"}
    assert "max-age=" in get(guarded, "/livez", **behind).headers[hsts]
    assert hsts not in get(guarded, "/livez").headers
    assert hsts not in service.client.get("/livez", headers=behind).headers


def test_problems_tell_nothing_of_the_inside(guarded: Guarded) -> None:
    client, home = guarded.service.client, guarded.service.home
    sent = guarded.headers("a")
    answers = [
        get(guarded, "/jobs"),
        get(guarded, "/metrics", "a"),
        get(guarded, "/jobs/1", "a"),
        get(guarded, "/jobs?cursor=x", "a"),
        get(guarded, "/nothing", "a"),
        client.put("/jobs", headers=sent),
        client.post("/extract", headers=sent),
        guarded.service.post(b"nothing", headers=sent),
        guarded.service.post(b"%PDF-1.4 broken", headers=sent, wait=60),
        guarded.service.post(PDF, headers=sent, model="none"),
    ]
    for answer in answers:
        assert 400 <= answer.status_code < 500, answer.text
        for leak in (str(home), "sqlite", "SELECT", "Traceback", ".py", "127.0.0.1", "/usr"):
            assert leak not in answer.text


def test_refused_body_is_not_read(tmp_path: Path) -> None:
    api = build(ApiSettings(home=tmp_path, access="keys"))
    prepare(api.state.jobs)

    async def body() -> Any:
        raise AssertionError("the body was read")
        yield b""

    response = call(api, "POST", "/extract", content=body(), headers={"X-API-Key": "fw_1_2"})
    check_problem(response, 401, "key_invalid")
    api.state.jobs.close()


@pytest.mark.parametrize(("docs", "without", "with_key"), [("keys", 401, 200), ("off", 404, 404)])
def test_documentation_can_be_closed(
    tmp_path: Path, docs: Any, without: int, with_key: int
) -> None:
    api = build(ApiSettings(home=tmp_path, docs=docs))
    prepare(api.state.jobs)
    _, shown = Keys(api.state.jobs.database).create("erp")
    headers = {"X-API-Key": shown}
    for path in ("/docs", "/openapi.json", "/docs/assets/swagger-ui.css"):
        assert call(api, "GET", path).status_code == without
        assert call(api, "GET", path, headers=headers).status_code == with_key
    api.state.jobs.close()


def test_route_at_an_open_address_gets_no_caller() -> None:
    with pytest.raises(KeyMissing):
        asyncio.run(principal_of(httpx_request()))


def httpx_request() -> Any:
    from starlette.requests import Request

    return Request({"type": "http", "method": "GET", "path": "/livez", "headers": []})


@pytest.mark.parametrize(
    ("method", "path", "need"),
    [
        ("GET", "/v1/livez", "nothing"),
        ("GET", "/livez/x", "read"),
        ("POST", "/livez", "nothing"),
        ("GET", "/v1/metrics", "admin"),
        ("GET", "/models/receipts/schema", "key"),
        ("POST", "/models/receipts", "admin"),
        ("GET", "/modelsx", "read"),
        ("DELETE", "/jobs/1", "extract"),
        ("BREW", "/anything", "extract"),
        ("GET", "/", "nothing"),
        ("GET", "/web/style.css", "nothing"),
        ("GET", "/session", "key"),
        ("POST", "/v1/session", "nothing"),
        ("GET", "", "read"),
        ("GET", "*", "read"),
    ],
)
def test_what_requests_need(tmp_path: Path, method: str, path: str, need: str) -> None:
    assert need_of(method, path, ApiSettings(home=tmp_path)) == need
