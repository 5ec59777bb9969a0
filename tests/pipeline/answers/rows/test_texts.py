"""Texts of rows: what stands near the row, and in the column of the text."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.rows.groups import rows_of
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

COLUMNS = {
    "c": FieldSpec("items.code", Kind.IDENTIFIER, many=True),
    "d": FieldSpec("items.description", Kind.TEXT, many=True),
    "u": FieldSpec("items.unit", Kind.TEXT, many=True),
    "q": FieldSpec("items.quantity", Kind.NUMBER, many=True),
    "a": FieldSpec("items.amount", Kind.AMOUNT, many=True),
}


def _rows(*pages: str, tags: str, but: str = "", columns: int = 60) -> list[dict[str, str]]:
    """Return the rows that tagged words make, a letter of `COLUMNS` a word; no column of `but`."""
    words = list(document_of(*pages, columns=columns).words())
    letters = tags.replace(" ", "")
    assert len(letters) == len(words)
    spans = [
        Span(COLUMNS[letter].name, at, at + 1, (0.9,))
        for at, letter in enumerate(letters)
        if letter in COLUMNS
    ]
    specs = [spec for letter, spec in COLUMNS.items() if letter not in but]
    return [
        {
            name: " ".join(words[index][1].text for index in mention.words)
            for name, mention in row.items()
        }
        for row in rows_of(specs, spans, words)
    ]


@pytest.mark.parametrize(
    ("page", "tags", "first"),
    [
        pytest.param("INVOICE | | | tea    5.00 | cake    3.10", "d da da", "tea", id="heading"),
        pytest.param("tea    5.00 | hot | | | thanks", "da d d", "tea hot", id="below_the_table"),
        pytest.param(
            "tea    5.00 | from | assam | | oil    3.10",
            "da d d da",
            "tea from assam",
            id="goes_on",
        ),
        pytest.param("hot | tea |    5.00", "d d a", "hot tea", id="stands_above"),
        pytest.param("SHIP | | | tea | | |   5.00", "d d a", "tea", id="none_near"),
    ],
)
def test_a_text_keeps_the_lines_that_follow_those_beside_its_figures(
    page: str, tags: str, first: str
) -> None:
    assert _rows(page, tags=tags)[0] == {"description": first, "amount": "5.00"}


@pytest.mark.parametrize(
    ("page", "tags", "first"),
    [
        pytest.param(
            "Works | grey paint    5.00 | long white paint    3.10", "d dda ddda", "grey paint",
            id="heading",
        ),
        pytest.param(
            "a long white | painting    5.00 | oil    3.10", "ddd da da", "a long white painting",
            id="no_room_for_the_next_word",
        ),
    ],
)  # fmt: skip
def test_a_line_above_the_figures_with_room_for_more_is_a_heading(
    page: str, tags: str, first: str
) -> None:
    assert _rows(page, tags=tags)[0]["description"] == first


def test_a_text_alone_keeps_its_lines() -> None:
    assert _rows("tea | | | hot", tags="dd") == [{"description": "tea"}, {"description": "hot"}]


def test_lines_of_another_page_stand_apart() -> None:
    assert _rows("tea    5.00", "hot", tags="dad") == [{"description": "tea", "amount": "5.00"}]


TABLE = "salt         sack   1.00 | rice         sack   2.00 | milk         can   3.00"


def test_words_of_another_column_are_given_back() -> None:
    *_, last = _rows(f"{TABLE} | flour 5 kg   sack   4.00", tags="dua dua dua dduua")
    assert last == {"description": "flour 5 kg", "unit": "sack", "amount": "4.00"}


def test_where_few_rows_show_a_column_its_words_stay() -> None:
    [*_, last] = _rows("salt         sack   1.00 | flour 5 kg   sack   4.00", tags="dua dduua")
    assert last == {"description": "flour 5", "unit": "kg sack", "amount": "4.00"}


def test_words_that_stand_next_to_no_other_text_stay() -> None:
    [*_, last] = _rows(f"{TABLE} | oil      5l  can   4.00", tags="dua dua dua duua")
    assert last == {"description": "oil", "unit": "5l can", "amount": "4.00"}


@pytest.mark.parametrize(
    ("line", "tags", "row"),
    [
        ("AB-12   blue tea   5.00", "ddda", {"code": "AB-12", "description": "blue tea"}),
        ("AB-12 blue tea   5.00", "ddda", {"description": "AB-12 blue tea"}),
        ("Extra   blue tea   5.00", "ddda", {"description": "Extra blue tea"}),
        ("2026   blue tea   5.00", "ddda", {"description": "2026 blue tea"}),
        ("Q7 AB-12   tea   5.00", "cdda", {"code": "Q7", "description": "AB-12 tea"}),
        ("AB-12   5.00", "da", {"description": "AB-12"}),
    ],
)
def test_an_identifier_apart_before_a_text_is_the_rows(
    line: str, tags: str, row: dict[str, str]
) -> None:
    assert _rows(line, tags=tags) == [{**row, "amount": "5.00"}]


def test_without_a_column_for_it_an_identifier_stays_in_the_text() -> None:
    [row] = _rows("AB-12   tea   5.00", tags="dda", but="c")
    assert row["description"] == "AB-12 tea"


def test_a_text_of_very_many_lines_is_walked_once() -> None:
    """A page made to do harm: each line compared with all others would take hours."""
    lines = ["tea    5.00", *["hot"] * 20_000]
    document = document_of(" | ".join(lines), rows=len(lines))
    words = list(document.words())
    spans = [Span("items.description", at, at + 1) for at in range(len(words)) if at != 1]
    [row] = rows_of(list(COLUMNS.values()), [*spans, Span("items.amount", 1, 2)], words)
    assert len(row["description"].words) == len(lines)


@pytest.mark.parametrize(
    ("page", "tags", "expected"),
    [
        pytest.param("tea from assam    5.00", "d..a", "tea from assam", id="its_end"),
        pytest.param("tea    hot    5.00", "d.a", "tea", id="another_column"),
        pytest.param("tea each 5.00", "d.a", "tea", id="a_cell"),
        pytest.param("tea 27540802    5.00", "d.a", "tea", id="a_code"),
        pytest.param("tea 4.00     5.00", "d.a", "tea", id="a_price"),
        pytest.param("tea of | assam, hot    5.00", "d. d.a", "tea of assam, hot", id="lines"),
    ],
)
def test_a_line_of_a_text_goes_on_to_its_end(page: str, tags: str, expected: str) -> None:
    assert _rows(page, tags=tags)[0]["description"] == expected


@pytest.mark.parametrize("end", ["27540802", "at 4.00", "USD 2.140,00 rate 1,1012"])
def test_a_figure_no_more_than_a_space_behind_a_text_is_of_it(end: str) -> None:
    tags = "d" + "." * len(end.split()) + "a"
    [row] = _rows(f"tea {end}       5.00", tags=tags, columns=90)
    assert row["description"] == f"tea {end}"


@pytest.mark.parametrize(
    ("line", "tags", "unit"),
    [
        ("24 Fl.    wine    0,75 l    5.00", "qud.ua", "Fl."),
        ("5 bos    rose    100 st    5.00", ".udqua", "st"),
        ("big    24    wine    5.00 | bottle", "uqdau", "big bottle"),
        ("wine    big    l    5.00", "duua", "big l"),
    ],
)
def test_a_unit_of_several_places_stands_next_to_the_number(
    line: str, tags: str, unit: str
) -> None:
    [row] = _rows(line, tags=tags)
    assert row["unit"] == unit
