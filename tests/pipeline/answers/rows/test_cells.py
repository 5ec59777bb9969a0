"""Figures of a table where the tagger was wrong: joined, missed, made up."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.rows.cells import figure_runs, strays, words_by_line
from pipeline.answers.rows.groups import rows_of
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

COLUMNS = (
    FieldSpec("items.description", Kind.TEXT, many=True),
    FieldSpec("items.price", Kind.AMOUNT, many=True),
    FieldSpec("items.amount", Kind.AMOUNT, many=True),
)
PAGE = "tea         4.00       8.00 | cake        3.10       3.10 | nuts        5.00      15.00"


def _rows(
    tagged: list[tuple[str, str | None]], page: str = PAGE, columns: int = 60
) -> list[dict[str, str]]:
    """Return rows of a page whose words have these columns; None for a word that has none."""
    words = list(document_of(page, columns=columns).words())
    assert [token.text for _, token in words] == [word for word, _ in tagged]
    spans = [
        Span(f"items.{column}", index, index + 1, (0.9,))
        for index, (_, column) in enumerate(tagged)
        if column
    ]
    return [
        {name: " ".join(words[i][1].text for i in cell.words) for name, cell in row.items()}
        for row in rows_of(COLUMNS, spans, words)
    ]


def _table(**wrong: str | None) -> list[tuple[str, str | None]]:
    right = [
        *(("tea", "description"), ("4.00", "price"), ("8.00", "amount")),
        *(("cake", "description"), ("3.10", "price"), ("3.10", "amount")),
        *(("nuts", "description"), ("5.00", "price"), ("15.00", "amount")),
    ]
    return [(word, wrong.get(f"word_{i}", column)) for i, (word, column) in enumerate(right)]


ALL = [
    {"description": "tea", "price": "4.00", "amount": "8.00"},
    {"description": "cake", "price": "3.10", "amount": "3.10"},
    {"description": "nuts", "price": "5.00", "amount": "15.00"},
]


def test_two_figures_in_one_cell_are_parted_by_where_the_columns_stand() -> None:
    assert _rows(_table(word_4="amount")) == ALL


def test_a_figure_that_was_missed_is_taken_from_below_the_others() -> None:
    assert _rows(_table(word_7=None)) == ALL
    assert _rows(_table(word_5=None)) == ALL


def test_a_figure_goes_on_where_another_ends_with_three_digits_alone() -> None:
    page = "2 16.50  tea  1 234.50  EUR 12 .50 3 5  tea  1.2 148,00  1 234 567,00"
    words = list(document_of(page).words())
    line = {(1, words[0][1].line)}
    runs = figure_runs(line, words_by_line(words), words)
    assert [" ".join(words[index][1].text for index in run) for run in runs] == [
        *("2", "16.50", "1 234.50", "12 .50", "3", "5", "1.2", "148,00", "1 234 567,00")
    ]


def test_a_figure_beside_the_columns_is_nobodys() -> None:
    page = PAGE.replace("3.10       3.10", "3.10  7    ")
    tagged = [(word if i != 5 else "7", column) for i, (word, column) in enumerate(_table())]
    tagged[5] = ("7", None)
    assert _rows(tagged, page)[1] == {"description": "cake", "price": "3.10"}


def test_what_holds_no_digit_is_no_figure() -> None:
    page = PAGE.replace("15.00", "EUR")
    tagged = [*_table()[:8], ("EUR", "amount")]
    assert _rows(tagged, page) == [*ALL[:2], {"description": "nuts", "price": "5.00"}]


@pytest.mark.parametrize(
    ("row", "stray"),
    [
        (["amount"], True),
        (["description"], True),
        (["price", "amount"], False),
        (["description", "amount"], False),
        ([], True),
    ],
)
def test_lone_cells_beside_whole_rows_are_no_rows(row: list[str], stray: bool) -> None:
    whole = ["description", "price", "amount"]
    assert (1 in strays([whole, row, whole], COLUMNS)) == stray


def test_fewer_figures_than_the_others_need_words() -> None:
    columns = (*COLUMNS, FieldSpec("items.quantity", Kind.NUMBER, many=True))
    whole = ["description", "quantity", "price", "amount"]
    assert strays([whole, ["price", "amount"], whole, ["description", "amount"]], columns) == {1}


def test_without_whole_rows_every_cell_stays() -> None:
    assert strays([["amount"], ["price"]], COLUMNS) == set()
    assert strays([["description"], ["description"]], COLUMNS) == set()
