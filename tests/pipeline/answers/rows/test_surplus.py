"""Rows that are none: sums among the rows, and rows that sums hold without."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.arithmetic.checks import parse_checks
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.resolve import resolve_all
from pipeline.answers.rows.surplus import surplus
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

ITEMS = (
    FieldSpec("items.description", Kind.TEXT, many=True),
    FieldSpec("items.quantity", Kind.NUMBER, many=True),
    FieldSpec("items.price", Kind.AMOUNT, many=True),
    FieldSpec("items.amount", Kind.AMOUNT, many=True),
    FieldSpec("net", Kind.AMOUNT),
)
PRODUCT, TOTAL = "items.quantity * items.price = items.amount", "sum(items.amount) = net"


def _items(lines: str, tags: str, *rules: str) -> tuple[list[str], set[int]]:
    """Return the descriptions of the rows that are left, and what would be surplus of them."""
    names = {"d": "items.description", "q": "items.quantity", "p": "items.price"}
    names |= {"a": "items.amount", "n": "net"}
    spans = [
        Span(names[tag], at, at + 1, (0.99,))
        for at, tag in enumerate(tags.replace(" ", ""))
        if tag != "."
    ]
    checks = tuple(
        check
        for number, rule in enumerate(rules)
        for check in parse_checks(
            f'[[check]]\nname = "check {number}"\nrules = ["{rule}"]\n', ITEMS
        )
    )
    found = resolve_all(document_of(lines), spans, ITEMS, Calibration(), checks)
    texts = [cell.text for row in found.groups["items"] if (cell := row["description"])]
    return texts, surplus("items", checks, found.fields, found.groups)


ROWS = "tea    2    5.00    10.00 | cake    1    3.00    3.00 | paid    7    1.00    99.00"


def test_rows_without_which_the_sum_holds_are_left_out() -> None:
    assert _items(f"{ROWS} | NET 13.00", "dqpa dqpa dqpa .n", PRODUCT, TOTAL) == (
        ["tea", "cake"],
        set(),
    )


def test_free_positions_below_one_another_are_rows() -> None:
    free = "a    0.00 | b    0.00 | c    0.00 | d    100.00 | NET 100.00"
    assert _items(free, "da da da da .n", TOTAL) == (["a", "b", "c", "d"], set())


@pytest.mark.parametrize(
    ("net", "rules"),
    [
        ("112.00", (PRODUCT, TOTAL)),  # the sum holds with them
        ("14.00", (PRODUCT, TOTAL)),  # it does not hold without them either
        ("13.00", (TOTAL,)),  # no product tells which rows they are
        ("13.00", (PRODUCT,)),  # that a row breaks its product is no sum
    ],
)
def test_rows_stay_where_no_sum_speaks_against_them(net: str, rules: tuple[str, ...]) -> None:
    texts, _ = _items(f"{ROWS} | NET {net}", "dqpa dqpa dqpa .n", *rules)
    assert texts == ["tea", "cake", "paid"]


@pytest.mark.parametrize(
    ("lines", "tags", "left"),
    [
        pytest.param(
            "tea 10.00 | cake 3.00 | carried 13.00 | milk 4.00 | NET 17.00",
            "da da da da .n",
            ["tea", "cake", "milk"],
            id="carried_over",
        ),
        pytest.param(
            "tea 10.00 | cake 3.00 | food 13.00 | pen 4.00 | ink 5.00 | tools 9.00 | NET 22.00",
            "da da da da da da .n",
            ["tea", "cake", "pen", "ink"],
            id="of_each_part",
        ),
        pytest.param(
            "tea 10.00 | cake 3.00 | carried 13.00", "da da da", ["tea", "cake"], id="no_total_said"
        ),
        pytest.param(
            "tea 10.00 | tea 10.00 | NET 20.00",
            "da da .n",
            ["tea", "tea"],
            id="the_same_twice_is_no_sum",
        ),
        pytest.param(
            "tea 10.00 | cake 3.00 | ham 13.00 | NET 26.00",
            "da da da .n",
            ["tea", "cake", "ham"],
            id="the_sum_holds_with_it",
        ),
        pytest.param(
            "tea 2 5.00 10.00 | cake 1 3.00 3.00 | ham 1 13.00 13.00 | NET 99.00",
            "dqpa dqpa dqpa .n",
            ["tea", "cake", "ham"],
            id="a_row_of_figures_is_no_sum",
        ),
    ],
)
def test_rows_that_repeat_the_sum_of_those_above_are_left_out(
    lines: str, tags: str, left: list[str]
) -> None:
    assert _items(lines, tags, PRODUCT, TOTAL)[0] == left


def test_the_fewest_kinds_of_rows_are_left_out_that_mend_a_sum() -> None:
    """The total above the table goes, and the row that makes no product; the lone fee stays."""
    lines = "due 17.00 | tea 2 5.00 10.00 | meter 3 4.00 99.00 | fee 7.00 | NET 17.00"
    assert _items(lines, "da dqpa dqpa da .n", PRODUCT, TOTAL)[0] == ["tea", "fee"]


def test_words_with_a_percentage_alone_are_no_row() -> None:
    items = (*ITEMS, FieldSpec("items.rate", Kind.PERCENT, many=True))
    document = document_of("tea 10.00 | cake 3.00 | withheld 20%")
    names = ("description", "amount", "description", "amount", "description", "rate")
    spans = [Span(f"items.{name}", at, at + 1, (0.99,)) for at, name in enumerate(names)]
    found = resolve_all(document, spans, items, Calibration())
    texts = [cell.text for row in found.groups["items"] if (cell := row["description"])]
    assert texts == ["tea", "cake"]


@pytest.mark.parametrize(("line", "tags"), [("of 5.00 each", ".p."), ("two    5.00", "dp")])
def test_a_row_without_the_figure_that_is_added_up_is_none(line: str, tags: str) -> None:
    page = f"tea    2    5.00    10.00 | cake    1    3.00    3.00 | {line} | NET 13.00"
    assert _items(page, f"dqpa dqpa {tags} .n", TOTAL)[0] == ["tea", "cake"]


def test_where_most_rows_have_no_figure_to_add_up_they_are_rows() -> None:
    page = "tea    2    5.00    10.00 | cake    1    3.00 | oil    4    1.00 | NET 13.00"
    assert _items(page, "dqpa dqp dqp .n", TOTAL)[0] == ["tea", "cake", "oil"]
