"""Texts of rows that begin and end where those of the other rows do."""

from __future__ import annotations

from models.labels import Span
from pipeline.answers.rows.groups import rows_of
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

COLUMNS = {
    "c": FieldSpec("items.code", Kind.IDENTIFIER, many=True),
    "d": FieldSpec("items.description", Kind.TEXT, many=True),
    "u": FieldSpec("items.unit", Kind.TEXT, many=True),
    "a": FieldSpec("items.amount", Kind.AMOUNT, many=True),
}


def _rows(page: str, tags: str) -> list[dict[str, str]]:
    """Return the rows that tagged words make, a letter of `COLUMNS` a word."""
    words = list(document_of(page).words())
    letters = tags.replace(" ", "")
    assert len(letters) == len(words)
    spans = [
        Span(COLUMNS[letter].name, at, at + 1, (0.9,))
        for at, letter in enumerate(letters)
        if letter in COLUMNS
    ]
    return [
        {
            name: " ".join(words[index][1].text for index in mention.words)
            for name, mention in row.items()
        }
        for row in rows_of(list(COLUMNS.values()), spans, words)
    ]


def test_a_code_before_the_edge_of_texts_is_no_part_of_one() -> None:
    rows = _rows(
        "A-7  black tea     5.00 | | A-8  green tea     6.00 | | A-9  mint tea      4.00 | | "
        "A-77 white tea     9.00",
        "cdda cdda cdda ddda",
    )
    assert rows[3] == {"code": "A-77", "description": "white tea", "amount": "9.00"}


def test_a_text_that_begins_a_word_late_begins_at_the_edge() -> None:
    rows = _rows(
        "black tea     5.00 | | green tea     6.00 | | mint tea      4.00 | | white tea     9.00",
        "dda dda dda -da",
    )
    assert rows[3] == {"description": "white tea", "amount": "9.00"}


def test_a_line_of_a_text_that_begins_a_word_late_begins_at_the_edge() -> None:
    rows = _rows(
        "black tea     5.00 | | green tea     6.00 | 20 bags each | | mint tea      4.00",
        "dda dda -dd dda",
    )
    assert rows[1] == {"description": "green tea 20 bags each", "amount": "6.00"}


def test_texts_of_no_common_edge_begin_where_they_are_tagged() -> None:
    rows = _rows(
        "black tea     5.00 | |   no green tea     6.00 | |     mint tea      4.00",
        "dda -dda dda",
    )
    assert rows[1] == {"description": "green tea", "amount": "6.00"}


def test_a_unit_at_the_end_of_a_text_is_the_rows_unit() -> None:
    rows = _rows(
        "black tea   kg   5.00 | | green tea   kg   6.00 | | mint tea    kg   4.00 | | "
        "white teas  kg   9.00",
        "ddua ddua ddua ddda",
    )
    assert rows[3] == {"description": "white teas", "unit": "kg", "amount": "9.00"}


def test_of_two_columns_side_by_side_a_text_holds_the_longer_one() -> None:
    rows = _rows(
        "black tea leaves    box    5.00 | | green tea leaves    tin    6.00 | | "
        "mint tea leaves     box    4.00",
        "dddda ddd-a dddda",
    )
    assert [row["description"] for row in rows] == [
        "black tea leaves", "green tea leaves", "mint tea leaves",
    ]  # fmt: skip
    rows = _rows(
        "food   black tea   5.00 | | food   green tea   6.00 | | soap   lavender    4.00",
        "ddda ddda dda",
    )
    assert [row["description"] for row in rows] == ["black tea", "green tea", "lavender"]


def test_a_wide_space_in_one_text_alone_parts_no_columns() -> None:
    rows = _rows(
        "black   tea     5.00 | | green tea     6.00 | | mint tea      4.00", "dda dda dda"
    )
    assert rows[0]["description"] == "black tea"
