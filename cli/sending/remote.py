"""A running service as the command line sees it: the client, with the errors of the house."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Self

import httpx

import app.errors  # noqa: F401  # so that `error_from` knows what a service says of keys
from fieldwright_client import Client, NotAnswering, Request, ServiceError
from pipeline.errors import InvalidOption, error_from
from store.errors import NotReady


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
        try:
            self._client = Client(self.url, key=key, patience=patience, on_wait=on_wait)
        except NotAnswering as error:
            raise InvalidOption(error.detail, advice=error.advice) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._client.close()

    def limits(self) -> dict[str, Any]:
        """Return the bounds of the service; raises InvalidOption where it is another one."""
        found = self.get("/limits")
        if not isinstance(found, dict) or "max_bytes" not in found:
            raise _another()
        return found

    def get(self, path: str) -> Any:
        """Return the JSON of an address."""
        return _json(self._send(Request("GET", path)))

    def post(self, path: str, data: dict[str, str]) -> Any:
        """Send a form and return the JSON of the answer; the request must bear repetition."""
        return _json(self._send(Request("POST", path, data=data)))

    def upload(
        self, path: str, files: Sequence[Path], data: dict[str, str], *, key: str
    ) -> dict[str, Any]:
        """Send files in the field `files`; the key makes the request repeatable.

        Raises:
            InvalidOption: one of the files cannot be read any more.
        """
        parts = [("files", file) for file in files]
        headers = {"Idempotency-Key": key}
        request = Request("POST", path, data=data, headers=headers, files=parts)
        answer: dict[str, Any] = _json(self._send(request))
        return answer

    def download(self, path: str, file: BinaryIO) -> None:
        """Write the body of an address at the end of a file; what broke off is written anew."""
        self._send(Request("GET", path, into=file))

    def _send(self, request: Request) -> httpx.Response:
        try:
            return self._client.send(request)
        except NotAnswering as error:
            raise NotReady(error.detail, advice=error.advice) from error
        except ServiceError as error:
            raise error_from(error.code, error.detail, error.advice) from error
        except OSError as error:
            raise InvalidOption(
                f"{error.filename} cannot be read: {error.strerror}.",
                advice="Check its permissions and run the command again.",
            ) from error


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as error:
        raise _another() from error


def _another() -> InvalidOption:
    return InvalidOption(
        "What answers at this address is not this service.", advice="Check the address."
    )
