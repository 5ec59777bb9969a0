"""A real HTTP server that webhooks are sent to: answers as it is told, and remembers what came."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook


@dataclass(frozen=True)
class Received:
    """One request: its headers in lower case, its body, and the bytes of its first line."""

    headers: Mapping[str, str]
    body: bytes
    path: str

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    def event(self, secret: str) -> Any:
        """Return the body, its signature verified by the library of Standard Webhooks."""
        return Webhook(secret).verify(self.body, dict(self.headers))

    @property
    def data(self) -> Any:
        return json.loads(self.body)["data"]


Answer = tuple[int, dict[str, str]]


class Receiver:
    """Listens on a free port of the loopback.

    Args:
        answer: gives the status and headers of each request; None closes without an answer.
        tls: serve https with these certificates.
        host: address of the loopback.
    """

    def __init__(
        self,
        answer: Callable[[Received], Answer | None] = lambda request: (204, {}),
        tls: ssl.SSLContext | None = None,
        host: str = "127.0.0.1",
    ) -> None:
        self.host = host
        self.answer = answer
        self.requests: list[Received] = []
        self.connections = 0
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def setup(self) -> None:
                receiver.connections += 1
                super().setup()

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                request = Received(headers, self.rfile.read(length), self.path)
                receiver.requests.append(request)
                answer = receiver.answer(request)
                if answer is None:
                    self.close_connection = True
                    return
                self.send_response(answer[0])
                for name, value in answer[1].items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *arguments: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client: object) -> None:
                """Say nothing: clients of these tests go away in the middle."""

            def finish_request(self, request: Any, client: Any) -> None:
                # In the thread of the connection: a handshake that fails stops no other.
                if tls is None:
                    super().finish_request(request, client)
                    return
                with tls.wrap_socket(request, server_side=True) as wrapped:
                    super().finish_request(wrapped, client)

        self._server = Server((host, 0), Handler)
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )

    @property
    def url(self) -> str:
        """Address, as a webhook has it."""
        return f"http://{self.host}:{self.port}/hook"

    def of(self, subject: str) -> list[Received]:
        """Return the requests that tell of a job or a batch."""
        return [request for request in self.requests if request.data["id"] == subject]

    def start(self) -> Receiver:
        """Begin to answer."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Close the port."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def receiving(
    answer: Callable[[Received], Answer | None] = lambda request: (204, {}),
    tls: ssl.SSLContext | None = None,
    host: str = "127.0.0.1",
) -> Iterator[Receiver]:
    """Give a receiver that answers, and close it at the end."""
    receiver = Receiver(answer, tls, host).start()
    try:
        yield receiver
    finally:
        receiver.stop()
