"""Counts of jobs without a look at the rows: exact, whoever moves a job, and in whatever way."""

from __future__ import annotations

import threading
import uuid
from collections import Counter
from dataclasses import fields, replace

from sqlalchemy import delete, func, select, update

from pipeline.errors import EncryptedPdf
from store.jobs import TERMINAL, Job, counts
from store.jobs.rows import insert_jobs, remove_jobs, requeue_jobs
from store.sql import counters
from store.sql.database import Database
from store.sql.tables import JobMoveRow, JobRow
from tests.stores import JobStore


def new_job(owner: str | None = None, priority: int = 0) -> Job:
    job = Job(str(uuid.uuid4()), "receipts", "0" * 64, "a.png", "image/png", 10, owner=owner)
    return replace(job, priority=priority)


def counted(database: Database) -> Counter[counts.Kind]:
    with database.reading() as connection:
        return counts.read(connection)


def by_rows(database: Database) -> Counter[counts.Kind]:
    """Count as nobody should: row by row."""
    found: Counter[counts.Kind] = Counter()
    query = select(JobRow.owner, JobRow.priority, JobRow.state, JobRow.stage)
    with database.reading() as connection:
        for owner, *rest in connection.execute(query):
            kind = counts.Kind(owner or "", *rest)
            found[kind._replace(owner="") if kind.state in TERMINAL else kind] += 1
    return found


def live(store: JobStore) -> None:
    """Take jobs through all that can become of them."""
    with store.database.writing() as connection:
        insert_jobs(connection, [new_job(f"o{n % 3}", n % 2) for n in range(12)])
    for _ in range(2):
        store.jobs.add(new_job())
    taken = [store.claims.claim("w", lease=60, max_attempts=3) for _ in range(8)]
    jobs = [job for job in taken if job is not None]
    store.leases.succeed(jobs[0], "{}")
    store.leases.hand_on(jobs[1], "tag", pages_done=1)
    store.leases.hand_back(jobs[2], delay=5)
    store.leases.renew(jobs[3], lease=60, stage="resolve")
    store.leases.fail(jobs[4], EncryptedPdf("It is locked."))
    store.leases.fail(jobs[5], EncryptedPdf("It is locked."))
    store.jobs.delete(jobs[6].id)  # which asks its worker
    store.jobs.delete(jobs[0].id)
    with store.database.writing() as connection:
        requeue_jobs(connection, [jobs[4].id, jobs[5].id])
        remove_jobs(connection, [jobs[5].id])
        connection.execute(update(JobRow).where(JobRow.owner == "o1").values(owner="other"))


def test_counts_are_those_of_the_rows(store: JobStore) -> None:
    live(store)
    assert counted(store.database) == by_rows(store.database)
    counters.fold(store.database, JobMoveRow, counts.add_up)
    assert counted(store.database) == by_rows(store.database)
    live(store)
    with store.database.writing() as connection:
        connection.execute(delete(JobRow).where(JobRow.state == "queued"))
    counters.fold(store.database, JobMoveRow, counts.add_up)
    assert counted(store.database) == by_rows(store.database)
    assert counted(store.database).total() > 0


def test_nothing_is_left_to_add_up(store: JobStore) -> None:
    live(store)
    counters.fold(store.database, JobMoveRow, counts.add_up)
    with store.database.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(JobMoveRow)) == 0


def test_adding_up_beside_moves_loses_none(store: JobStore) -> None:
    stop = threading.Event()
    wrong: list[int] = []

    def fold() -> None:
        while not stop.is_set():
            counters.fold(store.database, JobMoveRow, counts.add_up)

    def look() -> None:
        while not stop.is_set():
            number = counted(store.database).total()
            if number < (wrong[-1] if wrong else 0):
                stop.set()
            wrong.append(number)

    threads = [threading.Thread(target=act) for act in (fold, fold, look)]
    for thread in threads:
        thread.start()
    for _ in range(60):
        store.jobs.add(new_job("o"))
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == sorted(wrong)  # jobs only came
    assert counted(store.database) == {counts.Kind("o", 0, "queued", "read"): 60}


def test_jobs_that_were_there_before_are_counted(store: JobStore) -> None:
    live(store)
    store.database.migrate("0009")
    store.jobs.add(new_job("o9"))
    store.database.migrate()
    assert counted(store.database) == by_rows(store.database)


def test_rows_of_a_statement_are_noted_together_on_postgresql(postgres_url: str) -> None:
    database = Database(postgres_url)
    database.migrate()
    with database.writing() as connection:
        connection.execute(
            JobRow.__table__.insert().values(
                [{**_row(new_job("o")), "created_at": float(number)} for number in range(50)]
            )
        )
    with database.reading() as connection:
        moves = connection.execute(select(JobMoveRow.number)).all()
    assert [tuple(move) for move in moves] == [(50,)]
    database.close()


def _row(job: Job) -> dict[str, object]:
    return {item.name: getattr(job, item.name) for item in fields(job)}
