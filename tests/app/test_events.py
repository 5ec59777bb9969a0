"""A job's progress as server-sent events, from the running service."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.main import build
from app.settings import ApiSettings
from store.access import Keys
from tests.app.conftest import SLOW, Guarded
from tests.app.inside import call
from tests.app.test_extract_route import check_problem
from tests.builders import make_receipt, receipt_pdf
from tests.service import Service, serving, until
from tests.stores import prepare

PDF = receipt_pdf(make_receipt(51))


@dataclass
class Event:
    """One server-sent event, as a browser understands it."""

    name: str = "message"
    id: str = ""
    data: dict[str, Any] = field(default_factory=dict)


def events(response: httpx.Response) -> Iterator[Event]:
    """Give the events of a stream as they come, by the rules of the HTML standard."""
    event, data = Event(), ""
    for line in response.iter_lines():
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if line == "":
            if data:
                event.data = json.loads(data)
                yield event
            event, data = Event(), ""
        elif name == "event":
            event.name = value
        elif name == "id":
            event.id = value
        elif name == "data":
            data += value
        else:
            assert name in ("", "retry")  # comments, and when to come back


def follow(service: Service, job_id: str, **headers: str) -> list[Event]:
    """Return all events of a job to the end of the stream."""
    path = f"/jobs/{job_id}/events"
    with service.client.stream("GET", path, headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-store"
        return list(events(response))


def test_each_page_is_told_and_the_end_ends_the_stream(service: Service) -> None:
    job_id = service.submit(SLOW)
    told = follow(service, job_id)
    states = [event.data["state"] for event in told]
    assert states[-1] == "succeeded"
    assert states == sorted(states, key=["queued", "running", "succeeded"].index)
    pages = [event.data["pages_done"] for event in told]
    assert pages == sorted(pages)
    assert {1, 2, 3} <= set(pages)
    assert told[0].name == told[-1].name == "state"
    assert "progress" in {event.name for event in told}
    assert len({event.id for event in told}) == len(told)
    assert told[-1].data["id"] == job_id
    assert service.client.get(told[-1].data["links"]["result"]).status_code == 200


def test_who_comes_back_hears_nothing_twice(service: Service) -> None:
    job_id = service.submit(SLOW)
    path = f"/jobs/{job_id}/events"
    with service.client.stream("GET", path) as response:
        stream = events(response)
        last = next(event for event in stream if event.data["pages_done"] >= 1)
    rest = follow(service, job_id, **{"Last-Event-ID": last.id})
    assert last.id not in {event.id for event in rest}
    assert rest[-1].data["state"] == "succeeded"
    final = {"Last-Event-ID": rest[-1].id}
    over = service.client.get(path, headers=final)
    assert (over.status_code, over.content) == (204, b"")
    (again,) = follow(service, job_id)  # who never heard of it is told how it ended
    assert again == rest[-1]


def test_end_is_told_with_its_reason(service: Service) -> None:
    job_id = service.submit(b"%PDF-1.7\ngarbage")
    last = follow(service, job_id)[-1]
    assert (last.data["state"], last.data["error"]) == ("failed", "document_corrupt")


def test_cancelled_and_removed_jobs_end_the_stream(service: Service) -> None:
    job_id = service.submit(SLOW)
    with service.client.stream("GET", f"/v1/jobs/{job_id}/events") as response:
        stream = events(response)
        while (event := next(stream)).data["state"] == "queued":
            pass
        assert event.data["links"]["self"] == f"/v1/jobs/{job_id}"
        assert service.client.delete(f"/jobs/{job_id}").status_code == 202
        rest = list(stream)
    assert rest[-1].data["state"] == "cancelled"

    # The worker has two lanes: the last one waits for two rounds of others.
    *before, waits = (service.submit(SLOW) for _ in range(5))
    with service.client.stream("GET", f"/jobs/{waits}/events") as response:
        stream = events(response)
        assert next(stream).data["state"] == "queued"
        assert service.client.delete(f"/jobs/{waits}").status_code == 204
        assert [event.name for event in stream] == ["removed"]
    for each in before:
        service.client.delete(f"/jobs/{each}")
    until(lambda: not any(_unfinished(service, each) for each in before), "the others to end")


def _unfinished(service: Service, job_id: str) -> bool:
    return service.client.get(f"/jobs/{job_id}").json().get("state") in ("queued", "running")


@pytest.mark.parametrize("job_id", ["1", "5f0c1f0e-6d5e-4a55-9d4f-0f4f2b0f3c11"])
def test_unknown_job_is_a_problem_and_no_stream(service: Service, job_id: str) -> None:
    check_problem(service.client.get(f"/jobs/{job_id}/events"), 404, "job_unknown")


def test_job_of_another_owner_is_unknown(guarded: Guarded) -> None:
    answer = guarded.service.post(PDF, headers=guarded.headers("a")).json()
    path = f"/jobs/{answer['id']}/events"
    other = guarded.service.client.get(path, headers=guarded.headers("b"))
    check_problem(other, 404, "job_unknown")
    own = guarded.service.client.get(path, headers=guarded.headers("a"))
    assert own.status_code == 200


def test_stream_ends_with_the_key_of_its_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.routes.events._HEARTBEAT", 0.2)
    api = build(ApiSettings(home=tmp_path))
    prepare(api.state.jobs)
    keys = Keys(api.state.jobs.database)
    headers = {"X-API-Key": keys.create("leaving")[1]}
    sent = call(api, "POST", "/extract?wait=0", headers=headers, files={"file": PDF})
    path = f"{sent.headers['location']}/events"  # of a job that nobody works at
    with ThreadPoolExecutor() as pool:
        stream = pool.submit(call, api, "GET", path, headers=headers)
        with pytest.raises(TimeoutError):
            stream.result(1)
        keys.revoke("leaving")
        try:
            assert stream.result(30).text.count("event:") == 1
        finally:
            api.state.jobs.delete(sent.json()["id"])  # which ends any stream
    api.state.jobs.close()


def test_clients_that_leave_harm_nobody(service: Service) -> None:
    job_id = service.submit(SLOW)
    for _ in range(20):
        with service.client.stream("GET", f"/jobs/{job_id}/events") as response:
            next(response.iter_raw())
    with pytest.raises(httpx.ReadTimeout):
        service.client.post(
            "/extract", files={"file": ("a.pdf", SLOW)}, data={"wait": "60"}, timeout=0.7
        )
    left = service.client.get("/jobs", params={"limit": 1}).json()["jobs"][0]["id"]
    assert left != job_id
    assert follow(service, job_id)[-1].data["state"] == "succeeded"
    assert service.ended(left)["state"] == "succeeded"  # nobody waits for it, and it goes on
    assert service.events("request failed") == []


def test_priority_and_place_are_shown(service: Service) -> None:
    runs = service.submit(SLOW)
    until(lambda: service.job(runs)["state"] == "running", "the first one to run")
    batch = service.submit(SLOW, priority="batch")
    waits = service.submit(SLOW)
    seen = {name: service.job(job_id) for name, job_id in (("batch", batch), ("waits", waits))}
    if seen["waits"]["state"] == "queued":  # else a second lane has taken it
        assert seen["waits"]["position"] == 1
    assert seen["batch"]["priority"] == "batch"
    assert seen["waits"]["priority"] == "interactive"
    for job_id in (batch, waits, runs):
        service.client.delete(f"/jobs/{job_id}")
    assert service.ended(runs)["position"] is None


def test_streams_end_when_the_server_stops(tmp_path_factory: pytest.TempPathFactory) -> None:
    with serving(tmp_path_factory.mktemp("stopping"), ready=False, poll_seconds=30) as service:
        job_id = service.submit(PDF)
        with service.client.stream("GET", f"/jobs/{job_id}/events") as response:
            stream = response.iter_lines()
            assert "retry" in next(stream)
            stopping = threading.Thread(target=service.stop)
            stopping.start()
            for _ in stream:  # to its end, which is a clean one
                pass
            stopping.join()
