"""Words that name a value, and columns that figures add up, in the places where people look."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pipeline.answers.confidence.surroundings import adds_up, named_by
from tests.builders import document_of


def _figure(text: str) -> Decimal | None:
    return Decimal(text) if text.replace(".", "").isdigit() else None


def _adds(page: str, word: str) -> float:
    words = list(document_of(page).words())
    [at] = [index for index, (_, token) in enumerate(words) if token.text == word]
    return adds_up(words, at, _figure)


def _named(page: str, word: str) -> frozenset[str]:
    words = list(document_of(page).words())
    [at] = [index for index, (_, token) in enumerate(words) if token.text == word]
    return named_by(words, at)


def test_captions_stand_before_a_value_in_its_line_or_above_it_in_its_column() -> None:
    page = "Estimate: 5714  Contract No. | other              300525"
    assert _named(page, "5714") == {"beside estimate"}
    assert _named(page, "300525") == {"beside other", "over contract"}


def test_the_head_of_a_column_is_over_all_its_figures() -> None:
    page = "Month    Gross | June     21.00 | July      2.50 | Totals   23.50"
    assert _named(page, "23.50") == {"beside totals", "over gross"}


def test_nothing_of_another_page_names_a_value() -> None:
    words = list(document_of("Contract", "300525").words())
    assert named_by(words, 1) == frozenset()


@pytest.mark.parametrize(
    ("word", "expected"),
    [("21.00", -1.0), ("2.50", -1.0), ("23.50", 1.0), ("7", 0.0)],
)
def test_a_sum_and_its_parts_are_told_from_other_figures(word: str, expected: float) -> None:
    page = "Month    Gross | June     21.00 | July      2.50 | Totals   23.50 | Spots 7"
    assert _adds(page, word) == expected


def test_one_figure_above_an_equal_one_is_no_sum() -> None:
    words = list(document_of("Gross | 21.00 | 21.00").words())
    assert [adds_up(words, at, _figure) for at in (1, 2)] == [0.0, 0.0]


def test_equal_parts_are_parts() -> None:
    words = list(document_of("Gross | 5.00 | 5.00 | 10.00").words())
    assert [adds_up(words, at, _figure) for at in (1, 2, 3)] == [-1.0, -1.0, 1.0]


def test_what_stands_between_parts_a_column() -> None:
    assert _adds("Gross | 21.00 | paid | 2.50 | 23.50", "23.50") == 0.0


def test_a_sum_of_the_lower_figures_alone_has_those_as_parts() -> None:
    page = "Gross | 99.00 | 21.00 | 2.50 | 23.50"
    assert _adds(page, "23.50") == 1.0
    assert _adds(page, "99.00") == 0.0
