"""What confidences are worth, against brute force."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given

from pipeline.answers.resolve import Answer
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import field_value
from tests.training.scoring.judgements import judged_of, samples, value_of
from training.scoring.confidence import (
    Judged,
    auroc,
    brier,
    expected_error,
    judge,
    pooled,
    risk_curve,
)

TOTAL = FieldSpec("total", Kind.AMOUNT)
PARTY = FieldSpec("party", Kind.NAME, many=True)


@given(samples)
def test_auroc_is_the_share_of_pairs_in_order(judged: Judged) -> None:
    right = judged.confidence[judged.right].tolist()
    wrong = judged.confidence[~judged.right].tolist()
    found = auroc(judged)
    if not right or not wrong:
        assert found is None
        return
    wins = sum(1.0 if r > w else 0.5 if r == w else 0.0 for r in right for w in wrong)
    assert found == pytest.approx(wins / (len(right) * len(wrong)))


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        pytest.param([], 0.0, id="nothing_answered"),
        pytest.param([(1.0, True), (0.0, False)], 0.0, id="perfect"),
        pytest.param([(1.0, False), (0.0, True)], 1.0, id="always_wrong"),
        pytest.param([(0.75, True), (0.75, False)], 0.25, id="half_right"),
        pytest.param([(0.05, True), (0.95, True)], (0.95 + 0.05) / 2, id="two_bins"),
    ],
)
def test_expected_error(items: list[tuple[float, bool]], expected: float) -> None:
    assert expected_error(judged_of(*items)) == pytest.approx(expected)


@given(samples)
def test_expected_error_is_a_mean_of_gaps(judged: Judged) -> None:
    gap = abs(judged.right.mean() - judged.confidence.mean())
    assert gap - 1e-9 <= expected_error(judged) <= 1.0


def test_answers_are_judged_byvalue_of() -> None:
    answers: dict[str, dict[str, Answer]] = {
        "a": {"total": value_of("RM 9.00", 0.9)},
        "b": {"total": value_of("9.10", 0.4)},
        "c": {"total": None},
    }
    labels = {name: {"total": ("9.00",)} for name in answers}
    judged = judge(answers, labels, TOTAL)
    assert judged.confidence.tolist() == [0.9, 0.4]
    assert judged.right.tolist() == [True, False]
    assert judge(answers, labels, TOTAL, "exact").right.tolist() == [False, False]


def test_the_value_that_was_given_is_judged_and_not_its_text() -> None:
    due = FieldSpec("due", Kind.DATE, day_first=True)
    answers: dict[str, dict[str, Answer]] = {
        name: {"due": field_value("date", "03/04/2020", value, confidence=0.9)}
        for name, value in (("a", "2020-03-04"), ("b", "2020-04-03"))
    }
    labels = {name: {"due": ("2020-03-04",)} for name in answers}
    assert judge(answers, labels, due).right.tolist() == [True, False]


def test_each_of_many_values_is_judged() -> None:
    answers: dict[str, dict[str, Answer]] = {
        "a": {"party": [value_of("ACME", 0.9), value_of("X", 0.2)]}
    }
    judged = judge(answers, {"a": {"party": ("Acme", "Bolt")}}, PARTY)
    assert judged.right.tolist() == [True, False]


def test_marked_answers_are_told_from_those_that_go_through() -> None:
    doubted = value_of("1.00", 0.9).model_copy(update={"needs_review": True})
    answers: dict[str, dict[str, Answer]] = {
        "a": {"total": value_of("9.00", 0.2)},
        "b": {"total": doubted},
    }
    labels = {name: {"total": ("9.00",)} for name in answers}
    assert judge(answers, labels, TOTAL).marked.tolist() == [False, True]


@given(samples)
def test_brier_is_the_mean_square_of_what_came_otherwise(judged: Judged) -> None:
    pairs = zip(judged.confidence, judged.right, strict=True)
    found = [(float(p) - bool(right)) ** 2 for p, right in pairs]
    assert brier(judged) == pytest.approx(sum(found) / len(found))


@given(samples)
def test_curve_counts_what_each_threshold_lets_through(judged: Judged) -> None:
    curve = risk_curve(judged)
    assert curve.threshold.tolist() == sorted(set(judged.confidence.tolist()), reverse=True)
    assert curve.through[-1] == 1.0
    for threshold, through, wrong in zip(curve.threshold, curve.through, curve.wrong, strict=True):
        passed = judged.right[judged.confidence >= threshold]
        assert through == pytest.approx(len(passed) / len(judged.right))
        assert wrong == pytest.approx(float(np.mean(~passed)))


@given(samples)
def test_most_that_may_go_through_is_of_the_curve(judged: Judged) -> None:
    curve = risk_curve(judged)
    shares = [curve.through_at(error) for error in (0.0, 0.02, 0.05, 1.0)]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    fine = [share for share, wrong in zip(curve.through, curve.wrong, strict=True) if wrong <= 0.05]
    assert shares[2] == max(fine, default=0.0)


def test_nothing_answered_is_no_fault() -> None:
    nothing = judged_of()
    assert brier(nothing) == 0.0
    assert risk_curve(nothing).through_at(0.05) == 0.0
    assert len(pooled([]).right) == 0


def test_fields_are_pooled_in_their_order() -> None:
    one, other = judged_of((0.9, True), (0.2, False)), judged_of((0.7, True))
    both = pooled([one, other])
    assert dataclasses.astuple(both)[0].tolist() == [0.9, 0.2, 0.7]
    assert both.right.tolist() == [True, False, True]
    assert both.marked.tolist() == [False, True, False]
