"""Datasets: documents of a new kind, their fields, and what people say of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from app.deps import (
    BAD_CURSOR,
    BODY,
    CursorQuery,
    ReleasesDep,
    RepeatsDep,
    SettingsDep,
    SubmissionsDep,
    TeachingDep,
    problems,
)
from app.edge.access import PrincipalDep
from app.edge.turns import export_turn
from app.intake.uploads import FILES, form_of_files, read_form
from app.teaching.folder import zipped
from app.teaching.labels import NewLabels
from app.teaching.releases import Releases
from app.teaching.schemas import (
    AddedView,
    ChangedDataset,
    DatasetList,
    DatasetView,
    DocumentFull,
    DocumentPage,
    DocumentView,
    DoubtList,
    DoubtView,
    FieldsAsked,
    Kinds,
    NewDataset,
    Take,
)
from app.teaching.teaching import Teaching, values_of
from app.teaching.views import full_view
from models.packages.manifest import is_usable
from pipeline.errors import InvalidOption
from pipeline.values.schema import Kind
from pipeline.values.texts.strings import in_ascii
from store.access import OwnerScope
from store.datasets import Dataset, DatasetState, Example, key_of
from store.sql import cursors

router = APIRouter(tags=["datasets"])

DatasetId = Annotated[str, Path(description="As answered by POST /datasets")]
DocumentId = Annotated[str, Path(description="Of the document in the dataset")]

_LONGEST_NAME = 64
_OF_ONE = {
    "s404": "There is no such dataset, or no such document in it",
    "s422": "A parameter is not allowed, or does not fit the dataset",
}


@router.post(
    "/datasets",
    status_code=201,
    summary="Begin a dataset",
    responses=problems(
        **BODY,
        s404="The dataset of this Idempotency-Key was deleted",
        s409="There are too many datasets already, or a model of others has the name",
        s422="A name is not allowed, or an Idempotency-Key came with another request",
    ),
)
def create_dataset(
    wanted: NewDataset,
    teaching: TeachingDep,
    releases: ReleasesDep,
    principal: PrincipalDep,
    settings: SettingsDep,
    repeats: RepeatsDep,
) -> DatasetView:
    """Make a dataset without documents; its model is called like it where nothing is said.

    With the header `Idempotency-Key` the request may be repeated for 24 hours: one is made.
    """
    name = wanted.model_name or _model_name_of(wanted.name)
    releases.check_name(name, principal.owner_scope)
    once = repeats.once("datasets", wanted)
    made = teaching.store.create(
        wanted.name.strip(), name, principal.key_id, once=once, most=settings.max_datasets
    )
    return _view(made, releases)


@router.get(
    "/datasets",
    summary="List the datasets, the newest first",
    responses=problems(s422=BAD_CURSOR),
)
def list_datasets(
    teaching: TeachingDep,
    releases: ReleasesDep,
    principal: PrincipalDep,
    cursor: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> DatasetList:
    """Return a page of datasets with their fields, and how many documents are in which state."""
    found, following = teaching.store.page(cursor, limit, principal.owner_scope)
    trainings = releases.trainings.all(principal.owner_scope, most=1000)
    views = [
        DatasetView.of(one, [other for other in trainings if other.dataset_id == one.id])
        for one in found
    ]
    return DatasetList(datasets=views, next=following)


@router.get("/datasets/kinds", summary="List the kinds of fields", responses=problems())
def list_kinds() -> Kinds:
    """Return what kinds a field may have."""
    return Kinds(kinds=list(Kind))


@router.get("/datasets/{dataset_id}", summary="See a dataset", responses=problems(**_OF_ONE))
def get_dataset(
    dataset_id: DatasetId, teaching: TeachingDep, releases: ReleasesDep, principal: PrincipalDep
) -> DatasetView:
    """Return a dataset with its fields, the states of its documents, and its trainings."""
    dataset = teaching.get(dataset_id, principal.owner_scope)
    return _view(dataset, releases)


@router.patch(
    "/datasets/{dataset_id}",
    summary="Rename a dataset or its models",
    responses=problems(**BODY, **_OF_ONE, s409="A model of others has the name"),
)
def change_dataset(
    dataset_id: DatasetId,
    wanted: ChangedDataset,
    teaching: TeachingDep,
    releases: ReleasesDep,
    principal: PrincipalDep,
) -> DatasetView:
    """Change the names; models that were trained keep theirs."""
    if wanted.model_name is not None:
        releases.check_name(wanted.model_name, principal.owner_scope)
    dataset = teaching.store.rename(
        cursors.plain_id(dataset_id),
        principal.owner_scope,
        name=wanted.name.strip() if wanted.name else None,
        model_name=wanted.model_name,
    )
    return _view(dataset, releases)


@router.delete(
    "/datasets/{dataset_id}",
    status_code=204,
    summary="Remove a dataset",
    responses=problems(**_OF_ONE, s409="A training of it waits or runs"),
)
def delete_dataset(
    dataset_id: DatasetId, teaching: TeachingDep, releases: ReleasesDep, principal: PrincipalDep
) -> None:
    """Remove a dataset with its documents, labels and trainings; its models stay."""
    releases.forget_files(teaching.delete(dataset_id, principal.owner_scope))


@router.put(
    "/datasets/{dataset_id}/fields",
    summary="Name the fields of a dataset",
    responses=problems(**BODY, **_OF_ONE, s409="The fields are others than those in `known`"),
)
def set_fields(
    dataset_id: DatasetId,
    wanted: FieldsAsked,
    teaching: TeachingDep,
    releases: ReleasesDep,
    principal: PrincipalDep,
) -> DatasetView:
    """Set all fields; a kind that is null follows from the labels until it is set.

    A field that is left out goes with its labels; with `was` it is renamed and keeps them.
    """
    fields = [field.model_dump(mode="json", exclude={"was"}) for field in wanted.fields]
    both = zip(fields, wanted.fields, strict=True)
    was = {key_of(field): asked.was for field, asked in both if asked.was}
    scope = principal.owner_scope
    dataset = teaching.set_fields(dataset_id, scope, fields, was, known=wanted.known)
    return _view(dataset, releases)


@router.post(
    "/datasets/{dataset_id}/documents",
    status_code=202,
    summary="Add documents to a dataset",
    openapi_extra=form_of_files("DocumentsForm", {}),
    responses=problems(
        s400="The form cannot be read",
        s404="There is no such dataset",
        s408="The documents arrived too slowly",
        s413="Too many documents, or too many bytes",
        s422="No document, or an archive that may not be unpacked",
        s429="Too many jobs of this key wait",
        s503="The store does not answer, or the queue is too long",
        s507="No room to store the documents",
    ),
)
async def add_documents(
    dataset_id: DatasetId,
    request: Request,
    teaching: TeachingDep,
    submissions: SubmissionsDep,
    settings: SettingsDep,
    principal: PrincipalDep,
) -> AddedView:
    """Add documents, and archives of documents, which are read in the background.

    The same bytes are in a dataset once, so this may be repeated.
    """
    most = settings.batch_max_files
    form = await read_form(request, submissions.spool, name=FILES, most_files=most)
    try:

        def add() -> AddedView:
            added = teaching.add(dataset_id, principal, form.files)
            return AddedView.of(added, teaching.store.get(cursors.plain_id(dataset_id)))

        return await to_thread.run_sync(add)
    finally:
        await form.close()


@router.post(
    "/datasets/{dataset_id}/documents/take",
    status_code=202,
    summary="Add documents that were read before",
    responses=problems(
        **BODY,
        s404="There is no such dataset, or no such batch",
        s422="A parameter is not allowed, or nothing is named",
        s507="No room to store the documents",
    ),
)
def take_documents(
    dataset_id: DatasetId, wanted: Take, teaching: TeachingDep, principal: PrincipalDep
) -> AddedView:
    """Add copies of the documents of jobs, of a batch, or of all answers whose review is done.

    Values that a reviewer accepted or corrected become labels, and so do absences; fields that the
    dataset lacks are added. What nobody decided stays a suggestion. At most 500 documents are added
    at a time: `left` says how many more the same request adds when it is sent again.
    """
    job_ids = [
        *wanted.job_ids,
        *teaching.jobs_of(
            principal, batch=wanted.batch_id, reviewed=wanted.reviewed, model=wanted.model
        ),
    ]
    if not job_ids and not (wanted.reviewed or wanted.batch_id):
        raise InvalidOption(
            "Nothing is named to be taken over.",
            advice="Send `job_ids`, `batch_id`, or `reviewed: true`.",
        )
    added = teaching.take(dataset_id, principal, job_ids)
    return AddedView.of(added, teaching.store.get(cursors.plain_id(dataset_id)))


@router.get(
    "/datasets/{dataset_id}/documents",
    summary="List the documents of a dataset",
    responses=problems(**_OF_ONE),
)
def list_documents(
    dataset_id: DatasetId,
    teaching: TeachingDep,
    principal: PrincipalDep,
    state: Annotated[DatasetState | None, Query(description="Only those in this state")] = None,
    after: CursorQuery = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> DocumentPage:
    """Return documents in the order of adding, each with its state."""
    dataset = teaching.get(dataset_id, principal.owner_scope)
    found = teaching.store.documents(
        dataset.id,
        principal.owner_scope,
        after=cursors.number(after),
        limit=limit + 1,
        state=state,
    )
    shown, following = cursors.page(found, limit, "number")
    views = [DocumentView.of(one, dataset) for one in shown]
    return DocumentPage(documents=views, next=following)


@router.get(
    "/datasets/{dataset_id}/next",
    summary="Get the document to label next",
    response_model=DocumentView,
    responses={204: {"description": "Nothing is left to label"}, **problems(**_OF_ONE)},
)
def get_next(
    dataset_id: DatasetId,
    teaching: TeachingDep,
    principal: PrincipalDep,
    after: Annotated[
        str | None, Query(max_length=64, description="The document in hand, which is not meant")
    ] = None,
) -> Any:
    """Return the document whose suggestions are least sure; then those that have none."""
    dataset = teaching.get(dataset_id, principal.owner_scope)
    besides = cursors.plain_id(after or "")
    found = teaching.store.next(dataset.id, principal.owner_scope, besides=besides)
    return Response(status_code=204) if found is None else DocumentView.of(found, dataset)


@router.get(
    "/datasets/{dataset_id}/documents/{document_id}",
    summary="See a document with its words, labels and suggestions",
    responses=problems(**_OF_ONE),
)
def get_document(
    dataset_id: DatasetId, document_id: DocumentId, teaching: TeachingDep, principal: PrincipalDep
) -> DocumentFull:
    """Return a document: its words with their places, what people said, what a model suggests."""
    scope = principal.owner_scope
    return _full(teaching, teaching.document(dataset_id, document_id, scope), scope)


@router.put(
    "/datasets/{dataset_id}/documents/{document_id}/labels",
    summary="Label a document",
    responses=problems(**BODY, **_OF_ONE, s409="The document is not read, or cannot be"),
)
def set_labels(
    dataset_id: DatasetId,
    document_id: DocumentId,
    wanted: NewLabels,
    teaching: TeachingDep,
    principal: PrincipalDep,
) -> DocumentFull:
    """Keep labels; fields that are not named keep what they have.

    Once this is answered, they outlive any crash. A document is labelled when every field and
    every group has a label, or is absent.
    """
    scope = principal.owner_scope
    return _full(teaching, teaching.label(dataset_id, document_id, scope, wanted), scope)


@router.delete(
    "/datasets/{dataset_id}/documents/{document_id}",
    status_code=204,
    summary="Take a document out of a dataset",
    responses=problems(**_OF_ONE),
)
def delete_document(
    dataset_id: DatasetId, document_id: DocumentId, teaching: TeachingDep, principal: PrincipalDep
) -> None:
    """Remove a document with its labels and its files."""
    ids = cursors.plain_id(dataset_id), cursors.plain_id(document_id)
    teaching.store.remove(*ids, principal.owner_scope)


@router.get(
    "/datasets/{dataset_id}/doubts",
    summary="List the labels that look wrong",
    responses=problems(**_OF_ONE),
)
def list_doubts(dataset_id: DatasetId, teaching: TeachingDep, principal: PrincipalDep) -> DoubtList:
    """Return the labels that the last training found odd, and why."""
    dataset = teaching.store.get(cursors.plain_id(dataset_id), principal.owner_scope)
    found = teaching.store.every(dataset.id, state="doubtful")
    return DoubtList(
        doubts=[
            DoubtView(
                document=one.id,
                filename=one.job.filename,
                field=key,
                text="; ".join(value["text"] for value in values_of(one).get(key, [])),
                reason=reason,
            )
            for one in found
            for key, reason in one.doubts.items()
        ]
    )


@router.get(
    "/datasets/{dataset_id}/export",
    summary="Download a dataset as a folder",
    dependencies=[Depends(export_turn)],
    response_class=Response,
    responses={
        200: {
            "description": "A ZIP archive of labels.jsonl, documents/ and fields.toml",
            "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
        },
        **problems(**_OF_ONE, s410="A document's file is gone", s507="No room for the archive"),
    },
)
async def export_dataset(
    dataset_id: DatasetId, teaching: TeachingDep, principal: PrincipalDep
) -> Response:
    """Return the dataset as `fieldwright train` and `fieldwright dataset` take it."""

    def begun() -> Iterator[bytes]:
        dataset = teaching.store.get(cursors.plain_id(dataset_id), principal.owner_scope)
        pieces = zipped(teaching, dataset)
        return chain([next(pieces)], pieces)  # what can fail has failed before the answer begins

    pieces = await to_thread.run_sync(begun)
    disposition = f'attachment; filename="dataset-{cursors.plain_id(dataset_id)[:8]}.zip"'
    return StreamingResponse(
        pieces, headers={"Content-Disposition": disposition}, media_type="application/zip"
    )


def _view(dataset: Dataset, releases: Releases) -> DatasetView:
    return DatasetView.of(dataset, releases.trainings.all(dataset=dataset.id))


def _full(teaching: Teaching, example: Example, scope: OwnerScope) -> DocumentFull:
    dataset = teaching.store.get(example.dataset_id, scope)
    answer = None
    if example.job.state == "succeeded":
        answer = teaching.answer(example)
    return full_view(example, dataset, teaching.words(example), answer)


def _model_name_of(name: str) -> str:
    """Return a name that a model may have, made of what people call a dataset."""
    made = re.sub(r"[^a-z0-9_]+", "-", in_ascii(name)).strip("-_")[:_LONGEST_NAME].rstrip("-_")
    if not made or not made[0].isalpha():
        made = f"model-{made}".rstrip("-")[:_LONGEST_NAME]
    return made if is_usable(made) else f"{made}-model"
