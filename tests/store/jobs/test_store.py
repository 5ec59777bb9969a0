"""The job store's laws: one claim, one result, fenced writes, nothing lost."""

from __future__ import annotations

import multiprocessing
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, text

from pipeline.errors import EncryptedPdf
from store.errors import JobCancelled, JobUnknown, StoreUnavailable
from store.jobs import Job, LeaseLost, repository
from store.sql.database import Database
from store.sql.tables import Base, ResultRow
from tests.stores import JobStore

LEASE = 60.0


def new_job() -> Job:
    return Job(str(uuid.uuid4()), "receipts", "0" * 64, "a.png", "image/png", 10)


def claim(store: JobStore, worker: str = "w", lease: float = LEASE, most: int = 3) -> Job:
    job = store.claims.claim(worker, lease=lease, max_attempts=most)
    assert job is not None
    return job


def nothing_to_claim(store: JobStore, most: int = 3) -> bool:
    return store.claims.claim("idle", lease=LEASE, max_attempts=most) is None


def test_migrations_make_the_tables_of_the_code(store: JobStore) -> None:
    with store.database.reading() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []


def test_migrating_again_keeps_the_jobs(store: JobStore) -> None:
    job = store.jobs.add(new_job())
    store.database.migrate()
    assert store.jobs.get(job.id) == job


def test_migrating_back_to_the_first_release_keeps_jobs_and_answers(store: JobStore) -> None:
    job = store.jobs.add(new_job())
    store.leases.succeed(claim(store), "answer")
    store.database.migrate("0001")
    with store.database.reading() as connection:
        assert connection.execute(text("SELECT id FROM jobs")).scalars().all() == [job.id]
        assert connection.execute(text("SELECT body FROM results")).scalars().all() == ["answer"]
    store.database.migrate()
    assert store.jobs.answered(job.id)[1] == "answer"
    with store.database.reading() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []


def test_sqlite_survives_a_power_cut(tmp_path: Path) -> None:
    with Database(f"sqlite:///{tmp_path / 'jobs.db'}").reading() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA synchronous")) == 2  # FULL
        assert connection.scalar(text("PRAGMA busy_timeout")) >= 5000


@pytest.mark.parametrize(("durable", "flushed"), [(True, "on"), (False, "off")])
def test_only_notes_of_jobs_in_hand_spare_the_disk(
    database: Database, durable: bool, flushed: str
) -> None:
    with database.writing(durable=not durable):
        pass
    with database.writing(durable=durable) as connection:
        if database.url.get_backend_name() == "sqlite":
            level = {"on": 2, "off": 1}  # FULL and NORMAL
            assert connection.scalar(text("PRAGMA synchronous")) == level[flushed]
        else:
            assert connection.scalar(text("SHOW synchronous_commit")) == flushed


def test_oldest_job_is_claimed_first(store: JobStore) -> None:
    jobs = [store.jobs.add(new_job()) for _ in range(3)]
    assert [claim(store).id for _ in jobs] == [job.id for job in jobs]
    assert nothing_to_claim(store)


def test_result_and_state_come_together(store: JobStore) -> None:
    job = store.jobs.add(new_job())
    claimed = claim(store)
    assert (claimed.state, claimed.attempts) == ("running", 1)
    assert store.jobs.answered(job.id)[1] is None
    store.leases.succeed(claimed, '{"a": 1}')
    ended = store.jobs.get(job.id)
    assert (ended.state, ended.stage, ended.ended) == ("succeeded", "done", True)
    assert store.jobs.answered(job.id)[1] == '{"a": 1}'


def test_zombie_can_write_nothing(store: JobStore) -> None:
    store.jobs.add(new_job())
    zombie = claim(store, "zombie", lease=-1.0)  # over at once: it was stopped for too long
    healthy = claim(store, "healthy")
    assert healthy.attempts == 2
    for write in (
        lambda: store.leases.renew(zombie, lease=LEASE, pages_done=9),
        lambda: store.leases.succeed(zombie, "late"),
        lambda: store.leases.fail(zombie, EncryptedPdf("late")),
        lambda: store.leases.hand_back(zombie),
    ):
        with pytest.raises(LeaseLost):
            write()
    store.leases.succeed(healthy, "right")
    with pytest.raises(LeaseLost):
        store.leases.succeed(zombie, "late")
    assert store.jobs.answered(healthy.id)[1] == "right"
    assert store.jobs.get(healthy.id).pages_done == 0


def test_renewed_lease_keeps_the_job(store: JobStore) -> None:
    store.jobs.add(new_job())
    job = claim(store, lease=-1.0)
    store.leases.renew(job, lease=LEASE, stage="tag", pages_done=1, pages_total=2)
    assert nothing_to_claim(store)
    seen = store.jobs.get(job.id)
    assert (seen.stage, seen.pages_done, seen.pages_total) == ("tag", 1, 2)


def test_poison_is_set_aside_after_its_attempts(store: JobStore) -> None:
    poison, good = store.jobs.add(new_job()), None
    for attempt in (1, 2, 3):
        assert claim(store, lease=-1.0).attempts == attempt
    good = store.jobs.add(new_job())
    assert claim(store).id == good.id  # passing the poison on its way
    ended = store.jobs.get(poison.id)
    assert (ended.state, ended.error_code, ended.attempts) == ("failed", "worker_crashed", 3)


def test_handed_back_job_keeps_its_attempts(store: JobStore) -> None:
    store.jobs.add(new_job())
    for _ in range(5):
        job = claim(store)
        assert job.attempts == 1
        store.leases.hand_back(job)
    spent = claim(store)
    store.leases.hand_back(spent, spent=True)
    assert claim(store).attempts == 2


def test_delayed_job_waits(store: JobStore) -> None:
    store.jobs.add(new_job())
    store.leases.hand_back(claim(store), delay=LEASE)
    assert nothing_to_claim(store)


def test_dead_workers_jobs_are_free_at_once(store: JobStore) -> None:
    store.jobs.add(new_job())
    store.workers.report("dead", pid=1, ready=True, detail="", models=["receipts@1"])
    job = claim(store, "dead")
    assert [held.id for held in store.claims.running("dead")] == [job.id]
    store.claims.release("dead")
    assert claim(store, "next").attempts == 2
    assert store.workers.list() == []


def test_cancel_reaches_a_running_job(store: JobStore) -> None:
    job = store.jobs.add(new_job())
    running = claim(store)
    assert store.jobs.delete(job.id) == []
    with pytest.raises(JobCancelled):
        store.leases.renew(running, lease=LEASE)
    with pytest.raises(JobCancelled):
        store.leases.succeed(running, "unwanted")
    store.leases.fail(running, JobCancelled("It was cancelled."))
    ended = store.jobs.get(job.id)
    assert (ended.state, ended.filename, store.jobs.answered(job.id)[1]) == ("cancelled", "", None)
    assert store.jobs.delete(job.id) == [job.id]
    with pytest.raises(JobUnknown):
        store.jobs.get(job.id)


def test_cancel_holds_when_the_worker_dies(store: JobStore) -> None:
    job = store.jobs.add(new_job())
    claim(store, lease=-1.0)
    store.jobs.delete(job.id)
    assert nothing_to_claim(store)
    assert store.jobs.get(job.id).state == "cancelled"


def test_job_that_ends_while_it_is_deleted_does_not_stay(
    store: JobStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.jobs.add(new_job())
    job, one, others = claim(store), repository.one, list[Future[None]]()

    def while_its_worker_ends_it(*given: Any, **options: Any) -> Job:
        found = one(*given, **options)
        others.append(pool.submit(store.leases.succeed, job, "answer"))
        wait(others, 1)  # it waits for whoever deletes
        return found

    monkeypatch.setattr(repository, "one", while_its_worker_ends_it)
    with ThreadPoolExecutor() as pool:
        assert store.jobs.delete(job.id) == []
    assert isinstance(others[0].exception(), JobCancelled)
    assert store.jobs.answered(job.id)[1] is None


def test_deleting_removes_the_result(store: JobStore) -> None:
    store.jobs.add(new_job())
    job = claim(store)
    store.leases.succeed(job, "answer")
    assert store.jobs.delete(job.id) == [job.id]
    with pytest.raises(JobUnknown):
        store.jobs.answered(job.id)
    with store.database.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(ResultRow)) == 0


def test_reports_replace_each_other(store: JobStore) -> None:
    store.workers.report("w", pid=1, ready=False, detail="loading", models=[])
    store.workers.report("w", pid=1, ready=True, detail="", models=["receipts@1.0.0"])
    (worker,) = store.workers.list()
    assert (worker.ready, worker.models) == (True, ("receipts@1.0.0",))
    assert 0 <= worker.age < LEASE


def test_threads_of_a_worker_may_report_it_first_at_the_same_time(store: JobStore) -> None:
    names = [f"w{number}" for number in range(25)]
    together = threading.Barrier(4)

    def report(name: str) -> None:
        together.wait()
        store.workers.report(name, pid=1, ready=True, detail="", models=[])

    with ThreadPoolExecutor(4) as pool:
        for name in names:
            for reported in [pool.submit(report, name) for _ in range(4)]:
                reported.result()
    assert sorted(worker.name for worker in store.workers.list()) == sorted(names)


def test_fault_of_the_store_has_a_name(tmp_path: Path) -> None:
    (tmp_path / "jobs.db").write_bytes(b"not a database" * 100)
    database = Database(f"sqlite:///{tmp_path / 'jobs.db'}")
    with pytest.raises(StoreUnavailable):
        JobStore(database).jobs.get(str(uuid.uuid4()))
    database.close()


@given(st.integers(1, 7), st.integers(1, 4))
@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_pages_show_every_job_once(store: JobStore, count: int, limit: int) -> None:
    for job in store.jobs.page(limit=1000)[0]:
        store.jobs.delete(job.id)
    added = [store.jobs.add(new_job()).id for _ in range(count)]
    seen: list[str] = []
    page, following = store.jobs.page(limit=limit)
    while following is not None:
        seen += [job.id for job in page]
        page, following = store.jobs.page(following, limit)
    seen += [job.id for job in page]
    assert seen == added[::-1]


def test_pages_of_one_state_hold_no_others(store: JobStore) -> None:
    added = [store.jobs.add(new_job()).id for _ in range(5)]
    claimed = {claim(store).id for _ in range(2)}
    for state, wanted in (("running", claimed), ("queued", set(added) - claimed)):
        found, _ = store.jobs.page(None, 9, state=state)
        assert [job.id for job in found] == [one for one in added[::-1] if one in wanted]
    assert store.jobs.page(None, 9, state="failed") == ([], None)


OPERATIONS = ("add", "claim", "crash", "succeed", "fail", "on", "back", "delete")


@given(st.lists(st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 5)), max_size=25))
@settings(max_examples=25, deadline=None)
def test_whatever_happens_each_job_ends_once(steps: list[tuple[str, int]]) -> None:
    """Old claims are used as freely as new ones: only the holder's writes may count."""
    with TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/jobs.db")
        database.migrate()
        _act(JobStore(database), steps)
        database.close()


def _act(store: JobStore, steps: list[tuple[str, int]]) -> None:
    claims: list[Job] = []
    won: dict[str, str] = {}
    for action, choice in steps:
        old = claims[choice % len(claims)] if claims else None
        if action == "add":
            store.jobs.add(new_job())
        elif action in ("claim", "crash"):
            job = store.claims.claim(
                "w", lease=-1.0 if action == "crash" else LEASE, max_attempts=3
            )
            claims += [job] if job else []
        elif old is not None:
            try:
                if action == "succeed":
                    store.leases.succeed(old, old.token or "")
                    assert old.id not in won
                    won[old.id] = old.token or ""
                elif action == "fail":
                    store.leases.fail(old, EncryptedPdf("locked"))
                elif action == "on":
                    store.leases.hand_on(old, "tag")
                elif action == "back":
                    store.leases.hand_back(old)
                else:
                    store.jobs.delete(old.id)
            except (LeaseLost, JobCancelled, JobUnknown):
                continue
    for job in store.jobs.page(limit=1000)[0]:
        assert job.attempts <= 3
        body = store.jobs.answered(job.id)[1]
        assert (body is not None) == (job.state == "succeeded")
        if body is not None:
            assert body == won[job.id]


T = TypeVar("T")


def _patient(act: Callable[[], T]) -> T:
    """Do as workers do: SQLite may be locked for long where many write."""
    while True:
        with suppress(StoreUnavailable):
            return act()


def _race(url: str, name: str, start: Barrier, wins: Queue[str]) -> None:
    database = Database(url)
    store = JobStore(database)
    start.wait()
    while (
        job := _patient(lambda: store.claims.claim(name, lease=LEASE, max_attempts=3))
    ) is not None:
        wins.put(job.id)
        _patient(partial(store.leases.succeed, job, name))
    wins.put("")
    database.close()


def test_claims_raced_by_processes_are_won_once(url: str) -> None:
    database = Database(url)
    database.migrate()
    store = JobStore(database)
    jobs = {store.jobs.add(new_job()).id for _ in range(100)}
    spawn = multiprocessing.get_context("spawn")
    racers = 4
    start, wins = spawn.Barrier(racers), spawn.Queue()
    processes = [
        spawn.Process(target=_race, args=(url, f"w{index}", start, wins)) for index in range(racers)
    ]
    for process in processes:
        process.start()
    won: list[str] = []
    running = racers
    while running:
        job_id = wins.get(timeout=60)
        if job_id:
            won.append(job_id)
        else:
            running -= 1
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert sorted(won) == sorted(jobs)
    assert all(store.jobs.get(job_id).attempts == 1 for job_id in jobs)
    database.close()
