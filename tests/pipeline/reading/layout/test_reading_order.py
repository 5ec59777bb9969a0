"""Reading order: visual rows, skew, columns, and laws that hold for any set of boxes."""

from __future__ import annotations

import itertools
import math
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.geometry import Box, clamped_box
from pipeline.document import Token
from pipeline.reading.layout import order_tokens, split_line
from tests.builders import lines_of


def row(text: str, x0: float, top: float, line: int, block: int, width: float = 0.2) -> list[Token]:
    return [
        Token(token.text, token.box, 0.5, line, block)
        for token in split_line(text, Box(x0, top, x0 + width, top + 0.02), line)
    ]


def skewed(tokens: list[Token], slope: float) -> list[Token]:
    """Return the tokens of a square page, each moved down by `slope` times its x."""
    return [
        Token(
            token.text,
            clamped_box(
                token.box.x0,
                token.box.top + slope * (token.box.x0 + token.box.x1) / 2,
                token.box.x1,
                token.box.bottom + slope * (token.box.x0 + token.box.x1) / 2,
            ),
            token.confidence,
            token.line,
            token.block,
        )
        for token in tokens
    ]


RECEIPT = [
    *row("KEDAI CONTOH", 0.3, 0.05, 0, 0, 0.4),
    *row("TEH TARIK", 0.05, 0.20, 0, 1),
    *row("ROTI", 0.05, 0.24, 1, 1),
    *row("TOTAL", 0.05, 0.28, 2, 1),
    *row("2.10", 0.8, 0.201, 0, 2, 0.1),
    *row("7.00", 0.8, 0.238, 1, 2, 0.1),
    *row("9.10", 0.8, 0.281, 2, 2, 0.1),
]
RECEIPT_LINES = ["KEDAI CONTOH", "TEH TARIK 2.10", "ROTI 7.00", "TOTAL 9.10"]


def test_amounts_in_another_block_join_the_row_of_their_caption() -> None:
    ordered = order_tokens(RECEIPT, 1.0)
    assert lines_of(ordered) == RECEIPT_LINES
    assert [token.line for token in ordered] == [0, 0, 1, 1, 1, 2, 2, 3, 3]


def test_block_and_confidence_are_kept() -> None:
    ordered = order_tokens(RECEIPT, 1.0)
    assert {token.text: token.block for token in ordered} == {t.text: t.block for t in RECEIPT}
    assert {token.confidence for token in ordered} == {0.5}


@pytest.mark.parametrize("slope", [-0.08, -0.03, 0.03, 0.08])
def test_a_skewed_scan_has_the_same_rows(slope: float) -> None:
    assert lines_of(order_tokens(skewed(RECEIPT, slope), 1.0)) == RECEIPT_LINES


@pytest.mark.parametrize("slope", [-0.04, 0.04])
def test_skew_is_found_from_lines_whose_words_share_one_box(slope: float) -> None:
    """As gold transcriptions have them: every line a level box, only their heights drift."""
    gold: list[Token] = []
    rows = (("TOTAL QTY:", "1", "29.68"), ("CASH :", "0", "30.00"), ("CHANGE :", "2", "0.32"))
    for number, (caption, count, amount) in enumerate(rows):
        top = 0.3 + 0.035 * number
        for x0, text in ((0.05, caption), (0.45, count), (0.85, amount)):
            down = top + slope * x0
            gold += split_line(text, Box(x0, down, x0 + 0.1, down + 0.02), len(gold))
    assert lines_of(order_tokens(gold, 1.0)) == [" ".join(texts) for texts in rows]


PROSE = "the parties hereto agree as follows"


def test_columns_of_running_text_are_not_interleaved() -> None:
    page = [
        *row("A TITLE OVER BOTH COLUMNS", 0.1, 0.02, 0, 0, 0.8),
        *(t for n in range(4) for t in row(f"{PROSE} L{n}", 0.05, 0.1 + 0.03 * n, n, 1, 0.4)),
        *(t for n in range(4) for t in row(f"{PROSE} R{n}", 0.55, 0.1 + 0.03 * n, n, 2, 0.4)),
        *row("ONE FOOTER OVER BOTH COLUMNS TOO", 0.1, 0.9, 0, 3, 0.8),
    ]
    expected = [
        "A TITLE OVER BOTH COLUMNS",
        *(f"{PROSE} L{n}" for n in range(4)),
        *(f"{PROSE} R{n}" for n in range(4)),
        "ONE FOOTER OVER BOTH COLUMNS TOO",
    ]
    assert lines_of(order_tokens(page, 1.3)) == expected


def test_three_columns_are_read_one_after_the_other() -> None:
    page = [
        token
        for column in (2, 0, 1)
        for n in range(3)
        for token in row(f"{PROSE} {column}{n}", 0.02 + 0.33 * column, 0.1 + 0.03 * n, n, column)
    ]
    expected = [f"{PROSE} {column}{n}" for column in range(3) for n in range(3)]
    assert lines_of(order_tokens(page, 1.3)) == expected


def test_more_columns_than_any_page_has_are_read_in_time() -> None:
    columns = 800
    page = [
        Token(word.text, word.box, 1.0, n, column)
        for column in range(columns)
        for n in range(3)
        for word in split_line(
            "some running text here",
            Box(column / columns, 0.1 + 0.03 * n, (column + 0.5) / columns, 0.12 + 0.03 * n),
            n,
        )
    ]
    started = time.process_time()
    assert len(order_tokens(page, 1.3)) == len(page)
    assert time.process_time() - started < 5


def test_a_line_number_shared_by_words_in_many_rows_is_not_trusted() -> None:
    page = [Token(t.text, t.box) for t in RECEIPT]  # all in block 0, line 0
    assert lines_of(order_tokens(page, 1.0)) == RECEIPT_LINES


def test_a_tall_title_takes_one_of_the_small_lines_beside_it() -> None:
    page = [
        Token("TOTAL", Box(0.0, 0.1, 0.4, 0.2), line=0),
        Token("cash", Box(0.6, 0.105, 0.7, 0.135), line=1),
        Token("card", Box(0.6, 0.155, 0.7, 0.185), line=2),
    ]
    lines = lines_of(order_tokens(page, 1.0))
    assert len(lines) == 2
    assert not any("cash" in line and "card" in line for line in lines)


def test_an_empty_page_has_no_tokens() -> None:
    assert order_tokens([], 1.4) == ()


@pytest.mark.parametrize("aspect", [0.0, -1.0, math.inf, math.nan])
def test_a_page_without_a_shape_is_refused(aspect: float) -> None:
    with pytest.raises(ValueError, match="aspect"):
        order_tokens(RECEIPT, aspect)


fractions = st.floats(0, 1, allow_nan=False)
boxes = st.builds(clamped_box, fractions, fractions, fractions, fractions)
tokens_strategy = st.lists(
    st.builds(
        Token,
        text=st.text("abc0", min_size=1, max_size=4),
        box=boxes,
        line=st.integers(0, 5),
        block=st.integers(0, 3),
    ),
    max_size=40,
)


@given(tokens_strategy, st.floats(0.1, 10))
def test_nothing_is_lost_and_lines_count_up_from_zero(tokens: list[Token], aspect: float) -> None:
    ordered = order_tokens(tokens, aspect)

    def content(token: Token) -> tuple[object, ...]:
        return token.text, token.box.as_list(), token.confidence, token.block

    assert sorted(map(content, ordered)) == sorted(map(content, tokens))
    numbers = [token.line for token in ordered]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(len(set(numbers))))


@given(st.integers(0, 2**32))
def test_the_order_of_the_input_does_not_matter(seed: int) -> None:
    shuffled = RECEIPT.copy()
    random.Random(seed).shuffle(shuffled)
    assert order_tokens(shuffled, 1.0) == order_tokens(RECEIPT, 1.0)


@given(st.text(max_size=60), boxes)
def test_split_line_keeps_the_words_inside_the_line(text: str, box: Box) -> None:
    words = split_line(text, box, 7)
    assert [word.text for word in words] == text.split()
    for before, after in itertools.pairwise(words):
        assert before.box.x1 <= after.box.x0
    for word in words:
        assert box.x0 <= word.box.x0 <= word.box.x1 <= box.x1
        assert (word.box.top, word.box.bottom, word.line) == (box.top, box.bottom, 7)


def test_split_line_shares_the_width_by_characters() -> None:
    words = split_line(" RM 9.10 ", Box(0.0, 0.0, 0.7, 0.1), 0)
    assert [(w.text, round(w.box.x0, 3), round(w.box.x1, 3)) for w in words] == [
        ("RM", 0.0, 0.2),
        ("9.10", 0.3, 0.7),
    ]
