"""The form of characters in which texts are read, and the way back to the print."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.values.texts.folded import fold


@pytest.mark.parametrize(
    ("text", "numeric"),
    [
        pytest.param("１２３．４５", "123.45", id="full_width"),
        pytest.param("١٢٣٫٤٥", "123.45", id="arabic"),
        pytest.param("ﬁrst №\u00a05", "first No 5", id="ligatures_and_spaces"),
        pytest.param("1½", "1 1/2", id="a_fraction_is_set_apart"),
        pytest.param("12⁵⁰", "12.50", id="raised_cents"),
        pytest.param("12.50¹", "12.50¹", id="a_footnote_is_no_digit"),
        pytest.param("5² ①", "5² ①", id="powers_and_circles_are_kept"),
        pytest.param("1’234", "1'234", id="one_apostrophe"),
        pytest.param("№123", "No 123", id="a_number_behind_its_word"),
        pytest.param("R E W E", "REWE", id="letters_set_apart"),
        pytest.param("1 5 . 0 3 . 2 4", "15.03.24", id="boxes_of_a_form"),
        pytest.param("A B C D  E", "ABCD E", id="wide_gaps_part_words"),
        pytest.param("1 2 1 1", "1 2 1 1", id="few_digits_are_a_list"),
    ],
)
def test_characters(text: str, numeric: str) -> None:
    assert fold(text).numeric == numeric


def test_places_lead_back_to_the_print() -> None:
    source = fold("Ⅲ：１½ ﬁ")
    assert source.text == "III:1 1⁄2 fi"
    assert source.cut(0, 3) == "Ⅲ"
    assert source.cut(4, 9) == "１½"
    assert source.cut(10, 12) == "ﬁ"


@given(st.text(max_size=80))
def test_every_character_has_its_origin(text: str) -> None:
    source = fold(text)
    assert len(source.numeric) == len(source.text)
    assert source.cut(0, len(source.text)) in (source.printed, "")
    for index in range(len(source.text)):
        start, end = source.span(index, index + 1)
        assert 0 <= start < end <= len(source.printed)
