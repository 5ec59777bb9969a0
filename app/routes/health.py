"""Health: does the process answer, can it process documents, what may be asked, what was done."""

from __future__ import annotations

from typing import cast

from anyio import to_thread
from fastapi import APIRouter, Request, Response

from app.deps import WATCHING, InspectorDep, SettingsDep, problems
from app.edge.access import PrincipalDep
from app.metrics import Metrics
from app.schemas.common import Alive, Limits, Ready
from pipeline.reading.media import MEDIA_TYPES
from store.errors import NotReady

router = APIRouter(tags=["health"])

_TEXT = "text/plain; version=0.0.4; charset=utf-8"


@router.get("/livez", summary="The API answers", responses=problems())
async def livez() -> Alive:
    """Return at once, whatever the state of the store and the workers."""
    return Alive()


@router.get("/readyz", summary="Documents can be processed", responses=problems())
async def readyz(inspector: InspectorDep) -> Ready:
    """Return 200 while each stage has a worker that is ready, 503 with what is missing otherwise.

    `degraded` means that documents are processed or wait safely, and that somebody should look.
    """
    state = await to_thread.run_sync(inspector.readiness, limiter=WATCHING)
    if not state.ready:
        raise NotReady(" ".join(state.missing))
    return Ready.showing(state, status="degraded" if state.missing else "ready")


@router.get("/limits", summary="Limits of a request", responses=problems())
async def limits(settings: SettingsDep, principal: PrincipalDep) -> Limits:
    """Return the limits that hold for the caller."""
    most = settings.batch_max_files
    if principal.key_id is not None:
        most = min(most, principal.max_queued or settings.max_queued)
    return Limits.showing(settings, batch_max_files=most, media_types=list(MEDIA_TYPES))


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
