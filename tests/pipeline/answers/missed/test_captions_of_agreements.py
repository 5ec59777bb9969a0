"""The captions of the bundled `nda` name what its tagger missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import load_fields
from tests.builders import document_of

FIELDS = load_fields(Path(__file__).parents[4] / "weights" / "nda" / "fields.toml")


@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        pytest.param("Effective Date: 20 January 2026", "effective_date", "20 January 2026"),
        pytest.param("Commencement: 1 March 2026", "effective_date", "1 March 2026"),
        pytest.param("Date: 1 March 2026", "effective_date", None, id="perhaps_of_a_signature"),
        pytest.param("Applicable law: Swiss law", "jurisdiction", "Swiss law"),
        pytest.param(
            "governed by the law in force in New South Wales.", "jurisdiction", "New South Wales."
        ),
    ],
)
def test_terms_of_agreements(text: str, field: str, expected: str | None) -> None:
    found = resolve_all(document_of(text, columns=90), [], FIELDS, Calibration()).fields[field]
    assert (found.text if isinstance(found, FieldValue) else None) == expected
