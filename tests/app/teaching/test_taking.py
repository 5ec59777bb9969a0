"""Documents added to datasets and taken over from jobs: some at a time, and through faults."""

from __future__ import annotations

import io
import json
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from app.teaching import Teaching
from app.teaching import teaching as module
from app.teaching.folder import zipped
from store.access import ANY_OWNER
from store.access.keys import OPEN
from store.datasets import Dataset, Example, NewExample
from store.errors import DatasetFull, ExampleUnknown, StoreUnavailable
from store.jobs import Jobs
from store.reviews import Made
from tests.builders import make_receipt, receipt_pdf
from tests.submitting import (
    answer,
    claimed,
    order,
    stored,
    submit,
    submit_batch,
    upload,
    uploads,
)

DATE: dict[str, Any] = {"name": "date", "kind": "date", "guessed": False, "many": False}
DATE |= {"group": None, "range_start": None}
VALUE = {"text": "9.00", "page": 1, "box": [0, 0, 1, 1], "words": [3], "places": []}


def read(jobs: Jobs, number: int = 0) -> str:
    """Return the job of a document that was read."""
    job = submit(jobs, receipt_pdf(make_receipt(number)))
    end(jobs)
    return job.id


def end(jobs: Jobs) -> None:
    job = claimed(jobs)
    jobs.blobs.put(job.id, "words.json", b'{"pages": []}')
    answer(jobs, job)


def decide(jobs: Jobs, job_id: str, *, done: bool = False) -> None:
    """Have a reviewer say that a document names no company."""
    who = {"claimant": "c" * 8, "reviewer": "r"}
    made = Made(id=str(uuid.uuid4()), kind="absent", field="company")
    jobs.reviews.decide(job_id, made, **who)
    if done:
        jobs.reviews.end(job_id, "done", **who)


def files_of(teaching: Teaching, jobs: Jobs, dataset: Dataset) -> list[bool]:
    """Return for each document of a dataset whether its file is there."""
    found = teaching.store.documents(dataset.id)
    return [jobs.blobs.holds(one.job.id, "file") for one in found]


def test_documents_outlive_a_fault_after_they_were_added(
    teaching: Teaching, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> Example:
        raise StoreUnavailable("The job store does not answer.")

    for take in (False, True):
        dataset = teaching.store.create("Notes", "notes", None)
        act = partial(teaching.add, dataset.id, OPEN, uploads("a.pdf"))
        if take:
            act = partial(teaching.take, dataset.id, OPEN, [read(jobs, 7)])
        with monkeypatch.context() as away:
            away.setattr(teaching.store, "document", fail)  # which is asked once they are stored
            with pytest.raises(StoreUnavailable):
                act()
        assert files_of(teaching, jobs, dataset) == [True]
        teaching.delete(dataset.id, ANY_OWNER)


def test_documents_outlive_a_commit_whose_word_was_lost(
    teaching: Teaching, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not jobs.database.remote:
        pytest.skip("SQLite commits in this process, and knows")
    dataset = teaching.store.create("Notes", "notes", None)
    add = teaching.store.add

    def lose(*given: Any, **options: Any) -> list[str]:
        add(*given, **options)
        raise StoreUnavailable("The job store does not answer.")

    monkeypatch.setattr(teaching.store, "add", lose)
    with pytest.raises(StoreUnavailable):
        teaching.add(dataset.id, OPEN, uploads("a.pdf"))
    with pytest.raises(StoreUnavailable):
        teaching.take(dataset.id, OPEN, [read(jobs, 7)])
    assert files_of(teaching, jobs, dataset) == [True, True]


def test_documents_that_are_not_added_leave_no_files(teaching: Teaching, jobs: Jobs) -> None:
    dataset = teaching.store.create("Notes", "notes", None)
    many = [upload(f"{n}.pdf", receipt_pdf(make_receipt(n))) for n in range(7)]
    with pytest.raises(DatasetFull):
        teaching.add(dataset.id, OPEN, many)
    assert stored(jobs) == 0


def test_fields_that_are_added_while_documents_are_taken_stay(
    teaching: Teaching, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = teaching.store.create("Notes", "notes", None)
    (first,) = teaching.add(dataset.id, OPEN, uploads("a.pdf")).added
    job_id = read(jobs, 7)
    decide(jobs, job_id)
    copy = teaching._copy

    def while_somebody_labels(*given: Any) -> tuple[NewExample, dict[str, Any]]:
        teaching.store.set_fields(dataset.id, ANY_OWNER, [DATE], {})
        said = {"date": [VALUE]}
        teaching.store.label(dataset.id, first.id, ANY_OWNER, lambda now, one: (said, {}, {}))
        return copy(*given)

    monkeypatch.setattr(teaching, "_copy", while_somebody_labels)
    (taken,) = teaching.take(dataset.id, OPEN, [job_id]).added
    found = teaching.store.get(dataset.id)
    assert [field["name"] for field in found.fields] == ["date", "company"]
    before = teaching.store.document(dataset.id, first.id)
    assert (before.labels, before.complete) == ({"date": [VALUE]}, False)
    assert (taken.labels, taken.complete) == ({"company": []}, False)


@pytest.mark.parametrize("source", ["batch", "reviewed"])
def test_documents_are_taken_some_at_a_time(
    teaching: Teaching, jobs: Jobs, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_TAKEN_AT_ONCE", 2)
    files = [upload(f"{n}.pdf", receipt_pdf(make_receipt(n))) for n in (1, 2, 3, 4, 5, 1)]
    batch = submit_batch(jobs, files, order(jobs))
    for _ in files:
        end(jobs)
    wanted: dict[str, Any] = {"batch": batch.id, "reviewed": False, "model": None}
    if source == "reviewed":
        for job_id in teaching.jobs_of(OPEN, **wanted):
            decide(jobs, job_id, done=True)
        wanted = {"batch": None, "reviewed": True, "model": "tiny"}
    dataset = teaching.store.create("Notes", "notes", None)
    jobs_of = teaching.jobs_of(OPEN, **wanted)
    assert len(jobs_of) == len(files)
    told = []
    for _ in range(4):
        taken = teaching.take(dataset.id, OPEN, jobs_of)
        told.append((len(taken.added), len(taken.known), taken.refused))
        last = taken.left == 0
        assert last == (teaching.store.get(dataset.id).documents == 5)
    assert told == [(2, 0, []), (2, 2, []), (1, 4, []), (0, 5, [])]


def test_document_that_is_gone_keeps_no_other_from_being_taken(
    teaching: Teaching, jobs: Jobs
) -> None:
    dataset = teaching.store.create("Notes", "notes", None)
    gone, there = read(jobs, 1), read(jobs, 2)
    jobs.blobs.remove(gone)
    taken = teaching.take(dataset.id, OPEN, [gone, there, "nonsense"])
    assert [one.error.code for one in taken.refused] == ["job_expired", "job_unknown"]
    assert len(taken.added) == 1


def test_an_export_names_no_document_that_was_removed_meanwhile(
    teaching: Teaching, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = teaching.store.create("Notes", "notes", None)
    job_ids = [read(jobs, number) for number in (1, 2)]
    for job_id in job_ids:
        decide(jobs, job_id, done=True)
    left, removed = teaching.take(dataset.id, OPEN, job_ids).added
    every = teaching.store.every

    def while_somebody_removes(dataset_id: str) -> Iterator[Example]:
        yield from every(dataset_id)
        with suppress(ExampleUnknown):
            teaching.store.remove(dataset_id, removed.id)

    monkeypatch.setattr(teaching.store, "every", while_somebody_removes)
    content = b"".join(zipped(teaching, teaching.store.get(dataset.id)))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        (line,) = archive.read("labels.jsonl").splitlines()
        assert json.loads(line)["id"] == left.id
        assert json.loads(line)["document"] in archive.namelist()
