"""GET /metrics: what Prometheus scrapes."""

from __future__ import annotations

from typing import cast

from anyio import to_thread
from fastapi import APIRouter, Request, Response

from app.deps import WATCHING, problems
from app.metrics import Metrics

router = APIRouter(tags=["health"])

_TEXT = "text/plain; version=0.0.4; charset=utf-8"


@router.get(
    "/metrics",
    summary="Metrics in the text form of Prometheus",
    response_class=Response,
    responses={200: {"description": "Metrics", "content": {_TEXT: {"schema": {"type": "string"}}}},
               **problems()},
)  # fmt: skip
async def metrics(request: Request) -> Response:
    """Return the state of the queue, counters of what was done, and requests to this process."""
    found = cast(Metrics, request.app.state.metrics)
    text = await to_thread.run_sync(found.render, limiter=WATCHING)
    return Response(text, media_type=_TEXT)
