"""Batches: many documents accepted together, followed together, tried again, and written out."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Literal

from pipeline.answers.export import Reply, csv_header, csv_row, json_line
from pipeline.errors import FieldwrightError, InvalidOption, error_from
from pipeline.result import Extraction
from pipeline.routing import AUTO
from pipeline.values.schema import FieldSpec
from store import cursors
from store.access.ownership import ANY, Reach
from store.batches.batch_draft import PRIORITY, Draft, Upload
from store.batches.batch_store import BatchStore, insert_batch
from store.batches.records import Batch, Item, ItemState
from store.blobs.blobs import FILE, PASSWORD
from store.errors import BatchUnknown, JobCancelled, JobExpired, JobNotFinished, JobUnknown
from store.jobs.fingerprints import request_print
from store.jobs.idempotency import Repeatable
from store.jobs.jobs import Jobs
from store.jobs.submit import Order, shown
from store.spool import Spool

__all__ = ["Batch", "Batches", "Item", "ItemState", "Upload"]

_PAGE = 100  # answers in memory at the same time
_EXPORT_BYTES = 1 << 16  # of text that is handed on at one go


class Batches:
    """The batches of one installation; methods raise only `FieldwrightError`, and block.

    Args:
        jobs: the queue that their documents go into.
    """

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._store = BatchStore(jobs.database)

    def spool(self) -> Spool:
        """Return an empty file for the uploads of a request."""
        return self._jobs.blobs.spool()

    def submit(
        self,
        uploads: Sequence[Upload],
        order: Order,
        *,
        name: str = "",
        owner: str | None = None,
        max_queued: int | None = None,
        key: str | None = None,
    ) -> Batch:
        """Accept documents together: once this returns, the batch survives any crash.

        A document that cannot be accepted becomes an item with its error; the others are read.
        Before this returns there is no batch at all, whatever happens.

        Args:
            uploads: documents, and archives whose documents take their place.
            order: how all are to be read; see `Jobs.order`.
            name: as the sender calls the batch.
            owner: who may see it; None where the service has no keys.
            max_queued: most unfinished jobs of this owner; None for the installation's number.
            key: the sender's Idempotency-Key: who sends it again is given the same batch.

        Raises:
            InvalidOption: there is no document at all.
            BatchTooLarge: more documents than the limit.
            ArchiveUnsafe: one of the archives may not be unpacked.
            IdempotencyKeyReused, IdempotencyInFlight: the key.
            BatchUnknown: the key was sent before, and its batch was deleted.
            Overloaded, TooManyJobs: the queue is too long, or too much of it is the owner's.
            StoreUnavailable, StorageFull: the service; nothing was accepted.
        """
        queue, request = self._jobs, None
        if key is not None:
            documents = [upload.sha256 for upload in uploads]
            asked = request_print(
                documents, model=order.model, options=order.options, password=order.password
            )
            request = Repeatable(owner, "batches", key, asked)
        with queue.idempotency.accepting(request):
            if request and (earlier := queue.idempotency.find(request)) and earlier.batch_id:
                return self._store.get(earlier.batch_id, ANY)
            admit = partial(queue.admission.check, owner, PRIORITY, max_queued=max_queued)
            admit(documents=len(uploads))
            draft = Draft(queue, order, owner)
            try:
                for upload in uploads:
                    draft.add(upload)
                if not draft.items:
                    raise InvalidOption(
                        "The batch holds no document.",
                        advice="Send documents, or ZIP archives of them, in the field `files`.",
                    )
                if len(draft.jobs) > len(uploads):  # archives held more
                    admit(documents=len(draft.jobs) - len(uploads))
                batch_id = self._stored(draft, shown(name), request)
            except BaseException:
                draft.discard()
                raise
        return self._store.get(batch_id, ANY)

    def get(self, batch_id: str, reach: Reach = ANY) -> Batch:
        """Return a batch as it stands; raises BatchUnknown where there is none within reach."""
        return self._store.get(_checked(batch_id), reach)

    def page(
        self, cursor: str | None = None, limit: int = 20, reach: Reach = ANY
    ) -> tuple[list[Batch], str | None]:
        """Return batches, the newest first, and the cursor of the next page or None at the end.

        Raises:
            InvalidOption: `cursor` was not made here.
        """
        found = self._store.page(cursors.moment_and_id(cursor), limit + 1, reach)
        if len(found) <= limit:
            return found, None
        last = found[limit - 1]
        return found[:limit], cursors.cursor(last.created_at, last.id)

    def items(
        self,
        batch_id: str,
        *,
        cursor: str | None = None,
        limit: int = 100,
        state: ItemState | None = None,
        reach: Reach = ANY,
    ) -> tuple[list[Item], str | None]:
        """Return items in their order, those of one `state` where it is given, and the next cursor.

        Raises:
            BatchUnknown: no such batch within reach.
            InvalidOption: `cursor` was not made here.
        """
        after = cursors.number(cursor)
        found = self._store.items(
            _checked(batch_id), reach, after=after, limit=limit + 1, state=state
        )
        if len(found) <= limit:
            return found, None
        return found[:limit], cursors.cursor(found[limit - 1].number)

    def retry(self, batch_id: str, *, password: str | None = None, reach: Reach = ANY) -> int:
        """Queue the documents that failed once more, as new; return how many.

        Those whose bytes are gone by now stay as they are.

        Args:
            batch_id: of the batch.
            password: opens the encrypted ones; the first one was removed when they failed.
            reach: whose batches are seen.

        Raises:
            BatchUnknown: no such batch within reach.
        """
        blobs = self._jobs.blobs
        failed = self._store.failed(_checked(batch_id), reach)
        there = [job_id for job_id in failed if blobs.holds(job_id, FILE)]
        if password:
            for job_id in there:
                blobs.put(job_id, PASSWORD, password.encode(), durable=True)
        queued = self._store.requeue(there)
        self._jobs.announcer.announce("read", queued)
        return len(queued)

    def delete(self, batch_id: str, reach: Reach = ANY) -> int:
        """Remove a batch with its documents, words and answers; running ones are stopped first.

        Returns:
            How many were running: they end as ``cancelled`` at the next page, and their files go.

        Raises:
            BatchUnknown: no such batch within reach.
        """
        removed, stopping = self._store.delete(_checked(batch_id), reach)
        for job_id in removed:
            self._jobs.blobs.remove(job_id)
        return stopping

    def export(
        self, batch_id: str, form: Literal["jsonl", "csv"], reach: Reach = ANY
    ) -> Iterator[str]:
        """Return the answers of a batch as text, in the order of its items, piece by piece.

        An item without an answer is a line with its error, which says why: that it failed, or
        that it is not finished.

        Raises:
            BatchUnknown: no such batch within reach.
            UnknownModel, ModelPackageError: its model was removed, so a table has no columns.
        """
        batch = self.get(batch_id, reach)
        if form == "jsonl":
            return self._pieces("", map(json_line, self._replies(batch)))
        fields = self._fields(batch)
        rows = (csv_row(reply, fields) for reply in self._replies(batch))
        return self._pieces(csv_header(fields), rows)

    def _stored(self, draft: Draft, name: str, request: Repeatable | None) -> str:
        """Store a batch with its key, both or neither; return the batch that the key stands for."""
        batch_id, earlier = str(uuid.uuid4()), None
        with self._jobs.database.writing() as connection:
            if request is not None:
                earlier = self._jobs.idempotency.keep(connection, request, batch_id=batch_id)
            if earlier is None:
                insert_batch(connection, batch_id, name, draft)
        if earlier is not None:  # another process was faster
            draft.discard()
            return earlier.batch_id or ""
        self._jobs.announcer.announce("read", [job.id for job in draft.jobs])
        return batch_id

    def _replies(self, batch: Batch) -> Iterator[Reply]:
        for item, body in self._store.answers(batch.id, size=_PAGE):
            if item.state == "succeeded" and body is not None:
                answer = Extraction.model_validate_json(body)
                yield Reply(item.filename, answer=answer, sha256=item.sha256)
            else:
                yield Reply(item.filename, error=_error(item), sha256=item.sha256)

    def _fields(self, batch: Batch) -> list[FieldSpec]:
        """Return the fields of the models that answered; of the one asked for before."""
        answered = [f"{name}@{version}" for name, version in self._store.versions(batch.id)]
        fields: dict[str, FieldSpec] = {}
        named = [] if batch.model == AUTO else [batch.model]
        for model in answered or named:
            for spec in self._jobs.fields(model):
                fields.setdefault(spec.name, spec)
        return list(fields.values())

    @staticmethod
    def _pieces(text: str, lines: Iterator[str]) -> Iterator[str]:
        for line in lines:
            text += line
            if len(text) >= _EXPORT_BYTES:
                yield text
                text = ""
        yield text


def _checked(batch_id: str) -> str:
    try:
        return str(uuid.UUID(batch_id))
    except ValueError as error:
        raise BatchUnknown("There is no batch of that id.") from error


def _error(item: Item) -> FieldwrightError:
    """Return why an item has no answer."""
    match item.state:
        case "queued" | "running":
            return JobNotFinished(f"The document is {item.state}.")
        case "cancelled":
            return JobCancelled("The document was cancelled.")
        case "expired":
            return JobExpired("The answer was removed for its age.")
        case "failed" | "refused":
            return error_from(item.error_code or "", item.error_detail or "", item.error_advice)
        case _:
            return JobUnknown("The document was removed.")
