"""Connections to PostgreSQL on which nobody waits for ever."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus

_PING_S = 5.0
_CANCEL_S = 1.0


class BoundedConnection(psycopg.Connection[Any]):
    """A connection that gives up a server which says nothing more.

    Where the server's processes are stopped, its kernel still acknowledges all that is sent:
    neither keepalives nor timeouts of TCP notice, and the server's own timeouts stand still.

    Attributes:
        silence_s: longest wait for an answer; None waits for ever. At first it is enough to find
            out whether a connection still lives.
    """

    silence_s: float | None = _PING_S

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for an answer; where there is none, cancel, close and raise OperationalError."""
        try:
            return super().wait(gen, interval=interval, timeout=timeout or self.silence_s)
        except psycopg.OperationalError as error:
            if self.pgconn.transaction_status != TransactionStatus.ACTIVE:
                raise  # the server has said it
            with suppress(psycopg.Error):  # it is slow, perhaps, and not silent
                self.cancel_safe(timeout=_CANCEL_S)
            self.pgconn.finish()
            raise psycopg.OperationalError("The server says nothing.") from error


def connected(dialect: object, record: object, args: Any, options: Any) -> BoundedConnection:
    """Connect for an engine, whose event `do_connect` this is."""
    return BoundedConnection.connect(*args, **options)


def returned(connection: BoundedConnection | None, record: object) -> None:
    """Be impatient again: the event `checkin` of an engine."""
    if connection is not None:
        connection.silence_s = _PING_S
