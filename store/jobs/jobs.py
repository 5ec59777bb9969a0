"""The queue of one installation: submit a document, follow its job, read its answer."""

from __future__ import annotations

import logging
import math
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import islice
from typing import Literal

from pipeline.errors import StorageFull
from store.access import ANY_OWNER, OwnerScope
from store.announce import Announcer, EndSignals
from store.blobs import FILE, KEPT, PASSWORD, WORDS, LocalBlobs, ObjectBlobs
from store.errors import NotReady, StoreUnavailable, check_answered, no_job
from store.idempotency import Idempotency, Once
from store.jobs import counts
from store.jobs.admission import Admission
from store.jobs.answers import find_answer, give
from store.jobs.claims import Claims
from store.jobs.leases import Leases
from store.jobs.records import Job, Submission
from store.jobs.repository import JobRepository
from store.jobs.retention import expire, forget_batches
from store.jobs.rows import insert_jobs, one
from store.jobs.telemetry import Telemetry, observe
from store.jobs.waiting import Watcher
from store.jobs.workers import WorkerRegistry
from store.pictures import Pictures
from store.reviews import Reviews
from store.settings import Settings
from store.sql import counters
from store.sql.cursors import chunks, plain_id
from store.sql.database import Database
from store.sql.tables import CounterNoteRow, JobMoveRow
from store.sql.turns import Turns
from store.traces import Traces, open_traces

log = logging.getLogger(__name__)

_HELD = 50  # jobs that are tidied together
_TOLD_BY = 1_000  # documents by which a folder is recognised that has no owner yet


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
        turns: of what is done again and again.
        pictures: of pages, that somebody waits for.
        reviews: of answers.
        admission, idempotency, announcer: what accepting documents asks.
        traces: of jobs and requests.
        hindrance: when a document last had to wait for the installation, and for what; by the
            monotonic clock, of this process alone.
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
        local = LocalBlobs(
            settings.home / "blobs",
            min_free_bytes=settings.min_free_bytes,
            before_close=lambda name: settings.faults.at(f"write_{name}"),
        )
        self.blobs = ObjectBlobs(settings.blob_url, local) if settings.blob_url else local
        self.traces = traces or open_traces(settings.traces)
        self.repository = JobRepository(database)
        self.claims = Claims(database)
        self.leases = Leases(database)
        self.workers = WorkerRegistry(database)
        self.turns = Turns(database)
        self.pictures = Pictures(database)
        self.reviews = Reviews(database)
        self.admission = Admission(database, self.workers, settings)
        self.idempotency = Idempotency(database, hours=settings.idempotency_hours)
        self.announcer = announcer or Announcer()
        self.hindrance = -math.inf, ""
        self._blobs_known = False
        self.watcher = Watcher(self.repository, interval=0.04 if ends is None else 0.2, ends=ends)

    def prepare(self) -> None:
        """Create or migrate the tables; safe to repeat and to race."""
        self.database.migrate()

    def check_room(self) -> None:
        """Return where documents and their jobs have room; raises StorageFull."""
        self.blobs.check_room()
        if self.database.full:
            raise StorageFull("The job store has no room left on its disk.")

    def check_blobs(self, *, again: bool = False) -> None:
        """Return where this process sees the documents that the job store speaks of.

        Processes on several machines may be given a folder each by mistake: documents that one
        accepts would be missing for all others. Or a job store is given the folder of another one,
        whose documents would be orphans to it: an empty database before a backup is restored, or
        SQLite because the address of the database was forgotten.

        Args:
            again: look even where it was seen before: a folder may be unmounted meanwhile.

        Raises:
            NotReady: it sees another folder or object store than those who came first, or one
                with documents of which the job store knows none.
            StoreUnavailable: the job store or the object store does not answer.
        """
        if again or not self._blobs_known:
            self._recognise_blobs()
            self._blobs_known = True

    def _recognise_blobs(self) -> None:
        known = self.turns.holder("blobs")
        if known is None:
            # Looked for again: another process may have taken the folder, and documents, meanwhile.
            if self._sees_strangers() and self.turns.holder("blobs") is None:
                raise NotReady(
                    f"{self._place} holds documents of another job store.",
                    advice="Set FIELDWRIGHT_DATABASE_URL to the database that they belong to, or "
                    "restore it first. Where that one is given up, move the documents away.",
                )
            known = self.turns.hold("blobs", self.blobs.identity())
        if known not in (None, self.blobs.identity()):
            raise NotReady(
                f"{self._place} does not hold the documents of this job store.",
                advice="Mount the folder that the other machines share, or give all of them the "
                "same FIELDWRIGHT_BLOB_URL. If the documents are lost for good, delete the row "
                "'blobs' of the table 'locks'.",
            )

    @property
    def _place(self) -> str:
        return "FIELDWRIGHT_BLOB_URL" if self.settings.blob_url else str(self.blobs.spool.parent)

    def _sees_strangers(self) -> bool:
        """Say whether there are documents, and none of those looked at is of a job known here."""
        seen = False
        found = (job_id for job_id, _ in self.blobs.found(older_than=-math.inf))
        for chunk in chunks(islice(found, _TOLD_BY)):
            if self.repository.known(chunk):
                return False
            seen = True
        return seen

    def submit(
        self,
        document: Submission,
        *,
        max_queued: int | None = None,
        once: Once | None = None,
        reuse: bool = False,
        version: str | None = None,
    ) -> Job:
        """Accept a document: once this returns, the job survives any crash.

        Args:
            document: judged by the caller.
            max_queued: most unfinished jobs of its owner; None for the installation's number.
            once: with its Idempotency-Key: whoever sends it again is given the same job.
            reuse: an answer to an equal document of the same owner may be given again, so that
                the job ends at once.
            version: of the model that such an answer has to be of; None where the job's
                fingerprint says what answers.

        Raises:
            IdempotencyKeyReused, IdempotencyInFlight: the key.
            Overloaded, TooManyJobs: the queue is too long, or too much of it is the owner's.
            StoreUnavailable: the store did not answer; the job may have been stored all the same,
                and the same Idempotency-Key gives it.
            StorageFull: no room; nothing was accepted.
        """
        job = document.job
        with self.traces.stage("accept", job.id), once.alone() if once else nullcontext():
            if once and (earlier := once.made()):
                with self.database.reading() as connection:
                    return one(connection, earlier)
            answer = None
            if reuse:
                with self.database.reading() as connection:
                    answer = find_answer(connection, job, version)
            if answer is None:
                self.admission.check(job.owner, job.priority, max_queued=max_queued)
            with self.unstored() as unstored:
                self.store_files(document)
                unstored.append(job)
                if answer is not None and (words := self.blobs.get(answer[0].id, WORDS)):
                    self.blobs.put(job.id, WORDS, words)
                stored = self._store(job, once, answer, max_queued)
            if stored.id != job.id:  # another process was faster
                self.blobs.remove(job.id)
        self.settings.faults.at("after_commit", sha256=job.sha256)
        if stored.state == "queued":
            self.announcer.announce(stored.stage, [stored.id])
        return stored

    @contextmanager
    def unstored(self) -> Iterator[list[Job]]:
        """Give a list for jobs whose files are stored already, and that are to be stored together.

        Where the context ends with an error, their files are removed; where they may be in the
        store all the same, the sweep does it once it finds that they are not.
        """
        jobs: list[Job] = []
        try:
            yield jobs
        except BaseException as error:
            if jobs and not self.database.may_have_committed(error):
                self.blobs.remove(*(job.id for job in jobs))
            raise

    def store_files(self, document: Submission) -> None:
        """Store a document's bytes durably, before its job is stored.

        Where the job does not get into the store after all, its blobs have to be removed.

        Raises:
            StorageFull: no room on the disk; nothing is left there.
            NotReady: the workers would not find them where this process puts them.
            StoreUnavailable: the object store, or the job store, does not answer.
        """
        self.check_blobs()
        self.blobs.check_room()
        job = document.job
        try:
            self.blobs.put(job.id, FILE, document.content, durable=True)
            if document.password:
                self.blobs.put(job.id, PASSWORD, document.password.encode(), durable=True)
        except StoreUnavailable:
            raise  # a removal would have to wait as long; the sweep does it
        except BaseException:
            self.blobs.remove(job.id)
            raise
        self.settings.faults.at("after_spool", sha256=job.sha256)

    def _store(
        self, job: Job, once: Once | None, answer: tuple[Job, str] | None, max_queued: int | None
    ) -> Job:
        """Store a job with its key and its answer, all or none; return what the key stands for."""
        with self.database.writing() as connection:
            if once and (earlier := once.keep(connection, job.id)):
                return one(connection, earlier)
            if answer is None:
                (stored,) = insert_jobs(connection, [job])
                self.admission.confirm(connection, job.owner, max_queued)
                return stored
            give(connection, job, *answer)
            return one(connection, job.id)

    def status(self, job_id: str, scope: OwnerScope = ANY_OWNER) -> Job:
        """Return a job; raises JobUnknown where it does not exist or is out of scope."""
        return self.repository.get(plain_id(job_id), scope)

    def result(self, job_id: str, scope: OwnerScope = ANY_OWNER, *, reviewed: bool = True) -> str:
        """Return the answer of a job as JSON text; not `reviewed`, as the machine gave it.

        Raises:
            JobUnknown: it does not exist or is out of scope.
            FieldwrightError: as `check_answered`.
        """
        job, body = self.repository.answered(plain_id(job_id), scope, reviewed=reviewed)
        check_answered(job)
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
        removed = self.repository.delete(job_id, scope)
        self.blobs.remove(*removed)
        return "removed" if removed else "cancelling"

    def telemetry(self) -> Telemetry:
        """Return figures about the store for monitoring; raises StoreUnavailable."""
        return observe(self.database, silent_after=self.settings.lease_seconds)

    def add_up(self) -> None:
        """Add up what was noted of jobs and figures; raises StoreUnavailable."""
        counters.fold(self.database, JobMoveRow, counts.add_up)
        counters.fold(self.database, CounterNoteRow, counters.add_up)

    def tidy(self, *job_ids: str) -> None:
        """Remove the files of jobs without an answer that are not kept: all of cancelled ones.

        Others are left alone.

        They are held meanwhile. So nothing is taken from a job that is queued anew at the same
        moment: neither its new password nor its words.
        """
        with self.repository.holding(job_ids) as hold:
            for job_id, state in hold.states.items():
                if state == "cancelled":
                    self.blobs.remove(job_id)
                else:
                    self.blobs.keep_only(job_id, *KEPT)

    def _tidy_all(self, job_ids: Iterable[str]) -> None:
        for some in chunks(job_ids, _HELD):
            self.tidy(*some)

    def clean(self, *, deep: bool = False) -> None:
        """Remove what is out of date: expired jobs and keys, and what crashes left behind.

        Crashes leave files of ended jobs, passwords, half-written files, and dead workers.

        Args:
            deep: look at every file on the disk: those without a job too.
        """
        self.workers.forget(silent_for=10 * self.settings.lease_seconds)
        self._tidy_all(self.repository.fruitless())
        self.idempotency.forget()
        self.pictures.forget()
        expire(self.database, self.blobs, hours=self.settings.retention_hours)
        self.blobs.clear_spool()
        if deep:
            forget_batches(self.database, hours=self.settings.retention_hours)
            self._clean_files()

    def _clean_files(self) -> None:
        """Remove the files of jobs that are gone, and what is not kept of those that ended.

        Only where this is the last job store that cleaned there. A database restored from an older
        copy, and a copy of it beside the original, do not know the jobs of the newest documents.
        """
        self.check_blobs(again=True)
        token = uuid.uuid4().hex
        if self.turns.hold("cleaned", token, over=True) != self.blobs.note_cleaning(token):
            log.warning("documents without a job spared", extra={"place": self._place})
            return
        removed = 0
        # A document is on the disk a moment before its job is committed: young ones are spared.
        for chunk in chunks(self.blobs.found(older_than=3600)):
            names = dict(chunk)
            known = self.repository.known(list(names))
            gone = names.keys() - known.keys()
            self.blobs.remove(*gone)
            removed += len(gone)
            # Asked about those alone that have too much: most have not, and each is a request.
            left = [job_id for job_id in known if not names[job_id] <= {*KEPT}]
            for job_id in left:
                if known[job_id] == "succeeded":  # no such job is queued anew: none is locked
                    self.blobs.keep_only(job_id, *KEPT)
            cancelled = (job_id for job_id, state in known.items() if state == "cancelled")
            self._tidy_all({*left, *cancelled})  # those that have come to nothing
        if removed:
            log.info("documents without a job removed", extra={"documents": removed})

    def close(self) -> None:
        """Close the announcer, the traces and the connections to the store."""
        self.announcer.close()
        self.traces.close()
        self.database.close()
