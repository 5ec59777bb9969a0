"""Columns of a table are where most of its rows have their products."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.answers.rows.cells import words_by_line
from pipeline.answers.rows.votes import voted
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

COLUMNS = (
    FieldSpec("items.quantity", Kind.NUMBER),
    FieldSpec("items.price", Kind.AMOUNT),
    FieldSpec("items.amount", Kind.AMOUNT),
)


def _voted(*lines: str, tagged: int = 1) -> list[str]:
    """Return what stands in each column of the first line; a word of each is tagged as quantity."""
    evidence = Evidence.of(document_of(" | ".join(lines)), [])
    width = len(lines[0].split())
    starts = range(0, width * len(lines), width)
    rows = [
        {"quantity": Mention((Span("items.quantity", at + tagged, at + tagged + 1),))}
        for at in starts
    ]
    stand = voted(rows, COLUMNS, words_by_line(evidence.words), evidence)
    return [
        token.text
        for column in stand
        for _, token in evidence.words[:width]
        if column[0][0] <= token.box.x0 and token.box.x1 <= column[0][1]
    ]


GOOD = ("4  38.0  88.41  353.64", "3  38.0  38.04  114.12", "2  45.0   2.67    5.34")


@pytest.mark.parametrize("tagged", [0, 1])
def test_columns_of_products(tagged: int) -> None:
    assert sorted(_voted(*GOOD, tagged=tagged)) == ["353.64", "4", "88.41"]


def test_figures_stand_as_most_were_tagged() -> None:
    assert _voted(*GOOD, tagged=0) == ["4", "88.41", "353.64"]
    assert _voted(*GOOD, tagged=2) == ["88.41", "4", "353.64"]


def test_few_rows_tell_nothing() -> None:
    assert _voted(*GOOD[:2]) == []


def test_a_minority_of_the_rows_tells_nothing() -> None:
    others = ("1  19.0  10.00   12.00", "5  19.0  20.00   90.00", "6  19.0  30.00  170.00")
    assert _voted(*GOOD, *others) == []


def test_figures_that_are_all_alike_tell_nothing() -> None:
    assert _voted(*("1  1  1  1  1  1" for _ in range(4))) == []
