"""Fits confidences on documents that a model was not trained on, and chooses thresholds.

A logistic regression by field on the score and the signs of a value. A field of few documents leans
on what all fields have in common: its weights are pulled towards those of all fields together, and
those towards what holds without any documents (the score's weight 1, all others 0).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pipeline.answers.confidence.calibration import (
    LEAST_SURE,
    Calibration,
    FieldCalibration,
    score_logit,
)
from pipeline.answers.confidence.signs import AGREES, SIGNS, Habit
from pipeline.values.schema import FieldSpec
from training.scoring.cases import Case, Cases
from training.scoring.confidence import FloatArray, Judged, judged_of, risk_curve
from training.scoring.second_reading import chosen, rankings, read_again

ACCEPTED_ERROR = 0.02
"""Share of the values that nobody is asked to look at which may be wrong."""
NEVER = 1.01
"""A review threshold that no confidence reaches: every value of the field is marked."""

_PRIOR = 2.0  # pull of all fields' weights towards those of no documents, in documents
_KIN = 4.0  # pull of a field's weights towards those of all fields
_LEAST_SLOPE = 0.05  # a higher score never means a lower probability
_FEWEST = 20  # answers below which a threshold of their own would be chance
_PARTS = 5  # that one fold's documents are divided into
_NAMES = tuple(name for name in SIGNS if name != AGREES)


def fit(
    cases: Cases,
    fields: Sequence[FieldSpec],
    *,
    styles: Mapping[str, dict[str, str]],
    source: str,
    doubtful: Sequence[str] = (),
    habits: Mapping[str, Habit] | None = None,
    error: float = ACCEPTED_ERROR,
) -> Calibration:
    """Return the calibration of every field that has answers.

    Thresholds are chosen on confidences that were fitted on the other folds. The review threshold
    is the lowest confidence from which on at most the share `error` of the unmarked answers was
    wrong, and never below the answer threshold; fields with fewer than 20 answers keep the default.
    The answer threshold is that of the best F1 over the answers of all fields together:
    confidences mean the same in each.

    Args:
        cases: of documents held out.
        fields: of the model.
        styles: how labels write the fields.
        source: of the cases, in words.
        doubtful: fields that were looked for a second time.
        habits: what values of each field look like, learnt from all labels.
        error: share of the unmarked answers that may be wrong.
    """
    found = {
        name: replace(of_field, habit=(habits or {}).get(name))
        for name, of_field in _calibrated(cases, fields, error).items()
    }
    return Calibration(found, dict(styles), source, tuple(doubtful), error)


def _calibrated(
    cases: Cases, fields: Sequence[FieldSpec], error: float
) -> dict[str, FieldCalibration]:
    """Return what `fit` does, without habits."""
    parts = _parts(cases.found)
    learnt = rankings(cases.found, parts)
    again = Cases(tuple(read_again(cases.found, parts)), cases.labelled)
    least, review = _thresholds(again, fields, error)
    found = {}
    for name, of_field in _weights(again.found, fields).items():
        slope, *signs, intercept = map(float, of_field)
        weights = {sign: round(weight, 5) for sign, weight in zip(_NAMES, signs, strict=True)}
        found[name] = FieldCalibration(
            slope, intercept, review[name], least, weights, ranking=learnt.get(name, {})
        )
    return found


@dataclass(frozen=True, slots=True)
class Given:
    """A value that is given, with what was said of it.

    Attributes:
        case: the value.
        confidence: of it.
        marked: whether a person is asked to look.
        first_right: whether the value that the tagger's scores put first is right; it is another
            one where a ranking chose.
    """

    case: Case
    confidence: float
    marked: bool
    first_right: bool


def nested(
    cases: Cases, fields: Sequence[FieldSpec], *, error: float = ACCEPTED_ERROR
) -> list[Given]:
    """Return the values that are given, judged as documents of others would be.

    For each fold, rankings, weights and thresholds come from the other folds alone.
    """
    given = []
    parts = _parts(cases.found)
    for part in sorted(set(parts)):
        known = _calibrated(_without(cases, parts, part), fields, error)
        learnt = {name: of_field.ranking for name, of_field in known.items()}
        for case, at in zip(cases.found, parts, strict=True):
            if at != part:
                continue
            best = chosen(case, learnt)
            of_field = known.get(best.field, FieldCalibration())
            p = of_field.probability(best.score, best.signs)
            if p >= of_field.answer_threshold:
                marked = not best.plain or of_field.needs_review(p)
                given.append(Given(best, p, marked, case.right))
    return given


def by_field(given: Iterable[Given], fields: Sequence[FieldSpec]) -> dict[str, Judged]:
    """Return values given as answers of each field with whether they are right."""
    rows: dict[str, list[tuple[float, bool, bool]]] = {spec.name: [] for spec in fields}
    for one in given:
        rows[one.case.field].append((one.confidence, one.case.right, one.marked))
    return {name: judged_of(found) for name, found in rows.items()}


def through(given: Iterable[Given], fields: Sequence[FieldSpec]) -> dict[str, float]:
    """Return the share of the values given that nobody is asked to look at, by field."""
    return {
        name: round(float((~judged.marked).mean()), 4)
        for name, judged in by_field(given, fields).items()
        if len(judged.marked)
    }


def _weights(cases: Sequence[Case], fields: Sequence[FieldSpec]) -> dict[str, FloatArray]:
    """Return the weights of each field that has cases: of the score, the signs, and of one."""
    none = np.array([1.0, *[0.0] * len(_NAMES), 0.0])
    if not cases:
        return {}
    rows, right = _features(cases), np.array([case.right for case in cases])
    common = likeliest(rows, right, none, _PRIOR)
    found = {}
    for spec in fields:
        own = np.array([case.field == spec.name for case in cases])
        if own.any():
            found[spec.name] = likeliest(rows[own], right[own], common, _KIN)
    return found


def _features(cases: Sequence[Case]) -> FloatArray:
    return np.array(
        [
            [score_logit(case.score), *(case.signs.get(name, 0.0) for name in _NAMES), 1.0]
            for case in cases
        ]
    )


def likeliest(
    features: FloatArray, right: NDArray[np.bool_], start: FloatArray, pull: float
) -> FloatArray:
    """Return the weights w of p = sigmoid(features w) by penalised likelihood (Newton's method).

    The penalty keeps a small or clean sample from claiming certainty; the score's weight stays
    above 0, so that a surer value is never less likely right.

    Args:
        features: (cases, n), the first the score's logit and the last 1.
        right: (cases,).
        start: (n,) what the weights are pulled towards.
        pull: how much, in cases.
    """
    weights = _descended(features, right, start, start, pull, free=slice(0, None))
    if weights[0] >= _LEAST_SLOPE:
        return weights
    # The sample ranks the wrong way round; the rest is fitted beside the least slope.
    fixed = weights.copy()
    fixed[0] = _LEAST_SLOPE
    return _descended(features, right, fixed, start, pull, free=slice(1, None))


def _descended(
    features: FloatArray,
    right: NDArray[np.bool_],
    begin: FloatArray,
    start: FloatArray,
    pull: float,
    *,
    free: slice,
) -> FloatArray:
    weights, some = begin.copy(), features[:, free]
    for _ in range(60):
        p = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        gradient = some.T @ (p - right) + pull * (weights - start)[free]
        curvature = (some * (p * (1 - p))[:, None]).T @ some + pull * np.eye(some.shape[1])
        step = np.linalg.solve(curvature, gradient)
        weights[free] -= np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-8:
            break
    return weights


def _thresholds(
    cases: Cases, fields: Sequence[FieldSpec], error: float
) -> tuple[float, dict[str, float]]:
    """Return the answer threshold of all fields, and the review threshold of each with cases."""
    confidences = _cross_fitted(cases.found, fields)
    right = np.array([case.right for case in cases.found], dtype=bool)
    every = Judged(confidences, right, np.zeros(len(right), dtype=bool))
    least = answer_threshold(every, sum(cases.labelled.values()))
    review = {}
    for spec in fields:
        own = [
            (float(p), case.right, case.plain)
            for p, case in zip(confidences, cases.found, strict=True)
            if case.field == spec.name
        ]
        if own:
            plain = [(p, right) for p, right, plain in own if plain and p >= least]
            judged = judged_of([(p, right, False) for p, right in plain])
            review[spec.name] = max(least, LEAST_SURE, review_threshold(judged, error))
    return least, review


def _cross_fitted(cases: Sequence[Case], fields: Sequence[FieldSpec]) -> FloatArray:
    """Return the confidence of each case by what is fitted on the other parts."""
    parts = _parts(cases)
    found = np.zeros(len(cases))
    for part in sorted(set(parts)):
        weights = _weights([c for c, at in zip(cases, parts, strict=True) if at != part], fields)
        for index, (case, at) in enumerate(zip(cases, parts, strict=True)):
            if at == part:
                found[index] = _probability(case, weights.get(case.field))
    return found


def _parts(cases: Sequence[Case]) -> list[int]:
    """Return the part of each case: its fold, or a fifth of the documents where there is one."""
    folds = [case.part for case in cases]
    if len(set(folds)) > 1:
        return folds
    return [zlib.crc32(case.document.encode()) % _PARTS for case in cases]


def _without(cases: Cases, parts: Sequence[int], part: int) -> Cases:
    """Return the cases that are not of a part, with the labels' count scaled where need be."""
    found = tuple(case for case, at in zip(cases.found, parts, strict=True) if at != part)
    if len(cases.labelled) > 1:
        return Cases(found, {k: count for k, count in cases.labelled.items() if k != part})
    share = len(found) / max(len(cases.found), 1)
    return Cases(found, {k: round(count * share) for k, count in cases.labelled.items()})


def _probability(case: Case, weights: FloatArray | None) -> float:
    if weights is None:
        return FieldCalibration().probability(case.score)
    slope, *signs, intercept = map(float, weights)
    named = dict(zip(_NAMES, signs, strict=True))
    return FieldCalibration(slope, intercept, weights=named).probability(case.score, case.signs)


def review_threshold(judged: Judged, accepted_error: float = ACCEPTED_ERROR) -> float:
    """Return the lowest confidence from which on the share of wrong answers is accepted.

    `NEVER` where there is none; the default where there are too few answers to tell.
    """
    if len(judged.right) < _FEWEST:
        return FieldCalibration().review_threshold
    curve = risk_curve(judged)
    good = np.flatnonzero(curve.wrong <= accepted_error)
    return math.floor(float(curve.threshold[good[-1]]) * 1e4) / 1e4 if len(good) else NEVER


def answer_threshold(judged: Judged, labelled: int) -> float:
    """Return the confidence below which answers cost more F1 than they bring; 0 where none do.

    It lies half-way between the least sure answer that is still given and the next, which leaves
    room for confidences that were not seen. Of equal scores the lowest threshold counts.

    Args:
        judged: answers of one field, or of several.
        labelled: values that the labels of the same documents have.
    """
    if len(judged.right) < _FEWEST:
        return 0.0
    order = np.argsort(-judged.confidence, kind="stable")
    ranked = judged.confidence[order]
    given = np.arange(1, len(order) + 1)
    f1 = 2 * np.cumsum(judged.right[order]) / np.maximum(given + labelled, 1)
    # A threshold takes all answers of its confidence.
    last = np.append(np.diff(ranked) != 0, True)
    best = int(np.flatnonzero(last & (f1 >= f1[last].max()))[-1])
    if best == len(order) - 1:
        return 0.0
    upper, lower = float(ranked[best]), float(ranked[best + 1])
    middle = (upper + lower) / 2
    return middle if middle > lower else upper
