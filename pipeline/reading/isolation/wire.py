"""Messages between a process and its child: JSON with its length in front, never pickles.

A child that read untrusted bytes may be in their hands: what it sends is data, of limited size.
"""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

_HEAD = struct.Struct(">Q")
_LARGEST = 64 << 20  # bytes of one message; a page of 100,000 words needs about 10 MB
_PIECE = 1 << 18


class BrokenWire(Exception):
    """The other side sent what is no message."""


class Wire:
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
        """Take what has arrived, waiting for something; sets `ended` where nothing will come."""
        try:
            piece = self._connection.recv(_PIECE)
        except ConnectionResetError:
            piece = b""
        self.ended = not piece
        self._buffer += piece

    def take(self) -> Any | None:
        """Return the next message that has arrived in full, None where there is none.

        Raises:
            BrokenWire: it is too long or no JSON.
        """
        if len(self._buffer) < _HEAD.size:
            return None
        (length,) = _HEAD.unpack_from(self._buffer)
        if length > _LARGEST:
            raise BrokenWire(f"a message of {length} bytes")
        end = _HEAD.size + length
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[_HEAD.size : end])
        del self._buffer[:end]
        try:
            return json.loads(body)
        except (ValueError, RecursionError) as error:
            raise BrokenWire("a message that is no JSON") from error

    def receive(self) -> Any | None:
        """Wait for the next message and return it, None where the other side has closed."""
        while True:
            message = self.take()
            if message is not None or self.ended:
                return message
            self.fill()
