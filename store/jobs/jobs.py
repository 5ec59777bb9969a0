"""The queue of one installation: submit a document, follow its job, read its answer."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import Literal

from pipeline.errors import error_from
from store.access import ANY_OWNER, OwnerScope
from store.announce import Announcer, EndSignals, Silent
from store.blobs import KEPT, open_blobs
from store.errors import JobCancelled, JobExpired, JobNotFinished, NotReady, no_job
from store.idempotency import Idempotency
from store.jobs import counts
from store.jobs.admission import Admission
from store.jobs.announcements import Announcements
from store.jobs.claims import Claims
from store.jobs.leases import Leases
from store.jobs.records import TERMINAL, Job, State
from store.jobs.repository import JobRepository
from store.jobs.retention import expire
from store.jobs.submit import Intake
from store.jobs.telemetry import Telemetry, observe
from store.jobs.waiting import Watcher
from store.jobs.workers import WorkerRegistry
from store.pictures import Pictures
from store.reviews import Reviews
from store.settings import Settings
from store.sql import counters, cursors
from store.sql.cursors import plain_id
from store.sql.database import Database
from store.sql.turns import Turns
from store.traces import Traces, open_traces


class Jobs:
    """The parts of the job store, put together; its own methods raise only `FieldwrightError`.

    Methods that touch the store or the disk block for milliseconds: call them off the event loop.

    Args:
        settings: of the installation; the store is brought up to date by `Jobs.prepare`.
        announcer: told of the jobs that wait and of those that ended; closed with the queue.
        ends: hears that jobs ended; without it the store is asked more often.
        connections: to the database, at most; see `Database`.
        traces: of jobs; where the setting says where None.

    Attributes:
        settings: as given.
        database, blobs: where everything is kept.
        repository: the jobs as values.
        claims, leases: of workers.
        workers: that share the work.
        announcements: when the broker was told of which job.
        turns: of what is done again and again.
        pictures: of pages, that somebody waits for.
        reviews: of answers.
        admission, idempotency, announcer: what accepting documents asks.
        traces: of jobs and requests.
        intake: accepts documents.
        watcher: waits for jobs.
    """

    def __init__(
        self,
        settings: Settings,
        announcer: Announcer | None = None,
        ends: EndSignals | None = None,
        *,
        connections: int | None = None,
        traces: Traces | None = None,
    ) -> None:
        self.settings = settings
        most = connections or settings.database_connections
        self.database = database = Database(settings.store_url, connections=most)
        self.blobs = open_blobs(
            settings.home / "blobs",
            settings.blob_url,
            min_free_bytes=settings.min_free_bytes,
            before_close=lambda name: settings.faults.at(f"write_{name}"),
        )
        self.traces = traces or open_traces(settings.traces)
        self.repository = JobRepository(database)
        self.claims = Claims(database)
        self.leases = Leases(database)
        self.workers = WorkerRegistry(database)
        self.announcements = Announcements(database)
        self.turns = Turns(database)
        self.pictures = Pictures(database)
        self.reviews = Reviews(database)
        self.admission = Admission(
            database,
            self.workers,
            max_seconds=settings.max_queue_seconds,
            max_batch_seconds=settings.max_batch_queue_seconds,
            max_queued=settings.max_queued,
            silent_after=settings.lease_seconds,
        )
        self.idempotency = Idempotency(database, hours=settings.idempotency_hours)
        self.announcer = announcer or Silent()
        self.intake = Intake(
            database,
            self.blobs,
            self.check_blobs,
            self.admission,
            self.idempotency,
            self.announcer,
            self.traces,
            settings.faults,
        )
        self._blobs_known = False
        self.watcher = Watcher(self.repository, interval=0.04 if ends is None else 0.2, ends=ends)

    def prepare(self) -> None:
        """Create or migrate the tables; safe to repeat and to race."""
        self.database.migrate()

    def check_blobs(self) -> None:
        """Return where this process sees the documents that the job store speaks of.

        Processes on several machines may be given a folder each by mistake: documents that one
        accepts would be missing for all others.

        Raises:
            NotReady: it sees another folder or object store than those who came first.
            StoreUnavailable: the job store or the object store does not answer.
        """
        if self._blobs_known or not self.database.remote:
            return
        mine = self.blobs.identity()
        if self.turns.first_holder("blobs", mine) != mine:
            place = "FIELDWRIGHT_BLOB_URL" if self.settings.blob_url else self.blobs.spool.parent
            raise NotReady(
                f"{place} does not hold the documents of this job store.",
                advice="Mount the folder that the other machines share, or give all of them the "
                "same FIELDWRIGHT_BLOB_URL. If the documents are lost for good, delete the row "
                "'blobs' of the table 'locks'.",
            )
        self._blobs_known = True

    def status(self, job_id: str, scope: OwnerScope = ANY_OWNER) -> Job:
        """Return a job; raises JobUnknown where it does not exist or is out of scope."""
        return self.repository.get(plain_id(job_id), scope)

    async def wait(self, job_id: str, seconds: float) -> bool:
        """Return True when the job has ended or is gone, False after `seconds` or at a stop."""
        return await self.watcher.ended(job_id, seconds)

    def result(self, job_id: str, scope: OwnerScope = ANY_OWNER, *, reviewed: bool = True) -> str:
        """Return the answer of a job as JSON text; not `reviewed`, as the machine gave it.

        Raises:
            JobUnknown: it does not exist or is out of scope.
            JobNotFinished: it is queued or running.
            JobExpired: it ended so long ago that its answer was removed.
            JobCancelled: it was cancelled.
            FieldwrightError: it failed; the error is the job's own.
        """
        job, body = self.repository.answered(plain_id(job_id), scope, reviewed=reviewed)
        if job.state in ("queued", "running"):
            raise JobNotFinished(f"The job is {job.state}.")
        if job.state == "cancelled":
            raise JobCancelled("The job was cancelled.")
        if job.state == "failed":
            raise error_from(job.error_code or "", job.error_detail or "", job.error_advice)
        if job.expired_at is not None:
            raise JobExpired("The job ended long ago; its answer was removed.")
        if body is None:  # both go in one transaction
            raise no_job()
        return body

    def delete(
        self, job_id: str, scope: OwnerScope = ANY_OWNER
    ) -> Literal["removed", "cancelling"]:
        """Remove a job with its document, words and answer; a running one is stopped first.

        A running job ends as ``cancelled`` at the next page; its files go then.

        Raises:
            JobUnknown: it does not exist or is out of scope.
        """
        job_id = plain_id(job_id)
        if not self.repository.delete(job_id, scope):
            return "cancelling"
        self.blobs.remove(job_id)
        return "removed"

    def page(
        self,
        cursor: str | None = None,
        limit: int = 50,
        scope: OwnerScope = ANY_OWNER,
        *,
        state: State | None = None,
    ) -> tuple[list[Job], str | None]:
        """Return jobs, the newest first, and the cursor of the next page or None at the end.

        Only those of one `state` where it is given.

        Raises:
            InvalidOption: `cursor` was not made here.
        """
        after = cursors.moment_and_id(cursor)
        found = self.repository.page(after, limit + 1, scope, state=state)
        return cursors.page(found, limit)

    def telemetry(self) -> Telemetry:
        """Return figures about the store for monitoring; raises StoreUnavailable."""
        return observe(self.database, silent_after=self.settings.lease_seconds)

    def add_up(self) -> None:
        """Add up what was noted of jobs and figures; raises StoreUnavailable."""
        counts.fold(self.database)
        counters.fold(self.database)

    def tidy(self, job_id: str) -> None:
        """Remove the files of an ended job that are not kept: all of a cancelled one.

        Its row is locked meanwhile. So nothing is taken from a job that is queued anew at the same
        moment: neither its new password nor its words.
        """
        with self.repository.locked(job_id) as state:
            if state == "cancelled":
                self.blobs.remove(job_id)
            elif state in TERMINAL:
                self.blobs.keep_only(job_id, *KEPT)

    def clean(self, *, deep: bool = False) -> None:
        """Remove what is out of date: expired jobs and keys, and what crashes left behind.

        Crashes leave files of ended jobs, passwords, half-written files, and dead workers.

        Args:
            deep: look at every file on the disk: those without a job too.
        """
        self.workers.forget(silent_for=10 * self.settings.lease_seconds)
        for job_id in self.repository.fruitless(within=math.inf if deep else 600):
            self.tidy(job_id)
        self.idempotency.forget()
        self.pictures.forget()
        expire(self.database, self.blobs, hours=self.settings.retention_hours)
        self.blobs.clear_spool()
        if deep:
            self._clean_files()

    def _clean_files(self) -> None:
        """Remove the files of jobs that are gone, and what is not kept of those that ended."""
        # A document is on the disk a moment before its job is committed: young ones are spared.
        for chunk in _chunks(self.blobs.ids(older_than=3600)):
            known = self.repository.known(chunk)
            for job_id in chunk:
                if job_id not in known:
                    self.blobs.remove(job_id)
                elif known[job_id] == "succeeded":  # no such job is queued anew: none is locked
                    self.blobs.keep_only(job_id, *KEPT)

    def close(self) -> None:
        """Close the announcer, the traces and the connections to the store."""
        self.announcer.close()
        self.traces.close()
        self.database.close()


def _chunks(items: Iterator[str]) -> Iterator[list[str]]:
    while chunk := list(islice(items, 500)):
        yield chunk
