"""The captions of the bundled `orders` name what its tagger missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import load_fields
from tests.builders import document_of

FIELDS = load_fields(Path(__file__).parents[4] / "weights" / "orders" / "fields.toml")


def _text(text: str, field: str) -> str | None:
    found = resolve_all(document_of(text, columns=90), [], FIELDS, Calibration()).fields[field]
    return found.text if isinstance(found, FieldValue) else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("IO Number: 2026-3307-R1", "2026-3307-R1", id="insertion_order"),
        pytest.param("CONTRACT NO 22345", "22345", id="in_capitals"),
        pytest.param("Agreement ID      Date | A-60114           5/1/20", "A-60114", id="above"),
        pytest.param("Buy Order | BO-26-0718", "BO-26-0718", id="without_number"),
        pytest.param("Order # 884512 | Alt Order # 4410", "884512", id="the_stations_own"),
        pytest.param("Invoice # 250020518 | Order # 302362", None, id="an_invoice_for_an_order"),
        pytest.param("Order % 100%", None, id="a_share"),
        pytest.param("Estimate # 6612", None, id="an_estimate"),
    ],
)
def test_numbers_of_orders(text: str, expected: str | None) -> None:
    assert _text(text, "contract_number") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Flight: 9/21/26 - 10/4/26", ("9/21/26", None), id="a_range"),
        pytest.param(
            "Campaign start 3/2/26 | Campaign end 5/31/26", ("3/2/26", "5/31/26"), id="two_captions"
        ),
        pytest.param("First day 1/25/27 | Last day 2/7/27", ("1/25/27", "2/7/27"), id="days"),
        pytest.param(
            "Line  Start Date  End Date | 1     3/2/26  3/8/26", (None, None), id="a_line"
        ),
    ],
)
def test_dates_of_flights(text: str, expected: tuple[str | None, str | None]) -> None:
    assert (_text(text, "flight_from"), _text(text, "flight_to")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Rate each $18.00 Total cost $1,152.00", "$1,152.00", id="not_the_rate"),
        pytest.param("Impressions 1,840,000 | Campaign total $26,680.00", "$26,680.00", id="sum"),
        pytest.param("Net total $13.25 | Gross total $15.45", "$15.45", id="not_the_net"),
        pytest.param("Time  Total cost | 6a        18.00 | 5p        24.00", None, id="a_column"),
    ],
)
def test_gross_amounts(text: str, expected: str | None) -> None:
    assert _text(text, "gross_amount") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Client: Lymington Marine Chandlers", "Lymington Marine Chandlers", id="uk"),
        pytest.param("ADV: Ozark Hospital      AGY: Tern", "Ozark Hospital", id="in_short"),
        pytest.param("Underwriter: Iron Range Bank", "Iron Range Bank", id="public_radio"),
        pytest.param(
            "Customer: Valley Hospital      Agency: Tern", "Valley Hospital", id="not_the_agency"
        ),
        pytest.param("Sold To        Bill To | Tire Pros      Tire Pros", "Tire Pros", id="above"),
        pytest.param("Client signature: Nell Teasdale", None, id="who_signed"),
        pytest.param(
            "This time will be | paid for by: Roads First PAC, 40 Main St",
            "Roads First PAC",
            id="who_pays",
        ),
    ],
)
def test_advertisers(text: str, expected: str | None) -> None:
    assert _text(text, "advertiser") == expected
