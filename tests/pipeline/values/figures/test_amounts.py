"""Amounts: every written form, signs, currencies, and what is no money."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.values.figures.amounts import (
    amount_key,
    find_amounts,
    infer_decimal,
    plain,
)
from pipeline.values.figures.currencies import currencies_of

AMOUNTS = st.decimals(0, 99_999_999, places=2, allow_nan=False)


@pytest.mark.parametrize(
    ("text", "whole", "number", "amount", "currency"),
    [
        pytest.param("RM9.00", "RM9.00", "9.00", "9.00", "MYR", id="sign_glued"),
        pytest.param("TOTAL RM 9.00 SR", "RM 9.00", "9.00", "9.00", "MYR", id="sign_apart"),
        pytest.param("$ 8.20", "$ 8.20", "8.20", "8.20", None, id="dollar_of_which_country"),
        pytest.param("US$1,000.00", "US$1,000.00", "1,000.00", "1000.00", "USD", id="us_dollar"),
        pytest.param("9.00MYR", "9.00MYR", "9.00", "9.00", "MYR", id="code_behind"),
        pytest.param("1,234.50", "1,234.50", "1,234.50", "1234.50", None, id="english"),
        pytest.param("1.234,50 €", "1.234,50 €", "1.234,50", "1234.50", "EUR", id="german"),
        pytest.param("1 234,50", "1 234,50", "1 234,50", "1234.50", None, id="french"),
        pytest.param("1'234.50", "1'234.50", "1'234.50", "1234.50", None, id="swiss"),
        pytest.param("12,34,567.89", "12,34,567.89", "12,34,567.89", "1234567.89", None, id="lakh"),
        pytest.param("(1,234.50)", "(1,234.50)", "1,234.50", "-1234.50", None, id="brackets"),
        pytest.param("($76.50)", "($76.50)", "76.50", "-76.50", None, id="sign_in_brackets"),
        pytest.param("$(76.50)", "$(76.50)", "76.50", "-76.50", None, id="sign_before_brackets"),
        pytest.param("-5.00", "-5.00", "-5.00", "-5.00", None, id="minus_before"),
        pytest.param("11.60-", "11.60-", "11.60-", "-11.60", None, id="minus_behind"),
        pytest.param("857,39- €,", "857,39- €", "857,39-", "-857.39", "EUR", id="minus_between"),
        pytest.param("1.50- EUR", "1.50- EUR", "1.50-", "-1.50", "EUR", id="minus_before_a_code"),
        pytest.param("7,00-€", "7,00-€", "7,00-", "-7.00", "EUR", id="minus_before_a_symbol"),
        pytest.param("7,00 €-", "7,00 €-", "7,00", "-7.00", "EUR", id="minus_at_the_end"),
        pytest.param("5.00-EUR note", "5.00", "5.00", "5.00", None, id="hyphen_before_a_word"),
        pytest.param("-RM 0.02", "-RM 0.02", "0.02", "-0.02", "MYR", id="minus_before_the_sign"),
        pytest.param("RM-0.20", "RM-0.20", "-0.20", "-0.20", "MYR", id="minus_behind_the_sign"),
        pytest.param("BOWL - 2.80", "2.80", "2.80", "2.80", None, id="dash_is_no_minus"),
        pytest.param("RM.50", "RM.50", ".50", "0.50", "MYR", id="no_digit_before_the_point"),
        pytest.param("NO.53", "53", "53", "53", None, id="abbreviation_is_no_decimal_point"),
        pytest.param("8. 20", "8. 20", "8. 20", "8.20", None, id="gap_behind_the_point"),
        pytest.param("RM 8 .20 SR", "RM 8 .20", "8 .20", "8.20", "MYR", id="gap_before_the_point"),
        pytest.param("5,950,00", "5,950,00", "5,950,00", "5950.00", None, id="comma_for_a_point"),
        pytest.param("1,510.0", "1,510.0", "1,510.0", "1510.0", None, id="one_decimal"),
        pytest.param("$165", "$165", "165", "165", None, id="no_decimals"),
        pytest.param("27,80", "27,80", "27,80", "27.80", None, id="two_digits_are_never_thousands"),
        pytest.param("$1,940", "$1,940", "1,940", "1940", None, id="dollars_use_a_point"),
        pytest.param("RM 1 234.50", "RM 1 234.50", "1 234.50", "1234.50", "MYR", id="space_groups"),
        pytest.param("3X8.00", "8.00", "8.00", "8.00", None, id="glued_to_a_times_sign"),
        pytest.param("FORM 9.00", "9.00", "9.00", "9.00", None, id="rm_ends_a_word"),
        pytest.param("SDN BHD 9.00", "9.00", "9.00", "9.00", None, id="bhd_is_no_dinar"),
        pytest.param(*["80\u00a0000,50"] * 3, "80000.50", None, id="no_break_space"),
    ],
)  # fmt: skip
def test_forms(text: str, whole: str, number: str, amount: str, currency: str | None) -> None:
    (reading,) = find_amounts(text, decimal=None)
    assert text[reading.start : reading.end] == whole
    assert text[reading.number_start : reading.number_end] == number
    printed = reading.currencies[0] if len(reading.currencies) == 1 else None
    assert (plain(reading.amount), printed) == (amount, currency)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("GST 6.00%", id="percentage"),
        pytest.param("6.00 % OF", id="percentage_apart"),
        pytest.param("12.01.2018", id="date_with_points"),
        pytest.param("25/12/2018", id="date_with_slashes"),
        pytest.param("14:03:22", id="time"),
        pytest.param("07-3517893", id="phone"),
        pytest.param("123456-A", id="registration"),
        pytest.param("SH01", id="till"),
        pytest.param("1.5L", id="litres"),
        pytest.param("1.00.00", id="two_points"),
        pytest.param("1" * 30, id="no_amount_is_that_long"),
        pytest.param("RM", id="a_currency_alone"),
        pytest.param("", id="empty"),
    ],
)
def test_no_amount(text: str) -> None:
    assert find_amounts(text, decimal=None) == []


@pytest.mark.parametrize(
    ("text", "decimal", "values"),
    [
        pytest.param("3.350", ".", ["3.350"], id="point_marks_decimals"),
        pytest.param("3.350", ",", ["3350"], id="point_groups"),
        pytest.param("3,350", ".", ["3350"], id="comma_groups"),
        pytest.param("3,350", ",", ["3.350"], id="comma_marks_decimals"),
        pytest.param("3.350", None, ["3.350", "3350"], id="unknown_point"),
        pytest.param("3,350", None, ["3350", "3.350"], id="unknown_comma"),
        pytest.param("0.350", ",", ["0.350"], id="nothing_is_grouped_behind_a_zero"),
        pytest.param("1234.567", ",", ["1234.567"], id="four_digits_are_no_group"),
        pytest.param("12.50", ",", ["12.50"], id="two_digits_win_over_the_document"),
        pytest.param("1.234.567", None, ["1234567"], id="twice_is_grouping"),
    ],
)
def test_the_separator(text: str, decimal: str | None, values: list[str]) -> None:
    (reading,) = find_amounts(text, decimal=decimal)
    assert [plain(value) for value in (reading.amount, *reading.alternatives)] == values


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        pytest.param("2 150.00", ["2", "150.00"], id="quantity_and_price_stand_a_space_apart"),
        pytest.param("27.60 60.60", ["27.60", "60.60"], id="two_columns"),
        pytest.param("RM10.00-RM20.00", ["10.00", "20.00"], id="a_range_holds_no_minus"),
        pytest.param("10.00-20.00", ["10.00", "20.00"], id="a_range_without_signs"),
        pytest.param("5.00 RM 6.00", ["5.00", "6.00"], id="the_sign_belongs_to_the_next"),
        pytest.param("-1 X 13.50 -13.50", ["-1", "13.50", "-13.50"], id="a_return"),
    ],
)
def test_several(text: str, amounts: list[str]) -> None:
    assert [plain(reading.amount) for reading in find_amounts(text, decimal=".")] == amounts


def test_a_shared_sign_leaves_its_currencies_open() -> None:
    dollars, none = (find_amounts(t, decimal=".")[0] for t in ("$5.00", "5.00"))
    assert {"USD", "CAD", "AUD"} <= set(dollars.currencies)
    assert none.currencies == ()


def test_an_unknown_separator_is_refused() -> None:
    with pytest.raises(ValueError, match="expected"):
        find_amounts("1.00", decimal=";")


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["9.00", "1,234.50"], ".", id="points"),
        pytest.param(["9,00", "1.234,50"], ",", id="commas"),
        pytest.param(["9.00"] * 4 + ["8,20"], ".", id="one_fault_of_reading"),
        pytest.param(["9.00", "8,20"], None, id="contradiction"),
        pytest.param(["3,350", "3.350"], None, id="numbers_that_could_be_either"),
        pytest.param(["1.0", "2.0", "3.0", "4,50"], ",", id="one_decimal_numbers_rows_anywhere"),
        pytest.param(["1.5", "2.0"], ".", id="one_decimal_is_better_than_nothing"),
        pytest.param(["25.12.2018", "14:03"], None, id="dates_and_times_do_not_vote"),
    ],
)
def test_infer_decimal(lines: list[str], expected: str | None) -> None:
    assert infer_decimal(lines) == expected


@pytest.mark.parametrize(
    ("group", "mark"), [(",", "."), (".", ","), (" ", ","), ("'", "."), ("\u202f", ","), ("", ".")]
)
@given(
    amount=AMOUNTS,
    sign=st.sampled_from(["", "RM", "RM ", "€", "US$ "]),
    form=st.sampled_from(["{}", "({})", "-{}", "{}-", "SUM: {} x"]),
)
def test_round_trip(group: str, mark: str, amount: Decimal, sign: str, form: str) -> None:
    digits = f"{amount:,.2f}".replace(",", "\0").replace(".", mark).replace("\0", group)
    text = form.format(sign + digits)
    (reading,) = find_amounts(text, decimal=None)
    negative = form in ("({})", "-{}", "{}-")
    assert reading.amount == (-amount if negative else amount)
    assert reading.amount.as_tuple().exponent == -2
    assert reading.currencies == currencies_of(sign.strip())
    assert reading.alternatives == ()


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3))
def test_equal_amounts_have_equal_keys(amount: Decimal) -> None:
    assert Decimal(amount_key(amount)) == amount
    assert amount_key(amount) == amount_key(Decimal(f"{plain(amount)}00"))
    assert "E" not in plain(amount)


def test_plain_keeps_the_decimals_that_are_written() -> None:
    assert [plain(Decimal(text)) for text in ("9", "9.00", "1E+3", "-0.00")] == [
        "9", "9.00", "1000", "0.00",
    ]  # fmt: skip


@given(
    st.text(alphabet="0123456789.,' -()$€RMx%/:", max_size=60), st.sampled_from([".", ",", None])
)
def test_readings_lie_in_the_text_in_order(text: str, decimal: str | None) -> None:
    position = 0
    for reading in find_amounts(text, decimal=decimal):
        assert position <= reading.start <= reading.number_start
        assert reading.number_start < reading.number_end <= reading.end <= len(text)
        assert reading.amount.is_finite()
        position = reading.end


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        "1,",
        "1",
        "1 234 ",
        "RM 1 ",
        "(1.00",
        " ",
        "12.50 ",
        "-",
        "1. ",
        "$",
        "1.5 $ ",
        "RM",
        "1-,",
        "1 million",
        "USD $",
        "US DOLLARS ",
    ],
)
def test_adversarial_text_returns(piece: str) -> None:
    text = (piece * 60_000)[:60_000]
    assert all(reading.amount.is_finite() for reading in find_amounts(text, decimal=None))
    assert infer_decimal([text]) in (".", ",", None)
