"""model=auto through the service: each document is answered by the model of its kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of, draw_pdf, make_receipt, receipt_pdf
from tests.packages import tiny_package
from tests.service import serving

pytestmark = pytest.mark.slow

_CLAUSES = (
    "This agreement is made between the parties named below",
    "The receiving party shall hold confidential information in trust",
    "This agreement is governed by the laws of the state named below",
)


def test_the_model_is_chosen_when_the_document_is_read(tmp_path: Path) -> None:
    models = tmp_path / "models"
    receipts = [document_of(" ".join(make_receipt(seed).words)) for seed in range(6)]
    contracts = [document_of(" | ".join(_CLAUSES[n:] + _CLAUSES[:n])) for n in range(3)]
    tiny_package(models / "shops" / "1", name="shops", version="1", documents=receipts)
    law = (FieldSpec("party", Kind.NAME, many=True),)
    tiny_package(models / "law" / "2", name="law", version="2", fields=law, documents=contracts)
    contract = draw_pdf(
        lambda page: [page.drawString(60, 700 - 30 * n, line) for n, line in enumerate(_CLAUSES)]
    )
    with serving(tmp_path) as service:
        answer = service.post(receipt_pdf(make_receipt(9)), model="auto").json()
        assert (answer["model"]["name"], answer["model"]["version"]) == ("shops", "1")
        assert answer["model"]["choice"]["confidence"] > 0.5
        job = service.ended(service.submit(contract, model="auto"))
        assert (job["state"], job["model"], job["model_version"]) == ("succeeded", "law", "2")
        result = service.client.get(f"/jobs/{job['id']}/result").json()
        assert result["fields"].keys() == {"party"}
        assert "law" not in result["model"]["choice"]["others"]
        named = service.post(contract, model="law").json()
        assert named["model"]["choice"] is None
