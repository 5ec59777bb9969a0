"""Who waits for an answer never waits behind a batch, with a broker and without."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import make_receipt, receipt_pdf
from tests.faults.groups import Group
from tests.patience import until
from tests.servers import RedisServer
from tests.service import Service, digest, environment, serving

SLOW = [receipt_pdf(make_receipt(number)) for number in range(70, 73)]
QUICK = receipt_pdf(make_receipt(80))
# A scan that takes longer than the test.
SETTINGS: dict[str, object] = {
    "fault": ",".join(f"in_read@{digest(data)}:sleep:100" for data in SLOW),
    "drain_seconds": 1,
}


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Service]:
    with serving(tmp_path, **SETTINGS) as service:
        yield service


@pytest.fixture
def production(tmp_path: Path, redis: RedisServer) -> Iterator[Service]:
    """An API, and one command that works at all queues, a document at a time."""
    settings = {**SETTINGS, "broker_url": redis.url}
    with serving(tmp_path, ready=False, **settings) as service:
        command = ["worker", "--concurrency=1"]
        workers = Group("workers", command, environment(tmp_path, settings), tmp_path / "workers")
        workers.start()
        until(lambda: service.status("/readyz") == 200, "the workers")
        yield service
        assert workers.stop() == 0
        until(lambda: not workers.survivors(), "the end of all its processes")


def check(service: Service) -> None:
    files = [("files", (f"{number}.pdf", data)) for number, data in enumerate(SLOW)]
    batch = service.client.post("/batches", files=files)
    assert batch.status_code == 202, batch.text
    items = f"/batches/{batch.json()['id']}/items"

    def states() -> list[str]:
        return sorted(item["state"] for item in service.client.get(items).json()["items"])

    until(lambda: states() == ["queued", "queued", "running"], "the first of the batch")
    for _ in range(2):
        assert service.post(QUICK, wait=60).status_code == 200
    assert states() == ["queued", "queued", "running"]


def test_embedded_service(embedded: Service) -> None:
    check(embedded)


def test_service_with_a_broker(production: Service) -> None:
    check(production)
