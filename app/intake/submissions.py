"""Documents and batches on their way into the store: judged, then handed over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from app.intake.batch import Upload, documents_of
from app.intake.documents import judge, shown
from app.intake.orders import Order, check_order
from app.intake.spool import Spool
from app.shown_models import ShownModels
from models.packages import Registry
from store.access import ANY_OWNER, OwnerScope
from store.batches import Batch, Batches, NewBatch
from store.idempotency import Once
from store.jobs import Job, Jobs
from store.trainings import Trainings


class Submissions:
    """Accepts documents and batches; methods raise only `FieldwrightError`, and block."""

    def __init__(self, jobs: Jobs, registry: Registry) -> None:
        self._jobs = jobs
        self._registry = registry
        self._trainings = Trainings(jobs.database)

    def spool(self) -> Spool:
        """Return an empty file for the uploads of a request, on the disk of the documents."""
        return Spool(self._jobs.blobs.spool)

    def models(self, scope: OwnerScope) -> Registry:
        """Return the models that a caller may see and use."""
        return ShownModels(self._registry, self._trainings, scope)

    def order(self, scope: OwnerScope = ANY_OWNER, **options: str | None) -> Order:
        """Check how documents are to be read; arguments and errors as `check_order`.

        Args:
            scope: whose models may be named.
            options: of the request.
        """
        return check_order(self.models(scope), **options)

    def submit(
        self,
        source: BinaryIO,
        order: Order,
        *,
        filename: str = "",
        owner: str | None = None,
        max_queued: int | None = None,
        priority: int = 0,
        key: str | None = None,
        cache: bool = False,
    ) -> Job:
        """Accept a document: once this returns, the job survives any crash.

        Args:
            source: the document, read from its start.
            order: how it is to be read.
            filename: as the user calls it; shown only, never a path on the disk.
            owner: who may see the job; None where the service has no keys.
            max_queued: most unfinished jobs of this owner; None for the installation's number.
            priority: 0 where somebody waits, 1 in a batch; lower numbers are read first.
            key: the sender's Idempotency-Key: whoever sends it again is given the same job.
            cache: where the owner has an answer of the same model to the same document, read with
                the same options, the new job ends at once with it; never with a password.

        Raises:
            UnsupportedMedia, EmptyDocument, FileTooLarge: the document.
            IdempotencyKeyReused, IdempotencyInFlight: the key.
            Overloaded, TooManyJobs: the queue is too long, or too much of it is the owner's.
            StoreUnavailable, StorageFull: the service; nothing was accepted.
        """
        limit = self._jobs.settings.max_bytes
        document = judge(
            source, order, limit=limit, filename=filename, owner=owner, priority=priority
        )
        once = version = None
        if key is not None:
            asked = order.request_print([document.job.sha256])
            once = Once(self._jobs.idempotency, owner, "extract", key, asked)
        if cache and not order.among:
            version = self._registry.resolve(order.model).version
        return self._jobs.submit(
            document, max_queued=max_queued, once=once, reuse=cache, version=version
        )

    def submit_batch(
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

        Args:
            uploads: documents, and archives whose documents take their place.
            order: how all are to be read.
            name: as the sender calls the batch.
            owner: as of `submit`, like the next two.
            max_queued: of jobs.
            key: of the request.

        Raises:
            InvalidOption: there is no document at all.
            BatchTooLarge: more documents than the limit.
            ArchiveUnsafe: one of the archives may not be unpacked.
            BatchUnknown: the key was sent before, and its batch was deleted.
            IdempotencyKeyReused, IdempotencyInFlight, Overloaded, TooManyJobs, StoreUnavailable,
                StorageFull: as `submit`.
        """
        once = None
        if key is not None:
            asked = order.request_print([upload.sha256 for upload in uploads])
            once = Once(self._jobs.idempotency, owner, "batches", key, asked)
        return Batches(self._jobs).submit(
            NewBatch(shown(name), order.model, order.options, owner),
            documents_of(uploads, order, self._jobs.settings, owner=owner),
            least=len(uploads),
            max_queued=max_queued,
            once=once,
        )
