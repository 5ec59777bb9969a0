"""The webhook routes of a running service: what they take, show and refuse."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.app.test_extract_route import check_problem
from tests.service import Service

# Public by its form, so no name is looked up; and no batch ends here, so nothing is sent to it.
WANTED: dict[str, Any] = {"url": "https://93.184.215.14/hook?a=b", "events": ["batch.finished"]}


@pytest.fixture
def webhook(service: Service) -> Iterator[dict[str, Any]]:
    response = service.client.post("/webhooks", json=WANTED)
    assert response.status_code == 201, response.text
    yield response.json()
    service.client.delete(f"/webhooks/{response.json()['id']}")


@pytest.mark.parametrize("prefix", ["", "/v1"])
def test_secret_is_shown_once(service: Service, prefix: str) -> None:
    response = service.client.post(f"{prefix}/webhooks", json=WANTED)
    assert response.status_code == 201
    made = response.json()
    kind, _, secret = made.pop("secret").partition("_")
    assert kind == "whsec"
    assert 24 <= len(base64.b64decode(secret, validate=True)) <= 64
    address = response.headers["location"]
    assert address == f"{prefix}/webhooks/{made['id']}"
    assert service.client.get(address).json() == made
    assert made["url"] == WANTED["url"]
    assert made in service.client.get("/webhooks").json()["webhooks"]
    assert secret not in service.log.read_text()
    assert "93.184.215.14" not in service.log.read_text()
    assert service.client.delete(address).status_code == 204
    check_problem(service.client.get(address), 404, "webhook_unknown")
    check_problem(service.client.delete(address), 404, "webhook_unknown")


def test_request_that_is_repeated_registers_one_webhook(service: Service) -> None:
    headers = {"Idempotency-Key": uuid.uuid4().hex}
    first, again = (service.client.post("/webhooks", json=WANTED, headers=headers) for _ in "12")
    assert (first.status_code, again.status_code) == (201, 201), again.text
    assert again.json() == first.json()  # with the secret, which the first answer may have lost
    other = {**WANTED, "events": ["job.failed"]}
    reused = service.client.post("/webhooks", json=other, headers=headers)
    check_problem(reused, 422, "idempotency_key_reused")
    service.client.delete(first.headers["location"])
    gone = service.client.post("/webhooks", json=WANTED, headers=headers)
    check_problem(gone, 404, "webhook_unknown")


def test_rotation_gives_a_new_secret(service: Service, webhook: dict[str, Any]) -> None:
    rotated = service.client.post(f"/webhooks/{webhook['id']}/rotate")
    assert rotated.status_code == 200
    assert rotated.json()["secret"] != webhook["secret"]
    assert webhook["old_secret_until"] is None
    assert rotated.json()["old_secret_until"] > rotated.json()["created_at"]


def test_webhook_is_changed_in_parts(service: Service, webhook: dict[str, Any]) -> None:
    address = f"/webhooks/{webhook['id']}"
    off = service.client.patch(address, json={"active": False}).json()
    assert (off["active"], off["url"], off["events"]) == (False, WANTED["url"], WANTED["events"])
    assert off["disabled_reason"]
    check_problem(service.client.post(f"{address}/test"), 409, "webhook_disabled")
    on = service.client.patch(address, json={"active": True, "events": ["job.failed"]}).json()
    assert (on["active"], on["events"], on["disabled_reason"]) == (True, ["job.failed"], None)
    refused = service.client.patch(address, json={"url": "https://10.0.0.1/"})
    check_problem(refused, 422, "webhook_target_refused")
    assert service.client.get(address).json() == on


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({}, id="nothing"),
        pytest.param({**WANTED, "events": []}, id="no_event"),
        pytest.param({**WANTED, "events": ["job.started"]}, id="unknown_event"),
        pytest.param({**WANTED, "url": ""}, id="no_address"),
        pytest.param({**WANTED, "secret": "whsec_mine"}, id="own_secret"),
        pytest.param([WANTED], id="a_list"),
    ],
)
def test_body_that_is_not_right_is_refused(service: Service, body: Any) -> None:
    check_problem(service.client.post("/webhooks", json=body), 422, "request_invalid")


@pytest.mark.parametrize(
    "url",
    [
        "http://93.184.215.14/",
        "https://93.184.215.14:22/",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://[::1]/",
        "https://0x7f000001/",
        "https://user:password@93.184.215.14/",
        "file:///etc/passwd",
        "https://no-such-host.invalid/",
    ],
)
def test_target_is_refused_with_the_next_step(service: Service, url: str) -> None:
    response = service.client.post("/webhooks", json={**WANTED, "url": url})
    check_problem(response, 422, "webhook_target_refused")
    assert "https" in response.json()["advice"] or "ask the operator" in response.json()["advice"]


def test_body_that_is_no_text_is_refused(service: Service) -> None:
    headers = {"Content-Type": "application/json"}
    half = b'{"url": "https://a.example/\\ud800", "events": ["batch.finished"]}'
    for content in (b"", b"{", b"\xff\xfe", b"[" * 50_000, half, b'{"\\ud800": 1}'):
        response = service.client.post("/webhooks", content=content, headers=headers)
        assert response.status_code in (400, 422), content[:10]
        assert response.headers["content-type"] == "application/problem+json"


def test_webhooks_have_an_end(service: Service, webhook: dict[str, Any]) -> None:
    made: list[httpx.Response] = []
    while not made or made[-1].status_code == 201:
        made.append(service.client.post("/webhooks", json=WANTED))
        assert len(made) <= 20
    check_problem(made.pop(), 409, "too_many_webhooks")
    seen: list[str] = []
    cursor: dict[str, Any] = {}
    while len(seen) < 20:
        page = service.client.get("/webhooks", params={"limit": 7, **cursor}).json()
        seen += [item["id"] for item in page["webhooks"]]
        cursor = {"cursor": page["next"]}
    assert cursor == {"cursor": None}
    assert seen == [response.json()["id"] for response in made[::-1]] + [webhook["id"]]
    for response in made:
        service.client.delete(f"/webhooks/{response.json()['id']}")


@pytest.mark.parametrize("name", ["1", "x" * 300, "%00", "5f0c1f0e-6d5e-4a55-9d4f-0f4f2b0f3c11"])
def test_unknown_ids(service: Service, webhook: dict[str, Any], name: str) -> None:
    check_problem(service.client.get(f"/webhooks/{name}"), 404, "webhook_unknown")
    check_problem(service.client.get(f"/webhooks/{name}/deliveries"), 404, "webhook_unknown")
    replay = f"/webhooks/{webhook['id']}/deliveries/{name}/replay"
    check_problem(service.client.post(replay), 404, "delivery_unknown")
    deliveries = service.client.get(f"/webhooks/{webhook['id']}/deliveries")
    assert deliveries.json() == {"deliveries": [], "next": None}
