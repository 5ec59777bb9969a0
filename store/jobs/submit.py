"""Taking documents in: what is accepted, stored and queued, at most once for one key."""

from __future__ import annotations

import unicodedata
import uuid
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from models.packages import Registry
from pipeline.errors import FieldwrightError
from pipeline.reading.media import sniff
from pipeline.reading.options import ReadOptions
from pipeline.reading.page_ranges import parse_pages
from pipeline.routing import AUTO, Router
from store.announce import Announcer, Silent
from store.blobs.blobs import PASSWORD, LocalBlobs
from store.database import Database
from store.faults import fault_at
from store.jobs.admission import Admission
from store.jobs.answers import Answer, Answers, give
from store.jobs.fingerprints import answer_print, digest_of, request_print
from store.jobs.idempotency import Idempotency, Repeatable
from store.jobs.records import Job
from store.jobs.rows import one
from store.jobs.store import Store, insert_jobs
from store.settings import Settings

_HEAD = 4096  # bytes that tell what a document is
_NAME_LENGTH = 255


@dataclass(frozen=True, slots=True)
class Order:
    """How documents are to be read, checked: the model as jobs keep it, and the options."""

    model: str
    options: dict[str, Any]
    password: str | None = field(default=None, repr=False)


class Intake:
    """The entrance of the queue; its methods raise only `FieldwrightError`.

    Args:
        settings: of the installation.
        announcer: told of the jobs that wait and of those that ended.
    """

    def __init__(self, settings: Settings, announcer: Announcer | None = None) -> None:
        self.settings = settings
        self.database = Database(settings.store_url)
        self.store = Store(self.database)
        self.blobs = LocalBlobs(
            settings.home / "blobs", lambda name: fault_at(f"write_{name}", settings)
        )
        self.registry = Registry(settings.home / "models", default=settings.model)
        self.admission = Admission(self.store, settings)
        self.answers = Answers(self.database)
        self.announcer = announcer or Silent()
        self.idempotency = Idempotency(self.database, hours=settings.idempotency_hours)

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
        max_queued: int | None = None,
        priority: int = 0,
        key: str | None = None,
        cache: bool = False,
    ) -> Job:
        """Accept a document: once this returns, the job survives any crash.

        Args:
            source: the document, read from its start.
            filename: as the user calls it; shown only, never a path on the disk.
            model: ``NAME``, ``NAME@VERSION``, or ``auto`` for the one that fits the document; the
                default model where None.
            pages: page range such as ``1-3,-1``; all where None.
            ocr: ``auto``, ``always`` or ``never``; see `ReadOptions`.
            engine: ``tesseract`` or ``rapidocr``.
            language: such as ``eng+deu``.
            password: opens an encrypted PDF; kept beside the document until the job ends.
            owner: who may see the job; None where the service has no keys.
            max_queued: most unfinished jobs of this owner; None for the installation's number.
            priority: 0 where somebody waits, 1 in a batch; lower numbers are read first.
            key: the sender's Idempotency-Key: who sends it again is given the same job.
            cache: where the owner has an answer of the same model to the same document, read with
                the same options, the new job ends at once with it; never with a password.

        Raises:
            UnsupportedMedia, EmptyDocument, FileTooLarge: the document.
            UnknownModel, ModelPackageError: the model.
            InvalidOption, BadPageRange: how it is to be read.
            IdempotencyKeyReused, IdempotencyInFlight: the key.
            Overloaded, TooManyJobs: the queue is too long, or too much of it is the owner's.
            StoreUnavailable, StorageFull: the service; nothing was accepted.
        """
        order = self.order(
            model=model, pages=pages, ocr=ocr, engine=engine, language=language, password=password
        )
        sha256 = digest_of(source) if key is not None or cache else ""
        request = None
        if key is not None:
            asked = request_print([sha256], model=model, options=order.options, password=password)
            request = Repeatable(owner, "extract", key, asked)
        with self.idempotency.accepting(request):
            if request and (earlier := self.idempotency.find(request)) and earlier.job_id:
                return self.store.get(earlier.job_id)
            answer = self._answer(sha256, order, owner) if cache else None
            if answer is None:
                self.admission.check(owner, priority, max_queued=max_queued)
            job = self.receive(source, order, filename=filename, owner=owner, priority=priority)
            try:
                stored = self._stored(job, request, answer)
            except FieldwrightError:
                self.blobs.remove(job.id)
                raise
            if stored.id != job.id:  # another process was faster
                self.blobs.remove(job.id)
        fault_at("after_commit", self.settings, sha256=job.sha256)
        if stored.state == "queued":
            self.announcer.announce(stored.stage, [stored.id])
        return stored

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
        named = self._named(model)
        chosen = {"pages": pages, "ocr": ocr, "engine": engine, "language": language}
        options: dict[str, Any] = {name: value for name, value in chosen.items() if value}
        ReadOptions(**options)  # checks them while the caller waits
        if pages:
            parse_pages(pages)
        return Order(named, options, password or None)

    def _named(self, model: str | None) -> str:
        """Return the model as jobs keep it: with a version where one was asked for."""
        if model == AUTO:
            Router(self.registry).candidates()  # while the caller waits
            return AUTO
        ref = self.registry.resolve(model)
        return str(ref) if "@" in (model or self.settings.model) else ref.name

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
        self.admission.check_room()
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
            fingerprint=_answer_print(sha256, order),
        )

    def _answer(self, sha256: str, order: Order, owner: str | None) -> Answer | None:
        """Return the answer that the owner has to such a document already."""
        wanted = _answer_print(sha256, order)
        if wanted is None:
            return None
        version = self.registry.resolve(order.model).version
        return self.answers.find(wanted, version, owner)

    def _stored(self, job: Job, request: Repeatable | None, answer: Answer | None) -> Job:
        """Store a job with its key and its answer, all or none; return what the key stands for."""
        if request is None and answer is None:
            return self.store.add(job)
        with self.database.writing() as connection:
            if request is not None:
                earlier = self.idempotency.keep(connection, request, job_id=job.id)
                if earlier is not None and earlier.job_id is not None:
                    return one(connection, earlier.job_id)
            if answer is None:
                return insert_jobs(connection, [job])[0]
            give(connection, job, answer)
            return one(connection, job.id)


def shown(filename: str) -> str:
    """Return a file name fit to be shown: no folders, no control or direction marks, cut."""
    last = filename.replace("\\", "/").rpartition("/")[2]
    kept = "".join(c for c in last if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp"))
    return kept.strip()[:_NAME_LENGTH]


def _answer_print(sha256: str, order: Order) -> str | None:
    if order.password:  # who does not know it must not get the answer
        return None
    if order.model == AUTO:  # which model answers is not known yet
        return None
    return answer_print(sha256, order.model.partition("@")[0], order.options)
