"""Objects of another key are as unknown ones, at every address of the OpenAPI document.

The addresses are walked, not listed: a new one that takes an id fails here until `MAKERS` says
how to make what it is the id of.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from store.access.audit import entries
from store.trainings import Training, Trainings
from tests.app.conftest import Guarded
from tests.builders import make_receipt, receipt_pdf

PDF = receipt_pdf(make_receipt(6))
PARAMETER = re.compile(r"{(\w+)}")
PUBLIC = {"name", "number"}  # of models, which belong to nobody, and of pages
CLAIM = {"claimant": "a-window-of-a-browser"}
# What an operation wants beside the id, so that nothing but the owner can be wrong with it.
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("PATCH", "/webhooks/{webhook_id}"): {"json": {"active": True}},
    ("POST", "/reviews/{job_id}/decisions"): {
        "json": {"id": str(uuid.uuid4()), **CLAIM, "kind": "accept", "field": "total"}
    },
    ("POST", "/reviews/{job_id}/again"): {"json": {**CLAIM, "model": "tiny"}},
    ("POST", "/reviews/{job_id}/end"): {"json": {**CLAIM, "how": "release"}},
    ("PATCH", "/datasets/{dataset_id}"): {"json": {"name": "Other"}},
    ("PUT", "/datasets/{dataset_id}/fields"): {"json": {"fields": [{"name": "date"}]}},
    ("POST", "/datasets/{dataset_id}/documents"): {"files": {"files": ("x.pdf", PDF)}},
    ("POST", "/datasets/{dataset_id}/documents/take"): {"json": {"reviewed": True}},
    ("PUT", "/datasets/{dataset_id}/documents/{document_id}/labels"): {"json": {"rest": "absent"}},
    ("POST", "/datasets/{dataset_id}/trainings"): {"json": {}},
    ("POST", "/reviews/{job_id}/reading"): {"json": {"field": "total", "text": "9.00"}},
}


def make_job(guarded: Guarded, name: str) -> dict[str, str]:
    """Return the id of a finished job of a key."""
    response = guarded.service.post(PDF, headers=guarded.headers(name), wait=60)
    assert response.status_code == 200, response.text
    return {"job_id": str(response.json()["id"])}


def make_batch(guarded: Guarded, name: str) -> dict[str, str]:
    """Return the id of a batch of a key, one of its documents unreadable."""
    files = [("files", ("a.pdf", PDF)), ("files", ("b.pdf", b"nothing"))]
    client, headers = guarded.service.client, guarded.headers(name)
    response = client.post("/batches", files=files, headers=headers)
    assert response.status_code == 202, response.text
    return {"batch_id": str(response.json()["id"])}


def make_webhook(guarded: Guarded, name: str) -> dict[str, str]:
    """Return the ids of a webhook of a key, and of a delivery to it that nobody takes."""
    client, headers = guarded.service.client, guarded.headers(name)
    wanted = {"url": "http://127.0.0.1:9/hook", "events": ["job.succeeded"]}
    webhook = client.post("/webhooks", json=wanted, headers=headers)
    assert webhook.status_code == 201, webhook.text
    webhook_id = str(webhook.json()["id"])
    delivery = client.post(f"/webhooks/{webhook_id}/test", headers=headers)
    assert delivery.status_code == 202, delivery.text
    return {"webhook_id": webhook_id, "delivery_id": str(delivery.json()["id"])}


def make_dataset(guarded: Guarded, name: str) -> dict[str, str]:
    """Return the ids of a dataset of a key, of a document and of a cancelled training of it."""
    client, headers = guarded.service.client, guarded.headers(name)
    wanted = {"name": "Receipts", "model_name": f"of-{name}"}
    dataset = client.post("/datasets", json=wanted, headers=headers)
    assert dataset.status_code == 201, dataset.text
    at = f"/datasets/{dataset.json()['id']}"
    added = client.post(f"{at}/documents", files={"files": ("a.pdf", PDF)}, headers=headers)
    (document,) = added.json()["added"]
    trainings = Trainings(guarded.keys.database)
    owner = guarded.known[name].id
    version = f"1.0.{uuid.uuid4().int % 10**9}"
    ids = (str(uuid.uuid4()), dataset.json()["id"], owner)
    training = Training(*ids, f"of-{name}", version, {})
    trainings.start(training)
    trainings.cancel(training.id)
    made = {"dataset_id": dataset.json()["id"], "document_id": document["id"]}
    return {**made, "training_id": training.id}


MAKERS: dict[str, Callable[[Guarded, str], dict[str, str]]] = {
    "job_id": make_job,
    "batch_id": make_batch,
    "webhook_id": make_webhook,
    "delivery_id": make_webhook,
    "dataset_id": make_dataset,
    "document_id": make_dataset,
    "training_id": make_dataset,
}


def make_all(guarded: Guarded, name: str, wanted: set[str]) -> dict[str, str]:
    """Return an id of a key for every parameter; those that belong together, together."""
    ids: dict[str, str] = {}
    for parameter in sorted(wanted):
        if parameter not in ids:
            ids |= MAKERS[parameter](guarded, name)
    return ids


@pytest.fixture(scope="module")
def operations(guarded: Guarded) -> list[tuple[str, str]]:
    """Return method and path of every operation that takes an id of something owned."""
    paths = guarded.service.client.get("/openapi.json").json()["paths"]
    found = [
        (method.upper(), f"{prefix}{path}")
        for path, operations in paths.items()
        for method in operations
        for prefix in ("", "/v1")
        if set(PARAMETER.findall(path)) - PUBLIC
    ]
    unknown = {name for _, path in found for name in PARAMETER.findall(path)} - set(MAKERS) - PUBLIC
    assert not unknown, f"say in MAKERS how to make: {sorted(unknown)}"
    # What removes comes last, so that the others still meet the object.
    return sorted(found, key=lambda one: (one[0] == "DELETE", one))


@pytest.fixture(scope="module")
def made(guarded: Guarded, operations: list[tuple[str, str]]) -> dict[str, str]:
    """Return an id of the key ``a`` for every parameter."""
    wanted = {name for _, path in operations for name in PARAMETER.findall(path)} - PUBLIC
    return make_all(guarded, "a", wanted)


def ask(
    guarded: Guarded, name: str, method: str, path: str, ids: dict[str, str]
) -> tuple[int, str]:
    """Return status and text of an answer; of a stream that goes on, only the status."""
    client, headers = guarded.service.client, guarded.headers(name)
    body = BODIES.get((method, path.removeprefix("/v1")), {})
    address = PARAMETER.sub(lambda found: ids[found[1]], path.replace("{number}", "1"))
    with client.stream(method, address, headers=headers, **body) as response:
        if "event-stream" in response.headers.get("content-type", ""):
            return response.status_code, ""
        return response.status_code, response.read().decode(errors="replace")


def plain(text: str, ids: dict[str, str]) -> Any:
    """Return a problem without what belongs to this one request."""
    for name, value in ids.items():
        text = text.replace(value, name).replace(value[:40], name)
    problem = json.loads(text)
    assert problem.pop("request_id")
    return problem


def test_other_keys_meet_nothing(
    guarded: Guarded, operations: list[tuple[str, str]], made: dict[str, str]
) -> None:
    assert len(operations) >= 4
    nothing = {name: str(uuid.uuid4()) for name in made}
    for method, path in operations:
        status, text = ask(guarded, "b", method, path, made)
        assert status == 404, (method, path, text)
        unknown_status, unknown = ask(guarded, "b", method, path, nothing)
        assert unknown_status == 404, (method, path)
        assert plain(text, made) == plain(unknown, nothing), (method, path)


def test_own_object_leads_to_nothing_of_others(
    guarded: Guarded, operations: list[tuple[str, str]], made: dict[str, str]
) -> None:
    """Where an address has several ids, each of them has to be within reach."""
    own = make_all(guarded, "b", set(made))
    for method, path in operations:
        names = sorted(set(PARAMETER.findall(path)) - PUBLIC)
        for name in names if len(names) > 1 else ():
            status, text = ask(guarded, "b", method, path, {**own, name: made[name]})
            assert status == 404, (method, path, name, text)


def test_owner_and_administrator_meet_everything(
    guarded: Guarded, operations: list[tuple[str, str]], made: dict[str, str]
) -> None:
    """After all that another key tried, and that the tests above are not about wrong ids."""
    for method, path in operations:
        for name in ("a", "admin"):
            if method == "GET":
                status, text = ask(guarded, name, method, path, made)
                assert status < 300, (name, method, path, text)
    for name in ("a", "admin"):
        for method, path in operations:
            if method != "GET":
                ids = make_all(guarded, "a", set(PARAMETER.findall(path)) - PUBLIC)
                status, text = ask(guarded, name, method, path, ids)
                assert status not in (401, 403, 404), (name, method, path, text)


def test_lists_show_what_is_ones_own(guarded: Guarded, made: dict[str, str]) -> None:
    made = make_all(guarded, "a", set(made))
    paths = guarded.service.client.get("/openapi.json").json()["paths"]
    lists = [path for path in paths if "get" in paths[path] and not PARAMETER.search(path)]
    lists = [
        f"{prefix}{path}"
        for path in lists
        for prefix in ("", "/v1")
        if any(item["name"] == "cursor" for item in paths[path]["get"].get("parameters", ()))
    ]
    assert "/jobs" in lists
    seen = {name: "".join(listed(guarded, name, lists)) for name in ("a", "b", "admin")}
    for name in ("delivery_id", "dataset_id", "document_id", "training_id"):
        made.pop(name, None)  # listed under its webhook or dataset alone, or without a cursor
    for name, value in made.items():
        assert value not in seen["b"], name
        assert value in seen["a"], name
        assert value in seen["admin"], name


def listed(guarded: Guarded, name: str, paths: list[str]) -> Iterator[str]:
    """Give all pages of some lists as a key sees them."""
    for path in paths:
        cursor: dict[str, str] = {}
        while True:
            answer: httpx.Response = guarded.service.client.get(
                path, params=cursor, headers=guarded.headers(name)
            )
            assert answer.status_code == 200, answer.text
            yield answer.text
            if not answer.json().get("next"):
                break
            cursor = {"cursor": answer.json()["next"]}


def test_idempotency_keys_and_answers_are_ones_own(guarded: Guarded) -> None:
    repeated = {"Idempotency-Key": "the-same-for-both"}
    pdf = receipt_pdf(make_receipt(7))
    ids: dict[str, str] = {}
    for name in ("a", "b", "a"):
        headers = {**guarded.headers(name), **repeated}
        response = guarded.service.post(pdf, headers=headers, wait=60)
        assert response.status_code == 200, response.text
        ids.setdefault(name, response.json()["id"])
        assert ids[name] == response.json()["id"]  # the second time of ``a``
    assert ids["a"] != ids["b"]


def test_answers_are_given_again_to_their_owner_alone(guarded: Guarded) -> None:
    pdf = receipt_pdf(make_receipt(8))
    read = []
    for name in ("a", "b", "a"):
        headers = guarded.headers(name)
        response = guarded.service.post(pdf, headers=headers, wait=60, cache=True)
        assert response.status_code == 200, response.text
        read.append(any(response.json()["timings"].values()))
    assert read == [True, True, False]


def test_audit_log_names_the_key_that_removed_something(guarded: Guarded) -> None:
    webhook_id = make_webhook(guarded, "a")["webhook_id"]
    job_id = make_job(guarded, "b")["job_id"]
    for path, name in ((f"/webhooks/{webhook_id}", "a"), (f"/jobs/{job_id}", "admin")):
        status, _ = ask(guarded, name, "DELETE", path, {})
        assert status == 204
    logged = [
        (entry.actor, entry.action, entry.subject) for entry in entries(guarded.keys.database)
    ]
    a, admin = (f"key:fw_{guarded.known[name].prefix}" for name in ("a", "admin"))
    removed = (a, "webhook.deleted", webhook_id), (admin, "job.deleted", job_id)
    assert {(a, "webhook.created", webhook_id), *removed} <= set(logged)
