"""Datasets as the API shows and changes them: documents in, labels on, suggestions, the folder out.

What needs no model is done here; reading and training is done by workers.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from app.intake import Submissions, Upload
from app.intake.batch import documents_of
from app.intake.documents import shown
from app.settings import ApiSettings
from app.teaching.labels import NewLabels, change_of
from app.teaching.suggestions import renames_of
from app.words import DocumentWords
from models.packages import AUTO, Registry
from pipeline.errors import FieldwrightError, InvalidOption, UnknownModel
from pipeline.result import listed
from store.access import OwnerScope, Principal
from store.batches import BATCH_PRIORITY, Batches, Refused, Skipped
from store.blobs import FILE, WORDS
from store.datasets import (
    Dataset,
    Datasets,
    Example,
    NewExample,
    key_of,
    keys_of,
    suggestions_of,
)
from store.errors import FieldsChanged, JobExpired, JobNotFinished
from store.jobs import Job, Jobs
from store.sql.cursors import plain_id

WORTH_TRAINING = 20  # labelled documents, from which a first model is worth its while
_GUESSED_FROM = 50  # documents whose values tell the kind of a field
_AT_ONCE = 100  # documents whose suggestions are made in one request
_TAKEN_AT_ONCE = 500  # documents that are taken over in one request
_REVIEWED = 1_000_000  # reviews that are looked through for those that can be taken over


@dataclass(frozen=True, slots=True)
class NotAdded:
    """A file that did not become a document, and why."""

    filename: str
    error: FieldwrightError


@dataclass(frozen=True, slots=True)
class Added:
    """What came of files that were to be added: new ones, those it had, those refused.

    `left` is how many are still to be added by asking again.
    """

    added: list[Example]
    known: list[str]
    refused: list[NotAdded]
    left: int = 0


class Teaching:
    """The datasets of one installation as its users see them; methods block."""

    def __init__(
        self, jobs: Jobs, submissions: Submissions, registry: Registry, settings: ApiSettings
    ) -> None:
        self._jobs = jobs
        self._submissions = submissions
        self._registry = registry
        self._settings = settings
        self.store = Datasets(jobs)
        self.spool = jobs.blobs.spool

    def get(self, dataset_id: str, scope: OwnerScope) -> Dataset:
        """Return a dataset, its suggestions brought up to date; raises DatasetUnknown."""
        dataset = self.store.get(plain_id(dataset_id), scope)
        return self.store.get(dataset.id) if self._refresh(dataset) else dataset

    def set_fields(
        self,
        dataset_id: str,
        scope: OwnerScope,
        fields: list[dict[str, Any]],
        was: dict[str, str],
        *,
        known: Sequence[str] | None = None,
    ) -> Dataset:
        """Set the fields; kinds that are None are guessed from the labels.

        Raises:
            DatasetUnknown: it is not there, or out of scope.
            FieldsChanged: it has neither the fields that are known nor, as where this is asked
                again, those wanted.
            InvalidOption: two fields are one, a range begins with what is none, or what is renamed
                is not there.
        """
        _check_fields(fields)
        before = self.store.get(plain_id(dataset_id), scope)
        kinds = {key_of(field): field["kind"] for field in before.fields}
        if known is not None and set(kinds) not in (set(known), {key_of(one) for one in fields}):
            raise FieldsChanged("Somebody else has changed the fields of this dataset.")
        for key, old in was.items():
            if old not in kinds and key not in kinds:  # where this is asked again, it is called so
                raise InvalidOption(
                    f"There is no field {old!r} to be renamed.",
                    advice="`was` is a `key` in `fields` of the dataset.",
                )
        for field in fields:
            key = key_of(field)
            field["guessed"] = field["kind"] is None
            field["kind"] = field["kind"] or kinds.get(was.get(key, key), "text")
        dataset = self.store.set_fields(before.id, scope, fields, was)
        return self._follow_labels(dataset)

    def add(self, dataset_id: str, principal: Principal, uploads: Sequence[Upload]) -> Added:
        """Add documents, and archives of documents; those that it has already are left alone.

        Raises:
            DatasetUnknown: it is not there, or out of scope.
            DatasetFull: there would be too many; none was added.
            InvalidOption, BatchTooLarge, ArchiveUnsafe, StorageFull, Overloaded, TooManyJobs: as
                of a batch.
        """
        jobs, settings = self._jobs, self._settings
        dataset = self.store.get(plain_id(dataset_id), principal.owner_scope)
        order = self._submissions.order(model=self._reads_with(dataset))
        documents = documents_of(uploads, order, settings, owner=dataset.owner)
        new: list[NewExample] = []
        refused: list[NotAdded] = []
        seen: list[str] = []
        most = principal.max_queued
        admit = partial(jobs.admission.check, dataset.owner, BATCH_PRIORITY, max_queued=most)
        admit(documents=len(uploads))
        with jobs.unstored() as unstored:
            for document in documents:
                if isinstance(document, Refused):
                    refused.append(NotAdded(document.filename, document.error))
                if isinstance(document, (Refused, Skipped)):
                    continue
                seen.append(document.job.sha256)
                if self.store.known(dataset.id, [document.job.sha256]):
                    continue
                own = replace(document.job, purpose="dataset", fingerprint=None)
                jobs.store_files(replace(document, job=own))
                unstored.append(own)
                new.append(NewExample(own))
            if len(new) > len(uploads):  # archives held more
                admit(documents=len(new) - len(uploads), counted=len(uploads))
            ids = self._store(dataset, principal.owner_scope, new)
        return self._added(dataset, ids, new, seen, refused)

    def take(self, dataset_id: str, principal: Principal, job_ids: Sequence[str]) -> Added:
        """Add copies of documents that were read before, with what reviewers decided of them.

        Values that were accepted or corrected become labels, and so do absences; fields that the
        dataset lacks are added. What nobody decided stays a suggestion. Documents that the dataset
        has are left alone, and do not count towards the most that are added at a time.

        Raises:
            DatasetUnknown, DatasetFull, StorageFull: as `add`.
        """
        scope = principal.owner_scope
        dataset = self.store.get(plain_id(dataset_id), scope)
        held = self.store.held(dataset.id, [plain_id(one) for one in job_ids], scope)
        waiting = iter([one for one in dict.fromkeys(job_ids) if plain_id(one) not in held])
        new: list[NewExample] = []
        refused: list[NotAdded] = []
        kinds: dict[str, dict[str, Any]] = {}
        with self._jobs.unstored() as unstored:
            for job_id in waiting:
                try:
                    example, found = self._copy(dataset, plain_id(job_id), scope)
                except FieldwrightError as error:
                    refused.append(NotAdded(job_id[:36], error))
                    continue
                try:
                    self._store_copy(plain_id(job_id), example.job.id)
                except JobExpired as error:
                    refused.append(NotAdded(job_id[:36], error))
                    continue
                unstored.append(example.job)
                new.append(example)
                kinds = found | kinds
                if len(new) == _TAKEN_AT_ONCE:
                    break
            ids = self._store(dataset, scope, new, list(kinds.values()))
        added = self._added(dataset, ids, new, [one.job.sha256 for one in new], refused)
        rest = [plain_id(one) for one in waiting]
        same = self.store.held(dataset.id, rest, scope)
        known = list(dict.fromkeys([*held.values(), *added.known]))
        return replace(added, known=known, left=len(rest) - len(same))

    def jobs_of(
        self, principal: Principal, *, batch: str | None, reviewed: bool, model: str | None
    ) -> list[str]:
        """Return all jobs of a batch, or those whose review is done, that can be taken over.

        Raises:
            BatchUnknown: there is no such batch.
        """
        scope = principal.owner_scope
        if batch is not None:
            batches, jobs, cursor = Batches(self._jobs), list[str](), None
            while True:
                items, cursor = batches.items(
                    plain_id(batch), cursor=cursor, limit=1000, state="succeeded", scope=scope
                )
                jobs += [item.job_id for item in items if item.job_id]
                if cursor is None:
                    return jobs
        if reviewed:
            return self._jobs.reviews.done(scope, model=model, limit=_REVIEWED)
        return []

    def document(self, dataset_id: str, document_id: str, scope: OwnerScope) -> Example:
        """Return a document, its suggestions brought up to date.

        Raises:
            DatasetUnknown, ExampleUnknown: it or its dataset is not there, or out of scope.
        """
        dataset = self.store.get(plain_id(dataset_id), scope)
        self._refresh(dataset)
        return self.store.document(dataset.id, plain_id(document_id), scope)

    def words(self, example: Example) -> DocumentWords:
        """Return the words of a document; none while it is being read."""
        return DocumentWords(self._jobs.blobs.get(example.job.id, WORDS))

    def label(
        self, dataset_id: str, document_id: str, scope: OwnerScope, wanted: NewLabels
    ) -> Example:
        """Keep what is said of a document: once this returns, it outlives any crash.

        Raises:
            DatasetUnknown, ExampleUnknown: as `document`.
            JobNotFinished: the document is not read yet, or cannot be.
            InvalidOption: it does not fit the dataset or the document.
        """
        before = self.document(dataset_id, document_id, scope)
        if before.job.state != "succeeded":
            raise JobNotFinished(
                f"The document is {before.state}.",
                advice="Label it once it is read; remove it if it cannot be.",
                retry_after=None if before.job.ended else 1.0,
            )
        change = change_of(wanted, self.words(before))  # looks for texts before there is a lock
        after = self.store.label(before.dataset_id, before.id, scope, change)
        dataset = self.store.get(before.dataset_id)
        self._follow_labels(dataset, renames=after.complete)
        return after

    def answer(self, example: Example) -> str | None:
        """Return what a model answered about a document, as JSON text."""
        with suppress(FieldwrightError):
            return self._jobs.result(example.job.id, reviewed=False)
        return None

    def delete(self, dataset_id: str, scope: OwnerScope) -> list[str]:
        """Remove a dataset; return the trainings whose files are left."""
        return self.store.delete(plain_id(dataset_id), scope)

    def file(self, example: Example) -> bytes:
        """Return the bytes of a document; raises JobExpired where they are gone."""
        data = self._jobs.blobs.get(example.job.id, FILE)
        if data is None:
            raise JobExpired("The file of this document is no longer in the store.")
        return data

    def _reads_with(self, dataset: Dataset) -> str:
        """Return the model that reads new documents: the dataset's own, or the most alike."""
        if dataset.source is not None:
            with suppress(UnknownModel):
                return str(self._registry.resolve(dataset.source))
        return AUTO

    def _refresh(self, dataset: Dataset) -> bool:
        """Make suggestions of what models have answered since; return whether there were any."""
        stale = self.store.stale(dataset, limit=_AT_ONCE)
        made = {example.id: suggestions_of(dataset, body) for example, body in stale}
        if made:
            self.store.suggest(dataset.id, made, revision=dataset.revision)
        return bool(made)

    def _follow_labels(self, dataset: Dataset, *, renames: bool = False) -> Dataset:
        """Have guessed kinds follow from the labels, and suggestions from what is alike."""
        from pipeline.values.guess import guess_kind  # takes a moment to load

        guessed = [field for field in dataset.fields if field["guessed"]]
        values = self._values(dataset) if guessed else {}
        answered = self.store.answers(dataset.id, limit=_GUESSED_FROM) if renames else None

        def change(now: Dataset) -> Dataset:
            fields = [
                {**field, "kind": guess_kind(texts, is_column=bool(field["group"])).value}
                if field["guessed"] and (texts := values.get(key_of(field)))
                else field
                for field in now.fields
            ]
            same = now.renames if answered is None else renames_of(now, answered)
            return replace(now, fields=fields, renames=same)

        after = change(dataset)
        if (after.fields, after.renames) == (dataset.fields, dataset.renames):
            return dataset
        return self.store.note_fields(dataset.id, change)

    def _values(self, dataset: Dataset) -> dict[str, list[str]]:
        """Return the first labelled values of each field."""
        found: dict[str, list[str]] = {}
        documents = 0
        for example in self.store.every(dataset.id):
            if not example.labels and not example.rows:
                continue
            for key, values in values_of(example).items():
                found.setdefault(key, []).extend(value["text"] for value in values)
            documents += 1
            if documents == _GUESSED_FROM:
                break
        return found

    def _copy(
        self, dataset: Dataset, job_id: str, scope: OwnerScope
    ) -> tuple[NewExample, dict[str, dict[str, Any]]]:
        """Return a copy of a job's document for a dataset, and the fields that it has labels of."""
        job = self._jobs.status(job_id, scope)
        self._jobs.result(job_id, scope)  # raises why there is no answer
        decided = self._jobs.reviews.decided(job_id, scope)
        words = DocumentWords(self._jobs.blobs.get(job_id, WORDS))
        groups, fields = decided.groups, {one.field for one in decided.in_force}
        # What is said of one cell, or of a row, is said of the rows: they are taken as a whole.
        of_rows = {name for field in fields if (name := field.partition(".")[0]) in groups}
        labels: dict[str, list[dict[str, Any]]] = {}
        kinds: dict[str, dict[str, Any]] = {}
        for field in sorted(field for field in fields if field.partition(".")[0] not in groups):
            given = decided.fields.get(field)
            many = isinstance(given, list)
            values = [value for value in listed(given) if value]
            labels[field] = [_label_of(value, words) for value in values]
            kind = values[0]["kind"] if values else "text"
            kinds[field] = _field(field, kind, many=many)
        rows: dict[str, list[dict[str, dict[str, Any]]]] = {}
        for group in sorted(of_rows):
            rows[group] = []
            for row in groups[group]:
                cells = {name: cell for name, cell in row["cells"].items() if cell}
                rows[group].append({name: _label_of(cell, words) for name, cell in cells.items()})
                for name, cell in cells.items():
                    column = _field(name, cell["kind"], group=group)
                    kinds.setdefault(key_of(column), column)
        own = Job(
            id=str(uuid.uuid4()),
            model=decided.answer["model"]["name"],
            sha256=job.sha256,
            filename=shown(job.filename),
            media_type=job.media_type,
            size=job.size,
            options=job.options,
            owner=dataset.owner,
            state="succeeded",
            stage="done",
            attempts=job.attempts,
            model_version=decided.answer["model"]["version"],
            pages_done=job.pages_done,
            pages_total=job.pages_total,
            words=job.words,
            started_at=job.started_at,
            finished_at=job.finished_at,
            priority=BATCH_PRIORITY,
            purpose="dataset",
        )
        answer = json.dumps(decided.answer, ensure_ascii=False)
        return NewExample(own, answer, labels, rows), kinds

    def _store_copy(self, job_id: str, copy_id: str) -> None:
        blobs = self._jobs.blobs
        blobs.check_room()
        try:
            for name in (FILE, WORDS):
                data = blobs.get(job_id, name)
                if data is None:
                    raise JobExpired("The document was removed for its age.")
                blobs.put(copy_id, name, data, durable=True)
        except BaseException:
            blobs.remove(copy_id)
            raise

    def _store(
        self,
        dataset: Dataset,
        scope: OwnerScope,
        new: list[NewExample],
        fields: Sequence[dict[str, Any]] = (),
    ) -> list[str]:
        settings = self._settings
        return self.store.add(
            dataset.id,
            new,
            scope,
            most=settings.dataset_max_documents,
            most_bytes=settings.dataset_max_bytes,
            fields=fields,
        )

    def _added(
        self,
        dataset: Dataset,
        ids: list[str],
        new: list[NewExample],
        seen: list[str],
        refused: list[NotAdded],
    ) -> Added:
        """Return what came of documents, once those of `ids` are stored."""
        examples = [self.store.document(dataset.id, one) for one in ids]
        kept = {example.job.id for example in examples}
        self._jobs.blobs.remove(*(one.job.id for one in new if one.job.id not in kept))
        known = self.store.known(dataset.id, seen)
        others = [known[one] for one in dict.fromkeys(seen) if one in known]
        return Added(examples, [one for one in others if one not in set(ids)], refused)


def values_of(example: Example) -> dict[str, list[dict[str, Any]]]:
    """Return the labelled values of a document by key, columns of groups among them."""
    found: dict[str, list[dict[str, Any]]] = dict(example.labels)
    for group, rows in example.rows.items():
        for row in rows:
            for name, value in row.items():
                found.setdefault(f"{group}.{name}", []).append(value)
    return found


def _label_of(value: dict[str, Any], words: DocumentWords) -> dict[str, Any]:
    """Return a reviewed value as a label."""
    numbers = [number for number in value["words"] if number < len(words.all)]
    if numbers:
        return words.label(numbers, value["text"])
    if found := words.find(value["text"]):
        return words.label(found, value["text"])
    return {"text": value["text"], "page": None, "box": None, "words": [], "places": []}


def _field(name: str, kind: str, *, many: bool = False, group: str | None = None) -> dict[str, Any]:
    said = {"name": name, "kind": kind, "guessed": False, "many": many}
    return said | {"group": group, "range_start": None}


def _check_fields(fields: Sequence[dict[str, Any]]) -> None:
    keys = [key_of(field) for field in fields]
    if twice := sorted({key for key in keys if keys.count(key) > 1}):
        raise InvalidOption(f"The field {twice[0]!r} is there twice.", advice="Rename one of them.")
    plain, groups = keys_of(fields)
    if both := sorted(set(plain) & set(groups)):
        raise InvalidOption(
            f"{both[0]!r} is a field and a group.", advice="Give one of them another name."
        )
    for field in fields:
        start = field.get("range_start")
        if start is not None and (start not in plain or start == field["name"] or field["group"]):
            raise InvalidOption(
                f"{field['name']} cannot end a range that begins with {start!r}.",
                advice="A date that ends a range names the date that begins it.",
            )
