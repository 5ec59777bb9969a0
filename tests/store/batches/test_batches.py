"""Batches without a server, on both databases: all or nothing, tried again, counted, removed."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.intake.orders import check_order
from models.packages import Registry
from pipeline.errors import CorruptDocument, StorageFull, WrongPassword
from store.access import ANY_OWNER
from store.batches import Batches
from store.blobs import FILE, PASSWORD
from store.errors import (
    BatchUnknown,
    IdempotencyKeyReused,
    StoreUnavailable,
)
from store.jobs import Jobs
from store.jobs.rows import change
from store.reviews import Made, Need
from store.settings import Settings
from store.sql.tables import JobRow
from store.webhooks.outbox import batches_of
from tests.packages import tiny_package
from tests.stores import prepare
from tests.submitting import (
    PDFS,
    answer,
    claimed,
    order,
    stored,
    submit,
    submit_batch,
    upload,
    uploads,
)

MOST = 6


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_package(Path(tmp_path_factory.mktemp("package")) / "tiny")


@pytest.fixture
def jobs(url: str, tmp_path: Path, package: Path) -> Iterator[Jobs]:
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    (tmp_path / "models" / "tiny" / "0.0.1").symlink_to(package)
    queue = Jobs(Settings(home=tmp_path, model="tiny", database_url=url, batch_max_files=MOST))
    prepare(queue)
    yield queue
    queue.close()


@pytest.fixture
def batches(jobs: Jobs) -> Batches:
    return Batches(jobs)


def test_documents_are_taken_in_their_order_after_urgent_ones(jobs: Jobs, batches: Batches) -> None:
    batch = submit_batch(
        jobs, uploads("a.pdf", "b.pdf", "a.pdf"), order(jobs, pages="1"), owner="k"
    )
    urgent = submit(jobs, PDFS[0])
    taken = [claimed(jobs) for _ in range(4)]
    assert taken[0].id == urgent.id
    assert [job.filename for job in taken[1:]] == ["a.pdf", "b.pdf", "a (2).pdf"]
    assert {(job.owner, job.priority, job.model) for job in taken[1:]} == {("k", 1, "tiny")}
    assert all(job.options == {"pages": "1"} for job in taken[1:])
    counts = batches.get(batch.id, "k").counts
    assert (counts["running"], counts["queued"]) == (3, 0)


def test_others_see_nothing(jobs: Jobs, batches: Batches) -> None:
    batch = submit_batch(jobs, uploads("a.pdf"), order(jobs), owner="k")
    for scope in ("other", None):
        assert batches.page(scope=scope) == ([], None)
        with pytest.raises(BatchUnknown):
            batches.get(batch.id, scope)
        with pytest.raises(BatchUnknown):
            batches.items(batch.id, scope=scope)
        with pytest.raises(BatchUnknown):
            batches.retry(batch.id, scope=scope)
        with pytest.raises(BatchUnknown):
            batches.delete(batch.id, scope)
    assert batches.get(batch.id, ANY_OWNER).total == batches.get(batch.id, "k").total == 1


def test_batch_that_the_store_does_not_take_leaves_nothing(tmp_path: Path, package: Path) -> None:
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    (tmp_path / "models" / "tiny" / "0.0.1").symlink_to(package)
    queue = Jobs(Settings(home=tmp_path, model="tiny"))
    prepare(queue)
    with queue.database.writing() as connection:
        connection.exec_driver_sql("DROP TABLE batch_items")
    with pytest.raises(StoreUnavailable):
        submit_batch(queue, uploads("a.pdf", "b.pdf"), order(queue))
    assert (stored(queue), queue.repository.page()[0]) == (0, [])
    queue.close()


def test_same_key_is_the_same_batch(jobs: Jobs, batches: Batches) -> None:
    first = submit_batch(jobs, uploads("a.pdf", "b.pdf"), order(jobs), key="k")
    assert submit_batch(jobs, uploads("a.pdf", "b.pdf"), order(jobs), key="k").id == first.id
    assert (stored(jobs), len(jobs.repository.page()[0])) == (2, 2)
    with pytest.raises(IdempotencyKeyReused):
        submit_batch(jobs, uploads("a.pdf"), order(jobs), key="k")
    # The installation has another default model by now, and the request named none.
    other = check_order(Registry(jobs.settings.home / "models", default="tiny@0.0.1"))
    assert submit_batch(jobs, uploads("a.pdf", "b.pdf"), other, key="k").id == first.id
    batches.delete(first.id)
    assert submit_batch(jobs, uploads("a.pdf", "b.pdf"), order(jobs), key="k").id != first.id


def test_only_failed_jobs_are_queued_again(jobs: Jobs, batches: Batches) -> None:
    batch = submit_batch(jobs, uploads("a.pdf", "b.pdf", "c.pdf"), order(jobs, password="falsch"))
    answer(jobs, claimed(jobs))
    for _ in range(2):
        failed = claimed(jobs)
        jobs.leases.fail(failed, WrongPassword("It does not open."))
        jobs.blobs.keep_only(failed.id, FILE)
    jobs.blobs.remove(failed.id)  # its bytes are gone by now
    assert batches.get(batch.id).errors == {"pdf_password_wrong": 2}
    assert batches.retry(batch.id, password="geheim") == 1
    job = claimed(jobs)
    assert (job.filename, job.attempts, job.error_code, job.finished_at) == ("b.pdf", 1, None, None)
    assert jobs.blobs.get(job.id, PASSWORD) == b"geheim"
    answer(jobs, job)
    after = batches.get(batch.id)
    assert (after.counts["succeeded"], after.counts["failed"]) == (2, 1)
    assert (after.ended, after.finished_at is not None) == (3, True)


def test_retried_documents_wait_behind_those_that_came_meanwhile(
    jobs: Jobs, batches: Batches
) -> None:
    batch = submit_batch(jobs, uploads("a.pdf"), order(jobs))
    failed = claimed(jobs)
    jobs.leases.fail(failed, CorruptDocument("It cannot be opened."))
    with jobs.database.writing() as connection:
        change(connection, JobRow.id == failed.id, created_at=failed.created_at - 1e6)
    submit_batch(jobs, uploads("b.pdf"), order(jobs))
    assert batches.retry(batch.id) == 1
    (_, oldest) = jobs.telemetry().waiting["read", 1]
    assert oldest < 1e5
    assert [claimed(jobs).filename for _ in range(2)] == ["b.pdf", "a.pdf"]


def test_password_of_a_retry_outlives_the_end_of_the_first_attempt(
    jobs: Jobs, batches: Batches, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = submit_batch(jobs, uploads("a.pdf", "b.pdf"), order(jobs))
    first, second = claimed(jobs), claimed(jobs)
    for job in (first, second):
        jobs.leases.fail(job, WrongPassword("It does not open."))
    requeue = Batches._requeue

    def late(self: Batches, *args: Any) -> list[str]:
        jobs.tidy(first.id)  # its worker removes its files between the password and the queue
        return requeue(self, *args)

    monkeypatch.setattr(Batches, "_requeue", late)
    assert batches.retry(batch.id, password="geheim") == 2
    jobs.tidy(second.id)  # and its worker only after it is queued again
    assert [jobs.blobs.get(job.id, PASSWORD) for job in (first, second)] == [b"geheim"] * 2


def test_passwords_of_a_retry_are_put_while_no_transaction_is_open(
    jobs: Jobs, batches: Batches, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = submit_batch(jobs, uploads("a.pdf", "b.pdf"), order(jobs))
    for _ in range(2):
        jobs.leases.fail(claimed(jobs), WrongPassword("It does not open."))

    def while_others_write(method: Any, job_id: str, *given: Any, **options: Any) -> Any:
        note(jobs, job_id)
        return method(job_id, *given, **options)

    for name in ("put", "holds"):
        method = partial(while_others_write, getattr(jobs.blobs, name))
        monkeypatch.setattr(jobs.blobs, name, method)
    assert batches.retry(batch.id, password="geheim") == 2
    assert {jobs.blobs.get(claimed(jobs).id, PASSWORD) for _ in range(2)} == {b"geheim"}


def test_files_are_tidied_while_no_transaction_is_open(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = submit(jobs, PDFS[0], password="falsch")
    jobs.leases.fail(claimed(jobs), WrongPassword("It does not open."))
    keep_only = jobs.blobs.keep_only

    def while_others_write(job_id: str, *given: Any) -> None:
        note(jobs, job_id)
        keep_only(job_id, *given)

    monkeypatch.setattr(jobs.blobs, "keep_only", while_others_write)
    jobs.tidy(job.id)
    assert not jobs.blobs.holds(job.id, PASSWORD)


def note(jobs: Jobs, job_id: str) -> None:
    """Write to the row of a job, which fails where a transaction keeps it."""
    with jobs.database.writing() as connection:
        assert change(connection, JobRow.id == job_id, words=1)


def test_retry_waits_until_files_are_tidied(
    jobs: Jobs, batches: Batches, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = submit_batch(jobs, uploads("a.pdf"), order(jobs, password="falsch"))
    job, keep_only, retries = claimed(jobs), jobs.blobs.keep_only, list[Future[int]]()
    jobs.leases.fail(job, WrongPassword("It does not open."))

    def while_somebody_retries(*given: Any) -> None:
        retries.append(pool.submit(batches.retry, batch.id, password="geheim"))
        wait(retries, 0.5)
        keep_only(*given)

    monkeypatch.setattr(jobs.blobs, "keep_only", while_somebody_retries)
    with ThreadPoolExecutor() as pool:
        jobs.tidy(job.id)
    assert retries[0].result() == 1
    assert jobs.blobs.get(claimed(jobs).id, PASSWORD) == b"geheim"


def test_password_that_finds_no_room_changes_nothing(
    jobs: Jobs, batches: Batches, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = submit_batch(jobs, uploads("a.pdf"), order(jobs))
    jobs.leases.fail(claimed(jobs), WrongPassword("It does not open."))

    def full(*given: Any, **options: Any) -> None:
        raise StorageFull("No room.")

    with monkeypatch.context() as patch:
        patch.setattr(jobs.blobs, "put", full)
        with pytest.raises(StorageFull):
            batches.retry(batch.id, password="geheim")
    assert batches.get(batch.id).counts["failed"] == 1
    assert batches.retry(batch.id, password="geheim") == 1  # at once


def test_models_whose_answers_were_taken_in_a_review_are_known(
    jobs: Jobs, batches: Batches
) -> None:
    batch = submit_batch(jobs, uploads("a.pdf"), order(jobs))
    job = claimed(jobs)
    answer(jobs, job)
    assert batches.versions(batch) == [("tiny", "0.0.1")]
    other = json.loads(jobs.result(job.id))
    other["model"] = {"name": "letters", "version": "2.0.0", "sha256": ""}
    anna: Any = {"claimant": "window-of-anna", "reviewer": "Anna"}
    jobs.reviews.decide(job.id, Made("a", "model", "model", value=other), **anna)
    assert batches.versions(batch) == [("letters", "2.0.0"), ("tiny", "0.0.1")]
    assert batches.versions(batch, reviewed=False) == [("tiny", "0.0.1")]
    for reviewed, name in ((True, "letters"), (False, "tiny")):
        ((_, body),) = batches.answers(batch, reviewed=reviewed)
        assert json.loads(body or "")["model"]["name"] == name
    jobs.reviews.decide(job.id, Made("b", "undo", "model", undoes="a"), **anna)
    assert batches.versions(batch) == [("tiny", "0.0.1")]


def test_answers_in_memory_are_as_many_as_fit(
    jobs: Jobs, batches: Batches, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = submit_batch(jobs, uploads(*"abcde"), order(jobs))
    for size in (10, 40, 60, 150):  # the fifth document has no answer yet
        jobs.leases.succeed(claimed(jobs), "x" * size)
    monkeypatch.setattr("store.batches.batches._ROOM", 100)
    bodies, asked = Batches._bodies, list[int]()

    def counted(self: Batches, job_ids: list[str], body: Any) -> dict[str, str]:
        asked.append(len(job_ids))
        return bodies(self, job_ids, body)

    monkeypatch.setattr(Batches, "_bodies", counted)
    given = [(item.filename, len(body or "")) for item, body in batches.answers(batch)]
    assert given == [("a", 10), ("b", 40), ("c", 60), ("d", 150), ("e", 0)]
    assert asked == [2, 1, 1]


def test_answers_of_a_batch_that_is_removed_meanwhile_do_not_seem_complete(
    jobs: Jobs, batches: Batches, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = submit_batch(jobs, uploads(*"abc"), order(jobs))
    monkeypatch.setattr("store.batches.batches._PAGE", 1)
    given = batches.answers(batch)
    assert next(given)[0].filename == "a"
    batches.delete(batch.id)
    with pytest.raises(BatchUnknown):
        list(given)


def test_time_left_is_estimated_once_documents_ended(jobs: Jobs, batches: Batches) -> None:
    batch = submit_batch(jobs, uploads(*"abcd"), order(jobs))
    assert batch.seconds_left is None
    for _ in range(2):
        answer(jobs, claimed(jobs))
    left = batches.get(batch.id).seconds_left
    assert left is not None
    assert 0 <= left < 600


def test_removing_asks_running_jobs_to_stop(jobs: Jobs, batches: Batches) -> None:
    batch = submit_batch(jobs, uploads("a.pdf", "b.pdf"), order(jobs))
    running = claimed(jobs)
    assert batches.delete(batch.id) == 1
    assert jobs.status(running.id).cancel_requested
    assert (stored(jobs), len(jobs.repository.page()[0])) == (1, 1)
    with pytest.raises(BatchUnknown):
        batches.get(batch.id)


def test_running_document_of_a_removed_batch_belongs_to_none(jobs: Jobs, batches: Batches) -> None:
    batch = submit_batch(jobs, uploads("a.pdf"), order(jobs))
    running = claimed(jobs)
    with jobs.database.reading() as connection:
        assert batches_of(connection, [running.id]) == [batch.id]
    batches.delete(batch.id)
    with jobs.database.reading() as connection:
        assert batches_of(connection, [running.id]) == []


def test_batches_and_reviews_of_the_release_before_are_counted(
    jobs: Jobs, batches: Batches
) -> None:
    batch_id = submit_batch(jobs, uploads(*"abc"), order(jobs), owner="k").id
    other = submit(jobs, PDFS[0])
    for _ in range(2):  # the one that somebody waits for comes first
        jobs.leases.succeed(claimed(jobs), "{}", need=Need(1, 0.5))
    before = batches.get(batch_id), jobs.reviews.queue("k"), jobs.reviews.queue(None)
    assert (before[0].counts["succeeded"], before[0].counts["queued"]) == (1, 2)
    assert [(one.id, one.waiting) for one in before[1].batches] == [(batch_id, 1)]
    assert [review.job_id for review in before[2].reviews] == [other.id]
    jobs.database.migrate("0015")
    jobs.database.migrate()
    after = batches.get(batch_id), jobs.reviews.queue("k"), jobs.reviews.queue(None)
    assert after[0].counts == before[0].counts
    assert after[1].batches == before[1].batches
    assert [queue.reviews for queue in after[1:]] == [queue.reviews for queue in before[1:]]


def test_items_are_found_by_each_state(jobs: Jobs, batches: Batches) -> None:
    batch = submit_batch(jobs, [*uploads(*"abcde"), upload("f", b"no document")], order(jobs))
    taken = [claimed(jobs) for _ in range(4)]
    answer(jobs, taken[0])
    jobs.leases.fail(taken[1], WrongPassword("Wrong."))
    for job in taken[2:4]:
        answer(jobs, job)
    jobs.delete(taken[2].id)
    with jobs.database.writing() as connection:
        change(connection, JobRow.id == taken[3].id, expired_at=1.0)
    states = ["succeeded", "failed", "removed", "expired", "queued", "refused"]
    assert [item.state for item in batches.items(batch.id)[0]] == states
    for number, state in enumerate(states, 1):
        found, _ = batches.items(batch.id, state=state)
        assert [(item.number, item.state) for item in found] == [(number, state)]
    counts = batches.get(batch.id).counts
    assert counts == {**dict.fromkeys(states, 1), "running": 0, "cancelled": 0}
    assert batches.get(batch.id).errors == {"pdf_password_wrong": 1, "unsupported_media_type": 1}


def test_pages_show_every_item_and_batch_once(jobs: Jobs, batches: Batches) -> None:
    ids = [submit_batch(jobs, uploads(*"abcde"), order(jobs)).id for _ in range(3)]
    seen, cursor = [], None
    while True:
        found, cursor = batches.page(cursor, 2)
        seen += [batch.id for batch in found]
        if cursor is None:
            break
    assert seen == ids[::-1]
    numbers, cursor = [], None
    while True:
        items, cursor = batches.items(ids[0], cursor=cursor, limit=2, state="queued")
        numbers += [item.number for item in items]
        if cursor is None:
            break
    assert numbers == [1, 2, 3, 4, 5]
    assert batches.items(ids[0], state="failed") == ([], None)


@pytest.mark.parametrize("batch_id", ["", "1", str(uuid.UUID(int=1, version=4))])
def test_unknown_batches_are_named_so(batches: Batches, batch_id: str) -> None:
    with pytest.raises(BatchUnknown):
        batches.get(batch_id)
