"""What is asked for step by step, without a network."""

from __future__ import annotations

import copy
import pickle

import httpx
import pytest

from fieldwright_client import teaching
from fieldwright_client.errors import NotAnswering, ServiceError
from fieldwright_client.requests import Request, batched, removed, sent


def unknown(code: str = "job_unknown") -> httpx.Response:
    return httpx.Response(404, json={"code": code, "detail": "It is not there.", "advice": "Look."})


def test_what_a_request_removed_that_broke_off_is_gone() -> None:
    asked = removed("1", 30.0)
    request = next(asked)
    assert isinstance(request, Request)
    assert request.method == "DELETE"
    assert asked.throw(httpx.ReadError("the answer got lost")) == request
    with pytest.raises(StopIteration):
        asked.send(unknown())


def test_what_is_not_there_cannot_be_removed() -> None:
    asked = removed("1", 30.0)
    next(asked)
    with pytest.raises(ServiceError) as refused:
        asked.send(unknown())
    assert refused.value.code == "job_unknown"


@pytest.mark.parametrize(("method", "code"), [("GET", "job_unknown"), ("DELETE", "not_found")])
def test_another_thing_that_is_not_there_is_an_error(method: str, code: str) -> None:
    asked = sent(Request(method, "/jobs/1"), 30.0)
    next(asked)
    asked.throw(httpx.ReadError("the answer got lost"))
    with pytest.raises(ServiceError) as refused:
        asked.send(unknown(code))
    assert refused.value.code == code


def test_all_datasets_are_asked_for_page_by_page() -> None:
    asked = teaching.datasets(30.0)
    request = next(asked)
    for cursor in ("a", "b"):
        assert isinstance(request, Request)
        request = asked.send(httpx.Response(200, json={"datasets": [], "next": cursor}))
        assert isinstance(request, Request)
        assert request.params["cursor"] == cursor
    with pytest.raises(StopIteration) as ended:
        asked.send(httpx.Response(200, json={"datasets": [], "next": None}))
    assert ended.value.value == []


@pytest.mark.parametrize(
    "error",
    [
        ServiceError("pdf_encrypted", "It is locked.", "Send the password.", 422),
        ServiceError("worker_crashed", "It crashed.", ""),
        NotAnswering("Nobody answers.", "Check the address.", status=502),
    ],
)
def test_an_error_passes_from_process_to_process(error: ServiceError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert vars(again) == vars(error)
        assert str(again) == str(error) == f"{error.detail} {error.advice}".strip()


def test_batch_without_a_document_is_not_sent() -> None:
    with pytest.raises(ValueError, match="at least one document"):
        next(batched([], {}, 30.0))
