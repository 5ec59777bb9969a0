"""Threads of the API by key: one key's requests leave room for those of the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator
from functools import partial
from inspect import iscoroutinefunction

from anyio import CapacityLimiter
from fastapi import Request

MOST_OF_ONE = 8
"""Requests of one key that work in threads at a time; all keys together have 40 threads."""


class Turns:
    """The places of each key: who finds none waits for one in the order of arrival."""

    def __init__(self) -> None:
        self.of_keys = defaultdict[str, CapacityLimiter](partial(CapacityLimiter, MOST_OF_ONE))


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
