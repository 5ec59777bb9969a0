"""All reads and writes of datasets and of their documents.

Each document of a dataset has a job of its own, with the purpose ``dataset``: it is read by the
same confined readers as any other, its pages and words are looked at in the same way, and its
files stay until it is taken out of the dataset. A document that was taken over from another job is
a copy: the other one may expire or be deleted.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields as names_of
from dataclasses import replace
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    case,
    delete,
    func,
    insert,
    literal,
    select,
    update,
)

from store.access import ANY_OWNER, OwnerScope, audit, owned
from store.actor import actor
from store.datasets.fields import carried, complete, key_of
from store.datasets.records import Dataset, DatasetState, Example, Labels, NewExample, Rows, States
from store.errors import DatasetFull, DatasetUnknown, ExampleUnknown, TooManyDatasets
from store.idempotency import Once
from store.jobs import Job, Jobs
from store.jobs.rows import COLUMNS, insert_jobs, removable, remove_jobs
from store.sql import cursors
from store.sql.tables import (
    DatasetDocumentRow,
    DatasetRow,
    JobRow,
    ResultRow,
    TrainingRow,
    insert_where,
    now,
)
from store.trainings import check_idle

_DATASET = [getattr(DatasetRow, item.name) for item in names_of(Dataset) if item.name != "counts"]
_state: ColumnElement[str] = case(
    (JobRow.state.in_(("queued", "running")), literal("reading")),
    (JobRow.state != "succeeded", literal("failed")),
    (DatasetDocumentRow.doubtful.is_(True), literal("doubtful")),
    (DatasetDocumentRow.complete.is_(True), literal("labelled")),
    (DatasetDocumentRow.sure.is_not(None), literal("suggested")),
    else_=literal("new"),
)
_EXAMPLE: list[Any] = [
    *(DatasetDocumentRow.id, DatasetDocumentRow.dataset_id, DatasetDocumentRow.number, _state),
    *(DatasetDocumentRow.labels, DatasetDocumentRow.rows, DatasetDocumentRow.complete),
    *(DatasetDocumentRow.suggestions, DatasetDocumentRow.sure, DatasetDocumentRow.revision),
    *(DatasetDocumentRow.doubts, DatasetDocumentRow.added_at, DatasetDocumentRow.labelled_at),
]
_JOINED = DatasetDocumentRow.__table__.join(
    JobRow.__table__, JobRow.id == DatasetDocumentRow.job_id
)
_CHUNK = 500


class Datasets:
    """The datasets of one installation; methods raise only `FieldwrightError`, and block."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._database = jobs.database

    def create(
        self,
        name: str,
        model_name: str,
        owner: str | None,
        *,
        once: Once | None = None,
        most: int | None = None,
    ) -> Dataset:
        """Return a new dataset without fields or documents.

        Args:
            name: of the dataset.
            model_name: of its models.
            owner: who may see it; None where the service has no keys.
            once: whoever sends this request again is given the same dataset.
            most: datasets of one owner; any number where None.

        Raises:
            TooManyDatasets: the owner has as many as one may have.
            IdempotencyKeyReused: as `Once.keep`.
            DatasetUnknown: the key made one that was deleted since.
        """
        dataset_id = str(uuid.uuid4())
        with self._database.writing() as connection:
            if once is not None and (earlier := once.keep(connection, dataset_id)):
                return _one(connection, earlier, ANY_OWNER)
            query = select(func.count()).select_from(DatasetRow)
            of_owner = connection.scalar(query.where(owned(DatasetRow.owner, owner))) or 0
            if most is not None and of_owner >= most:
                raise TooManyDatasets(f"There are {of_owner} datasets already; {most} is the most.")
            row: dict[str, Any] = {"id": dataset_id, "owner": owner, "name": name}
            row |= {"model_name": model_name}
            row |= {"fields": [], "source": None, "renames": {}, "revision": 1}
            connection.execute(insert(DatasetRow).values(**row, created_at=now(connection)))
            audit.record(connection, "dataset.created", dataset_id)
            return _one(connection, dataset_id, ANY_OWNER)

    def all(self, scope: OwnerScope = ANY_OWNER) -> list[Dataset]:
        """Return all datasets, the newest first."""
        found, following = self.page(scope=scope)
        while following is not None:
            some, following = self.page(following, scope=scope)
            found += some
        return found

    def page(
        self, cursor: str | None = None, limit: int = 500, scope: OwnerScope = ANY_OWNER
    ) -> tuple[list[Dataset], str | None]:
        """Return datasets, the newest first, and the cursor of the next page or None at the end.

        Raises:
            InvalidOption: `cursor` was not made here.
        """
        query = select(*_DATASET).where(owned(DatasetRow.owner, scope))
        query = cursors.newest_first(query, DatasetRow, cursor, limit)
        with self._database.reading() as connection:
            found = [Dataset(*row) for row in connection.execute(query)]
            found, following = cursors.page(found, limit)
            return _counted(connection, found), following

    def get(self, dataset_id: str, scope: OwnerScope = ANY_OWNER) -> Dataset:
        """Return a dataset; raises DatasetUnknown where it is not there or out of scope."""
        with self._database.reading() as connection:
            return _one(connection, dataset_id, scope)

    def rename(
        self, dataset_id: str, scope: OwnerScope, *, name: str | None, model_name: str | None
    ) -> Dataset:
        """Change what a dataset and its models are called; None leaves either.

        Raises:
            DatasetUnknown: it is not there, or out of scope.
        """
        given = {"name": name, "model_name": model_name}
        values = {key: value for key, value in given.items() if value is not None}
        with self._database.writing() as connection:
            _one(connection, dataset_id, scope)
            if values:
                _change(connection, DatasetRow, dataset_id, **values)
                audit.record(connection, "dataset.changed", dataset_id, what=sorted(values))
            return _one(connection, dataset_id, scope)

    def set_fields(
        self,
        dataset_id: str,
        scope: OwnerScope,
        fields: Sequence[dict[str, Any]],
        was: Mapping[str, str],
    ) -> Dataset:
        """Set the fields of a dataset; labels of fields that are left out go.

        Args:
            dataset_id: of the dataset.
            scope: of the caller.
            fields: all of them, in order.
            was: of keys of fields that were renamed, the old ones.

        Raises:
            DatasetUnknown: it is not there, or out of scope.
        """
        with self._database.writing() as connection:
            dataset = _locked(connection, dataset_id, scope)
            _set_fields(connection, dataset, fields, was)
            return _one(connection, dataset_id, scope)

    def note_fields(self, dataset_id: str, change: Callable[[Dataset], Dataset]) -> Dataset:
        """Have the kinds of fields and their renames follow from the labels.

        Args:
            dataset_id: of the dataset.
            change: returns it with new fields of the same keys, or new renames.
        """
        with self._database.writing() as connection:
            before = _locked(connection, dataset_id, ANY_OWNER)
            after = change(before)
            if (after.fields, after.renames) != (before.fields, before.renames):
                revision = before.revision + (after.renames != before.renames)
                values = {"fields": after.fields, "renames": after.renames, "revision": revision}
                _change(connection, DatasetRow, dataset_id, **values)
            return _one(connection, dataset_id, ANY_OWNER)

    def delete(self, dataset_id: str, scope: OwnerScope = ANY_OWNER) -> list[str]:
        """Remove a dataset with its documents, labels and trainings; models in service stay.

        Returns:
            The ids of its trainings, whose files are left.

        Raises:
            DatasetUnknown: it is not there, or out of scope.
            TrainingRunning: one of its trainings waits or runs.
        """
        with self._database.writing() as connection:
            _locked(connection, dataset_id, scope)
            check_idle(connection, dataset_id)
            query = select(DatasetDocumentRow.job_id)
            job_ids = list(
                connection.scalars(query.where(DatasetDocumentRow.dataset_id == dataset_id))
            )
            of_it = TrainingRow.dataset_id == dataset_id
            trainings = list(connection.scalars(select(TrainingRow.id).where(of_it)))
            gone = _remove(connection, job_ids)
            connection.execute(delete(DatasetRow).where(DatasetRow.id == dataset_id))
            audit.record(connection, "dataset.deleted", dataset_id, documents=len(job_ids))
        self._jobs.blobs.remove(*gone)
        return trainings

    def known(self, dataset_id: str, digests: Sequence[str]) -> dict[str, str]:
        """Return of those of the SHA-256 digests that the dataset has the ids of the documents."""
        row = DatasetDocumentRow
        query = select(row.sha256, row.id).where(row.dataset_id == dataset_id)
        with self._database.reading() as connection:
            found = connection.execute(query.where(row.sha256.in_(digests)))
            return {digest: document for digest, document in found}

    def held(self, dataset_id: str, job_ids: Sequence[str], scope: OwnerScope) -> dict[str, str]:
        """Return of those of the jobs whose bytes the dataset has the ids of the documents.

        Args:
            dataset_id: of the dataset.
            job_ids: of any number of jobs.
            scope: of the caller; jobs that are out of it are left out.
        """
        row = DatasetDocumentRow
        query = select(JobRow.id, row.id).join(row, row.sha256 == JobRow.sha256)
        query = query.where(row.dataset_id == dataset_id, owned(JobRow.owner, scope))
        held: dict[str, str] = {}
        with self._database.reading() as connection:
            for chunk in cursors.chunks(job_ids):
                found = connection.execute(query.where(JobRow.id.in_(chunk)))
                held |= {job_id: document for job_id, document in found}
        return held

    def add(
        self,
        dataset_id: str,
        documents: Sequence[NewExample],
        scope: OwnerScope = ANY_OWNER,
        *,
        most: int,
        most_bytes: int,
        fields: Sequence[dict[str, Any]] = (),
    ) -> list[str]:
        """Add documents whose bytes are stored; those whose bytes it has already are left out.

        Args:
            dataset_id: of the dataset.
            documents: with jobs of their own.
            scope: of the caller.
            most: documents that a dataset may have.
            most_bytes: that they may have together.
            fields: that the documents have labels of; those that the dataset lacks are added.

        Returns:
            The ids of the new documents, in the order of those that were added; the jobs of the
            others are not stored.

        Raises:
            DatasetUnknown: it is not there, or out of scope.
            DatasetFull: there would be too many; none was added.
        """
        added: list[str] = []
        queued: list[str] = []
        with self._database.writing() as connection:
            dataset = _locked(connection, dataset_id, scope)
            keys = {key_of(field) for field in dataset.fields}
            if lacking := [field for field in fields if key_of(field) not in keys]:
                dataset = _set_fields(connection, dataset, [*dataset.fields, *lacking], {})
            row = DatasetDocumentRow
            known = set(connection.scalars(select(row.sha256).where(row.dataset_id == dataset_id)))
            sizes = select(func.coalesce(func.sum(JobRow.size), 0)).select_from(_JOINED)
            size = connection.scalar(sizes.where(row.dataset_id == dataset_id)) or 0
            last = connection.scalar(
                select(func.max(row.number)).where(row.dataset_id == dataset_id)
            )
            number = last or 0
            for new in documents:
                if new.job.sha256 in known:
                    continue
                known.add(new.job.sha256)
                size += new.job.size
                if len(known) > most or size > most_bytes:
                    raise DatasetFull(
                        f"A dataset may have {most} documents with {most_bytes} bytes in all."
                    )
                number += 1
                document_id = str(uuid.uuid4())
                _insert(connection, dataset, document_id, number, new)
                added.append(document_id)
                if new.answer is None:
                    queued.append(new.job.id)
            if added:
                audit.record(connection, "dataset.changed", dataset_id, added=len(added))
        self._jobs.announcer.announce("read", queued)
        return added

    def documents(
        self,
        dataset_id: str,
        scope: OwnerScope = ANY_OWNER,
        *,
        after: int = 0,
        limit: int = 100,
        state: DatasetState | None = None,
    ) -> list[Example]:
        """Return documents of a number above `after`, in the order of adding.

        Raises:
            DatasetUnknown: the dataset is not there, or out of scope.
        """
        row = DatasetDocumentRow
        query = _examples(row.dataset_id == dataset_id, row.number > after)
        if state is not None:
            query = query.where(_state == state)
        with self._database.reading() as connection:
            _one(connection, dataset_id, scope, counted=False)
            return [_example(found) for found in connection.execute(query.limit(limit))]

    def every(self, dataset_id: str, *, state: DatasetState | None = None) -> Iterator[Example]:
        """Give all documents of a dataset, of one state where it is given, some at a time."""
        after = 0
        while found := self.documents(dataset_id, after=after, limit=_CHUNK, state=state):
            yield from found
            after = found[-1].number

    def document(self, dataset_id: str, document_id: str, scope: OwnerScope = ANY_OWNER) -> Example:
        """Return a document.

        Raises:
            DatasetUnknown, ExampleUnknown: it or its dataset is not there, or out of scope.
        """
        with self._database.reading() as connection:
            _one(connection, dataset_id, scope, counted=False)
            return _document(connection, dataset_id, document_id)

    def next(
        self, dataset_id: str, scope: OwnerScope = ANY_OWNER, *, besides: str = ""
    ) -> Example | None:
        """Return the document to label next: the one whose suggestions are least sure.

        Documents without suggestions come after those, in the order of adding; `besides` is a
        document that is not meant, such as the one in hand.
        """
        row = DatasetDocumentRow
        open_ = and_(JobRow.state == "succeeded", row.complete.is_(False), row.id != besides)
        query = _examples(row.dataset_id == dataset_id, open_).order_by(None)
        query = query.order_by(row.sure.is_(None), row.sure, row.number).limit(1)
        with self._database.reading() as connection:
            _one(connection, dataset_id, scope, counted=False)
            found = connection.execute(query).first()
            return None if found is None else _example(found)

    def stale(self, dataset: Dataset, *, limit: int) -> list[tuple[Example, str]]:
        """Return documents whose suggestions are to be made again from their jobs' answers."""
        row = DatasetDocumentRow
        again = row.revision < dataset.revision
        if dataset.source is not None:  # those of its own model stay
            again = and_(again, row.suggestions.is_(None))
        open_ = and_(row.dataset_id == dataset.id, row.complete.is_(False), again)
        return self._answered(open_, limit)

    def answers(self, dataset_id: str, *, limit: int) -> list[tuple[Example, str]]:
        """Return documents that are labelled, each with the answer of its job as JSON text."""
        row = DatasetDocumentRow
        return self._answered(and_(row.dataset_id == dataset_id, row.complete.is_(True)), limit)

    def _answered(self, where: ColumnElement[bool], limit: int) -> list[tuple[Example, str]]:
        query = _examples(where, JobRow.state == "succeeded").add_columns(ResultRow.body)
        joined = ResultRow.job_id == DatasetDocumentRow.job_id
        query = query.join(ResultRow, joined).limit(limit)
        with self._database.reading() as connection:
            return [(_example(found[:-1]), found[-1]) for found in connection.execute(query)]

    def suggest(
        self,
        dataset_id: str,
        suggestions: Mapping[str, tuple[dict[str, Any], float | None]],
        *,
        revision: int,
        source: str | None = None,
        doubts: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """Store suggestions, and what looks wrong about labels.

        Args:
            dataset_id: of the dataset.
            suggestions: by document, each with how sure the least sure of it is.
            revision: of the dataset that they were made at.
            source: the dataset's own model that they are of; then they stay until the next one.
            doubts: by document and field; None leaves those that there are.
        """
        row = DatasetDocumentRow
        with self._database.writing() as connection:
            dataset = _locked(connection, dataset_id, ANY_OWNER)
            if source is not None:
                revision = dataset.revision
                _change(connection, DatasetRow, dataset_id, source=source)
            for document_id, (made, sure) in suggestions.items():
                new: dict[str, Any] = {"suggestions": made, "sure": sure, "revision": revision}
                one = and_(row.id == document_id, row.dataset_id == dataset_id)
                connection.execute(update(row).where(one).values(new))
            if doubts is None:
                return
            query = select(row.id, row.labels).where(row.dataset_id == dataset_id)
            for found in connection.execute(query).all():
                of_it = {
                    key: why
                    for key, why in doubts.get(found.id, {}).items()
                    if key in found.labels or "." in key
                }
                _change(connection, row, found.id, doubts=of_it, doubtful=bool(of_it))

    def label(
        self,
        dataset_id: str,
        document_id: str,
        scope: OwnerScope,
        change: Callable[[Dataset, Example], tuple[Labels, Rows, dict[str, str]]],
    ) -> Example:
        """Change the labels of a document; once this returns, they outlive any crash.

        Args:
            dataset_id: of the dataset.
            document_id: of the document.
            scope: of the caller.
            change: returns labels, rows and doubts from those that there are, within the
                transaction and so in a moment; what it raises goes up, and nothing is changed then.

        Raises:
            DatasetUnknown, ExampleUnknown: as `document`.
        """
        with self._database.writing() as connection:
            dataset = _locked(connection, dataset_id, scope)  # whose fields the labels are of
            before = _document(connection, dataset_id, document_id)
            labels, rows, doubts = change(dataset, before)
            values = _labelled(dataset.fields, labels, rows, doubts)
            values |= {"labelled_at": now(connection), "labelled_by": actor()}
            _change(connection, DatasetDocumentRow, document_id, **values)
            changed = {
                key
                for new, old in ((labels, before.labels), (rows, before.rows))
                for key in {*new, *old}
                if new.get(key) != old.get(key)
            }
            audit.record(connection, "dataset.labelled", document_id, fields=sorted(changed))
            return _document(connection, dataset_id, document_id)

    def remove(self, dataset_id: str, document_id: str, scope: OwnerScope = ANY_OWNER) -> None:
        """Take a document out, with its labels and its files; raises as `document`."""
        with self._database.writing() as connection:
            _one(connection, dataset_id, scope, counted=False)
            document = _document(connection, dataset_id, document_id)
            where = DatasetDocumentRow.id == document_id
            connection.execute(delete(DatasetDocumentRow).where(where))
            gone = _remove(connection, [document.job.id])
            audit.record(connection, "dataset.changed", dataset_id, removed=document_id)
        self._jobs.blobs.remove(*gone)


def _one(
    connection: Connection, dataset_id: str, scope: OwnerScope, *, counted: bool = True
) -> Dataset:
    seen = and_(DatasetRow.id == dataset_id, owned(DatasetRow.owner, scope))
    row = connection.execute(select(*_DATASET).where(seen)).first()
    if row is None:
        raise DatasetUnknown("There is no dataset of that id.")
    found = [Dataset(*row)]
    return _counted(connection, found)[0] if counted else found[0]


def _locked(connection: Connection, dataset_id: str, scope: OwnerScope) -> Dataset:
    """Return a dataset that nobody else changes until the transaction ends."""
    lock = select(DatasetRow.id).where(DatasetRow.id == dataset_id).with_for_update()
    connection.execute(lock)
    return _one(connection, dataset_id, scope, counted=False)


def _set_fields(
    connection: Connection,
    dataset: Dataset,
    fields: Sequence[dict[str, Any]],
    was: Mapping[str, str],
) -> Dataset:
    """Set the fields of a locked dataset, and return it; the labels of its documents go along."""
    after = replace(dataset, fields=[*fields], revision=dataset.revision + 1)
    _change(connection, DatasetRow, dataset.id, fields=after.fields, revision=after.revision)
    row = DatasetDocumentRow
    query = select(row.id, row.labels, row.rows, row.doubts)
    for one in connection.execute(query.where(row.dataset_id == dataset.id)).all():
        labels, rows = carried(dataset.fields, fields, was, one.labels, one.rows)
        doubts = {key: why for key, why in one.doubts.items() if key in labels}
        _change(connection, row, one.id, **_labelled(fields, labels, rows, doubts))
    audit.record(connection, "dataset.changed", dataset.id, what=["fields"])
    return after


def _change(
    connection: Connection, row: type[DatasetRow | DatasetDocumentRow], of: str, **values: Any
) -> None:
    connection.execute(update(row).where(row.id == of).values(values))


def _labelled(
    fields: Sequence[dict[str, Any]], labels: Labels, rows: Rows, doubts: Mapping[str, str]
) -> dict[str, Any]:
    """Return the columns that a document's labels decide."""
    return {
        "labels": labels,
        "rows": rows,
        "doubts": doubts,
        "doubtful": bool(doubts),
        "complete": complete(fields, labels, rows),
    }


def _counted(connection: Connection, found: list[Dataset]) -> list[Dataset]:
    row = DatasetDocumentRow
    label = "of_example"  # by which it groups: PostgreSQL takes two equal CASEs for different ones
    query = select(row.dataset_id, _state.label(label), func.count()).select_from(_JOINED)
    query = query.where(row.dataset_id.in_([dataset.id for dataset in found]))
    counts: dict[str, dict[Any, int]] = {}
    for dataset_id, state, number in connection.execute(query.group_by(row.dataset_id, label)):
        counts.setdefault(dataset_id, {})[state] = number
    return [
        replace(one, counts={state: counts.get(one.id, {}).get(state, 0) for state in States})
        for one in found
    ]


def _examples(*where: ColumnElement[bool]) -> Any:
    query = select(*_EXAMPLE, *COLUMNS).select_from(_JOINED).where(*where)
    return query.order_by(DatasetDocumentRow.number)


def _example(row: Any) -> Example:
    own = len(_EXAMPLE)
    known: list[Any] = [*row[:own], Job(*row[own:])]
    return Example(*known)


def _document(connection: Connection, dataset_id: str, document_id: str) -> Example:
    row = DatasetDocumentRow
    query = _examples(row.id == document_id, row.dataset_id == dataset_id)
    found = connection.execute(query).first()
    if found is None:
        raise ExampleUnknown("The dataset has no document of that id.")
    return _example(found)


def _insert(
    connection: Connection, dataset: Dataset, document_id: str, number: int, new: NewExample
) -> None:
    insert_jobs(connection, [new.job])
    if new.answer is not None:
        result = {"job_id": new.job.id, "body": new.answer, "created_at": now(connection)}
        connection.execute(insert(ResultRow).values(result))
    row = {"id": document_id, "dataset_id": dataset.id, "job_id": new.job.id, "number": number}
    row |= {"sha256": new.job.sha256, "revision": 0, "suggestions": None, "sure": None}
    row |= {**_labelled(dataset.fields, new.labels, new.rows, {}), "labelled_by": ""}
    values = insert_where(connection, DatasetDocumentRow).values(**row, added_at=now(connection))
    connection.execute(values)


def _remove(connection: Connection, job_ids: Sequence[str]) -> list[str]:
    """Remove the jobs of documents; those that run are asked to stop, and go with the sweep.

    Returns:
        Those whose files may go at once.
    """
    gone: list[str] = []
    for chunk in cursors.chunks(job_ids):
        of_chunk = DatasetDocumentRow.job_id.in_(chunk)
        connection.execute(delete(DatasetDocumentRow).where(of_chunk))
        # What runs ends as cancelled, and is forgotten like any job that ended.
        free, _ = removable(connection, JobRow.id.in_(chunk))
        remove_jobs(connection, free)
        gone += free
    return gone
