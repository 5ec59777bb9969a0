"""GET /jobs/{id}/events: a job's progress as server-sent events, until it has ended."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import StreamingResponse

from app.deps import JobsDep, PrefixDep, problems
from app.edge.access import PrincipalDep
from app.routes.jobs import JobId
from app.schemas.common import JobEvent
from store.errors import AccessError
from store.jobs import Jobs, Progress

router = APIRouter(tags=["jobs"])

_MEDIA_TYPE = "text/event-stream"
_HEARTBEAT = 15.0  # seconds; proxies close what is silent for longer
_LONGEST = 3600.0  # seconds of one stream; its client comes back with the last id
_RETRY_MS = 2000
_EVENT = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "To be sent back as Last-Event-ID"},
        "event": {"enum": ["state", "progress", "removed"]},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"$ref": "#/components/schemas/JobEvent"},
        },
        "retry": {"type": "integer", "description": "Milliseconds"},
    },
}


@router.get(
    "/jobs/{job_id}/events",
    summary="Follow a job by server-sent events",
    response_class=Response,  # a class with a media type would be described as a string of it
    responses={
        200: {
            "description": "Events `state` and `progress`, each a JobEvent, until the job has "
            "ended; `removed` where it was deleted",
            "content": {_MEDIA_TYPE: {"itemSchema": _EVENT}},
        },
        204: {"description": "The job had ended with the event of Last-Event-ID: do not return"},
        **problems(s404="There is no such job"),
    },
)
async def follow_job(
    job_id: JobId,
    request: Request,
    jobs: JobsDep,
    principal: PrincipalDep,
    prefix: PrefixDep,
    last_event_id: Annotated[
        str | None, Header(max_length=200, description="Id of the last event that arrived")
    ] = None,
) -> Response:
    """Tell of each change of a job as it comes, the first event of how it stands.

    `state` comes when the job begins, waits again or ends, `progress` with each page or stage
    between. With `Last-Event-ID`, as browsers send it when they come back, an event that arrived
    is not repeated. The stream ends with the job, with the caller's key, after an hour, or when the
    server stops.
    """
    job = await to_thread.run_sync(jobs.status, job_id, principal.owner_scope)
    now = Progress.of(job)
    if now.ended and now.mark == last_event_id:
        return Response(status_code=204)
    admitted = partial(_admitted, request)
    stream = _events(jobs, job.id, prefix, now, admitted, known=now.mark == last_event_id)
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(stream, media_type=_MEDIA_TYPE, headers=headers)


async def _admitted(request: Request) -> bool:
    """Say whether the caller is let in still: keys are revoked while streams go on."""
    try:
        await request.app.state.doorkeeper.caller(request)
    except AccessError:
        return False
    return True


async def _events(
    jobs: Jobs,
    job_id: str,
    prefix: str,
    now: Progress,
    admitted: Callable[[], Awaitable[bool]],
    *,
    known: bool,
) -> AsyncIterator[str]:
    """Give the lines of the stream.

    Args:
        jobs: the queue.
        job_id: of the job.
        prefix: of the addresses in the events.
        now: how far it is.
        admitted: says whether the client is to be told more.
        known: True where the client was told that before.
    """
    until = time.monotonic() + _LONGEST
    yield f"retry: {_RETRY_MS}\n\n"
    if not known:
        yield _event("state", job_id, prefix, now)
    while not now.ended and not jobs.watcher.stopped and time.monotonic() < until:
        changed, later = await jobs.watcher.changed(job_id, now, _HEARTBEAT)
        if not await admitted():
            return
        if not changed:
            yield ": alive\n\n"
        elif later is None:
            yield "event: removed\ndata: {}\n\n"
            return
        else:
            yield _event("progress" if later.state == now.state else "state", job_id, prefix, later)
            now = later


def _event(name: str, job_id: str, prefix: str, now: Progress) -> str:
    data = JobEvent.of(job_id, now, prefix).model_dump_json()
    return f"id: {now.mark}\nevent: {name}\ndata: {data}\n\n"
