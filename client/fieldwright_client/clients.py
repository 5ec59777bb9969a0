"""The two clients: the same methods, to call or to await."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, Self, TypeAlias, TypeVar

import httpx

from fieldwright_client import requests
from fieldwright_client.answers import Answer, Batch, Job, Model, Row
from fieldwright_client.errors import NotAnswering
from fieldwright_client.requests import Conversation, Pause, Request, Source
from fieldwright_client.teach import AsyncTeaching, Teaching

OnWait: TypeAlias = Callable[[str, float], None]
_Result = TypeVar("_Result")

_TIMEOUT = httpx.Timeout(120.0, connect=10.0)
_KEPT = httpx.Limits(keepalive_expiry=2.0)  # seconds; servers close idle connections after 5


class Client:
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

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        patience: float = 300.0,
        on_wait: OnWait = lambda reason, seconds: None,
    ) -> None:
        self._patience = patience
        self._on_wait = on_wait
        self._http = httpx.Client(**_settings(url, key))
        self.teach = Teaching(self._run, patience)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def extract(self, source: Source, **options: object) -> Answer:
        """Return the fields of a document, however long reading it takes."""
        return self._run(requests.extracted(source, options, self._patience))

    def submit(self, source: Source, **options: object) -> Job:
        """Send a document; its job goes on without this client."""
        return self._run(requests.submitted(source, options, self._patience))

    def job(self, job: Job | str) -> Job:
        """Return a job as it stands."""
        return self._run(requests.looked_at(_id(job), self._patience))

    def wait(self, job: Job | str) -> Answer:
        """Return the answer of a job once it is there."""
        return self._run(requests.answered(_id(job), self._patience))

    def delete(self, job: Job | str) -> None:
        """Have the service forget a document and its answer."""
        self._run(requests.removed(_id(job), self._patience))

    def submit_batch(self, sources: Sequence[Source], **options: object) -> Batch:
        """Send documents together; `name` says what the batch is called.

        Raises ValueError where there is no document.
        """
        return self._run(requests.batched(sources, options, self._patience))

    def wait_batch(self, batch: Batch | str) -> Batch:
        """Return a batch once all of its documents have ended."""
        return self._run(requests.finished(_id(batch), self._patience))

    def results(self, batch: Batch | str) -> list[Row]:
        """Return what became of the documents of a batch, in their order, once all have ended."""
        return self._run(requests.rows(_id(batch), self._patience))

    def models(self) -> list[Model]:
        """Return the models that can be asked for."""
        return self._run(requests.listed(self._patience))

    def send(self, request: Request, *, patience: float | None = None) -> httpx.Response:
        """Send any request until the service has an answer to it; for what has no method here."""
        limit = self._patience if patience is None else patience
        return self._run(requests.sent(request, limit))

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


class AsyncClient:
    """A fieldwright service, an asynchronous context; arguments and errors as `Client`."""

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        patience: float = 300.0,
        on_wait: OnWait = lambda reason, seconds: None,
    ) -> None:
        self._patience = patience
        self._on_wait = on_wait
        self._http = httpx.AsyncClient(**_settings(url, key))
        self.teach = AsyncTeaching(self._run, patience)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def extract(self, source: Source, **options: object) -> Answer:
        """Return the fields of a document, however long reading it takes."""
        return await self._run(requests.extracted(source, options, self._patience))

    async def submit(self, source: Source, **options: object) -> Job:
        """Send a document; its job goes on without this client."""
        return await self._run(requests.submitted(source, options, self._patience))

    async def job(self, job: Job | str) -> Job:
        """Return a job as it stands."""
        return await self._run(requests.looked_at(_id(job), self._patience))

    async def wait(self, job: Job | str) -> Answer:
        """Return the answer of a job once it is there."""
        return await self._run(requests.answered(_id(job), self._patience))

    async def delete(self, job: Job | str) -> None:
        """Have the service forget a document and its answer."""
        await self._run(requests.removed(_id(job), self._patience))

    async def submit_batch(self, sources: Sequence[Source], **options: object) -> Batch:
        """Send documents together; `name` says what the batch is called.

        Raises ValueError where there is no document.
        """
        return await self._run(requests.batched(sources, options, self._patience))

    async def wait_batch(self, batch: Batch | str) -> Batch:
        """Return a batch once all of its documents have ended."""
        return await self._run(requests.finished(_id(batch), self._patience))

    async def results(self, batch: Batch | str) -> list[Row]:
        """Return what became of the documents of a batch, in their order, once all have ended."""
        return await self._run(requests.rows(_id(batch), self._patience))

    async def models(self) -> list[Model]:
        """Return the models that can be asked for."""
        return await self._run(requests.listed(self._patience))

    async def send(self, request: Request, *, patience: float | None = None) -> httpx.Response:
        """Send any request until the service has an answer to it; for what has no method here."""
        limit = self._patience if patience is None else patience
        return await self._run(requests.sent(request, limit))

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


def _id(thing: Job | Batch | str) -> str:
    return thing if isinstance(thing, str) else thing.id
