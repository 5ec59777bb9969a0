"""Dates: every written form, the order of day and month, and what is no date."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.values.times.calendars import DateReading, full_year
from pipeline.values.times.dates import find_dates, infer_day_first
from pipeline.values.times.words import month_numbers

DAYS = st.dates(date(1950, 1, 1), date(2045, 12, 31))
MONTHS = "January February March April May June July August September October November December"


def only(text: str, *, day_first: bool | None = True) -> tuple[str, str]:
    """Return the one date of `text` as written and in ISO form."""
    (reading,) = find_dates(text, day_first=day_first)
    return text[reading.start : reading.end], reading.iso


@pytest.mark.parametrize(
    ("text", "written", "iso"),
    [
        pytest.param("25/12/2018 14:03:22", "25/12/2018", "2018-12-25", id="time_behind"),
        pytest.param("DATE:12-01-19", "12-01-19", "2019-01-12", id="caption_glued"),
        pytest.param("14/MAY/2017", "14/MAY/2017", "2017-05-14", id="slashes_and_name"),
        pytest.param("05 MAR 2018", "05 MAR 2018", "2018-03-05", id="name_between_spaces"),
        pytest.param("28 MAR 18 18:32:36", "28 MAR 18", "2018-03-28", id="short_year_then_time"),
        pytest.param("DATE05JAN17", "05JAN17", "2017-01-05", id="all_glued"),
        pytest.param("12.01.2018", "12.01.2018", "2018-01-12", id="points"),
        pytest.param("25 / 12 / 2018", "25 / 12 / 2018", "2018-12-25", id="gaps_from_reading"),
        pytest.param("25 12 2018 14:03", "25 12 2018", "2018-12-25", id="separators_lost"),
        pytest.param("20180304", "20180304", "2018-03-04", id="compact_year_first"),
        pytest.param(": 20022018", "20022018", "2018-02-20", id="compact_day_first"),
        pytest.param("2018-03-18T10:00", "2018-03-18", "2018-03-18", id="iso_with_time"),
        pytest.param("001-2018/02/22 13:34", "2018/02/22", "2018-02-22", id="till_number_before"),
        pytest.param("NO K074-1096(06/12/2016)", "06/12/2016", "2016-12-06", id="in_brackets"),
        pytest.param("SAT 21/10/2017", "21/10/2017", "2017-10-21", id="weekday_is_not_part"),
        pytest.param("07/04/2018-18:11:05", "07/04/2018", "2018-04-07", id="time_after_dash"),
        pytest.param("Room 100 March 2018", "March 2018", "2018-03", id="other_number_in_front"),
        pytest.param("Feb 3, 2018", "Feb 3, 2018", "2018-02-03", id="month_first_by_name"),
        pytest.param("Feb15/20", "Feb15/20", "2020-02-15", id="name_and_day_glued"),
        pytest.param("Dec. 31 , 1999", "Dec. 31 , 1999", "1999-12-31", id="space_before_comma"),
        pytest.param("June 1st, 2010", "June 1st, 2010", "2010-06-01", id="ordinal_behind_name"),
        pytest.param(
            "this 18th day of April, 2001", "18th day of April, 2001", "2001-04-18", id="deed"
        ),
        pytest.param(
            "the twenty-first day of May 1999",
            "twenty-first day of May 1999",
            "1999-05-21",
            id="day_in_words",
        ),
        pytest.param("2018-MAR-05", "2018-MAR-05", "2018-03-05", id="year_name_day"),
        pytest.param("12. März 2019", "12. März 2019", "2019-03-12", id="german"),
        pytest.param("3. Jän. 2014", "3. Jän. 2014", "2014-01-03", id="austrian"),
        pytest.param("1.º de março de 2019", "1.º de março de 2019", "2019-03-01", id="portuguese"),
        pytest.param("31 OGOS 2018", "31 OGOS 2018", "2018-08-31", id="malay"),
        pytest.param("2018年3月5日", "2018年3月5日", "2018-03-05", id="chinese"),
        pytest.param("98-12-31", "98-12-31", "1998-12-31", id="short_year_first"),
        pytest.param("12/28/2017", "12/28/2017", "2017-12-28", id="only_month_first_is_a_date"),
        pytest.param("August 2024", "August 2024", "2024-08", id="partial_name"),
        pytest.param("April __, 2001", "April __, 2001", "2001-04", id="partial_blank_day"),
        pytest.param("08/2024", "08/2024", "2024-08", id="partial_numbers"),
    ],
)
def test_forms(text: str, written: str, iso: str) -> None:
    assert only(text) == (written, iso)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("31/02/2018", id="february_has_no_31st"),
        pytest.param("31 FEB 2018", id="nor_by_name_nor_as_a_partial_date"),
        pytest.param("14:03:22", id="time"),
        pytest.param("18.10:59", id="time_with_a_point"),
        pytest.param("07-3517893", id="phone"),
        pytest.param("1-800-555-1212", id="phone_in_groups"),
        pytest.param("12-01-19-3344", id="serial_in_groups"),
        pytest.param("000306020352", id="tax_number"),
        pytest.param("1234-5678-9012-3456", id="card"),
        pytest.param("9556939040116", id="bar_code"),
        pytest.param("T20180304", id="digits_glued_to_a_letter"),
        pytest.param("1. 2. 18", id="list_numbers"),
        pytest.param("3/15/202", id="year_cut_off"),
        pytest.param("1/2", id="fraction"),
        pytest.param("MAR 24 18:09", id="month_day_and_a_time"),
        pytest.param("Mar 5 10:30 24 guests", id="month_day_a_time_and_a_count"),
        pytest.param("YOU MAY ENTER 5", id="may_is_a_verb"),
        pytest.param("OUT 12 2018", id="october_of_portuguese_is_a_word_of_english"),
        pytest.param("25/12/3018", id="year_beyond_belief"),
        pytest.param("", id="empty"),
    ],
)
def test_no_date(text: str) -> None:
    assert find_dates(text, day_first=True) == []


def test_a_range_is_two_dates() -> None:
    found = find_dates("02/17/20-02/23/20", day_first=False)
    assert [(r.start, r.end, r.iso) for r in found] == [(0, 8, "2020-02-17"), (9, 17, "2020-02-23")]


def test_the_order_is_the_callers() -> None:
    assert only("06/12/2016", day_first=True)[1] == "2016-12-06"
    assert only("06/12/2016", day_first=False)[1] == "2016-06-12"


def test_without_an_order_both_readings_are_kept() -> None:
    expected = DateReading(0, 10, "2016-12-06", ("2016-06-12",), True)
    assert find_dates("06/12/2016", day_first=None) == [expected]
    # The same day either way is not in doubt.
    assert find_dates("05/05/2018", day_first=None)[0].ambiguous is False


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(["DATE 25/12/2018", "1/2/18"], True, id="one_clear_date"),
        pytest.param(["12/28/2017"], False, id="month_first"),
        pytest.param(["12/28/2017", "28/12/2017"], None, id="contradiction"),
        pytest.param(["05/06/2018"], None, id="silent"),
        pytest.param(["25 DEC 2018", "2018-12-25"], None, id="other_forms_show_no_order"),
        pytest.param(["07-25-12-18-3"], None, id="serial_numbers_do_not_vote"),
        pytest.param(["z = 07. 24.40 .00"], None, id="rates_and_amounts_do_not_vote"),
        pytest.param(["07.24.40"], False, id="short_years_do"),
        pytest.param([], None, id="no_text"),
    ],
)
def test_infer_day_first(lines: list[str], expected: bool | None) -> None:
    assert infer_day_first(lines) is expected


def test_short_years_follow_the_reference_year() -> None:
    assert (full_year(18), full_year(46), full_year(47)) == (2018, 2046, 1947)
    found = [find_dates(text, day_first=True)[0].iso for text in ("1/2/46", "1/2/47")]
    assert found == ["2046-02-01", "1947-02-01"]


@pytest.mark.parametrize(
    "form",
    [
        "{d:02}/{m:02}/{y}", "{d}-{m}-{y}", "{d}.{m}.{y}", "{y}-{m:02}-{d:02}", "{y}/{m}/{d}",
        "{d} {name} {y}", "{d}-{short}-{y}", "{name} {d}, {y}", "{short}. {d} {y}",
        "{d}th day of {name}, {y}", "{d:02}{short}{y}",
    ],
)  # fmt: skip
@given(day=DAYS, around=st.sampled_from(["{}", "DATE: {} 10:22", "({})", "x {}; y"]))
def test_round_trip(form: str, day: date, around: str) -> None:
    name = MONTHS.split()[day.month - 1]
    written = form.format(y=day.year, m=day.month, d=day.day, name=name, short=name[:3].upper())
    assert only(around.format(written)) == (written, day.isoformat())


@given(day=DAYS, day_first=st.booleans())
def test_short_years_round_trip(day: date, day_first: bool) -> None:
    a, b = (day.day, day.month) if day_first else (day.month, day.day)
    text = f"{a:02}/{b:02}/{day.year % 100:02}"
    (reading,) = find_dates(text, day_first=day_first)
    assert reading.iso == day.isoformat()


@given(day=DAYS)
def test_the_order_is_inferred_exactly_where_it_shows(day: date) -> None:
    found = infer_day_first([f"{day.day}/{day.month}/{day.year}"])
    assert found is (True if day.day > 12 else None)


@given(st.text(alphabet="0123456789/-. :MAYmar,thdo'", max_size=60), st.none() | st.booleans())
def test_readings_lie_in_the_text_in_order(text: str, day_first: bool | None) -> None:
    position = 0
    for reading in find_dates(text, day_first=day_first):
        assert position <= reading.start < reading.end <= len(text)
        assert reading.ambiguous == bool(reading.alternatives)
        date.fromisoformat(reading.iso if len(reading.iso) == 10 else reading.iso + "-01")
        position = reading.end


def test_months_are_numbered_1_to_12_in_every_language() -> None:
    months = month_numbers()
    assert {months[name] for name in ("ogos", "agosto", "august", "août", "augustus")} == {8}
    assert set(months.values()) == set(range(1, 13))


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        "1/",
        "1",
        "may ",
        "1 may ",
        "may 1, ",
        " ",
        "_",
        "1-1-",
        "2018-",
        "12 12 ",
        "may_",
        "a",
        "Q",
        "Q3 ",
        "3T",
        "平成",
        "2018年",
        "week ",
        "listopada ",
    ],
)
def test_adversarial_text_returns(piece: str) -> None:
    text = (piece * 60_000)[:60_000]
    assert all(reading.iso for reading in find_dates(text, day_first=None))
    assert infer_day_first([text]) is None
