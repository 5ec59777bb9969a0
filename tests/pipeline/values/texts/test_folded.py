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
