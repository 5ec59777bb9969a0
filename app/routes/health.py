"""Health: does the process answer, can documents be processed, what may be asked for."""

from __future__ import annotations

from fastapi import APIRouter

from app.deps import JobsDep, SettingsDep, problems
from app.schemas import Alive, Limits, Ready
from pipeline.errors import NotReady

router = APIRouter(tags=["health"])


@router.get("/livez", summary="The API answers", responses=problems())
async def livez() -> Alive:
    """Return at once, whatever the state of the store and the workers."""
    return Alive()


@router.get("/readyz", summary="Documents can be processed", responses=problems())
def readyz(jobs: JobsDep) -> Ready:
    """Return 200 once a worker has loaded the default model, 503 with what is missing before."""
    state = jobs.readiness()
    if not state.ready:
        raise NotReady(" ".join(state.missing) or "No worker is ready.")
    return Ready(workers=state.workers, models=list(state.models))


@router.get("/limits", summary="Limits of a request", responses=problems())
async def limits(settings: SettingsDep) -> Limits:
    """Return the limits that this installation is set to."""
    return Limits(
        max_bytes=settings.max_bytes,
        max_pages=settings.max_pages,
        document_timeout_s=settings.document_timeout_s,
        wait_default_s=settings.wait_default_s,
        wait_max_s=settings.wait_max_s,
    )
