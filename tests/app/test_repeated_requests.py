"""Requests sent again: with an Idempotency-Key one thing is made, with `cache` one reading."""

from __future__ import annotations

import sqlite3
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.conftest import SLOW, Guarded
from tests.app.test_extract_route import check_problem
from tests.builders import encrypted_pdf, make_receipt, receipt_pdf
from tests.packages import tiny_package
from tests.service import Service, digest, serving, until

PDF = receipt_pdf(make_receipt(41))
OTHER = receipt_pdf(make_receipt(42))


def keyed(key: str | None = None) -> dict[str, str]:
    return {"Idempotency-Key": key or uuid.uuid4().hex}


def test_same_key_is_the_same_job(service: Service) -> None:
    headers = keyed()
    first = service.post(PDF, headers=headers)
    again = service.post(PDF, "renamed.pdf", headers=headers, wait=0)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()
    assert service.post(PDF).json()["id"] != first.json()["id"]


def test_same_key_of_a_job_that_runs_waits_for_it(service: Service) -> None:
    headers = keyed()
    first = service.post(SLOW, headers=headers, wait=0)
    assert first.status_code == 202
    early = service.post(SLOW, headers=headers, wait=0)
    assert early.status_code == 202
    assert early.headers["location"] == first.headers["location"]
    late = service.post(SLOW, headers=headers, wait=60)
    assert late.status_code == 200
    assert late.json()["id"] == first.json()["id"]


def test_failed_job_is_answered_again_as_it_failed(service: Service) -> None:
    headers = keyed()
    locked = encrypted_pdf(PDF, "a")
    problems = [service.post(locked, headers=headers) for _ in range(2)]
    for problem in problems:
        check_problem(problem, 422, "pdf_encrypted")
    assert problems[0].json()["instance"] == problems[1].json()["instance"]
    check_problem(
        service.post(locked, headers=headers, password="a"), 422, "idempotency_key_reused"
    )


@pytest.mark.parametrize(
    ("data", "form"),
    [
        pytest.param(OTHER, {}, id="document"),
        pytest.param(PDF, {"pages": "1"}, id="option"),
        pytest.param(PDF, {"model": "tiny@0.0.1"}, id="model"),
    ],
)
def test_key_of_another_request_is_refused(
    service: Service, data: bytes, form: dict[str, str]
) -> None:
    headers = keyed()
    assert service.post(PDF, headers=headers).status_code == 200
    check_problem(service.post(data, headers=headers, **form), 422, "idempotency_key_reused")


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\there", "Schlüssel"])
def test_key_that_is_none_is_refused(service: Service, key: str) -> None:
    headers: Any = {b"Idempotency-Key": key.encode()}
    check_problem(service.post(PDF, headers=headers), 422, "request_invalid")


def test_longest_key_is_taken(service: Service) -> None:
    assert service.post(PDF, headers=keyed("~" * 255)).status_code == 200


def test_keys_of_others_are_other_keys(guarded: Guarded) -> None:
    headers = keyed()
    ids = {
        guarded.service.post(PDF, headers={**headers, **guarded.headers(name)}).json()["id"]
        for name in ("a", "b", "a")
    }
    assert len(ids) == 2


def test_of_many_equal_requests_at_once_one_is_accepted(service: Service) -> None:
    headers, before = keyed(), _stored(service)
    url = service.client.base_url

    def post(_: int) -> httpx.Response:
        with httpx.Client(base_url=url, timeout=60) as client:
            return client.post(
                "/extract", files={"file": ("a.pdf", PDF)}, data={"wait": "0"}, headers=headers
            )

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(post, range(20)))
    accepted = [answer for answer in answers if answer.status_code in (200, 202)]
    for answer in answers:
        if answer not in accepted:
            check_problem(answer, 409, "idempotency_in_flight")
            assert answer.headers["retry-after"].isdigit()
    (job_id,) = {answer.json()["id"] for answer in accepted}
    assert service.ended(job_id)["state"] == "succeeded"
    assert len(_stored(service) - before) == 1
    blobs = {path.name for path in (service.home / "blobs").glob("??/*")}
    assert blobs <= _stored(service)  # those who came too late left no document


def _stored(service: Service) -> set[str]:
    """Return the ids of all jobs in the store of a service."""
    connection = sqlite3.connect(service.home / "jobs.db")
    try:
        return {job_id for (job_id,) in connection.execute("SELECT id FROM jobs")}
    finally:
        connection.close()


def test_deleted_job_frees_its_key(service: Service) -> None:
    headers = keyed()
    first = service.post(PDF, headers=headers).json()["id"]
    assert service.client.delete(f"/jobs/{first}").status_code == 204
    assert service.post(PDF, headers=headers).json()["id"] != first


def test_api_that_dies_while_it_accepts_has_one_job_after_the_retry(tmp_path: Path) -> None:
    before, after = f"after_spool@{digest(PDF)}", f"after_commit@{digest(OTHER)}"
    fault = f"{before}:kill9:1,{after}:kill9:1"
    with serving(tmp_path, fault=fault, retention_hours=1) as service:
        found = [_accepted_at_last(service, document) for document in (PDF, OTHER)]
        assert _stored(service) == set(found)
        _age(service, hours=2)  # what is over goes on a running service
        for job_id in found:
            job = until(lambda j=job_id: (v := service.job(j))["expired_at"] and v, "the end")
            assert (job["state"], job["document"]) == ("succeeded", "")
            check_problem(service.client.get(f"/jobs/{job_id}/result"), 410, "job_expired")
            folder = tmp_path / "blobs" / job_id[:2] / job_id
            until(lambda f=folder: not f.exists(), "the document to go")


def _accepted_at_last(service: Service, document: bytes) -> str:
    """Return the job of a document whose acceptance the API dies of, sent until it is taken."""
    headers = keyed()
    with pytest.raises(httpx.TransportError):
        service.post(document, headers=headers)
    until(lambda: _alive(service), "the API to be back")
    answer = service.post(document, headers=headers)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


def _alive(service: Service) -> bool:
    try:
        return service.status("/livez") == 200
    except httpx.TransportError:
        return False


def _age(service: Service, *, hours: float) -> None:
    connection = sqlite3.connect(service.home / "jobs.db", timeout=30)
    with connection:
        connection.execute("UPDATE jobs SET finished_at = finished_at - ?", (3600 * hours,))
    connection.close()


def test_cached_answer_is_a_job_of_its_own(service: Service) -> None:
    document = receipt_pdf(make_receipt(43))
    first = service.post(document, cache="true").json()
    assert service.job(first["id"])["cached"] is False
    second = service.post(document, "b.pdf", cache="true", wait=0)
    assert second.status_code == 200
    answer = second.json()
    assert answer["id"] != first["id"]
    assert {**answer, "id": "", "timings": {}} == {**first, "id": "", "timings": {}}
    assert set(answer["timings"]) == set(first["timings"])
    assert sum(answer["timings"].values()) == 0.0
    job = service.job(answer["id"])
    assert (job["cached"], job["state"], job["attempts"]) == (True, "succeeded", 0)
    assert (job["document"], job["pages_done"], job["pages_total"]) == ("b.pdf", 1, 1)
    assert service.results(answer["id"]) == 1
    service.client.delete(f"/jobs/{first['id']}")
    assert service.client.get(f"/jobs/{answer['id']}/result").json() == answer


@pytest.mark.parametrize(
    "form",
    [
        pytest.param({}, id="not_asked"),
        pytest.param({"cache": "true", "pages": "1"}, id="other_option"),
        pytest.param({"cache": "true", "password": "x"}, id="password"),
    ],
)
def test_documents_are_read_again_unless_all_is_the_same(
    service: Service, form: dict[str, str]
) -> None:
    document = receipt_pdf(make_receipt(44))
    service.post(document)
    answer = service.post(document, **form)
    assert answer.status_code == 200, answer.text
    assert service.job(answer.json()["id"])["cached"] is False


def test_answers_of_other_owners_are_not_given(guarded: Guarded) -> None:
    document = receipt_pdf(make_receipt(45))
    service = guarded.service

    def cached(name: str) -> bool:
        headers = guarded.headers(name)
        answer = service.post(document, headers=headers, cache="true").json()
        job = service.client.get(f"/jobs/{answer['id']}", headers=headers).json()
        return bool(job["cached"])

    assert [cached("a"), cached("b"), cached("a")] == [False, False, True]


def test_same_key_is_the_same_dataset(service: Service) -> None:
    client, headers, wanted = service.client, keyed(), {"name": "Slips", "model_name": "slips-once"}
    first = client.post("/datasets", json=wanted, headers=headers)
    assert first.status_code == 201
    client.patch(f"/datasets/{first.json()['id']}", json={"name": "Renamed"})
    again = client.post("/v1/datasets", json=wanted, headers=headers)
    assert again.status_code == 201
    assert (again.json()["id"], again.json()["name"]) == (first.json()["id"], "Renamed")
    assert client.post("/datasets", json=wanted).json()["id"] != first.json()["id"]
    other = client.post("/datasets", json={"name": "Other slips"}, headers=headers)
    check_problem(other, 422, "idempotency_key_reused")
    client.delete(f"/datasets/{first.json()['id']}")
    check_problem(client.post("/datasets", json=wanted, headers=headers), 404, "dataset_unknown")


def test_same_key_of_others_is_another_dataset(guarded: Guarded) -> None:
    sent, wanted = keyed(), {"name": "Slips of many"}
    ids = [
        guarded.service.client.post(
            "/datasets", json=wanted, headers={**sent, **guarded.headers(name)}
        ).json()["id"]
        for name in ("a", "admin", "a")
    ]
    assert ids[0] == ids[2] != ids[1]


def test_same_key_begins_one_training(service: Service) -> None:
    client, headers = service.client, keyed()
    at = f"/datasets/{client.post('/datasets', json={'name': 'Trained once'}).json()['id']}"
    receipts = {f"{number}.pdf": make_receipt(number) for number in range(60, 68)}
    files = [("files", (name, receipt_pdf(one))) for name, one in receipts.items()]
    assert client.post(f"{at}/documents", files=files).status_code == 202
    assert client.put(f"{at}/fields", json={"fields": [{"name": "shop"}]}).status_code == 200
    until(lambda: client.get(at).json()["counts"]["reading"] == 0, "all documents to be read")
    for one in client.get(f"{at}/documents").json()["documents"]:
        label = {"fields": {"shop": {"text": receipts[one["filename"]].company}}}
        client.put(f"{at}/documents/{one['id']}/labels", json=label)
    begun = [client.post(f"{at}/trainings", json={"epochs": 50}, headers=headers) for _ in range(2)]
    assert [one.status_code for one in begun] == [202, 202], begun[0].text
    assert begun[0].headers["location"] == begun[1].headers["location"]
    assert len(client.get(f"/trainings?dataset={at[10:]}").json()["trainings"]) == 1
    other = client.post(f"{at}/trainings", json={"epochs": 49}, headers=headers)
    check_problem(other, 422, "idempotency_key_reused")
    check_problem(client.post(f"{at}/trainings", json={}), 409, "training_running")
    training = begun[0].json()["id"]
    client.post(f"/trainings/{training}/cancel")
    until(
        lambda: client.get(f"/trainings/{training}").json()["state"] == "cancelled", "the training"
    )
    again = [client.post(f"/trainings/{training}/resume", headers=headers) for _ in range(2)]
    assert [one.status_code for one in again] == [202, 202], again[1].text
    check_problem(client.post(f"/trainings/{training}/resume"), 409, "training_running")
    client.post(f"/trainings/{training}/cancel")


def test_same_key_begins_one_shadow_run(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        tiny_package(service.home / "models" / "tiny" / "0.0.2", version="0.0.2", seed=3)
        client, headers, wanted = service.client, keyed(), {"version": "0.0.2"}
        client.post("/models/tiny/promote", json={"version": "0.0.1"})
        runs = [
            client.post("/models/tiny/shadow", json=wanted, headers=headers).json()
            for _ in range(2)
        ]
        assert runs[0]["started_at"] == runs[1]["started_at"]
        other = client.post("/models/tiny/shadow", json={**wanted, "share": 0.5}, headers=headers)
        check_problem(other, 422, "idempotency_key_reused")
        assert client.post("/models/tiny/shadow", json=wanted).json() != runs[0]  # it begins anew
        late = client.post("/models/tiny/shadow", json=wanted, headers=headers)
        check_problem(late, 404, "shadow_unknown")
