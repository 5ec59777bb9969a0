"""The two clients: the same methods, to call or to await."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeAlias, TypeVar

import httpx

from fieldwright_client.answers import Answer, Batch, Job, Model, Row
from fieldwright_client.calls import Awaiter, Caller, call
from fieldwright_client.errors import NotAnswering
from fieldwright_client.requests import (
    Conversation,
    Pause,
    Request,
    Source,
    content_of,
    once,
    repeated,
    sent,
)
from fieldwright_client.teach import AsyncTeaching, Teaching

OnWait: TypeAlias = Callable[[str, float], None]
_Result = TypeVar("_Result")

_TIMEOUT = httpx.Timeout(120.0, connect=10.0)
_KEPT = httpx.Limits(keepalive_expiry=2.0)  # seconds; servers close idle connections after 5
_WAIT = 20.0  # seconds that the service is to keep a request while there is nothing to say
_PAUSES = (0.2, 2.0)  # seconds between two looks at a batch


class _Documents:
    """The methods of both clients, which are made of `_kinds`."""

    _kinds: ClassVar[tuple[type[Any], type[Any]]]
    _run: Any

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        patience: float = 300.0,
        on_wait: OnWait = lambda reason, seconds: None,
    ) -> None:
        connect, teaching = self._kinds
        self._patience = patience
        self._on_wait = on_wait
        self._http = connect(**_settings(url, key))
        self.teach = teaching(self._run, patience)

    @call
    def extract(self, /, source: Source, **options: object) -> Conversation[Answer]:
        """Return the fields of a document, however long reading it takes."""
        response = yield from sent(_document(source, options), self._patience)
        if response.status_code == 200:
            return Answer.model_validate(content_of(response))
        job = Job.model_validate(content_of(response))
        return (yield from self._answered(job.id))

    @call
    def submit(self, /, source: Source, **options: object) -> Conversation[Job]:
        """Send a document; its job goes on without this client."""
        response = yield from sent(_document(source, {**options, "wait": 0}), self._patience)
        content = content_of(response)
        if response.status_code == 200:  # an earlier answer was given again
            return (yield from self._looked_at(str(content["id"])))
        return Job.model_validate(content)

    @call
    def job(self, job: Job | str) -> Conversation[Job]:
        """Return a job as it stands."""
        return self._looked_at(_id(job))

    @call
    def wait(self, job: Job | str) -> Conversation[Answer]:
        """Return the answer of a job once it is there."""
        return self._answered(_id(job))

    @call
    def delete(self, job: Job | str) -> Conversation[None]:
        """Have the service forget a document and its answer."""
        yield from sent(Request("DELETE", f"/jobs/{_id(job)}"), self._patience)

    @call
    def submit_batch(self, /, sources: Sequence[Source], **options: object) -> Conversation[Batch]:
        """Send documents together; `name` says what the batch is called.

        Raises ValueError where there is no document.
        """
        if not sources:
            raise ValueError("A batch needs at least one document.")
        files = [("files", source) for source in sources]
        request = Request("POST", "/batches", data=_form(options), headers=once(), files=files)
        return Batch.model_validate(content_of((yield from sent(request, self._patience))))

    @call
    def wait_batch(self, batch: Batch | str) -> Conversation[Batch]:
        """Return a batch once all of its documents have ended."""
        return self._finished(_id(batch))

    @call
    def results(self, batch: Batch | str) -> Conversation[list[Row]]:
        """Return what became of the documents of a batch, in their order, once all have ended."""
        yield from self._finished(_id(batch))
        request = Request("GET", f"/batches/{_id(batch)}/results")
        lines = (yield from sent(request, self._patience)).text
        # Not splitlines: JSON texts may hold U+2028 and other marks that it takes for line ends.
        return [Row.model_validate(json.loads(line)) for line in lines.split("\n") if line]

    @call
    def models(self) -> Conversation[list[Model]]:
        """Return the models that can be asked for."""
        response = yield from sent(Request("GET", "/models"), self._patience)
        return [Model.model_validate(one) for one in content_of(response)["models"]]

    @call
    def send(
        self, request: Request, *, patience: float | None = None
    ) -> Conversation[httpx.Response]:
        """Send any request until the service has an answer to it; for what has no method here."""
        return sent(request, self._patience if patience is None else patience)

    def _looked_at(self, job_id: str, wait: float = 0.0) -> Conversation[Job]:
        """Return a job, once it has ended or after `wait` seconds."""
        params = {"wait": f"{wait:g}"} if wait else {}
        response = yield from sent(Request("GET", f"/jobs/{job_id}", params), self._patience)
        return Job.model_validate(content_of(response))

    def _answered(self, job_id: str) -> Conversation[Answer]:
        """Return the answer of a job, however long that takes."""
        pauses = (_PAUSES[0], _PAUSES[0])
        yield from repeated(lambda: self._looked_at(job_id, _WAIT), lambda job: job.ended, pauses)
        response = yield from sent(Request("GET", f"/jobs/{job_id}/result"), self._patience)
        return Answer.model_validate(content_of(response))

    def _finished(self, batch_id: str) -> Conversation[Batch]:
        """Return a batch once all of its documents have ended."""

        def look() -> Conversation[Batch]:
            response = yield from sent(Request("GET", f"/batches/{batch_id}"), self._patience)
            return Batch.model_validate(content_of(response))

        return repeated(look, lambda batch: batch.finished, _PAUSES)


class Client(_Documents, Caller):
    """A fieldwright service, a context.

    Options of reading are those of the service's forms: `model`, `pages`, `ocr`, `engine`,
    `language`, `password`, `include`, `on_no_fit`, and of single documents `priority` and `cache`.
    The service refuses any other.

    Args:
        url: such as ``https://fields.example:8000``.
        key: access key; None where the service wants none.
        patience: seconds that the service may not answer before a method gives up. A service that
            says when to come back is asked again then, however often.
        on_wait: told why it has to wait for the service, and for how many seconds.

    Attributes:
        teach: datasets of documents that people label, and the models that come of them.

    Raises:
        NotAnswering: by all methods; nobody answers at the address.
        ServiceError: by all methods; the service refuses, or could not read the document.
        OSError: a file cannot be read.
    """

    _kinds = httpx.Client, Teaching
    _http: httpx.Client
    teach: Teaching

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _answer(self, request: Request) -> httpx.Response:
        with request.opened() as arguments:
            if request.into is None:
                return self._http.request(**arguments)
            begin = request.into.tell()
            with self._http.stream(**arguments) as response:
                if not response.is_success:
                    response.read()
                    return response
                try:
                    for piece in response.iter_bytes():
                        request.into.write(piece)
                except httpx.TransportError:  # what broke off is written anew
                    request.into.seek(begin)
                    request.into.truncate()
                    raise
            return response

    def _run(self, conversation: Conversation[_Result]) -> _Result:
        try:
            step = next(conversation)
            while True:
                if isinstance(step, Pause):
                    if step.reason:
                        self._on_wait(step.reason, step.seconds)
                    time.sleep(step.seconds)
                    step = conversation.send(None)
                    continue
                try:
                    response = self._answer(step)
                except httpx.TransportError as error:
                    step = conversation.throw(error)
                else:
                    step = conversation.send(response)
        except StopIteration as end:
            result: _Result = end.value
            return result


class AsyncClient(_Documents, Awaiter):
    """A fieldwright service, an asynchronous context; arguments and errors as `Client`."""

    _kinds = httpx.AsyncClient, AsyncTeaching
    _http: httpx.AsyncClient
    teach: AsyncTeaching

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _answer(self, request: Request) -> httpx.Response:
        with request.opened() as arguments:
            if request.into is None:
                return await self._http.request(**arguments)
            begin = request.into.tell()
            async with self._http.stream(**arguments) as response:
                if not response.is_success:
                    await response.aread()
                    return response
                try:
                    async for piece in response.aiter_bytes():
                        request.into.write(piece)
                except httpx.TransportError:  # what broke off is written anew
                    request.into.seek(begin)
                    request.into.truncate()
                    raise
            return response

    async def _run(self, conversation: Conversation[_Result]) -> _Result:
        try:
            step = next(conversation)
            while True:
                if isinstance(step, Pause):
                    if step.reason:
                        self._on_wait(step.reason, step.seconds)
                    await asyncio.sleep(step.seconds)
                    step = conversation.send(None)
                    continue
                try:
                    response = await self._answer(step)
                except httpx.TransportError as error:
                    step = conversation.throw(error)
                else:
                    step = conversation.send(response)
        except StopIteration as end:
            result: _Result = end.value
            return result


def _settings(url: str, key: str | None) -> dict[str, Any]:
    try:
        if httpx.URL(url).scheme not in ("http", "https"):
            raise httpx.InvalidURL("no such scheme")
        sent = (key or "").strip()  # files and environments end in a line break
        if not (sent.isascii() and sent.isprintable()):
            raise ValueError("no such header")
        headers = {"Authorization": f"Bearer {sent}"} if sent else {}
    except (httpx.InvalidURL, ValueError) as error:
        raise NotAnswering(
            "The address of the service, or the key, cannot be used.",
            "Write addresses such as http://localhost:8000.",
        ) from error
    return {"base_url": url, "headers": headers, "timeout": _TIMEOUT, "limits": _KEPT}


def _document(source: Source, options: Mapping[str, object]) -> Request:
    return Request(
        "POST", "/extract", data=_form(options), headers=once(), files=[("file", source)]
    )


def _form(options: Mapping[str, object]) -> dict[str, str]:
    """Return options as form fields; those that are None are left out."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in options.items()
        if value is not None
    }


def _id(thing: Job | Batch | str) -> str:
    return thing if isinstance(thing, str) else thing.id
