"""Fields guessed from label values."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from pipeline.values.schema import Kind, dump_fields, parse_fields
from training.data import Dataset, Row, infer_fields
from training.data.fields import infer_majority_order
from training.errors import DatasetError


def _dataset(*values: tuple[str, ...] | str, name: str = "field") -> Dataset:
    rows = [
        Row(str(number), Path("x"), None, {name: (item,) if isinstance(item, str) else item})
        for number, item in enumerate(values)
    ]
    return Dataset(Path("folder"), tuple(rows))


def _column(*values: tuple[str, ...], name: str) -> Dataset:
    group, _, column = name.partition(".")
    found = _dataset(*values, name=name)
    rows = tuple(
        replace(row, groups={group: tuple({column: value} for value in row.fields[name])})
        for row in found.rows
    )
    return replace(found, rows=rows)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        pytest.param(["25/12/2018", "1 Jan 2018", "2018-02-03"], Kind.DATE, id="dates"),
        pytest.param(["9.00", "RM 1,234.50", "0.05"], Kind.AMOUNT, id="amounts"),
        pytest.param(["9", "12", "130"], Kind.IDENTIFIER, id="whole_numbers_are_no_amounts"),
        pytest.param(
            ["850", "1,418.1", "73.5", "1204,75", "9"] * 4 + ["heavy"], Kind.NUMBER, id="weights"
        ),
        pytest.param(["412,3 kg", "80 kg", "1.204,75 kg"], Kind.NUMBER, id="numbers_with_units"),
        pytest.param(["2024.1", "2024.12", "2025.3"], Kind.IDENTIFIER, id="numbers_of_one_length"),
        pytest.param(["01.5", "2.7", "113.4"], Kind.IDENTIFIER, id="padded_numbers"),
        pytest.param(["12.5"], Kind.IDENTIFIER, id="one_number_tells_nothing"),
        pytest.param(["INV-1/2", "A77", "00012"], Kind.IDENTIFIER, id="codes"),
        pytest.param(
            ["HV 7368886-36", "LA13 PPD", "AE 22 41 05 B", "DE60 7635 0000 0619 2837 42"],
            Kind.IDENTIFIER,
            id="codes_in_parts",
        ),
        pytest.param(["STUDIO 54", "3M", "LEVEL 42 BAR"], Kind.NAME, id="capitals_with_figures"),
        pytest.param(["NO 5, JALAN X", "Springfield,62701"], Kind.ADDRESS, id="addresses"),
        pytest.param(
            ["Helenabaan 91 - 8509 - Sint-Maria-Latem", "Paulsteeg 942 9192 Villers-sur-Semois"],
            Kind.ADDRESS,
            id="addresses-without-commas",
        ),
        pytest.param(["Filter 4020 Bosch", "Pipe 2000 mm"], Kind.NAME, id="names-with-figures"),
        pytest.param(["KEDAI BUKU", "ACME INC"], Kind.NAME, id="names"),
        pytest.param(["two years", "3 months"], Kind.DURATION, id="durations"),
        pytest.param(["25/12/2018 at noon", "due 1/1/2018"], Kind.NAME, id="text_with_a_date"),
        pytest.param(["--", "..."], Kind.TEXT, id="marks"),
        pytest.param([(), ()], Kind.TEXT, id="never_labelled"),
        pytest.param(["9.00"] * 5 + ["nil"], Kind.AMOUNT, id="one_odd_label_in_six"),
        pytest.param(["9.00"] * 3 + ["nil"], Kind.TEXT, id="one_odd_label_in_four"),
    ],
)
def test_kind_is_that_of_most_values(values: list[str], kind: Kind) -> None:
    [spec] = infer_fields(_dataset(*values))
    assert (spec.name, spec.kind, spec.many) == ("field", kind, False)


def test_columns_come_after_fields_that_later_documents_have() -> None:
    rows = (
        Row("1", Path("x"), None, {"items.name": ("tea",)}, groups={"items": ({"name": "tea"},)}),
        Row("2", Path("x"), None, {"number": ("A-1",)}),
    )
    fields = infer_fields(Dataset(Path("folder"), rows))
    assert [spec.name for spec in fields] == ["number", "items.name"]
    assert parse_fields(dump_fields(fields)) == fields


def test_field_with_two_different_values_may_have_many() -> None:
    assert infer_fields(_dataset(("ACME", "BOLT"), "X"))[0].many
    assert not infer_fields(_dataset(("ACME", "ACME"), "X"))[0].many


@pytest.mark.parametrize(
    ("values", "day_first"),
    [
        pytest.param(["25/12/2018", "01/02/2018"], True, id="day_first"),
        pytest.param(["12/25/2018", "01/02/2018"], False, id="month_first"),
        pytest.param(["01/02/2018"], None, id="does_not_show"),
        pytest.param(["25/12/2018", "26/12/2018", "12/25/2018"], True, id="one_typed_otherwise"),
    ],
)
def test_order_of_dates_is_that_of_most(values: list[str], day_first: bool | None) -> None:
    assert infer_majority_order(values) == day_first
    assert infer_fields(_dataset(*values))[0].day_first == day_first


@pytest.mark.parametrize("name", ["Total", "total amount", "1st", "", "é", "a.b"])
def test_names_that_fields_toml_cannot_hold_are_refused(name: str) -> None:
    with pytest.raises(DatasetError, match="not usable"):
        infer_fields(_dataset("9.00", name=name))


def _ranges(count: int, **shifts: int) -> Dataset:
    """Return documents with dates so many days after the first of as many months."""
    rows = []
    for number in range(count):
        first = date(2001 + number // 12, 1 + number % 12, 1)
        days = {name: (first + timedelta(shift)).isoformat() for name, shift in shifts.items()}
        rows.append(Row(str(number), Path("x"), None, {k: (v,) for k, v in days.items()}))
    return Dataset(Path("folder"), tuple(rows))


def _starts(data: Dataset) -> dict[str, str]:
    return {spec.name: spec.range_start for spec in infer_fields(data) if spec.range_start}


def test_date_that_is_never_before_another_ends_its_range() -> None:
    data = _ranges(24, until=9, since=3)
    assert _starts(data) == {"until": "since"}
    specs = infer_fields(data)
    assert [spec.name for spec in specs] == ["since", "until"]  # the beginning stands above
    assert parse_fields(dump_fields(specs)) == specs


def test_nearest_dates_are_a_range_and_each_is_of_one() -> None:
    assert _starts(_ranges(24, ordered=0, since=20, until=25)) == {"until": "since"}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(_ranges(19, since=3, until=9), id="too_few"),
        pytest.param(_ranges(24, since=3, until=3), id="one_day"),
        pytest.param(
            Dataset(
                Path("folder"),
                (*_ranges(22, since=3, until=9).rows, *_ranges(2, since=9, until=3).rows),
            ),
            id="too_many_the_other_way_round",
        ),
    ],
)
def test_dates_that_are_no_range(data: Dataset) -> None:
    assert _starts(data) == {}


def test_one_range_typed_wrong_is_still_one() -> None:
    rows = (*_ranges(23, since=3, until=9).rows, *_ranges(1, since=9, until=3).rows)
    assert _starts(Dataset(Path("folder"), rows)) == {"until": "since"}


def test_columns_of_groups_are_fields_and_counts_are_numbers() -> None:
    [amount] = infer_fields(_column(("9.00", "4.50"), name="items.amount"))
    [count] = infer_fields(_column(("2", "1"), ("12",), name="items.quantity"))
    assert (amount.kind, amount.many, amount.group) == (Kind.AMOUNT, True, "items")
    assert (count.kind, count.many) == (Kind.NUMBER, True)


def test_one_odd_cell_does_not_make_codes_of_a_column_of_numbers() -> None:
    cells = ("2", "1,5", "1.250,5", "12", "7", "some")
    [count] = infer_fields(_column(cells, name="items.quantity"))
    assert count.kind is Kind.NUMBER
    [code] = infer_fields(_column(("4711", "4712", "4713", "4714", "A-13"), name="items.code"))
    assert code.kind is Kind.IDENTIFIER
    with pytest.raises(DatasetError, match="not usable"):
        infer_fields(_column(("2",), name="items.Quantity!"))
