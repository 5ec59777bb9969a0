"""Batches: many documents accepted together, followed together, and tried again.

How far a batch is follows from the states of its jobs.
"""

from __future__ import annotations

import time
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import fields, replace
from functools import partial
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    case,
    exists,
    func,
    insert,
    literal,
    null,
    select,
    union_all,
)
from sqlalchemy.orm import aliased

from store.access import ANY_OWNER, OwnerScope, audit, owned
from store.batches.records import STATES, Batch, Item, ItemState, NewBatch, Refused, Skipped
from store.blobs import FILE, PASSWORD
from store.errors import BatchUnknown
from store.idempotency import Once
from store.jobs import Job, Jobs, Submission
from store.jobs.repository import Hold
from store.jobs.rows import (
    copies_of,
    insert_jobs,
    removable,
    remove_batches,
    remove_jobs,
    requeue_jobs,
)
from store.sql import cursors
from store.sql.cursors import chunks, plain_id
from store.sql.tables import (
    BatchItemRow,
    BatchRow,
    DecisionRow,
    JobRow,
    ResultRow,
    ReviewRow,
    now,
)
from store.webhooks import outbox

BATCH_PRIORITY = 1  # after documents that somebody waits for
_NAMED = 100  # files that are no documents; their names go with every view of the batch
_AT_ONCE = 50  # documents that are queued anew together
_PATIENCE_S, _MOMENT_S = 5.0, 0.05  # that the files of a job that has just failed are waited for

_LATELY = 50  # ended jobs from whose pace the time left is estimated
_PAGE = 100  # items that are read at a time
_ROOM = 1 << 23  # characters of answers in memory at the same time, if there is more than one


# An item without a job was refused when it came, or its job was removed since.
_of_job = case((JobRow.expired_at.is_not(None), literal("expired")), else_=JobRow.state)
_jobless = case((BatchItemRow.error_code.is_not(None), literal("refused")), else_="removed")
_state: ColumnElement[str] = case((JobRow.id.is_not(None), _of_job), else_=_jobless)
# A cancelled job keeps no name of its document.
_filename: ColumnElement[str] = func.coalesce(JobRow.filename, BatchItemRow.filename)
_JOINED = BatchItemRow.__table__.outerjoin(JobRow.__table__, JobRow.id == BatchItemRow.job_id)


class Batches:
    """The batches of one installation, with the files of their documents.

    Methods raise only `FieldwrightError`, and block.
    """

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._database = jobs.database

    def submit(
        self,
        batch: NewBatch,
        documents: Iterable[Submission | Refused | Skipped],
        *,
        least: int,
        max_queued: int | None = None,
        once: Once | None = None,
    ) -> Batch:
        """Accept documents together: once this returns, the batch survives any crash.

        A document that was refused becomes an item with its error; the others are read. Before
        this returns there is no batch at all, whatever happens.

        Args:
            batch: what its sender said of it.
            documents: judged by the caller, as they are asked for; what this raises goes up.
            least: how many documents there will be at least.
            max_queued: most unfinished jobs of the owner; None for the installation's number.
            once: with its Idempotency-Key: whoever sends it again is given the same batch.

        Raises:
            IdempotencyKeyReused, IdempotencyInFlight: the key.
            BatchUnknown: the key was sent before, and its batch was deleted.
            BatchTooLarge: more documents than the owner may have in the queue.
            Overloaded, TooManyJobs: the queue is too long, or too much of it is the owner's.
            StoreUnavailable, StorageFull: the service; nothing was accepted.
        """
        jobs = self._jobs
        with once.alone() if once else nullcontext():
            if once and (earlier := once.made()):
                return self.get(earlier)
            admit = partial(
                jobs.admission.check, batch.owner, BATCH_PRIORITY, max_queued=max_queued
            )
            admit(documents=least)
            with jobs.unstored() as unstored:
                draft = _Draft(jobs, unstored)
                for document in documents:
                    draft.add(document)
                if len(draft.jobs) > least:  # archives held more
                    admit(documents=len(draft.jobs) - least, counted=least)
                batch_id = self._store(batch, draft, once, max_queued)
        return self.get(batch_id)

    def retry(
        self,
        batch_id: str,
        *,
        password: str | None = None,
        max_queued: int | None = None,
        scope: OwnerScope = ANY_OWNER,
    ) -> int:
        """Queue the documents that failed once more, as new; return how many.

        Those whose bytes are gone by now stay as they are. Passwords are put beside the others
        while these are held, before anyone can claim them.

        Args:
            batch_id: of the batch.
            password: opens the encrypted ones; the first one was removed when they failed.
            max_queued: as of `submit`, whose limits hold here too.
            scope: whose batches are seen.

        Raises:
            BatchUnknown: it does not exist or is out of scope.
            BatchTooLarge, Overloaded, TooManyJobs: as `submit`; none was queued.
        """
        blobs, batch_id = self._jobs.blobs, plain_id(batch_id)
        owner = self.get(batch_id, scope).owner
        left = [job_id for job_id in self._failed(batch_id) if blobs.holds(job_id, FILE)]
        if left:
            self._jobs.admission.check(
                owner, BATCH_PRIORITY, documents=len(left), max_queued=max_queued
            )
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
            failed = self._failed(batch_id)
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
        batch_id = plain_id(batch_id)
        gone: list[str] = []
        stopping = 0
        with self._database.writing() as connection:
            _check(connection, batch_id, scope)
            of_batch = connection.scalars(select(JobRow.id).where(JobRow.batch_id == batch_id))
            for some in chunks(of_batch.all()):
                free, running = removable(connection, JobRow.id.in_(some))
                gone += free
                stopping += len(running)
            audit.record(
                connection, "batch.deleted", batch_id, removed=len(gone), cancelled=stopping
            )
            remove_batches(connection, [batch_id])
            for some in chunks([*gone]):
                gone += (copies := copies_of(connection, some))
                remove_jobs(connection, [*some, *copies])
        self._jobs.blobs.remove(*gone)
        return stopping

    def get(self, batch_id: str, scope: OwnerScope = ANY_OWNER) -> Batch:
        """Return a batch; raises BatchUnknown where it does not exist or is out of scope."""
        where = _is(plain_id(batch_id), scope)
        with self._database.reading() as connection:
            row = connection.execute(select(*_BATCH).where(where)).first()
            if row is None:
                raise BatchUnknown("There is no batch of that id.")
            (batch,) = _counted(connection, [row])
            if batch.ended == batch.total:
                return batch
            return _with_time_left(connection, batch)

    def page(
        self, cursor: str | None = None, limit: int = 20, scope: OwnerScope = ANY_OWNER
    ) -> tuple[list[Batch], str | None]:
        """Return batches, the newest first, and the cursor of the next page or None at the end.

        Raises:
            InvalidOption: `cursor` was not made here.
        """
        query = select(*_BATCH).where(owned(BatchRow.owner, scope))
        query = cursors.newest_first(query, BatchRow, cursor, limit)
        with self._database.reading() as connection:
            rows, following = cursors.page(list(connection.execute(query)), limit)
            return _counted(connection, rows), following

    def items(
        self,
        batch_id: str,
        *,
        cursor: str | None = None,
        limit: int = 100,
        state: ItemState | None = None,
        scope: OwnerScope = ANY_OWNER,
    ) -> tuple[list[Item], str | None]:
        """Return items in their order, those of one `state` where it is given, and the next cursor.

        Raises:
            BatchUnknown: it does not exist or is out of scope.
            InvalidOption: `cursor` was not made here.
        """
        batch_id = plain_id(batch_id)
        query = _items(batch_id, cursors.number(cursor), limit + 1)
        if state is not None:
            query = query.where(_in_state(batch_id, state))
        with self._database.reading() as connection:
            _check(connection, batch_id, scope)
            return cursors.page([_item(row) for row in connection.execute(query)], limit, "number")

    def answers(self, batch: Batch, *, reviewed: bool = True) -> Iterator[tuple[Item, str | None]]:
        """Give all items in their order, each with its answer as JSON text where it has one.

        Answers are `reviewed`, or as the machine gave them. Few items are read at a time, and no
        more of their answers than fit into `_ROOM`: a batch of any size fits into memory.

        Raises:
            BatchUnknown: it was removed meanwhile; not all items were given.
        """
        body: Any = func.coalesce(ReviewRow.body, ResultRow.body) if reviewed else ResultRow.body
        after = 0
        while True:
            query = _with_answers(_items(batch.id, after, _PAGE).add_columns(func.length(body)))
            with self._database.reading() as connection:
                rows = connection.execute(query).all()
                if len(rows) < _PAGE:  # the end, or the batch was removed since
                    _check(connection, batch.id, ANY_OWNER)
            for some in _fitting(rows):
                answered = [row.job_id for row in some if row[-1] is not None]
                bodies = self._bodies(answered, body) if answered else {}
                for row in some:
                    yield _item(row), bodies.get(row.job_id)
            if len(rows) < _PAGE:
                return
            after = rows[-1].number

    def _bodies(self, job_ids: Sequence[str], body: Any) -> dict[str, str]:
        query = _with_answers(select(JobRow.id, body).select_from(JobRow))
        with self._database.reading() as connection:
            rows = connection.execute(query.where(JobRow.id.in_(job_ids)))
            return {job_id: text for job_id, text in rows if text is not None}

    def versions(self, batch: Batch, *, reviewed: bool = True) -> list[tuple[str, str]]:
        """Return the models that answered, as (name, version), in the order of the names.

        Where `reviewed`, those whose answers were taken in a review are among them.
        """
        answered = select(JobRow.model, JobRow.model_version)
        answered = answered.where(JobRow.batch_id == batch.id, JobRow.state == "succeeded")
        row, undo = DecisionRow, aliased(DecisionRow)
        model = [row.after["model"][key].as_string() for key in ("name", "version")]
        taken = select(*model).join(JobRow, JobRow.id == row.job_id)
        undone = exists().where(undo.job_id == row.job_id, undo.undoes == row.id)
        taken = taken.where(JobRow.batch_id == batch.id, row.kind == "model", ~undone)
        with self._database.reading() as connection:
            rows = connection.execute(answered.distinct()).all()
            found = {(name.partition("@")[0], version or "") for name, version in rows}
            if reviewed:
                found |= {(name, version) for name, version in connection.execute(taken.distinct())}
        return sorted(found)

    def _failed(self, batch_id: str) -> set[str]:
        """Return the jobs of a batch that failed."""
        with self._database.reading() as connection:
            return set(connection.scalars(select(JobRow.id).where(_in_state(batch_id, "failed"))))

    def _requeue(self, batch_id: str, hold: Hold) -> list[str]:
        """Put jobs of a batch that failed, and that are held, back into the queue.

        Returns:
            Their ids.
        """
        with self._database.writing() as connection:
            held = JobRow.token == hold.token
            queued = requeue_jobs(connection, list(hold.states), held)
            if queued:
                audit.record(connection, "batch.retried", batch_id, jobs=len(queued))
            return queued

    def _store(
        self, batch: NewBatch, draft: _Draft, once: Once | None, max_queued: int | None
    ) -> str:
        """Store a batch with its key, both or neither; return the batch that the key stands for."""
        batch_id, earlier = str(uuid.uuid4()), None
        with self._database.writing() as connection:
            if once is not None:
                earlier = once.keep(connection, batch_id)
            if earlier is None:
                _insert(connection, batch_id, batch, draft)
                self._jobs.admission.confirm(connection, batch.owner, max_queued)
        if earlier is not None:  # another process was faster
            self._jobs.blobs.remove(*(job.id for job in draft.jobs))
            return earlier
        self._jobs.announcer.announce("read", [job.id for job in draft.jobs])
        return batch_id


class _Draft:
    """The documents of a batch that is being accepted: on the disk, and known to nobody else."""

    def __init__(self, queue: Jobs, jobs: list[Job]) -> None:
        self._queue = queue
        self.jobs = jobs  # see `Jobs.unstored`
        self.items: list[Item] = []
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
            self._queue.store_files(document)
            self.jobs.append(job)
            self.items.append(Item(number, job.filename, job.sha256, job.id, "queued"))


def _insert(connection: Connection, batch_id: str, batch: NewBatch, draft: _Draft) -> None:
    """Store a batch with its items and its jobs, whose files lie on the disk already."""
    new = insert(BatchRow).values(id=batch_id, owner=batch.owner, name=batch.name)
    new = new.values(model=batch.model, options=batch.options, skipped=draft.skipped)
    connection.execute(new.values(created_at=now(connection)))
    insert_jobs(connection, draft.jobs)
    kept = {column.key for column in BatchItemRow.__table__.columns} - {"batch_id"}
    rows = [
        {"batch_id": batch_id, **{name: getattr(item, name) for name in kept}}
        for item in draft.items
    ]
    connection.execute(insert(BatchItemRow), rows)
    if not draft.jobs:  # all were refused
        outbox.batch_finished(connection, batch_id)


_BATCH = [
    *(BatchRow.id, BatchRow.owner, BatchRow.name, BatchRow.model),
    *(BatchRow.options, BatchRow.skipped, BatchRow.created_at),
]
_ERROR = [
    func.coalesce(getattr(JobRow, name), getattr(BatchItemRow, name)).label(name)
    for name in ("error_code", "error_detail", "error_advice")
]


def _is(batch_id: str, scope: OwnerScope) -> ColumnElement[bool]:
    return (BatchRow.id == batch_id) & owned(BatchRow.owner, scope)


def _check(connection: Connection, batch_id: str, scope: OwnerScope) -> None:
    if connection.scalar(select(BatchRow.id).where(_is(batch_id, scope))) is None:
        raise BatchUnknown("There is no batch of that id.")


def _items(batch_id: str, after: int, limit: int) -> Any:
    """Return the query for items, a column each field of `Item`."""
    item = BatchItemRow
    pages = func.coalesce(JobRow.pages_done, 0).label("pages_done"), JobRow.pages_total
    return (
        select(item.number, _filename.label("filename"), item.sha256, item.job_id)
        .add_columns(_state.label("state"), *pages, *_ERROR)
        .select_from(_JOINED)
        .where(item.batch_id == batch_id, item.number > after)
        .order_by(item.number)
        .limit(limit)
    )


def _with_answers(query: Any) -> Any:
    """Return a query for jobs that may ask for their answers, the machine's and the reviewed."""
    query = query.outerjoin(ResultRow, ResultRow.job_id == JobRow.id)
    return query.outerjoin(ReviewRow, ReviewRow.job_id == JobRow.id)


def _fitting(rows: Sequence[Any]) -> Iterator[list[Any]]:
    """Give items, whose last column is the length of their answer, as many as fit into memory."""
    some: list[Any] = []
    room = _ROOM
    for row in rows:
        room -= row[-1] or 0
        if some and room < 0:
            yield some
            some, room = [], _ROOM - (row[-1] or 0)
        some.append(row)
    if some:
        yield some


def _in_state(batch_id: str, state: ItemState) -> ColumnElement[bool]:
    """Return the condition that an item of a batch, joined with its job, is in a state.

    As an index answers it: few items of a state are found without the others.
    """
    if state in ("refused", "removed"):
        return and_(BatchItemRow.job_id.is_(None), _jobless == state)
    expired = JobRow.expired_at.is_not(None)
    in_state = expired if state == "expired" else and_(JobRow.state == state, ~expired)
    return and_(JobRow.batch_id == batch_id, in_state)


def _item(row: Any) -> Item:
    return Item(**{item.name: getattr(row, item.name) for item in fields(Item)})


def _counted(connection: Connection, rows: Iterable[Any]) -> list[Batch]:
    """Return batches with their counts, all from one look, by indexes alone."""
    found = list(rows)
    counts: dict[str, dict[ItemState, int]] = defaultdict(lambda: dict.fromkeys(STATES, 0))
    errors: dict[str, dict[str, int]] = defaultdict(dict)
    latest: dict[str, float] = {}
    ids = [row.id for row in found]
    item, job = BatchItemRow, JobRow
    of_jobs = job.batch_id, _of_job, job.error_code
    others = item.batch_id, _jobless, item.error_code
    query = union_all(
        select(*of_jobs, func.count(), func.max(job.finished_at))
        .where(job.batch_id.in_(ids))
        .group_by(*of_jobs),
        select(*others, func.count(), null())
        .where(item.batch_id.in_(ids), item.job_id.is_(None))
        .group_by(*others),
    )
    for batch_id, state, code, number, finished_at in connection.execute(query):
        counts[batch_id][state] += number
        if code is not None:
            errors[batch_id][code] = errors[batch_id].get(code, 0) + number
        if finished_at is not None:
            latest[batch_id] = max(finished_at, latest.get(batch_id, 0.0))
    batches = []
    for row in found:
        of_row = counts[row.id]
        over = not of_row["queued"] + of_row["running"]
        # Where all were refused, nothing came after the request itself.
        begun = row.created_at if of_row["refused"] == sum(of_row.values()) else None
        values = {column.key: getattr(row, column.key) for column in _BATCH}
        batches.append(
            Batch(
                **{**values, "skipped": tuple(row.skipped)},
                counts=of_row,
                errors=dict(sorted(errors[row.id].items())),
                finished_at=latest.get(row.id, begun) if over else None,
            )
        )
    return batches


def _with_time_left(connection: Connection, batch: Batch) -> Batch:
    ended = (
        select(JobRow.finished_at)
        .where(JobRow.batch_id == batch.id, JobRow.finished_at.is_not(None))
        .order_by(JobRow.finished_at.desc())
        .limit(_LATELY)
    )
    times = [float(moment or 0.0) for moment in connection.scalars(ended)]
    if len(times) < 2:
        return batch
    pace = (now(connection) - times[-1]) / len(times)  # seconds a document
    return replace(batch, seconds_left=max(0.0, pace) * (batch.total - batch.ended))
