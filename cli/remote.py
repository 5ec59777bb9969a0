"""A running service as its clients see it: requests outlast restarts, rates and full queues."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, Self

import httpx

from pipeline.errors import FieldwrightError, InvalidOption, error_from
from store.errors import NotReady

_PASSING = (429, 502, 503, 504)
_BROKEN = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)
_TIMEOUT = httpx.Timeout(120.0, connect=10.0)
_KEPT = httpx.Limits(keepalive_expiry=2.0)  # seconds; servers close idle connections after 5
_PAUSES = (0.5, 10.0)  # seconds, the shortest and the longest, where the service names none


class Remote:
    """The service at an address, a context; its methods raise only `FieldwrightError`.

    A service that says when to come back is asked again then, however often. One that does not
    answer is given up after a while.

    Args:
        url: such as ``https://fields.example:8000``.
        key: access key, None where the service wants none.
        patience: seconds that the service may not answer.
        on_wait: told why it has to wait, and for how many seconds.
    """

    def __init__(
        self,
        url: str,
        *,
        key: str | None = None,
        patience: float = 300.0,
        on_wait: Callable[[str, float], None] = lambda reason, seconds: None,
    ) -> None:
        self.url = url.rstrip("/")
        self._patience = patience
        self._on_wait = on_wait
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        try:
            if httpx.URL(self.url).scheme not in ("http", "https"):
                raise httpx.InvalidURL("no such scheme")
            self._client = httpx.Client(
                base_url=self.url, headers=headers, timeout=_TIMEOUT, limits=_KEPT
            )
        except (httpx.InvalidURL, UnicodeError) as error:
            raise InvalidOption(
                "The address of the service, or the key, cannot be used.",
                advice="Write addresses such as http://localhost:8000.",
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._client.close()

    def get(self, path: str, *, patience: float | None = None) -> Any:
        """Return the JSON of an address, with less patience where it is given."""
        return _json(self._send(lambda: self._client.get(path), patience))

    def post(self, path: str, data: dict[str, str]) -> Any:
        """Send a form and return the JSON of the answer; the request must bear repetition."""
        return _json(self._send(lambda: self._client.post(path, data=data)))

    def upload(
        self, path: str, files: Sequence[Path], data: dict[str, str], *, key: str
    ) -> dict[str, Any]:
        """Send files in the field `files`; the key makes the request repeatable.

        Raises:
            InvalidOption: one of the files cannot be read any more.
        """

        def send() -> httpx.Response:
            with ExitStack() as stack:
                try:
                    opened = [(p.name, stack.enter_context(p.open("rb"))) for p in files]
                except OSError as error:
                    raise InvalidOption(
                        f"{error.filename} cannot be read: {error.strerror}.",
                        advice="Check its permissions and run the command again.",
                    ) from error
                parts = [("files", part) for part in opened]
                headers = {"Idempotency-Key": key}
                return self._client.post(path, files=parts, data=data, headers=headers)

        answer: dict[str, Any] = _json(self._send(send))
        return answer

    def download(self, path: str, file: BinaryIO) -> None:
        """Write the body of an address at the end of a file; what broke off is written anew."""
        begin = file.tell()

        def receive() -> httpx.Response:
            file.seek(begin)
            file.truncate()
            with self._client.stream("GET", path) as response:
                if response.is_success:
                    for piece in response.iter_bytes():
                        file.write(piece)
                else:
                    response.read()
            return response

        _checked(self._send(receive))

    def _send(
        self, request: Callable[[], httpx.Response], patience: float | None = None
    ) -> httpx.Response:
        """Return the answer to a request, sent again until the service has one.

        A connection that was kept may have been closed by the service at this very moment: the
        first request that breaks off is repeated at once.
        """
        limit = self._patience if patience is None else patience
        silent_since, pause = time.monotonic(), _PAUSES[0]
        broken = False
        while True:
            try:
                response = request()
            except httpx.TransportError as error:
                if isinstance(error, _BROKEN) and not broken:
                    broken = True
                    continue
                reason, told = f"The service at {self.url} does not answer", None
                fault: FieldwrightError = NotReady(
                    f"{reason} ({type(error).__name__}).",
                    advice="Check the address, and that the service runs; then run this again.",
                )
            else:
                told = _seconds(response.headers.get("retry-after"))
                if response.status_code not in _PASSING and (
                    response.status_code != 409 or told is None
                ):
                    return response
                fault = _problem(response)
                reason = fault.detail.rstrip(".")
            if told is not None:
                silent_since = time.monotonic()  # it answers, and says when to come back
            elif time.monotonic() - silent_since + pause > limit:
                raise fault
            wait = pause * random.uniform(0.75, 1.25) if told is None else told
            self._on_wait(reason, wait)
            time.sleep(wait)
            pause = min(2 * pause, _PAUSES[1])


def _seconds(header: str | None) -> float | None:
    """Return the seconds of a Retry-After header, None where there is no number in it."""
    return float(header) if header is not None and header.isdecimal() else None


def _checked(response: httpx.Response) -> httpx.Response:
    if not response.is_success:
        raise _problem(response)
    return response


def _json(response: httpx.Response) -> Any:
    try:
        return _checked(response).json()
    except ValueError as error:
        raise InvalidOption(
            "What answers at this address is not this service.", advice="Check the address."
        ) from error


def _problem(response: httpx.Response) -> FieldwrightError:
    """Return the error that an answer tells of."""
    try:
        body = response.json()
        return error_from(body["code"], body["detail"], body["advice"])
    except (ValueError, KeyError, TypeError):
        return NotReady(
            f"The service answers {response.status_code} {response.reason_phrase}.",
            advice="Check the address, and what stands between.",
        )
