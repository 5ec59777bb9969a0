"""Confidences are probabilities, whatever the scores; calibration.json is read or refused."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.answers.confidence.calibration import Calibration, FieldCalibration, raw_confidence

unit = st.floats(0, 1)


@given(unit, st.floats(-50, 50), st.floats(-50, 50))
def test_probability_is_one_whatever_was_fitted(
    score: float, slope: float, intercept: float
) -> None:
    found = FieldCalibration(slope, intercept).probability(score)
    assert math.isfinite(found)
    assert 0 <= found <= 1


@given(unit)
def test_identity_changes_nothing(score: float) -> None:
    assert FieldCalibration().probability(score) == pytest.approx(score, abs=2e-6)


@given(unit, unit, st.floats(0.01, 10), st.floats(-5, 5))
def test_order_of_scores_is_kept(one: float, other: float, slope: float, intercept: float) -> None:
    tuned = FieldCalibration(slope, intercept)
    low, high = sorted((one, other))
    assert tuned.probability(low) <= tuned.probability(high)


@given(unit, st.floats(0, 1e6), st.floats(0, 1e6))
def test_raw_confidence_is_in_range(best: float, total: float, rest: float) -> None:
    assert 0 <= raw_confidence(best, total, total + rest) <= 1


@pytest.mark.parametrize(
    ("best", "total", "of_all", "expected"),
    [
        pytest.param(0.8, 0.8, 0.8, 0.8, id="alone"),
        pytest.param(0.8, 1.6, 1.6, 0.8, id="said_twice"),
        pytest.param(0.8, 0.8, 1.6, 0.4, id="contested"),
        pytest.param(0.0, 0.0, 0.0, 0.0, id="nothing"),
    ],
)
def test_raw_confidence(best: float, total: float, of_all: float, expected: float) -> None:
    assert raw_confidence(best, total, of_all) == pytest.approx(expected)


finite = st.floats(-100, 100)
names = st.text("abc_", min_size=1, max_size=5)


@given(
    st.dictionaries(names, st.builds(FieldCalibration, finite, finite, unit)),
    st.dictionaries(names, st.dictionaries(st.text(max_size=3), st.text(max_size=3))),
)
def test_calibration_survives_json(
    fields: dict[str, FieldCalibration], styles: dict[str, dict[str, str]]
) -> None:
    calibration = Calibration(fields, styles, "a test", tuple(sorted(fields)[:2]))
    assert Calibration.from_json(json.loads(json.dumps(calibration.to_json()))) == calibration


def test_field_without_calibration_has_the_identity() -> None:
    assert Calibration().of("total") == FieldCalibration()


ITEM = {"slope": 1.0, "intercept": 0.0, "review_threshold": 0.9}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param({}, id="empty"),
        pytest.param([], id="list"),
        pytest.param({"fields": {"a": {"slope": 1.0}}, "styles": {}}, id="numbers_missing"),
        pytest.param({"fields": {"a": {**ITEM, "slope": "x"}}, "styles": {}}, id="not_a_number"),
        pytest.param({"fields": {"a": {**ITEM, "slope": math.nan}}, "styles": {}}, id="nan"),
        pytest.param({"fields": {"a": {**ITEM, "intercept": math.inf}}, "styles": {}}, id="inf"),
        pytest.param({"fields": {"a": ITEM}, "styles": {"a": ["x"]}}, id="style_a_list"),
        pytest.param({"fields": {"a": ITEM}}, id="styles_missing"),
    ],
)
def test_what_is_no_calibration_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match=r"calibration.json"):
        Calibration.from_json(data)


def test_a_value_that_is_hardly_sure_needs_review_whatever_its_field_is_like() -> None:
    field = FieldCalibration(review_threshold=0.4)
    assert field.needs_review(0.79)
    assert not field.needs_review(0.8)
    assert FieldCalibration(review_threshold=0.9).needs_review(0.89)
