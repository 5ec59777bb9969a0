"""Bodies of the API beside the answer itself (`pipeline.result.Extraction`), with examples."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from pipeline.reading.media import MEDIA_TYPES
from store.jobs import Job, Progress, Stage, State

Uuid = Annotated[str, Field(pattern="^[0-9a-fA-F-]{36}$")]
FieldName = Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,63}$")]
FieldKey = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}(\.[a-z][a-z0-9_]{0,63})?$")]
"""The name of a field; of a column with its group before it."""

_MOST_UNKNOWN = 10
_JOB_ID = "5f0c1f0e-6d5e-4a55-9d4f-0f4f2b0f3c11"

# The example of an answer in the OpenAPI document; a test holds it against the contract.
ANSWER: dict[str, Any] = {
    "id": _JOB_ID,
    "document": {
        "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "media_type": "image/png",
        "page_count": 1,
        "word_count": 132,
        "pages": [
            {
                "number": 1,
                "width": 463.0,
                "height": 1013.0,
                "rotation": 0,
                "text_source": "ocr",
                "reason": "image file",
            }
        ],
    },
    "model": {"name": "receipts", "version": "1.0.0", "sha256": "5feceb66ffc86f38d952786c6d696c79"},
    "fields": {
        "total": {
            "kind": "amount",
            "text": "RM 9.00",
            "value": {"amount": "9.00", "currency": "MYR"},
            "confidence": 0.97,
            "currency_confidence": 0.98,
            "page": 1,
            "box": [0.62, 0.71, 0.81, 0.73],
            "words": [130, 131],
            "normalisation": {"status": "ok", "reason": None, "alternatives": []},
            "candidates": [],
            "needs_review": False,
        },
        "date": None,
    },
    "warnings": [],
    "timings": {"read": 1.21, "tag": 0.08, "resolve": 0.004},
}


class Asked(BaseModel):
    """What a request says in JSON: nothing but what is known, so that no misspelt name is lost."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _few(cls, data: Any) -> Any:
        # Thousands of unknown names would each become a fault, one by one on the event loop.
        if isinstance(data, dict) and len(data) > 2 * len(cls.model_fields) + _MOST_UNKNOWN:
            raise PydanticCustomError("names", "{count} names are too many", {"count": len(data)})
        return data


class Problem(BaseModel):
    """Any error, as RFC 9457 has it, with a stable `code` and the next step in `advice`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:fieldwright:problem:pdf_encrypted",
                    "title": "Unprocessable Content",
                    "status": 422,
                    "detail": "The PDF opens only with a password.",
                    "code": "pdf_encrypted",
                    "advice": "Send it again with the option `password`, or remove the protection.",
                    "instance": f"/jobs/{_JOB_ID}",
                    "request_id": "0b8f7f0f3f0e4c3f",
                }
            ]
        }
    )

    type: str
    title: str
    status: int
    detail: str
    code: Annotated[str, Field(description="Stable, machine-readable name of the error")]
    advice: Annotated[str, Field(description="What to do next")]
    instance: Annotated[
        str,
        Field(description="The request or the job that met the error; empty before one was read"),
    ]
    request_id: Annotated[
        str, Field(description="As in the header X-Request-Id and in the log; as `instance`")
    ]
    errors: Annotated[
        list[dict[str, Any]] | None, Field(description="Faults of the request, one by one")
    ] = None


class View(BaseModel):
    """What is shown of a record of the store: most of its fields, under the same names."""

    @classmethod
    def showing(cls, record: Any, **others: Any) -> Self:
        """Return the view of a record; its times, in seconds since 1970, become datetimes.

        Args:
            record: has the fields that are not among `others`.
            others: fields that it has not, or not like this.
        """
        same = {name: getattr(record, name) for name in cls.model_fields if name not in others}
        return cls(**same, **others)


class JobError(BaseModel):
    """Why a job failed."""

    code: str
    detail: str
    advice: str

    @classmethod
    def of(cls, code: str | None, detail: str | None, advice: str | None) -> JobError | None:
        """Return the error of a job as the store has it, None where it has none."""
        return None if code is None else cls(code=code, detail=detail or "", advice=advice or "")


class JobLinks(BaseModel):
    """Addresses of the job on this server."""

    self: str
    events: Annotated[str, Field(description="Server-sent events until it ends")]
    result: str

    @classmethod
    def of(cls, job_id: str, prefix: str) -> JobLinks:
        """Return the addresses of a job under `prefix` (empty or ``/v1``)."""
        own = f"{prefix}/jobs/{job_id}"
        return cls(self=own, events=f"{own}/events", result=f"{own}/result")


class AzureAnswer(BaseModel):
    """An answer in the shape of Azure's prebuilt invoice (`pipeline.formats.azure`)."""

    status: Literal["succeeded"]
    analyzeResult: dict[str, Any]


class JobView(View):
    """A job as it stands."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": _JOB_ID,
                    "state": "running",
                    "stage": "read",
                    "pages_done": 1,
                    "pages_total": 3,
                    "attempts": 1,
                    "priority": "interactive",
                    "position": None,
                    "cached": False,
                    "model": "receipts",
                    "model_version": "1.0.0",
                    "document": "receipt.png",
                    "media_type": "image/png",
                    "size": 48213,
                    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                    "cancelling": False,
                    "created_at": "2026-01-05T10:00:00.004210Z",
                    "started_at": "2026-01-05T10:00:00.124380Z",
                    "finished_at": None,
                    "expired_at": None,
                    "error": None,
                    "links": {
                        "self": f"/jobs/{_JOB_ID}",
                        "events": f"/jobs/{_JOB_ID}/events",
                        "result": f"/jobs/{_JOB_ID}/result",
                    },
                }
            ]
        }
    )

    id: str
    state: State
    stage: Annotated[Stage, Field(description="What is done next, or now")]
    pages_done: int
    pages_total: Annotated[int | None, Field(description="Null until the document was opened")]
    attempts: Annotated[int, Field(description="More than 1 after a worker died")]
    priority: Annotated[
        Literal["interactive", "batch"], Field(description="Interactive ones are read first")
    ]
    position: Annotated[
        int | None,
        Field(
            description="From 1; null where it does not wait, or behind more than 1,000 others. It "
            "may grow when other keys send, for they take turns"
        ),
    ]
    cached: Annotated[bool, Field(description="Answered from an earlier job, nothing was read")]
    model: str
    model_version: Annotated[str | None, Field(description="Fixed when the job first runs")]
    document: Annotated[str, Field(description="File name as sent, cleaned")]
    media_type: str
    size: Annotated[int, Field(description="Bytes of the document")]
    sha256: str
    cancelling: Annotated[bool, Field(description="Asked to stop, at the next page")]
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    expired_at: Annotated[
        datetime | None, Field(description="When the document and the answer were removed")
    ]
    error: JobError | None
    links: JobLinks

    @classmethod
    def of(cls, job: Job, prefix: str, position: int | None = None) -> JobView:
        """Return the view of a job, with addresses under `prefix` (empty or ``/v1``)."""
        return cls.showing(
            job,
            priority="batch" if job.priority else "interactive",
            position=position,
            document=job.filename,
            cancelling=job.cancel_requested and not job.ended,
            error=JobError.of(job.error_code, job.error_detail, job.error_advice),
            links=JobLinks.of(job.id, prefix),
        )


class JobEvent(View):
    """How far a job is, as an event of its stream tells it."""

    id: str
    state: State
    stage: Stage
    pages_done: int
    pages_total: int | None
    attempts: int
    cancelling: bool
    error: Annotated[str | None, Field(description="Code of the error of a job that failed")]
    links: JobLinks

    @classmethod
    def of(cls, job_id: str, progress: Progress, prefix: str) -> JobEvent:
        """Return the event of a job's progress, with addresses under `prefix`."""
        return cls.showing(
            progress,
            id=job_id,
            cancelling=progress.cancel_requested and not progress.ended,
            error=progress.error_code,
            links=JobLinks.of(job_id, prefix),
        )


class JobPage(BaseModel):
    """Jobs, the newest first."""

    jobs: list[JobView]
    next: Annotated[str | None, Field(description="Cursor of the next page; null at the end")]


class ModelView(View):
    """A model that can be asked for."""

    name: str
    version: str
    current: Annotated[bool, Field(description="Answers for its name without a version")]
    bundled: Annotated[bool, Field(description="Came with the product")]
    default: Annotated[bool, Field(description="Answers where no model is named")]
    fields: Annotated[dict[str, str], Field(description="Field names with their kinds")]


class ModelList(BaseModel):
    """All models that can be asked for."""

    models: list[ModelView]


class Alive(BaseModel):
    """The API process answers."""

    status: Literal["ok"] = "ok"


class Ready(View):
    """Documents can be processed now."""

    status: Annotated[
        Literal["ready", "degraded"], Field(description="degraded: see to what is missing")
    ]
    workers: Annotated[int, Field(description="Worker processes that are ready")]
    models: Annotated[list[str], Field(description="Models in their memory")]
    missing: Annotated[list[str], Field(description="What is missing, one sentence each")]
    confinement: Annotated[
        list[str],
        Field(
            description="What confines the processes that read documents: landlock+seccomp, one of "
            "the two, or none"
        ),
    ]


class Limits(View):
    """What a request may ask for."""

    max_bytes: Annotated[int, Field(description="Largest document in bytes")]
    max_pages: Annotated[int, Field(description="Most pages read of one document")]
    batch_max_files: Annotated[int, Field(description="Most documents of one batch")]
    batch_max_bytes: Annotated[
        int, Field(description="Most bytes of one batch, as it is sent and unpacked")
    ]
    document_timeout_s: Annotated[float, Field(description="Longest time for one document")]
    wait_default_s: float
    wait_max_s: float
    media_types: list[str] = list(MEDIA_TYPES)
