"""Jobs that read a document once more: for a shadow, or for a reviewer who wants another model."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from app.schemas.common import ANSWER
from pipeline.result import Extraction
from store.access import ANY_OWNER, audit
from store.batches import Batches
from store.blobs import FILE
from store.errors import JobUnknown, Overloaded, StoreUnavailable
from store.jobs import Job, Jobs
from store.rereads import Rereads
from store.settings import Settings
from store.shadows import Shadows
from store.sql.tables import BatchItemRow, BatchRow, ShadowJobRow, ShadowRow
from tests.stores import opened
from tests.submitting import claimed

ANNA: Any = {"claimant": "window-of-anna", "reviewer": "Anna"}


@pytest.fixture
def jobs(url: str, tmp_path: Path) -> Iterator[Jobs]:
    with opened(Settings(home=tmp_path, database_url=url)) as queue:
        yield queue


def end(jobs: Jobs, job: Job) -> None:
    jobs.leases.renew(job, lease=60, model_version="1.0.0")
    answer = Extraction.model_validate({**ANSWER, "id": job.id})
    jobs.leases.succeed(job, answer.model_dump_json())


def answered(jobs: Jobs) -> Job:
    """Return a job that ended with an answer."""
    job = jobs.repository.add(Job(str(uuid.uuid4()), "tiny", "0" * 64, "a.pdf", "x/y", 1))
    jobs.blobs.put(job.id, FILE, b"the document")
    assert claimed(jobs).id == job.id
    end(jobs, jobs.status(job.id))
    return jobs.status(job.id)


def shadowed(jobs: Jobs, live: Job) -> Job:
    """Return the job of a shadow that is to read the document of another job."""
    shadows = Shadows(jobs)
    shadows.start("tiny", "2.0.0", "1.0.0", share=1.0, scope=ANY_OWNER)
    shadows.follow(live)
    with jobs.database.reading() as connection:
        second = connection.scalar(select(ShadowJobRow.shadow_job_id))
    assert second is not None
    assert jobs.blobs.holds(second, FILE)
    return jobs.status(second)


def reread(jobs: Jobs, live: Job, model: str = "other") -> Job:
    """Return the job that reads the document of another job for a reviewer."""
    return Rereads(jobs).start(live.id, model, **ANNA)


def of_batch(jobs: Jobs, live: Job) -> str:
    batch_id = str(uuid.uuid4())
    values = {"id": batch_id, "name": "", "model": "tiny", "created_at": 0.0}
    item = {"batch_id": batch_id, "number": 1, "filename": "x", "job_id": live.id}
    with jobs.database.writing() as connection:
        connection.execute(insert(BatchRow).values(**values, options={}, skipped=[]))
        connection.execute(insert(BatchItemRow).values(item))
    return batch_id


@pytest.mark.parametrize("second_of", [shadowed, reread])
@pytest.mark.parametrize("batch", [False, True])
def test_document_that_is_deleted_is_not_read_once_more(
    jobs: Jobs, second_of: Any, batch: bool
) -> None:
    live = answered(jobs)
    second = second_of(jobs, live)
    if batch:
        Batches(jobs).delete(of_batch(jobs, live))
    else:
        assert jobs.delete(live.id) == "removed"
    for one in (live, second):
        assert not jobs.repository.exists(one.id)
        assert not jobs.blobs.holds(one.id, FILE)


@pytest.mark.parametrize("second_of", [shadowed, reread])
def test_second_reading_of_a_document_that_is_deleted_is_stopped(
    jobs: Jobs, second_of: Any
) -> None:
    live = answered(jobs)
    second = second_of(jobs, live)
    assert claimed(jobs).id == second.id
    assert jobs.delete(live.id) == "removed"
    assert jobs.status(second.id).cancel_requested
    assert jobs.blobs.holds(second.id, FILE)  # its worker removes it


@pytest.mark.parametrize("second_of", [shadowed, reread])
def test_second_readings_are_nobodys_to_delete_or_review(jobs: Jobs, second_of: Any) -> None:
    second = second_of(jobs, answered(jobs))
    end(jobs, claimed(jobs))
    with pytest.raises(JobUnknown):
        jobs.delete(second.id)
    with pytest.raises(JobUnknown):
        jobs.reviews.claim(second.id, **ANNA)


def test_second_reading_that_is_refused_leaves_the_one_before(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, rereads = answered(jobs), Rereads(jobs)
    first = reread(jobs, live)
    end(jobs, claimed(jobs))

    def refuse(*given: Any, **options: Any) -> None:
        rereads.collect()  # the sweep comes by this very moment
        raise Overloaded("The queue is too long.")

    with monkeypatch.context() as patch:
        patch.setattr(jobs.admission, "check", refuse)
        with pytest.raises(Overloaded):
            reread(jobs, live, "another")
    rereads.collect()
    assert rereads.answer(live.id)["id"] == live.id
    told = [entry.detail for entry in audit.entries(jobs.database)]
    assert told == [{"model": "other"}]
    second = reread(jobs, live, "another")
    rereads.collect()
    assert [jobs.repository.exists(one.id) for one in (first, second)] == [False, True]


def test_of_two_shadows_that_begin_at_the_same_time_one_is_left(jobs: Jobs) -> None:
    about: dict[str, Any] = {"share": 1.0, "scope": ANY_OWNER}
    first: dict[str, Any] = {
        "model": "tiny",
        "id": str(uuid.uuid4()),
        "version": "1.1.0",
        "against": "1.0.0",
    }
    first |= {"owner": None, "everyone": True, "share": 1.0, "active": True, "counts": {}}
    with ThreadPoolExecutor() as pool:
        with jobs.database.writing() as connection:
            connection.execute(insert(ShadowRow).values(**first, started_at=0.0))
            other = pool.submit(Shadows(jobs).start, "tiny", "1.2.0", "1.0.0", **about)
            wait([other], 1)
        assert other.result() == Shadows(jobs).get("tiny")


def test_what_was_compared_before_the_store_went_away_leaves_no_document(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    shadows, lives = Shadows(jobs), [answered(jobs), answered(jobs)]
    shadows.start("tiny", "2.0.0", "1.0.0", share=1.0, scope=ANY_OWNER)
    for live in lives:
        shadows.follow(live)
    for _ in lives:
        end(jobs, claimed(jobs))
    compare, asked = Shadows._compare, list[str]()

    def away(self: Shadows, shadow_id: str, job_id: str, second: str) -> int:
        asked.append(second)
        if len(asked) == 2:
            raise StoreUnavailable("It went away.")
        return compare(self, shadow_id, job_id, second)

    monkeypatch.setattr(Shadows, "_compare", away)
    monkeypatch.setattr("store.shadows._TOGETHER", 1)
    with pytest.raises(StoreUnavailable):
        shadows.collect()
    assert [jobs.blobs.holds(second, FILE) for second in asked] == [False, True]
