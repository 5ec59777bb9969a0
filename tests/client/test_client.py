"""Both clients against a real service, its restart, and what stands in front of services."""

from __future__ import annotations

import asyncio
import os
import threading
import uuid
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from fieldwright_client import Answer, AsyncClient, Client, NotAnswering, ServiceError, Value
from tests.builders import encrypted_pdf, make_receipt, receipt_pdf
from tests.packages import RECEIPT_FIELDS
from tests.service import CALM, Service, serving

RECEIPT = receipt_pdf(make_receipt(41))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serving(Path(tmp_path_factory.mktemp("client")), **CALM) as running:
        yield running


Ask = Callable[..., Any]


@pytest.fixture(params=[Client, AsyncClient], ids=["sync", "async"])
def ask(request: pytest.FixtureRequest) -> Ask:
    """Calls a method of a client, or awaits it."""

    def call(url: object, method: str, *arguments: object, **options: Any) -> Any:
        patience = options.pop("patience", 30.0)
        if request.param is Client:
            with Client(str(url), patience=patience) as client:
                return attrgetter(method)(client)(*arguments, **options)

        async def awaited() -> Any:
            async with AsyncClient(str(url), patience=patience) as client:
                return await attrgetter(method)(client)(*arguments, **options)

        return asyncio.run(awaited())

    return call


def test_a_document_becomes_typed_fields(service: Service, ask: Ask, tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"r\xe4.pdf")  # named in another encoding than UTF-8
    for path in (tmp_path / "a.pdf", odd):
        path.write_bytes(RECEIPT)
    for source in (tmp_path / "a.pdf", str(tmp_path / "a.pdf"), RECEIPT, ("a.pdf", RECEIPT), odd):
        answer = ask(service.client.base_url, "extract", source)
        assert isinstance(answer, Answer)
        assert set(answer.fields) == {spec.name for spec in RECEIPT_FIELDS}
        assert answer.model.name == "tiny"
        assert answer.document["page_count"] == 1
    values = list(answer.values())
    assert values
    assert all(isinstance(value, Value) and str(value) == value.text for value in values)
    assert answer.needs_review == any(value.needs_review for value in values)
    assert answer.needs_review == bool(answer.fields_to_review)


def test_an_answer_names_the_fields_to_review() -> None:
    def value(doubtful: bool) -> dict[str, Any]:
        found = {"kind": "text", "text": "x", "value": "x", "confidence": 0.5, "page": 1}
        return {**found, "box": [0, 0, 1, 1], "needs_review": doubtful}

    answer = Answer.model_validate(
        {
            "id": "1",
            "document": {},
            "model": {"name": "tiny", "version": "1"},
            "fields": {"date": None, "total": value(False), "orders": [value(False), value(True)]},
            "groups": {"items": [{"amount": value(True), "text": None}, {"amount": value(True)}]},
        }
    )
    assert answer.fields_to_review == ["orders", "items.amount"]
    assert answer.needs_review  # as an earlier release of the service would answer
    said = {**answer.model_dump(), "needs_review": False}
    assert not Answer.model_validate(said).needs_review


def test_options_are_those_of_the_form(service: Service, ask: Ask) -> None:
    answer = ask(service.client.base_url, "extract", RECEIPT, include="words", cache=True, pages=1)
    assert answer.model_extra["words"]
    with pytest.raises(ServiceError) as refused:
        ask(service.client.base_url, "extract", RECEIPT, model="tinny")
    assert (refused.value.code, refused.value.status) == ("model_unknown", 404)
    assert "tiny" in refused.value.advice
    with pytest.raises(ServiceError, match=r"body\.modle: .* allowed are file, model"):
        ask(service.client.base_url, "extract", RECEIPT, modle="x")


def test_a_job_goes_on_by_itself(service: Service, ask: Ask) -> None:
    url = service.client.base_url
    job = ask(url, "submit", ("b.pdf", RECEIPT))
    assert job.document == "b.pdf"
    answer = ask(url, "wait", job)
    assert answer.id == job.id
    assert ask(url, "job", job.id).ended
    ask(url, "delete", job)
    with pytest.raises(ServiceError) as gone:
        ask(url, "job", job)
    assert gone.value.code == "job_unknown"


def test_a_document_that_cannot_be_read_says_why(service: Service, ask: Ask) -> None:
    url = service.client.base_url
    locked = encrypted_pdf(RECEIPT, "secret")
    with pytest.raises(ServiceError) as refused:
        ask(url, "extract", locked)
    assert refused.value.code == "pdf_encrypted"
    assert ask(url, "extract", locked, password="secret").fields
    job = ask(url, "submit", locked)
    with pytest.raises(ServiceError, match="password"):
        ask(url, "wait", job)


def test_a_batch_gives_a_row_for_each_document(service: Service, ask: Ask) -> None:
    url = service.client.base_url
    broken = ("broken.pdf", b"%PDF-1.7 and nothing more")
    batch = ask(url, "submit_batch", [("a.pdf", RECEIPT), broken], name="two")
    assert (batch.name, batch.total) == ("two", 2)
    first, second = ask(url, "results", batch)
    assert (first.document, first.error) == ("a.pdf", None)
    assert set(first.fields) == {spec.name for spec in RECEIPT_FIELDS}
    assert second.error.code == "document_corrupt"
    assert ask(url, "wait_batch", batch.id).counts["failed"] == 1


def test_what_a_reviewer_pastes_breaks_no_row(service: Service, ask: Ask) -> None:
    url = service.client.base_url
    batch = ask(url, "submit_batch", [("a.pdf", RECEIPT)], model="tiny")
    (row,) = ask(url, "results", batch)
    me = {"claimant": str(uuid.uuid4()), "reviewer": "me"}
    service.client.post("/reviews/claims", json={**me, "job_id": row.id})
    decision = {"id": str(uuid.uuid4()), "kind": "edit", "field": "company", "text": "A\u2028B"}
    service.client.post(f"/reviews/{row.id}/decisions", json={**me, **decision})
    (row,) = ask(url, "results", batch)
    assert row.fields["company"].text == "A\u2028B"


def test_models_are_listed_with_their_fields(service: Service, ask: Ask) -> None:
    models = {model.name: model for model in ask(service.client.base_url, "models")}
    assert models["tiny"].default
    assert models["tiny"].fields["total"] == "amount"


def test_a_restart_of_the_service_is_waited_for(tmp_path: Path, ask: Ask) -> None:
    with serving(tmp_path) as service:
        url = service.client.base_url
        job = ask(url, "submit", RECEIPT)
        service.kill()
        again = threading.Timer(1.0, lambda: service.start(port=url.port or 0))
        again.start()
        assert ask(url, "wait", job).id == job.id
        again.join()


class _Front(BaseHTTPRequestHandler):
    """A proxy that is busy twice, or no service at all."""

    asked: list[tuple[str, str]] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self._answer(200, b"<html>a page</html>")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.asked.append((self.path, self.headers["idempotency-key"]))
        if len(self.asked) < 3:
            self._answer(503, b"busy", ("Retry-After", "0"))
        else:
            self._answer(418, b"short and stout")

    def _answer(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        self.send_response(status)
        for name, value in (*headers, ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def front() -> Iterator[str]:
    _Front.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Front)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_what_is_sent_again_is_the_same_request(front: str, ask: Ask) -> None:
    with pytest.raises(NotAnswering, match="418"):
        ask(front, "extract", RECEIPT)
    assert len(_Front.asked) == 3
    assert len(set(_Front.asked)) == 1


@pytest.mark.parametrize(
    ("method", "given"),
    [("create", ["Slips"]), ("train", ["d"]), ("resume", ["t"]), ("start_shadow", ["m", "1"])],
)
def test_what_is_made_has_a_key_on_each_attempt(
    front: str, ask: Ask, method: str, given: list[str]
) -> None:
    with pytest.raises(NotAnswering, match="418"):
        ask(front, f"teach.{method}", *given)
    assert len(_Front.asked) == 3
    ((_, key),) = set(_Front.asked)
    assert key


def test_what_is_no_service_is_told(front: str, ask: Ask) -> None:
    with pytest.raises(NotAnswering, match="not fieldwright"):
        ask(front, "models")


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "ftp://127.0.0.1", "nowhere"])
def test_an_address_where_nobody_answers_is_given_up(url: str, ask: Ask) -> None:
    with pytest.raises(NotAnswering):
        ask(url, "models", patience=0.1)


def test_a_key_with_its_line_break_is_sent_without(front: str) -> None:
    for client in (Client(front, key="fw_1_2\n"), AsyncClient(front, key="fw_1_2\r\n")):
        assert client._http.headers["authorization"] == "Bearer fw_1_2"


@pytest.mark.parametrize("key", ["fw_1\n2", "schlüssel", "fw_1\x00"])
def test_a_key_that_no_header_can_be_is_told_at_once(front: str, key: str) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(NotAnswering, match="the key, cannot be used"):
            kind(front, key=key)
