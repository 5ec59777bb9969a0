"""Learns to choose among the values that a document offers for a field, by all their signs.

The tagger's scores put the right value second where two numbers look alike to it. What stands
around each, whether its column adds up to it, and how it is written tell them apart: a conditional
logit over the values of a document, p(i) = exp(w . x_i) / sum_j exp(w . x_j), fitted on what was
found in documents that the tagger had not seen. A field of few documents leans on all fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from pipeline.answers.confidence.calibration import SCORE, FieldCalibration, score_logit
from pipeline.answers.confidence.signs import AGREES, SIGNS
from training.scoring.cases import Case
from training.scoring.confidence import FloatArray

Ranking = Mapping[str, float]

_NAMES = tuple(name for name in SIGNS if name not in (AGREES, "fit"))
_PRIOR = 2.0  # pull of all fields' weights towards the score alone, in documents
_KIN = 4.0  # pull of a field's weights towards those of all fields
_STEPS = 100
_LEAST_GAIN = 2  # values more that are right on other parts, below which rankings are chance


def rankings(cases: Sequence[Case], parts: Sequence[int]) -> dict[str, Ranking]:
    """Return the weights of each field, or none where values are not chosen better on other parts.

    All fields are judged together: what a single one gains on a few hundred documents is chance.

    Args:
        cases: of documents held out, each with the values that it was taken before.
        parts: of the cases, their folds.
    """
    again = _crossed(cases, parts, lambda rest, _: _fitted(rest))
    gain = sum(now.right - case.right for case, now in zip(cases, again, strict=True))
    return _fitted(cases) if gain >= _LEAST_GAIN else {}


def read_again(cases: Sequence[Case], parts: Sequence[int]) -> list[Case]:
    """Return the cases as they are chosen by rankings learnt on the other parts."""
    return _crossed(cases, parts, rankings)


def chosen(case: Case, learnt: Mapping[str, Ranking]) -> Case:
    """Return the value that a ranking puts first, before the others; the case itself without one.

    Args:
        case: the value that is most credible by its score, with the others.
        learnt: rankings by field.
    """
    ranking = learnt.get(case.field)
    if not ranking or not case.others:
        return case
    tuned = FieldCalibration(ranking=ranking)
    every = [replace(case, others=()), *case.others]
    best = max(every, key=lambda one: (one.sound, tuned.rank(one.score, one.signs)))
    return replace(best, others=tuple(one for one in every if one is not best))


def _crossed(
    cases: Sequence[Case],
    parts: Sequence[int],
    learn: Callable[[Sequence[Case], Sequence[int]], Mapping[str, Ranking]],
) -> list[Case]:
    """Return the cases of each part as they are chosen by what is learnt on the others."""
    found = list(cases)
    for part in sorted(set(parts)):
        rest = [at for at, own in enumerate(parts) if own != part]
        learnt = learn([cases[at] for at in rest], [parts[at] for at in rest])
        for at, own in enumerate(parts):
            if own == part:
                found[at] = chosen(cases[at], learnt)
    return found


def _fitted(cases: Sequence[Case]) -> dict[str, Ranking]:
    """Return the weights of each field that has choices to learn from."""
    # A choice tells something where it has a right value and a wrong one.
    telling = [case for case in cases if any(one.right != case.right for one in case.others)]
    if not telling:
        return {}
    none = np.array([1.0, *[0.0] * len(_NAMES)])
    common = _likeliest(telling, none, _PRIOR)
    found: dict[str, Ranking] = {}
    for name in dict.fromkeys(case.field for case in telling):
        own = _likeliest([case for case in telling if case.field == name], common, _KIN)
        found[name] = {
            key: round(float(weight), 5) for key, weight in zip((SCORE, *_NAMES), own, strict=True)
        }
    return found


def _likeliest(cases: Sequence[Case], start: FloatArray, pull: float) -> FloatArray:
    """Return the weights by penalised likelihood; a higher score never counts against a value."""
    most = max(1 + len(case.others) for case in cases)
    rows = np.zeros((len(cases), most, len(start)))
    there, right = np.zeros((2, len(cases), most), np.bool_)
    for number, case in enumerate(cases):
        for at, one in enumerate((case, *case.others)):
            rows[number, at] = score_logit(one.score), *(one.signs.get(n, 0.0) for n in _NAMES)
            there[number, at], right[number, at] = True, one.right
    weights = start.copy()
    for _ in range(_STEPS):
        worth = np.where(there, rows @ weights, -np.inf)
        p = np.exp(worth - worth.max(1, keepdims=True))
        among_right = np.where(right, p, 0.0) + 1e-300 * right
        p /= p.sum(1, keepdims=True)
        among_right /= among_right.sum(1, keepdims=True)
        mean = np.einsum("ca,cad->cd", p, rows)
        gradient = (mean - np.einsum("ca,cad->cd", among_right, rows)).sum(0)
        curvature = np.einsum("ca,cad,cae->de", p, rows, rows) - mean.T @ mean
        gradient += pull * (weights - start)
        curvature += pull * np.eye(len(weights))
        step = np.clip(np.linalg.solve(curvature, gradient), -1, 1)
        weights -= step
        weights[0] = max(weights[0], 0.0)
        if np.abs(step).max() < 1e-6:
            break
    return weights
