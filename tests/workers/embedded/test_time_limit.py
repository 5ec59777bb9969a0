"""The supervisor ends what takes too long by a clock that nobody sets."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from store.jobs import Job, Jobs
from store.settings import Settings
from store.sql.tables import JobRow
from tests.stores import prepare
from workers.embedded.pipe import WakeupPipe
from workers.embedded.supervisor import _WorkerProcess

LIMIT = 0.3


@pytest.fixture
def jobs(tmp_path: Path) -> Iterator[Jobs]:
    queue = Jobs(Settings(home=tmp_path, document_timeout_s=LIMIT))
    prepare(queue)
    yield queue
    queue.close()


def test_document_is_late_by_the_time_it_is_seen_at_work(jobs: Jobs) -> None:
    pipes = WakeupPipe(), WakeupPipe()
    worker = _WorkerProcess(jobs.settings, jobs.database, 0, pipes)
    worker.child.on_start()
    jobs.repository.add(Job(str(uuid.uuid4()), "tiny", "0" * 64, "x.png", "image/png", 10))
    job = jobs.claims.claim(worker.name, lease=60, max_attempts=3)
    assert job is not None
    with jobs.database.writing() as connection:  # the machine has slept for an hour since
        connection.execute(update(JobRow).values(claimed_at=JobRow.claimed_at - 3600))
    worker.look()
    assert jobs.status(job.id).state == "running"
    time.sleep(2 * LIMIT)
    worker.look()
    assert jobs.status(job.id).error_code == "processing_timeout"
    for pipe in pipes:
        pipe.close()
