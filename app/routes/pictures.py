"""What a job's document looks like: its pages as pictures, and its words with their places."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated

from anyio import to_thread
from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import BaseModel, Field

from app.deps import JobsDep, has, problems
from app.edge.access import PrincipalDep
from app.routes.jobs import JobId
from pipeline.result import Fraction
from store.blobs import WORDS
from store.errors import JobExpired, PageNotDrawn, check_answered
from store.jobs import Jobs
from store.pictures import PAGE_S, Picture

router = APIRouter(tags=["jobs"])

_WIDTHS = (160, 400, 800, 1200, 1600, 2000)  # pixels; few, so that they are drawn once
_WAIT_S = PAGE_S + 5.0  # so that a page which takes too long is told to do so, not to come again
_LOOK_S = 0.02  # between two looks for the file, at first; of what was waited, one tenth later
_ASK_S = 0.1  # between two looks at whether it cannot be drawn


class PlacedWord(BaseModel):
    """A word as read; `box` is in fractions of the page, `line` counts the page's lines."""

    text: str
    box: list[Fraction]
    line: int


class PageWords(BaseModel):
    """The words of one page in reading order."""

    number: Annotated[int, Field(ge=1)]
    words: list[PlacedWord]


class Words(BaseModel):
    """The words of a document; `words` of a field's value count them from 0, over all pages."""

    pages: list[PageWords]


@router.get(
    "/jobs/{job_id}/pages/{number}.png",
    summary="See a page of a document",
    response_class=Response,
    responses={
        200: {
            "description": "The page in colour, as a viewer shows it",
            "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}},
        },
        304: {"description": "The picture is the one named in If-None-Match"},
        **problems(
            s404="There is no such job, or no such page",
            s410="The document was removed for its age",
            s422="The page cannot be drawn, or a parameter is not allowed",
            s503="It was not drawn in time, or the store does not answer",
        ),
    },
)
async def get_page(
    job_id: JobId,
    number: Annotated[int, Path(ge=1, le=100_000, description="Page of the document, from 1")],
    request: Request,
    jobs: JobsDep,
    principal: PrincipalDep,
    width: Annotated[
        int, Query(ge=1, le=2000, description="Pixels wanted; a little more may come, or less")
    ] = 1200,
) -> Response:
    """Return the picture of a page, drawn when it is first asked for.

    An encrypted PDF can be seen only until its job ends: its password is not kept longer.
    """
    job = await to_thread.run_sync(jobs.status, job_id, principal.owner_scope)
    if job.expired_at is not None:
        raise JobExpired("The job ended long ago; its document was removed.")
    picture = Picture(job.id, number, next(one for one in _WIDTHS if one >= width))
    tag = f'"{job.sha256[:32]}-{picture.number}-{picture.width}"'
    if has(request, tag):
        return Response(status_code=304, headers={"ETag": tag})
    data = await to_thread.run_sync(jobs.blobs.get, job.id, picture.name)
    return Response(data or await _drawn(jobs, picture), 200, {"ETag": tag}, "image/png")


@router.get(
    "/jobs/{job_id}/words",
    summary="Read the words of a document",
    response_model=Words,
    responses=problems(
        s400="The job failed: its page range",
        s404="There is no such job, or its model was removed",
        s409="The job is not finished, or was cancelled",
        s410="The document was removed for its age",
        s422="The job failed: its document; or a parameter is not allowed",
    ),
)
def get_words(job_id: JobId, jobs: JobsDep, principal: PrincipalDep) -> Response:
    """Return all words that were read, each with its place."""
    job = jobs.status(job_id, principal.owner_scope)
    check_answered(job)
    words = jobs.blobs.get(job.id, WORDS)
    if words is None:
        raise JobExpired("The words of this document were not kept.")
    return Response(words, media_type="application/json")


async def _drawn(jobs: Jobs, picture: Picture) -> bytes:
    """Have a page drawn, and return its picture.

    Raises:
        FieldwrightError: it cannot be drawn.
        PageNotDrawn: it was not, in time.
    """
    await to_thread.run_sync(jobs.pictures.ask, picture)
    jobs.announcer.announce("read", [picture.job_id])
    begun = looked = time.monotonic()
    while (waited := time.monotonic() - begun) < _WAIT_S:
        # Hundreds may wait for a page that is slow to draw, and an object store counts the looks.
        await asyncio.sleep(max(_LOOK_S, waited / 10))
        data = await to_thread.run_sync(jobs.blobs.get, picture.job_id, picture.name)
        if data is not None:
            return data
        if time.monotonic() - looked > _ASK_S:
            looked = time.monotonic()
            await to_thread.run_sync(jobs.pictures.check, picture)
    raise PageNotDrawn(f"Page {picture.number} was not drawn within {_WAIT_S:g} seconds.")
