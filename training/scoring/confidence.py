"""How far confidences can be relied on: do they rank, do they come true, what do they save.

No fitting happens here: see `training.scoring.calibrate`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.answers.resolve import Answer
from pipeline.result import listed
from pipeline.values.context import DocumentContext
from pipeline.values.schema import FieldSpec
from training.scoring.scores import Metric, Values, form_of, forms_of
from training.scoring.written import NOTHING, written

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """Answers of one field: confidence of each, and whether it was right.

    Attributes:
        confidence: (n,) in [0, 1].
        right: (n,) bool.
        marked: (n,) bool, whether a person is asked to look.
    """

    confidence: FloatArray
    right: NDArray[np.bool_]
    marked: NDArray[np.bool_]


def judge(
    answers: Mapping[str, Mapping[str, Answer]],
    labels: Mapping[str, Values],
    spec: FieldSpec,
    metric: Metric = "normalised",
    contexts: Mapping[str, DocumentContext] | None = None,
) -> Judged:
    """Return the given answers of a field with whether each equals a label; nulls are left out.

    Args:
        answers: by document and field.
        labels: of the same documents.
        spec: the field.
        metric: what makes two values equal.
        contexts: what the documents show, see `training.scoring.scores.score`.
    """
    found = []
    for name, fields in answers.items():
        answer = fields[spec.name]
        items = listed(answer)
        texts = [written(item, {}) for item in items]
        context = (contexts or {}).get(name, NOTHING)
        wanted = forms_of(labels[name].get(spec.name, ()), spec, metric, texts, context)
        for item, text in zip(items, texts, strict=True):
            found.append(
                (item.confidence, form_of(text, spec, metric) in wanted, item.needs_review)
            )
    return judged_of(found)


def judged_of(rows: Sequence[tuple[float, bool, bool]]) -> Judged:
    """Return answers from a confidence, whether it is right, and whether it is marked, of each."""
    confidence, right, marked = zip(*rows, strict=True) if rows else ((), (), ())
    return Judged(
        np.array(confidence, dtype=np.float64),
        np.array(right, dtype=bool),
        np.array(marked, dtype=bool),
    )


def pooled(parts: Iterable[Judged]) -> Judged:
    """Return the answers of several fields as those of one."""
    found = list(parts)
    return Judged(
        np.concatenate([np.empty(0), *(judged.confidence for judged in found)]),
        np.concatenate([np.empty(0, dtype=bool), *(judged.right for judged in found)]),
        np.concatenate([np.empty(0, dtype=bool), *(judged.marked for judged in found)]),
    )


def expected_error(judged: Judged, bins: int = 10) -> float:
    """Return the expected calibration error: mean |accuracy - confidence| over equal-width bins."""
    if not len(judged.right):
        return 0.0
    place = np.minimum((judged.confidence * bins).astype(int), bins - 1)
    gaps = [
        abs(judged.right[place == b].mean() - judged.confidence[place == b].mean())
        * (place == b).sum()
        for b in np.unique(place)
    ]
    return float(sum(gaps) / len(place))


def auroc(judged: Judged) -> float | None:
    """Return the probability that a right answer has more confidence than a wrong one.

    Ties count one half. None where all answers are right, or all are wrong: nothing to tell apart.
    """
    right, wrong = judged.confidence[judged.right], judged.confidence[~judged.right]
    if not len(right) or not len(wrong):
        return None
    wrong = np.sort(wrong)
    below, up_to = (np.searchsorted(wrong, right, side) for side in ("left", "right"))
    return float((below + up_to).mean() / (2 * len(wrong)))


def brier(judged: Judged) -> float:
    """Return the mean squared distance of confidences from what came true (Brier, 1950)."""
    if not len(judged.right):
        return 0.0
    return float(np.mean((judged.confidence - judged.right) ** 2))


@dataclass(frozen=True, slots=True)
class RiskCurve:
    """What goes through unread, and how much of that is wrong, by threshold.

    Attributes:
        threshold: (k,) the confidences that answers have, falling.
        through: (k,) share of the answers at least as sure.
        wrong: (k,) share of those that are wrong.
    """

    threshold: FloatArray
    through: FloatArray
    wrong: FloatArray

    def through_at(self, error: float) -> float:
        """Return the largest share that goes through with at most this share of it wrong."""
        good = np.flatnonzero(self.wrong <= error)
        return float(self.through[good[-1]]) if len(good) else 0.0


def risk_curve(judged: Judged) -> RiskCurve:
    """Return the risk-coverage curve of answers (El-Yaniv and Wiener, 2010); empty for none."""
    order = np.argsort(-judged.confidence, kind="stable")
    ranked = judged.confidence[order]
    given = np.arange(1, len(order) + 1)
    wrong = np.cumsum(~judged.right[order]) / given
    # A threshold takes all answers of its confidence: shares count after the last of them.
    last = np.append(np.diff(ranked) != 0, True)[: len(order)]
    return RiskCurve(ranked[last], (given / max(len(order), 1))[last], wrong[last])
