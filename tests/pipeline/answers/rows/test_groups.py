"""Rows of repeated groups: what stands in one row of a table, on whatever lines."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.resolve import resolve_all
from pipeline.answers.rows.groups import rows_of
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

COLUMNS = (
    FieldSpec("items.description", Kind.TEXT, many=True),
    FieldSpec("items.quantity", Kind.NUMBER, many=True),
    FieldSpec("items.amount", Kind.AMOUNT, many=True),
)


def _spans(words: list[str]) -> list[Span]:
    """Return spans of words: quantities end in x, amounts have cents, capitals are headings."""
    spans: list[Span] = []
    for index, word in enumerate(words):
        if word.isupper() or word == "-":
            continue
        column = "quantity" if re.fullmatch(r"\d+x", word) else "description"
        column = "amount" if re.fullmatch(r"\d+\.\d\d", word) else column
        spans.append(Span(f"items.{column}", index, index + 1))
    return spans


def _rows(*pages: str) -> list[dict[str, str]]:
    words = list(document_of(*pages).words())
    rows = rows_of(COLUMNS, _spans([token.text for _, token in words]), words)
    return [
        {
            name: " ".join(words[index][1].text for index in mention.words)
            for name, mention in row.items()
        }
        for row in rows
    ]


def test_cells_of_a_line_are_a_row() -> None:
    assert _rows("WHAT HOW | green tea  2x  5.00 | cake  1x  3.10") == [
        {"description": "green tea", "quantity": "2x", "amount": "5.00"},
        {"description": "cake", "quantity": "1x", "amount": "3.10"},
    ]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("green tea  2x  5.00 | from assam | cake  1x  3.10", id="goes_on_below"),
        pytest.param("green tea |       2x  5.00 | | cake |      1x  3.10", id="stands_above"),
        pytest.param("green |      2x  5.00 | tea | | cake |      1x  3.10 | hot", id="around"),
        pytest.param(
            "green tea  2x |       5.00 | cake  1x |      3.10", id="figures_in_two_lines"
        ),
    ],
)
def test_rows_of_several_lines_are_told_apart(page: str) -> None:
    first, second = _rows(page)
    assert first["description"].startswith("green")
    assert (first["quantity"], first["amount"]) == ("2x", "5.00")
    assert second["description"].startswith("cake")
    assert (second["quantity"], second["amount"]) == ("1x", "3.10")
    words = [word for word in page.split() if word.isalpha()]
    assert [*first["description"].split(), *second["description"].split()] == words


def test_rows_without_a_figure_more_are_kept() -> None:
    assert _rows("tea  2x  5.00 | delivery  4.00 | cake  1x") == [
        {"description": "tea", "quantity": "2x", "amount": "5.00"},
        {"description": "delivery", "amount": "4.00"},
        {"description": "cake", "quantity": "1x"},
    ]
    assert _rows("tea | cake") == [{"description": "tea"}, {"description": "cake"}]
    assert _rows("NOTHING") == []


def test_a_second_figure_alone_in_its_line_makes_no_row() -> None:
    """Such as the amount with tax below the one without."""
    assert _rows("tea | 2x | 5.00 | 5.95 | cake | 1x | 3.10 | 3.69") == [
        {"description": "tea", "quantity": "2x", "amount": "5.00"},
        {"description": "cake", "quantity": "1x", "amount": "3.10"},
    ]


def test_the_figure_that_rows_begin_with_begins_a_row() -> None:
    assert _rows("5.00 | tea | 2x | 3.10 | cake | 1x") == [
        {"amount": "5.00", "description": "tea", "quantity": "2x"},
        {"amount": "3.10", "description": "cake", "quantity": "1x"},
    ]


def test_rows_that_are_read_from_below_are_told_apart() -> None:
    """Each line stands above the one read before it, as on a page that lies on its head."""
    document = document_of("cake  3.10 | | green | tea | | 5.00")
    tokens = sorted(document.pages[0].tokens, key=lambda token: (-token.box.top, token.box.x0))
    turned = replace(document.pages[0], tokens=tuple(tokens))
    words = list(replace(document, pages=(turned,)).words())
    texts = [token.text for _, token in words]
    assert texts == ["5.00", "tea", "green", "cake", "3.10"]
    rows = rows_of(COLUMNS, _spans(texts), words)
    assert [len(row) for row in rows] == [2, 2]
    assert [words[row["amount"].words[0]][1].text for row in rows] == ["5.00", "3.10"]


def test_tables_go_on_over_pages() -> None:
    assert [row["amount"] for row in _rows("tea  1.00 | cake  2.00", "WHAT | nuts  3.00")] == [
        "1.00", "2.00", "3.00",
    ]  # fmt: skip


def test_each_cell_is_a_value_with_its_place() -> None:
    document = document_of("tea  2x  5.00 | cake  1x  5.00")
    words = [token.text for _, token in document.words()]
    groups = resolve_all(document, _spans(words), COLUMNS, Calibration()).groups
    first, second = groups["items"]
    assert first["amount"] is not None
    assert second["amount"] is not None
    assert first["quantity"] is not None
    assert first["amount"].value["amount"] == second["amount"].value["amount"] == "5.00"
    assert first["amount"].box[1] < second["amount"].box[1]
    assert first["quantity"].value == "2"
    assert resolve_all(document, [], COLUMNS, Calibration()).groups == {"items": []}
    assert resolve_all(document, [], [FieldSpec("total")], Calibration()).groups == {}
    assert resolve_all(document, [], [FieldSpec("total")], Calibration()).fields == {"total": None}


@pytest.mark.parametrize("page", ["2x | | | | | | {} | {}", "{} | {} | | | | | | 2x"])
def test_a_figure_far_from_all_others_is_of_no_row(page: str) -> None:
    rows = ("tea    5.00 |   3x", "cake    3.10 |   1x")
    assert _rows(page.format(*rows)) == [
        {"description": "tea", "quantity": "3x", "amount": "5.00"},
        {"description": "cake", "quantity": "1x", "amount": "3.10"},
    ]


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param(("2x | | | | | | 3x | | | | | | 1x",), id="all_rows_far_apart"),
        pytest.param(("tea | | | | | | 2x",), id="the_only_one"),
        pytest.param(("2x", "tea  3x | cake 1x"), id="alone_on_its_page"),
    ],
)
def test_figures_far_from_others_may_be_rows(pages: tuple[str, ...]) -> None:
    figures = re.findall(r"\dx", " ".join(pages))
    assert [row["quantity"] for row in _rows(*pages)] == figures
