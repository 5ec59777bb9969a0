"""Fits confidences on documents that a model was not trained on, and says how good they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pipeline.answers.calibration import Calibration, FieldCalibration
from pipeline.answers.resolve import Answer
from pipeline.values.schema import FieldSpec
from training.scoring.confidence import FloatArray, Judged, judge, pooled, risk_curve
from training.scoring.scores import Values, form_of

_PRIOR = 2.0  # pull of slope towards 1 and intercept towards 0, in documents
_LEAST_SLOPE = 0.05  # a higher score never means a lower probability
_ACCEPTED_ERROR = 0.05
_FEWEST = 20  # answers below which a threshold of their own would be chance


def fit(
    answers: Mapping[str, Mapping[str, Answer]],
    labels: Mapping[str, Values],
    fields: Sequence[FieldSpec],
    *,
    styles: Mapping[str, dict[str, str]],
    source: str,
    doubtful: Sequence[str] = (),
) -> Calibration:
    """Return the calibration of every field from raw answers (identity calibration).

    The review threshold is the lowest confidence from which on at most 5% of the answers were
    wrong; fields with fewer than 20 answers keep the default. The answer threshold is that of the
    best F1 over the answers of all fields together: confidences mean the same in each.

    Args:
        answers: by document and field.
        labels: of the same documents.
        fields: of the model.
        styles: how labels write the fields.
        source: of the answers, in words.
        doubtful: fields that were looked for a second time.
    """
    found: dict[str, FieldCalibration] = {}
    every: list[Judged] = []
    for spec in fields:
        judged = judge(answers, labels, spec)
        if not len(judged.right):
            continue
        slope, intercept = platt(judged)
        tuned = FieldCalibration(slope, intercept)
        fitted = np.array([tuned.probability(value) for value in judged.confidence])
        every.append(replace(judged, confidence=fitted))
        found[spec.name] = FieldCalibration(slope, intercept, review_threshold(every[-1]))
    if every:
        least = answer_threshold(pooled(every), sum(_labelled(answers, labels, s) for s in fields))
        found = {name: replace(item, answer_threshold=least) for name, item in found.items()}
    return Calibration(found, dict(styles), source, tuple(doubtful))


def platt(judged: Judged) -> tuple[float, float]:
    """Return slope a > 0 and intercept b of p = sigmoid(a logit(s) + b) by penalised likelihood.

    Newton's method; the penalty keeps a small or clean sample from claiming certainty.
    """
    clipped = np.clip(judged.confidence, 1e-6, 1 - 1e-6)
    features = np.stack([np.log(clipped / (1 - clipped)), np.ones(len(clipped))], axis=1)
    slope, intercept = _likeliest(features, judged.right, np.array([1.0, 0.0]))
    if slope < _LEAST_SLOPE:
        # The sample ranks the wrong way round; what is left to learn is how many are right.
        given = _LEAST_SLOPE * features[:, 0]
        [intercept] = _likeliest(features[:, 1:], judged.right, np.zeros(1), given=given)
    return max(float(slope), _LEAST_SLOPE), float(intercept)


def _likeliest(
    features: FloatArray, right: NDArray[np.bool_], start: FloatArray, given: FloatArray | float = 0
) -> FloatArray:
    """Return the weights w of p = sigmoid(features w + given), pulled towards `start`."""
    weights = start.copy()
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(features @ weights + given, -30, 30)))
        gradient = features.T @ (p - right) + _PRIOR * (weights - start)
        curvature = (features * (p * (1 - p))[:, None]).T @ features + _PRIOR * np.eye(len(start))
        step = np.linalg.solve(curvature, gradient)
        weights = weights - np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-8:
            break
    return weights


def review_threshold(judged: Judged, accepted_error: float = _ACCEPTED_ERROR) -> float:
    """Return the lowest confidence from which on the share of wrong answers is accepted."""
    if len(judged.right) < _FEWEST:
        return FieldCalibration().review_threshold
    curve = risk_curve(judged)
    good = np.flatnonzero(curve.wrong <= accepted_error)
    return float(curve.threshold[good[-1]]) if len(good) else 1.0


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


def _labelled(
    answers: Mapping[str, Mapping[str, Answer]], labels: Mapping[str, Values], spec: FieldSpec
) -> int:
    """Return how many different values the labels of a field have in the documents answered."""
    return sum(
        len({form_of(label, spec, "normalised") for label in labels[name].get(spec.name, ())})
        for name in answers
    )
