"""Accepting documents: stored and queued, at most once for one Idempotency-Key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO

from pipeline.errors import FieldwrightError
from store.announce import Announcer
from store.blobs import FILE, PASSWORD, WORDS, Blobs
from store.errors import StoreUnavailable
from store.faults import Faults
from store.idempotency import Idempotency, Repeatable
from store.jobs.admission import Admission
from store.jobs.answers import Answer, find_answer, give
from store.jobs.records import Job
from store.jobs.rows import insert_jobs, one
from store.sql.database import Database
from store.traces import Traces


@dataclass(frozen=True, slots=True)
class Submission:
    """A document that was judged fit to be read.

    Attributes:
        job: of the document, complete but for its times; not stored yet.
        content: the document, read from its start.
        password: opens an encrypted PDF; kept beside the document until the job ends.
    """

    job: Job
    content: BinaryIO
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Intake:
    """Accepts documents; methods raise only `FieldwrightError`.

    Attributes:
        database: of the job store.
        blobs: where the documents go.
        check_blobs: raises where that is not the place that the workers read from.
        admission: says whether one more may wait.
        idempotency: the keys of requests that may be repeated.
        announcer: told of the jobs that wait.
        traces: of jobs.
        faults: of tests.
    """

    database: Database
    blobs: Blobs
    check_blobs: Callable[[], None]
    admission: Admission
    idempotency: Idempotency
    announcer: Announcer
    traces: Traces
    faults: Faults

    def submit(
        self,
        document: Submission,
        *,
        max_queued: int | None = None,
        request: Repeatable | None = None,
        reuse: bool = False,
        version: str | None = None,
    ) -> Job:
        """Accept a document: once this returns, the job survives any crash.

        Args:
            document: judged by the caller.
            max_queued: most unfinished jobs of its owner; None for the installation's number.
            request: with its Idempotency-Key: whoever sends it again is given the same job.
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
        with self.traces.stage("accept", job.id), self.idempotency.accepting(request):
            if request and (earlier := self.idempotency.find(request)):
                with self.database.reading() as connection:
                    return one(connection, earlier)
            answer = self._answer(job, version) if reuse else None
            if answer is None:
                self.admission.check(job.owner, job.priority, max_queued=max_queued)
            self.store_files(document)
            if answer is not None and (words := self.blobs.get(answer.job_id, WORDS)):
                self.blobs.put(job.id, WORDS, words)
            try:
                stored = self._store(job, request, answer)
            except FieldwrightError as error:
                if not self.database.may_have_committed(error):
                    self.blobs.remove(job.id)  # else the sweep does, where no job came of it
                raise
            if stored.id != job.id:  # another process was faster
                self.blobs.remove(job.id)
        self.faults.at("after_commit", sha256=job.sha256)
        if stored.state == "queued":
            self.announcer.announce(stored.stage, [stored.id])
        return stored

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
        self.faults.at("after_spool", sha256=job.sha256)

    def _answer(self, job: Job, version: str | None) -> Answer | None:
        """Return an answer that may be given again."""
        with self.database.reading() as connection:
            return find_answer(connection, job, version)

    def _store(self, job: Job, request: Repeatable | None, answer: Answer | None) -> Job:
        """Store a job with its key and its answer, all or none; return what the key stands for."""
        with self.database.writing() as connection:
            if request and (earlier := self.idempotency.keep(connection, request, job.id)):
                return one(connection, earlier)
            if answer is None:
                return insert_jobs(connection, [job])[0]
            give(connection, job, answer)
            return one(connection, job.id)
