"""The number and the date of the invoice that a credit note is about are none of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.geometry import Box
from models.labels import Span
from models.packages import BUNDLED
from models.packages.manifest import FIELDS, load_manifest
from pipeline.answers.answerer import Answerer
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.document import Document
from pipeline.result import FieldValue
from tests.builders import document_of

PACKAGE = BUNDLED / "invoices"


def _titled(text: str) -> Document:
    """Return a page of lines, the first of which is in tall letters."""
    document = document_of(text)
    page = document.pages[0]
    tokens = [
        replace(token, box=Box(box.x0, 0.0, box.x1, 2 * box.bottom))
        if token.line == 0
        else replace(token, box=Box(box.x0, box.top + 0.1, box.x1, box.bottom + 0.1))
        for token in page.tokens
        for box in (token.box,)
    ]
    return replace(document, pages=(replace(page, tokens=tuple(tokens)),))


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        pytest.param("CREDIT NOTE | Original invoice date 14/01/2025", True, id="the_invoices"),
        pytest.param("CREDIT NOTE | Credit note date 14/01/2025", False, id="its_own"),
        pytest.param("CREDIT NOTE | Date 14/01/2025", False, id="nothing_said"),
        pytest.param("TAX INVOICE | Invoice date 14/01/2025", False, id="no_credit_note"),
    ],
)
def test_a_date_of_the_invoice_that_a_credit_note_is_about_is_marked(
    text: str, marked: bool
) -> None:
    sure = Calibration({"invoice_date": FieldCalibration(review_threshold=0.0)})
    fields = (PACKAGE / FIELDS).read_text(encoding="utf-8")
    answerer = Answerer(load_manifest(PACKAGE), fields, sure.to_json())
    document = _titled(text)
    at = len(document.pages[0].tokens) - 1
    spans = [Span("invoice_date", at, at + 1, (0.99,))]
    date = answerer.resolve(document, spans, job_id="a", timings={}).fields["invoice_date"]
    assert isinstance(date, FieldValue)
    assert date.value == "2025-01-14"
    assert date.needs_review is marked
