"""Webhooks when receivers fail, lie or hang: told at least once, and never sent to the inside."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from store.settings import Settings
from store.sql.database import Database
from store.webhooks import Webhooks
from tests.builders import encrypted_pdf, make_receipt, receipt_pdf
from tests.patience import until
from tests.receiver import Answer, Received, Receiver, receiving
from tests.service import Service, digest, serving

RECEIPT = make_receipt(23)
PDF = receipt_pdf(RECEIPT)
LOCAL: dict[str, object] = {
    "webhook_http": "true",
    "webhook_ports": "1-65535",
    "webhook_allow": "127.0.0.1",
    "webhook_timeout_s": 3,
    "webhook_schedule": "0,0.2,0.2,0.2,0.2",
}


@pytest.fixture(scope="module")
def fatal() -> Iterator[Receiver]:
    """A receiver whose first answer is the end of the API process that gets it."""
    with receiving() as receiver:
        yield receiver


@pytest.fixture(scope="module")
def inside() -> Iterator[Receiver]:
    """A receiver where this service may not send anything."""
    with receiving(host="127.0.0.2") as receiver:
        yield receiver


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, fatal: Receiver, inside: Receiver
) -> Iterator[Service]:
    """A service that may send to one address, and was allowed more when it knew `inside`."""
    home = Path(tmp_path_factory.mktemp("service"))
    _register_before(home, inside.url)
    fault = f"before_webhook_commit@{digest(fatal.url.encode())}:kill9:1"
    with serving(home, **LOCAL, fault=fault) as running:
        yield running


def _register_before(home: Path, url: str) -> None:
    allowing: dict[str, Any] = {**LOCAL, "webhook_allow": "127.0.0.0/8"}
    settings = Settings(home=home, **allowing)
    database = Database(settings.store_url)
    database.migrate()
    policy, most = settings.webhook_policy, settings.max_webhooks
    webhooks = Webhooks(database, settings.secret_cipher, policy=policy, most=most)
    asyncio.run(webhooks.register(url, ["job.cancelled"], None))
    database.close()


@pytest.fixture(autouse=True)
def no_webhooks_of_other_tests(service: Service) -> Iterator[None]:
    yield
    for webhook in service.client.get("/webhooks").json()["webhooks"]:
        if webhook["events"] != ["job.cancelled"]:
            service.client.delete(f"/webhooks/{webhook['id']}")


def register(service: Service, receiver: Receiver, *events: str) -> dict[str, Any]:
    wanted = {"url": receiver.url, "events": events or ["job.succeeded", "job.failed"]}
    response = service.client.post("/webhooks", json=wanted)
    assert response.status_code == 201, response.text
    webhook: dict[str, Any] = response.json()
    return webhook


def deliveries(service: Service, webhook: dict[str, Any]) -> list[dict[str, Any]]:
    response = service.client.get(f"/webhooks/{webhook['id']}/deliveries")
    found: list[dict[str, Any]] = response.json()["deliveries"]
    return found


def delivered(service: Service, webhook: dict[str, Any]) -> dict[str, Any]:
    """Return the one delivery to a webhook, once nothing more will come of it."""

    def look() -> dict[str, Any] | None:
        found = deliveries(service, webhook)
        return found[0] if found and found[0]["ended_at"] else None

    delivery: dict[str, Any] = until(look, "the delivery's end")
    assert len(deliveries(service, webhook)) == 1
    return delivery


def outcomes(delivery: dict[str, Any]) -> list[tuple[int | None, str | None]]:
    return [(attempt["status"], attempt["error"]) for attempt in delivery["attempts"]]


def test_receiver_that_is_down_for_a_while_hears_under_the_same_id(service: Service) -> None:
    """Row 23: refused three times, then taken; the job has long succeeded."""
    answers: list[Answer | None] = [(500, {}), None, (503, {"Retry-After": "1"}), (200, {})]
    with receiving(lambda request: answers.pop(0)) as receiver:
        webhook = register(service, receiver)
        job = service.ended(service.submit(PDF))
        delivery = delivered(service, webhook)
    assert job["state"] == "succeeded"
    assert delivery["state"] == "delivered"
    assert outcomes(delivery) == [
        (500, "status"),
        (None, "connection_broken"),
        (503, "status"),
        (200, None),
    ]
    assert {request.id for request in receiver.requests} == {delivery["id"]}
    (body,) = {request.body for request in receiver.requests}
    for word in (RECEIPT.total, *RECEIPT.company.split()):
        assert word.encode() not in body
    event = receiver.requests[-1].event(webhook["secret"])
    assert (event["type"], event["data"]["id"]) == ("job.succeeded", job["id"])
    result = service.client.get(event["data"]["result_url"])
    assert result.json()["id"] == job["id"]


def test_slow_receiver_is_given_up_and_delays_nobody(service: Service) -> None:
    """Row 23: it has its seconds; another receiver hears of the same job meanwhile.

    What was delivered is delivered again when its owner asks.
    """
    over = threading.Event()

    def hang(request: Received) -> Answer:
        over.wait(60)
        return 204, {}

    with receiving(hang) as slow, receiving() as quick:
        hanging, heard = register(service, slow), register(service, quick)
        job = service.submit(encrypted_pdf(PDF, "secret"))
        assert delivered(service, heard)["state"] == "delivered"
        (waiting,) = deliveries(service, hanging)
        assert waiting["state"] != "delivered"
        assert quick.requests[0].data["error_code"] == "pdf_encrypted"
        assert quick.requests[0].data["id"] == job
        until(lambda: len(slow.requests) == 2, "the second attempt")
        over.set()
        delivery = delivered(service, hanging)
        assert delivery["id"] == waiting["id"]
        assert outcomes(delivery)[0] == (None, "timeout")
        assert outcomes(delivery)[-1] == (204, None)
        number = len(delivery["attempts"]) + 1
        service.client.post(f"/webhooks/{hanging['id']}/deliveries/{delivery['id']}/replay")
        again = until(lambda: _last(service, hanging, number), "the replay")
        assert (again["id"], again["state"]) == (delivery["id"], "delivered")


def _last(service: Service, webhook: dict[str, Any], number: int) -> dict[str, Any] | None:
    """Return the one delivery once it has ended with so many attempts."""
    (delivery,) = deliveries(service, webhook)
    done = delivery["ended_at"] and len(delivery["attempts"]) >= number
    return delivery if done else None


def test_batches_and_cached_answers_are_told_of(service: Service) -> None:
    """Once when the last document has ended; again when the failed one was tried again."""
    with receiving() as receiver:
        webhook = register(service, receiver, "batch.finished", "job.succeeded")
        locked = encrypted_pdf(PDF, "secret")
        batch = _batch(service, PDF, locked, b"nothing")
        told = until(lambda: receiver.of(batch), "the end of the batch")
        assert told[0].data["items"] == {"failed": 1, "refused": 1, "succeeded": 1}
        results = service.client.get(told[0].data["result_url"])
        assert len(results.text.splitlines()) == 3
        assert service.client.post(f"/batches/{batch}/retry").status_code < 300
        until(lambda: len(receiver.of(batch)) == 2, "its second end")
        assert len({request.id for request in receiver.of(batch)}) == 2
        refused = _batch(service, b"nothing at all")
        assert until(lambda: receiver.of(refused), "its end")[0].data["items"] == {"refused": 1}
        cached = service.post(PDF, cache="true").json()["id"]
        assert until(lambda: receiver.of(cached), "its end")[0].data["state"] == "succeeded"
        states = [delivery["state"] for delivery in deliveries(service, webhook)]
        assert set(states) <= {"delivered", "sending"}
        events = [request.event(webhook["secret"])["type"] for request in receiver.requests]
        assert sorted(set(events)) == ["batch.finished", "job.succeeded"]


def _batch(service: Service, *documents: bytes) -> str:
    files = [("files", (f"{index}.pdf", data)) for index, data in enumerate(documents)]
    response = service.client.post("/batches", files=files)
    assert response.status_code == 202, response.text
    return str(response.json()["id"])


def test_receiver_that_is_gone_is_told_nothing_more(service: Service) -> None:
    """Row 23: 410 switches it off."""
    with receiving(lambda request: (410, {})) as receiver:
        webhook = register(service, receiver)
        service.ended(service.submit(PDF))
        assert outcomes(delivered(service, webhook)) == [(410, "status")]
        service.ended(service.submit(PDF))
        seen = service.client.get(f"/webhooks/{webhook['id']}").json()
        assert (seen["active"], "410" in seen["disabled_reason"]) == (False, True)
        assert len(deliveries(service, webhook)) == 1
        response = service.client.post(f"/webhooks/{webhook['id']}/test")
        assert (response.status_code, response.json()["code"]) == (409, "webhook_disabled")
    assert len(receiver.requests) == 1


def test_api_that_dies_before_it_notes_the_delivery(service: Service, fatal: Receiver) -> None:
    """It was heard, and nobody knows: it is told again under the same id, and the log says so."""
    webhook = register(service, fatal)
    job = service.submit(PDF)
    until(lambda: len(fatal.requests) == 2, "the second attempt")
    delivery = until(lambda: _patiently(service, webhook), "the delivery's end")
    assert delivery["state"] == "delivered"
    assert outcomes(delivery) == [(None, "interrupted"), (204, None)]
    assert service.ended(job)["state"] == "succeeded"
    assert len({request.id for request in fatal.requests}) == 1
    assert len({request.body for request in fatal.requests}) == 1


def _patiently(service: Service, webhook: dict[str, Any]) -> dict[str, Any] | None:
    """Return the delivery once it has ended; None too while the API comes back."""
    try:
        return _last(service, webhook, 2)
    except httpx.TransportError:
        return None


def test_redirect_leads_nowhere(service: Service) -> None:
    """Row 24: to the address where clouds keep their secrets, and to a server that is there."""
    with receiving() as there:
        for location in ("http://169.254.169.254/latest/meta-data/", there.url):
            moved = (302, {"Location": location})
            with receiving(lambda request, moved=moved: moved) as receiver:
                webhook = register(service, receiver)
                service.client.post(f"/webhooks/{webhook['id']}/test")
                delivery = delivered(service, webhook)
                assert delivery["state"] == "failed"
                assert outcomes(delivery) == 5 * [(302, "redirect")]
        assert there.connections == 0


def test_address_that_was_allowed_once_is_blocked(service: Service, inside: Receiver) -> None:
    """Row 24: judged again at every attempt; no connection, no body in the log."""
    (webhook,) = service.client.get("/webhooks").json()["webhooks"]
    service.client.post(f"/webhooks/{webhook['id']}/test")
    delivery = delivered(service, webhook)
    assert (delivery["state"], outcomes(delivery)) == ("blocked", [(None, "blocked")])
    (line,) = service.events("webhook blocked")
    assert line["delivery"] == delivery["id"]
    log = service.log.read_text()
    for hidden in (inside.url, "timestamp", "whsec_"):
        assert hidden not in log
    assert inside.connections == 0


@pytest.mark.parametrize(
    "host",
    [
        "10.0.0.1",
        "127.0.0.2",
        "169.254.169.254",
        "[::1]",
        "[::ffff:169.254.169.254]",
        "0x7f000001",
        "2130706433",
        "127.1",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:7f00:1::]",
    ],
)
def test_inside_is_refused_at_the_door(service: Service, host: str) -> None:
    """Row 24: whatever form it has."""
    wanted = {"url": f"http://{host}:8080/", "events": ["job.succeeded"]}
    response = service.client.post("/webhooks", json=wanted)
    assert response.status_code == 422, response.text
    assert response.json()["code"] == "webhook_target_refused"
    assert response.json()["advice"]
