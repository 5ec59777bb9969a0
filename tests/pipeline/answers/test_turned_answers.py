"""A page that was delivered on its side is answered as the upright one; its places are its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.geometry import Box
from models.labels import Span
from models.packages import BUNDLED
from pipeline.affine import turned_box
from pipeline.answers.answerer import Answerer
from pipeline.document import Document, Page, Token

_COLUMNS = (("description", 0.1), ("quantity", 0.5), ("unit_price", 0.65), ("amount", 0.85))
_ROWS = (
    ("Rye loaf", "2", "4.20", "8.40"),
    ("Bun", "3", "1.10", "3.30"),
    ("with caraway", "", "", ""),
    ("Oat cake", "1", "5.00", "5.00"),
    ("with nuts", "", "", ""),
)


def _invoice() -> tuple[Document, list[Span]]:
    tokens: list[Token] = []
    spans: list[Span] = []
    lines = (("Description", "Quantity", "Price", "Amount"), *_ROWS)
    for line, cells in enumerate(lines):
        for (column, left), cell in zip(_COLUMNS, cells, strict=True):
            if not cell:
                continue
            start, top = len(tokens), 0.2 + 0.03 * line
            for at, word in enumerate(cell.split()):
                x0 = left + 0.06 * at
                tokens.append(Token(word, Box(x0, top, x0 + 0.05, top + 0.018), line=line))
            if line:
                sure = (0.95,) * (len(tokens) - start)
                spans.append(Span(f"items.{column}", start, len(tokens), sure))
    page = Page(1, 595.0, 842.0, 0, "text_layer", "built for a test", tuple(tokens))
    return Document("0" * 64, "application/pdf", (page,), 1), spans


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_rows_of_a_turned_page_are_those_of_the_upright_one(degrees: int) -> None:
    document, spans = _invoice()
    (page,) = document.pages
    tokens = tuple(replace(word, box=turned_box(word.box, degrees)) for word in page.tokens)
    size = (842.0, 595.0) if degrees % 180 else (595.0, 842.0)
    turned = Page(1, *size, (360 - degrees) % 360, page.text_source, page.reason, tokens)
    answerer = Answerer.load(BUNDLED / "invoices")
    one, other = (
        answerer.resolve(each, spans, job_id="x", timings={})
        for each in (document, replace(document, pages=(turned,)))
    )
    assert len(one.groups["items"]) == 3
    assert len(other.groups["items"]) == 3
    for row, same in zip(one.groups["items"], other.groups["items"], strict=True):
        for name, cell in row.items():
            if cell is None:
                assert same[name] is None
                continue
            assert same[name].value == cell.value
            place = turned_box(Box(*cell.box), degrees).as_list()
            assert same[name].box == pytest.approx(place)
