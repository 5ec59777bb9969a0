"""Batches: many documents accepted together, followed together, and tried again."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable
from functools import partial

from store.access import ANY_OWNER, OwnerScope
from store.batches.records import Batch, Item, NewBatch, Refused, Skipped
from store.batches.repository import BatchRepository, insert_batch
from store.blobs import FILE, PASSWORD
from store.idempotency import Repeatable
from store.jobs import Job, Jobs, Submission
from store.sql.cursors import chunks, plain_id

BATCH_PRIORITY = 1  # after documents that somebody waits for
_NAMED = 100  # files that are no documents; their names go with every view of the batch
_AT_ONCE = 50  # documents that are queued anew together
_PATIENCE_S, _MOMENT_S = 5.0, 0.05  # that the files of a job that has just failed are waited for


class Batches(BatchRepository):
    """The batches of one installation, with the files of their documents.

    Methods raise only `FieldwrightError`, and block.

    Args:
        jobs: the queue that their documents go into.
    """

    def __init__(self, jobs: Jobs) -> None:
        super().__init__(jobs.database)
        self._jobs = jobs

    def submit(
        self,
        batch: NewBatch,
        documents: Iterable[Submission | Refused | Skipped],
        *,
        least: int,
        max_queued: int | None = None,
        request: Repeatable | None = None,
    ) -> Batch:
        """Accept documents together: once this returns, the batch survives any crash.

        A document that was refused becomes an item with its error; the others are read. Before
        this returns there is no batch at all, whatever happens.

        Args:
            batch: what its sender said of it.
            documents: judged by the caller, as they are asked for; what this raises goes up.
            least: how many documents there will be at least.
            max_queued: most unfinished jobs of the owner; None for the installation's number.
            request: with its Idempotency-Key: whoever sends it again is given the same batch.

        Raises:
            IdempotencyKeyReused, IdempotencyInFlight: the key.
            BatchUnknown: the key was sent before, and its batch was deleted.
            BatchTooLarge: more documents than the owner may have in the queue.
            Overloaded, TooManyJobs: the queue is too long, or too much of it is the owner's.
            StoreUnavailable, StorageFull: the service; nothing was accepted.
        """
        jobs = self._jobs
        with jobs.idempotency.accepting(request):
            if request and (earlier := jobs.idempotency.find(request)):
                return self.get(earlier)
            admit = partial(
                jobs.admission.check, batch.owner, BATCH_PRIORITY, max_queued=max_queued
            )
            admit(documents=least)
            draft = _Draft(jobs)
            try:
                for document in documents:
                    draft.add(document)
                if len(draft.jobs) > least:  # archives held more
                    admit(documents=len(draft.jobs) - least, counted=least)
                batch_id = self._store(batch, draft, request)
            except BaseException as error:
                if not jobs.database.may_have_committed(error):
                    draft.discard()
                raise
        return self.get(batch_id)

    def retry(
        self, batch_id: str, *, password: str | None = None, scope: OwnerScope = ANY_OWNER
    ) -> int:
        """Queue the documents that failed once more, as new; return how many.

        Those whose bytes are gone by now stay as they are. Passwords are put beside the others
        while these are held, before anyone can claim them.

        Args:
            batch_id: of the batch.
            password: opens the encrypted ones; the first one was removed when they failed.
            scope: whose batches are seen.

        Raises:
            BatchUnknown: it does not exist or is out of scope.
        """
        blobs, batch_id = self._jobs.blobs, plain_id(batch_id)
        failed = self._failed(batch_id, scope)
        left = [job_id for job_id in failed if blobs.holds(job_id, FILE)]
        queued, until = set[str](), time.monotonic() + _PATIENCE_S
        while left:
            for some in chunks(left, _AT_ONCE):
                with self._jobs.repository.holding(some) as hold:
                    if password:
                        for job_id in hold.states:
                            blobs.put(job_id, PASSWORD, password.encode(), durable=True)
                    new = self._requeue(batch_id, hold)
                self._jobs.announcer.announce("read", new)
                queued |= {*new}
            # Some may have failed this very moment, and their files be tidied: that is soon done.
            failed = self._failed(batch_id, scope)
            left = [job_id for job_id in left if job_id in failed and job_id not in queued]
            if time.monotonic() > until:
                break
            if left:
                time.sleep(_MOMENT_S)
        return len(queued)

    def delete(self, batch_id: str, scope: OwnerScope = ANY_OWNER) -> int:
        """Remove a batch with its documents, words and answers; running ones are stopped first.

        Returns:
            How many were running: they end as ``cancelled`` at the next page, and their files go.

        Raises:
            BatchUnknown: it does not exist or is out of scope.
        """
        removed, stopping = self._remove(plain_id(batch_id), scope)
        self._jobs.blobs.remove(*removed)
        return stopping

    def _store(self, batch: NewBatch, draft: _Draft, request: Repeatable | None) -> str:
        """Store a batch with its key, both or neither; return the batch that the key stands for."""
        batch_id, earlier = str(uuid.uuid4()), None
        with self._jobs.database.writing() as connection:
            if request is not None:
                earlier = self._jobs.idempotency.keep(connection, request, batch_id)
            if earlier is None:
                insert_batch(connection, batch_id, batch, draft.items, draft.jobs, draft.skipped)
        if earlier is not None:  # another process was faster
            draft.discard()
            return earlier
        self._jobs.announcer.announce("read", [job.id for job in draft.jobs])
        return batch_id


class _Draft:
    """The documents of a batch that is being accepted: on the disk, and known to nobody else."""

    def __init__(self, jobs: Jobs) -> None:
        self._queue = jobs
        self.items: list[Item] = []
        self.jobs: list[Job] = []
        self.skipped: list[str] = []

    def add(self, document: Submission | Refused | Skipped) -> None:
        """Add a document, whose bytes are stored at once where it was not refused."""
        number = len(self.items) + 1
        if isinstance(document, Skipped):
            if len(self.skipped) < _NAMED:
                self.skipped.append(document.filename)
        elif isinstance(document, Refused):
            why = document.error
            item = Item(
                *(number, document.filename, document.sha256, None, "refused"),
                error_code=why.code,
                error_detail=why.detail,
                error_advice=why.advice,
            )
            self.items.append(item)
        else:
            job = document.job
            self._queue.intake.store_files(document)
            self.jobs.append(job)
            self.items.append(Item(number, job.filename, job.sha256, job.id, "queued"))

    def discard(self) -> None:
        """Remove the documents from the disk again."""
        self._queue.blobs.remove(*(job.id for job in self.jobs))
