"""Every attack, with short limits and small volumes; in full: python -m tests.attacks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.frame import Place
from tests.attacks.table import ATTACKS

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """Embedded services with short limits."""
    with Place(Path(tmp_path_factory.mktemp("attacks"))) as given:
        yield given


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_takes_no_more_than_its_share(place: Place, name: str) -> None:
    measures = ATTACKS[name](place)
    assert [measure for measure in measures if not measure.held] == []
