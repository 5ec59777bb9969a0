"""The services of the fault tests: an embedded one, and the production topology."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.documents import HOOKS, fresh
from tests.faults.topology import Topology, topology
from tests.servers import PostgresServer, RedisServer
from tests.service import Service, serving


@pytest.fixture(scope="package")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service whose disk is full once, when the words of a document are written."""
    home = Path(tmp_path_factory.mktemp("embedded"))
    fault = "write_document.json:enospc:1"
    with serving(home, fault=fault, slow_upload_s=2) as running:
        yield running


@pytest.fixture(scope="package")
def _production(
    tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer
) -> Iterator[Topology]:
    home = Path(tmp_path_factory.mktemp("production"))
    redis = RedisServer(home / "redis").start()
    url = postgres.new_database()
    try:
        # The limit of a document is long enough for all but those that never end, and the lease
        # for a worker that gets little of a busy machine.
        limits = {"document_timeout_s": 15, "page_timeout_s": 5, "lease_seconds": 5}
        with topology(home, redis, url, fault=HOOKS, **limits) as running:
            yield running
    finally:
        redis.stop()
        postgres.drop(url)


@pytest.fixture
def production(_production: Topology) -> Iterator[Topology]:
    """One worker of each queue; after each test all is put right, and all is accounted for."""
    yield _production
    _production.start()
    control = _production.ended(_production.submit(fresh()))
    assert control["state"] == "succeeded"
    _production.settle()
