"""Documents as read: word order, and the JSON that carries them between processes."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from models.geometry import clamped_box
from pipeline.document import Document, Page, Token
from tests.builders import document_of

fractions = st.floats(0, 1)
tokens = st.builds(
    Token,
    text=st.text(min_size=1, max_size=8),
    box=st.builds(clamped_box, fractions, fractions, fractions, fractions),
    confidence=fractions,
    line=st.integers(0, 99),
    block=st.integers(0, 9),
)
pages = st.builds(
    Page,
    number=st.integers(1, 500),
    width=st.floats(1, 1e4),
    height=st.floats(1, 1e4),
    rotation=st.sampled_from([0, 90, 180, 270]),
    text_source=st.sampled_from(["text_layer", "ocr", "gold", "none"]),
    reason=st.text(max_size=20),
    tokens=st.lists(tokens, max_size=5).map(tuple),
)
documents = st.builds(
    Document,
    sha256=st.text("0123456789abcdef", min_size=64, max_size=64),
    media_type=st.just("application/pdf"),
    pages=st.lists(pages, max_size=3).map(tuple),
    page_count=st.integers(0, 500),
    warnings=st.lists(st.text(max_size=20), max_size=2).map(tuple),
)


@given(documents)
def test_json_round_trip_gives_an_equal_document(document: Document) -> None:
    assert Document.from_json(json.loads(json.dumps(document.to_json()))) == document


def test_words_run_over_the_pages_in_order() -> None:
    document = document_of("Invoice 42 | Total 10.00", "second page")
    words = list(document.words())
    assert [token.text for _, token in words] == [
        "Invoice",
        "42",
        "Total",
        "10.00",
        "second",
        "page",
    ]
    assert [page.number for page, _ in words] == [1, 1, 1, 1, 2, 2]
    assert [token.line for _, token in words] == [0, 0, 1, 1, 0, 0]
