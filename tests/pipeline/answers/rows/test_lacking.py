"""Rows of a text and an amount that nothing is tagged of: those that a sum holds with."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.arithmetic.checks import parse_checks
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.resolve import resolve_all
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

ITEMS = (
    FieldSpec("items.description", Kind.TEXT, many=True),
    FieldSpec("items.quantity", Kind.NUMBER, many=True),
    FieldSpec("items.unit_price", Kind.AMOUNT, many=True),
    FieldSpec("items.amount", Kind.AMOUNT, many=True),
    FieldSpec("taxes.amount", Kind.AMOUNT, many=True),
    FieldSpec("net", Kind.AMOUNT),
)
CHECKS = parse_checks(
    '[[check]]\nname = "items add up"\nrules = ["sum(items.amount) = net"]\n', ITEMS
)
ROWS = (
    "tea           2      5.00 | ",
    "oil           1      3.10 | ",
    "cake          1      2.20 | ",
)


def _items(page: str, tags: str) -> list[tuple[str, str]]:
    """Return text and amount of each row; a letter of a field's name or a dot a word."""
    names = {"d": "items.description", "q": "items.quantity", "a": "items.amount"}
    names |= {"p": "items.unit_price", "t": "taxes.amount", "n": "net"}
    spans = [
        Span(names[tag], at, at + 1, (0.99,))
        for at, tag in enumerate(tags.replace(" ", ""))
        if tag != "."
    ]
    found = resolve_all(document_of(page), spans, ITEMS, Calibration(), CHECKS)
    return [
        tuple(cell.text if (cell := row[name]) else "" for name in ("description", "amount"))
        for row in found.groups["items"]
    ]


def test_lines_with_which_the_sum_holds_are_rows() -> None:
    page = "".join((*ROWS[:2], "express delivery     4.00 | ", ROWS[2]))
    end = "packing              1.50 | NET    15.80"
    assert _items(page + end, "dqa dqa ... dqa .. .n") == [
        ("tea", "5.00"),
        ("oil", "3.10"),
        ("express delivery", "4.00"),
        ("cake", "2.20"),
        ("packing", "1.50"),
    ]


@pytest.mark.parametrize(
    ("line", "tags", "net"),
    [
        ("delivery             4.00", "..", "99.00"),  # the sum fails with it, too
        ("delivery             4.00", "..", "10.30"),  # it holds without
        ("delivery             4.00", ".t", "14.30"),  # a tax is none
        ("                 delivery    4.00", "..", "14.30"),  # not where texts begin
        ("delivery    4.00", "..", "14.30"),  # not where the amounts stand
        ("fee                  4.00 | toll                 4.00", "....", "14.30"),  # which one?
    ],
)
def test_other_lines_are_no_rows(line: str, tags: str, net: str) -> None:
    page = "".join((*ROWS, line, f" | NET    {net}"))
    assert len(_items(page, f"dqa dqa dqa {tags} .n")) == len(ROWS)


def test_one_row_shows_where_several_that_a_sum_lacks_stand() -> None:
    charges = ("delivery             4.00 | ", "packing              1.50 | ")
    page = "".join((ROWS[0], *charges, "NET    10.50"))
    rows = [("tea", "5.00"), ("delivery", "4.00"), ("packing", "1.50")]
    assert _items(page, "dqa .. .. .n") == rows
    assert _items("".join((ROWS[0], charges[0], "NET     9.00")), "dqa .. .n") == rows[:1]


def test_what_stands_below_a_sum_is_no_row() -> None:
    page = "".join((*ROWS, "NET    14.30 | delivery             4.00"))
    assert len(_items(page, "dqa dqa dqa .n ..")) == len(ROWS)


def test_its_words_are_no_other_rows_text() -> None:
    charges = ("delivery             4.00 | ", "packing              1.50 | ")
    page = "".join(("NET    15.80 | ", *ROWS[:2], charges[0], ROWS[2], charges[1][:-3]))
    assert _items(page, ".n dqa dqa d. dqa d.")[1:] == [
        ("oil", "3.10"),
        ("delivery", "4.00"),
        ("cake", "2.20"),
        ("packing", "1.50"),
    ]


PRICED = (FieldSpec("items.price", Kind.AMOUNT, many=True), *ITEMS)
NET_AND_GROSS = "tea   2   5.00   10.00   12.00 | oil   1   4.00    4.00    4.80 | NET   "


def _amounts(page: str, tags: str, net: str) -> list[dict[str, str]]:
    """Return the figures of each row of a table with prices, where products count."""
    names = {"d": "items.description", "q": "items.quantity", "p": "items.price"}
    names |= {"a": "items.amount", "n": "net"}
    tagged = enumerate(tags.replace(" ", ""))
    spans = [Span(names[tag], at, at + 1, (0.99,)) for at, tag in tagged if tag != "."]
    product = "items.quantity * items.price = items.amount"
    text = f'[[check]]\nname = "product"\nrules = ["{product}"]\n'
    checks = (*parse_checks(text, PRICED), *CHECKS)
    found = resolve_all(document_of(page + net), spans, PRICED, Calibration(), checks)
    return [
        {name: cell.text for name, cell in row.items() if cell and name != "description"}
        for row in found.groups["items"]
    ]


def test_another_column_of_the_rows_that_adds_up_has_the_amounts() -> None:
    """Of the work to date, what was billed before is less than what is billed now."""
    page = "roof   900.00   600.00   300.00 | wall   500.00   150.00   400.00 | NET   "
    assert _amounts(page, "da.. da.. .n", "700.00") == [{"amount": "300.00"}, {"amount": "400.00"}]


def test_the_column_that_adds_up_is_no_other_one_too() -> None:
    page = "vet   1   46.00   55.20 | scan   2   50.00   60.00 | NET   "
    assert _amounts(page, "dqp. dqp. .n", "96.00") == [
        {"quantity": "1", "amount": "46.00"},
        {"quantity": "2", "amount": "50.00"},
    ]


@pytest.mark.parametrize(
    ("page", "tags", "net", "amounts"),
    [
        pytest.param(NET_AND_GROSS, "dqpa. dqpa. .n", "16.80", ["10.00", "4.00"], id="products"),
        pytest.param(
            "roof   9.00   6.00   3.00 | wall   5.00   1.00   4.00 | NET   ",
            "da.. da.. .n",
            "99.00",
            ["9.00", "5.00"],
            id="no_column_adds_up",
        ),
        pytest.param(
            "roof   9.00   6.00   3.00 | wall   5.00   1.00   4.00   2.00   2.00 | NET   ",
            "da.. da.... .n",
            "9.00",
            ["9.00", "5.00"],
            id="not_in_one_column",
        ),
        pytest.param(
            "roof   9.00   3.00   3.00 | wall   5.00   4.00   4.00 | NET   ",
            "da.. da.. .n",
            "7.00",
            ["9.00", "5.00"],
            id="which_one",
        ),
    ],
)
def test_amounts_stay_where_no_other_column_adds_up_alone(
    page: str, tags: str, net: str, amounts: list[str]
) -> None:
    assert [row["amount"] for row in _amounts(page, tags, net)] == amounts


def test_lines_above_the_first_row_may_be_rows() -> None:
    page = "".join(("delivery             4.00 | discount            –1.00 | ", *ROWS[:2]))
    assert _items(f"{page} | | NET    11.10", ".. .. dqa dqa .n") == [
        ("delivery", "4.00"),
        ("discount", "–1.00"),
        ("tea", "5.00"),
        ("oil", "3.10"),
    ]


@pytest.mark.parametrize(
    ("free", "tags", "rows"),
    [
        ("cake          1      2.20        - | ", "dqp. ", ["tea", "oil", "cake"]),
        ("gift          1          - | ", "dq. ", ["tea", "oil"]),
    ],
)
def test_row_without_the_figure_that_adds_up_needs_two_others(
    free: str, tags: str, rows: list[str]
) -> None:
    page = "".join((*ROWS[:2], free))
    found = _items(f"{page} | | NET    8.10", f"dqa dqa {tags}.n")
    assert [description for description, _ in found] == rows
