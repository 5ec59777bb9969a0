"""uvicorn's HTTP protocol with bounds: what is refused here was never kept, nor seen by the app.

httptools keeps a request line, a header and a trailer of any length and any number of them, and
uvicorn waits for them for ever. The protocol below counts them as they arrive, and ends
connections that send too much of them or too slowly. Bodies are bounded behind it, by route, in
`app.edge.bodies`.
"""

from __future__ import annotations

import asyncio
import json
import resource
from collections import Counter
from http import HTTPStatus
from typing import Any, ClassVar, Literal

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.clients import Proxies, client_of
from app.edge.middleware import SAFE_HEADERS
from app.problems import STATUS
from app.settings import ApiSettings

_PIPELINED = 8  # requests of a connection that wait for the answer to the one before
_PIECES = 1_000  # of a body, after which they have to be
_PIECE_BYTES = 64  # long on average: each costs a call, and a read may bring 26,000 of 5 bytes
_OTHER_FILES = 256  # descriptors beside those of connections: the store, the log, uploads


class BoundedHttp(HttpToolsProtocol):
    """One connection within `bounds`; made a class of its own for each server by `bounded_http`.

    Attributes:
        bounds: of this server: how much one may send, how slowly, and how many connections.
        proxies: in front of it.
        clients: how many connections each client has; those of believed proxies are not in it.
    """

    bounds: ClassVar[ApiSettings]
    proxies: ClassVar[Proxies]
    clients: ClassVar[Counter[str]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._counted_as: str | None = None
        self._state: Literal["between", "head", "body"] = "between"
        self._began = self._moved = False  # in the bytes that are being parsed
        self._unfinished = 0  # bytes since the parser last told of something
        self._unread = 0  # bytes of a body that was answered before its end
        self._header_bytes = self._header_count = 0
        self._body_bytes = self._body_pieces = 0
        self._refusal: bytes | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._reader_clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection in, or answer that there are too many."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if len(self.connections) > self.bounds.max_connections:
            self._end(_TOO_MANY)
            return
        if host and host not in self.proxies:
            client = client_of(host)
            if self.clients[client] >= self.bounds.max_client_connections:
                self._end(_TOO_MANY_OF_CLIENT)
                return
            self._counted_as = client
            self.clients[client] += 1
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._counted_as is not None:
            self.clients[self._counted_as] -= 1
            if not self.clients[self._counted_as]:
                del self.clients[self._counted_as]
            self._counted_as = None
        self._stop_clock()
        self._stop_reader_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what arrived, and end the connection where it is too much."""
        if self.transport.is_closing():
            return
        self._began = self._moved = False
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._began or self._moved or self._state == "between":
            self._unfinished = 0
        else:  # a long line, or the framing of chunks without chunks
            self._unfinished += len(data)
            if self._unfinished > self.bounds.max_header_bytes:
                self._end(_HEADERS_TOO_LARGE)
                return
        # Bodies have a clock of their own while the app reads them.
        if self._state != "body" and self._answered:
            self._start_clock()

    def on_message_begin(self) -> None:
        """Begin to count."""
        super().on_message_begin()
        self._state, self._began = "head", True
        self._header_bytes = self._header_count = self._unread = 0
        self._body_bytes = self._body_pieces = 0

    def on_url(self, url: bytes) -> None:
        """Take a part of the address."""
        if len(self.url) + len(url) > self.bounds.max_address_bytes:
            self._refuse(_ADDRESS_TOO_LONG)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. Trailers are counted too, and dropped: nothing here reads any."""
        self._header_bytes += len(name) + len(value)
        self._header_count += 1
        if (
            self._header_bytes > self.bounds.max_header_bytes
            or self._header_count > self.bounds.max_headers
        ):
            self._refuse(_HEADERS_TOO_LARGE)
        if self._state == "head":
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Hand the request on."""
        if len(self.pipeline) >= _PIPELINED:
            self._refuse(_MALFORMED)
        self._state = "body"
        self._stop_clock()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._moved = True
        self._body_bytes += len(body)
        self._body_pieces += 1
        if self._body_pieces > _PIECES and self._body_bytes < self._body_pieces * _PIECE_BYTES:
            self._refuse(_TOO_SMALL_PIECES)
        if self.cycle.response_complete:  # nobody reads it: so much more, and no further
            self._unread += len(body)
            if self._unread > self.bounds.max_header_bytes:
                self.transport.close()
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait for the next request."""
        self._state = "between"
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Go on with the next request, or give the client a moment to finish this one."""
        super().on_response_complete()
        if self._state == "body":
            self._start_clock()

    def pause_writing(self) -> None:
        """Begin to count how long the client reads nothing."""
        super().pause_writing()
        self._reader_clock = self.loop.call_later(self.bounds.slow_reader_s, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        self._stop_reader_clock()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be parsed, or is refused by one of the callbacks."""
        self._end(self._refusal or _MALFORMED)

    @property
    def _answered(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _refuse(self, answer: bytes) -> None:
        """Stop the parser; raises what it turns into its own error."""
        self._refusal = answer
        raise ValueError("refused")

    def _end(self, answer: bytes) -> None:
        """Close the connection, with an answer where none is on its way."""
        if self._answered or not self.cycle.response_started:
            self.transport.write(answer)
        self.transport.close()

    def _start_clock(self) -> None:
        if self._clock is None and not self.transport.is_closing():
            self._clock = self.loop.call_later(self.bounds.slow_head_s, self._too_slow)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _stop_reader_clock(self) -> None:
        if self._reader_clock is not None:
            self._reader_clock.cancel()
            self._reader_clock = None

    def _too_slow(self) -> None:
        self._clock = None
        if not self._answered:  # the request before is still being served
            self._start_clock()
        elif self._state == "head":
            self._end(_TOO_SLOW)
        else:
            self.transport.close()


def bounded_http(settings: ApiSettings) -> type[BoundedHttp]:
    """Return the protocol of a server with the bounds of its settings."""

    class Connection(BoundedHttp):
        bounds = settings
        proxies = Proxies(settings.trusted_proxies)
        clients: ClassVar[Counter[str]] = Counter()

    return Connection


def allow_connections(number: int) -> None:
    """Raise the process's limit of open files to what so many connections need, if it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = number + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _answer(code: str, detail: str, advice: str) -> bytes:
    """Return a whole HTTP answer that holds a problem and ends the connection."""
    status = STATUS[code]
    phrase = HTTPStatus(status).phrase
    problem = {
        "type": f"urn:fieldwright:problem:{code}",
        "title": phrase,
        "status": status,
        "detail": detail,
        "code": code,
        "advice": advice,
        "instance": "",  # the request was not read so far
        "request_id": "",
    }
    body = json.dumps(problem).encode()
    headers = [
        *SAFE_HEADERS,
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if status in (429, 503):
        headers.append((b"retry-after", b"2"))
    lines = b"".join(name + b": " + value + b"\r\n" for name, value in headers)
    return f"HTTP/1.1 {status} {phrase}\r\n".encode() + lines + b"\r\n" + body


_MALFORMED = _answer(
    "request_malformed", "The request is not HTTP/1.1.", "Check the client or the proxy."
)
_TOO_SMALL_PIECES = _answer(
    "request_malformed", "The body comes in very small pieces.", "Send it in larger ones."
)
_TOO_SLOW = _answer("request_too_slow", "The request arrived too slowly.", "Send it in one piece.")
_ADDRESS_TOO_LONG = _answer(
    "address_too_long", "The address is too long.", "Send options as form fields."
)
_HEADERS_TOO_LARGE = _answer(
    "headers_too_large", "The headers or trailers are too large.", "Send fewer and shorter."
)
_TOO_MANY_OF_CLIENT = _answer(
    "too_many_connections",
    "This client has too many connections.",
    "Close some of them, or keep fewer open.",
)
_TOO_MANY = _answer("overloaded", "The service has too many connections.", "Try again in a moment.")
