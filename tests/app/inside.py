"""Calls the application in this process, without a server: for what a served one cannot show."""

from __future__ import annotations

import asyncio

import httpx
from fastapi import FastAPI


def call(
    api: FastAPI, method: str, path: str, *, base: str = "http://x", **options: object
) -> httpx.Response:
    """Return the answer to one request.

    Args:
        api: the application.
        method: of the request.
        path: of the request.
        base: scheme and host; the host is also the address that the request seems to arrive at.
        options: as of `httpx.AsyncClient.request`.
    """

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(api)
        async with httpx.AsyncClient(transport=transport, base_url=base) as client:
            return await client.request(method, path, **options)  # type: ignore[arg-type]

    return asyncio.run(send())
