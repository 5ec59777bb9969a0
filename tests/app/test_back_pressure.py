"""A service with more work than it may take on: who is refused, with what, and who is not."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

from app.main import build
from app.settings import ApiSettings
from pipeline.errors import CorruptDocument
from pipeline.result import DocumentInfo, Extraction, ModelInfo
from store.access import Keys
from store.jobs import Job, Jobs
from tests.app.inside import call
from tests.app.test_extract_route import check_problem
from tests.archives import zip_of
from tests.builders import make_receipt, receipt_pdf
from tests.packages import tiny_package
from tests.stores import opened

PDF = receipt_pdf(make_receipt(61))
OTHER = receipt_pdf(make_receipt(62))
ANSWER = Extraction(
    id="x",
    document=DocumentInfo(sha256="", media_type="", page_count=1, word_count=1, pages=[]),
    model=ModelInfo(name="tiny", version="1.0.0", sha256=""),
    fields={},
    timings={"read": 1.5},
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    tiny_package(tmp_path / "models" / "tiny" / "1.0.0")
    return tmp_path


@pytest.fixture
def jobs(home: Path) -> Iterator[Jobs]:
    """The queue of a service without a worker: what is sent to it waits."""
    with opened(ApiSettings(home=home, model="tiny")) as queue:
        yield queue


def api(home: Path, **settings: object) -> FastAPI:
    return build(ApiSettings(home=home, model="tiny", **settings))  # type: ignore[arg-type]


def wait(jobs: Jobs, number: int, *, priority: int = 0, owner: str | None = None) -> None:
    """Put documents into the queue that take a second each, as long as nothing was measured."""
    of_request = {"priority": priority, "owner": owner}
    for _ in range(number):
        job_id = str(uuid.uuid4())
        jobs.repository.add(Job(job_id, "tiny", "0" * 64, "", "image/png", 1, **of_request))


def sent(data: bytes = PDF, **headers: str) -> dict[str, object]:
    """Return what a request with a document has, as `call` takes it."""
    return {"files": {"file": ("a.pdf", data)}, "data": {"wait": "0"}, "headers": headers}


def test_long_queue_refuses_and_says_when_to_come_back(home: Path, jobs: Jobs) -> None:
    wait(jobs, 30)
    service = api(home, max_queue_seconds=20)
    refused = call(service, "POST", "/extract", **sent())
    check_problem(refused, 503, "overloaded")
    assert refused.headers["retry-after"] == "10"
    assert len(jobs.repository.page()[0]) == 30
    assert list((home / "blobs").glob("??/*")) == []


def test_batches_in_the_queue_refuse_batches_alone(home: Path, jobs: Jobs) -> None:
    wait(jobs, 30, priority=1)
    service = api(home, max_queue_seconds=20, max_batch_queue_seconds=20)
    options = sent()
    assert call(service, "POST", "/extract", **options).status_code == 202
    refused = call(service, "POST", "/extract?priority=batch", **options)
    check_problem(refused, 503, "overloaded")


def test_what_needs_no_work_is_never_refused(home: Path, jobs: Jobs) -> None:
    service = api(home, max_queue_seconds=20)
    options = sent(**{"Idempotency-Key": "k"})
    first = call(service, "POST", "/extract", **options)
    assert first.status_code == 202
    done = jobs.claims.claim("w", lease=60, max_attempts=3)
    assert done is not None
    jobs.leases.renew(done, lease=60, model_version="1.0.0")
    jobs.leases.succeed(done, ANSWER.model_dump_json())
    wait(jobs, 30)
    full = api(home, max_queue_seconds=0.001)
    check_problem(call(full, "POST", "/extract", **sent(OTHER)), 503, "overloaded")
    again = call(full, "POST", "/extract", **options)
    assert (again.status_code, again.json()["id"]) == (200, "x")
    cached = call(full, "POST", "/extract?cache=true", **sent())
    assert cached.status_code == 200
    assert cached.json()["id"] not in ("x", done.id)


def test_a_key_has_its_number_of_jobs(home: Path, jobs: Jobs) -> None:
    keys = Keys(jobs.database)
    limited, other = (
        {"X-API-Key": keys.create(name, ["extract", "read"], max_queued=most)[1]}
        for name, most in (("limited", 2), ("other", None))
    )
    service = api(home)
    for _ in range(2):
        assert call(service, "POST", "/extract", **sent(**limited)).status_code == 202
    refused = call(service, "POST", "/extract", **sent(**limited))
    check_problem(refused, 429, "too_many_jobs")
    assert int(refused.headers["retry-after"]) >= 1
    assert call(service, "POST", "/extract", **sent(**other)).status_code == 202


def test_long_queue_of_one_key_neither_holds_up_nor_keeps_out_another(
    home: Path, jobs: Jobs
) -> None:
    keys = Keys(jobs.database)
    (large, text), (small, other) = (
        keys.create(name, ["extract", "read"]) for name in ("large", "small")
    )
    wait(jobs, 30, owner=large.id)
    service = api(home, max_queue_seconds=20)
    refused = call(service, "POST", "/extract", **sent(**{"X-API-Key": text}))
    check_problem(refused, 503, "overloaded")
    assert refused.headers["retry-after"] == "10"
    accepted = call(service, "POST", "/extract", **sent(**{"X-API-Key": other}))
    assert accepted.status_code == 202
    shown = call(service, "GET", accepted.headers["location"], headers={"X-API-Key": other})
    assert shown.json()["position"] == 2
    claimed = [jobs.claims.claim("w", lease=60, max_attempts=3) for _ in range(3)]
    assert [job and job.owner for job in claimed] == [large.id, small.id, large.id]


def test_an_archive_that_a_key_can_never_have_in_the_queue_is_not_told_to_wait(
    home: Path, jobs: Jobs
) -> None:
    scopes = ["extract", "read", "train"]
    limited = {"X-API-Key": Keys(jobs.database).create("limited", scopes, max_queued=2)[1]}
    service = api(home)
    dataset = call(service, "POST", "/datasets", json={"name": "Letters"}, headers=limited).json()
    documents = [(f"{n}.pdf", receipt_pdf(make_receipt(70 + n))) for n in range(3)]
    for path in ("/batches", f"/datasets/{dataset['id']}/documents"):
        files = {"files": ("a.zip", zip_of(documents))}
        refused = call(service, "POST", path, files=files, headers=limited)
        check_problem(refused, 413, "batch_too_large")
        assert "may have 2 unfinished jobs, and sends 3" in refused.json()["detail"]


def test_failed_documents_are_queued_again_within_the_limits_of_their_key(
    home: Path, jobs: Jobs
) -> None:
    limited = {"X-API-Key": Keys(jobs.database).create("l", ["extract", "read"], max_queued=2)[1]}
    service = api(home)
    files = [("files", (f"{n}.pdf", data)) for n, data in enumerate((PDF, OTHER))]
    batch = call(service, "POST", "/batches", files=files, headers=limited).json()
    for _ in files:
        job = jobs.claims.claim("w", lease=60, max_attempts=3)
        assert job is not None
        jobs.leases.fail(job, CorruptDocument("It cannot be opened."))
    path = f"/batches/{batch['id']}/retry"
    service = api(home)  # it looks at the queue anew
    assert call(service, "POST", "/extract", **sent(**limited)).status_code == 202
    refused = call(service, "POST", path, headers=limited)
    check_problem(refused, 429, "too_many_jobs")
    assert int(refused.headers["retry-after"]) >= 1
    full = api(home, max_batch_queue_seconds=1e-6)
    jobs.delete(jobs.repository.page(state="queued")[0][0].id)
    wait(jobs, 1)
    check_problem(call(full, "POST", path, headers=limited), 503, "overloaded")
    assert len(jobs.repository.page(state="failed")[0]) == 2
    again = call(api(home), "POST", path, headers=limited)
    assert (again.status_code, again.json()["retried"]) == (202, 2)


def test_a_nearly_full_disk_takes_no_documents(home: Path, jobs: Jobs) -> None:
    service = api(home, min_free_bytes=1 << 60)
    check_problem(call(service, "POST", "/extract", **sent()), 507, "storage_full")
    assert jobs.repository.page() == ([], None)
