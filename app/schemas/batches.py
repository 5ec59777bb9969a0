"""Bodies of the batches: the batch with its counts, its items, and what became of a request."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.schemas.common import Asked, JobError, View
from store.batches import Batch, Item, ItemState

_BATCH_ID = "0d9a6d3e-4f0b-4a58-8b43-2f3a2f6f1c77"


class BatchLinks(BaseModel):
    """Addresses of the batch on this server."""

    self: str
    items: str
    results: str


class BatchView(View):
    """A batch as it stands."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": _BATCH_ID,
                    "name": "receipts of May",
                    "model": "receipts",
                    "options": {"ocr": "always"},
                    "total": 3,
                    "ended": 2,
                    "done": 0.667,
                    "finished": False,
                    "counts": {
                        "queued": 1,
                        "running": 0,
                        "succeeded": 1,
                        "failed": 0,
                        "cancelled": 0,
                        "refused": 1,
                        "expired": 0,
                        "removed": 0,
                    },
                    "errors": {"unsupported_media_type": 1},
                    "skipped": [".DS_Store"],
                    "seconds_left": 1.4,
                    "created_at": "2026-01-05T10:00:00.004210Z",
                    "finished_at": None,
                    "links": {
                        "self": f"/batches/{_BATCH_ID}",
                        "items": f"/batches/{_BATCH_ID}/items",
                        "results": f"/batches/{_BATCH_ID}/results",
                    },
                }
            ]
        }
    )

    id: str
    name: Annotated[str, Field(description="As sent, cleaned")]
    model: str
    options: dict[str, Any]
    total: Annotated[int, Field(description="Items")]
    ended: Annotated[int, Field(description="Items of which nothing more will come")]
    done: Annotated[float, Field(ge=0, le=1, description="Share of the items that ended")]
    finished: Annotated[bool, Field(description="All items ended")]
    counts: Annotated[dict[ItemState, int], Field(description="Items by state")]
    errors: Annotated[dict[str, int], Field(description="Items by the code of their error")]
    skipped: Annotated[
        list[str],
        Field(description="The first 100 files in archives that are no documents: .DS_Store"),
    ]
    seconds_left: Annotated[
        float | None, Field(description="Estimate; null before the first documents ended")
    ]
    created_at: datetime
    finished_at: datetime | None
    links: BatchLinks

    @classmethod
    def of(cls, batch: Batch, prefix: str) -> BatchView:
        """Return the view of a batch, with addresses under `prefix` (empty or ``/v1``)."""
        own = f"{prefix}/batches/{batch.id}"
        return cls.showing(
            batch,
            done=round(batch.ended / max(1, batch.total), 3),
            finished=batch.ended == batch.total,
            links=BatchLinks(self=own, items=f"{own}/items", results=f"{own}/results"),
        )


class BatchPage(BaseModel):
    """Batches, the newest first; time left is told of each by itself."""

    batches: list[BatchView]
    next: Annotated[str | None, Field(description="Cursor of the next page; null at the end")]


class ItemLinks(BaseModel):
    """Addresses of the item's job on this server."""

    job: str
    result: str


class ItemView(View):
    """One document of a batch."""

    number: Annotated[int, Field(description="Place in the batch, from 1")]
    document: Annotated[str, Field(description="File name, cleaned; numbered if it came twice")]
    sha256: Annotated[str | None, Field(description="Null where it was refused in an archive")]
    state: Annotated[
        ItemState, Field(description="Of its job; refused where it was not accepted at all")
    ]
    pages_done: int
    pages_total: int | None
    job: Annotated[str | None, Field(description="Id of its job")]
    error: JobError | None
    links: ItemLinks | None

    @classmethod
    def of(cls, item: Item, prefix: str) -> ItemView:
        """Return the view of an item, with addresses under `prefix`."""
        links = None
        if item.job_id is not None:
            own = f"{prefix}/jobs/{item.job_id}"
            links = ItemLinks(job=own, result=f"{own}/result")
        return cls.showing(
            item,
            document=item.filename,
            job=item.job_id,
            error=JobError.of(item.error_code, item.error_detail, item.error_advice),
            links=links,
        )


class ItemPage(BaseModel):
    """Items of a batch, in their order."""

    items: list[ItemView]
    next: Annotated[str | None, Field(description="Cursor of the next page; null at the end")]


class RetryForm(Asked):
    """What is sent with another try of a batch."""

    password: Annotated[str | None, Field(description="Opens the encrypted PDFs")] = None


class Retried(BaseModel):
    """A batch whose failed documents were queued once more."""

    retried: Annotated[int, Field(description="Documents that were queued again")]
    batch: BatchView


class Stopping(BaseModel):
    """A batch that was removed while some of its documents were being read."""

    running: Annotated[int, Field(description="Jobs that stop at their next page")]
