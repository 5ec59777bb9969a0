"""Threads of the API by key: one key's requests leave room for those of the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator
from functools import partial
from inspect import iscoroutinefunction

from anyio import CapacityLimiter
from fastapi import HTTPException, Request

MOST_OF_ONE = 8
"""Requests of one key that work in threads at a time; all keys together have 40 threads."""
_EXPORTS_OF_ONE = 2


class Turns:
    """The places of each key: who finds none waits for one in the order of arrival."""

    def __init__(self) -> None:
        self.of_keys = defaultdict[str, CapacityLimiter](partial(CapacityLimiter, MOST_OF_ONE))
        self.of_exports = defaultdict[str, CapacityLimiter](
            partial(CapacityLimiter, _EXPORTS_OF_ONE)
        )


async def turn(request: Request) -> AsyncIterator[None]:
    """Keep a place of the caller's key while a route works in a thread.

    Coroutines wait far more than they work; and where there are no keys, there are no others.
    """
    key_id = getattr(getattr(request.state, "principal", None), "key_id", None)
    if key_id is None or iscoroutinefunction(request.scope["endpoint"]):
        yield
        return
    turns: Turns = request.app.state.turns
    async with turns.of_keys[key_id]:
        yield


async def export_turn(request: Request) -> AsyncIterator[None]:
    """Keep one of the caller's places for exports until the last byte is sent.

    An export works in threads for as long as its batch or dataset is large, with an answer of
    thousands of rows in memory, and may lie on the disk until it is read.
    """
    principal = getattr(request.state, "principal", None)
    turns: Turns = request.app.state.turns
    async with turns.of_exports[getattr(principal, "key_id", None) or ""]:
        if await request.is_disconnected():  # it gave up, and may have asked again since
            raise HTTPException(400, "The client left")
        yield
