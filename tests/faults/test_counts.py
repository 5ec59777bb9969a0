"""The counts themselves: each kind of misfortune is seen."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert

from store.errors import WorkerCrashed
from store.jobs import Job
from store.sql.database import Database
from store.sql.tables import ResultRow
from tests.faults.counts import Counts, Ledger
from tests.stores import JobStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[JobStore]:
    database = Database(f"sqlite:///{tmp_path / 'jobs.db'}")
    database.migrate()
    yield JobStore(database)
    database.close()


def accepted(store: JobStore, sha256: str) -> str:
    job = Job(str(uuid.uuid4()), "m", sha256, "a.pdf", "application/pdf", 1)
    return store.jobs.add(job).id


def finished(store: JobStore, sha256: str) -> str:
    """Store a job with its answer, as a worker would."""
    job_id = accepted(store, sha256)
    job = store.claims.claim("worker", lease=60, max_attempts=3)
    assert job is not None
    store.leases.succeed(job, json.dumps({"id": job_id, "document": {"sha256": sha256}}))
    return job_id


def test_all_went_well(store: JobStore) -> None:
    ledger = Ledger()
    ledger.attempt("a")
    ledger.acknowledge("a", finished(store, "a"))
    ledger.acknowledge("a", next(iter(ledger.acknowledged["a"])))  # told twice, of the same job
    ledger.attempt("b")
    finished(store, "b")  # the client never heard of it
    ledger.attempt("c")
    broken = accepted(store, "c")
    job = store.claims.claim("worker", lease=60, max_attempts=3)
    assert job is not None
    store.leases.fail(job, WorkerCrashed("It stopped its worker."))
    ledger.acknowledge("c", broken)
    ledger.attempt("d")  # never accepted
    counts = ledger.count(store.database, {broken: 1})
    assert counts == Counts(4, 2, 1, 1, lost=0, duplicated=0, recovered=1, unexpected=0)
    assert counts.sound


def test_lost(store: JobStore) -> None:
    ledger = Ledger()
    for sha256, job_id in (("a", str(uuid.uuid4())), ("b", accepted(store, "b"))):
        ledger.attempt(sha256)
        ledger.acknowledge(sha256, job_id)
    assert ledger.count(store.database, {}).lost == 2


def test_answer_of_another_document_is_none(store: JobStore) -> None:
    ledger = Ledger()
    ledger.attempt("a")
    job_id = accepted(store, "a")
    ledger.acknowledge("a", job_id)
    job = store.claims.claim("worker", lease=60, max_attempts=3)
    assert job is not None
    store.leases.succeed(job, json.dumps({"id": job_id, "document": {"sha256": "b"}}))
    assert not ledger.count(store.database, {}).sound


def test_doubled(store: JobStore) -> None:
    ledger = Ledger()
    ledger.attempt("a")
    ledger.acknowledge("a", finished(store, "a"))
    assert ledger.count(store.database, {}).sound
    told = next(iter(ledger.acknowledged["a"]))
    assert ledger.count(store.database, {told: 2}).duplicated == 1
    finished(store, "a")
    assert ledger.count(store.database, {}).duplicated == 1


def test_unexpected(store: JobStore) -> None:
    finished(store, "a")
    assert Ledger().count(store.database, {}).unexpected == 1


def test_answer_without_success_is_lost(store: JobStore) -> None:
    ledger = Ledger()
    ledger.attempt("a")
    job_id = accepted(store, "a")
    ledger.acknowledge("a", job_id)
    with store.database.writing() as connection:
        body = json.dumps({"id": job_id, "document": {"sha256": "a"}})
        connection.execute(insert(ResultRow).values(job_id=job_id, body=body, created_at=0.0))
    assert ledger.count(store.database, {}).lost == 1
