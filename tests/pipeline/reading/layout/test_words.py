"""Words that are several things are cut at the door, and lead back to what is printed."""

from __future__ import annotations

import itertools

import pytest

from models.geometry import Box
from pipeline.document import Token
from pipeline.reading.layout import WordTable, glued
from pipeline.reading.layout.words import cut_glued


def cut(tokens: list[Token]) -> tuple[Token, ...]:
    return cut_glued(WordTable.of(tokens)).tokens([token.confidence for token in tokens])


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param("02/17/20-02/23/20", ["02/17/20", "-", "02/23/20"], id="range"),
        pytest.param("(1/2/2020–1/3/2020)", ["(1/2/2020", "–", "1/3/2020)"], id="in_brackets"),
        pytest.param("12.01.20-13.01.20,", ["12.01.20", "-", "13.01.20,"], id="with_stops"),
        pytest.param("17-Feb-20-23-Feb-20", ["17-Feb-20", "-", "23-Feb-20"], id="with_months"),
        pytest.param("1Dec2020–4Jan2021", ["1Dec2020", "–", "4Jan2021"], id="months_without_space"),
        pytest.param("02-17-2020-02-23-2020", ["02-17-2020", "-", "02-23-2020"], id="with_dashes"),
        pytest.param("BHD(728384-M)", ["BHD", "(728384-M)"], id="name_and_number"),
        pytest.param("Senate-D(136462)", ["Senate-D", "(136462)"], id="party_and_number"),
        pytest.param("S(20257", ["S", "(20257"], id="cut_name_and_number"),
        pytest.param("4-A(1)", ["4-A(1)"], id="section"),
        pytest.param("F(x12)", ["F(x12)"], id="formula"),
        pytest.param("DATE:16/03/2018", ["DATE:", "16/03/2018"], id="caption_and_value"),
        pytest.param(
            "Flight:1/2/20-1/3/20", ["Flight:", "1/2/20", "-", "1/3/20"], id="caption_and_range"
        ),
        pytest.param("Total........12.00", ["Total", "........", "12.00"], id="leader"),
        pytest.param("No.:____1/2/20", ["No.:", "____", "1/2/20"], id="leader_and_stops"),
        pytest.param(
            "ab:1....cd:2", ["ab:", "1", "....", "cd:", "2"], id="two_captions_and_a_leader"
        ),
        pytest.param("Date:________", ["Date:________"], id="leader_to_nothing"),
        pytest.param("VAT……7%", ["VAT", "……", "7%"], id="leader_of_ellipses"),
        pytest.param("at...", ["at..."], id="ellipsis"),
        pytest.param("________", ["________"], id="leader_alone"),
        pytest.param("12:30", ["12:30"], id="time_of_day"),
        pytest.param("A:1", ["A:1"], id="one_letter"),
        pytest.param("02/17/20", ["02/17/20"], id="one_date"),
        pytest.param("02/17/20-", ["02/17/20-"], id="dash_at_the_end"),
        pytest.param("2020-02-17", ["2020-02-17"], id="dashes_within_a_date"),
        pytest.param("555-0199-12/1", ["555-0199-12/1"], id="number"),
        pytest.param("01-45-67-89-10-12", ["01-45-67-89-10-12"], id="groups_beyond_days"),
        pytest.param("A-B", ["A-B"], id="letters"),
    ],
)
def test_words_are_cut_into_things(text: str, parts: list[str]) -> None:
    whole = Token(text, Box(0.1, 0.2, 0.5, 0.25), 0.9, 3, 2)
    tokens = cut([whole])
    assert [token.text for token in tokens] == parts
    assert all(glued(one, other) for one, other in itertools.pairwise(tokens))
    assert (tokens[0].box.x0, tokens[-1].box.x1) == (whole.box.x0, whole.box.x1)
    assert {(t.confidence, t.line, t.block) for t in tokens} == {(0.9, 3, 2)}


def test_a_word_of_thousands_of_leaders_is_cut() -> None:
    assert len(cut([Token("a...." * 2_000 + "b", Box(0.1, 0.2, 0.5, 0.25))])) == 4_001


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Feb 13, 2020-Feb 16, 2020", ["Feb", "13,", "2020", "-", "Feb", "16,", "2020"]),
        ("13 Feb. 2020–16 Feb. 2020", ["13", "Feb.", "2020", "–", "16", "Feb.", "2020"]),
        ("Season 2020-Spring 7", ["Season", "2020-Spring", "7"]),
        ("No 2020-16 of 9", ["No", "2020-16", "of", "9"]),
        ("2020-16", ["2020-16"]),
    ],
)
def test_a_year_is_parted_from_the_date_behind_it(text: str, parts: list[str]) -> None:
    words = [
        Token(word, Box(0.1 * place, 0.2, 0.1 * place + 0.09, 0.25))
        for place, word in enumerate(text.split())
    ]
    assert [token.text for token in cut(words)] == parts


def test_words_apart_are_not_glued() -> None:
    one = Token("02/17/20", Box(0.1, 0.2, 0.2, 0.25))
    dash = Token("-", Box(0.21, 0.2, 0.22, 0.25))
    assert not glued(one, dash)
