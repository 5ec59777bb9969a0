"""The three stages of a job, as plain functions: read, tag, resolve; and their way in one go.

What a stage made lies in the blob store before the job moves on, so a job that comes back after
a crash starts at the stage it had reached. Who delivers the job (the embedded worker, or a
broker) is not known here.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from models.labels import Span
from pipeline.document import Document
from pipeline.errors import (
    FieldwrightError,
    JobCancelled,
    ModelPackageError,
    StorageFull,
    StoreUnavailable,
)
from pipeline.ocr.options import ReadOptions
from pipeline.registry import PackageRef
from pipeline.result import Extraction
from workers import counters
from workers.blobs import FILE, PASSWORD
from workers.faults import fault_at
from workers.jobs import Jobs
from workers.records import Job, LeaseLost

log = logging.getLogger(__name__)

_DOCUMENT, _SPANS, _TIMINGS = "document.json", "spans.json", "timings.json"
_AWAY = (StoreUnavailable, StorageFull)
# Of a document's time: the rest is for the other stages, before the supervisor ends the worker.
_READING_SHARE = 0.9

T = TypeVar("T")


class Model(Protocol):
    """What the stages need of `pipeline.extract.Extractor`."""

    def tag(self, document: Document) -> list[Span]:
        """Return the labelled spans of a document."""

    def resolve(
        self, document: Document, spans: list[Span], *, job_id: str, timings: dict[str, float]
    ) -> Extraction:
        """Return the fields that the spans spell."""


class Reader(Protocol):
    """What the stages need of `pipeline.ocr.reader.read_document`."""

    def __call__(
        self, data: bytes, options: ReadOptions, on_page: Callable[[int, int], None]
    ) -> Document:
        """Return a document as read; `on_page` is called with the pages done and in all."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What a worker works with.

    Attributes:
        jobs: the queue.
        reader: reads documents.
        model: gives the model of a package, loaded now or before.
    """

    jobs: Jobs
    reader: Reader
    model: Callable[[PackageRef], Model]


def run(desk: Desk, job: Job) -> None:
    """Take a claimed job through its remaining stages to its end, whatever happens to it.

    Every outcome is in the store afterwards: the answer, the error, or the job back in the queue.
    A fault of the installation (a damaged model, a full disk) never fails a job: it waits.
    """
    log.info("job started", extra={"job": job.id, "stage": job.stage, "attempt": job.attempts})
    store, limit = desk.jobs.store, desk.jobs.settings.max_attempts
    try:
        try:
            job = _pinned(desk, job)
            document, spans = None, None
            if job.stage == "read":
                document, job = read(desk, job)
            if job.stage == "tag":
                spans, job = tag(desk, job, document)
            resolve(desk, job, document, spans)
        except (ModelPackageError, *_AWAY) as error:
            log.error("job waits", extra={"job": job.id, "code": error.code})
            # Tried again as often as the rest of the installation is looked after.
            pause = desk.jobs.settings.sweep_seconds
            _kept(desk, lambda: store.hand_back(job, delay=pause))
        except FieldwrightError as error:
            _end(desk, job, error)
        except LeaseLost:
            raise
        except Exception:  # a fault of ours: counted, tried again, and never the end of the worker
            log.exception("job stumbled", extra={"job": job.id, "attempt": job.attempts})
            if job.attempts < limit:
                _kept(desk, lambda: store.hand_back(job, delay=float(job.attempts), spent=True))
            else:
                _end(desk, job, FieldwrightError("The document could not be processed."))
    except (LeaseLost, *_AWAY):
        # Another worker has it by now, or will have it: its files are theirs to keep or remove.
        log.warning("lease lost", extra={"job": job.id})


def read(desk: Desk, job: Job) -> tuple[Document, Job]:
    """Read a job's document, page by page; return it with the job at its next stage.

    Raises:
        DocumentError, BadPageRange: the document cannot be read as asked.
        JobCancelled: asked for between two pages.
        LeaseLost: the job went to another worker.
    """
    jobs = desk.jobs
    data = jobs.blobs.get(job.id, FILE)
    if data is None:  # deleted meanwhile
        raise LeaseLost(job.id)
    password = jobs.blobs.get(job.id, PASSWORD)
    options = ReadOptions(
        **job.options,
        password=password.decode() if password else None,
        max_pages=jobs.settings.max_pages,
        page_timeout_s=jobs.settings.page_timeout_s,
        document_timeout_s=_READING_SHARE * jobs.settings.document_timeout_s,
        processes=jobs.settings.read_processes or None,
    )

    def on_page(done: int, total: int) -> None:
        _renew(desk, job, pages_done=done, pages_total=total)
        fault_at("in_read", jobs.settings, sha256=job.sha256)

    started = time.perf_counter()
    document = desk.reader(data, options, on_page)
    _note(desk, job, "read", time.perf_counter() - started)
    return document, _advanced(desk, job, "tag", _DOCUMENT, document.to_json())


def tag(desk: Desk, job: Job, document: Document | None = None) -> tuple[list[Span], Job]:
    """Label a job's words; return the spans with the job at its next stage.

    Args:
        desk: what the worker works with.
        job: as claimed, its document read.
        document: where it is at hand; read from the blob store otherwise.

    Raises:
        ModelPackageError: the model cannot be loaded.
        LeaseLost, JobCancelled: as `read`.
    """
    document = document or _document(desk, job)
    model = desk.model(desk.jobs.registry.resolve(_model(job)))
    fault_at("in_tag", desk.jobs.settings, sha256=job.sha256)
    started = time.perf_counter()
    spans = model.tag(document)
    _note(desk, job, "tag", time.perf_counter() - started)
    return spans, _advanced(desk, job, "resolve", _SPANS, [span.to_json() for span in spans])


def resolve(
    desk: Desk, job: Job, document: Document | None = None, spans: list[Span] | None = None
) -> None:
    """Turn a job's spans into its answer and end the job with it; arguments as `tag`.

    Raises:
        ModelPackageError, LeaseLost, JobCancelled: as `tag`.
    """
    document = document or _document(desk, job)
    if spans is None:
        spans = [Span.from_json(item) for item in _made(desk, job, _SPANS)]
    model = desk.model(desk.jobs.registry.resolve(_model(job)))
    timings = _timings(desk, job)
    answer = model.resolve(document, spans, job_id=job.id, timings=timings)
    fault_at("before_finish", desk.jobs.settings, sha256=job.sha256)
    counts = counters.answered(job, answer)
    _kept(desk, lambda: desk.jobs.store.succeed(job, answer.model_dump_json(), counts))
    fault_at("after_finish", desk.jobs.settings, sha256=job.sha256)
    desk.jobs.blobs.keep_only(job.id, FILE)
    log.info("job succeeded", extra={"job": job.id, **answer.timings})


def _pinned(desk: Desk, job: Job) -> Job:
    """Fix the version that answers at the first claim: a later promotion changes nothing."""
    if job.model_version is not None:
        return job
    version = desk.jobs.registry.resolve(job.model).version
    _renew(desk, job, model_version=version)
    return replace(job, model_version=version)


def _model(job: Job) -> str:
    return f"{job.model.partition('@')[0]}@{job.model_version}"


def _advanced(desk: Desk, job: Job, stage: Any, name: str, value: Any) -> Job:
    desk.jobs.blobs.put(job.id, name, json.dumps(value).encode())
    _renew(desk, job, stage=stage)
    return replace(job, stage=stage)


def _document(desk: Desk, job: Job) -> Document:
    return Document.from_json(_made(desk, job, _DOCUMENT))


def _made(desk: Desk, job: Job, name: str) -> Any:
    """Return what an earlier stage left; where a crash of the machine took it, begin again."""
    try:
        return json.loads(desk.jobs.blobs.get(job.id, name) or b"")
    except ValueError:
        _renew(desk, job, stage="read")
        raise


def _note(desk: Desk, job: Job, stage: str, seconds: float) -> None:
    timings = {**_timings(desk, job), stage: round(seconds, 4)}
    desk.jobs.blobs.put(job.id, _TIMINGS, json.dumps(timings).encode())


def _timings(desk: Desk, job: Job) -> dict[str, float]:
    """Return the seconds of the stages so far; empty where a crash of the machine took them."""
    try:
        timings: dict[str, float] = json.loads(desk.jobs.blobs.get(job.id, _TIMINGS) or b"{}")
        return timings
    except ValueError:
        return {}


def _renew(desk: Desk, job: Job, **progress: Any) -> None:
    lease = desk.jobs.settings.lease_seconds
    _kept(desk, lambda: desk.jobs.store.renew(job, lease=lease, **progress))


def _end(desk: Desk, job: Job, error: FieldwrightError) -> None:
    _kept(desk, lambda: desk.jobs.store.fail(job, error))
    if isinstance(error, JobCancelled):
        desk.jobs.blobs.remove(job.id)
    else:
        desk.jobs.blobs.keep_only(job.id, FILE)
    log.info("job ended", extra={"job": job.id, "code": error.code})


def _kept(desk: Desk, write: Callable[[], T]) -> T:
    """Write to the store; while it does not answer, keep what is in hand and try again.

    After the length of a lease the job may be another worker's, and the last error goes up.
    """
    deadline = time.monotonic() + desk.jobs.settings.lease_seconds
    while True:
        try:
            return write()
        except _AWAY:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
