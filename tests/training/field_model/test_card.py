"""What a card says of confidences, and how another text takes its place."""

from __future__ import annotations

from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.values.schema import FieldSpec, Kind
from training.field_model.card import confidence_section, with_confidence
from training.scoring import score
from training.scoring.calibrate import NEVER, Given
from training.scoring.cases import Case
from training.scoring.report import short_table

FIELDS = (FieldSpec("total", Kind.AMOUNT), FieldSpec("company", Kind.NAME))


def _given(
    field: str, reading: str, *, right: bool, marked: bool, first: bool | None = None
) -> Given:
    case = Case(field, "1", reading, 0, 0.9, {}, right, True)
    return Given(case, 0.9, marked, right if first is None else first)


def test_a_field_that_cannot_keep_to_the_error_is_named() -> None:
    calibration = Calibration(
        {
            "total": FieldCalibration(review_threshold=0.8),
            "company": FieldCalibration(review_threshold=NEVER),
        },
        error=0.02,
    )
    given = [
        _given("total", "gold", right=True, marked=False),
        _given("company", "gold", right=False, marked=True),
        _given("total", "own", right=True, marked=True),
    ]
    section = confidence_section(calibration, given, FIELDS)
    assert "at most 2% of them are wrong" in section
    assert "for company: every value of it is marked" in section
    gold, own = section.partition("own transcription:")[::2]
    assert "| total | 1 | 1.000 |" in gold
    assert "100.0% (0.0% wrong)" in gold
    assert "100.0% (0.0% wrong)" not in own.partition("| at 5% errors |")[0]


def test_what_ranking_twice_brings_is_said_where_it_is_done() -> None:
    given = [
        _given("total", "own", right=True, marked=False, first=False),
        _given("total", "own", right=True, marked=False),
        _given("company", "own", right=False, marked=False),
    ]
    plain = Calibration({"total": FieldCalibration()})
    assert "ranked twice" not in confidence_section(plain, given, FIELDS)
    ranked = Calibration({"total": FieldCalibration(ranking={"score": 1.0})})
    section = confidence_section(ranked, given, FIELDS)
    assert "of the 3 given, 1 would be right by the scores alone, 2 are." in section


def test_fields_are_scored_by_value_as_in_the_report_of_a_training() -> None:
    day = FieldSpec("day", Kind.DATE, day_first=True)
    scores = score({"a": {"day": ["03.04.2020"]}}, {"a": {"day": ["2020-04-03"]}}, [day])
    head, _, row = short_table({"own": scores}, [day]).splitlines()
    assert head == "|  | exact | lenient | normalised | normalised, 95% | day |"
    assert row == "| own | 0.000 | 0.000 | 1.000 | 0.159 to 1.000 | 1.000 |"


def test_a_field_without_any_value_held_out_is_told_from_one_that_is_right() -> None:
    found = {"a": {"total": ["1.00"]}, "b": {"total": ["2.00"]}}
    row = short_table({"own": score(found, found, FIELDS)}, FIELDS).splitlines()[2]
    assert row.endswith("| 1.000 | none held out |")
    wrong = {"a": {"company": ["Shop"]}}
    row = short_table({"own": score(wrong, {"a": {}}, FIELDS)}, FIELDS).splitlines()[2]
    assert row.endswith("| none held out | 0.000 |")


def test_nothing_held_out_is_said() -> None:
    assert "not calibrated" in confidence_section(Calibration(), [], FIELDS)


def test_another_text_takes_the_place_of_the_first() -> None:
    card = "# a 1.0.0\n\n## Data\n\nMuch.\n\n## Model\n\nSmall.\n"
    once = with_confidence(card, "Sure.")
    assert once == "# a 1.0.0\n\n## Data\n\nMuch.\n\n## Confidence\n\nSure.\n\n## Model\n\nSmall.\n"
    assert with_confidence(once, "Surer.") == once.replace("Sure.", "Surer.")
    assert with_confidence("# a\n", "Sure.") == "# a\n\n## Confidence\n\nSure.\n"
