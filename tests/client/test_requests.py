"""What is asked for step by step, without a network."""

from __future__ import annotations

import copy
import inspect
import pickle
from unittest.mock import AsyncMock, create_autospec

import httpx
import pytest

from fieldwright_client import AsyncClient, AsyncTeaching, Client, Teaching
from fieldwright_client.errors import NotAnswering, ServiceError
from fieldwright_client.requests import Conversation, Pause, Request, Source, sent


def removed() -> Conversation[httpx.Response]:
    return sent(Request("DELETE", "/jobs/1"), 30.0)


def unknown(code: str = "job_unknown") -> httpx.Response:
    return httpx.Response(404, json={"code": code, "detail": "It is not there.", "advice": "Look."})


def test_what_a_request_removed_that_broke_off_is_gone() -> None:
    asked = removed()
    request = next(asked)
    assert isinstance(request, Request)
    assert request.method == "DELETE"
    assert asked.throw(httpx.ReadError("the answer got lost")) == request
    with pytest.raises(StopIteration):
        asked.send(unknown())


def test_a_conflict_is_waited_for_where_the_service_says_when_to_come_back() -> None:
    """Such as a document that is labelled while it is being read; one that failed stays so."""
    problem = {"code": "job_not_finished", "detail": "It is not read.", "advice": "Remove it."}
    asked = sent(Request("PUT", "/datasets/1/documents/1/labels", json={}), 30.0)
    next(asked)
    passing = httpx.Response(409, json=problem, headers={"Retry-After": "1"})
    assert asked.send(passing) == Pause(1.0, "It is not read")
    next(asked)
    with pytest.raises(ServiceError, match="Remove it"):
        asked.send(httpx.Response(409, json=problem))


def test_what_is_not_there_cannot_be_removed() -> None:
    asked = removed()
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


@pytest.mark.parametrize("source", [b"%PDF", ("", b"%PDF")])
def test_a_document_without_a_name_is_sent_as_a_file(source: Source) -> None:
    """Without one its part of the form is a text, which services take for no document."""
    with Request("POST", "/batches", files=[("files", source)]).opened() as arguments:
        assert b'filename="document"' in httpx.Request(**{**arguments, "url": "http://a"}).read()


def test_all_datasets_are_asked_for_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    cursors: list[str | None] = []

    def page(request: httpx.Request) -> httpx.Response:
        cursors.append(request.url.params.get("cursor"))
        following = {None: "a", "a": "b", "b": None}[cursors[-1]]
        return httpx.Response(200, json={"datasets": [], "next": following})

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", lambda _, request: page(request))
    with Client("http://service.example") as client:
        assert client.teach.datasets() == []
    assert cursors == [None, "a", "b"]


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
    with (
        Client("http://service.example") as client,
        pytest.raises(ValueError, match="at least one document"),
    ):
        client.submit_batch([])


@pytest.mark.parametrize(("kind", "awaited"), [(Client, AsyncClient), (Teaching, AsyncTeaching)])
def test_both_clients_have_the_same_methods_and_only_one_awaits(kind: type, awaited: type) -> None:
    def methods(of: type) -> dict[str, str]:
        found = inspect.getmembers(of, inspect.isfunction)
        return {name: str(inspect.signature(one)) for name, one in found if name[0] != "_"}

    assert methods(kind) == methods(awaited)
    assert "Conversation" not in str(methods(kind))
    for name in methods(kind):
        assert inspect.iscoroutinefunction(getattr(awaited, name))
        assert not inspect.iscoroutinefunction(getattr(kind, name))


def test_mock_of_a_client_is_awaited_as_it_is() -> None:
    assert isinstance(create_autospec(AsyncClient, instance=True).extract, AsyncMock)
