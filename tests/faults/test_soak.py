"""The soak in short: everything breaks for a while, and every document is accounted for."""

from __future__ import annotations

import pytest

from tests.faults.soak import invented, soak
from tests.faults.topology import Topology

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_short_soak(production: Topology) -> None:
    before = len(production.ledger.attempted)
    outcome = soak(production, documents=invented(40), seconds=20.0)
    assert outcome.sound, str(outcome.counts)
    assert len(production.ledger.attempted) == before + 40
    assert outcome.counts.acknowledged == outcome.counts.ok + outcome.counts.set_aside
    assert sum(outcome.misfortunes.values()) >= 3  # as many as fit into the time
