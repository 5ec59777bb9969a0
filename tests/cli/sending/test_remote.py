"""The client of a service outlives connections that the service closes between two requests."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.sending.remote import Remote
from pipeline.errors import FieldwrightError

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


class ClosingServer(threading.Thread):
    """Answers one request a connection, and closes it when the next request has come."""

    def __init__(self, answers: int) -> None:
        super().__init__(daemon=True)
        self.requests: list[bytes] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self._answers = answers

    def run(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:  # closed at the end of the test
                return
            with connection:
                if self._answers:
                    self._answers -= 1
                    self.requests.append(_request(connection))
                    connection.sendall(ANSWER)
                self.requests.append(_request(connection))


def _request(connection: socket.socket) -> bytes:
    """Return a request, head and body; empty where the client closed the connection."""
    received = b""
    while piece := connection.recv(65536):
        received += piece
        head, end, body = received.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", head)
        if end and len(body) >= int(length[1] if length else 0):
            break
    return received


@pytest.fixture
def server() -> Iterator[ClosingServer]:
    running = ClosingServer(answers=2)
    running.start()
    yield running
    running.listener.close()


def waited(reason: str, seconds: float) -> None:
    raise AssertionError(reason)


def test_closed_connection_is_replaced_at_once(server: ClosingServer) -> None:
    with Remote(server.url, patience=0, on_wait=waited) as remote:
        assert remote.get("/limits") == {}
        assert remote.get("/limits") == {}  # on the kept connection, and once more on a new one
    first, broken, again = server.requests[:3]
    assert first == broken == again


def test_repeated_upload_carries_its_key_again(server: ClosingServer, tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"%PDF-")
    with Remote(server.url, patience=0, on_wait=waited) as remote:
        remote.get("/limits")
        assert remote.upload("/batches", [tmp_path / "a.pdf"], {}, key="k1") == {}
    for request in server.requests[1:3]:
        assert b"idempotency-key: k1" in request.lower()
        assert b"%PDF-" in request


def test_service_that_always_hangs_up_is_given_up() -> None:
    hanging = ClosingServer(answers=0)
    hanging.start()
    with (
        Remote(hanging.url, patience=0) as remote,
        pytest.raises(FieldwrightError, match="does not answer"),
    ):
        remote.get("/limits")
    hanging.listener.close()
