"""The queue's front: submit a document, follow its job, read its answer. All that the API sees."""

from __future__ import annotations

import math
import unicodedata
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal

from models.manifest import FIELDS
from pipeline.errors import (
    FieldwrightError,
    InvalidOption,
    JobCancelled,
    JobNotFinished,
    JobUnknown,
    ModelPackageError,
    StoreUnavailable,
    error_from,
)
from pipeline.ocr.media import sniff
from pipeline.ocr.options import ReadOptions
from pipeline.postprocess.schema import load_fields
from pipeline.registry import PackageRef, Registry
from workers import cursors
from workers.blobs import FILE, PASSWORD, LocalBlobs
from workers.contract import answer_schema
from workers.database import Database
from workers.faults import fault_at
from workers.ownership import ANY, Reach
from workers.records import Job
from workers.settings import Settings
from workers.store import Store
from workers.telemetry import Telemetry, observe
from workers.waiting import Watcher

__all__ = ["Job", "Jobs", "ModelSummary", "Readiness", "Telemetry"]

_HEAD = 4096  # bytes that tell what a document is
_NAME_LENGTH = 255


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """One model package as shown to users; `fields` maps each field to its kind."""

    name: str
    version: str
    current: bool
    bundled: bool
    default: bool
    fields: dict[str, str]


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether documents can be processed now; `missing` says what stands in the way."""

    ready: bool
    missing: tuple[str, ...]
    workers: int
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """How documents are to be read, checked: the model as jobs keep it, and the options."""

    model: str
    options: dict[str, Any]
    password: str | None = field(default=None, repr=False)


class Jobs:
    """The queue of one installation; its methods raise only `FieldwrightError`.

    Methods that touch the store or the disk block for milliseconds: call them off the event loop.

    Args:
        settings: of the installation; the store is brought up to date by `Jobs.prepare`.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = Database(settings.store_url)
        self.store = Store(self.database)
        self.blobs = LocalBlobs(
            settings.home / "blobs", lambda name: fault_at(f"write_{name}", settings)
        )
        self.registry = Registry(settings.home / "models", default=settings.model)
        self.watcher = Watcher(self.store)

    def prepare(self) -> None:
        """Create or migrate the tables; safe to repeat and to race."""
        self.database.migrate()

    def submit(
        self,
        source: BinaryIO,
        *,
        filename: str = "",
        model: str | None = None,
        pages: str | None = None,
        ocr: str | None = None,
        engine: str | None = None,
        language: str | None = None,
        password: str | None = None,
        owner: str | None = None,
    ) -> Job:
        """Accept a document: once this returns, the job survives any crash.

        Args:
            source: the document, read from its start.
            filename: as the user calls it; shown only, never a path on the disk.
            model: ``NAME`` or ``NAME@VERSION``; the default model where None.
            pages: page range such as ``1-3,-1``; all where None.
            ocr: ``auto``, ``always`` or ``never``; see `ReadOptions`.
            engine: ``tesseract`` or ``rapidocr``.
            language: such as ``eng+deu``.
            password: opens an encrypted PDF; kept beside the document until the job ends.
            owner: who may see the job; None where the service has no keys.

        Raises:
            UnsupportedMedia, EmptyDocument, FileTooLarge: the document.
            UnknownModel, ModelPackageError: the model.
            InvalidOption: how it is to be read.
            StoreUnavailable, StorageFull: the service; nothing was accepted.
        """
        order = self.order(
            model=model, pages=pages, ocr=ocr, engine=engine, language=language, password=password
        )
        job = self.receive(source, order, filename=filename, owner=owner)
        try:
            job = self.store.add(job)
        except FieldwrightError:
            self.blobs.remove(job.id)
            raise
        fault_at("after_commit", self.settings, sha256=job.sha256)
        return job

    def order(
        self,
        *,
        model: str | None = None,
        pages: str | None = None,
        ocr: str | None = None,
        engine: str | None = None,
        language: str | None = None,
        password: str | None = None,
    ) -> Order:
        """Check how documents are to be read; arguments and errors as `submit`."""
        ref = self.registry.resolve(model)
        chosen = {"pages": pages, "ocr": ocr, "engine": engine, "language": language}
        options: dict[str, Any] = {name: value for name, value in chosen.items() if value}
        ReadOptions(**options)  # checks them while the caller waits
        named = str(ref) if "@" in (model or self.settings.model) else ref.name
        return Order(named, options, password or None)

    def receive(
        self,
        source: BinaryIO,
        order: Order,
        *,
        filename: str = "",
        owner: str | None = None,
        priority: int = 0,
    ) -> Job:
        """Store a document's bytes durably; return its job, which is not in the queue yet.

        Arguments and errors as `submit`. Where the job does not get into the store after all,
        its blobs have to be removed.
        """
        media_type = sniff(source.read(_HEAD))
        source.seek(0)
        job_id = str(uuid.uuid4())
        try:
            size, sha256 = self.blobs.receive(job_id, source, limit=self.settings.max_bytes)
            if order.password:
                self.blobs.put(job_id, PASSWORD, order.password.encode(), durable=True)
        except BaseException:
            self.blobs.remove(job_id)
            raise
        fault_at("after_spool", self.settings, sha256=sha256)
        return Job(
            id=job_id,
            model=order.model,
            sha256=sha256,
            filename=shown(filename),
            media_type=media_type,
            size=size,
            options=order.options,
            owner=owner,
            priority=priority,
        )

    def status(self, job_id: str, reach: Reach = ANY) -> Job:
        """Return a job as it stands; raises JobUnknown where there is none within reach."""
        return self.store.get(_checked(job_id), reach)

    async def wait(self, job_id: str, seconds: float) -> None:
        """Return when the job has ended or is gone, or after `seconds`; reads nothing itself."""
        await self.watcher.ended(job_id, seconds)

    def result(self, job_id: str, reach: Reach = ANY) -> str:
        """Return the answer of a job as JSON text.

        Raises:
            JobUnknown: no such job within reach.
            JobNotFinished: it is queued or running.
            JobCancelled: it was cancelled.
            FieldwrightError: it failed; the error is the job's own.
        """
        job = self.status(job_id, reach)
        if job.state in ("queued", "running"):
            raise JobNotFinished(f"The job is {job.state}.")
        if job.state == "cancelled":
            raise JobCancelled("The job was cancelled.")
        if job.state == "failed":
            raise error_from(job.error_code or "", job.error_detail or "", job.error_advice)
        body = self.store.body(job.id)
        if body is None:  # deleted between the two reads
            raise JobUnknown(f"There is no job {job.id!r}.")
        return body

    def delete(self, job_id: str, reach: Reach = ANY) -> Literal["removed", "cancelling"]:
        """Remove a job with its document, words and answer; a running one is stopped first.

        A running job ends as ``cancelled`` at the next page; its files go then.

        Raises:
            JobUnknown: no such job within reach.
        """
        if not self.store.delete(_checked(job_id), reach):
            return "cancelling"
        self.blobs.remove(job_id)
        return "removed"

    def page(
        self, cursor: str | None = None, limit: int = 50, reach: Reach = ANY
    ) -> tuple[list[Job], str | None]:
        """Return jobs, the newest first, and the cursor of the next page or None at the end.

        Raises:
            InvalidOption: `cursor` was not made here.
        """
        jobs = self.store.page(cursors.moment_and_id(cursor), limit + 1, reach)
        if len(jobs) <= limit:
            return jobs, None
        last = jobs[limit - 1]
        return jobs[:limit], cursors.cursor(last.created_at, last.id)

    def models(self) -> list[ModelSummary]:
        """Return the models that can be asked for; those with unreadable fields are left out."""
        default = self.settings.model.partition("@")
        summaries = []
        for ref in self.registry.packages():
            try:
                specs = load_fields(ref.path / FIELDS)
            except InvalidOption:
                continue
            served = ref.version == default[2] if default[2] else ref.current
            summaries.append(
                ModelSummary(
                    ref.name,
                    ref.version,
                    ref.current,
                    ref.bundled,
                    ref.name == default[0] and served,
                    {spec.name: spec.kind.value for spec in specs},
                )
            )
        return summaries

    def schema(self, model: str) -> dict[str, Any]:
        """Return the JSON Schema of a model's answers; raises UnknownModel, ModelPackageError."""
        ref = self.registry.resolve(model)
        try:
            return answer_schema(str(ref), load_fields(ref.path / FIELDS))
        except InvalidOption as error:
            raise _damaged(ref) from error

    def readiness(self) -> Readiness:
        """Return whether documents can be processed now, and what is missing where not."""
        try:
            alive = [w for w in self.store.workers() if w.age < self.settings.lease_seconds]
        except StoreUnavailable as error:
            return Readiness(False, (error.detail,), 0, ())
        ready = [worker for worker in alive if worker.ready]
        models = tuple(sorted({model for worker in ready for model in worker.models}))
        missing = tuple(sorted({w.detail for w in alive if w.detail})) if not ready else ()
        if not alive:
            missing = ("No worker process is running.",)
        return Readiness(bool(ready), missing, len(ready), models)

    def telemetry(self) -> Telemetry:
        """Return what the store tells of itself; raises StoreUnavailable."""
        return observe(self.database, silent_after=self.settings.lease_seconds)

    def clean(self, *, deep: bool = False) -> None:
        """Remove what crashes left behind: files of ended jobs, passwords, dead workers.

        Args:
            deep: look at every file on the disk: half-written ones and those without a job too.
        """
        self.store.forget_workers(silent_for=10 * self.settings.lease_seconds)
        for job_id, state in self.store.fruitless(within=math.inf if deep else 600).items():
            if state == "cancelled":
                self.blobs.remove(job_id)
            else:
                self.blobs.keep_only(job_id, FILE)
        if deep:
            self.blobs.clear_spool(older_than=3600)
            # A document lies on the disk a moment before its job is committed: spare the young.
            for chunk in _chunks(self.blobs.ids(older_than=3600)):
                known = self.store.known(chunk)
                for job_id in chunk:
                    if job_id not in known:
                        self.blobs.remove(job_id)
                    elif known[job_id]:
                        self.blobs.keep_only(job_id, FILE)

    def close(self) -> None:
        """Close the connections to the store."""
        self.database.close()


def _checked(job_id: str) -> str:
    try:
        return str(uuid.UUID(job_id))
    except ValueError as error:
        raise JobUnknown("There is no job of that id.") from error


def shown(filename: str) -> str:
    """Return a file name fit to be shown: no folders, no control or direction marks, cut."""
    last = filename.replace("\\", "/").rpartition("/")[2]
    kept = "".join(c for c in last if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp"))
    return kept.strip()[:_NAME_LENGTH]


def _chunks(items: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(items), 500):
        yield items[start : start + 500]


def _damaged(ref: PackageRef) -> ModelPackageError:
    return ModelPackageError(f"The model package {ref} is damaged or incomplete.")
