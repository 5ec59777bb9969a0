"""The marks between letters and digits: told apart, and written as labels write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.values.schema import Kind
from pipeline.values.texts.strings import fold_space, lenient
from pipeline.values.texts.surface import gaps, restyle, styled_value

printed = st.text("aB1é ,.-\n\t()", max_size=25)
gap_texts = st.text(" ,.-\n", max_size=3)
styles = st.dictionaries(
    gap_texts | gap_texts.map(lambda gap: gap + "$"), st.text(" ,.-", max_size=3)
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("NO 5, X.", ["", " ", ", ", "."], id="usual"),
        pytest.param("A\nB", ["", "\n", ""], id="line_end"),
        pytest.param("A ,\n  B", ["", " ,\n", ""], id="spaces_at_a_line_end_are_it"),
        pytest.param("A \t B", ["", " ", ""], id="white_space_is_one_space"),
        pytest.param("(A)", ["(", ")"], id="brackets"),
        pytest.param("A_B", ["", "_", ""], id="underscore_is_a_mark"),
        pytest.param("--", ["--"], id="marks_only"),
        pytest.param("", [""], id="empty"),
    ],
)
def test_gaps(text: str, expected: list[str]) -> None:
    assert gaps(text) == expected


@pytest.mark.parametrize(
    ("text", "style", "expected"),
    [
        pytest.param("NO 5,\nX", {",\n": ","}, "NO 5,X", id="line_end_to_nothing"),
        pytest.param("NO 5,\nX", {}, "NO 5, X", id="line_end_without_a_rule"),
        pytest.param("A , B", {" , ": ", "}, "A, B", id="space_before_comma"),
        pytest.param("A. B.", {".$": ""}, "A. B", id="stop_at_the_end_only"),
        pytest.param("A. B.", {". ": " "}, "A B.", id="stop_inside_only"),
        pytest.param("A B", {"$": "."}, "A B.", id="stop_added"),
        pytest.param("- A", {}, "- A", id="front_stays"),
        pytest.param("--", {"--": "x"}, "--", id="marks_only"),
        pytest.param("", {}, "", id="empty"),
    ],
)
def test_restyled(text: str, style: dict[str, str], expected: str) -> None:
    assert restyle(text, style) == expected


def test_a_caption_in_its_line_is_no_part_of_a_name_as_labels_write_it() -> None:
    style = {",$": ""}
    assert styled_value("x", "Customer\nOak\nWorks Ltd,", Kind.NAME, style) == "Oak Works Ltd"


@given(printed)
def test_without_rules_only_white_space_changes(text: str) -> None:
    if any(map(str.isalnum, text)):
        assert restyle(text, {}) == fold_space(text)


@given(printed, styles)
def test_letters_and_digits_always_stay(text: str, style: dict[str, str]) -> None:
    written = restyle(text, style)
    assert lenient(written) == lenient(text)
    assert "\n" not in written
