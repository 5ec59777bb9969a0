"""Text that runs from right to left is read in the order of its script, figures as they stand."""

from __future__ import annotations

import pytest

from models.geometry import Box
from pipeline.document import Token
from pipeline.reading.layout import order_tokens
from pipeline.reading.layout.direction import in_reading_order, way_of
from tests.builders import lines_of


@pytest.mark.parametrize(
    ("text", "way"),
    [("Total", 1), ("1,234.56", 0), ("", 0), ("סך", -1), ("فاتورة", -1), ("№ 12", 0), ("Σύνολο", 1),
     ("合計", 1), ("٢٠٢٥", 0), ("ABCDE הכל", 1)],
)  # fmt: skip
def test_a_text_runs_the_way_of_most_of_its_letters(text: str, way: int) -> None:
    assert way_of([text]) == way


@pytest.mark.parametrize(
    ("shown", "base", "read"),
    [
        ("Amount due 42", 1, "Amount due 42"),
        ("56.00 לתשלום הכל סך", -1, "סך הכל לתשלום 56.00"),
        ("(2020) מ ACME Ltd חברת", -1, "חברת ACME Ltd מ (2020)"),
        ("Room 7 חדר", -1, "חדר Room 7"),
        ("Invoice עולם שלום no. 3", 1, "Invoice שלום עולם no. 3"),
        ("12/2025 - 11/2025 תקופה", -1, "תקופה 11/2025 - 12/2025"),
    ],
)
def test_what_stands_side_by_side_is_read_in_order(shown: str, base: int, read: str) -> None:
    texts = shown.split()
    order = in_reading_order(range(len(texts)), texts, base)  # type: ignore[arg-type]
    assert " ".join(texts[at] for at in order) == read


def test_a_line_of_many_figures_is_ordered_in_the_time_of_its_words() -> None:
    texts = ["7"] * 60_000 + ["סך"]
    assert in_reading_order(range(len(texts)), texts, -1) == [*reversed(range(len(texts)))]


def line(text: str, x0: float, top: float, number: int, block: int) -> list[Token]:
    """Return words in the order in which they stand, from left to right."""
    return [
        Token(word, Box(x0 + 0.05 * at, top, x0 + 0.05 * at + 0.045, top + 0.015), 1, number, block)
        for at, word in enumerate(text.split())
    ]


def test_rows_of_a_hebrew_page_are_read_from_the_right() -> None:
    tokens = [
        *line("שולחן גדול"[::-1].replace("ןחלוש", "שולחן").replace("לודג", "גדול"), 0.8, 0.1, 0, 0),
        *line("500.00", 0.1, 0.1, 0, 1),
        *line("2", 0.5, 0.1, 0, 2),
        *line("ACME Ltd", 0.8, 0.2, 1, 0),
        *line("חברה", 0.3, 0.2, 1, 1),
    ]
    assert lines_of(order_tokens(tokens, 1.4)) == ["שולחן גדול 2 500.00", "ACME Ltd חברה"]


def test_the_right_column_of_hebrew_prose_is_read_first() -> None:
    words = "אחת שתיים שלוש ארבע חמש"
    tokens = [
        token
        for block, x0 in enumerate((0.05, 0.55))
        for at in range(4)
        for token in line(words, x0, 0.1 + 0.02 * at, at, block)
    ]
    read = order_tokens(tokens, 1.4)
    assert [token.block for token in read] == [1] * 20 + [0] * 20
    assert lines_of(read)[0] == " ".join(reversed(words.split()))


def test_a_note_of_another_script_does_not_turn_an_english_page() -> None:
    tokens = [*line("Amount due", 0.1, 0.1, 0, 0), *line("הכל סך", 0.6, 0.1, 0, 1)]
    assert lines_of(order_tokens([*tokens, *line("in all", 0.1, 0.2, 1, 0)], 1.4)) == [
        "Amount due סך הכל",
        "in all",
    ]
