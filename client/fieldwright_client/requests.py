"""What is asked for, step by step, without a network: both clients carry out the same steps.

A conversation is a generator. It yields a `Request` and is sent the answer, or a `Pause` and is
sent nothing; what it returns is the result.
"""

from __future__ import annotations

import os
import random
import time
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, TypeVar

import httpx

from fieldwright_client.errors import NotAnswering, ServiceError

Source: TypeAlias = str | Path | bytes | tuple[str, bytes]
"""A path, the bytes of a document, or its name with its bytes."""
Result = TypeVar("Result")

_PASSING = (429, 502, 503, 504)
_BROKEN = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)
_PAUSES = (0.5, 10.0)  # seconds, the shortest and the longest, where the service names none


@dataclass(frozen=True, slots=True)
class Request:
    """One request; it bears repetition.

    Attributes:
        method, path, params, data, headers: as httpx has them.
        json: sent as the body, which then is JSON; none where None.
        files: names of form fields with documents.
        into: a file, at whose end the body of the answer is written; in memory where None.
    """

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[tuple[str, Source]] = ()
    json: Mapping[str, object] | None = None
    into: BinaryIO | None = None

    @contextmanager
    def opened(self) -> Iterator[dict[str, Any]]:
        """Give what httpx's `request` takes, its files open."""
        with ExitStack() as stack:
            parts = [(name, stack.enter_context(_opened(source))) for name, source in self.files]
            yield {
                "method": self.method,
                "url": self.path,
                "params": dict(self.params),
                "headers": dict(self.headers),
                **({"data": dict(self.data)} if self.data or parts else {}),
                **({"files": parts} if parts else {}),
                **({} if self.json is None else {"json": dict(self.json)}),
            }


@dataclass(frozen=True, slots=True)
class Pause:
    """So many seconds are to pass; `reason` says why, empty where all goes well."""

    seconds: float
    reason: str = ""


Conversation: TypeAlias = Generator[Request | Pause, httpx.Response | None, Result]


def sent(request: Request, patience: float) -> Conversation[httpx.Response]:
    """Send a request until the service has an answer to it.

    A connection that was kept may have been closed by the service at this very moment: the first
    request that breaks off is repeated at once. What is not there when it is to be removed a second
    time was removed by the first: that is an answer, too.

    Args:
        request: to send.
        patience: seconds that the service may not answer. One that says when to come back is
            asked again then, however often.

    Raises:
        NotAnswering: nobody answers, or not in time.
        ServiceError: the service refuses.
    """
    silent_since, pause, broken = time.monotonic(), _PAUSES[0], False
    attempts = 0
    while True:
        attempts += 1
        told: float | None = None
        try:
            response = yield request
            assert response is not None
        except httpx.TransportError as error:
            if isinstance(error, _BROKEN) and not broken:
                broken = True
                continue
            fault: ServiceError = NotAnswering(
                f"The service does not answer ({type(error).__name__}).",
                "Check the address, and that the service runs.",
            )
        else:
            told = _seconds(response.headers.get("retry-after"))
            waits = response.status_code == 409 and told is not None
            if response.status_code not in _PASSING and not waits:
                if response.is_success or (attempts > 1 and _gone(request, response)):
                    return response
                raise problem(response)
            fault = problem(response)
        if told is not None:
            silent_since = time.monotonic()  # it answers, and says when to come back
        elif time.monotonic() - silent_since + pause > patience:
            raise fault
        wait = pause * random.uniform(0.75, 1.25) if told is None else told
        yield Pause(wait, fault.detail.rstrip("."))
        pause = min(2 * pause, _PAUSES[1])


def _gone(request: Request, response: httpx.Response) -> bool:
    """Return whether what was to be removed is not there."""
    if request.method != "DELETE" or response.status_code != 404:
        return False
    return problem(response).code.endswith("_unknown")


def repeated(
    look: Callable[[], Conversation[Result]],
    over: Callable[[Result], bool],
    pauses: tuple[float, float],
) -> Conversation[Result]:
    """Look again and again until what is seen is `over`, and return that.

    Args:
        look: begins one look.
        over: says whether it is the last one.
        pauses: seconds between two looks, at first and at last.
    """
    pause = pauses[0]
    while True:
        seen = yield from look()
        if over(seen):
            return seen
        yield Pause(pause)
        pause = min(1.5 * pause, pauses[1])


def problem(response: httpx.Response) -> ServiceError:
    """Return the error that an answer tells of."""
    try:
        body = response.json()
        return ServiceError(body["code"], body["detail"], body["advice"], response.status_code)
    except (ValueError, KeyError, TypeError):
        return NotAnswering(
            f"The service answers {response.status_code} {response.reason_phrase}.",
            "Check the address, and what stands between.",
            response.status_code,
        )


def once() -> dict[str, str]:
    """Return the header by which a request that is sent again is the same one."""
    return {"Idempotency-Key": str(uuid.uuid4())}


def _opened(source: Source) -> AbstractContextManager[tuple[str, BinaryIO | bytes]]:
    if isinstance(source, bytes):
        source = "", source
    if isinstance(source, tuple):
        return nullcontext((source[0] or "document", source[1]))  # without a name it is no file
    return _file(Path(source))


@contextmanager
def _file(path: Path) -> Iterator[tuple[str, BinaryIO]]:
    with path.open("rb") as file:
        # A name whose bytes are not UTF-8 cannot be sent as they are.
        yield os.fsencode(path.name).decode("utf-8", "replace"), file


def _seconds(header: str | None) -> float | None:
    """Return the seconds of a Retry-After header, None where there is no number in it."""
    return float(header) if header is not None and header.isdecimal() else None


def content_of(response: httpx.Response) -> Any:
    """Return the JSON of an answer; raises NotAnswering where it is something else."""
    try:
        return response.json()
    except ValueError as error:
        raise NotAnswering(
            "What answers at this address is not fieldwright.", "Check the address."
        ) from error
