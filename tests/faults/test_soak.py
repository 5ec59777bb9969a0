"""The soak in short: everything breaks for a while, and every document is accounted for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.soak import soak
from tests.faults.topology import topology
from tests.servers import RedisServer

pytestmark = pytest.mark.slow


def test_short_soak(tmp_path: Path, redis: RedisServer, postgres_url: str) -> None:
    with topology(tmp_path, redis, postgres_url) as running:
        outcome = soak(running, documents=40, seconds=25.0)
    assert outcome.sound, str(outcome.counts)
    assert outcome.counts.attempted == 40
    assert outcome.counts.acknowledged == outcome.counts.ok + outcome.counts.set_aside == 40
    assert sum(outcome.misfortunes.values()) >= 5
