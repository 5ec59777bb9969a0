"""POST /extract: a document in, its fields out; or the job that will have them."""

from __future__ import annotations

import logging
from dataclasses import dataclass, fields
from typing import Annotated, Literal

from anyio import to_thread
from fastapi import APIRouter, Depends, File, Form, Query, Request, Response, UploadFile

from app.deps import (
    MOST_WAIT,
    IdempotencyKey,
    JobsDep,
    PrefixDep,
    SettingsDep,
    SubmissionsDep,
    problems,
)
from app.edge.access import PrincipalDep
from app.intake.uploads import DocumentRoute
from app.routes.jobs import RETRY_AFTER, answered
from app.schemas.common import JobView
from pipeline.reading.options import EngineName, Ocr
from pipeline.result import Extraction
from store.jobs import Job

log = logging.getLogger(__name__)

router = APIRouter(tags=["extract"], route_class=DocumentRoute)

_ABOUT_OCR = "Recognise pages without a sound text layer (auto), all, or none"
_Include = Literal["words"]
_OnNoFit = Literal["warn", "refuse"]
_ABOUT_NO_FIT = (
    "Of a document that is like those of no model: answer with every value marked for review "
    "(warn), or end with the code no_fitting_model (refuse)"
)
_ABOUT_INCLUDE = "What the answer holds besides the fields: the words with their boxes"
_Priority = Literal["interactive", "batch"]
_PRIORITIES = {"interactive": 0, "batch": 1}
_ABOUT_PRIORITY = "`interactive` documents are read before those of batches"
_ABOUT_CACHE = "Answer at once where the same model has read the same document in the same way"
_ABOUT_WAIT = f"Seconds to wait for the answer; {MOST_WAIT}"
_AsField = Query(description="As the field")


@dataclass(frozen=True, slots=True)
class _InQuery:
    """The options as parameters of the address; where the form has one too, that counts."""

    model: Annotated[str | None, _AsField] = None
    pages: Annotated[str | None, _AsField] = None
    ocr: Annotated[Ocr | None, _AsField] = None
    engine: Annotated[EngineName | None, _AsField] = None
    language: Annotated[str | None, _AsField] = None
    include: Annotated[_Include | None, _AsField] = None
    on_no_fit: Annotated[_OnNoFit | None, _AsField] = None
    wait: Annotated[float | None, Query(ge=0, description="As the field")] = None
    priority: Annotated[_Priority | None, _AsField] = None
    cache: Annotated[bool | None, _AsField] = None


_AS_FIELD = {
    "type": ["string", "number", "boolean", "null"],
    "description": "As the field of the form",
}
_JSON = {
    "requestBody": {
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "title": "JsonDocument",
                    "description": "A document, as `base64` or as the `url` that it is fetched "
                    "from, and the fields of the form; 8 MiB at most",
                    "properties": {
                        "base64": {"type": "string", "description": "The document's bytes"},
                        "url": {"type": "string", "description": "A public https address"},
                        "filename": {"type": "string", "description": "Shown only"},
                        **{one.name: _AS_FIELD for one in fields(_InQuery)},
                        "password": _AS_FIELD,
                    },
                    "additionalProperties": False,
                }
            }
        }
    }
}


@router.post(
    "/extract",
    summary="Extract the fields of a document",
    response_model=Extraction,
    openapi_extra=_JSON,
    responses={
        200: {"description": "The fields"},
        202: {
            "description": "Accepted; the same job goes on",
            "model": JobView,
            "headers": {
                "Location": {"description": "The job", "schema": {"type": "string"}},
                "Retry-After": {"description": "Seconds", "schema": {"type": "integer"}},
            },
        },
        **problems(
            s400="The page range or the form cannot be read",
            s404="There is no such model",
            s408="The document arrived too slowly",
            s409="The job was cancelled while the request waited, or the first request with this "
            "Idempotency-Key is still being accepted",
            s410="The job of this Idempotency-Key has expired",
            s413="The document is too large",
            s415="Neither a PDF nor a picture of a known kind, or the body is compressed",
            s422="The document cannot be read as sent, an option is not allowed, or the "
            "Idempotency-Key came with another request",
            s429="Too many jobs of this key wait, or too many requests came with it",
            s503="The store does not answer, or the queue is too long",
            s507="No room to store the document",
        ),
    },
)
async def extract(
    request: Request,
    jobs: JobsDep,
    submissions: SubmissionsDep,
    principal: PrincipalDep,
    settings: SettingsDep,
    prefix: PrefixDep,
    query: Annotated[_InQuery, Depends()],
    file: Annotated[
        UploadFile,
        File(description="A PDF, PNG, JPEG, TIFF, WebP, HEIC, BMP or GIF, or an e-invoice in XML"),
    ],
    model: Annotated[
        str | None, Form(description="NAME or NAME@VERSION", examples=["receipts"])
    ] = None,
    pages: Annotated[str | None, Form(description="Page range", examples=["1-3,-1"])] = None,
    ocr: Annotated[Ocr | None, Form(description=_ABOUT_OCR)] = None,
    engine: Annotated[EngineName | None, Form(description="What recognises words")] = None,
    language: Annotated[
        str | None, Form(description="Languages of what is recognised", examples=["eng+deu"])
    ] = None,
    password: Annotated[str | None, Form(description="Opens an encrypted PDF")] = None,
    include: Annotated[_Include | None, Form(description=_ABOUT_INCLUDE)] = None,
    on_no_fit: Annotated[_OnNoFit | None, Form(description=_ABOUT_NO_FIT)] = None,
    wait: Annotated[float | None, Form(ge=0, description=_ABOUT_WAIT)] = None,
    priority: Annotated[_Priority | None, Form(description=_ABOUT_PRIORITY)] = None,
    cache: Annotated[bool | None, Form(description=_ABOUT_CACHE)] = None,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Read a document and answer with its fields.

    The request waits up to `wait` seconds (30 where nothing is said, 60 at most). Where that is
    not enough, the answer is 202 with the address of the job, which goes on; with `wait=0` it
    comes at once. Form fields go before query parameters. An answer always names the model that
    gave it; without `model` that is the default model.

    Instead of a form the body may be a JSON object, with the document as `base64` or with the
    `url` that the service fetches it from: a public https address that answers with the document
    itself.

    Who sends the header `Idempotency-Key` may repeat the request for 24 hours: the same key with
    the same document, model and options is answered with the same job.
    """

    def submit() -> Job:
        order = submissions.order(
            principal.owner_scope,
            model=model or query.model,
            pages=pages or query.pages,
            ocr=ocr or query.ocr,
            engine=engine or query.engine,
            language=language or query.language,
            password=password,
            include=include or query.include,
            on_no_fit=on_no_fit or query.on_no_fit,
        )
        return submissions.submit(
            file.file,
            order,
            filename=file.filename or "",
            owner=principal.key_id,
            max_queued=principal.max_queued,
            priority=_PRIORITIES[priority or query.priority or "interactive"],
            key=idempotency_key,
            cache=bool(query.cache if cache is None else cache),
        )

    job = await to_thread.run_sync(submit)
    await request.close()  # the document is stored, and whoever waits needs no upload for that
    log.info("job accepted", extra={"request": request.state.request_id, "job": job.id})
    asked = query.wait if wait is None else wait
    seconds = min(settings.wait_default_s if asked is None else asked, settings.wait_max_s)
    if seconds and not job.ended:
        if await jobs.watcher.ended(job.id, seconds):
            return await answered(request, jobs, principal, prefix, job.id)
        job = await to_thread.run_sync(jobs.status, job.id)
    if job.ended:
        return await answered(request, jobs, principal, prefix, job.id)
    return Response(
        JobView.of(job, prefix).model_dump_json(),
        202,
        {"Location": f"{prefix}/jobs/{job.id}", "Retry-After": RETRY_AFTER},
        "application/json",
    )
