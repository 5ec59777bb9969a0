"""Captions tell names that the tagger missed, is not sure of, or has a part of."""

from __future__ import annotations

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

FIELDS = (
    FieldSpec("buyer", Kind.NAME, captions=("Client", "Client name", "On behalf of", "Sold to")),
    FieldSpec(
        "law",
        Kind.NAME,
        captions=("by the laws of", "by the laws of the State of", "governed by … law"),
    ),
    FieldSpec("number", Kind.IDENTIFIER, captions=("Booking ref", "Client no")),
)
UNSURE = Calibration({name: FieldCalibration(answer_threshold=0.35) for name in ("buyer", "law")})


def _value(text: str, field: str, *spans: Span) -> FieldValue | None:
    found = resolve_all(document_of(text, columns=90), list(spans), FIELDS, UNSURE).fields[field]
    return found if isinstance(found, FieldValue) else None


def _text(text: str, field: str, *spans: Span) -> str | None:
    value = _value(text, field, *spans)
    return None if value is None else value.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Client: Fern Hollow Heating & Air", "Fern Hollow Heating & Air", id="beside"),
        pytest.param("CLIENT     Fern Hollow      Agency", "Fern Hollow", id="between_gaps"),
        pytest.param("On behalf of   Marlow Exchange", "Marlow Exchange", id="of_several_words"),
        pytest.param(
            "Client name      Agency name | Fern Hollow      Tern & Wade", "Fern Hollow", id="above"
        ),
        pytest.param(
            "Sold to      Bill to | Fern Hollow      Tern & Wade", "Fern Hollow", id="two_captions"
        ),
        pytest.param(
            "Client             Fern Hollow | Booking ref        SS-118",
            "Fern Hollow",
            id="over_another",
        ),
        pytest.param("Client: Fern Hollow | Client: Smith Ltd", None, id="two_names"),
        pytest.param("Client: Fern Hollow | Client: FERN HOLLOW", "Fern Hollow", id="one_twice"),
        pytest.param("for the client Fern Hollow pays", None, id="among_other_words"),
        pytest.param("Client: | pays within thirty days of the invoice.", None, id="a_sentence"),
        pytest.param("Client: 4711", None, id="a_number"),
        pytest.param("Client: Fern Hollow Agency: Tern", None, id="another_caption_behind"),
    ],
)
def test_name_at_a_caption_is_given(text: str, expected: str | None) -> None:
    assert _text(text, "buyer") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("governed by the laws of Ontario and", "Ontario", id="to_a_small_word"),
        pytest.param("by the laws | of Ontario, Canada", "Ontario", id="over_a_line_to_a_comma"),
        pytest.param(
            "by the laws of England and Wales whose", "England and Wales", id="joined_by_and"
        ),
        pytest.param(
            "by the laws of the District of Columbia, which",
            "District of Columbia",
            id="an_article",
        ),
        pytest.param(
            "by the laws of British Columbia and of Canada", "British Columbia", id="two_of_them"
        ),
        pytest.param("by the laws of the State of New York and", "New York", id="two_captions"),
        pytest.param("by the laws of the country", None, id="no_name"),
        pytest.param("by the laws of A B C D E F G H", None, id="a_heading"),
        pytest.param("by the laws of Ontario Date: 4 May", "Ontario", id="to_a_caption"),
        pytest.param("as said by the laws of. If so", None, id="behind_a_full_stop"),
        pytest.param("is governed by German law and", "German law", id="a_caption_around_it"),
        pytest.param("governed by New Zealand | law, as", "New Zealand law", id="around_two_lines"),
        pytest.param("governed by German courts", None, id="another_word_behind"),
        pytest.param("is governed by the law", None, id="no_name_between"),
    ],
)
def test_name_within_a_sentence_ends_where_small_words_begin(
    text: str, expected: str | None
) -> None:
    assert _text(text, "law") == expected


def test_it_asks_for_a_look_and_says_why() -> None:
    value = _value("Client: Fern Hollow", "buyer")
    assert value is not None
    assert value.needs_review
    assert value.normalisation.reason == "Chosen because it stands at the caption 'Client:'."


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        pytest.param(0.9, "Denny Ochs", id="likely"),
        pytest.param(0.4, "Fern Hollow", id="unlikely"),
        pytest.param(0.1, "Fern Hollow", id="not_given"),
    ],
)
def test_likely_name_stays(score: float, expected: str) -> None:
    span = Span("buyer", 4, 6, (score, score))
    assert _text("Client: Fern Hollow | Sales: Denny Ochs", "buyer", span) == expected


def test_likely_name_is_whole_within_a_sentence() -> None:
    text = "by the laws of England and Wales whose"
    assert _text(text, "law", Span("law", 6, 7, (0.9,))) == "England and Wales"
    country = "by the laws of Delaware USA whose"
    assert _text(country, "law", Span("law", 4, 5, (0.9,))) == "Delaware"
    around = "governed by Kansas law and"
    assert _text(around, "law", Span("law", 2, 3, (0.9,))) == "Kansas"
    assert _text(around, "law", Span("law", 2, 3, (0.4,))) == "Kansas"
    beside = "Client: Fern Hollow 2027"
    assert _text(beside, "buyer", Span("buyer", 1, 3, (0.9, 0.9))) == "Fern Hollow"


def test_name_goes_on_below_where_the_tagger_says_so() -> None:
    span = Span("buyer", 1, 7, (0.2,) * 6)
    text = "Client: Committee to Elect | Roy Teasdale Sheriff"
    assert _text(text, "buyer", span) == "Committee to Elect Roy Teasdale Sheriff"


def test_name_that_goes_on_is_told_though_another_is_likelier() -> None:
    words = "station time on behalf of: Committee to Elect Dana Reed | Treasurer Paul Mendes"
    spans = [Span("buyer", 5, 10, (0.5,) * 5), Span("buyer", 11, 13, (0.8,) * 2)]
    calibration = Calibration({"buyer": FieldCalibration(slope=0.2, intercept=-2.0)})
    buyer = resolve_all(document_of(words), spans, FIELDS, calibration).fields["buyer"]
    assert isinstance(buyer, FieldValue)
    assert (buyer.text, buyer.needs_review) == ("Committee to Elect Dana Reed", True)
