"""Fitted confidences against brute force, and what they promise whatever the sample."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.answers.calibration import Calibration, FieldCalibration
from pipeline.answers.resolve import Answer
from pipeline.values.schema import FieldSpec, Kind
from tests.training.scoring.judgements import judged_of, pairs, samples, value_of
from training.scoring.calibrate import answer_threshold, fit, platt, review_threshold
from training.scoring.confidence import Judged

TOTAL = FieldSpec("total", Kind.AMOUNT)
PARTY = FieldSpec("party", Kind.NAME, many=True)


@given(samples, st.lists(st.floats(0, 1), min_size=2, max_size=10))
def test_fitted_probabilities_rise_with_the_score(judged: Judged, scores: list[float]) -> None:
    slope, intercept = platt(judged)
    assert slope > 0
    assert math.isfinite(intercept)
    tuned = FieldCalibration(slope, intercept)
    found = [tuned.probability(score) for score in sorted(scores)]
    assert found == sorted(found)
    assert all(0 <= value <= 1 for value in found)


def _penalised(judged: Judged, slope: float, intercept: float) -> float:
    """Negative log likelihood with the pull towards slope 1 and intercept 0."""
    loss = (slope - 1) ** 2 + intercept**2
    for score, right in zip(judged.confidence, judged.right, strict=True):
        clipped = min(max(float(score), 1e-6), 1 - 1e-6)
        logit = slope * math.log(clipped / (1 - clipped)) + intercept
        loss += math.log1p(math.exp(-logit if right else logit))
    return loss


@given(samples)
def test_fit_is_the_most_likely_one(judged: Judged) -> None:
    slope, intercept = platt(judged)
    best = _penalised(judged, slope, intercept)
    for step in (1e-1, 1e-2):
        for down, along in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)):
            other = max(slope + step * down, 0.05), intercept + step * along
            assert _penalised(judged, *other) >= best - 1e-6


def test_too_sure_scores_are_lowered_and_too_shy_ones_raised() -> None:
    boastful = platt(judged_of(*[(0.99, index % 2 == 0) for index in range(200)]))
    assert FieldCalibration(*boastful).probability(0.99) == pytest.approx(0.5, abs=0.05)
    shy = platt(judged_of(*[(0.5, index % 10 != 0) for index in range(200)]))
    assert FieldCalibration(*shy).probability(0.5) == pytest.approx(0.9, abs=0.05)


def test_scores_that_mean_the_opposite_are_worth_the_share_that_is_right() -> None:
    items = [(0.6, True)] * 50 + [(0.99, False)] * 50
    tuned = FieldCalibration(*platt(judged_of(*items)))
    assert tuned.probability(0.99) == pytest.approx(0.5, abs=0.05)


def test_small_clean_sample_claims_no_certainty() -> None:
    tuned = FieldCalibration(*platt(judged_of((0.9, True), (0.95, True), (0.99, True))))
    assert tuned.probability(0.95) < 0.995


@given(st.lists(pairs, min_size=20, max_size=60))
def test_threshold_is_the_lowest_that_accepts_few_faults(items: list[tuple[float, bool]]) -> None:
    def wrong_from(threshold: float) -> float:
        accepted = [right for value, right in items if value >= threshold]
        return accepted.count(False) / len(accepted)

    good = [value for value, _ in items if wrong_from(value) <= 0.05]
    assert review_threshold(judged_of(*items)) == (min(good) if good else 1.0)


def test_threshold_of_few_answers_is_the_default() -> None:
    few = judged_of(*[(0.2, True)] * 19)
    assert review_threshold(few) == FieldCalibration().review_threshold
    assert review_threshold(judged_of(*[(0.2, True)] * 20)) == 0.2


def test_fields_are_fitted_each_for_itself() -> None:
    answers: dict[str, dict[str, Answer]] = {
        str(index): {"total": value_of("9.00" if index % 2 else "1.00", 0.95), "party": []}
        for index in range(40)
    }
    labels = {name: {"total": ("9.00",), "party": ()} for name in answers}
    found = fit(answers, labels, [TOTAL, PARTY], styles={"party": {"\n": ", "}}, source="a test")
    assert set(found.fields) == {"total"}
    assert found.of("total").probability(0.95) == pytest.approx(0.5, abs=0.06)
    assert found.of("party") == FieldCalibration()
    assert (found.styles, found.source) == ({"party": {"\n": ", "}}, "a test")
    assert Calibration.from_json(found.to_json()) == found


def test_one_threshold_serves_all_fields() -> None:
    """Answers of a field that are mostly wrong are held back, though it would have more F1."""
    answers: dict[str, dict[str, Answer]] = {
        str(index): {"total": value_of("9.00", 0.99), "party": [value_of("ACME", 0.1)]}
        for index in range(60)
    }
    labels = {
        name: {"total": ("9.00",), "party": ("Acme" if int(name) < 10 else "Bolt",)}
        for name in answers
    }
    found = fit(answers, labels, [TOTAL, PARTY], styles={}, source="a test", doubtful=("total",))
    least = found.of("total").answer_threshold
    assert found.of("party").answer_threshold == least
    assert found.of("party").probability(0.1) < least < found.of("total").probability(0.99)
    assert found.doubtful == ("total",)


def _f1(judged: Judged, labelled: int, threshold: float) -> float:
    given = judged.right[judged.confidence >= threshold]
    return float(2 * given.sum() / max(len(given) + labelled, 1))


@given(st.lists(pairs, min_size=20, max_size=60), st.integers(0, 20))
def test_answer_threshold_has_the_best_f1(items: list[tuple[float, bool]], unfound: int) -> None:
    judged = judged_of(*items)
    labelled = int(judged.right.sum()) + unfound
    threshold = answer_threshold(judged, labelled)
    best = max(_f1(judged, labelled, other) for other in {0.0, *judged.confidence.tolist()})
    assert _f1(judged, labelled, threshold) == pytest.approx(best)
    assert 0 <= threshold <= 1


def test_answers_that_help_are_all_given() -> None:
    judged = judged_of(*[(0.3, True)] * 15, *[(0.2, False)] * 2, *[(0.1, True)] * 8)
    assert answer_threshold(judged, 25) == 0.0


def test_fields_that_are_mostly_absent_are_answered_where_it_is_likely() -> None:
    judged = judged_of(*[(0.9, True)] * 10, *[(0.4, False)] * 30)
    assert answer_threshold(judged, 10) == pytest.approx(0.65)
    assert answer_threshold(judged_of((0.9, True), (0.1, False)), 1) == 0.0  # too few to tell
