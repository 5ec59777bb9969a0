"""A commit whose acknowledgement is lost: nobody knows whether it was done, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.faults.cutting import CuttingProxy
from tests.faults.documents import fresh
from tests.servers import PostgresServer
from tests.service import Service, serving


@pytest.fixture(scope="module")
def proxy(postgres: PostgresServer) -> Iterator[CuttingProxy]:
    """A proxy in front of the PostgreSQL server of the tests."""
    proxy = CuttingProxy(postgres.port)
    yield proxy
    proxy.close()


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer, proxy: CuttingProxy
) -> Iterator[Service]:
    """A service whose store lies behind the proxy."""
    url = postgres.new_database()
    through = url.replace(f":{postgres.port}/", f":{proxy.port}/")
    home = Path(tmp_path_factory.mktemp("cut"))
    with serving(home, database_url=through) as running:
        yield running
    postgres.drop(url)


def jobs_of(service: Service) -> list[dict[str, object]]:
    return list(service.client.get("/jobs").json()["jobs"])


def post(service: Service, data: bytes, key: str) -> httpx.Response:
    return service.post(data, "a.pdf", {"Idempotency-Key": key}, wait=20)


def test_a_document_whose_commit_was_not_acknowledged_is_kept_and_read(
    service: Service, proxy: CuttingProxy
) -> None:
    data = fresh()
    before = {job["id"] for job in jobs_of(service)}
    proxy.cut_next(b"INSERT INTO jobs")
    first = post(service, data, "cut-1")
    assert proxy.cuts == 1
    assert first.status_code == 503
    assert first.json()["code"] == "store_unavailable"

    again = post(service, data, "cut-1")
    assert again.status_code == 200, again.text
    new = [job for job in jobs_of(service) if job["id"] not in before]
    assert [job["state"] for job in new] == ["succeeded"]
    assert new[0]["attempts"] == 1


def test_a_document_without_a_key_is_read_all_the_same(
    service: Service, proxy: CuttingProxy
) -> None:
    before = {job["id"] for job in jobs_of(service)}
    proxy.cut_next(b"INSERT INTO jobs")
    assert service.post(fresh(), "a.pdf", wait=0).status_code == 503
    (new,) = [job for job in jobs_of(service) if job["id"] not in before]
    assert service.ended(str(new["id"]))["state"] == "succeeded"


def test_a_batch_whose_commit_was_not_acknowledged_is_kept_and_read(
    service: Service, proxy: CuttingProxy
) -> None:
    files = [("files", (f"{n}.pdf", fresh(), "application/pdf")) for n in range(3)]
    before = {job["id"] for job in jobs_of(service)}
    proxy.cut_next(b"INSERT INTO batches")
    key = {"Idempotency-Key": "cut-2"}
    first = service.client.post("/batches", files=files, headers=key)
    assert first.status_code == 503
    again = service.client.post("/batches", files=files, headers=key)
    assert again.status_code == 202, again.text
    new = [job for job in jobs_of(service) if job["id"] not in before]
    assert len(new) == 3
    assert {service.ended(str(job["id"]))["state"] for job in new} == {"succeeded"}
