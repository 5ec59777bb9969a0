"""One embedded service for the tests of its surroundings: storage, uploads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service import Service, serving


@pytest.fixture(scope="package")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service whose disk is full once, when the words of a document are written."""
    home = Path(tmp_path_factory.mktemp("embedded"))
    fault = "write_document.json:enospc:1"
    with serving(home, fault=fault, slow_upload_grace_s=2) as running:
        yield running
