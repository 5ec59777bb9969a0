"""Durations: words, digits and both, and when two are equal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.values.times.durations import find_durations
from pipeline.values.times.words import DAY_WORDS


@pytest.mark.parametrize(
    ("text", "written", "iso"),
    [
        pytest.param("three (3) years", "three (3) years", "P3Y", id="words_and_digits"),
        pytest.param("for 2 years.", "2 years", "P2Y", id="digits"),
        pytest.param("18 (eighteen) months", "18 (eighteen) months", "P18M", id="digits_and_words"),
        pytest.param("twenty-four months", "twenty-four months", "P24M", id="words"),
        pytest.param("twenty four (24) months", "twenty four (24) months", "P24M", id="two_words"),
        pytest.param("55.5 months", "55.5 months", "P55.5M", id="decimals"),
        pytest.param("a five-year term", "five-year", "P5Y", id="hyphen"),
        pytest.param(
            "ten (10) business days", "ten (10) business days", "P10D", id="business_days"
        ),
        pytest.param("six weeks", "six weeks", "P6W", id="weeks"),
        pytest.param("a period of one year", "one year", "P1Y", id="one"),
        pytest.param("the third anniversary of", "third anniversary", "P3Y", id="anniversary"),
        pytest.param(
            "second (2nd) anniversary", "second (2nd) anniversary", "P2Y", id="anniversary_twice"
        ),
        pytest.param("its 10th anniversary", "10th anniversary", "P10Y", id="anniversary_digits"),
        pytest.param("a year", "a year", "P1Y", id="article"),
        pytest.param("thre (5) years", "(5) years", "P5Y", id="the_digits_count"),
    ],
)
def test_forms(text: str, written: str, iso: str) -> None:
    (reading,) = find_durations(text)
    assert (text[reading.start : reading.end], reading.iso) == (written, iso)


@pytest.mark.parametrize("word", [word for word in DAY_WORDS if " " not in word])
def test_every_word_for_an_anniversary_in_letters_of_either_case(word: str) -> None:
    capitals = word.translate(str.maketrans("iß", "İẞ")).upper()
    for text in (word, capitals):
        (found,) = find_durations(f"{text} anniversary")
        assert (int(found.value), found.unit) == (DAY_WORDS[word], "year")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("years", id="no_number"),
        pytest.param("0 years", id="none_at_all"),
        pytest.param("5 yearlings", id="unit_inside_a_word"),
        pytest.param("someone years", id="number_inside_a_word"),
        pytest.param("2018", id="a_year"),
        pytest.param("the anniversary", id="anniversary_without_a_number"),
        pytest.param("the 0th anniversary", id="anniversary_of_nothing"),
        pytest.param("", id="empty"),
    ],
)
def test_no_duration(text: str) -> None:
    assert find_durations(text) == []


@given(st.integers(1, 800))
def test_equal_lengths_have_equal_keys(number: int) -> None:
    def key(text: str) -> str:
        (reading,) = find_durations(text)
        return reading.key

    assert key(f"{number} years") == key(f"{12 * number} months")
    assert key(f"{number} weeks") == key(f"{7 * number} days")
    assert key(f"{number} months") != key(f"{30 * number} days")


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece", ["one ", "1 ", "1 (", "twenty-", "three (3) ", "years", "1.1", "half a ", "1/2 ", "1-"]
)
def test_adversarial_text_returns(piece: str) -> None:
    assert find_durations((piece * 60_000)[:60_000]) == []


def test_words_and_digits_that_quarrel_are_two_readings() -> None:
    assert [reading.iso for reading in find_durations("three (5) years")] == ["P5Y", "P3Y"]
    assert [reading.iso for reading in find_durations("30 (sixty) days")] == ["P30D", "P60D"]
    assert [reading.iso for reading in find_durations("thirty (30) days")] == ["P30D"]
