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

from tests.app.conftest import Guarded
from tests.builders import make_receipt, receipt_pdf

PDF = receipt_pdf(make_receipt(6))
PARAMETER = re.compile(r"{(\w+)}")
PUBLIC = {"name"}  # of models, which belong to nobody
# What an operation wants beside the id, so that nothing but the owner can be wrong with it.
BODIES: dict[tuple[str, str], dict[str, Any]] = {}


def make_job(guarded: Guarded) -> dict[str, str]:
    """Return the id of a finished job of the key ``a``."""
    response = guarded.service.post(PDF, headers=guarded.headers("a"), wait=60)
    assert response.status_code == 200, response.text
    return {"job_id": str(response.json()["id"])}


MAKERS: dict[str, Callable[[Guarded], dict[str, str]]] = {"job_id": make_job}


@pytest.fixture(scope="module")
def operations(guarded: Guarded) -> list[tuple[str, str]]:
    """Return method and path of every operation that takes an id of something owned."""
    paths = guarded.service.client.get("/openapi.json").json()["paths"]
    found = [
        (method.upper(), path)
        for path, operations in paths.items()
        for method in operations
        if set(PARAMETER.findall(path)) - PUBLIC
    ]
    unknown = {name for _, path in found for name in PARAMETER.findall(path)} - set(MAKERS)
    assert not unknown, f"say in MAKERS how to make: {sorted(unknown)}"
    # What removes comes last, so that the others still meet the object.
    return sorted(found, key=lambda one: (one[0] == "DELETE", one))


@pytest.fixture(scope="module")
def made(guarded: Guarded, operations: list[tuple[str, str]]) -> dict[str, str]:
    """Return an id of the key ``a`` for every parameter."""
    wanted = {name for _, path in operations for name in PARAMETER.findall(path)}
    ids: dict[str, str] = {}
    for name in sorted(wanted):
        if name not in ids:
            ids |= MAKERS[name](guarded)
    return ids


def ask(
    guarded: Guarded, name: str, method: str, path: str, ids: dict[str, str]
) -> tuple[int, str]:
    """Return status and text of an answer; of a stream that goes on, only the status."""
    client, headers = guarded.service.client, guarded.headers(name)
    body = BODIES.get((method, path.removeprefix("/v1")), {})
    address = PARAMETER.sub(lambda found: ids[found[1]], path)
    with client.stream(method, address, headers=headers, **body) as response:
        if "event-stream" in response.headers.get("content-type", ""):
            return response.status_code, ""
        return response.status_code, response.read().decode()


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
                ids: dict[str, str] = {}
                for parameter in PARAMETER.findall(path):
                    if parameter not in ids:
                        ids |= MAKERS[parameter](guarded)
                status, text = ask(guarded, name, method, path, ids)
                assert status not in (401, 403, 404), (name, method, path, text)


def test_lists_show_what_is_ones_own(guarded: Guarded, made: dict[str, str]) -> None:
    made = {name: value for maker in MAKERS.values() for name, value in maker(guarded).items()}
    paths = guarded.service.client.get("/openapi.json").json()["paths"]
    lists = [path for path in paths if "get" in paths[path] and not PARAMETER.search(path)]
    lists = [
        path
        for path in lists
        if any(item["name"] == "cursor" for item in paths[path]["get"].get("parameters", ()))
    ]
    assert "/jobs" in lists
    seen = {name: "".join(listed(guarded, name, lists)) for name in ("a", "b", "admin")}
    for name, value in made.items():
        assert value not in seen["b"], name
    assert made["job_id"] in seen["a"]
    assert made["job_id"] in seen["admin"]


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
    ids = {}
    for name in ("a", "b", "a"):
        headers = {**guarded.headers(name), **repeated}
        response = guarded.service.post(pdf, headers=headers, wait=60)
        assert response.status_code == 200, response.text
        ids.setdefault(name, response.json()["id"])
        assert ids[name] == response.json()["id"]  # the second time of ``a``
    assert ids["a"] != ids["b"]
