"""Currencies are counted of every amount that an answer holds."""

from __future__ import annotations

from app.schemas.common import ANSWER
from benchmarks.currencies import currencies
from pipeline.result import Extraction


def test_amounts_of_rows_are_counted_as_those_of_fields_are() -> None:
    total = ANSWER["fields"]["total"]
    row = {"amount": total, "price": {**total, "value": {"amount": "9.00", "currency": "SGD"}}}
    answer = Extraction.model_validate({**ANSWER, "groups": {"items": [row]}})
    assert list(currencies(answer)) == [("RM 9.00", code) for code in ("MYR", "MYR", "SGD")]
