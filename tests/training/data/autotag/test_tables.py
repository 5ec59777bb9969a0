"""Rows of groups are found together, in their order."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of
from training.data import Row
from training.data.autotag import autotag

FIELDS = (
    FieldSpec("total", Kind.AMOUNT),
    FieldSpec("items.description", Kind.TEXT, many=True),
    FieldSpec("items.quantity", Kind.NUMBER, many=True),
    FieldSpec("items.amount", Kind.AMOUNT, many=True),
)
TEA = {"description": "green tea", "quantity": "2", "amount": "5.00"}
CAKE = {"description": "cake", "quantity": "1", "amount": "5.00"}


def _tagged(page: str, *rows: dict[str, str]) -> dict[str, list[str]]:
    document = document_of(page)
    row = Row("a", Path("a.pdf"), None, {"total": ("10.00",)}, groups={"items": rows})
    words = [token.text for _, token in document.words()]
    found: dict[str, list[str]] = {}
    for span in autotag([row], {"a": document}, FIELDS)["a"].spans:
        found.setdefault(span.field, []).append(
            f"{span.start}:{' '.join(words[span.start : span.end])}"
        )
    return found


def test_each_cell_is_tagged_in_the_line_of_its_row() -> None:
    page = "Invoice 2 of 1 | 1  green tea  2.0   5.00 | 2  cake  1.0   5.00 | Total  10.00"
    assert _tagged(page, TEA, CAKE) == {
        "items.description": ["5:green tea", "10:cake"],
        "items.quantity": ["7:2.0", "11:1.0"],
        "items.amount": ["8:5.00", "12:5.00"],
        "total": ["14:10.00"],
    }


def test_equal_rows_stand_one_below_the_other() -> None:
    page = "green tea  2   5.00 | green tea  2   5.00"
    found = _tagged(page, TEA, TEA)
    assert found["items.description"] == ["0:green tea", "4:green tea"]
    assert found["items.amount"] == ["3:5.00", "7:5.00"]


@pytest.mark.parametrize("rows", [(), ({"amount": "77.00"},), ({},)])
def test_rows_that_are_not_printed_tag_nothing(rows: tuple[dict[str, str], ...]) -> None:
    assert _tagged("Total  10.00", *rows) == {"total": ["1:10.00"]}


def test_text_that_stands_below_its_figures_is_found() -> None:
    found = _tagged("x  2   5.00 | green tea | x  1   5.00 | cake", TEA, CAKE)
    assert found["items.description"] == ["3:green tea", "8:cake"]


def test_figures_may_stand_at_half_the_height_of_their_row() -> None:
    page = "Goods | green tea | 2  5.00 | in leaves | cake | 1  5.00 | whole | Total  10.00"
    assert _tagged(page, TEA, CAKE) == {
        "items.description": ["1:green tea", "7:cake"],
        "items.quantity": ["3:2", "8:1"],
        "items.amount": ["4:5.00", "9:5.00"],
        "total": ["12:10.00"],
    }


def test_cells_that_are_not_found_are_named_with_the_reason() -> None:
    document = document_of("Cake day | 1  green tea  2  5.00 | Total  5.00")
    jam = {"description": "plum jam", "quantity": "7"}
    items = (TEA, {"description": "cake", "amount": "5.00"}, jam)
    labels = {
        f"items.{column}": tuple(row[column] for row in items if column in row)
        for column in ("description", "quantity", "amount")
    }
    row = Row("a", Path("a.pdf"), None, labels, groups={"items": items})
    tagged = autotag([row], {"a": document}, FIELDS)["a"]
    missed = {(miss.field, miss.value): miss.reason for miss in tagged.misses}
    assert set(missed) == {
        ("items.description", "cake"),
        ("items.description", "plum jam"),
        ("items.quantity", "7"),
    }
    assert missed["items.description", "cake"] == (
        "is printed, but in no line that its row could be"
    )
    assert missed["items.description", "plum jam"].startswith("not found; nearest is ")
