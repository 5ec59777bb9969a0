"""The API and the database go away in mid work; workers are exchanged; models are replaced."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import httpx
import pytest
from sqlalchemy import delete

from store.sql.tables import LockRow
from tests.faults.documents import HALF_SENT, INTERRUPTED, SLOW, UNANNOUNCED, fresh
from tests.faults.topology import Topology
from tests.packages import tiny_package
from tests.patience import until
from tests.servers import PostgresServer
from tests.service import digest

pytestmark = pytest.mark.slow


def test_api_killed_once_it_accepted(production: Topology) -> None:
    """Row 5: nobody was told of the job, neither the client nor the broker."""
    with pytest.raises(httpx.TransportError):
        production.post(UNANNOUNCED.data)
    production.start()
    counts = production.settle()
    assert counts.recovered == 1
    production.ledger.acknowledge(digest(UNANNOUNCED.data), job_of(production, UNANNOUNCED.data))


def job_of(production: Topology, data: bytes) -> str:
    """Return the one job of a document."""
    jobs = production.client.get("/jobs?limit=500").json()["jobs"]
    (job_id,) = (job["id"] for job in jobs if job["sha256"] == digest(data))
    return str(job_id)


def test_api_killed_before_it_accepted(production: Topology) -> None:
    """Row 6: the client sends it again, with the same key; the file of the first is swept away."""
    headers = {"Idempotency-Key": "sent twice"}
    with pytest.raises(httpx.TransportError):
        production.post(HALF_SENT.data, headers=headers)
    files = list((production.home / "blobs").glob("??/*"))
    production.start()
    assert production.post(HALF_SENT.data, headers=headers).status_code == 200
    job_id = job_of(production, HALF_SENT.data)
    orphans = [path for path in files if path.name not in production.rows()]
    assert job_id not in {path.name for path in orphans}
    for path in orphans:
        yesterday = time.time() - 86_400
        os.utime(path, (yesterday, yesterday))
    with production.database.writing() as connection:  # as if an hour had passed
        connection.execute(delete(LockRow).where(LockRow.name == "sweep-deep"))
    production.groups["api"].stop()
    production.start()
    until(lambda: not any(path.exists() for path in orphans), "the orphan to be swept away")


def test_database_crashes_in_mid_job(production: Topology, postgres: PostgresServer) -> None:
    """Row 12: nothing is accepted meanwhile; what was accepted ends."""
    job_id = production.submit(INTERRUPTED.data)
    production.at_fault("in_tag", INTERRUPTED.data)
    postgres.stop(immediate=True)
    try:
        refused = fresh()
        response = production.post(refused)
        assert (response.status_code, response.json()["code"]) == (503, "store_unavailable")
        assert response.headers["retry-after"].isdigit()
        assert production.status("/livez") == 200
        assert production.status("/readyz") == 503
    finally:
        postgres.start()
    assert production.ended(job_id)["state"] == "succeeded"
    until(lambda: production.post(refused).status_code == 200, "documents to be accepted")


@pytest.mark.long
def test_workers_are_exchanged_under_load(production: Topology) -> None:
    """Row 25: each is stopped as a deploy does, and its successor goes on."""
    jobs = [production.submit(fresh()) for _ in range(20)]
    for group in production.workers:
        assert group.stop() == 0
        production.start_one(group.name)
    production.groups["api"].stop()
    production.start()
    ended = [production.ended(job_id) for job_id in jobs]
    assert [(job["state"], job["attempts"]) for job in ended] == [("succeeded", 1)] * 20


@pytest.mark.long  # `test_models` does it in one command
def test_damaged_model_makes_jobs_wait(production: Topology) -> None:
    """Row 21: a worker that has it in memory goes on; one that starts waits for it."""
    weights = production.package / "model.safetensors"
    kept = Path(shutil.copy(weights, production.home / "kept"))
    weights.unlink()
    kept_half = kept.read_bytes()[: kept.stat().st_size // 2]
    weights.write_bytes(kept_half)
    assert production.ended(production.submit(fresh()))["state"] == "succeeded"
    production.groups["tag-1"].stop()
    production.start_one("tag-1", ready=False)
    until(lambda: production.status("/readyz") == 503, "the service to be unready")
    until(lambda: "damaged" in production.client.get("/readyz").text, "the reason")
    job_id = production.submit(fresh())
    tried = len(production.events("model damaged"))
    until(lambda: len(production.events("model damaged")) > tried, "another try")
    assert production.job(job_id)["state"] == "queued"
    kept.replace(weights)
    assert production.ended(job_id)["state"] == "succeeded"


def test_model_replaced_in_mid_job(production: Topology) -> None:
    """Row 22: a job ends with the version it began with, and says which."""
    job_id = production.submit(SLOW.data)
    production.at_fault("in_tag", SLOW.data)
    newer = tiny_package(production.package.with_name("0.0.2"), version="0.0.2")
    try:
        later = production.submit(fresh())
        assert production.ended(job_id)["model_version"] == "0.0.1"
        assert production.ended(later)["model_version"] == "0.0.2"
        for job, version in ((job_id, "0.0.1"), (later, "0.0.2")):
            answer = production.client.get(f"/jobs/{job}/result").json()
            assert answer["model"]["version"] == version
    finally:
        shutil.rmtree(newer)
