"""Rows of groups: matched one to one, right where all their figures are."""

from __future__ import annotations

import pytest

from pipeline.values.schema import FieldSpec, Kind
from tests.builders import field_value
from training.scoring.group_scores import cells_right, count_rows, matched, row_texts
from training.scoring.scores import Counts

COLUMNS = (
    FieldSpec("items.description", Kind.TEXT, many=True),
    FieldSpec("items.quantity", Kind.NUMBER, many=True),
    FieldSpec("items.amount", Kind.AMOUNT, many=True),
)
TEA = {"description": "tea", "quantity": "2", "amount": "5.00"}
CAKE = {"description": "cake", "quantity": "1", "amount": "3.10"}


@pytest.mark.parametrize(
    ("given", "counts"),
    [
        pytest.param([TEA, CAKE], Counts(2, 0, 0), id="right"),
        pytest.param([CAKE, TEA], Counts(2, 0, 0), id="order_breaks_ties_only"),
        pytest.param([{**TEA, "quantity": "2.0", "amount": "5"}, CAKE], Counts(2), id="as_values"),
        pytest.param([{**TEA, "description": "x"}, CAKE], Counts(2), id="text_does_not_count"),
        pytest.param([{**TEA, "amount": "5.01"}, CAKE], Counts(1, 1, 1), id="wrong_figure"),
        pytest.param([{"amount": "5.00"}, CAKE], Counts(1, 1, 1), id="figure_missing"),
        pytest.param([TEA, CAKE, CAKE], Counts(2, 1, 0), id="row_too_many"),
        pytest.param([], Counts(0, 0, 2), id="none"),
    ],
)
def test_rows_are_counted(given: list[dict[str, str]], counts: Counts) -> None:
    assert count_rows(given, [TEA, CAKE], COLUMNS) == counts


def test_cells_are_compared_by_value() -> None:
    day = FieldSpec("items.day", Kind.DATE, many=True)
    assert cells_right([{"day": "2018-12-25"}], [{"day": "25/12/2018"}], [day]) == [{"day": True}]


def test_what_the_label_does_not_say_counts_neither_way() -> None:
    assert count_rows([TEA], [{"amount": "5.00"}], COLUMNS) == Counts(1)


def test_rows_without_figures_are_right_by_all_that_the_label_says() -> None:
    people = (
        FieldSpec("people.name", Kind.NAME, many=True),
        FieldSpec("people.born", Kind.DATE, many=True),
    )
    labels = [{"name": "Anna", "born": "2001-02-03"}, {"name": "Bob"}]
    given = [{"name": "Anna", "born": "2001-02-04"}, {"name": "Bob", "born": "2002-01-01"}]
    assert count_rows(given, labels, people) == Counts(1, 1, 1)


def test_per_cents_are_figures() -> None:
    taxes = (
        FieldSpec("taxes.code", Kind.IDENTIFIER, many=True),
        FieldSpec("taxes.rate", Kind.PERCENT, many=True),
    )
    labels = [{"code": "A", "rate": "19"}]
    assert count_rows([{"code": "B", "rate": "19 %"}], labels, taxes) == Counts(1)
    assert count_rows([{"code": "A", "rate": "7 %"}], labels, taxes) == Counts(0, 1, 1)


def test_cells_are_right_by_the_value_that_was_read() -> None:
    row = {"quantity": field_value("number", "1.500", "1500", confidence=0.9)}
    quantity = COLUMNS[1:2]
    assert cells_right(row_texts([row]), [{"quantity": "1500"}], quantity) == [{"quantity": True}]
    # As the document prints it, and as its document reads it.
    assert cells_right(row_texts([row]), [{"quantity": "1.500"}], quantity) == [{"quantity": True}]
    assert cells_right(row_texts([row]), [{"quantity": "1.5"}], quantity) == [{"quantity": False}]


def test_equal_rows_are_matched_in_order() -> None:
    assert matched([TEA, TEA, CAKE], [TEA, TEA], COLUMNS) == [(0, 0), (1, 1)]


def test_cells_are_right_as_the_row_they_are_matched_to_says() -> None:
    wrong_row = {"description": "cake", "quantity": "2", "amount": "3.10"}
    assert cells_right([TEA, wrong_row], [TEA, CAKE], COLUMNS) == [
        {"description": True, "quantity": True, "amount": True},
        {"description": True, "quantity": False, "amount": True},
    ]


def test_cells_of_no_labelled_row_or_value_are_wrong() -> None:
    assert cells_right([TEA, CAKE], [{"description": "tea", "amount": "5.00"}], COLUMNS) == [
        {"description": True, "quantity": False, "amount": True},
        {"description": False, "quantity": False, "amount": False},
    ]
