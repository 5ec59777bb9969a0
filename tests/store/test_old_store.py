"""A store that the first release left behind is read, worked off and ended by today's code."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.errors import EncryptedPdf
from pipeline.result import Extraction
from store.access import Keys
from store.batches import Batches
from store.errors import JobCancelled
from store.idempotency import Once
from store.jobs import Job, Jobs
from store.networks import Policy
from store.settings import Settings
from store.sql import counters
from store.webhooks import Webhooks

OLD = Path(__file__).with_name("old_store.sql")
KEY = "fw_c8fde17b81_hqjv_ODrA06eX-VwuLthTQ31LZH0SHMd"
OWNER = "1cff5f79-b963-4d29-8156-8e2848c05479"
BATCH = "df644319-3fe6-4952-a4a3-ba5d1d41f8f6"
WEBHOOK = "52d9f5bb-b7df-4aaf-88fd-ce1755ac4541"
SUCCEEDED, FAILED, CANCELLED = (
    "48b86ce0-d793-4ade-bcbe-a600cb5e42b9",
    "d1bbca71-07ef-476f-9a3a-5797031098a3",
    "66ab1d89-d1c0-4b48-97ea-b8f1845dac81",
)


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    with sqlite3.connect(tmp_path / "jobs.db") as connection:
        connection.executescript(OLD.read_text())
    connection.close()
    queue = Jobs(Settings(home=tmp_path, idempotency_hours=1e6))
    queue.prepare()
    yield queue
    queue.close()


def events(jobs: Jobs) -> list[str]:
    webhooks = Webhooks(jobs.database, jobs.settings.secret_cipher, policy=Policy(), most=20)
    return [delivery.event for delivery in webhooks.deliveries(WEBHOOK, scope=OWNER)[0][::-1]]


def worked_off(jobs: Jobs) -> list[Job]:
    """Claim and end all that waits; return it as it was claimed."""
    done = []
    while job := jobs.claims.claim("w", lease=60, max_attempts=3, version_of=lambda name: "0.0.1"):
        jobs.leases.renew(job, lease=60, pages_done=1, pages_total=1)
        jobs.leases.succeed(job, "{}")
        done.append(job)
    return done


def test_what_ended_is_read(jobs: Jobs) -> None:
    answer = Extraction.model_validate_json(jobs.result(SUCCEEDED, OWNER))
    assert (answer.id, answer.document.word_count) == (SUCCEEDED, 3)
    assert jobs.status(SUCCEEDED).filename == "succeeded.pdf"
    with pytest.raises(EncryptedPdf, match="only with a password"):
        jobs.result(FAILED)
    with pytest.raises(JobCancelled):
        jobs.result(CANCELLED)
    assert len(jobs.repository.page()[0]) == 7


def test_keys_and_repeated_requests_are_known(jobs: Jobs) -> None:
    found = Keys(jobs.database).ring().find(KEY)
    assert found is not None
    assert (found.principal.owner_scope, found.principal.rate_per_minute) == (OWNER, 60)
    asked = "971bc545c696a75fae958a8cf7ceca956f87ff44decf4d5b8a9d70576a15fcb0"
    earlier = Once(jobs.idempotency, OWNER, "extract", "order-17", asked).made()
    assert earlier is not None
    assert earlier == SUCCEEDED


def test_what_waits_is_claimed_in_its_order_and_ended(jobs: Jobs) -> None:
    done = worked_off(jobs)
    assert [(job.filename, job.stage, job.attempts) for job in done] == [
        ("lost.pdf", "tag", 2),  # its worker died at its second stage
        ("queued.pdf", "read", 1),
        ("a.pdf", "read", 1),
        ("b.pdf", "read", 1),
    ]
    assert done[1].options == {"pages": "1", "ocr": "never"}
    assert {jobs.result(job.id, OWNER) for job in done} == {"{}"}
    with jobs.database.reading() as connection:
        ended = counters.read(connection)
    assert ended[counters.ENDED, "succeeded|"] == 5
    assert ended[counters.ENDED, "failed|pdf_encrypted"] == 1


def test_batch_is_finished_and_webhook_told(jobs: Jobs) -> None:
    batches = Batches(jobs)
    before = batches.get(BATCH, OWNER)
    assert (before.total, before.ended, before.errors) == (3, 1, {"unsupported_media_type": 1})
    assert events(jobs) == ["job.succeeded", "job.failed"]
    worked_off(jobs)
    after = batches.get(BATCH, OWNER)
    assert (after.ended, after.counts["succeeded"]) == (3, 2)
    assert events(jobs)[2:] == [*["job.succeeded"] * 4, "batch.finished"]
