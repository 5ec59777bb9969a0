"""A proxy in front of PostgreSQL that cuts a connection between a COMMIT and its acknowledgement.

What was committed stands in the database, and whoever committed it never hears so.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

_BLOCK = 65536


class CuttingProxy:
    """Hands on what passes between clients and a server, until it is told to cut.

    Args:
        port: of the server, on this machine.
    """

    def __init__(self, port: int) -> None:
        self._server_port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._lock = threading.Lock()
        self._wanted: bytes | None = None
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def cut_next(self, statement: bytes) -> None:
        """Cut the connection whose next transaction holds `statement`, once it is committed."""
        with self._lock:
            self._wanted = statement

    def close(self) -> None:
        """Accept no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._server_port))
            link = _Link(self, client, server)
            for pump in (link.pump_requests, link.pump_answers):
                threading.Thread(target=pump, daemon=True).start()

    def taken(self, sent: bytes) -> bool:
        """Say whether a transaction is the one to be cut, which is then taken off."""
        with self._lock:
            if self._wanted is None or self._wanted not in sent:
                return False
            self._wanted = None
            self.cuts += 1
            return True


class _Link:
    """One client's connection to the server."""

    def __init__(self, proxy: CuttingProxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        self._sent = b""  # since the last COMMIT
        self._cutting = False

    def pump_requests(self) -> None:
        """Hand on what the client sends."""
        with suppress(OSError):
            while data := self._client.recv(_BLOCK):
                self._sent += data
                if b"COMMIT" in data:
                    self._cutting = self._proxy.taken(self._sent)
                    self._sent = b""
                self._server.sendall(data)
        self._close()

    def pump_answers(self) -> None:
        """Hand on what the server answers, but for the acknowledgement that is cut off."""
        with suppress(OSError):
            while data := self._server.recv(_BLOCK):
                if self._cutting and b"COMMIT" in data:  # the tag of a completed COMMIT
                    break
                self._client.sendall(data)
        self._close()

    def _close(self) -> None:
        for end in (self._client, self._server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
