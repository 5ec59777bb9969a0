"""Retention: what goes when, and what is still said of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select, update

from pipeline.errors import EncryptedPdf
from store.blobs import FILE
from store.errors import JobExpired, JobUnknown
from store.jobs import Job, Jobs
from store.jobs.retention import forget_batches
from store.jobs.rows import requeue_jobs
from store.settings import Settings
from store.sql.tables import (
    BatchItemRow,
    BatchRow,
    DeliveryRow,
    IdempotencyRow,
    JobRow,
    ResultRow,
    ShadowJobRow,
    ShadowRow,
    WebhookRow,
)
from store.webhooks import outbox
from tests.builders import receipt_pdf
from tests.stores import opened
from tests.submitting import submit

PDF = receipt_pdf()
HOUR = 3600.0


@pytest.fixture(params=["sqlite", "postgresql"])
def jobs(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Jobs]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else ""
    with opened(
        Settings(home=tmp_path, model="tiny", retention_hours=24, database_url=url), tiny="1.0.0"
    ) as queue:
        yield queue


def ended(jobs: Jobs, *, hours: float, fails: bool = False, key: str | None = None) -> Job:
    """Return a job that ended so many hours ago."""
    submit(jobs, PDF, filename="private.pdf", key=key)
    claimed = jobs.claims.claim("w", lease=60, max_attempts=3)
    assert claimed is not None
    if fails:
        jobs.leases.fail(claimed, EncryptedPdf("It is locked."))
    else:
        jobs.leases.succeed(claimed, "{}")
    age(jobs, claimed.id, hours)
    return jobs.status(claimed.id)


def age(jobs: Jobs, job_id: str, hours: float) -> None:
    with jobs.database.writing() as connection:
        old = {"finished_at": JobRow.finished_at - hours * HOUR}
        old["expired_at"] = JobRow.expired_at - hours * HOUR
        connection.execute(update(JobRow).where(JobRow.id == job_id).values(old))


def count(jobs: Jobs, table: type) -> int:
    with jobs.database.reading() as connection:
        return connection.scalar(select(func.count()).select_from(table)) or 0


def test_old_job_loses_its_document_and_its_answer(jobs: Jobs) -> None:
    old, young = ended(jobs, hours=25, key="k"), ended(jobs, hours=23)
    jobs.clean()
    job = jobs.status(old.id)
    assert (job.state, job.filename) == ("succeeded", "")
    assert job.expired_at is not None
    assert jobs.blobs.get(old.id, FILE) is None
    with pytest.raises(JobExpired):
        jobs.result(old.id)
    assert jobs.result(young.id) == "{}"
    assert jobs.blobs.get(young.id, FILE) == PDF
    assert (count(jobs, ResultRow), count(jobs, IdempotencyRow)) == (1, 0)


def test_failed_job_keeps_its_reason_and_cannot_be_tried_again(jobs: Jobs) -> None:
    job = ended(jobs, hours=25, fails=True)
    jobs.clean()
    with pytest.raises(EncryptedPdf):
        jobs.result(job.id)
    with jobs.database.writing() as connection:
        assert requeue_jobs(connection, [job.id]) == []


def test_job_that_waits_never_expires(jobs: Jobs) -> None:
    job = submit(jobs, PDF)
    with jobs.database.writing() as connection:
        created = JobRow.created_at - 1000 * HOUR
        connection.execute(update(JobRow).values(created_at=created))
    jobs.clean()
    assert jobs.status(job.id).expired_at is None
    assert jobs.blobs.get(job.id, FILE) == PDF


def test_expired_job_is_forgotten_after_ten_times_as_long(jobs: Jobs) -> None:
    job = ended(jobs, hours=25)
    jobs.clean()
    jobs.clean()
    assert jobs.status(job.id).expired_at is not None
    age(jobs, job.id, 216)
    jobs.clean()
    with pytest.raises(JobUnknown):
        jobs.status(job.id)


def test_a_batch_goes_with_its_last_job(jobs: Jobs) -> None:
    job = ended(jobs, hours=25)
    with jobs.database.writing() as connection:
        for batch_id in ("1", "2"):
            values = {"id": batch_id, "name": "n", "model": "tiny", "options": {}, "skipped": []}
            batch = {**values, "created_at": job.created_at - 1000 * HOUR}
            connection.execute(BatchRow.__table__.insert().values(batch))
        item = {"batch_id": "1", "number": 1, "filename": "private.pdf", "job_id": job.id}
        connection.execute(BatchItemRow.__table__.insert().values(item))
        webhook = {"id": "w", "url": "", "secret": "", "events": ["batch.finished"], "active": True}
        connection.execute(insert(WebhookRow).values(**webhook, active_since=0, created_at=0))
        outbox.batch_finished(connection, "1")
    assert count(jobs, DeliveryRow) == 1
    jobs.clean()
    with jobs.database.reading() as connection:
        assert list(connection.scalars(select(BatchRow.id))) == ["1"]  # of 2 nothing is left
        assert list(connection.scalars(select(BatchItemRow.filename))) == [""]
    age(jobs, job.id, 216)
    jobs.clean()
    assert [count(jobs, table) for table in (BatchRow, BatchItemRow, DeliveryRow)] == [0, 0, 0]


def test_no_name_of_a_batch_outlives_its_answers(jobs: Jobs) -> None:
    old, young = ended(jobs, hours=25), ended(jobs, hours=1)
    with jobs.database.writing() as connection:
        for batch_id, job in (("old", old), ("young", young), ("refused", None)):
            values = {"id": batch_id, "name": "Case of Anna", "model": "tiny", "options": {}}
            values |= {"skipped": ["Anna/.DS_Store"], "created_at": old.created_at - 30 * HOUR}
            connection.execute(BatchRow.__table__.insert().values(values))
            for number, job_id in ((1, job and job.id), (2, None)):
                item = {"batch_id": batch_id, "number": number, "filename": "anna.txt"}
                connection.execute(
                    BatchItemRow.__table__.insert().values(item | {"job_id": job_id})
                )
    jobs.clean(deep=True)
    with jobs.database.reading() as connection:
        names = connection.execute(select(BatchRow.id, BatchRow.name, BatchRow.skipped)).all()
        items = connection.execute(select(BatchItemRow.batch_id, BatchItemRow.filename)).all()
    # Nothing is left to be known of the one that was refused, but for its line in the list.
    assert {row.id: (row.name, row.skipped) for row in names} == {
        "old": ("", []),
        "young": ("Case of Anna", ["Anna/.DS_Store"]),
        "refused": ("", []),
    }
    assert {row.filename for row in items if row.batch_id != "young"} == {""}
    assert {row.filename for row in items if row.batch_id == "young"} == {"anna.txt"}


def test_nobody_waits_while_names_of_batches_are_looked_for(jobs: Jobs) -> None:
    with jobs.database.writing():
        forget_batches(jobs.database, hours=24)


def test_no_value_that_a_shadow_differed_in_outlives_the_answer(jobs: Jobs) -> None:
    old, young = ended(jobs, hours=25), ended(jobs, hours=1)
    shadow = {"model": "tiny", "id": "s", "everyone": True, "version": "2", "against": "1"}
    shadow |= {"share": 1.0, "active": True, "started_at": 0.0, "counts": {}}
    found = [{"key": "company", "current": "Anna", "shadow": "Ann"}]
    with jobs.database.writing() as connection:
        connection.execute(ShadowRow.__table__.insert().values(shadow))
        for job in (old, young):
            row = {"job_id": job.id, "shadow_id": "s", "shadow_job_id": "", "state": "different"}
            row |= {"found": found, "at": 0.0}
            connection.execute(ShadowJobRow.__table__.insert().values(row))
    jobs.clean()
    with jobs.database.reading() as connection:
        rows = connection.execute(select(ShadowJobRow.job_id, ShadowJobRow.found)).all()
    assert {row.job_id: row.found for row in rows} == {old.id: [], young.id: found}


def test_nothing_expires_where_all_is_kept(jobs: Jobs) -> None:
    job = ended(jobs, hours=99_999)
    keeping = Jobs(jobs.settings.model_copy(update={"retention_hours": 0.0}))
    keeping.clean()
    keeping.close()
    assert jobs.status(job.id).expired_at is None


def test_files_that_a_crash_left_of_an_expired_job_are_found(jobs: Jobs) -> None:
    job = ended(jobs, hours=25)
    jobs.clean()
    jobs.blobs.put(job.id, FILE, PDF)  # as if it had not been removed in time
    folder = jobs.blobs.root / job.id[:2] / job.id
    os.utime(folder, (0, 0))
    jobs.clean(deep=True)
    assert jobs.blobs.get(job.id, FILE) is None
