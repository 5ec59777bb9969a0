"""Batches without a server, on both databases: all or nothing, tried again, counted, removed."""

from __future__ import annotations

import hashlib
import io
import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.errors import UnknownModel, WrongPassword
from store.access.ownership import ANY
from store.batches.batches import Batches, Upload
from store.blobs.blobs import FILE, PASSWORD
from store.errors import (
    ArchiveUnsafe,
    BatchTooLarge,
    BatchUnknown,
    IdempotencyKeyReused,
    StoreUnavailable,
)
from store.jobs.jobs import Jobs
from store.jobs.records import Job
from store.settings import Settings
from tests.archives import zip_of
from tests.builders import make_receipt, receipt_pdf
from tests.packages import tiny_package

PDFS = [receipt_pdf(make_receipt(seed)) for seed in range(3)]
MOST = 6


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_package(Path(tmp_path_factory.mktemp("package")) / "tiny")


@pytest.fixture
def jobs(url: str, tmp_path: Path, package: Path) -> Iterator[Jobs]:
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    (tmp_path / "models" / "tiny" / "0.0.1").symlink_to(package)
    queue = Jobs(Settings(home=tmp_path, model="tiny", database_url=url, batch_max_files=MOST))
    queue.prepare()
    yield queue
    queue.close()


@pytest.fixture
def batches(jobs: Jobs) -> Batches:
    return Batches(jobs)


def upload(name: str, data: bytes) -> Upload:
    return Upload(name, io.BytesIO(data), hashlib.sha256(data).hexdigest())


def uploads(*names: str) -> list[Upload]:
    return [upload(name, PDFS[number % 3]) for number, name in enumerate(names)]


def stored(jobs: Jobs) -> int:
    return len([path for path in jobs.blobs.root.rglob("*") if path.is_file()])


def claimed(jobs: Jobs) -> Job:
    job = jobs.store.claim("w", lease=60, max_attempts=3)
    assert job is not None
    return job


def answer(jobs: Jobs, job: Job) -> None:
    """End a job as a worker would."""
    pages = [
        {"number": 1, "width": 1, "height": 1, "rotation": 0, "text_source": "ocr", "reason": ""}
    ]
    document = {"sha256": job.sha256, "media_type": "", "page_count": 1, "word_count": 0}
    body = {
        "id": job.id,
        "document": {**document, "pages": pages},
        "model": {"name": "tiny", "version": "0.0.1", "sha256": ""},
        "fields": dict.fromkeys(("company", "date", "address", "total")),
        "timings": {},
    }
    jobs.store.renew(job, lease=60, model_version="0.0.1")
    jobs.store.succeed(job, json.dumps(body))


def test_documents_are_taken_in_their_order_after_urgent_ones(jobs: Jobs, batches: Batches) -> None:
    batch = batches.submit(uploads("a.pdf", "b.pdf", "a.pdf"), jobs.order(pages="1"), owner="k")
    urgent = jobs.submit(io.BytesIO(PDFS[0]))
    taken = [claimed(jobs) for _ in range(4)]
    assert taken[0].id == urgent.id
    assert [job.filename for job in taken[1:]] == ["a.pdf", "b.pdf", "a (2).pdf"]
    assert {(job.owner, job.priority, job.model) for job in taken[1:]} == {("k", 1, "tiny")}
    assert all(job.options == {"pages": "1"} for job in taken[1:])
    counts = batches.get(batch.id, "k").counts
    assert (counts["running"], counts["queued"]) == (3, 0)


def test_others_see_nothing(jobs: Jobs, batches: Batches) -> None:
    batch = batches.submit(uploads("a.pdf"), jobs.order(), owner="k")
    for reach in ("other", None):
        assert batches.page(reach=reach) == ([], None)
        with pytest.raises(BatchUnknown):
            batches.get(batch.id, reach)
        with pytest.raises(BatchUnknown):
            batches.items(batch.id, reach=reach)
        with pytest.raises(BatchUnknown):
            batches.export(batch.id, "jsonl", reach)
        with pytest.raises(BatchUnknown):
            batches.retry(batch.id, reach=reach)
        with pytest.raises(BatchUnknown):
            batches.delete(batch.id, reach)
    assert batches.get(batch.id, ANY).total == batches.get(batch.id, "k").total == 1


@pytest.mark.parametrize(
    ("last", "error"),
    [
        pytest.param(upload("x.zip", zip_of([("../x", b"x")])), ArchiveUnsafe, id="unsafe"),
        pytest.param(
            upload("x.zip", zip_of([(f"{n}.pdf", PDFS[0]) for n in range(5)])),
            BatchTooLarge,
            id="many",
        ),
    ],
)
def test_what_is_refused_leaves_nothing(
    jobs: Jobs, batches: Batches, last: Upload, error: type[Exception]
) -> None:
    with pytest.raises(error):
        batches.submit([*uploads("a.pdf", "b.pdf"), last], jobs.order())
    assert (stored(jobs), jobs.page()[0], batches.page()[0]) == (0, [], [])


def test_batch_that_the_store_does_not_take_leaves_nothing(tmp_path: Path, package: Path) -> None:
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    (tmp_path / "models" / "tiny" / "0.0.1").symlink_to(package)
    queue = Jobs(Settings(home=tmp_path, model="tiny"))
    queue.prepare()
    with queue.database.writing() as connection:
        connection.exec_driver_sql("DROP TABLE batch_items")
    with pytest.raises(StoreUnavailable):
        Batches(queue).submit(uploads("a.pdf", "b.pdf"), queue.order())
    assert (stored(queue), queue.page()[0]) == (0, [])
    queue.close()


def test_same_key_is_the_same_batch(jobs: Jobs, batches: Batches) -> None:
    first = batches.submit(uploads("a.pdf", "b.pdf"), jobs.order(), key="k")
    assert batches.submit(uploads("a.pdf", "b.pdf"), jobs.order(), key="k").id == first.id
    assert (stored(jobs), len(jobs.page()[0])) == (2, 2)
    with pytest.raises(IdempotencyKeyReused):
        batches.submit(uploads("a.pdf"), jobs.order(), key="k")
    batches.delete(first.id)
    assert batches.submit(uploads("a.pdf", "b.pdf"), jobs.order(), key="k").id != first.id


def test_only_failed_jobs_are_queued_again(jobs: Jobs, batches: Batches) -> None:
    batch = batches.submit(uploads("a.pdf", "b.pdf", "c.pdf"), jobs.order(password="falsch"))
    answer(jobs, claimed(jobs))
    for _ in range(2):
        failed = claimed(jobs)
        jobs.store.fail(failed, WrongPassword("It does not open."))
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


def test_time_left_is_estimated_once_documents_ended(jobs: Jobs, batches: Batches) -> None:
    batch = batches.submit(uploads(*"abcd"), jobs.order())
    assert batch.seconds_left is None
    for _ in range(2):
        answer(jobs, claimed(jobs))
    left = batches.get(batch.id).seconds_left
    assert left is not None
    assert 0 <= left < 600


def test_removing_asks_running_jobs_to_stop(jobs: Jobs, batches: Batches) -> None:
    batch = batches.submit(uploads("a.pdf", "b.pdf"), jobs.order())
    running = claimed(jobs)
    assert batches.delete(batch.id) == 1
    assert jobs.status(running.id).cancel_requested
    assert (stored(jobs), len(jobs.page()[0])) == (1, 1)
    with pytest.raises(BatchUnknown):
        batches.get(batch.id)


def test_export_says_of_every_item_what_became_of_it(jobs: Jobs, batches: Batches) -> None:
    batch = batches.submit([*uploads("a.pdf", "b.pdf"), upload("c.txt", b"words")], jobs.order())
    answer(jobs, claimed(jobs))
    rows = [json.loads(line) for line in "".join(batches.export(batch.id, "jsonl")).splitlines()]
    assert [row["document"] for row in rows] == ["a.pdf", "b.pdf", "c.txt"]
    assert "fields" in rows[0]
    codes = [row["error"]["code"] for row in rows[1:]]
    assert codes == ["job_not_finished", "unsupported_media_type"]
    header = "".join(batches.export(batch.id, "csv")).splitlines()[0]
    assert header.startswith("document,company,company_confidence,date,")


def test_table_wants_the_fields_of_the_model(jobs: Jobs, batches: Batches) -> None:
    batch = batches.submit(uploads("a.pdf"), jobs.order())
    (jobs.settings.home / "models" / "tiny" / "0.0.1").unlink()
    with pytest.raises(UnknownModel):
        batches.export(batch.id, "csv")
    assert "".join(batches.export(batch.id, "jsonl"))


def test_pages_show_every_item_and_batch_once(jobs: Jobs, batches: Batches) -> None:
    ids = [batches.submit(uploads(*"abcde"), jobs.order()).id for _ in range(3)]
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


def test_names_are_told_apart_and_cut(jobs: Jobs, batches: Batches) -> None:
    long = "n" * 300 + ".pdf"
    batch = batches.submit(uploads("A.pdf", "a.PDF", long, long, "", "\u202e"), jobs.order())
    names = [item.filename for item in batches.items(batch.id)[0]]
    assert names[:2] == ["A.pdf", "a (2).PDF"]
    assert names[4:] == ["document", "document (2)"]
    assert len(set(names)) == 6
    assert all(len(name) <= 255 for name in names)


@pytest.mark.parametrize("batch_id", ["", "1", str(uuid.UUID(int=1, version=4))])
def test_unknown_batches_are_named_so(batches: Batches, batch_id: str) -> None:
    with pytest.raises(BatchUnknown):
        batches.get(batch_id)
