"""Values of documents held out: fields as the answer has them, cells row by row."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of
from training.data.dataset import Row
from training.scoring.cases import Case, cases_of

FIELDS = (
    FieldSpec("total", Kind.AMOUNT),
    FieldSpec("party", Kind.NAME, many=True),
    FieldSpec("items.quantity", Kind.NUMBER, many=True),
    FieldSpec("items.amount", Kind.AMOUNT, many=True),
)
DUE = FieldSpec("due", Kind.DATE)
TOTAL = FIELDS[0]
COUNT = FieldSpec("count", Kind.NUMBER)


def _cases(page: str, tags: str, row: Row) -> tuple[dict[str, list[bool]], int]:
    names = {"t": "total", "p": "party", "q": "items.quantity", "a": "items.amount"}
    spans = [
        Span(names[tag], at, at + 1, (0.9,)) for at, tag in enumerate(tags.split()) if tag in names
    ]
    found = cases_of(
        {"1": document_of(page)}, {"1": spans}, {"1": row}, FIELDS, Calibration(),
        reading="own", part=3,
    )  # fmt: skip
    assert all(isinstance(case, Case) and case.plain for case in found.found)
    by_field: dict[str, list[bool]] = {}
    for case in found.found:
        by_field.setdefault(case.field, []).append(case.right)
    return by_field, found.labelled[3]


def _row(fields: dict[str, tuple[str, ...]], *items: dict[str, str]) -> Row:
    return Row("1", Path("1.txt"), None, fields, groups={"items": items} if items else {})


def test_the_first_value_of_a_field_and_all_of_many_count() -> None:
    row = _row({"total": ("8.00",), "party": ("Ann", "Zoe")})
    found, labelled = _cases("Ann Bob | TOTAL 8.00", "p p - t", row)
    assert found == {"total": [True], "party": [True, False]}
    assert labelled == 3


def test_a_cell_is_right_in_its_own_row_alone() -> None:
    items = {"quantity": "1", "amount": "5.00"}, {"quantity": "2", "amount": "6.00"}
    swapped, labelled = _cases("2 5.00 | 1 6.00", "q a q a", _row({}, *items))
    assert swapped == {"items.quantity": [False, False], "items.amount": [True, True]}
    right, _ = _cases("1 5.00 | 2 6.00", "q a q a", _row({}, *items))
    assert right == {"items.quantity": [True, True], "items.amount": [True, True]}
    assert labelled == 4


@pytest.mark.parametrize(
    ("page", "spec", "label", "right"),
    [
        pytest.param("01/31/2020 | Due 03/04/2020", DUE, "2020-03-04", True, id="iso"),
        pytest.param("01/31/2020 | Due 03/04/2020", DUE, "03/04/2020", True, id="as_printed"),
        pytest.param("01/31/2020 | Due 04/03/2020", DUE, "2020-03-04", False, id="other_day"),
        pytest.param("1.103,36 | Total 1.313", TOTAL, "1313.00", True, id="decimals"),
        pytest.param("1.103,36 | Total 1.313", TOTAL, "1.313", True, id="amount_as_printed"),
        pytest.param("1.103,36 | Total 1.313", TOTAL, "1.31", False, id="other_amount"),
        pytest.param("1.103,36 | Qty 1.500", COUNT, "1500", True, id="number"),
    ],
)
def test_values_are_right_as_they_are_given(
    page: str, spec: FieldSpec, label: str, right: bool
) -> None:
    # What the page says of its dates and amounts decides, so the text alone does not tell.
    found = cases_of(
        {"1": document_of(page)}, {"1": [Span(spec.name, 2, 3, (0.9,))]},
        {"1": _row({spec.name: (label,)})}, [spec], Calibration(), reading="own", part=0,
    )  # fmt: skip
    assert [case.right for case in found.found] == [right]


def test_cells_of_a_row_that_no_label_has_are_wrong() -> None:
    found, labelled = _cases("1 5.00 | 2 6.00", "q a q a", _row({}, {"amount": "6.00"}))
    assert found == {"items.quantity": [False, False], "items.amount": [False, True]}
    assert labelled == 1
