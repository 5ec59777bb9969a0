"""The queue's front: submit a document, follow its job, read its answer. All that the API sees."""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from models.packages.manifest import FIELDS
from pipeline.errors import InvalidOption, ModelPackageError, error_from
from pipeline.values.schema import FieldSpec, load_fields
from store import cursors
from store.access.ownership import ANY, Reach
from store.announce import Announcer, EndSignals
from store.blobs.blobs import FILE
from store.errors import JobCancelled, JobExpired, JobNotFinished, JobUnknown
from store.jobs.admission import position
from store.jobs.contract import answer_schema
from store.jobs.records import Job, Progress
from store.jobs.retention import expire
from store.jobs.rows import unknown
from store.jobs.submit import Intake, Order, shown
from store.jobs.waiting import Watcher
from store.readiness import Inspector, Readiness
from store.settings import Settings
from store.telemetry import Telemetry, observe

__all__ = ["Job", "Jobs", "ModelSummary", "Order", "Progress", "Readiness", "Telemetry", "shown"]


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """One model package as shown to users; `fields` maps each field to its kind."""

    name: str
    version: str
    current: bool
    bundled: bool
    default: bool
    fields: dict[str, str]


class Jobs(Intake):
    """The queue of one installation; its methods raise only `FieldwrightError`.

    Methods that touch the store or the disk block for milliseconds: call them off the event loop.

    Args:
        settings: of the installation; the store is brought up to date by `Jobs.prepare`.
        announcer: told of the jobs that wait and of those that ended; closed with the queue.
        ends: hears that jobs ended; without it the store is asked more often.
    """

    def __init__(
        self,
        settings: Settings,
        announcer: Announcer | None = None,
        ends: EndSignals | None = None,
    ) -> None:
        super().__init__(settings, announcer)
        self.watcher = Watcher(self.store, interval=0.04 if ends is None else 0.2, ends=ends)
        self._inspector = Inspector(settings, self.store, self.registry)

    def prepare(self) -> None:
        """Create or migrate the tables; safe to repeat and to race."""
        self.database.migrate()

    def status(self, job_id: str, reach: Reach = ANY) -> Job:
        """Return a job as it stands; raises JobUnknown where there is none within reach."""
        return self.store.get(_checked(job_id), reach)

    def place(self, job: Job) -> int | None:
        """Return a queued job's place in the queue, from 1; see `admission.position`."""
        return position(self.database, job)

    async def wait(self, job_id: str, seconds: float) -> bool:
        """Return True when the job has ended or is gone, False after `seconds` or at a stop."""
        return await self.watcher.ended(job_id, seconds)

    def result(self, job_id: str, reach: Reach = ANY) -> str:
        """Return the answer of a job as JSON text.

        Raises:
            JobUnknown: no such job within reach.
            JobNotFinished: it is queued or running.
            JobExpired: it ended so long ago that its answer was removed.
            JobCancelled: it was cancelled.
            FieldwrightError: it failed; the error is the job's own.
        """
        job, body = self.store.answered(_checked(job_id), reach)
        if job.state in ("queued", "running"):
            raise JobNotFinished(f"The job is {job.state}.")
        if job.state == "cancelled":
            raise JobCancelled("The job was cancelled.")
        if job.state == "failed":
            raise error_from(job.error_code or "", job.error_detail or "", job.error_advice)
        if job.expired_at is not None:
            raise JobExpired("The job ended long ago; its answer was removed.")
        if body is None:  # both go in one transaction
            raise unknown(job.id)
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
        return answer_schema(str(self.registry.resolve(model)), self.fields(model))

    def fields(self, model: str) -> list[FieldSpec]:
        """Return the fields of a model; raises UnknownModel, ModelPackageError."""
        ref = self.registry.resolve(model)
        try:
            return list(load_fields(ref.path / FIELDS))
        except InvalidOption as error:
            raise ModelPackageError(f"The model package {ref} is damaged or incomplete.") from error

    def readiness(self) -> Readiness:
        """Return whether documents can be processed now, and what is missing where not."""
        return self._inspector.readiness()

    def telemetry(self) -> Telemetry:
        """Return what the store tells of itself; raises StoreUnavailable."""
        return observe(self.database, silent_after=self.settings.lease_seconds)

    def clean(self, *, deep: bool = False) -> None:
        """Remove what is over: expired jobs and keys, and what crashes left behind.

        Those leave files of ended jobs, passwords, half-written files, and dead workers.

        Args:
            deep: look at every file on the disk: those without a job too.
        """
        self.store.forget_workers(silent_for=10 * self.settings.lease_seconds)
        for job_id, state in self.store.fruitless(within=math.inf if deep else 600).items():
            if state == "cancelled":
                self.blobs.remove(job_id)
            else:
                self.blobs.keep_only(job_id, FILE)
        self.idempotency.forget()
        expire(self.database, self.blobs, hours=self.settings.retention_hours)
        self.blobs.clear_spool()
        if deep:
            # A document lies on the disk a moment before its job is committed: spare the young.
            for chunk in _chunks(self.blobs.ids(older_than=3600)):
                known = self.store.known(chunk)
                for job_id in chunk:
                    if job_id not in known:
                        self.blobs.remove(job_id)
                    elif known[job_id]:
                        self.blobs.keep_only(job_id, FILE)

    def close(self) -> None:
        """Close the announcer and the connections to the store."""
        self.announcer.close()
        self.database.close()


def _checked(job_id: str) -> str:
    try:
        return str(uuid.UUID(job_id))
    except ValueError as error:
        raise JobUnknown("There is no job of that id.") from error


def _chunks(items: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(items), 500):
        yield items[start : start + 500]
