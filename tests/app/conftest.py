"""One running service for the tests of the API, and the documents that slow it down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders import make_receipt, receipt_pdf
from tests.service import Service, digest, serving

SLOW = receipt_pdf(make_receipt(99), pages=3)  # a second a page, by a fault hook
MAX_BYTES = 200_000


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service with small limits."""
    with serving(
        Path(tmp_path_factory.mktemp("service")),
        max_bytes=MAX_BYTES,
        max_pages=3,
        slow_upload_grace_s=2,
        fault=f"in_read@{digest(SLOW)}:sleep:1",
    ) as running:
        yield running
