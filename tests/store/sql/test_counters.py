"""Counters of the store: each job counts once, whatever happens twice, and nothing is lost."""

from __future__ import annotations

import threading
import uuid
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from app.schemas.common import ANSWER
from pipeline.errors import EncryptedPdf
from pipeline.result import Extraction
from store.errors import JobCancelled
from store.jobs import Job, LeaseLost
from store.jobs.telemetry import observe
from store.sql import counters
from store.sql.tables import CounterNoteRow
from tests.stores import JobStore


def claimed(store: JobStore, *, lease: float = 60.0) -> Job:
    store.jobs.add(Job(str(uuid.uuid4()), "receipts", "0" * 64, "a.png", "image/png", 10))
    job = store.claims.claim("w", lease=lease, max_attempts=3)
    assert job is not None
    return job


def counted(store: JobStore) -> dict[tuple[str, str], float]:
    with store.database.reading() as connection:
        return counters.read(connection)


def test_each_end_counts_once_and_late_ones_never(store: JobStore) -> None:
    zombie = claimed(store, lease=-1.0)
    healthy = store.claims.claim("other", lease=60.0, max_attempts=3)
    assert healthy is not None
    store.leases.succeed(healthy, "{}", {(counters.PAGES, ""): 2})
    with pytest.raises(LeaseLost):
        store.leases.succeed(zombie, "{}", {(counters.PAGES, ""): 2})
    with pytest.raises(LeaseLost):
        store.leases.fail(zombie, EncryptedPdf("It is locked."))
    store.leases.fail(claimed(store), EncryptedPdf("It is locked."))
    store.leases.fail(claimed(store), JobCancelled("It was cancelled."))
    assert counted(store) == {
        (counters.PAGES, ""): 2,
        (counters.ENDED, "succeeded|"): 1,
        (counters.ENDED, "failed|pdf_encrypted"): 1,
        (counters.ENDED, "cancelled|job_cancelled"): 1,
    }


def test_documents_that_stop_their_workers_count_when_they_are_set_aside(store: JobStore) -> None:
    claimed(store, lease=-1.0)
    assert store.claims.claim("other", lease=60.0, max_attempts=1) is None
    assert counted(store) == {(counters.ENDED, "failed|worker_crashed"): 1}


def test_sums_are_exact_when_many_add_at_the_same_time(store: JobStore) -> None:
    amounts = {(counters.SECONDS, f"read|{bound}"): 1.0 for bound in counters.SECONDS_BOUNDS}
    others = dict(reversed(amounts.items()))  # in the other order, as no two jobs are alike

    def work(mine: dict[tuple[str, str], float]) -> None:
        for _ in range(25):
            with store.database.writing() as connection:
                counters.add(connection, mine)

    threads = [threading.Thread(target=work, args=(mine,)) for mine in (amounts, others) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(counted(store).values()) == {100.0}


def test_adding_up_changes_no_sum(store: JobStore) -> None:
    amounts = {(counters.PAGES, ""): 1.5, (counters.ENDED, "succeeded|"): 1.0}
    for number in range(3):
        with store.database.writing() as connection:
            counters.add(connection, amounts)
        if number % 2:
            counters.fold(store.database, CounterNoteRow, counters.add_up)
    before = counted(store)
    assert before == {(counters.PAGES, ""): 4.5, (counters.ENDED, "succeeded|"): 3.0}
    counters.fold(store.database, CounterNoteRow, counters.add_up)
    assert counted(store) == before
    with store.database.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(CounterNoteRow)) == 0


def test_figures_that_are_not_added_up_survive_the_way_back(store: JobStore) -> None:
    with store.database.writing() as connection:
        counters.add(connection, {(counters.PAGES, ""): 2.0})
    store.database.migrate("0009")
    store.database.migrate()
    assert counted(store) == {(counters.PAGES, ""): 2.0}


def test_answers_fall_into_their_buckets() -> None:
    answer = Extraction.model_validate(
        {**ANSWER, "timings": {"read": 0.05, "tag": 0.0501, "resolve": 9999.0}}
    )
    job = Job("1", "receipts", "0", "a", "image/png", 1, created_at=100.0, started_at=100.2)
    amounts = counters.answered(answer, waited=job.waited)
    assert amounts[counters.SECONDS, "read|0.05"] == 1  # bounds belong to their bucket
    assert amounts[counters.SECONDS, "tag|0.1"] == 1
    assert amounts[counters.SECONDS, "resolve|+Inf"] == 1
    assert amounts[counters.SECONDS, "resolve|sum"] == 9999.0
    assert amounts[counters.SECONDS, "wait|0.25"] == 1
    assert amounts[counters.CONFIDENCE, "receipts@1.0.0|0.99"] == 1  # 0.97
    assert amounts[counters.WORDS, ""] == 132
    assert amounts[counters.PAGES, ""] == 1


def test_label_of_the_longest_name_fits_the_column() -> None:
    answer = Extraction.model_validate(ANSWER)
    long = answer.model.model_copy(update={"name": "m" * 64, "version": "1" * 64})
    amounts = counters.answered(answer.model_copy(update={"model": long}), waited=0.0)
    assert max(len(label) for _, label in amounts) <= 120


def test_telemetry_counts_jobs_and_the_workers_of_each_queue(store: JobStore) -> None:
    running = claimed(store)
    store.jobs.add(replace(running, id=str(uuid.uuid4()), state="queued", token=None, priority=1))
    store.workers.report("a", pid=1, ready=True, detail="", models=[], stages=("read", "resolve"))
    store.workers.report("b", pid=2, ready=False, detail="?", models=[], stages=("tag",))
    seen = observe(store.database, silent_after=60.0)
    assert seen.jobs == {("running", "read"): 1, ("queued", "read"): 1}
    ((queue, (number, oldest)),) = seen.waiting.items()
    assert (queue, number) == (("read", 1), 1)
    assert oldest >= 0
    assert {key for key, number in seen.workers.items() if number} == {
        ("read", True),
        ("resolve", True),
        ("tag", False),
    }
    assert not any(observe(store.database, silent_after=-1.0).workers.values())
