"""Names: two writings of one are equal, two names are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.values.texts.names import (
    clean_name,
    core_key,
    is_in_full,
    name_key,
    without_possessive,
    word_key,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Nutmeg, Inc.", "NUTMEG INCORPORATED", id="legal_form_in_full"),
        pytest.param("Nutmeg Co., Limited", "Nutmeg Company Ltd.", id="two_forms"),
        pytest.param("Heron & Pike", "Heron and Pike", id="and"),
        pytest.param("W&L Works, L.L.C.", "W and L Works LLC", id="and_without_spaces"),
        pytest.param("/s/ Ann B. Ode", "Ann B. Ode", id="signature"),
        pytest.param("And", "AND", id="only_a_word_that_joins"),
    ],
)
def test_two_writings_of_one_name(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    assert name_key(one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Nutmeg Inc.", "Nutmeg Ltd.", id="other_form"),
        pytest.param("Nutmeg Inc.", "Nutmeg", id="no_form"),
        pytest.param("Limited Brands Inc.", "Ltd Brands Inc.", id="form_within_the_name"),
        pytest.param("Brand", "Br", id="and_within_a_word"),
    ],
)
def test_two_names(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    ("text", "core"),
    [
        pytest.param("Imaginary Shows Pte Ltd.", "IMAGINARYSHOWS", id="two_forms"),
        pytest.param("Imaginary Shows", "IMAGINARYSHOWS", id="none"),
        pytest.param("Inc.", "INC", id="nothing_else"),
    ],
)
def test_core_of_a_name(text: str, core: str) -> None:
    assert core_key(text) == core


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Nutmeg Inc.’s", "Nutmeg Inc.", id="after_a_stop"),
        pytest.param("Pike's", "Pike", id="plain"),
        pytest.param("Pikes'", "Pikes", id="plural"),
        pytest.param("Pike", "Pike", id="none"),
        pytest.param("O'Pike", "O'Pike", id="within"),
    ],
)
def test_genitives(text: str, expected: str) -> None:
    assert without_possessive(text) == expected


@given(st.text(max_size=30))
def test_names_clean_once_and_for_all(text: str) -> None:
    assert name_key(text) == name_key(clean_name(text))
    assert clean_name(clean_name(text)).strip() == clean_name(clean_name(text))


@given(st.lists(st.sampled_from(["ACME", "&", "and", "Inc.", "LIMITED,", "Bolt's", "-"])))
def test_words_of_two_writings_join_to_one_key(words: list[str]) -> None:
    one = "".join(map(word_key, words))
    other = "".join(map(word_key, (word.swapcase() for word in words)))
    assert one == other
    assert one.isalnum() or not one


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Plank Messtechnik e.U.", True),
        ("Transportes del Huizache SA de CV", True),
        ("Nutmeg Ltd.,", True),
        ("Nutmeg EU", False),
        ("Ltd", False),
        ("Nutmeg Works", False),
    ],
)
def test_a_name_in_full_ends_with_its_legal_form(name: str, expected: bool) -> None:
    assert is_in_full(name) is expected
