"""Sentences tell durations: behind captions that have gaps."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.resolve import resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind, load_fields
from tests.builders import document_of

TERM = FieldSpec(
    "term",
    Kind.DURATION,
    captions=("…", "Term", "Agreement … terminate …", "Agreement … in effect …", "term is …"),
)
UNSURE = Calibration({"term": FieldCalibration(answer_threshold=0.35)})
TWO_TERMS = "This Agreement is in effect for two years. | Period of 18 months"


def _value(text: str, *spans: Span) -> FieldValue | None:
    found = resolve_all(document_of(text, columns=90), list(spans), (TERM,), UNSURE)
    value = found.fields["term"]
    return value if isinstance(value, FieldValue) else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "This Agreement shall remain in effect for three (3) years from its date.",
            "three (3) years",
            id="behind_the_last_part",
        ),
        pytest.param(
            "This Agreement shall | automatically terminate two years | after the Effective Date",
            "two years",
            id="over_lines",
        ),
        pytest.param("The term is a fixed period of 18 months.", "18 months", id="one_part"),
        pytest.param("Term     24 (twenty four) months", "24 (twenty four) months", id="a_cell"),
        pytest.param(
            "This Agreement is made by two firms. They terminate work in two years.",
            None,
            id="another_sentence",
        ),
        pytest.param(
            "This Agreement shall terminate. | For two years no staff is hired.",
            None,
            id="the_next_sentence",
        ),
        pytest.param(
            "This Agreement " + "so it is " * 6 + "in effect for two years", None, id="too_far"
        ),
        pytest.param("The restraint is in effect for two years.", None, id="of_something_else"),
        pytest.param(
            "This Agreement is in effect for two years. | "
            "This Agreement shall terminate within one year.",
            None,
            id="two_of_them",
        ),
        pytest.param(
            "This Agreement is in effect for two years. | "
            "This Agreement shall terminate in two (2) years.",
            "two years",
            id="one_twice",
        ),
        pytest.param("This Agreement shall terminate", None, id="at_the_end"),
        pytest.param(
            "This Agreement shall terminate on thirty days’ notice.", None, id="of_a_notice"
        ),
        pytest.param(
            "This Agreement is in effect until ended upon 30 days prior written notice.",
            None,
            id="of_a_notice_without_an_apostrophe",
        ),
        pytest.param(
            "This Agreement is in effect for two years, unless notice is given.",
            "two years",
            id="before_a_notice",
        ),
    ],
)
def test_duration_in_a_sentence(text: str, expected: str | None) -> None:
    value = _value(text)
    assert (None if value is None else value.text) == expected


def test_many_words_without_a_full_stop_take_linear_time() -> None:
    start = time.process_time()
    assert _value("Agreement " * 3000) is None
    assert time.process_time() - start < 5  # 20 and more where each looks for its sentence's end


def test_it_asks_for_a_look_and_says_why() -> None:
    value = _value("This Agreement shall terminate in two years.")
    assert value is not None
    assert value.needs_review
    why = "Chosen because of the words 'Agreement shall terminate'."
    assert value.normalisation.reason == why


@pytest.mark.parametrize(("score", "expected"), [(0.9, "18 months"), (0.4, "two years")])
def test_likely_duration_of_the_tagger_stays(score: float, expected: str) -> None:
    value = _value(TWO_TERMS, Span("term", 10, 12, (score, score)))
    assert value is not None
    assert value.text == expected


@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        pytest.param(
            "The term of this Agreement shall be for a period of | two (2) years unless ended",
            "term",
            "two (2) years",
            id="term",
        ),
        pytest.param(
            "all obligations hereunder shall terminate | on the second anniversary",
            "term",
            "second anniversary",
            id="obligations",
        ),
        pytest.param(
            "You agree that for a period of two years you will hire nobody.",
            "term",
            None,
            id="no_term",
        ),
        pytest.param(
            "construed in accordance with English law, and", "jurisdiction", "English law", id="law"
        ),
        pytest.param("subject to applicable law. If", "jurisdiction", None, id="no_law"),
    ],
)
def test_captions_of_agreements(text: str, field: str, expected: str | None) -> None:
    fields = load_fields(Path(__file__).parents[4] / "weights" / "nda" / "fields.toml")
    found = resolve_all(document_of(text, columns=90), [], fields, Calibration()).fields[field]
    assert (found.text if isinstance(found, FieldValue) else None) == expected
