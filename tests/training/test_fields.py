"""Fields guessed from label values."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.errors import DatasetError
from pipeline.postprocess.schema import Kind
from training.dataset import Dataset, Row
from training.fields import infer_fields, infer_majority_order


def _dataset(*values: tuple[str, ...] | str, name: str = "field") -> Dataset:
    rows = [
        Row(str(number), Path("x"), None, {name: (item,) if isinstance(item, str) else item})
        for number, item in enumerate(values)
    ]
    return Dataset(Path("folder"), tuple(rows))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        pytest.param(["25/12/2018", "1 Jan 2018", "2018-02-03"], Kind.DATE, id="dates"),
        pytest.param(["9.00", "RM 1,234.50", "0.05"], Kind.AMOUNT, id="amounts"),
        pytest.param(["9", "12", "130"], Kind.IDENTIFIER, id="whole_numbers_are_no_amounts"),
        pytest.param(["INV-1/2", "A77", "00012"], Kind.IDENTIFIER, id="codes"),
        pytest.param(["NO 5, JALAN X", "7 LANE, TOWN"], Kind.ADDRESS, id="addresses"),
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
