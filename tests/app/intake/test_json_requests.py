"""Documents in JSON: as base64, and fetched from an address that may be asked."""

from __future__ import annotations

import base64
import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.conftest import MAX_BYTES
from tests.app.test_extract_route import check_problem
from tests.builders import make_receipt, receipt_pdf
from tests.service import Service, serving

_DOCUMENT = receipt_pdf(make_receipt(31))


def _post(service: Service, **body: Any) -> httpx.Response:
    return service.client.post("/extract", json=body)


def test_base64_is_read_as_a_form_is(service: Service) -> None:
    text = base64.b64encode(_DOCUMENT).decode()
    answer = _post(service, base64=text, filename="a.pdf", include="words", wait=30)
    assert answer.status_code == 200, answer.text
    form = service.post(_DOCUMENT, include="words").json()
    assert answer.json()["fields"] == form["fields"]
    assert answer.json()["words"] == form["words"]
    assert answer.json()["document"]["sha256"] == form["document"]["sha256"]
    queued = _post(service, base64=text, filename="b.pdf", wait=0, cache=False, pages=1)
    assert queued.status_code == 202
    assert queued.json()["document"] == "b.pdf"
    in_lines = _post(service, base64=base64.encodebytes(_DOCUMENT).decode(), wait=0)
    assert in_lines.json()["sha256"] == queued.json()["sha256"]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({}, "as `base64`, or its address as `url`"),
        ({"base64": "AAAA", "url": "https://example.com/a.pdf"}, "as `base64`, or its address"),
        ({"base64": "AA A"}, "It is no base64"),
        ({"base64": "é"}, "It is no base64"),
        ({"base64": "AAAA\x0bAAAA"}, "It is no base64"),
        ({"base64": "data:application/pdf;base64,AAAA"}, "nothing such as `data:` before it"),
        ({"base64": {"deep": "AAAA"}}, "one plain object"),
        ({"base64": "AAAA", "modle": "x"}, "body.modle: Extra inputs are not permitted; allowed"),
        ({"base64": "AAAA", "file": "x"}, "body.file: Extra inputs are not permitted; allowed"),
        ({"url": "https://127.0.0.1/a.pdf", "modle": None}, "allowed are base64, url, filename"),
        ([["AAAA"]], "one plain object"),
        ({str(number): number for number in range(300)}, "one plain object"),
    ],
)
def test_what_is_no_document_is_refused(service: Service, body: Any, says: str) -> None:
    response = service.client.post("/extract", json=body)
    check_problem(response, 422, "request_invalid")
    assert says in response.json()["detail"]


@pytest.mark.parametrize("name", ["password", "model", "filename", "base64", "url"])
def test_text_that_holds_half_a_character_is_refused(service: Service, name: str) -> None:
    body = {"base64": '"AAAA"', name: '"a\\ud800b"'}
    text = ", ".join(f'"{key}": {value}' for key, value in body.items())
    headers = {"Content-Type": "application/json"}
    response = service.client.post("/extract", content=f"{{{text}}}", headers=headers)
    check_problem(response, 422, "request_invalid")
    assert f"body.{name}: A text holds half a character" in response.json()["detail"]


def test_name_that_is_half_a_character_is_refused(service: Service) -> None:
    response = service.client.post(
        "/extract",
        content=b'{"base64": "AAAA", "\\ud800": 1}',
        headers={"Content-Type": "application/json"},
    )
    check_problem(response, 422, "request_invalid")
    assert "body.\\ud800: Extra inputs" in response.json()["detail"]


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 100, b'{"base64": "AAAA"} more', b"\xff\xfe"])
def test_what_is_no_json_is_refused(service: Service, body: bytes) -> None:
    headers = {"content-type": "application/json; charset=utf-8"}
    response = service.client.post("/extract", content=body, headers=headers)
    check_problem(response, 422, "request_invalid")


def test_base64_is_judged_by_what_it_holds(service: Service) -> None:
    text = base64.b64encode(b"no document").decode()
    check_problem(_post(service, base64=text), 415, "unsupported_media_type")
    check_problem(_post(service, base64=""), 422, "document_empty")


def test_bounds_of_documents_hold_in_json(service: Service) -> None:
    large = base64.b64encode(_DOCUMENT + b" " * MAX_BYTES).decode()
    check_problem(_post(service, base64=large), 413, "file_too_large")


class _Site(BaseHTTPRequestHandler):
    """Serves a document, and what is none."""

    def do_GET(self) -> None:
        answers: dict[str, tuple[int, dict[str, str], bytes]] = {
            "/paper%20one.pdf": (200, {}, _DOCUMENT),
            "/large.pdf": (200, {}, _DOCUMENT + b" " * MAX_BYTES),
            "/moved.pdf": (302, {"Location": "/paper%20one.pdf"}, b""),
            "/slow.pdf": (200, {}, _DOCUMENT),
        }
        status, headers, body = answers.get(self.path, (404, {}, b"nothing"))
        if self.path == "/slow.pdf":
            time.sleep(3)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def fetching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that may ask this machine."""
    with serving(
        Path(tmp_path_factory.mktemp("fetching")),
        webhook_allow="127.0.0.1",
        webhook_http="true",
        webhook_ports="1-65535",
        max_bytes=MAX_BYTES,
        fetch_timeout_s=1,
    ) as running:
        yield running


def test_document_is_fetched_from_its_address(fetching: Service, site: str) -> None:
    answer = _post(fetching, url=f"{site}/paper%20one.pdf", wait=30)
    assert answer.status_code == 200, answer.text
    assert answer.json()["fields"] == fetching.post(_DOCUMENT).json()["fields"]
    queued = _post(fetching, url=f"{site}/paper%20one.pdf", wait=0)
    assert queued.json()["document"] == "paper one.pdf"
    spooled = list((fetching.home / "blobs" / "tmp").iterdir())
    assert spooled == []


@pytest.mark.parametrize(
    ("path", "status", "code", "says"),
    [
        ("/none.pdf", 422, "document_not_fetched", "status 404"),
        ("/moved.pdf", 422, "document_not_fetched", "leads to another one"),
        ("/slow.pdf", 422, "document_not_fetched", "did not arrive in time"),
        ("/large.pdf", 413, "file_too_large", "more than"),
    ],
)
def test_what_an_address_does_instead_is_told(
    fetching: Service, site: str, path: str, status: int, code: str, says: str
) -> None:
    response = _post(fetching, url=site + path)
    check_problem(response, status, code)
    assert says in response.json()["detail"]


def test_slow_address_gives_way_to_a_document_that_waits(tmp_path: Path) -> None:
    bounds = {"max_uploads": 1, "slow_upload_pressed_s": 0.5, "fetch_timeout_s": 60}
    allowed = {"webhook_allow": "127.0.0.1", "webhook_http": "true", "webhook_ports": "1-65535"}
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        serving(tmp_path, **bounds, **allowed) as service,
        ThreadPoolExecutor() as pool,
    ):
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/a.pdf"
        slow = pool.submit(_post, service, url=url)
        connection, _ = silent.accept()  # it has the only place there is
        assert service.post(_DOCUMENT, wait=0).status_code == 202
        check_problem(slow.result(), 408, "upload_too_slow")
        connection.close()


def test_address_whose_host_has_none(service: Service) -> None:
    response = _post(service, url="https://documents.invalid/a.pdf")
    check_problem(response, 422, "document_not_fetched")
    assert "The name of the document's host has no address" in response.json()["detail"]


def test_address_where_nobody_answers(fetching: Service) -> None:
    response = _post(fetching, url="http://127.0.0.1:9/a.pdf")
    check_problem(response, 422, "document_not_fetched")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/a.pdf",
        "https://127.0.0.1/a.pdf",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/a.pdf",
        "https://2130706433/a.pdf",
        "https://user:secret@example.com/a.pdf",
        "file:///etc/passwd",
        "a.pdf",
    ],
)
def test_addresses_inside_are_never_asked(service: Service, url: str) -> None:
    response = _post(service, url=url)
    check_problem(response, 422, "url_refused")
    assert "FIELDWRIGHT_WEBHOOK_ALLOW" in response.json()["advice"]
    assert json.dumps(url) not in response.text
    assert "secret" not in response.text
