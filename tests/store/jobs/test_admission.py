"""Back-pressure: how long the queue is in seconds, who is refused, and where a job stands."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from store.access import Keys
from store.errors import BatchTooLarge, Overloaded, TooManyJobs
from store.jobs import Job
from store.jobs.admission import Admission, seconds_per_job
from store.jobs.rows import insert_jobs
from store.settings import Settings
from store.sql.database import Database
from store.sql.tables import JobRow
from tests.patience import PATIENCE
from tests.stores import JobStore

moments = st.floats(0, 1e6, allow_nan=False)
runs = st.lists(st.tuples(moments, st.floats(0.001, 1e3)), min_size=1, max_size=20)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[JobStore]:
    database = Database(f"sqlite:///{tmp_path / 'jobs.db'}")
    database.migrate()
    yield JobStore(database)
    database.close()


def add(
    store: JobStore, number: int = 1, *, priority: int = 0, owner: str | None = None
) -> list[Job]:
    return [store.jobs.add(new_job(priority=priority, owner=owner)) for _ in range(number)]


def new_job(*, priority: int = 0, owner: str | None = None) -> Job:
    return Job(str(uuid.uuid4()), "m", "0" * 64, "", "", 1, priority=priority, owner=owner)


def ended(store: JobStore, begin: float, end: float) -> None:
    """Store a job that ran from `begin` to `end`."""
    (job,) = add(store)
    with store.database.writing() as connection:
        ran = {"state": "succeeded", "attempts": 1, "started_at": begin, "finished_at": end}
        connection.execute(update(JobRow).where(JobRow.id == job.id).values(ran))


def admission(store: JobStore, **limits: Any) -> Admission:
    usual = {"max_queue_seconds": 600, "max_batch_queue_seconds": 600, "max_queued": 200}
    settings = Settings(lease_seconds=40, **usual | limits)
    return Admission(store.database, store.workers, settings)


@given(runs=runs, workers=st.integers(1, 8))
def test_pace_is_between_its_bounds(runs: list[tuple[float, float]], workers: int) -> None:
    spans = [(begin, begin + length) for begin, length in runs]
    pace = seconds_per_job(spans, workers)
    mean = sum(end - begin for begin, end in spans) / len(spans)
    assert 0 < pace <= mean / workers * (1 + 1e-9)
    assert pace * len(spans) <= max(e for _, e in spans) - min(b for b, _ in spans) + 1e-3
    assert seconds_per_job(reversed(spans), workers) == pytest.approx(pace)


@pytest.mark.parametrize(
    ("spans", "workers", "pace"),
    [
        pytest.param([(0, 2), (10, 12)], 1, 2.0, id="idle_time_does_not_count"),
        pytest.param([(0, 2), (10, 12)], 2, 1.0, id="a_second_worker_would_help"),
        pytest.param([(0, 2), (0, 2), (2, 4), (2, 4)], 2, 1.0, id="two_at_a_time"),
        pytest.param([(0, 97), (1, 98), (2, 99), (3, 100)], 1, 25.0, id="waiting_between_stages"),
        pytest.param([], 4, 0.25, id="nothing_measured"),
    ],
)
def test_pace(spans: list[tuple[float, float]], workers: int, pace: float) -> None:
    assert seconds_per_job(spans, workers) == pytest.approx(pace)


def test_queue_is_measured_in_seconds_of_what_goes_before(store: JobStore) -> None:
    ended(store, 100.0, 104.0)
    add(store, 3)
    add(store, 10, priority=1)
    door = admission(store)
    assert door._look().wait("", 0) == pytest.approx(3 * 4)
    assert door._look().wait("", 1) == pytest.approx(13 * 4)


def test_a_clock_that_is_set_is_no_slow_service(store: JobStore) -> None:
    """Nobody is refused for hours because some ran across the moment, or ended after now."""
    for number in range(49):
        ended(store, 100.0 + number, 101.0 + number)
    ended(store, 1000.0, 1000.0 + 36_000)
    ended(store, 900.0, 300.0)
    ended(store, time.time() + 10.0, time.time() + 7200.0)
    add(store, 8)
    assert 0 < admission(store)._look().wait("", 0) < 8 * 15


def test_documents_are_refused_by_time_and_told_when_to_come_back(store: JobStore) -> None:
    ended(store, 0.0, 10.0)
    add(store, 4)
    door = admission(store, max_queue_seconds=35, max_batch_queue_seconds=45)
    with pytest.raises(Overloaded) as refused:
        door.check(None, 0)
    assert refused.value.retry_after == pytest.approx(5.0)
    door.check(None, 1)
    with pytest.raises(Overloaded):
        door.check(None, 1)  # what was admitted since the last look counts


def test_full_batches_do_not_keep_out_who_waits(store: JobStore) -> None:
    ended(store, 0.0, 10.0)
    add(store, 50, priority=1)
    door = admission(store, max_queue_seconds=5, max_batch_queue_seconds=5)
    door.check(None, 0)
    with pytest.raises(Overloaded):
        door.check(None, 1)


def test_long_queue_of_one_key_keeps_out_that_key_alone(store: JobStore) -> None:
    ended(store, 0.0, 10.0)
    add(store, 50, priority=1, owner="large")
    add(store, 2, priority=1, owner="small")
    door = admission(store, max_batch_queue_seconds=95)
    with pytest.raises(Overloaded) as refused:
        door.check("large", 1)
    assert refused.value.retry_after == pytest.approx(52 * 10 - 95)
    door.check("new", 1)  # behind one document of each
    for before in (2 + 3 + 1, 3 + 4 + 1):
        assert door._look().wait("small", 1) == pytest.approx(10 * before)
        door.check("small", 1)
    with pytest.raises(Overloaded) as refused:
        door.check("small", 1)  # its own four, five of the large one, and that of the new one
    assert refused.value.retry_after == pytest.approx(10 * (4 + 5 + 1) - 95)


def test_wait_of_a_key_is_that_of_the_claims(store: JobStore) -> None:
    """What counts as before a new document is claimed before it, and nothing else."""
    ended(store, 0.0, 1.0)
    for owner, number in (("a", 7), ("b", 3), ("c", 1)):
        for priority in (0, 1):
            add(store, number - priority, priority=priority, owner=owner)
    for owner in ("a", "b", "c", "d"):
        wait = admission(store)._look().wait(owner, 1)
        (new,) = add(store, priority=1, owner=owner)
        assert store.jobs.position(new) == wait + 1
        store.jobs.delete(new.id)


def test_each_key_has_its_number_of_jobs(store: JobStore) -> None:
    add(store, 2, owner="a")
    door = admission(store, max_queued=3)
    door.check("a", 0)
    with pytest.raises(TooManyJobs, match="3 unfinished jobs; 3 is the most") as refused:
        door.check("a", 0)
    assert refused.value.retry_after
    door.check("a", 0, max_queued=4)
    door.check("b", 0)
    with pytest.raises(TooManyJobs):
        door.check("b", 1, documents=3)
    with pytest.raises(BatchTooLarge, match="may have 3 unfinished jobs, and sends 4"):
        door.check("c", 1, documents=4)  # there is never room for all
    for _ in range(9):
        door.check(None, 0)  # a service without keys has no owners


def test_processes_together_let_in_no_more_than_a_key_may_have(database: Database) -> None:
    """Each looks at the queue before any of the others has stored a job."""
    owner = Keys(database).create("erp")[0].id
    doors = [admission(JobStore(database), max_queued=3) for _ in range(6)]
    for door in doors:
        door.check(owner, 0)
    # On SQLite who writes is alone from the start.
    stored = threading.Barrier(len(doors)) if database.remote else None

    def let_in(door: Admission) -> bool:
        try:
            with database.writing() as connection:
                insert_jobs(connection, [new_job(owner=owner)])
                if stored:
                    stored.wait(PATIENCE)
                door.confirm(connection, owner)
        except TooManyJobs:
            return False
        return True

    with ThreadPoolExecutor(len(doors)) as pool:
        assert sum(pool.map(let_in, doors)) == 3
    add(JobStore(database), 4, owner="another")
    with database.writing() as connection:
        doors[0].confirm(connection, None)
        with pytest.raises(TooManyJobs, match="may have 3 unfinished jobs") as refused:
            doors[0].confirm(connection, "another")
    assert refused.value.retry_after


def test_far_from_its_limit_a_key_waits_for_nobody(database: Database) -> None:
    if not database.remote:
        pytest.skip("who writes is alone")
    owner = Keys(database).create("erp")[0].id
    near, far = (admission(JobStore(database), max_queued=most) for most in (3, 20_000))

    def store() -> None:
        with database.writing() as connection:
            insert_jobs(connection, [new_job(owner=owner)])
            far.confirm(connection, owner)

    with ThreadPoolExecutor(1) as other, database.writing() as connection:
        near.confirm(connection, owner)
        other.submit(store).result(PATIENCE)


def test_place_in_the_queue(store: JobStore) -> None:
    batch = add(store, 2, priority=1)
    first, second = add(store, 2)
    places = [store.jobs.position(store.jobs.get(job.id)) for job in (first, second, *batch)]
    assert places == [1, 2, 3, 4]
    claimed = store.claims.claim("w", lease=60, max_attempts=3)
    assert claimed is not None
    assert store.jobs.position(store.jobs.get(claimed.id)) is None
    left = [job for job in (first, second, *batch) if job.id != claimed.id]
    assert store.jobs.position(store.jobs.get(left[0].id)) == 1
