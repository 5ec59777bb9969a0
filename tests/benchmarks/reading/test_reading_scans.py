"""The measures of recognition, on pages made up here."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.reading.scans import Tally, matches, misread
from models.geometry import Box
from pipeline.document import Page, Token
from pipeline.reading.layout import order_tokens, split_line

GOLD = order_tokens(
    [
        *split_line("TAX INVOICE", Box(0.1, 0.1, 0.5, 0.14), 0),
        *split_line("TOTAL: 9.00", Box(0.1, 0.2, 0.5, 0.24), 1),
    ],
    1.0,
)


def moved(token: Token, across: float) -> Token:
    box = token.box
    return replace(token, box=Box(box.x0 + across, box.top, box.x1 + across, box.bottom))


def test_a_perfect_reading() -> None:
    tally = Tally()
    page = Page(1, 100, 100, tokens=GOLD)
    tally.add(page, page)
    assert (tally.gold, tally.read, tally.right) == (4, 4, 4)
    assert (tally.edits, tally.characters) == (0, len("TAXINVOICETOTAL900"))


def test_case_and_punctuation_are_left_out() -> None:
    words = [replace(token, text=token.text.lower().rstrip(":")) for token in GOLD]
    assert matches(words, GOLD) == 4
    assert misread(words, GOLD)[0] == 0


def test_a_word_counts_once_and_where_it_stands() -> None:
    assert matches([GOLD[0], GOLD[0]], GOLD) == 1
    assert matches([moved(GOLD[0], GOLD[0].box.width * 0.25)], GOLD) == 1
    assert matches([moved(GOLD[0], GOLD[0].box.width * 0.5)], GOLD) == 0


@pytest.mark.parametrize(
    ("words", "edits"),
    [
        pytest.param(GOLD[1:], 3, id="a_word_not_read"),
        pytest.param([replace(GOLD[0], text="FAX"), *GOLD[1:]], 1, id="a_letter_misread"),
        pytest.param([*GOLD, moved(GOLD[3], 0.3)], 3, id="a_word_in_no_line"),
        pytest.param(GOLD[::-1], 0, id="order_is_by_place"),
        pytest.param([], 18, id="nothing_read"),
    ],
)
def test_edits(words: list[Token], edits: int) -> None:
    assert misread(words, GOLD) == (edits, 18)


@given(st.lists(st.sampled_from(GOLD)))
def test_no_more_words_are_right_than_there_are(words: list[Token]) -> None:
    assert matches(words, GOLD) == len(set(words))
