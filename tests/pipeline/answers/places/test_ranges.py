"""The end of a range: after its beginning, and beside it where one stands there."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

START = FieldSpec("start", Kind.DATE, day_first=True)
END = FieldSpec("end", Kind.DATE, day_first=True, range_start="start")
TEXT = "From 05/03/2020 - 09/03/2020 of 31/03/2020 or 01/02/2020"


def _resolved(
    *ends: tuple[int, float], text: str = TEXT, calibration: Calibration | None = None
) -> FieldValue | None:
    spans = [Span("start", 1, 2, (0.9,)), *(Span("end", at, at + 1, (p,)) for at, p in ends)]
    found = resolve_all(
        document_of(text), spans, [START, END], calibration or Calibration()
    ).fields["end"]
    assert not isinstance(found, list)
    return found


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        pytest.param([(5, 0.9), (3, 0.5)], "2020-03-09", id="beside_the_beginning"),
        pytest.param([(5, 0.9), (3, 0.2)], "2020-03-31", id="hardly_tagged_beside_it"),
        pytest.param([(7, 0.9), (5, 0.6)], "2020-03-31", id="not_before_the_beginning"),
        pytest.param([(7, 0.9)], "2020-03-09", id="nothing_tagged_but_a_date_before_it"),
    ],
)
def test_end_of_a_range(ends: list[tuple[int, float]], expected: str | None) -> None:
    found = _resolved(*ends)
    assert (found and found.value) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("From 05/03/2020 to 09/03/2020 of 2021", "2020-03-09", id="to"),
        pytest.param("From 05/03/2020 – 09/03/2020", "2020-03-09", id="dash_at_the_end"),
        pytest.param("From 05/03/2020 thru Mar 9, 2020 12:30", "2020-03-09", id="words"),
        pytest.param("From 05/03/2020 THROUGH 9 March 2020.", "2020-03-09", id="day_first"),
        pytest.param("From 05/03/2020 - 04/03/2020", None, id="before_the_beginning"),
        pytest.param("From 05/03/2020 , 09/03/2020", None, id="a_list"),
        pytest.param("From 05/03/2020 to 2021", None, id="no_whole_date"),
        pytest.param("From 05/03/2020 to be agreed", None, id="no_date"),
        pytest.param("From 05/03/2020 to", None, id="nothing_behind"),
        pytest.param("From 05/03/2020", None, id="nothing"),
    ],
)
def test_an_end_that_nobody_tagged_is_read_behind_the_beginning(
    text: str, expected: str | None
) -> None:
    found = _resolved(text=text)
    assert (found and found.value) == expected
    if found is not None:
        assert found.confidence == pytest.approx(0.9)


def test_what_was_surely_tagged_comes_before_what_was_not() -> None:
    found = _resolved((5, 0.5))
    assert found is not None
    assert found.value == "2020-03-31"
    assert found.candidates == []
    guess = _resolved((5, 0.4), (3, 0.1))
    assert guess is not None
    assert guess.value == "2020-03-09"
    assert guess.confidence == pytest.approx(0.9)  # the beginning's, not what was thought of it
    assert [candidate.value for candidate in guess.candidates] == ["2020-03-31"]
    words = "From 05/03/2020 - 09/03/2020"
    spans = [Span("start", 1, 2, (0.9,)), Span("other", 3, 4, (0.9,))]
    other = FieldSpec("other", Kind.DATE, day_first=True)
    answer = resolve_all(document_of(words), spans, [START, END, other], Calibration()).fields
    assert answer["end"] is None  # it is another field's


def test_what_is_no_date_comes_after_all_dates() -> None:
    found = _resolved((3, 0.9), (5, 0.4), text="From 05/03/2020 - xx/yy of 31/03/2020")
    assert found is not None
    assert found.value == "2020-03-31"
    assert found.confidence > 0.1


def test_others_stay_candidates_and_take_no_confidence() -> None:
    alone, among = _resolved((3, 0.8)), _resolved((3, 0.8), (5, 0.9))
    assert alone is not None
    assert among is not None
    assert among.confidence == pytest.approx(alone.confidence)
    assert [candidate.value for candidate in among.candidates] == ["2020-03-31"]


def test_the_beginning_counts_where_it_is_not_sure_enough_to_be_given() -> None:
    calibration = Calibration({"start": FieldCalibration(answer_threshold=0.99)})
    found = _resolved((5, 0.9), (3, 0.5), calibration=calibration)
    assert found is not None
    assert found.value == "2020-03-09"


def test_month_without_a_day_is_not_before_its_days() -> None:
    found = _resolved((3, 0.9), text="From 05/03/2020 until March/2020 x")
    assert found is not None
    assert found.value == "2020-03"


@given(
    st.dates(date(2001, 1, 1), date(2049, 12, 31)), st.dates(date(2001, 1, 1), date(2049, 12, 31))
)
def test_no_range_ends_before_it_begins(first: date, other: date) -> None:
    text = f"{first:%d/%m/%Y} x {other:%d/%m/%Y}"
    spans = [Span("start", 0, 1, (0.9,)), Span("end", 2, 3, (0.9,))]
    found = resolve_all(document_of(text), spans, [START, END], Calibration()).fields["end"]
    assert (found is None) == (other < first)
