"""Two documents in one picture are not answered as one without a word."""

from __future__ import annotations

import pytest

from models.geometry import Box
from models.labels import Span
from models.packages import BUNDLED
from pipeline.answers.answerer import Answerer
from pipeline.document import Document, Page, TextSource, Token
from pipeline.result import Extraction

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
