"""Bundled models give what their tagger half saw, for review: a glance costs less than typing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import load_fields
from tests.builders import document_of

WEIGHTS = Path(__file__).parents[4] / "weights"


@pytest.mark.parametrize(
    ("model", "field", "text", "value"),
    [
        pytest.param("orders", "advertiser", "placed by Coolabah Tyre", "Coolabah Tyre", id="name"),
        pytest.param("nda", "term", "lasts for six years", "six years", id="term"),
    ],
)
@pytest.mark.parametrize(
    ("score", "given"), [pytest.param(0.8, True, id="half"), pytest.param(0.01, False, id="hardly")]
)
def test_half_seen_value_is_given_for_review(
    model: str, field: str, text: str, value: str, score: float, given: bool
) -> None:
    package = WEIGHTS / model
    stored = json.loads((package / "calibration.json").read_text(encoding="utf-8"))
    end = len(text.split())
    found = resolve_all(
        document_of(text),
        [Span(field, end - 2, end, (score, score))],
        load_fields(package / "fields.toml"),
        Calibration.from_json(stored),
        fit=0.9,
    ).fields[field]
    if not given:
        assert found is None
        return
    assert isinstance(found, FieldValue)
    assert (found.text, found.needs_review) == (value, True)
