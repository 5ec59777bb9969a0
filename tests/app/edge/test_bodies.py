"""Bodies: how large, how slow, and how many uploads at once, by client and by key."""

from __future__ import annotations

import asyncio
import socket
import uuid
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from app.edge.bodies import Bodies
from app.main import build
from app.settings import ApiSettings
from tests.app.conftest import Guarded
from tests.app.inside import call
from tests.app.test_extract_route import check_problem
from tests.builders import make_receipt, receipt_pdf
from tests.stores import prepare

PDF = receipt_pdf(make_receipt(5))
FORM = {"Content-Type": "multipart/form-data; boundary=b"}


def half_upload(base: httpx.URL, key: str) -> socket.socket:
    """Return the connection of a client that has sent the beginning of a form, and stops."""
    lines = ["POST /extract HTTP/1.1", "Host: x", f"X-API-Key: {key}", "Content-Length: 1000"]
    lines += [f"{name}: {value}" for name, value in FORM.items()]
    connection = socket.create_connection((base.host, base.port or 80), timeout=60)
    connection.sendall("\r\n".join([*lines, "", "--b\r\n"]).encode())
    return connection


def test_slow_uploads_give_way_to_a_document_that_waits(guarded: Guarded) -> None:
    service, url = guarded.service, guarded.service.client.base_url
    slow = [half_upload(url, guarded.shown["a"]) for _ in range(2)]  # all places there are
    try:
        response = service.post(PDF, headers=guarded.headers("b"), wait=0)
        assert response.status_code == 202, response.text
        assert slow[0].recv(100).startswith(b"HTTP/1.1 408 ")
        wrong = service.post(PDF, headers={"X-API-Key": "fw_1_2"})
        check_problem(wrong, 401, "key_invalid")  # strangers learn nothing of the load
    finally:
        for connection in slow:
            connection.close()


Client = Callable[..., Awaitable[int]]


def served(
    settings: ApiSettings, script: Callable[[Client, asyncio.Event], Awaitable[Any]]
) -> None:
    """Run a script against the bounds in front of an app that stores what it is sent.

    The script is given a client, ``await client(address, key, ends)``, which answers with the
    status and sends the end of its body once the event `ends` is set, and an event that lets the
    app answer.
    """
    answer = asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive()).get("more_body"):
            pass
        if message["type"] == "http.request":
            scope["state"]["upload_stored"]()
            await answer.wait()
            await Response(status_code=200)(scope, receive, send)

    bodies = Bodies(app, settings)

    async def client(
        address: str, ends: asyncio.Event | None = None, path: str = "/extract"
    ) -> int:
        begun, statuses = False, list[int]()

        async def receive() -> Message:
            nonlocal begun
            if begun and ends is not None:
                await ends.wait()
            more, begun = not begun, True
            return {"type": "http.request", "body": b"x", "more_body": more}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        headers = [(b"content-length", b"2")]
        scope = {"type": "http", "method": "POST", "path": path, "headers": headers}
        await bodies({**scope, "client": (address, 1), "state": {}}, receive, send)
        return statuses[0]

    asyncio.run(_within_a_minute(script(client, answer)))


async def _within_a_minute(script: Awaitable[Any]) -> None:
    await asyncio.wait_for(script, 60)


def test_client_has_so_many_uploads_and_others_keep_theirs() -> None:
    async def script(client: Client, answer: asyncio.Event) -> None:
        answer.set()
        never = asyncio.Event()
        own = [asyncio.create_task(client("192.0.2.1", never)) for _ in range(2)]
        await asyncio.sleep(0)
        assert await client("192.0.2.1") == 429
        assert await client("192.0.2.2") == 200
        # Addresses of one IPv6 network are one client.
        own += [asyncio.create_task(client(f"2001:db8::{n}", never)) for n in (1, 2)]
        await asyncio.sleep(0)
        assert await client("2001:db8::3") == 429
        never.set()
        assert await asyncio.gather(*own) == [200] * 4

    served(ApiSettings(max_client_uploads=2, upload_wait_s=0.05, slow_upload_s=60), script)


def test_upload_that_finds_no_place_is_told_to_come_back() -> None:
    async def script(client: Client, answer: asyncio.Event) -> None:
        answer.set()
        ends = asyncio.Event()
        own = asyncio.create_task(client("192.0.2.1", ends))
        await asyncio.sleep(0)
        assert await client("192.0.2.2") == 503
        assert await client("192.0.2.2", path="/webhooks") == 200  # no upload
        waiting = asyncio.create_task(client("192.0.2.2"))
        await asyncio.sleep(0)
        ends.set()
        assert [await own, await waiting] == [200, 200]

    settings = {"max_uploads": 1, "upload_wait_s": 0.05, "slow_upload_pressed_s": 50}
    served(ApiSettings(**settings, slow_upload_s=60), script)  # type: ignore[arg-type]


def test_upload_has_its_place_until_it_is_stored_and_not_until_it_is_answered() -> None:
    async def script(client: Client, answer: asyncio.Event) -> None:
        waiting = [asyncio.create_task(client("192.0.2.1")) for _ in range(3)]
        while not all(task.done() for task in waiting):
            await asyncio.sleep(0)
            answer.set()
        assert [await task for task in waiting] == [200] * 3

    served(ApiSettings(max_uploads=1, upload_wait_s=30), script)


def test_body_is_given_up_for_its_last_seconds_whatever_came_before() -> None:
    async def script(client: Client, answer: asyncio.Event) -> None:
        assert await client("192.0.2.1", asyncio.Event()) == 408

    # One byte has earned its client more time than a minute; no client has more than `slow`.
    served(ApiSettings(slow_upload_s=0.05, slow_upload_rate=1), script)


@pytest.fixture
def api(tmp_path: Path) -> FastAPI:
    """The application without workers, its store ready."""
    application = build(ApiSettings(home=tmp_path))
    prepare(application.state.jobs)
    return application


@pytest.mark.parametrize("path", ["/webhooks", "/jobs", "/batches/x/retry", "/nowhere"])
def test_only_uploads_may_be_large(api: FastAPI, path: str) -> None:
    response = call(api, "POST", path, content=b" " * 70_000)
    check_problem(response, 413, "body_too_large")
    assert response.headers["connection"] == "close"
    api.state.jobs.close()


def test_labels_of_a_long_table_may_be_large(api: FastAPI) -> None:
    path = f"/datasets/{uuid.uuid4()}/documents/{uuid.uuid4()}/labels"
    columns = ("description", "quantity", "unit", "unit_price", "tax_rate", "amount")
    rows = [
        {name: {"words": [6 * row + at]} for at, name in enumerate(columns)} for row in range(500)
    ]
    for prefix in ("", "/v1"):
        response = call(api, "PUT", prefix + path, json={"groups": {"items": rows}})
        check_problem(response, 404, "dataset_unknown")
        large = call(api, "PUT", prefix + path, content=b" " * 270_000)
        check_problem(large, 413, "body_too_large")
        assert "fields and groups" in large.json()["advice"]
    check_problem(call(api, "POST", path, content=b" " * 70_000), 413, "body_too_large")
    api.state.jobs.close()


def test_faults_are_ten_and_a_count_and_names_are_cut(api: FastAPI) -> None:
    names = {f"{n:04}{'x' * 200}": 1 for n in range(13)}
    response = call(api, "POST", "/webhooks", json={**names, "url": "https://example.org"})
    check_problem(response, 422, "request_invalid")
    problem = response.json()
    assert len(problem["errors"]) == 10
    assert "faults in all" in problem["detail"]
    assert len(response.content) < 4000
    api.state.jobs.close()


def test_thousands_of_unknown_names_are_one_fault(api: FastAPI) -> None:
    response = call(api, "POST", "/webhooks", json={f"{n:04}": 1 for n in range(6000)})
    check_problem(response, 422, "request_invalid")
    assert [fault["what"] for fault in response.json()["errors"]] == ["6000 names are too many"]
    api.state.jobs.close()


@pytest.mark.parametrize("depth", [100, 30_000])
def test_deep_json_is_the_clients_fault(api: FastAPI, depth: int) -> None:
    deep = b"[" * depth + b"]" * depth
    response = call(
        api, "POST", "/webhooks", content=deep, headers={"Content-Type": "application/json"}
    )
    assert response.status_code in (400, 422)
    assert len(response.content) < 4000
    api.state.jobs.close()


@pytest.mark.parametrize("path", ["/extract", "/batches"])
@pytest.mark.parametrize(
    ("head", "body", "status"),
    [
        ("multipart/form-data; boundary=" + "b" * 257, b"", 400),
        ("multipart/form-data", b"", 400),
        ("multipart/form-data; boundary=b", b"", 422),
        ("multipart/form-data; boundary=b", b"--b\r\nX: " + b"x" * 10_000, 400),
        ("multipart/form-data; boundary=b", b"--b\r\n\r\nno name\r\n--b--", 400),
        ("application/x-www-form-urlencoded", b"a=1&" * 1000, 422),
        ("application/json", b"{}", 422),
    ],
)
def test_form_that_is_none_is_the_clients_fault(
    api: FastAPI, path: str, head: str, body: bytes, status: int
) -> None:
    response = call(api, "POST", path, content=body, headers={"Content-Type": head})
    assert response.status_code == status, response.text
    assert ("no boundary" in response.json()["detail"]) == (head == "multipart/form-data")
    api.state.jobs.close()


def test_form_keeps_little_text(api: FastAPI) -> None:
    fields = {f"f{n}": "x" * 30_000 for n in range(3)}
    response = call(api, "POST", "/extract", data=fields, files={"file": ("a.pdf", PDF)})
    check_problem(response, 400, "request_malformed")
    api.state.jobs.close()


def test_second_document_is_refused_not_dropped(api: FastAPI) -> None:
    files = [("file", ("a.pdf", PDF)), ("file", ("b.pdf", PDF))]
    check_problem(call(api, "POST", "/extract", files=files), 422, "request_invalid")
    api.state.jobs.close()


@pytest.mark.parametrize(
    ("path", "name"),
    [("/extract", "file"), ("/batches", "files"), ("/datasets/1/documents", "files")],
)
def test_document_without_a_file_name_is_refused_not_dropped(
    api: FastAPI, path: str, name: str
) -> None:
    files: Any = [(name, ("a.pdf", PDF)), (name, (None, PDF))]
    response = call(api, "POST", path, files=files)
    check_problem(response, 422, "request_invalid")
    assert response.json()["errors"][0]["where"] == f"body.{name}"
    api.state.jobs.close()
