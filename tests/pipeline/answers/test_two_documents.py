"""Two documents in one picture, or in one file, are not answered as one without a word."""

from __future__ import annotations

import io

import pikepdf
import pytest

from models.geometry import Box
from models.labels import Span
from models.packages import BUNDLED
from pipeline.answers.answerer import Answerer
from pipeline.document import Document, Page, TextSource, Token
from pipeline.errors import NoFittingModel
from pipeline.extract import Extractor
from pipeline.result import Extraction
from tests.builders import document_of

_LINES = [
    ("Wren Bakery", "company"),
    ("14.03.2024", "date"),
    ("4 Mill Lane, Ely CB7 4AA", "address"),
    ("Rye loaf 4.20", ""),
    ("Bun 1.30", ""),
    ("Tea and milk 2.10", ""),
    ("Cash 10.00", ""),
    ("Change 2.40", ""),
    ("Total", ""),
    ("7.60", "total"),
]
_OTHER = {
    "Wren Bakery": "Heron Fuel",
    "14.03.2024": "02.05.2024",
    "4 Mill Lane, Ely CB7 4AA": "9 Quay Street, Deal CT14 6AB",
    "7.60": "51.30",
}


def _answer(gap: float, *, source: TextSource = "ocr", second: bool = True) -> Extraction:
    """Return the answer to a page of receipts.

    Args:
        gap: between the two columns, as a fraction of the page's width.
        source: of the page's words.
        second: whether what is on the right is another receipt; else it says nothing of a kind.
    """
    tokens, spans = [], []
    for line, (text, field) in enumerate(_LINES):
        for left, said in (
            (0.05, text),
            (0.45 + gap, _OTHER.get(text, text) if second else "so and so it goes on"),
        ):
            start = len(tokens)
            words = said.split()
            width = 0.4 / len(words)
            tokens += [
                Token(
                    word,
                    Box(
                        left + at * width, 0.05 * line, left + (at + 1) * width, 0.05 * line + 0.03
                    ),
                    line=line,
                )
                for at, word in enumerate(words)
            ]
            if field and (second or left < 0.1):
                spans.append(Span(field, start, len(tokens), (0.95,) * len(words)))
    page = Page(1, 900.0, 900.0, 0, source, "built for a test", tuple(tokens))
    document = Document("0" * 64, "image/jpeg", (page,), 1)
    answerer = Answerer.load(BUNDLED / "receipts")
    return answerer.resolve(document, spans, job_id="x", timings={})


def test_two_receipts_in_one_picture_are_said_to_be_two() -> None:
    answer = _answer(0.1)
    assert [warning for warning in answer.warnings if "side by side on page 1" in warning]
    assert all(value.needs_review for _, value in answer.named_values())


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(lambda: _answer(0.06), id="columns_of_one"),
        pytest.param(lambda: _answer(0.1, second=False), id="one_beside_other_text"),
        pytest.param(lambda: _answer(0.1, source="text_layer"), id="printed_so"),
    ],
)
def test_one_document_is_not_said_to_be_two(answer: object) -> None:
    assert callable(answer)
    assert not [warning for warning in answer().warnings if "side by side" in warning]


_INVOICE = {
    "vendor_name": "Wren Bakery Ltd",
    "customer_name": "Heron Fuel Ltd",
    "invoice_number": "WB-4711",
    "invoice_date": "14.03.2024",
    "invoice_total": "84.20",
}
_NEXT = {**_INVOICE, "invoice_number": "WB-4712", "invoice_date": "02.05.2024"}


def _answer_to(*invoices: dict[str, str], refuse: bool = False) -> Extraction:
    """Return the answer to a file of invoices, a page each."""
    texts = [" | ".join(invoice.values()) for invoice in invoices]
    spans, start = [], 0
    for name, text in (item for invoice in invoices for item in invoice.items()):
        end = start + len(text.split())
        spans.append(Span(name, start, end, (0.95,) * (end - start)))
        start = end
    answerer = Answerer.load(BUNDLED / "invoices")
    return answerer.resolve(document_of(*texts), spans, job_id="x", timings={}, refuse=refuse)


def test_two_invoices_in_one_file_are_named_by_their_pages() -> None:
    answer = _answer_to(_INVOICE, _NEXT)
    assert answer.warnings == [
        "Pages 1 and 2 look like documents of their own (numbers WB-4711 and WB-4712): send them "
        "apart, with `pages=1` and `pages=2`."
    ]
    assert answer.needs_review
    assert all(value.needs_review for _, value in answer.named_values())


def test_several_invoices_are_refused_without_what_they_say() -> None:
    sentence = r"^Pages 1 and 2 look like documents of their own: "
    with pytest.raises(NoFittingModel, match=sentence) as refused:
        _answer_to(_INVOICE, _NEXT, refuse=True)
    assert refused.value.advice == "With `warn` for `on_no_fit`, they are answered as one."


def test_an_invoice_that_is_there_twice_is_one() -> None:
    warnings = _answer_to(_INVOICE, _INVOICE).warnings
    assert not [warning for warning in warnings if "of their own" in warning]


def test_invoices_joined_in_one_pdf_are_told() -> None:
    pytest.importorskip("weasyprint", reason="Pango is not installed", exc_type=OSError)
    from training.invent.invoices import Invoices

    invent = Invoices(seed=4242, languages=("en",))
    joined, parts, numbers = pikepdf.new(), [], []
    for invented in (invent(2), invent(3)):
        with pikepdf.open(io.BytesIO(invented.data)) as pdf:
            first, last = len(joined.pages) + 1, len(joined.pages) + len(pdf.pages)
            joined.pages.extend(pdf.pages)
        parts.append(str(first) if first == last else f"{first}-{last}")
        numbers += invented.labels["fields"]["invoice_number"]
    file = io.BytesIO()
    joined.save(file)
    (warning,) = Extractor(BUNDLED / "invoices").extract(file.getvalue()).warnings
    assert warning.startswith(f"Pages {' and '.join(parts)} look like documents of their own")
    assert f"(numbers {' and '.join(numbers)})" in warning
