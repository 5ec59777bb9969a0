"""Datasets in the store: documents once, labels for good, whose they are, what outlives what."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from app.schemas.common import ANSWER
from pipeline.errors import InvalidOption
from pipeline.reading.media import MEDIA_TYPES
from pipeline.result import Extraction
from store.access import ANY_OWNER
from store.datasets import Dataset, Datasets, Example, NewExample, label_line
from store.datasets import datasets as module
from store.errors import DatasetFull, DatasetUnknown, ExampleUnknown, JobUnknown
from store.jobs import Job, Jobs
from store.jobs.rows import change
from store.reviews import Need, open_review
from store.settings import Settings
from store.sql.tables import JobRow
from tests.stores import opened

LIMITS: dict[str, Any] = {"most": 10, "most_bytes": 1000}
DATE = {"name": "date", "kind": "date", "guessed": False, "many": False}
DATE |= {"group": None, "range_start": None}
TOTAL = {**DATE, "name": "total", "kind": "amount"}
ITEM = {**DATE, "name": "text", "kind": "text", "group": "items", "many": True}
VALUE = {"text": "9.00", "page": 1, "box": [0, 0, 1, 1], "words": [3], "places": []}


@pytest.fixture
def jobs(url: str, tmp_path: Path) -> Iterator[Jobs]:
    """The queue of an empty store, with its blobs."""
    with opened(Settings(home=tmp_path, database_url=url, retention_hours=1)) as jobs:
        yield jobs


@pytest.fixture
def datasets(jobs: Jobs) -> Datasets:
    return Datasets(jobs)


def new(jobs: Jobs, mark: str, *, answered: bool = False, owner: str | None = None) -> NewExample:
    """Return a document that is told apart by a letter, its bytes stored."""
    job_id = str(uuid.uuid4())
    done: dict[str, Any] = {"state": "succeeded", "stage": "done"} if answered else {}
    job = Job(
        job_id, "tiny", mark * 64, f"{mark}.pdf", "application/pdf", 100, owner=owner,
        purpose="dataset", **done,
    )  # fmt: skip
    jobs.blobs.put(job_id, "file", mark.encode())
    answer = Extraction.model_validate({**ANSWER, "id": job_id}).model_dump_json()
    return NewExample(job, answer if answered else None)


def made(
    datasets: Datasets, jobs: Jobs, marks: str = "abc", owner: str | None = None
) -> tuple[Dataset, list[str]]:
    """Return a dataset with two fields, and the ids of its documents, which were answered."""
    dataset = datasets.create("Notes", "notes", owner)
    dataset = datasets.set_fields(dataset.id, ANY_OWNER, [DATE, TOTAL], {})
    documents = [new(jobs, mark, answered=True, owner=owner) for mark in marks]
    return dataset, datasets.add(dataset.id, documents, **LIMITS)


def say(datasets: Datasets, dataset: Dataset, document: str, **labels: Any) -> Example:
    def change(now: Dataset, example: Example) -> tuple[Any, Any, Any]:
        return {**example.labels, **labels}, example.rows, {}

    return datasets.label(dataset.id, document, ANY_OWNER, change)


def test_a_document_is_in_a_dataset_once(datasets: Datasets, jobs: Jobs) -> None:
    dataset, ids = made(datasets, jobs, "ab")
    again = datasets.add(dataset.id, [new(jobs, "b"), new(jobs, "c"), new(jobs, "c")], **LIMITS)
    assert len(again) == 1
    found = datasets.get(dataset.id)
    assert found.documents == 3
    assert found.counts["reading"] == 1
    assert datasets.known(dataset.id, ["b" * 64, "x" * 64]) == {"b" * 64: ids[1]}


def test_a_full_dataset_takes_none_of_what_is_too_much(datasets: Datasets, jobs: Jobs) -> None:
    dataset, _ = made(datasets, jobs)
    for limits in ({**LIMITS, "most": 4}, {**LIMITS, "most_bytes": 450}):
        with pytest.raises(DatasetFull):
            datasets.add(dataset.id, [new(jobs, "d"), new(jobs, "e")], **limits)
    assert datasets.get(dataset.id).documents == 3


def test_labels_make_a_document_labelled(datasets: Datasets, jobs: Jobs) -> None:
    dataset, (first, *_) = made(datasets, jobs)
    assert say(datasets, dataset, first, total=[VALUE]).state == "new"
    after = say(datasets, dataset, first, date=[])  # the document has none
    assert after.state == "labelled"
    assert after.labels == {"total": [VALUE], "date": []}
    assert datasets.get(dataset.id).labelled == 1


def test_a_line_of_labels_names_a_file_of_its_kind(datasets: Datasets, jobs: Jobs) -> None:
    """Whoever unpacks an export opens its documents by the end of their names."""
    dataset, (document,) = made(datasets, jobs, "a")
    (one,) = datasets.every(dataset.id)
    lines = [label_line(replace(one, job=replace(one.job, media_type=t))) for t in MEDIA_TYPES]
    files = [Path(line["document"]) for line in lines]
    assert {file.stem for file in files} == {document}
    assert len({file.suffix for file in files} - {""}) == len(MEDIA_TYPES)


def test_what_goes_wrong_changes_no_label(datasets: Datasets, jobs: Jobs) -> None:
    dataset, (first, *_) = made(datasets, jobs)

    def fail(now: Dataset, example: Example) -> tuple[Any, Any, Any]:
        raise ValueError("no")

    say(datasets, dataset, first, date=[])
    with pytest.raises(ValueError, match="no"):
        datasets.label(dataset.id, first, ANY_OWNER, fail)
    assert datasets.document(dataset.id, first).labels == {"date": []}


def test_labels_go_along_when_fields_change(datasets: Datasets, jobs: Jobs) -> None:
    dataset, (first, *_) = made(datasets, jobs)
    say(datasets, dataset, first, total=[VALUE], date=[])
    fields = [{**TOTAL, "name": "sum"}, ITEM]
    datasets.set_fields(dataset.id, ANY_OWNER, fields, {"sum": "total"})
    found = datasets.document(dataset.id, first)
    assert found.labels == {"sum": [VALUE]}
    assert not found.complete  # the rows are not labelled
    datasets.set_fields(dataset.id, ANY_OWNER, fields[:1], {})
    assert datasets.document(dataset.id, first).complete


def test_rows_of_a_renamed_group_go_along(datasets: Datasets, jobs: Jobs) -> None:
    dataset, (first, *_) = made(datasets, jobs)
    datasets.set_fields(dataset.id, ANY_OWNER, [ITEM], {})
    rows = {"items": [{"text": VALUE}]}
    datasets.label(dataset.id, first, ANY_OWNER, lambda now, example: ({}, rows, {}))
    renamed = {**ITEM, "name": "what", "group": "goods"}
    datasets.set_fields(dataset.id, ANY_OWNER, [renamed], {"goods.what": "items.text"})
    assert datasets.document(dataset.id, first).rows == {"goods": [{"what": VALUE}]}


def test_the_least_sure_document_is_next(datasets: Datasets, jobs: Jobs) -> None:
    dataset, (first, second, third) = made(datasets, jobs)
    made_of: dict[str, Any] = {"fields": {"total": [VALUE]}, "groups": {}, "model": "m@1"}
    datasets.suggest(dataset.id, {second: (made_of, 0.9), third: (made_of, 0.4)}, revision=2)
    order = []
    for _ in range(3):
        following = datasets.next(dataset.id)
        assert following is not None
        order.append(following.id)
        say(datasets, dataset, following.id, total=[], date=[])
    assert order == [third, second, first]
    assert datasets.next(dataset.id) is None


def test_suggestions_are_made_again_when_the_dataset_changes(
    datasets: Datasets, jobs: Jobs
) -> None:
    dataset, ids = made(datasets, jobs)
    assert [one.id for one, _ in datasets.stale(dataset, limit=9)] == ids
    made_of: dict[str, Any] = {"fields": {}, "groups": {}, "model": "m@1"}
    datasets.suggest(dataset.id, {ids[0]: (made_of, None)}, revision=dataset.revision)
    assert [one.id for one, _ in datasets.stale(dataset, limit=9)] == ids[1:]
    changed = datasets.set_fields(dataset.id, ANY_OWNER, [TOTAL], {})
    assert [one.id for one, _ in datasets.stale(changed, limit=9)] == ids
    # Those of the dataset's own model stay until the next one is trained.
    datasets.suggest(dataset.id, {ids[0]: (made_of, 0.5)}, revision=0, source="notes@1.0.0")
    changed = datasets.set_fields(dataset.id, ANY_OWNER, [TOTAL, DATE], {})
    assert [one.id for one, _ in datasets.stale(changed, limit=9)] == ids[1:]


def test_doubts_stand_at_their_labels(datasets: Datasets, jobs: Jobs) -> None:
    dataset, (first, second, _) = made(datasets, jobs)
    say(datasets, dataset, first, total=[VALUE], date=[])
    doubts = {first: {"total": "is no amount", "other": "?"}, second: {"total": "?"}}
    datasets.suggest(dataset.id, {}, revision=1, doubts=doubts)
    assert datasets.document(dataset.id, first).doubts == {"total": "is no amount"}
    assert datasets.get(dataset.id).counts["doubtful"] == 1
    assert datasets.documents(dataset.id, state="doubtful")[0].id == first
    assert not datasets.document(dataset.id, second).doubts


def test_label_that_is_given_while_fields_change_stays(
    datasets: Datasets, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset, (first, *_) = made(datasets, jobs)
    carried, others = module.carried, list[threading.Thread]()

    def while_somebody_labels(*given: Any) -> Any:
        if not others:
            label = partial(say, datasets, dataset, first, date=[VALUE])
            others.append(threading.Thread(target=label))
            others[0].start()
            others[0].join(1)  # it waits for the fields
        return carried(*given)

    monkeypatch.setattr(module, "carried", while_somebody_labels)
    datasets.set_fields(dataset.id, ANY_OWNER, [DATE, TOTAL, {**DATE, "name": "other"}], {})
    others[0].join()
    assert datasets.document(dataset.id, first).labels == {"date": [VALUE]}


def test_fields_that_documents_bring_are_added_to_those_there_are(
    datasets: Datasets, jobs: Jobs
) -> None:
    dataset, (first, *_) = made(datasets, jobs, "a")
    say(datasets, dataset, first, total=[VALUE], date=[])
    brought = [{**TOTAL, "kind": "text"}, {**DATE, "name": "other"}]
    datasets.add(dataset.id, [new(jobs, "b")], **LIMITS, fields=brought)
    after = datasets.get(dataset.id)
    assert [field["name"] for field in after.fields] == ["date", "total", "other"]
    assert after.fields[1]["kind"] == "amount"  # as it was
    assert after.revision == dataset.revision + 1
    assert datasets.document(dataset.id, first).state == "new"  # until the new field is labelled
    with pytest.raises(DatasetFull):
        datasets.add(dataset.id, [new(jobs, "c")], most=2, most_bytes=999, fields=[ITEM])
    assert datasets.get(dataset.id).fields == after.fields


def test_jobs_are_known_by_their_bytes_to_those_who_see_them(
    datasets: Datasets, jobs: Jobs
) -> None:
    dataset, (first, *_) = made(datasets, jobs, "ab", owner="anna")
    same, other = new(jobs, "a", owner="anna").job, new(jobs, "c", owner="anna").job
    for job in (same, other):
        jobs.repository.add(job)
    assert datasets.held(dataset.id, [other.id, same.id, ""], "anna") == {same.id: first}
    assert datasets.held(dataset.id, [same.id], "ben") == {}
    assert datasets.held(dataset.id, [], "anna") == {}


def test_datasets_are_listed_page_by_page(datasets: Datasets) -> None:
    made = [datasets.create(f"{number}", "m", "anna").id for number in range(5)]
    datasets.create("other", "m", "ben")
    seen, cursor = [], None
    while True:
        found, cursor = datasets.page(cursor, 2, "anna")
        seen += [one.id for one in found]
        if cursor is None:
            break
    assert seen == made[::-1]
    assert [one.id for one in datasets.all("anna")] == seen
    with pytest.raises(InvalidOption):
        datasets.page("no cursor", 2, "anna")


def test_others_see_no_dataset(datasets: Datasets, jobs: Jobs) -> None:
    dataset, (first, *_) = made(datasets, jobs, owner="anna")
    assert [one.id for one in datasets.all("anna")] == [dataset.id]
    assert datasets.all("ben") == []
    for see in (
        lambda: datasets.get(dataset.id, "ben"),
        lambda: datasets.documents(dataset.id, "ben"),
        lambda: datasets.document(dataset.id, first, "ben"),
        lambda: datasets.delete(dataset.id, "ben"),
        lambda: datasets.remove(dataset.id, first, "ben"),
    ):
        with pytest.raises(DatasetUnknown):
            see()
    other, _ = made(datasets, jobs, owner="anna")
    with pytest.raises(ExampleUnknown):
        datasets.document(other.id, first, "anna")


def test_documents_outlive_the_age_of_jobs_and_go_with_their_dataset(
    datasets: Datasets, jobs: Jobs
) -> None:
    dataset, (first, second, _) = made(datasets, jobs)
    job_id = datasets.document(dataset.id, first).job.id
    other_job = datasets.document(dataset.id, second).job.id
    with jobs.database.writing() as connection:
        connection.execute(update(JobRow).values(finished_at=1.0))
    jobs.clean(deep=True)
    assert jobs.blobs.get(job_id, "file") == b"a"
    assert json.loads(jobs.result(job_id))["id"] == job_id
    datasets.remove(dataset.id, first)
    assert jobs.blobs.get(job_id, "file") is None
    assert jobs.blobs.get(other_job, "file") == b"b"
    assert datasets.delete(dataset.id) == []
    assert jobs.blobs.get(other_job, "file") is None
    with pytest.raises(DatasetUnknown):
        datasets.get(dataset.id)


def test_files_of_a_deleted_dataset_are_removed_together(
    datasets: Datasets, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody waits for it, and an object store removes several at a time."""
    dataset, documents = made(datasets, jobs, "abc")
    of_them = {datasets.document(dataset.id, one).job.id for one in documents}
    asked: list[set[str]] = []
    monkeypatch.setattr(jobs.blobs, "remove", lambda *ids: asked.append(set(ids)))
    datasets.delete(dataset.id)
    assert asked == [of_them]


def test_jobs_of_datasets_are_not_listed(datasets: Datasets, jobs: Jobs) -> None:
    made(datasets, jobs)
    assert jobs.repository.page() == ([], None)


def test_jobs_of_datasets_are_neither_deleted_nor_reviewed_as_jobs(
    datasets: Datasets, jobs: Jobs
) -> None:
    dataset, (first, *_) = made(datasets, jobs, "a")
    say(datasets, dataset, first, date=[VALUE], total=[])
    job_id = datasets.document(dataset.id, first).job.id
    with pytest.raises(JobUnknown):
        jobs.delete(job_id)
    with pytest.raises(JobUnknown):
        jobs.reviews.claim(job_id, "window-of-anna", "Anna")
    with jobs.database.writing() as connection:  # as an older release left it
        open_review(connection, job_id, "tiny", Need(1, 1.0))
    assert jobs.reviews.queue().reviews == []
    assert jobs.reviews.queue().waiting == {}
    assert jobs.reviews.claim_next("window-of-anna", "Anna") is None
    assert datasets.document(dataset.id, first).labels == {"date": [VALUE], "total": []}


def test_a_document_that_is_answered_while_it_is_taken_out_does_not_stay(
    datasets: Datasets, jobs: Jobs
) -> None:
    dataset, _ = made(datasets, jobs, "")
    (document,) = datasets.add(dataset.id, [new(jobs, "a")], **LIMITS)
    job = jobs.claims.claim("w", lease=60.0, max_attempts=3)
    assert job is not None
    with ThreadPoolExecutor() as pool:
        with jobs.database.writing() as connection:
            change(connection, JobRow.id == job.id, state="succeeded", stage="done")
            other = pool.submit(datasets.remove, dataset.id, document)
            wait([other], 1)
        other.result()
    assert not jobs.repository.exists(job.id)
    assert jobs.blobs.get(job.id, "file") is None
