"""Limits by key and by process: what is over them is sent away, and told when to come back."""

from __future__ import annotations

import asyncio
import logging
import select
import socket
from pathlib import Path

import httpx
import pytest
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from app.main import build, problem
from app.middleware import Uploads
from app.rates import Rates
from app.settings import ApiSettings
from store.access.keys import Keys
from tests.app.conftest import Guarded
from tests.app.inside import call
from tests.app.test_extract_route import check_problem
from tests.builders import make_receipt, receipt_pdf
from tests.patience import until
from tests.servers import RedisServer

PDF = receipt_pdf(make_receipt(5))


def test_key_over_its_rate_is_sent_away(guarded: Guarded) -> None:
    _, shown = guarded.keys.create("slow", rate_per_minute=3)
    client, headers = guarded.service.client, {"X-API-Key": shown}
    until(lambda: client.get("/limits", headers=headers).status_code == 200, "the key")
    answers = [client.get("/limits", headers=headers) for _ in range(3)]
    refused = answers[-1]
    check_problem(refused, 429, "rate_limited")
    assert refused.headers["ratelimit-policy"] == '"key";q=3;w=60'
    assert refused.headers["ratelimit"].startswith('"key";r=0;t=')
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert refused.headers["retry-after"] in refused.headers["ratelimit"]
    other = client.get("/limits", headers=guarded.headers("a"))
    assert other.status_code == 200  # the others feel nothing
    assert other.headers["ratelimit-policy"] == '"key";q=5000;w=60'
    assert client.get("/livez").status_code == 200


def test_keys_that_follow_each_other_share_a_rate(tmp_path: Path) -> None:
    api = build(ApiSettings(home=tmp_path, default_rate_per_minute=2))
    api.state.jobs.prepare()
    keys = Keys(api.state.jobs.database)
    shown = [keys.create("erp")[1], keys.rotate("erp", grace_s=60)[1]]
    sent = [call(api, "GET", "/limits", headers={"X-API-Key": text}) for text in shown * 2]
    assert [answer.status_code for answer in sent] == [200, 200, 429, 429]
    api.state.jobs.close()


def test_service_without_keys_has_no_rate(tmp_path: Path) -> None:
    api = build(ApiSettings(home=tmp_path, default_rate_per_minute=1))
    api.state.jobs.prepare()
    assert [call(api, "GET", "/limits").status_code for _ in range(3)] == [200] * 3
    api.state.jobs.close()


def test_processes_count_together_and_a_restart_forgets_nothing(redis: RedisServer) -> None:
    first, second = Rates(redis.url), Rates(redis.url)
    assert [rates.hit("k", 3).granted for rates in (first, second, first)] == [True] * 3
    first.close()
    restarted = Rates(redis.url)
    refused = restarted.hit("k", 3)
    assert (refused.granted, refused.remaining) == (False, 0)
    assert 1 <= refused.reset_s <= 60
    assert restarted.hit("other", 3).granted
    for rates in (second, restarted):
        assert not rates.local
        rates.close()


def test_limit_outlives_a_restart_of_the_api(tmp_path: Path, redis: RedisServer) -> None:
    statuses = []
    shown = ""
    for _ in range(3):
        api = build(ApiSettings(home=tmp_path, broker_url=redis.url, default_rate_per_minute=2))
        api.state.jobs.prepare()
        shown = shown or Keys(api.state.jobs.database).create("erp")[1]
        statuses.append(call(api, "GET", "/limits", headers={"X-API-Key": shown}).status_code)
        api.state.jobs.close()
    assert statuses == [200, 200, 429]


@pytest.mark.parametrize("fault", ["stop", "pause"])
def test_fault_of_redis_locks_nobody_out(
    redis: RedisServer,
    fault: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.rates._PAUSE", 0.5)
    rates = Rates(redis.url)
    assert [rates.hit("k", 2).granted for _ in range(3)] == [True, True, False]
    getattr(redis, fault)()
    with caplog.at_level(logging.WARNING, "app.rates"):
        assert rates.hit("k", 2).granted  # counted in this process, from the start
    assert caplog.messages == ["rate limits without redis"]
    assert rates.local
    redis.resume() if fault == "pause" else redis.start()
    until(lambda: not rates.local and rates.hit("j", 1000).granted and not rates.local, "Redis")
    rates.close()


@pytest.mark.parametrize("url", ["", "memory://", "amqp://guest@localhost"])
def test_without_redis_each_process_counts_for_itself(url: str) -> None:
    rates = Rates(url)
    assert rates.local
    assert [rates.hit("k", 1).granted for _ in range(2)] == [True, False]
    rates.close()


def test_too_many_documents_at_once_are_sent_away(guarded: Guarded) -> None:
    service = guarded.service
    headers = guarded.headers("a")
    url = service.client.base_url
    half = (
        "POST /extract HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n"
        f"Authorization: {headers['Authorization']}\r\nContent-Length: 1000\r\n\r\n--b\r\n"
    )

    def begun() -> socket.socket:
        connection = socket.create_connection((url.host, url.port))
        connection.sendall(half.encode())
        return connection

    arriving = [begun() for _ in range(2)]

    def refusal() -> httpx.Response | None:
        for place, connection in enumerate(arriving):
            # Beside our own document it may itself have been one too many.
            if select.select([connection], [], [], 0)[0]:
                connection.close()
                arriving[place] = begun()
        answer = service.post(PDF, headers=headers, wait=0)
        return answer if answer.status_code == 503 else None

    try:
        refused = until(refusal, "the refusal")
        check_problem(refused, 503, "too_many_uploads")
        assert refused.headers["retry-after"] == "1"
        assert service.client.get("/jobs", headers=headers).status_code == 200  # no document
        wrong = service.post(PDF, headers={"X-API-Key": "fw_1_2"})
        check_problem(wrong, 401, "key_invalid")  # strangers learn nothing of the load
    finally:
        for connection in arriving:
            connection.close()
    until(
        lambda: service.post(PDF, headers=headers, wait=0).status_code == 202, "room for documents"
    )


def test_request_that_waits_for_its_answer_is_no_upload() -> None:
    async def run() -> list[int]:
        waiting, statuses = asyncio.Event(), list[int]()

        async def route(scope: Scope, receive: Receive, send: Send) -> None:
            await receive()
            await waiting.wait()
            await Response(status_code=200)(scope, receive, send)

        async def receive() -> Message:
            return {"type": "http.request", "body": b"all of it", "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        door = Uploads(route, problem, most=1)
        scope = {"type": "http", "method": "POST", "path": "/extract", "headers": []}
        posts = [asyncio.create_task(door({**scope}, receive, send)) for _ in range(3)]
        for _ in range(10):
            await asyncio.sleep(0)
        assert door.arriving == 0
        waiting.set()
        await asyncio.gather(*posts)
        return statuses

    assert asyncio.run(run()) == [200, 200, 200]
