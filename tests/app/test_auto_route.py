"""model=auto through the service: each document is answered by the model of its kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pipeline.profile import FITS
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of, draw_pdf, make_receipt, receipt_pdf
from tests.packages import tiny_package
from tests.service import serving
from training.invent.orders import Orders

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


def test_where_no_model_is_named_the_document_decides(tmp_path: Path) -> None:
    order = Orders(seed=5)(1).data
    with serving(tmp_path, model="auto") as service:
        first = service.post(order, cache="true", wait=60).json()
        assert first["model"]["name"] == "orders"
        assert first["model"]["fit"] >= FITS
        again = service.post(order, cache="true").json()
        assert again["fields"] == first["fields"]
        job = service.job(again["id"])
        assert (job["cached"], job["model"]) == (True, "orders")
        receipt = service.post(receipt_pdf(make_receipt(1)), wait=60).json()
        assert receipt["model"]["name"] == "receipts"


def test_a_document_of_no_kind_is_refused_where_that_is_asked_for(tmp_path: Path) -> None:
    poem = (
        "The harbour lamps went out by one and two",
        "and nobody was there to count the boats",
        "A gull complained the morning found its shoes",
    )
    data = draw_pdf(
        lambda page: [page.drawString(60, 700 - 30 * n, line) for n, line in enumerate(poem)]
    )
    with serving(tmp_path, model="auto") as service:
        refused = service.post(data, wait=60, on_no_fit="refuse")
        assert (refused.status_code, refused.json()["code"]) == (422, "no_fitting_model")
        assert re.search(r"Likenesses: \w+ 0\.\d\d, \w+ 0\.\d\d", refused.json()["detail"])
        warned = service.post(data, wait=60, on_no_fit="warn").json()
        assert warned["model"]["fit"] < FITS
        assert any("is not like those" in warning for warning in warned["warnings"])
        wrong = service.post(data, wait=60, on_no_fit="ask")
        assert (wrong.status_code, wrong.json()["code"]) == (422, "request_invalid")
