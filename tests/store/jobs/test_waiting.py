"""Waiting for jobs: one look at the store for all, each change told, none told twice."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import pytest

from store.errors import StoreUnavailable
from store.jobs import Job, Progress
from store.jobs.repository import JobRepository
from store.jobs.waiting import Watcher
from store.sql.database import Database
from tests.patience import PATIENCE
from tests.stores import JobStore
from workers.embedded.pipe import WakeupPipe


class CountingJobs(JobRepository):
    """Jobs that know how often, and for which of them, it was asked how far they are."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.asked: list[list[str]] = []
        self.away = 0  # so many times it does not answer

    def progress(self, job_ids: Sequence[str]) -> dict[str, Progress]:
        self.asked.append(sorted(job_ids))
        if self.away:
            self.away -= 1
            raise StoreUnavailable("It is away.")
        return super().progress(job_ids)


class CountingStore(JobStore):
    """A store with such jobs."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.jobs: CountingJobs = CountingJobs(database)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CountingStore]:
    database = Database(f"sqlite:///{tmp_path / 'jobs.db'}")
    database.migrate()
    yield CountingStore(database)
    database.close()


def add(store: JobStore) -> Job:
    return store.jobs.add(Job(str(uuid.uuid4()), "m", "0" * 64, "", "image/png", 1))


def claim(store: JobStore) -> Job:
    job = store.claims.claim("w", lease=60, max_attempts=3)
    assert job is not None
    return job


async def looked(store: CountingStore, times: int = 1) -> None:
    """Return after so many further looks."""
    wanted = len(store.jobs.asked) + times
    while len(store.jobs.asked) < wanted:
        await asyncio.sleep(0.005)


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        await asyncio.wait_for(test(), PATIENCE)

    asyncio.run(bounded())


def test_all_who_wait_share_each_look(store: CountingStore) -> None:
    jobs = [add(store) for _ in range(3)]

    async def test() -> None:
        watcher = Watcher(store.jobs)
        seen = Progress.of(jobs[0])
        waiting = [asyncio.create_task(watcher.ended(job.id, PATIENCE)) for job in jobs * 5]
        following = [
            asyncio.create_task(watcher.changed(jobs[0].id, seen, PATIENCE)) for _ in range(5)
        ]
        await looked(store, 2)
        assert store.jobs.asked[-1] == sorted(job.id for job in jobs)  # one question, each job once
        for _ in jobs:
            store.leases.succeed(claim(store), "{}")
        await asyncio.gather(*waiting, *following)
        last = len(store.jobs.asked)
        await asyncio.sleep(0.2)
        assert len(store.jobs.asked) <= last + 1  # nobody waits, nobody asks

    run(test)


def test_who_waits_for_an_end_needs_no_look_once_it_is_told(store: CountingStore) -> None:
    ended, other = add(store), add(store)
    pipe = WakeupPipe()

    async def test() -> None:
        watcher = Watcher(store.jobs, interval=60, ends=pipe)
        seen = Progress.of(ended)
        waiting = [asyncio.create_task(watcher.ended(ended.id, PATIENCE)) for _ in range(3)]
        still = asyncio.create_task(watcher.ended(other.id, PATIENCE))
        await asyncio.sleep(0)
        store.leases.succeed(claim(store), "{}")
        pipe.send(ended.id)
        assert await asyncio.gather(*waiting) == [True] * 3
        assert store.jobs.asked == []
        following = asyncio.create_task(watcher.changed(ended.id, seen, PATIENCE))
        await asyncio.sleep(0)
        pipe.send(ended.id)
        changed, now = await following  # what became of it only the store knows
        assert changed
        assert now is not None
        assert now.state == "succeeded"
        assert store.jobs.asked == [[ended.id]]  # and nobody else's job
        assert not still.done()
        still.cancel()

    run(test)
    pipe.close()


def test_each_change_is_told_once(store: CountingStore) -> None:
    job = add(store)

    async def test() -> None:
        watcher = Watcher(store.jobs)
        seen, told = Progress.of(job), []

        async def follow(seen: Progress) -> None:
            while not seen.ended:
                changed, now = await watcher.changed(job.id, seen, PATIENCE)
                assert changed
                assert now is not None
                told.append((now.state, now.pages_done))
                seen = now

        following = asyncio.create_task(follow(seen))
        claimed = claim(store)
        for pages in (1, 2):
            await looked(store, 2)
            store.leases.renew(claimed, lease=60, pages_done=pages, pages_total=2)
        await looked(store, 2)
        store.leases.succeed(claimed, "{}")
        await following
        assert told == [("running", 0), ("running", 1), ("running", 2), ("succeeded", 2)]

    run(test)


def test_nothing_new_is_told_as_such(store: CountingStore) -> None:
    job = add(store)

    async def test() -> None:
        seen = Progress.of(job)
        assert await Watcher(store.jobs).changed(job.id, seen, 0.2) == (False, seen)

    run(test)


def test_deleted_job_wakes_everybody(store: CountingStore) -> None:
    job = add(store)

    async def test() -> None:
        watcher = Watcher(store.jobs)
        waiting = asyncio.create_task(watcher.ended(job.id, PATIENCE))
        following = asyncio.create_task(watcher.changed(job.id, Progress.of(job), PATIENCE))
        await looked(store)
        store.jobs.delete(job.id)
        await waiting
        assert await following == (True, None)

    run(test)


def test_store_that_is_away_is_asked_again(store: CountingStore) -> None:
    job = add(store)
    store.jobs.away = 3

    async def test() -> None:
        waiting = asyncio.create_task(Watcher(store.jobs).ended(job.id, PATIENCE))
        await looked(store, 4)
        store.leases.succeed(claim(store), "{}")
        await waiting

    run(test)


def test_stop_wakes_everybody_at_once_and_for_ever(store: CountingStore) -> None:
    job = add(store)

    async def test() -> None:
        watcher = Watcher(store.jobs)
        seen = Progress.of(job)
        following = asyncio.create_task(watcher.changed(job.id, seen, PATIENCE))
        await looked(store)
        watcher.stop()
        assert await following == (False, seen)
        await watcher.ended(job.id, PATIENCE)

    run(test)


def test_progress_has_its_own_mark(store: CountingStore) -> None:
    job = add(store)
    marks = {Progress.of(job).mark}
    claimed = claim(store)
    marks.add(Progress.of(claimed).mark)
    store.leases.renew(claimed, lease=60, pages_done=1, pages_total=2)
    marks.add(Progress.of(store.jobs.get(job.id)).mark)
    store.jobs.delete(job.id)
    marks.add(Progress.of(store.jobs.get(job.id)).mark)
    assert len(marks) == 4
    assert store.jobs.progress([job.id, str(uuid.uuid4())]) == {
        job.id: Progress.of(store.jobs.get(job.id))
    }
