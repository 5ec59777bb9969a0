"""Rows: words that make a line, and lines that make a row across the page."""

from __future__ import annotations

import numpy as np
import pytest

from models.geometry import Box
from pipeline.document import Token
from pipeline.reading.layout import order_tokens, source_lines


def lines_of(*words: tuple[float, ...]) -> list[list[int]]:
    """Return the lines of words 10 wide: left edge, middle, and height, 10 where none is given."""
    x0, middle, height = np.array([(*word, 10.0)[:3] for word in words]).T
    order, line = source_lines(x0, x0 + 10.0, middle, height)
    return [order[line == number].tolist() for number in range(line.max() + 1)]


@pytest.mark.parametrize(("lower", "lines"), [(3.9, [[0, 1]]), (4.1, [[0], [1]])])
def test_words_of_a_line_stand_nearly_level(lower: float, lines: list[list[int]]) -> None:
    assert lines_of((0.0, 5.0), (12.0, 5.0 + lower)) == lines


@pytest.mark.parametrize(("gap", "lines"), [(14.9, [[1, 0]]), (15.1, [[1], [0]])])
def test_a_line_ends_where_a_column_may_begin(gap: float, lines: list[list[int]]) -> None:
    assert lines_of((10.0 + gap, 5.0), (0.0, 5.0)) == lines


def test_a_word_joins_the_nearest_of_two_lines() -> None:
    small = 0.0, 6.0, 2.0  # too low for the line of the tall word beside it
    assert lines_of((0.0, 5.0), small, (12.0, 6.5)) == [[0], [1, 2]]


def row_of_each(*tokens: Token) -> list[int]:
    """Return the number of the row that each of the tokens is read in."""
    rows = {token.text: token.line for token in order_tokens(tokens, 1.0)}
    return [rows[token.text] for token in tokens]


@pytest.mark.parametrize(("lower", "rows"), [(0.049, [0, 0]), (0.051, [0, 1])])
def test_lines_of_a_row_overlap_by_half(lower: float, rows: list[int]) -> None:
    caption = Token("Total", Box(0.1, 0.1, 0.15, 0.2), line=0)
    amount = Token("9.00", Box(0.17, 0.1 + lower, 0.19, 0.2 + lower), line=1)
    assert row_of_each(caption, amount) == rows


@pytest.mark.parametrize(("x0", "rows"), [(0.19, [0, 0]), (0.15, [0, 1])])
def test_lines_on_top_of_each_other_are_two_rows(x0: float, rows: list[int]) -> None:
    print_ = Token("print", Box(0.1, 0.1, 0.2, 0.2), line=0)
    stamp = Token("stamp", Box(x0, 0.11, x0 + 0.1, 0.21), line=1)
    assert row_of_each(print_, stamp) == rows
