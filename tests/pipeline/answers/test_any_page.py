"""Whatever a page holds and a tagger says of it, there is an answer."""

from __future__ import annotations

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.geometry import Box
from models.labels import Span
from models.packages import BUNDLED
from pipeline.answers.answerer import Answerer
from pipeline.document import Document, Page, Token

PRINTED = """
Invoice Rechnung No. № Total Subtotal VAT Date: due Menge pcs 19% 20,00% 100.00 1.234,56 (100.00)
-5.00 12 3 7 0 00 0.00 € EUR $ GBP 1e9 NaN ∞ ½ 1,2,3 ٣٤ 9999999999999999 x ﬁ 2024-03-04 4.3.2024
March 2024 03/04 Q3 10:30 to – - / | : Müller GmbH & Co. KG 75001 Paris DE89 3704 0044 0532 0130
"""

_share = st.sampled_from([0.0, 0.05, 0.1, 0.12, 0.5, 0.9, 1.0])
_boxes = st.builds(
    lambda x, y: Box(min(x), min(y), max(x), max(y)),
    st.tuples(_share, _share),
    st.tuples(_share, _share),
)
_tokens = st.builds(
    Token,
    st.sampled_from(PRINTED.split()),
    _boxes,
    st.sampled_from([0.0, 0.5, 1.0]),
    st.integers(0, 5),
)


@st.composite
def _documents(draw: st.DrawFn) -> Document:
    """Draw words anywhere on one or two pages, read in any order."""
    pages = [
        Page(
            number,
            draw(st.sampled_from([100.0, 595.0])),
            842.0,
            rotation=draw(st.sampled_from([0, 90, 180, 270])),
            text_source="ocr",
            tokens=tuple(draw(st.lists(_tokens, max_size=25))),
        )
        for number in range(1, draw(st.integers(1, 2)) + 1)
    ]
    return Document("0" * 64, "application/pdf", tuple(pages), len(pages))


@cache
def _answerer(package: str) -> Answerer:
    return Answerer.load(BUNDLED / package)


@pytest.mark.parametrize("package", ["invoices", "orders", "receipts", "nda"])
@given(document=_documents(), data=st.data())
def test_any_tags_of_any_page_have_an_answer(
    package: str, document: Document, data: st.DataObject
) -> None:
    answerer = _answerer(package)
    fields = st.sampled_from([spec.name for spec in answerer.fields])
    probabilities = st.sampled_from([1e-9, 0.1, 0.6, 1.0])
    spans: list[Span] = []
    start, words = 0, len(list(document.words()))
    while start < words:
        end = min(words, start + data.draw(st.integers(1, 4)))
        if data.draw(st.booleans()):
            sure = tuple(data.draw(probabilities) for _ in range(start, end))
            spans.append(Span(data.draw(fields), start, end, sure))
        start = end
    answer = answerer.resolve(document, spans, job_id="any", timings={})
    assert json.loads(answer.model_dump_json())["fields"].keys() == answer.fields.keys()
    for _, value in answer.named_values():
        assert value.text
        assert 0 <= value.confidence <= 1
