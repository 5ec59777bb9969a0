"""Dates, IBANs and numbers that the tagger took in part are whole.

A date without a day is looked at.
"""

from __future__ import annotations

import time

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.confidence.signs import Habit
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.whole_values import with_whole_values
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

DATE = FieldSpec("date", Kind.DATE)
OTHER = FieldSpec("number", Kind.IDENTIFIER)


def _resolved(
    text: str, first: int, end: int, *others: Span, calibration: Calibration | None = None
) -> FieldValue:
    scores = (0.95,) * (end - first)
    spans = [Span("date", first, end, scores), *others]
    sure = Calibration({"date": FieldCalibration(review_threshold=0.0)})
    found = resolve_all(document_of(text), spans, [DATE, OTHER], calibration or sure)
    value = found.fields["date"]
    assert isinstance(value, FieldValue)
    return value


@pytest.mark.parametrize(
    ("text", "first", "end", "expected", "printed"),
    [
        pytest.param("CLOSED 24 Mar 2018 09:58", 2, 4, "2018-03-24", "24 Mar 2018", id="day"),
        pytest.param("on 24 November 2017 - 4", 1, 3, "2017-11-24", "24 November 2017", id="year"),
        pytest.param("due 3rd of May 2018", 3, 5, "2018-05-03", "3rd of May 2018", id="two_words"),
        pytest.param("on May 3 2018 at", 2, 3, "2018-05-03", "May 3 2018", id="both_sides"),
        pytest.param(
            "a lease to | end on May 3, | 2018.", 5, 7, "2018-05-03", "May 3, 2018", id="line_end"
        ),
        pytest.param(
            "5 march       K12 paid | 2018       4711",
            0,
            2,
            "2018-03-05",
            "5 march 2018",
            id="below",
        ),
        pytest.param("24 – Mar 2018 at", 2, 4, "2018-03-24", "24 – Mar 2018", id="a_dash"),
    ],
)
def test_words_beside_a_part_of_a_date_make_it_whole(
    text: str, first: int, end: int, expected: str, printed: str
) -> None:
    value = _resolved(text, first, end)
    assert (value.value, value.text) == (expected, printed)
    assert not value.needs_review


def test_dates_of_two_narrow_boxes_are_each_whole() -> None:
    """The tagger took each box's second line for the other date's."""
    text = "25 May         20 | 2016         June 2017"
    due = FieldSpec("due", Kind.DATE)
    tagged = [("date", 0, 2), ("due", 2, 3), ("due", 3, 4), ("date", 4, 6)]
    spans = [Span(name, start, end, (0.9,) * (end - start)) for name, start, end in tagged]
    found = resolve_all(document_of(text), spans, [DATE, due], Calibration()).fields
    values = [found[name] for name in ("date", "due")]
    assert [isinstance(one, FieldValue) and one.value for one in values] == [
        "2016-05-25",
        "2017-06-20",
    ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        pytest.param("due Mar 2018 | 24 pieces", 1, id="a_number_below"),
        pytest.param("Table | 24 | Mar 2018", 2, id="in_the_line_above"),
        pytest.param("Quantity 24      Mar 2018", 2, id="in_another_column"),
        pytest.param("less 24% Mar 2018", 2, id="a_percentage"),
        pytest.param("Table 45 Mar 2018", 2, id="no_day"),
        pytest.param("Sale of Mar 2018 only", 2, id="no_number"),
    ],
)
def test_a_date_that_nothing_beside_it_completes_is_looked_at(text: str, first: int) -> None:
    value = _resolved(text, first, first + 2)
    assert value.value == "2018-03"
    assert value.normalisation.precision == "month"
    assert value.needs_review


def test_a_word_of_another_field_is_no_part_of_a_date() -> None:
    value = _resolved("Table 24 Mar 2018", 2, 4, Span("number", 1, 2, (0.9,)))
    assert value.value == "2018-03"


def test_a_whole_date_takes_nothing_in() -> None:
    value = _resolved("12 24 Mar 2018 2019", 1, 4)
    assert (value.value, value.text) == ("2018-03-24", "24 Mar 2018")


def test_months_are_as_sure_as_other_dates_where_labels_look_like_them() -> None:
    habit = Habit.of([("a", "Mar 2018"), ("b", "May 2019")], Kind.DATE)
    calibration = Calibration({"date": FieldCalibration(review_threshold=0.0, habit=habit)})
    value = _resolved("Sale of Mar 2018 only", 2, 4, calibration=calibration)
    assert value.value == "2018-03"
    assert not value.needs_review


def _account(text: str, first: int, end: int) -> FieldValue:
    spec = FieldSpec("account", Kind.IBAN)
    spans = [Span("account", first, end, (0.95,) * (end - first))]
    value = resolve_all(document_of(text), spans, [spec], Calibration()).fields["account"]
    assert isinstance(value, FieldValue)
    return value


def test_groups_beside_a_part_of_an_account_make_it_whole() -> None:
    text = "IBAN DE22 3706 0193 0022 4180 75 at a bank"
    assert _account(text, 1, 6).value == "DE22370601930022418075"
    assert _account(text, 2, 4).value == "DE22370601930022418075"
    assert _account(text.replace("75", "76"), 1, 6).value is None


TAX = FieldSpec("tax", Kind.TAX_ID, country="GB")


def _tax_id(text: str, *spans: Span, spec: FieldSpec = TAX) -> FieldValue:
    value = resolve_all(document_of(text), list(spans), [spec], Calibration()).fields["tax"]
    assert isinstance(value, FieldValue)
    return value


def test_a_tax_number_takes_in_the_group_that_its_check_digits_want() -> None:
    part = Span("tax", 1, 3, (0.9, 0.9))
    assert _tax_id("VAT 980 7806 84 of a shop", part).text == "980 7806 84"
    assert _tax_id("VAT 980 7806 85 of a shop", part).text == "980 7806"


def test_two_tax_numbers_of_a_field_with_many_stay_two() -> None:
    spec = FieldSpec("tax", Kind.TAX_ID, many=True)
    spans = [Span("tax", 0, 2, (0.9, 0.9)), Span("tax", 2, 4, (0.9, 0.9))]
    document = document_of("GB 980780684 | DE 136695976")
    found = resolve_all(document, spans, [spec], Calibration()).fields["tax"]
    assert isinstance(found, list)
    assert [value.value for value in found] == ["GB980780684", "DE136695976"]


def test_a_page_of_words_tagged_as_a_tax_number_is_read_in_no_time() -> None:
    words = 6000
    evidence = Evidence.of(document_of("x1 " * words), [Span("tax", 0, words, (0.9,) * words)])
    begin = time.process_time()
    assert with_whole_values(evidence, [TAX]).spans == list(evidence.spans)
    assert time.process_time() - begin < 0.5


@pytest.mark.parametrize(
    ("text", "given"),
    [
        pytest.param("0333 000 7714", False, id="a_telephone_number"),
        pytest.param("0388215600010001480377000138757 00000000004", False, id="too_long"),
        pytest.param("DE22 3706 0193 0022 4180 76", True, id="wrong_check_digits"),
        pytest.param("2711402004000030020135 5387", True, id="without_its_country"),
    ],
)
def test_what_is_as_long_as_no_account_is_none(text: str, given: bool) -> None:
    words = len(text.split())
    spans = [Span("account", 0, words, (0.95,) * words)]
    fields = [FieldSpec("account", Kind.IBAN)]
    found = resolve_all(document_of(text), spans, fields, Calibration()).fields["account"]
    assert (found is not None) is given


ACCOUNT = FieldSpec("account", Kind.IBAN)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "Oak Ltd         DE22 3706 0193 0022 | Ann Ode         4180 75",
            "DE22370601930022418075",
            id="in_its_column",
        ),
        pytest.param(
            "Oak Ltd    IBAN DE22 3706 0193 0022 | Ann Ode    4180 75",
            "DE22370601930022418075",
            id="below_its_caption",
        ),
        pytest.param(
            "Oak Ltd         DE22 3706 0193 0022 | Ann Ode         4180 76",
            None,
            id="wrong_check_digits",
        ),
    ],
)
def test_a_number_goes_on_below_where_its_check_digits_are_then_right(
    text: str, expected: str | None
) -> None:
    document = document_of(text)
    words = [token.text for _, token in document.words()]
    first = words.index("DE22")
    spans = [Span("account", first, first + 4, (0.95,) * 4)]
    value = resolve_all(document, spans, [ACCOUNT], Calibration()).fields["account"]
    assert (value.value if isinstance(value, FieldValue) else None) == expected


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        pytest.param(0.05, "DE22370601930022418075", id="hardly"),
        pytest.param(0.95, None, id="surely"),
    ],
)
def test_an_account_goes_on_in_words_that_are_hardly_another_value(
    score: float, expected: str | None
) -> None:
    spans = [Span("account", 0, 4, (0.95,) * 4), Span("number", 4, 6, (score, score))]
    document = document_of("DE22 3706 0193 0022 | 4180 75.")
    value = resolve_all(document, spans, [ACCOUNT, OTHER], Calibration()).fields["account"]
    assert isinstance(value, FieldValue)
    assert value.value == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        pytest.param("NL 643 011 | 572B69", "NL 643 011 572B69", id="with_its_country"),
        # Ten digits are a German tax number, which has no check digits here.
        pytest.param("1234 5678 | 12 Rosen", "1234 5678", id="without_it"),
    ],
)
def test_a_tax_number_goes_on_below_only_with_its_country(number: str, expected: str) -> None:
    document = document_of(number, "Rechnung | 10115 Berlin, Deutschland | USt")
    count = len(number.partition(" | ")[0].split())
    spans = [Span("vat", 0, count, (0.95,) * count)]
    field = FieldSpec("vat", Kind.TAX_ID)
    value = resolve_all(document, spans, [field], Calibration()).fields["vat"]
    assert isinstance(value, FieldValue)
    assert value.text.replace("\n", " ") == expected
