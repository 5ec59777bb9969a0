"""The disk is full, the database is locked: refused with a reason, and nothing half done."""

from __future__ import annotations

import resource
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psutil
import pytest

from tests.builders import encode, make_receipt, receipt_image, receipt_pdf
from tests.patience import until
from tests.service import Service

pytestmark = pytest.mark.slow

GOOD = receipt_pdf(make_receipt(20))
LONG = receipt_pdf(make_receipt(20), pages=45)  # its words are kept between two stages
LARGE = encode(receipt_image(make_receipt(21)), "PNG", compress_level=0)  # a megabyte


def spool_is_empty(service: Service) -> bool:
    return not list((service.home / "blobs" / "tmp").iterdir())


def jobs(service: Service) -> int:
    """Return how many jobs the store has."""
    with closing(sqlite3.connect(service.home / "jobs.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM jobs").fetchone()[0])


@contextmanager
def full_disk(process: psutil.Process, size: int) -> Iterator[None]:
    """Let a process write no file beyond `size` bytes."""
    before = process.rlimit(resource.RLIMIT_FSIZE)
    process.rlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        process.rlimit(resource.RLIMIT_FSIZE, before)


def test_no_room_for_the_document(embedded: Service) -> None:
    running = embedded.submit(GOOD)
    known = jobs(embedded)
    with full_disk(embedded.child("api"), 300_000):
        response = embedded.post(LARGE)
        assert (response.status_code, response.json()["code"]) == (507, "storage_full")
        assert jobs(embedded) == known
        assert spool_is_empty(embedded)
    assert embedded.post(LARGE).status_code == 200
    assert embedded.ended(running)["state"] == "succeeded"


def test_no_room_for_the_job(embedded: Service) -> None:
    known = jobs(embedded)
    folders = set((embedded.home / "blobs").glob("??/*"))
    # The document fits; the database does not.
    with full_disk(embedded.child("api"), len(GOOD) + 1):
        response = embedded.post(GOOD)
        assert response.status_code in (503, 507)
        assert response.json()["code"] in ("store_unavailable", "storage_full")
        assert set((embedded.home / "blobs").glob("??/*")) == folders
    assert jobs(embedded) == known
    assert embedded.post(GOOD).status_code == 200
    with closing(sqlite3.connect(embedded.home / "jobs.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_no_room_in_mid_job(embedded: Service) -> None:
    """A disk that is full while a worker writes down its words costs the job time alone."""
    submitted = embedded.submit(LONG)
    told = "Documents wait: The service has no room to store the document."
    until(lambda: told in embedded.client.get("/readyz").json()["missing"], "readiness to say so")
    embedded.ended(submitted)
    (event,) = embedded.events("job waits")
    assert event["code"] == "storage_full"
    assert event["reason"] == "The service has no room to store the document."  # which disk it is
    job = embedded.ended(event["job"])
    assert (job["state"], job["attempts"]) == ("succeeded", 1)


def test_no_room_for_an_export(embedded: Service) -> None:
    """A dataset as an archive and a batch as a workbook lie on the disk until they are sent."""
    client = embedded.client
    dataset = f"/datasets/{client.post('/datasets', json={'name': 'full'}).json()['id']}"
    client.post(f"{dataset}/documents", files=[("files", ("a.png", LARGE))])
    batch = client.post("/batches", files=[("files", ("a.pdf", GOOD))]).json()["id"]
    until(lambda: client.get(f"/batches/{batch}").json()["finished"], "the batch")
    reading = f"{dataset}/documents?state=reading"
    until(lambda: not client.get(reading).json()["documents"], "the dataset")
    exports = (f"{dataset}/export", 300_000), (f"/batches/{batch}/results?format=xlsx", 200)
    for address, size in exports:
        with full_disk(embedded.child("api"), size):
            refused = client.get(address)
        assert (refused.status_code, refused.json()["code"]) == (507, "storage_full"), address
        assert spool_is_empty(embedded)
        assert client.get(address).status_code == 200


def test_locked_store_is_a_503_and_then_a_success(embedded: Service) -> None:
    with closing(sqlite3.connect(embedded.home / "jobs.db", isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        response = embedded.post(GOOD)
        assert response.status_code == 503
        assert response.json()["code"] == "store_unavailable"
        assert response.headers["retry-after"].isdigit()
    assert embedded.post(GOOD).status_code == 200
    assert spool_is_empty(embedded)


def test_document_waits_for_a_store_that_is_locked_for_a_moment(embedded: Service) -> None:
    answers: list[int] = []
    waiting = threading.Thread(target=lambda: answers.append(embedded.post(GOOD).status_code))
    database = sqlite3.connect(embedded.home / "jobs.db", isolation_level=None, timeout=10)
    with closing(database) as connection:
        connection.execute("BEGIN IMMEDIATE")
        waiting.start()
        time.sleep(1.0)  # less than the patience of the API
    waiting.join()
    assert answers == [200]


def test_worker_keeps_its_result_while_the_store_is_locked(embedded: Service) -> None:
    job_id = embedded.submit(GOOD)
    database = sqlite3.connect(embedded.home / "jobs.db", isolation_level=None, timeout=10)
    with closing(database) as connection:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(0.5)  # whatever stage it is in, its next write has to wait
    job = embedded.ended(job_id)
    assert (job["state"], job["attempts"]) == ("succeeded", 1)
