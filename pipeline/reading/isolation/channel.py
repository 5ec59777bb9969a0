"""Messages between a process and its child: JSON with its length in front, never pickles.

A child that reads untrusted bytes may be in their hands: what it sends is data, of limited size.
"""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

_HEAD = struct.Struct(">Q")
_LARGEST = 64 << 20  # bytes of one message; a page of 100,000 words needs about 10 MB
_PIECE = 1 << 18


class ProtocolError(Exception):
    """The other side sent what is not a message, or not the one that was due."""


class Channel:
    """One end of a stream socket, for JSON values."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = bytearray()
        self.ended = False  # True once the other side has closed its end

    def fileno(self) -> int:
        """Return the descriptor, to wait on."""
        return self._connection.fileno()

    def close(self) -> None:
        """Close this end."""
        self._connection.close()

    def send(self, value: Any) -> None:
        """Send a JSON value; raises OSError where the other side is gone."""
        body = json.dumps(value).encode()
        self._connection.sendall(_HEAD.pack(len(body)) + body)

    def fill(self) -> None:
        """Wait for bytes and buffer them; sets `ended` where the other side has closed."""
        try:
            piece = self._connection.recv(_PIECE)
        except ConnectionResetError:
            piece = b""
        self.ended = not piece
        self._buffer += piece

    def take(self) -> Any | None:
        """Return the next message that has arrived in full, None where there is none.

        Raises:
            ProtocolError: it is too long or not JSON.
        """
        if len(self._buffer) < _HEAD.size:
            return None
        (length,) = _HEAD.unpack_from(self._buffer)
        if length > _LARGEST:
            raise ProtocolError(f"a message of {length} bytes")
        end = _HEAD.size + length
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[_HEAD.size : end])
        del self._buffer[:end]
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            raise ProtocolError("a message that is not JSON") from error

    def receive(self) -> Any | None:
        """Wait for the next message and return it, None where the other side has closed."""
        while True:
            message = self.take()
            if message is not None or self.ended:
                return message
            self.fill()
