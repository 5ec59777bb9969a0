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
        pytest.param("CREDIT NOTE | for invoice 118 of 14/01/2025", True, id="behind_its_number"),
        pytest.param("CREDIT NOTE | Credit note date 14/01/2025", False, id="its_own"),
        pytest.param("CREDIT NOTE | Credit note 118 of 14/01/2025", False, id="behind_its_own"),
        pytest.param("CREDIT NOTE | Date 14/01/2025", False, id="nothing_said"),
        pytest.param("TAX INVOICE | Invoice date 14/01/2025", False, id="no_credit_note"),
    ],
)
def test_a_date_of_the_invoice_that_a_credit_note_is_about_is_marked(
    text: str, marked: bool
) -> None:
    document = _titled(text)
    at = len(document.pages[0].tokens) - 1
    date = _answers(document, Span("invoice_date", at, at + 1, (0.99,)))["invoice_date"]
    assert isinstance(date, FieldValue)
    assert date.value == "2025-01-14"
    assert date.needs_review is marked


@pytest.mark.parametrize(
    ("text", "number"),
    [
        pytest.param("CREDIT NOTE | Credit note no 33 | to invoice 4711", "33", id="at_a_caption"),
        pytest.param("CREDIT NOTE | number of 33 | to invoice 4711", "33", id="less_likely"),
        pytest.param("CREDIT NOTE | to invoice 4711", "4711", id="no_other"),
    ],
)
def test_the_number_of_the_invoice_comes_after_that_of_the_credit_note(
    text: str, number: str
) -> None:
    document = _titled(text)
    printed = [token.text for token in document.pages[0].tokens]
    spans = [Span("invoice_number", printed.index("4711"), len(printed), (0.99,))]
    if "of" in printed:
        spans.append(Span("invoice_number", printed.index("33"), printed.index("33") + 1, (0.4,)))
    found = _answers(document, *spans)["invoice_number"]
    assert isinstance(found, FieldValue)
    assert (found.text, found.needs_review) == (number, True)


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        pytest.param("INVOICE | from Acme Ltd", False, id="nothing_said"),
        pytest.param("SELF-BILLED INVOICE | from Acme Ltd", True, id="in_the_title"),
        pytest.param("RECHNUNG | Gutschrift gemäß § 14 Abs. 2 UStG Acme Ltd", True, id="below"),
        pytest.param("GUTSCHRIFT | from Acme Ltd", False, id="a_credit_note"),
        pytest.param("INVOICE | Pinto Auto | Fatura for Acme Ltd", False, id="of_two_lines"),
    ],
)
def test_parties_are_marked_where_the_customer_has_made_out_the_invoice(
    text: str, marked: bool
) -> None:
    document = _titled(text)
    end = len(document.pages[0].tokens)
    vendor = _answers(document, Span("vendor_name", end - 2, end, (0.99, 0.99)))["vendor_name"]
    assert isinstance(vendor, FieldValue)
    assert vendor.needs_review is marked


def test_parties_are_marked_where_the_title_is_in_usual_letters() -> None:
    document = document_of("SELF-BILLED INVOICE | from Acme Ltd")
    vendor = _answers(document, Span("vendor_name", 3, 5, (0.99, 0.99)))["vendor_name"]
    assert isinstance(vendor, FieldValue)
    assert vendor.needs_review


def test_a_credit_note_in_polish_is_about_an_invoice_in_the_genitive() -> None:
    document = _titled("FAKTURA KORYGUJĄCA | Data faktury 14/01/2025")
    date = _answers(document, Span("invoice_date", 4, 5, (0.99,)))["invoice_date"]
    assert isinstance(date, FieldValue)
    assert date.needs_review


def test_values_of_a_page_that_begins_another_document_are_marked() -> None:
    first, second = _titled("INVOICE | no 4711"), _titled("PURCHASE ORDER | no 33")
    pages = (first.pages[0], replace(second.pages[0], number=2))
    document = replace(first, pages=pages, page_count=2)
    package = _answerer()
    marks = {}
    for at in (2, len(pages[0].tokens) + 3):
        spans = [Span("invoice_number", at, at + 1, (0.99,))]
        answer = package.resolve(document, spans, job_id="a", timings={})
        number = answer.fields["invoice_number"]
        assert isinstance(number, FieldValue)
        marks[number.text] = number.needs_review
        told = any("Page 2 begins another document" in text for text in answer.warnings)
        assert told is (at > 2)
    assert marks == {"4711": False, "33": True}


def _answers(document: Document, *spans: Span) -> dict[str, FieldValue | list[FieldValue] | None]:
    return _answerer().resolve(document, list(spans), job_id="a", timings={}).fields


def _answerer() -> Answerer:
    names = ("invoice_date", "invoice_number", "vendor_name")
    sure = Calibration({name: FieldCalibration(review_threshold=0.0) for name in names})
    fields = (PACKAGE / FIELDS).read_text(encoding="utf-8")
    return Answerer(load_manifest(PACKAGE), fields, sure.to_json())
