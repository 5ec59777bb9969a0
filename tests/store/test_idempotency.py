"""One Idempotency-Key, one job: on each database, whoever comes at the same time."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import update

from store.datasets import Dataset, Datasets
from store.errors import IdempotencyInFlight, IdempotencyKeyReused, TrainingRunning, TrainingUnknown
from store.idempotency import Idempotency, Once
from store.jobs import Job, Jobs
from store.jobs.rows import insert_jobs
from store.settings import Settings
from store.sql.database import Database
from store.sql.tables import IdempotencyRow
from store.trainings import Training, Trainings
from tests.stores import JobStore, opened

OTHERS: dict[str, dict[str, Any]] = {
    "owner": {"owner": "other"},
    "nobody": {"owner": None},
    "route": {"route": "batches"},
    "key": {"key": "KEY-1"},
}


def sent(keys: Idempotency, **others: Any) -> Once:
    """Return a request, or one that differs from it."""
    return replace(Once(keys, "owner", "extract", "key-1", "f" * 64), **others)


def new_job() -> Job:
    return Job(str(uuid.uuid4()), "receipts", "0" * 64, "a.png", "image/png", 10)


def accept(database: Database, keys: Idempotency, **others: Any) -> Job | str:
    """Store a job with its key; return the job, or what came earlier."""
    job = new_job()
    with database.writing() as connection:
        earlier = sent(keys, **others).keep(connection, job.id)
        if earlier is None:
            insert_jobs(connection, [job])
    return earlier or job


def test_same_request_is_given_the_same_job(database: Database) -> None:
    keys = Idempotency(database, hours=24)
    assert sent(keys).made() is None
    job = accept(database, keys)
    assert isinstance(job, Job)
    assert sent(keys).made() == job.id
    assert accept(database, keys) == job.id
    assert [found.id for found in JobStore(database).jobs.page(None, 9)[0]] == [job.id]


def test_key_of_another_request_is_refused(database: Database) -> None:
    keys = Idempotency(database, hours=24)
    accept(database, keys)
    with pytest.raises(IdempotencyKeyReused):
        sent(keys, fingerprint="e" * 64).made()
    with pytest.raises(IdempotencyKeyReused):
        accept(database, keys, fingerprint="e" * 64)


@pytest.mark.parametrize("other", OTHERS.values(), ids=list(OTHERS))
def test_keys_of_others_are_other_keys(database: Database, other: dict[str, Any]) -> None:
    keys = Idempotency(database, hours=24)
    accept(database, keys)
    assert sent(keys, **other).made() is None
    assert isinstance(accept(database, keys, **other), Job)


def test_key_is_new_again_when_its_time_is_over(database: Database) -> None:
    keys = Idempotency(database, hours=24)
    first = accept(database, keys)
    with database.writing() as connection:
        day = IdempotencyRow.created_at - 24 * 3600 - 1
        connection.execute(update(IdempotencyRow).values(created_at=day))
    assert sent(keys).made() is None
    second = accept(database, keys)
    assert isinstance(second, Job)
    assert second != first
    with database.writing() as connection:
        connection.execute(update(IdempotencyRow).values(created_at=day))
    keys.forget()
    assert isinstance(accept(database, Idempotency(database, hours=9999)), Job)


def test_a_key_is_kept_only_with_its_job(database: Database) -> None:
    keys = Idempotency(database, hours=24)

    def die() -> None:
        with database.writing() as connection:
            sent(keys).keep(connection, str(uuid.uuid4()))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        die()
    assert sent(keys).made() is None


def test_deleted_job_takes_its_key_along(database: Database) -> None:
    keys = Idempotency(database, hours=24)
    job = accept(database, keys)
    assert isinstance(job, Job)
    JobStore(database).jobs.delete(job.id)
    assert isinstance(accept(database, keys), Job)


def test_of_many_at_the_same_time_one_is_accepted(database: Database) -> None:
    # As processes do it: each has keys of its own, and meets the others in the database alone.
    callers = 8
    barrier = Barrier(callers)

    def call(_: int) -> Job | str:
        barrier.wait()
        return accept(database, Idempotency(database, hours=24))

    with ThreadPoolExecutor(callers) as pool:
        answers = list(pool.map(call, range(callers)))
    (winner,) = [answer for answer in answers if isinstance(answer, Job)]
    assert answers.count(winner.id) == callers - 1
    assert [job.id for job in JobStore(database).jobs.page(None, 99)[0]] == [winner.id]


def test_within_a_process_the_second_one_is_told_to_wait(tmp_path: Path) -> None:
    keys = Idempotency(Database(f"sqlite:///{tmp_path / 'jobs.db'}"), hours=24)
    with sent(keys).alone():
        with pytest.raises(IdempotencyInFlight) as refused, sent(keys).alone():
            pass
        assert refused.value.retry_after
        for other in OTHERS.values():
            with sent(keys, **other).alone():
                pass
    with sent(keys).alone():
        pass


@pytest.fixture
def jobs(url: str, tmp_path: Path) -> Iterator[Jobs]:
    """The queue of an empty store."""
    with opened(Settings(home=tmp_path, database_url=url)) as jobs:
        yield jobs


def new_training(dataset: Dataset, version: str = "1.0.0") -> Training:
    return Training(str(uuid.uuid4()), dataset.id, "owner", "m", version, {})


@pytest.mark.parametrize("made", ["dataset", "training"])
def test_of_many_at_the_same_time_one_makes_something(made: str, jobs: Jobs) -> None:
    datasets, trainings = Datasets(jobs), Trainings(jobs.database)
    dataset, callers = datasets.create("n", "m", "owner"), 8
    barrier = Barrier(callers)

    def call(_: int) -> str:
        once = sent(Idempotency(jobs.database, hours=24), route="datasets")
        barrier.wait()
        if made == "dataset":
            return datasets.create("n", "m", "owner", once=once).id
        return trainings.start(new_training(dataset), once=once).id

    with ThreadPoolExecutor(callers) as pool:
        (one,) = set(pool.map(call, range(callers)))
    found = datasets.all() if made == "dataset" else trainings.all()
    assert [other.id for other in found if other.id != dataset.id] == [one]
    assert sent(jobs.idempotency, route="datasets").made() == one


def test_a_key_is_kept_only_with_the_training_that_it_begins(jobs: Jobs) -> None:
    dataset, trainings = Datasets(jobs).create("n", "m", "owner"), Trainings(jobs.database)
    once = sent(jobs.idempotency, route="trainings")
    first, second = trainings.start(new_training(dataset)), new_training(dataset, "1.1.0")
    with pytest.raises(TrainingRunning):
        trainings.start(second, once=once)
    trainings.cancel(first.id)
    assert trainings.start(second, once=once).id == second.id
    trainings.cancel(second.id)
    trainings.delete(second.id)
    with pytest.raises(TrainingUnknown):
        trainings.start(new_training(dataset, "1.2.0"), once=once)
