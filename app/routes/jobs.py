"""Jobs: how far one is, its answer, its removal, and all of them."""

from __future__ import annotations

import hashlib
import json
from functools import partial
from typing import Annotated, Literal

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Path, Query, Request, Response

from app.deps import (
    BAD_CURSOR,
    MOST_WAIT,
    CursorQuery,
    JobsDep,
    PrefixDep,
    SettingsDep,
    has,
    problems,
)
from app.edge.access import PrincipalDep
from app.schemas.common import AzureAnswer, JobPage, JobView
from pipeline.formats.azure import azure_result
from pipeline.formats.export import Reply
from pipeline.result import Extraction
from store.access import Principal
from store.jobs import Jobs, State

router = APIRouter(tags=["jobs"])

RETRY_AFTER = "1"  # seconds; a document takes a few

MISSING = "Fieldwright-Missing"

# An answer of thousands of rows takes seconds, and many times its size in memory.
_CONVERTING = CapacityLimiter(2)

JobId = Annotated[str, Path(description="As answered by POST /extract")]


@router.get(
    "/jobs",
    summary="List the jobs, the newest first",
    responses=problems(s422=BAD_CURSOR),
)
def list_jobs(
    jobs: JobsDep,
    principal: PrincipalDep,
    prefix: PrefixDep,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    state: Annotated[State | None, Query(description="Only jobs in this state")] = None,
) -> JobPage:
    """Return a page of jobs; a page stays right while jobs come and go."""
    found, following = jobs.repository.page(cursor, limit, principal.owner_scope, state=state)
    return JobPage(jobs=[JobView.of(job, prefix) for job in found], next=following)


@router.get(
    "/jobs/{job_id}",
    summary="Follow a job",
    responses=problems(s404="There is no such job", s422="`wait` is not a number of seconds"),
)
async def get_job(
    job_id: JobId,
    response: Response,
    jobs: JobsDep,
    principal: PrincipalDep,
    settings: SettingsDep,
    prefix: PrefixDep,
    wait: Annotated[
        float, Query(ge=0, description=f"Seconds to wait for its end; {MOST_WAIT}")
    ] = 0.0,
) -> JobView:
    """Return a job; with `wait`, as soon as it has ended or the time is over."""
    job = await to_thread.run_sync(jobs.status, job_id, principal.owner_scope)
    if wait and not job.ended:
        await jobs.watcher.ended(job.id, min(wait, settings.wait_max_s))
        job = await to_thread.run_sync(jobs.status, job_id, principal.owner_scope)
    if not job.ended:
        response.headers["Retry-After"] = RETRY_AFTER
    place = (
        await to_thread.run_sync(jobs.repository.position, job) if job.state == "queued" else None
    )
    return JobView.of(job, prefix, place)


@router.get(
    "/jobs/{job_id}/result",
    summary="Read the answer of a job",
    response_model=Extraction | AzureAnswer,
    responses={
        200: {
            "description": "The fields, in the form asked for",
            "content": {"application/xml": {"schema": {"type": "string"}}},
            "headers": {
                MISSING: {
                    "description": "With format=cii: business terms that EN 16931 asks for and the "
                    "document did not tell; a comment in the file explains each",
                    "schema": {"type": "string"},
                }
            },
        },
        304: {"description": "The answer is the one named in If-None-Match"},
        **problems(
            s400="The job failed: its page range",
            s404="There is no such job, or its model was removed",
            s409="The job is not finished, or was cancelled",
            s410="The job ended so long ago that its answer was removed",
            s422="The job failed: its document; or its answer is too little for an e-invoice",
        ),
    },
)
async def get_result(
    job_id: JobId,
    request: Request,
    jobs: JobsDep,
    principal: PrincipalDep,
    prefix: PrefixDep,
    reviewed: Annotated[
        bool, Query(description="With what people decided; false for the machine's own answer")
    ] = True,
    form: Annotated[
        Literal["json", "azure", "cii", "facturx"],
        Query(
            alias="format",
            description="azure: in the shape of Azure's prebuilt invoice; cii: as the XML of an "
            "e-invoice (EN 16931), what it lacks in the header Fieldwright-Missing; facturx: the "
            "same",
        ),
    ] = "json",
) -> Response:
    """Return the fields, as often as asked; the error of the job where it failed.

    Where people reviewed it, the values are theirs and `reviewed` says which and by whom.
    """
    return await answered(request, jobs, principal, prefix, job_id, reviewed=reviewed, form=form)


@router.delete(
    "/jobs/{job_id}",
    status_code=204,
    summary="Cancel or remove a job",
    responses={
        202: {"description": "Running: it stops at the next page", "model": JobView},
        204: {"description": "Removed with its document, words and answer"},
        **problems(s404="There is no such job"),
    },
)
def delete_job(
    job_id: JobId, jobs: JobsDep, principal: PrincipalDep, prefix: PrefixDep
) -> Response:
    """Remove a job with all that belongs to it; a running one is cancelled first."""
    if jobs.delete(job_id, principal.owner_scope) == "removed":
        return Response(status_code=204)
    view = JobView.of(jobs.status(job_id, principal.owner_scope), prefix)
    return Response(view.model_dump_json(), 202, media_type="application/json")


async def answered(
    request: Request,
    jobs: Jobs,
    principal: Principal,
    prefix: str,
    job_id: str,
    *,
    reviewed: bool = True,
    form: Literal["json", "azure", "cii", "facturx"] = "json",
) -> Response:
    """Return a job's answer as stored; raises its error, which then names the job."""
    request.state.instance = f"{prefix}/jobs/{job_id[:40]}"
    result = partial(jobs.result, job_id, principal.owner_scope, reviewed=reviewed)
    text = await to_thread.run_sync(result)
    body, media_type, headers = text.encode(), "application/json", dict[str, str]()
    if form == "azure":
        body = await to_thread.run_sync(_as_azure, text, limiter=_CONVERTING)
    elif form in ("cii", "facturx"):
        body, headers = await to_thread.run_sync(_as_cii, text, limiter=_CONVERTING)
        media_type = "application/xml"
    headers["ETag"] = tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    if has(request, tag):
        return Response(status_code=304, headers={"ETag": tag})
    return Response(body, headers=headers, media_type=media_type)


def _as_azure(text: str) -> bytes:
    """Return a job's answer in the shape of Azure's prebuilt invoice."""
    reply = Reply("", answer=Extraction.model_validate_json(text))
    return json.dumps(azure_result(reply), ensure_ascii=False).encode()


def _as_cii(text: str) -> tuple[bytes, dict[str, str]]:
    """Return a job's answer as an e-invoice, and the header that says what it lacks.

    Raises:
        InvoiceIncomplete: it is too little for one.
    """
    from pipeline.formats.cii import cii_of, terms_of  # few ask for it

    made = cii_of(Extraction.model_validate_json(text))
    return made.xml, {MISSING: terms_of(made.missing)} if made.missing else {}
