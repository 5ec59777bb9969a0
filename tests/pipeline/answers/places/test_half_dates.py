"""What the two ends of a range have in common is written once, at its end."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

FIELDS = [
    FieldSpec("start", Kind.DATE, day_first=True),
    FieldSpec("end", Kind.DATE, day_first=True, range_start="start"),
]


def _start(text: str, words: int) -> FieldValue:
    spans = [Span("start", 1, 1 + words, (0.9,) * words)]
    found = resolve_all(document_of(text), spans, FIELDS, Calibration()).fields["start"]
    assert isinstance(found, FieldValue)
    return found


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        pytest.param("From Aug 4 – Sep 3, 2026", 2, "2026-08-04", id="the_year"),
        pytest.param("From Aug 14 – Sep 3, 2026", 2, "2026-08-14", id="a_day_like_a_year"),
        pytest.param("Van 25 maart t/m 12 april 2024", 2, "2024-03-25", id="dutch"),
        pytest.param("De 1 de março a 31 de março de 2026", 3, "2026-03-01", id="five_words"),
        pytest.param("From 3 to 7 October 2025", 1, "2025-10-03", id="the_month_too"),
        pytest.param("Vom 15.02. bis 14.03.2026", 1, "2026-02-15", id="in_figures"),
        pytest.param("Vom 03. bis 09.03.2026", 1, "2026-03-03", id="a_day_and_figures"),
        pytest.param("From 15/02 - 14/03/26", 1, "2026-02-15", id="a_short_year"),
        pytest.param("Vom 15.12. bis 14.01.2027", 1, "2026-12-15", id="over_the_new_year"),
        pytest.param("From 15/12 - 14/01/27", 1, "2026-12-15", id="over_it_in_short"),
    ],
)
def test_a_beginning_takes_from_its_end_what_it_lacks(text: str, words: int, expected: str) -> None:
    found = _start(text, words)
    assert found.value == expected
    assert found.text == " ".join(text.split()[1 : 1 + words])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("From Aug 4 , Sep 3, 2026", 2, id="a_list"),
        pytest.param("From Aug 4 – Sep 3", 2, id="an_end_without_a_year"),
        pytest.param("From Aug 4 to be agreed", 2, id="no_end"),
        pytest.param("From 31 – 28 February 2026", 1, id="no_such_day"),
        pytest.param("From Aug 4 –", 2, id="nothing"),
        pytest.param("From 06t02t20 – 06/20/20", 1, id="a_misread_date"),
    ],
)
def test_what_is_no_range_stays_as_it_is(text: str, words: int) -> None:
    assert _start(text, words).value is None


def test_a_whole_beginning_is_its_own() -> None:
    assert _start("From 4 Aug 2025 – Sep 3, 2026", 3).value == "2025-08-04"


@pytest.mark.parametrize("field", ["start", "end"])
@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        pytest.param("from 6 to 24 October 2025", 3, "2025-10-06", id="day"),
        pytest.param("du 28 février au 7 mars 2026", 4, "2026-02-28", id="day_and_month"),
        pytest.param("del 28 de enero al 7 de marzo de 2026", 5, "2026-01-28", id="three_words"),
        pytest.param("vom 3. bis 7.3.2026", 3, "2026-03-03", id="figures"),
        pytest.param("van 3 t/m 7 maart 2026", 3, "2026-03-03", id="dutch"),
    ],
)
def test_a_beginning_that_nothing_is_tagged_as(
    field: str, text: str, at: int, expected: str
) -> None:
    words = len(text.split())
    spans = [Span(field, at, words, (0.9,) * (words - at))]
    found = resolve_all(document_of(text), spans, FIELDS, Calibration()).fields
    start, end = found["start"], found["end"]
    assert isinstance(start, FieldValue)
    assert isinstance(end, FieldValue)
    assert start.value == expected
    assert end.text == " ".join(text.split()[at:])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Due by 24 October 2025", id="nothing_joined"),
        pytest.param("Rooms 6 and 24 October 2025", id="another_word_between"),
        pytest.param("Article 1200 to 24 October 2025", id="a_number_that_is_no_day"),
        pytest.param("from 31 to 24 February 2025", id="no_such_day"),
        pytest.param("6 |to 24 October 2025", id="another_line"),
        pytest.param("Instalment 6 – 24 October 2025", id="a_dash"),
    ],
)
def test_nothing_begins_where_there_is_no_range(text: str) -> None:
    words = text.replace("|", "").split()
    spans = [Span("end", len(words) - 3, len(words), (0.9,) * 3)]
    assert resolve_all(document_of(text), spans, FIELDS, Calibration()).fields["start"] is None
