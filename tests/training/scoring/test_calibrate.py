"""Fitted confidences against brute force, and what they promise whatever the sample."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.answers.confidence.calibration import Calibration, FieldCalibration, score_logit
from pipeline.answers.confidence.signs import Habit
from pipeline.values.schema import FieldSpec, Kind
from tests.training.scoring.judgements import judged_of, pairs, samples
from training.scoring.calibrate import (
    NEVER,
    answer_threshold,
    fit,
    likeliest,
    nested,
    review_threshold,
)
from training.scoring.cases import Case, Cases
from training.scoring.confidence import Judged

TOTAL = FieldSpec("total", Kind.AMOUNT)
PARTY = FieldSpec("party", Kind.NAME, many=True)


NONE = np.array([1.0, 0.0])


def _platt(judged: Judged) -> tuple[float, float]:
    """Return slope and intercept of the scores alone."""
    rows = np.array([[score_logit(float(score)), 1.0] for score in judged.confidence])
    slope, intercept = likeliest(rows.reshape(-1, 2), judged.right, NONE, 2.0)
    return float(slope), float(intercept)


@given(samples, st.lists(st.floats(0, 1), min_size=2, max_size=10))
def test_fitted_probabilities_rise_with_the_score(judged: Judged, scores: list[float]) -> None:
    slope, intercept = _platt(judged)
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
    slope, intercept = _platt(judged)
    best = _penalised(judged, slope, intercept)
    for step in (1e-1, 1e-2):
        for down, along in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)):
            other = max(slope + step * down, 0.05), intercept + step * along
            assert _penalised(judged, *other) >= best - 1e-6


def test_too_sure_scores_are_lowered_and_too_shy_ones_raised() -> None:
    boastful = _platt(judged_of(*[(0.99, index % 2 == 0) for index in range(200)]))
    assert FieldCalibration(*boastful).probability(0.99) == pytest.approx(0.5, abs=0.05)
    shy = _platt(judged_of(*[(0.5, index % 10 != 0) for index in range(200)]))
    assert FieldCalibration(*shy).probability(0.5) == pytest.approx(0.9, abs=0.05)


def test_scores_that_mean_the_opposite_are_worth_the_share_that_is_right() -> None:
    items = [(0.6, True)] * 50 + [(0.99, False)] * 50
    tuned = FieldCalibration(*_platt(judged_of(*items)))
    assert tuned.probability(0.99) == pytest.approx(0.5, abs=0.05)


def test_small_clean_sample_claims_no_certainty() -> None:
    tuned = FieldCalibration(*_platt(judged_of((0.9, True), (0.95, True), (0.99, True))))
    assert tuned.probability(0.95) < 0.995


@given(st.lists(pairs, min_size=20, max_size=60))
def test_threshold_is_the_lowest_that_accepts_few_faults(items: list[tuple[float, bool]]) -> None:
    def wrong_from(threshold: float) -> float:
        accepted = [right for value, right in items if value >= threshold]
        return accepted.count(False) / len(accepted)

    good = [value for value, _ in items if wrong_from(value) <= 0.05]
    threshold = review_threshold(judged_of(*items), 0.05)
    # Confidences are given with four digits: thresholds are not above what they round down to.
    assert threshold == (pytest.approx(min(good), abs=1e-4) if good else NEVER)
    assert threshold <= (min(good) if good else NEVER)


def test_threshold_of_few_answers_is_the_default() -> None:
    few = judged_of(*[(0.2, True)] * 19)
    assert review_threshold(few) == FieldCalibration().review_threshold
    assert review_threshold(judged_of(*[(0.2, True)] * 20)) == 0.2


def _case(number: int, field: str, score: float, right: bool, **more: Any) -> Case:
    options: dict[str, Any] = {
        "reading": "gold",
        "part": number // 8 % 4,
        "signs": {},
        "plain": True,
    }
    return Case(field=field, document=str(number), score=score, right=right, **{**options, **more})


def _cases(found: Sequence[Case], labelled: int | None = None) -> Cases:
    count = len(found) if labelled is None else labelled
    parts = {part: count // 4 for part in range(4)}
    return Cases(tuple(found), parts)


def test_fields_are_fitted_each_for_itself() -> None:
    cases = _cases([_case(n, "total", 0.95, n % 8 < 4) for n in range(80)])
    habits = {"total": Habit(1.0, 0.5, {"9.9": 0.9})}
    found = fit(
        cases, [TOTAL, PARTY], styles={"party": {"\n": ", "}}, source="a test", habits=habits
    )
    assert set(found.fields) == {"total"}
    assert found.of("total").probability(0.95) == pytest.approx(0.5, abs=0.06)
    assert found.of("total").review_threshold == NEVER  # half of them are wrong, whatever the score
    assert found.of("party") == FieldCalibration()
    assert (found.styles, found.source) == ({"party": {"\n": ", "}}, "a test")
    assert Calibration.from_json(found.to_json()) == found


def test_one_threshold_serves_all_fields() -> None:
    """Answers of a field that are mostly wrong are held back, though it would have more F1."""
    cases = [_case(n, "total", 0.99, True) for n in range(60)]
    cases += [_case(n, "party", 0.1, n < 8) for n in range(60)]
    found = fit(_cases(cases), [TOTAL, PARTY], styles={}, source="a test", doubtful=("total",))
    least = found.of("total").answer_threshold
    assert found.of("party").answer_threshold == least
    assert found.of("party").probability(0.1) < least < found.of("total").probability(0.99)
    assert found.doubtful == ("total",)


def _told_by_a_sign(count: int) -> list[Case]:
    """Return values of one score, of which those that a sign speaks against are wrong."""
    return [
        _case(n, "total", 0.9, n % 8 != 0, signs={"letters": -1.0 if n % 8 == 0 else 0.0})
        for n in range(count)
    ]


def test_signs_rank_what_scores_cannot() -> None:
    cases = _cases(_told_by_a_sign(160))
    tuned = fit(cases, [TOTAL], styles={}, source="a test").of("total")
    right, wrong = (tuned.probability(0.9, {"letters": sign}) for sign in (0.0, -1.0))
    assert wrong < 0.3 < 0.9 < right
    # By the other folds it is known, too, that those it speaks against are better not given.
    given = nested(cases, [TOTAL])
    assert len(given) == 140
    assert all(one.case.right for one in given)


def test_nested_answers_are_judged_by_other_folds_alone() -> None:
    """What a fold's own documents say cannot change what is said of them."""
    cases = _told_by_a_sign(160)
    turned = [dataclasses.replace(c, right=not c.right) if c.part == 2 else c for c in cases]
    before, after = (
        [one.confidence for one in nested(_cases(some), [TOTAL], error=0.5) if one.case.part == 2]
        for some in (cases, turned)
    )
    assert before
    assert before == after


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.booleans()), min_size=40, max_size=80))
def test_what_is_marked_is_never_surer_than_what_is_not(items: list[tuple[float, bool]]) -> None:
    cases = _cases([_case(n, "total", score, right) for n, (score, right) in enumerate(items)])
    tuned = fit(cases, [TOTAL], styles={}, source="a test").of("total")
    assert tuned.review_threshold >= tuned.answer_threshold


def test_nested_answers_are_those_that_the_other_folds_calibration_gives() -> None:
    """Also of a field that a single fold has: one issuer alone prints it."""
    total = [_case(n, "total", 0.99 if n % 4 else 0.3, bool(n % 4)) for n in range(160)]
    party = [_case(n, "party", score, True) for n, score in enumerate([0.2, 0.6, 0.85, 0.95])]
    cases = _cases([*total, *party])
    rest = fit(cases.of([1, 2, 3]), [TOTAL, PARTY], styles={}, source="the others")
    assert rest.of("total").answer_threshold > 0.2
    found = {
        (one.case.field, one.case.score): (one.confidence, one.marked)
        for one in nested(cases, [TOTAL, PARTY])
        if one.case.part == 0
    }
    known = {field: rest.of(field) for field in ("total", "party")}
    assert found == {
        (case.field, case.score): (p, known[case.field].needs_review(p))
        for case in cases.of([0]).found
        if (p := known[case.field].probability(case.score)) >= known[case.field].answer_threshold
    }
    assert [found["party", score][1] for score in (0.2, 0.6, 0.85, 0.95)] == [*[True] * 3, False]


def test_unmarked_values_keep_to_the_error() -> None:
    """Scores that are true probabilities: of the values unmarked about as many are wrong."""
    draw = np.random.default_rng(0)
    scores = draw.beta(6, 1, 4000)
    rights = draw.random(4000) < scores
    cases = _cases(
        [
            _case(n, "total", float(score), bool(right))
            for n, (score, right) in enumerate(zip(scores, rights, strict=True))
        ]
    )
    passed = [one for one in nested(cases, [TOTAL], error=0.05) if not one.marked]
    assert len(passed) > 1000
    assert np.mean([not one.case.right for one in passed]) == pytest.approx(0.05, abs=0.015)


def test_values_without_a_sure_reading_are_marked() -> None:
    cases = _cases([_case(n, "total", 0.99, True, plain=n % 2 == 0) for n in range(80)])
    given = nested(cases, [TOTAL])
    assert {one.marked for one in given if one.case.plain} == {False}
    assert {one.marked for one in given if not one.case.plain} == {True}


def test_one_fold_is_divided_by_documents() -> None:
    cases = [dataclasses.replace(case, part=0) for case in _told_by_a_sign(160)]
    given = nested(Cases(tuple(cases), {0: 160}), [TOTAL])
    assert len(given) == 140
    assert all(one.case.right for one in given)


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
