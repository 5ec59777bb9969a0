"""Signs beside the score: what they are of a value, and what they learn from labels."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.confidence.signs import SIGNS, Habit, Signs, shape_of
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.rendering import Basis
from pipeline.answers.resolve import offered, resolve_all
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import document_of

TOTAL = FieldSpec("total", Kind.AMOUNT)
COMPANY = FieldSpec("company", Kind.NAME)
DOCUMENT = document_of("ACME SDN BHD | TOTAL RM 9.00 | CASH RM 9.00 | CHANGE 1.00")
TOTAL_AT, CASH_AT, CHANGE_AT = 5, 8, 10


def _signs(*spans: Span, spec: FieldSpec = TOTAL, habit: Habit | None = None) -> Signs:
    calibration = Calibration({spec.name: FieldCalibration(habit=habit)})
    offers = offered(Basis([spec], Evidence.of(DOCUMENT, spans), calibration, fit=0.9))
    return offers[spec.name][0].signs


def _at(index: int, score: float = 0.9, field: str = "total") -> Span:
    return Span(field, index, index + 1, (score,))


def test_a_value_far_above_the_next_has_a_margin() -> None:
    alone = _signs(_at(TOTAL_AT))["margin"]
    close = _signs(_at(TOTAL_AT), _at(CHANGE_AT, 0.85))["margin"]
    assert alone > 1 > 0.1 > close > 0


def test_places_print_and_caption_are_told() -> None:
    one, two = _signs(_at(TOTAL_AT)), _signs(_at(TOTAL_AT), _at(CASH_AT))
    assert one["places"] == 0.0
    assert two["places"] == pytest.approx(math.log(2))
    assert one["printed"] == pytest.approx(math.log(2))  # the cash is printed, tagged or not
    assert one["caption"] == 1.0
    assert _signs(_at(CHANGE_AT))["caption"] == 0.0


def test_a_weak_word_shows_below_the_geometric_mean() -> None:
    even = _signs(Span("company", 0, 3, (0.8, 0.8, 0.8)), spec=COMPANY)["least"]
    weak = _signs(Span("company", 0, 3, (0.999, 0.999, 0.5)), spec=COMPANY)["least"]
    assert weak < even


def test_whole_lines_are_told_from_parts() -> None:
    whole = _signs(Span("company", 0, 3, (0.9,) * 3), spec=COMPANY)["whole"]
    part = _signs(Span("company", 0, 2, (0.9,) * 2), spec=COMPANY)["whole"]
    assert (whole, part) == (1.0, 0.5)


def test_what_labels_look_like_is_learnt() -> None:
    labels = [(f"shop {n}", f"SHOP{n} SDN BHD") for n in range(8)] + [("odd", "THE ODD")]
    habit = Habit.of(labels, Kind.NAME)
    assert habit is not None
    assert set(habit.endings) == {"bhd"}  # "odd" is one issuer's, and says who it is
    usual, odd = habit.signs("OTHER SDN BHD", Kind.NAME), habit.signs("X" * 60, Kind.NAME)
    assert usual["ending"] > odd["ending"] == 0.0
    assert usual["length"] > odd["length"]
    dates = Habit.of([("a", "12/05/2018"), ("b", "1/6/2018")], Kind.DATE)
    assert dates is not None
    assert dates.signs("3/4/2019", Kind.DATE)["shape"] > dates.signs("3 MAY", Kind.DATE)["shape"]
    assert Habit.of([], Kind.DATE) is None


@given(st.text(max_size=30), st.sampled_from(list(Kind)))
def test_patterns_show_no_letter_and_no_digit_but_nine(text: str, kind: Kind) -> None:
    shape = shape_of(text, kind)
    assert all(c in "a9" or not (c.isalpha() or c.isdecimal()) for c in shape)


@given(st.text(min_size=1, max_size=30), st.sampled_from(list(Kind)))
def test_signs_are_finite_and_habits_survive_json(text: str, kind: Kind) -> None:
    habit = Habit.of([("a", text), ("b", "9.00")], kind)
    assert habit is not None
    assert Habit.from_json(json.loads(json.dumps(habit.to_json()))) == habit
    assert all(map(math.isfinite, habit.signs(text, kind).values()))


def test_every_sign_has_a_name_that_packages_may_weigh() -> None:
    habit = Habit.of([("a", "9.00"), ("b", "19.00")], Kind.AMOUNT)
    assert set(_signs(_at(TOTAL_AT), habit=habit)) <= set(SIGNS)
    weighed = {"total": FieldCalibration(weights={"letters": 1.0}, habit=habit)}
    calibration = Calibration(weighed, error=0.02, through={"total": 0.8})
    assert Calibration.from_json(json.loads(json.dumps(calibration.to_json()))) == calibration
    unknown = Calibration({"total": FieldCalibration(weights={"moon": 1.0})}).to_json()
    with pytest.raises(ValueError, match="moon"):
        Calibration.from_json(unknown)
    with pytest.raises(ValueError, match="version 3"):
        Calibration.from_json({**calibration.to_json(), "version": 3})


def test_packages_of_before_say_what_they_said() -> None:
    """Slope and intercept alone, without a version, are Platt's scaling."""
    item = {"slope": 2.0, "intercept": 1.0, "review_threshold": 0.9, "answer_threshold": 0.1}
    old = Calibration.from_json({"fields": {"total": item}, "styles": {}})
    [value] = resolve_all(DOCUMENT, [_at(TOTAL_AT, 0.8)], [TOTAL], old).fields.values()
    assert isinstance(value, FieldValue)
    assert value.confidence == pytest.approx(FieldCalibration(2.0, 1.0).probability(0.8), abs=1e-4)


def test_amounts_have_a_confidence_of_their_currency() -> None:
    def of(text: str, currency: str | None) -> float | None:
        document = document_of(text)
        spec = FieldSpec("total", Kind.AMOUNT, currency=currency)
        span = Span("total", len(text.split()) - 1, len(text.split()), (0.9,))
        [value] = resolve_all(document, [span], [spec], Calibration()).fields.values()
        assert isinstance(value, FieldValue)
        return value.currency_confidence

    printed, guessed = of("TOTAL EUR9.00", None), of("TOTAL 9.00", "MYR")
    assert printed is not None
    assert guessed is not None
    assert printed > 0.9 > guessed
    assert of("TOTAL 9.00", None) is None


_NUMBER = FieldSpec("number", Kind.IDENTIFIER)
_TWO_NUMBERS = document_of("Estimate 57141 | Contract 30052")
_NAMED = Habit(1.6, 0.1, names={"beside contract": 2.0, "beside estimate": -2.0})


@pytest.mark.parametrize(
    ("ranking", "first", "second"),
    [({}, "57141", "30052"), ({"score": 1.0, "named": 1.0}, "30052", "57141")],
)
def test_a_ranking_puts_the_value_first_that_its_signs_speak_for(
    ranking: dict[str, float], first: str, second: str
) -> None:
    tuned = FieldCalibration(habit=_NAMED, ranking=ranking)
    kept = Calibration({"number": tuned}).to_json()
    calibration = Calibration.from_json(json.loads(json.dumps(kept)))
    spans = [Span("number", 1, 2, (0.8,)), Span("number", 3, 4, (0.6,))]
    found = resolve_all(_TWO_NUMBERS, spans, [_NUMBER], calibration).fields["number"]
    assert isinstance(found, FieldValue)
    assert (found.text, [other.text for other in found.candidates]) == (first, [second])


def test_words_around_a_value_count_alike_in_whatever_order_a_process_has_them() -> None:
    # A sum from left to right gives 0 to 1.5 by the order of the words, which is one of hashes.
    weights = {"net": 1e16, "sum": 0.5, "of": 0.5, "all": 0.5, "paid": -1e16}
    habit = Habit(1.4, 0.1, names={f"beside {word}": weight for word, weight in weights.items()})
    document = document_of(" ".join([*weights, "9.00"]))
    evidence = Evidence.of(document, [Span("total", 5, 6, (0.9,))])
    calibration = Calibration({"total": FieldCalibration(habit=habit)})
    assert offered(Basis([TOTAL], evidence, calibration))["total"][0].signs["named"] == 0.75


def test_what_is_no_value_is_never_put_first() -> None:
    ranking = {"score": 1.0, "named": 9.0}
    habit = Habit(1.6, 0.1, names={"beside total": -2.0, "beside cash": 2.0})
    calibration = Calibration({"total": FieldCalibration(habit=habit, ranking=ranking)})
    page = document_of("TOTAL 9.00 | CASH none")
    spans = [Span("total", 1, 2, (0.6,)), Span("total", 3, 4, (0.8,))]
    found = resolve_all(page, spans, [TOTAL], calibration).fields["total"]
    assert isinstance(found, FieldValue)
    assert found.text == "9.00"


@pytest.mark.parametrize(
    ("text", "scores", "first"),
    [
        pytest.param("Quillfeather | Ashcombe Ltd", (0.9, 0.6), "Ashcombe Ltd", id="brand"),
        pytest.param("Quillfeather | Ashcombe Ltd", (0.9, 0.2), "Quillfeather", id="unsure"),
        pytest.param(
            "Quill-SL S.L. | Ashcombe Ltd", (0.9, 0.8), "Quill-SL S.L.", id="both_in_full"
        ),
        pytest.param("Quill | Ashcombe Pell", (0.9, 0.8), "Quill", id="neither_in_full"),
    ],
)
@pytest.mark.parametrize("ranking", [{}, {"score": 5.0}], ids=["unranked", "ranked"])
def test_a_company_is_named_in_full(
    text: str, scores: tuple[float, float], first: str, ranking: dict[str, float]
) -> None:
    document = document_of(text)
    count, cut = len(text.replace("|", "").split()), len(text.partition("|")[0].split())
    spans = [
        Span("vendor", 0, cut, (scores[0],) * cut),
        Span("vendor", cut, count, (scores[1],) * (count - cut)),
    ]
    spec = FieldSpec("vendor", Kind.NAME, company=True)
    calibration = Calibration({"vendor": FieldCalibration(ranking=ranking)})
    offers = offered(Basis([spec], Evidence.of(document, spans), calibration))["vendor"]
    assert offers[0].value.normalised.text == first
    brands = [replace(spec, company=False)]
    plain = offered(Basis(brands, Evidence.of(document, spans), calibration))
    assert plain["vendor"][0].value.best.start == 0


def test_a_ranking_by_a_sign_that_is_none_is_refused() -> None:
    kept = Calibration({"total": FieldCalibration(ranking={"luck": 1.0})}).to_json()
    with pytest.raises(ValueError, match="unknown signs: luck"):
        Calibration.from_json(kept)
