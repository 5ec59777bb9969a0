"""The heartbeat: it goes on through faults, the worker's own among them."""

from __future__ import annotations

import io
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select, text

from store.jobs import Job, Jobs, Submission
from store.settings import Settings
from store.sql.tables import JobRow, now
from tests.patience import until
from tests.stores import prepare
from workers.heartbeat import Heartbeat
from workers.worker import CONNECTIONS


@pytest.fixture
def jobs(tmp_path: Path, postgres_url: str) -> Iterator[Jobs]:
    """The queue of a worker, with the one connection that its heartbeat shares with its work."""
    settings = Settings(
        home=tmp_path, database_url=postgres_url, lease_seconds=2, heartbeat_seconds=0.2
    )
    jobs = Jobs(settings, connections=CONNECTIONS)
    prepare(jobs)
    yield jobs
    jobs.close()


@pytest.fixture
def others(tmp_path: Path, postgres_url: str, jobs: Jobs) -> Iterator[Jobs]:
    """The queue as another worker has it."""
    others = Jobs(jobs.settings)
    yield others
    others.close()


def claimed(jobs: Jobs) -> Job:
    new = Job(str(uuid.uuid4()), "receipts", "0" * 64, "a.pdf", "application/pdf", 4)
    jobs.submit(Submission(new, io.BytesIO(b"%PDF")))
    job = jobs.claims.claim("w", lease=jobs.settings.lease_seconds, max_attempts=3)
    assert job is not None
    return job


def beating(jobs: Jobs) -> Heartbeat:
    heartbeat = Heartbeat("w", jobs, ("read",), lambda: (True, "", []))
    heartbeat.start()
    return heartbeat


def left(jobs: Jobs, job: Job) -> float:
    """Return the seconds until a lease runs out."""
    with jobs.database.reading() as connection:
        until = connection.scalar(select(JobRow.lease_until).where(JobRow.id == job.id))
        return (until or 0.0) - now(connection)


def open_connections(jobs: Jobs) -> int:
    query = text(
        "SELECT count(*) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid != pg_backend_pid() "
        # The server's own vacuum counts too, which work without a pause calls now and then.
        "AND backend_type = 'client backend'"
    )
    with jobs.database.reading() as connection:
        return connection.scalar(query) or 0


def test_heartbeat_goes_on_after_a_fault_of_ours(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    jobs = Jobs(Settings(home=tmp_path, heartbeat_seconds=0.1))
    prepare(jobs)
    looks: list[int] = []

    def state() -> tuple[bool, str, list[str]]:
        looks.append(1)
        if len(looks) == 1:
            raise RuntimeError("a fault of ours")
        return True, "", ["tiny@1.0.0"]

    heartbeat = Heartbeat("w", jobs, ("read",), state)
    heartbeat.start()
    try:
        until(jobs.workers.list, "the worker to be seen")
    finally:
        heartbeat.stop()
        jobs.close()
    assert len(looks) >= 2
    assert "heartbeat failed" in caplog.text


def test_heartbeat_has_its_turn_beside_work_without_a_pause(jobs: Jobs, others: Jobs) -> None:
    """Work that takes the one connection again and again never keeps the heartbeat from it."""
    job = claimed(jobs)
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            jobs.workers.report("busy", pid=1, ready=True, detail="", models=[])

    busy = threading.Thread(target=work)
    busy.start()
    heartbeat = beating(jobs)
    try:
        with heartbeat.holding([job]):
            # As long as two leases take: without its turn the heartbeat would lose the job.
            ends = _moment(others) + 2 * jobs.settings.lease_seconds
            most = 0
            while _moment(others) < ends:
                most = max(most, open_connections(others))
                assert others.claims.claim("other", lease=60, max_attempts=3) is None
    finally:
        over.set()
        busy.join()
        heartbeat.stop()
    assert left(others, job) > 0
    assert most == CONNECTIONS


def test_job_is_not_lost_to_a_transaction_that_outlasts_its_lease(jobs: Jobs, others: Jobs) -> None:
    """The heartbeat waits for it meanwhile; what it has changed, nobody else can take."""
    job = claimed(jobs)
    heartbeat = beating(jobs)
    try:
        with heartbeat.holding([job]):
            with jobs.database.writing() as connection:
                row = JobRow.id == job.id
                connection.execute(select(JobRow.id).where(row).with_for_update())
                until(lambda: left(others, job) < 0, "the lease to run out")
                assert others.claims.claim("other", lease=60, max_attempts=3) is None
            until(lambda: left(others, job) > 0, "the heartbeat to renew it")
            heartbeat.check(job)
    finally:
        heartbeat.stop()
    jobs.leases.succeed(job, "{}")


def test_a_job_that_comes_back_while_it_is_still_held_is_renewed(jobs: Jobs) -> None:
    """One lane of a worker lost it, and has not noticed yet; another one has it now."""
    lost = claimed(jobs)
    jobs.leases.hand_back(lost)
    job = jobs.claims.claim("w", lease=jobs.settings.lease_seconds, max_attempts=3)
    assert job is not None
    assert job.id == lost.id
    heartbeat = beating(jobs)
    try:
        with heartbeat.holding([job]):
            with heartbeat.holding([lost]):
                pass
            before = left(jobs, job) + _moment(jobs)
            renewed = lambda: left(jobs, job) + _moment(jobs) > before + 0.1  # noqa: E731
            until(renewed, "the heartbeat to renew it", patience=10)
    finally:
        heartbeat.stop()


def _moment(jobs: Jobs) -> float:
    with jobs.database.reading() as connection:
        return now(connection)
