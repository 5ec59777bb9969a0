"""The main job from end to end: a scan posted to the service as it comes, its fields read."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.packages import BUNDLED
from tests.builders import make_receipt, receipt_png
from tests.service import serving

pytestmark = [
    pytest.mark.ocr,
    pytest.mark.skipif(
        not (BUNDLED / "receipts" / "config.json").is_file(), reason="no bundled model yet"
    ),
]


def test_scanned_receipt_is_read_by_the_default_model(tmp_path: Path) -> None:
    receipt = make_receipt(1)
    with serving(tmp_path, model="receipts") as service:
        response = service.post(receipt_png(receipt), "scan.png", wait=60)
        assert response.status_code == 200, response.text
        answer = response.json()
    assert answer["model"]["name"] == "receipts"
    assert set(answer["fields"]) == {"company", "date", "address", "total"}
    total = answer["fields"]["total"]
    assert total["value"]["amount"] == receipt.total
    assert answer["fields"]["date"]["text"] == receipt.date
