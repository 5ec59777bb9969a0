"""Texts of rows that go on in lines which nothing tagged."""

from __future__ import annotations

import sys

import pytest

from models.labels import Span
from pipeline.answers.rows.groups import rows_of
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

COLUMNS = {
    "c": FieldSpec("items.code", Kind.IDENTIFIER, many=True),
    "d": FieldSpec("items.description", Kind.TEXT, many=True),
    "q": FieldSpec("items.quantity", Kind.NUMBER, many=True),
    "a": FieldSpec("items.amount", Kind.AMOUNT, many=True),
}


def _texts(*pages: str, tags: str) -> list[str]:
    """Return the descriptions of the rows that tagged words make, a letter of `COLUMNS` a word."""
    words = list(document_of(*pages).words())
    letters = tags.replace(" ", "")
    assert len(letters) == len(words)
    spans = [
        Span(COLUMNS[letter].name, at, at + 1, (0.9,))
        for at, letter in enumerate(letters)
        if letter in COLUMNS
    ]
    rows = rows_of(list(COLUMNS.values()), spans, words)
    return [
        " ".join(words[index][1].text for index in row["description"].words)
        for row in rows
        if "description" in row
    ]


@pytest.mark.parametrize(
    ("page", "tags", "texts"),
    [
        pytest.param(
            "tea              2      5.00 | from assam | | oil              1      3.10 | virgin",
            "dqa -- dqa -",
            ["tea from assam", "oil virgin"],
            id="nearer_to_the_row_above_and_below_the_last",
        ),
        pytest.param(
            "tea              2      5.00 | Batch: 77 | | oil              1      3.10",
            "dqa -- dqa",
            ["tea", "oil"],
            id="caption_of_its_own",
        ),
        pytest.param(
            "tea              2      5.00 | COLD | oil              1      3.10",
            "dqa - dqa",
            ["tea", "oil"],
            id="gaps_that_are_alike",
        ),
        pytest.param(
            "tea              2      5.00 | | | COLD | oil              1      3.10",
            "dqa - dqa",
            ["tea", "oil"],
            id="heading_of_the_row_below",
        ),
        pytest.param(
            "tea              2      5.00 | | sum                     8.10 | "
            "| oil              1      3.10",
            "dqa -- dqa",
            ["tea", "oil"],
            id="line_with_a_price",
        ),
        pytest.param(
            "tea              2      5.00 | | oil              1      3.10 | | | "
            "all prices are without tax",
            "dqa dqa -----",
            ["tea", "oil"],
            id="far_below_the_last",
        ),
        pytest.param(
            "tea              2      5.00 | from assam | | oil              1      3.10 | "
            "sold goods are not taken back",
            "dqa -- dqa ------",
            ["tea from assam", "oil"],
            id="wider_than_the_column",
        ),
    ],
)
def test_a_text_goes_on_where_lines_are_nearer_to_its_row(
    page: str, tags: str, texts: list[str]
) -> None:
    assert _texts(page, tags=tags) == texts


def test_a_text_takes_no_words_of_another_row() -> None:
    texts = _texts("tea              2      5.00 | A-7 green | |", tags="dqa cd")
    assert texts == ["tea", "green"]


def test_rows_that_go_on_take_steps_in_proportion_to_their_number() -> None:
    lines = "tea              2      5.00 | from assam | | "

    def steps(pages: int) -> int:
        count = 0

        def step(*_: object) -> object:
            nonlocal count
            count += 1
            return step

        before = sys.gettrace()
        sys.settrace(step)
        try:
            texts = _texts(*[(lines * 10)[:-3]] * pages, tags=("dqa--" * 10) * pages)
        finally:
            sys.settrace(before)
        assert texts == ["tea from assam"] * 10 * pages
        return count

    steps(1)  # what is kept after a first use
    assert steps(20) < 4.1 * steps(5)
