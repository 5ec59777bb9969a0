"""Batches: many documents in one request, their items, their results as one file."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Any, Literal

from anyio import to_thread
from fastapi import APIRouter, Depends, Form, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from app.deps import (
    BAD_CURSOR,
    BatchesDep,
    CatalogueDep,
    CursorQuery,
    IdempotencyKey,
    JobsDep,
    PrefixDep,
    SettingsDep,
    SubmissionsDep,
    problems,
)
from app.edge.access import PrincipalDep
from app.edge.turns import export_turn
from app.export import export, export_workbook
from app.intake.uploads import FILES, form_of_files, read_form
from app.schemas.batches import (
    BatchPage,
    BatchView,
    ItemPage,
    ItemView,
    Retried,
    RetryForm,
    Stopping,
)
from pipeline.errors import InvalidOption
from pipeline.formats.workbook import MEDIA_TYPE
from store.batches import Batch, ItemState

log = logging.getLogger(__name__)

router = APIRouter(tags=["batches"])

_RETRY_AFTER = "2"  # seconds; a batch takes a while

_FIELDS: dict[str, dict[str, Any]] = {
    "name": {"description": "What the batch is called in lists"},
    "model": {"description": "NAME or NAME@VERSION", "examples": ["receipts"]},
    "pages": {"description": "Page range of each document", "examples": ["1-3,-1"]},
    "ocr": {
        "description": "Recognise pages without a sound text layer (auto), all, or none",
        "enum": ["auto", "always", "never"],
    },
    "engine": {"description": "What recognises words", "enum": ["tesseract", "rapidocr"]},
    "language": {"description": "Languages of what is recognised", "examples": ["eng+deu"]},
    "include": {"description": "What answers are to hold besides the fields", "enum": ["words"]},
    "on_no_fit": {
        "description": "Of a document like those of no model: answer with a warning, or not at all",
        "enum": ["warn", "refuse"],
    },
    "password": {"description": "Opens the encrypted PDFs"},
}

BatchId = Annotated[str, Path(description="As answered by POST /batches")]
_MEDIA = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8; header=present",
    "xlsx": MEDIA_TYPE,
}


@router.post(
    "/batches",
    status_code=202,
    summary="Extract the fields of many documents",
    response_model=BatchView,
    openapi_extra=form_of_files("BatchForm", _FIELDS),
    responses={
        202: {
            "description": "Accepted, all of them; those that cannot be read are items with errors",
            "headers": {
                "Location": {"description": "The batch", "schema": {"type": "string"}},
                "Retry-After": {"description": "Seconds", "schema": {"type": "integer"}},
            },
        },
        **problems(
            s400="The page range or the form cannot be read",
            s404="There is no such model, or the batch of this Idempotency-Key was deleted",
            s408="The documents arrived too slowly",
            s409="The first request with this Idempotency-Key is still being accepted",
            s413="Too many documents, or too many bytes",
            s422="No document, an archive that may not be unpacked, an option that is not "
            "allowed, or an Idempotency-Key that came with another request",
            s429="Too many jobs of this key wait, or too many requests came with it",
            s503="The store does not answer, or the queue is too long",
            s507="No room to store the documents",
        ),
    },
)
async def create_batch(
    request: Request,
    submissions: SubmissionsDep,
    principal: PrincipalDep,
    settings: SettingsDep,
    prefix: PrefixDep,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Accept many documents together: PDF, pictures, and ZIP archives of these.

    Each becomes an item, in the order of arrival. One that cannot be accepted is an item with its
    error, and never stops the others; an archive that is made to do harm stops the whole request.
    Form fields as of POST /extract say how all are read, after documents that somebody waits for.

    Who sends the header `Idempotency-Key` may repeat the request for 24 hours and is answered
    with the same batch.
    """
    most = settings.batch_max_files
    form = await read_form(
        request, submissions.spool, name=FILES, most_files=most, others=list(_FIELDS)
    )
    try:
        values = {name: form.fields.get(name) or None for name in _FIELDS}
        name = values.pop("name", None) or ""

        def submit() -> BatchView:
            batch = submissions.submit_batch(
                form.files,
                submissions.order(principal.owner_scope, **values),
                name=name,
                owner=principal.key_id,
                max_queued=principal.max_queued,
                key=idempotency_key,
            )
            return BatchView.of(batch, prefix)

        view = await to_thread.run_sync(submit)
    finally:
        await form.close()
    log.info("batch accepted", extra={"request": request.state.request_id, "batch": view.id})
    headers = {"Location": view.links.self, "Retry-After": _RETRY_AFTER}
    return Response(view.model_dump_json(), 202, headers, "application/json")


@router.get(
    "/batches",
    summary="List the batches, the newest first",
    responses=problems(s422=BAD_CURSOR),
)
def list_batches(
    batches: BatchesDep,
    principal: PrincipalDep,
    prefix: PrefixDep,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> BatchPage:
    """Return a page of batches; a page stays right while batches come and go."""
    found, following = batches.page(cursor, limit, principal.owner_scope)
    return BatchPage(batches=[BatchView.of(batch, prefix) for batch in found], next=following)


@router.get(
    "/batches/{batch_id}",
    summary="Follow a batch",
    responses=problems(s404="There is no such batch"),
)
def get_batch(
    batch_id: BatchId,
    response: Response,
    batches: BatchesDep,
    principal: PrincipalDep,
    prefix: PrefixDep,
) -> BatchView:
    """Return a batch: how many of its items are in which state, and the codes of their errors."""
    view = BatchView.of(batches.get(batch_id, principal.owner_scope), prefix)
    if not view.finished:
        response.headers["Retry-After"] = _RETRY_AFTER
    return view


@router.get(
    "/batches/{batch_id}/items",
    summary="List the items of a batch",
    responses=problems(s404="There is no such batch", s422=BAD_CURSOR),
)
def list_items(
    batch_id: BatchId,
    batches: BatchesDep,
    principal: PrincipalDep,
    prefix: PrefixDep,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    state: Annotated[ItemState | None, Query(description="Only items in this state")] = None,
) -> ItemPage:
    """Return items in the order in which they were sent, each with its job or its error."""
    found, following = batches.items(
        batch_id, cursor=cursor, limit=limit, state=state, scope=principal.owner_scope
    )
    return ItemPage(items=[ItemView.of(item, prefix) for item in found], next=following)


@router.get(
    "/batches/{batch_id}/results",
    summary="Read the answers of a batch as one file",
    dependencies=[Depends(export_turn)],
    response_class=Response,
    responses={
        200: {
            "description": "A row an item, in their order",
            "content": {
                "application/x-ndjson": {"schema": {"type": "string"}},
                "text/csv": {"schema": {"type": "string"}},
                MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}},
            },
        },
        **problems(
            s404="There is no such batch, or for a table its model was removed",
            s507="No room for the workbook",
        ),
    },
)
async def get_results(
    batch_id: BatchId,
    batches: BatchesDep,
    jobs: JobsDep,
    catalogue: CatalogueDep,
    principal: PrincipalDep,
    form: Annotated[
        Literal["jsonl", "csv", "xlsx"],
        Query(alias="format", description="JSON lines, a table, or a workbook with all groups"),
    ] = "jsonl",
    group: Annotated[
        str,
        Query(max_length=64, description="Of a table: the repeated group whose rows it shall have"),
    ] = "",
    reviewed: Annotated[
        bool, Query(description="With what people decided; false for the machine's own answers")
    ] = True,
) -> Response:
    """Return all answers, streamed: one JSON object, or one line of a table, for each item.

    Items without an answer are rows with an error, which says why: that they failed, or that they
    are not finished. No cell of the table is a formula.
    """

    def written(batch: Batch) -> Iterator[str | bytes]:
        if form != "xlsx":
            return export(batches, catalogue, batch, form, group, reviewed=reviewed)
        if group:
            raise InvalidOption(
                "A workbook holds all groups.", advice="Leave `group` out, or ask for csv."
            )
        return export_workbook(batches, catalogue, batch, jobs.blobs.spool, reviewed=reviewed)

    def begun() -> tuple[Batch, Iterator[str | bytes]]:
        batch = batches.get(batch_id, principal.owner_scope)
        pieces = written(batch)
        # What can fail has failed before the answer begins.
        return batch, chain([next(pieces)], pieces)

    batch, pieces = await to_thread.run_sync(begun)
    suffix = f"{group}.{form}" if group else form
    disposition = f'attachment; filename="batch-{batch.id[:8]}.{suffix}"'
    return StreamingResponse(
        pieces, headers={"Content-Disposition": disposition}, media_type=_MEDIA[form]
    )


@router.post(
    "/batches/{batch_id}/retry",
    status_code=202,
    summary="Try the failed documents of a batch again",
    responses=problems(
        s400="The form cannot be read",
        s404="There is no such batch",
        s413="More documents failed than this key may have in the queue",
        s429="Too many jobs of this key wait",
        s503="The store does not answer, or the queue is too long",
        s507="No room to store the password",
    ),
)
def retry_batch(
    batch_id: BatchId,
    batches: BatchesDep,
    principal: PrincipalDep,
    prefix: PrefixDep,
    form: Annotated[RetryForm, Form()],
) -> Retried:
    """Queue the documents that failed once more, from the bytes that were sent; no others.

    They wait behind those that came meanwhile, within the limits of the queue as if sent anew.
    Documents that were refused are not stored: they have to be sent again.
    """
    number = batches.retry(
        batch_id,
        password=form.password,
        max_queued=principal.max_queued,
        scope=principal.owner_scope,
    )
    batch = batches.get(batch_id, principal.owner_scope)
    return Retried(retried=number, batch=BatchView.of(batch, prefix))


@router.delete(
    "/batches/{batch_id}",
    status_code=204,
    summary="Cancel or remove a batch",
    responses={
        202: {"description": "Removed; running jobs stop at their next page", "model": Stopping},
        204: {"description": "Removed with its documents, words and answers"},
        **problems(s404="There is no such batch"),
    },
)
def delete_batch(batch_id: BatchId, batches: BatchesDep, principal: PrincipalDep) -> Response:
    """Remove a batch with all that belongs to it; its running jobs are cancelled."""
    running = batches.delete(batch_id, principal.owner_scope)
    if not running:
        return Response(status_code=204)
    return Response(Stopping(running=running).model_dump_json(), 202, media_type="application/json")
