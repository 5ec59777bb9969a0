"""From tagger scores to probabilities that a value is right, and the threshold for review.

    p = 1 / (1 + exp(-(a logit(s) + w . x + b)))

s is the value's score, shaped by sums, shares and the reader's confidence (`raw_confidence`), x its
signs (`pipeline.answers.confidence.signs`). a, w and b are fitted on documents that the model was
not trained on; without them a = 1, w = 0, b = 0, and without w this is Platt's scaling (1999),
which packages of before have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.answers.confidence.signs import AGREES, SIGNS, Habit

SCORE = "score"
"""Name of the score's logit among the weights of a ranking."""

LEAST_SURE = 0.8
"""No value less sure than this goes unmarked, however seldom its field is wrong on the whole: on
documents unlike those that thresholds were fitted on, a quarter of such values were wrong."""

_EDGE = 1e-6  # keeps the logit finite
_VERSION = 2  # of calibration.json; 1 had no signs
# A sum that holds or fails says something of a model whose calibration knows no sums, too.
_OF_SUMS = 1.0
_LEAST_READING = 0.05  # what no confidence at all of the reader counts as, see `raw_confidence`


@dataclass(frozen=True, slots=True)
class FieldCalibration:
    """Calibration of one field.

    Attributes:
        slope, intercept: a and b.
        review_threshold: values with a confidence below it need review, see `needs_review`.
        answer_threshold: values with a confidence below it are not given: the field counts as
            absent.
        weights: of the signs, by name.
        habit: what the field's values look like, which some signs are of.
        ranking: weights of the score's logit (`SCORE`) and of the signs by which the values that a
            document offers are put in order once more; without any they stay as they are.
    """

    slope: float = 1.0
    intercept: float = 0.0
    review_threshold: float = 0.9
    answer_threshold: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    habit: Habit | None = None
    ranking: Mapping[str, float] = field(default_factory=dict)

    def needs_review(self, confidence: float) -> bool:
        """Tell whether a value of this confidence has to be looked at."""
        return confidence < max(LEAST_SURE, self.review_threshold)

    def rank(self, score: float, signs: Mapping[str, float]) -> float:
        """Return what a value counts among the others that a document offers; the most is given.

        Rounded, for what lies beyond depends on which documents a batch held: a tie goes to the
        value that stood first.
        """
        weight = self.ranking
        by_signs = sum(weight.get(name, 0.0) * sign for name, sign in signs.items())
        return round(weight.get(SCORE, 0.0) * score_logit(score) + by_signs, 3)

    def probability(self, score: float, signs: Mapping[str, float] | None = None) -> float:
        """Return the probability that a value is right, in [0, 1].

        Args:
            score: its raw score, see `raw_confidence`.
            signs: by name, see `pipeline.answers.confidence.signs`; those left out count as 0.
        """
        exponent = self.slope * score_logit(score) + self.intercept
        weights = {AGREES: _OF_SUMS, **self.weights}
        exponent += sum(weights.get(name, 0.0) * sign for name, sign in (signs or {}).items())
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, exponent))))


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a package's calibration.json holds.

    Attributes:
        fields: calibration by field; a field without one has the identity.
        styles: how labels write a field, by field (`pipeline.values.texts.surface`).
        source: the documents it was fitted on, in words.
        error: share of the values that are not marked for review which may be wrong, that the
            review thresholds were chosen for; None where the package does not say.
        through: share of the values given that reached their review threshold, by field, measured
            with each fold's threshold chosen on the others; a field is not here where that is not
            known.
        doubtful: fields that are looked for a second time, see `LabelSet.spans`; their thresholds
            were fitted on what that finds.
    """

    fields: dict[str, FieldCalibration] = field(default_factory=dict)
    styles: dict[str, dict[str, str]] = field(default_factory=dict)
    source: str = "none"
    doubtful: tuple[str, ...] = ()
    error: float | None = None
    through: Mapping[str, float] = field(default_factory=dict)

    def of(self, name: str) -> FieldCalibration:
        """Return a field's calibration."""
        return self.fields.get(name, FieldCalibration())

    def to_json(self) -> dict[str, Any]:
        """Return the content of calibration.json."""
        return {
            "version": _VERSION,
            "source": self.source,
            "error": self.error,
            "through": dict(self.through),
            "fields": {
                name: {
                    "slope": item.slope,
                    "intercept": item.intercept,
                    "review_threshold": item.review_threshold,
                    "answer_threshold": item.answer_threshold,
                    "weights": dict(item.weights),
                    "habit": item.habit and item.habit.to_json(),
                    "ranking": dict(item.ranking),
                }
                for name, item in self.fields.items()
            },
            "styles": self.styles,
            "doubtful": list(self.doubtful),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Calibration:
        """Return what `to_json` wrote.

        Raises:
            ValueError: a number is missing or not finite.
        """
        if not isinstance(data, dict):
            raise ValueError("calibration.json is not as expected: no object")
        if data.get("version", 1) not in (1, _VERSION):
            raise ValueError(
                f"calibration.json is of version {data['version']}, which this program does not "
                f"know; it reads versions 1 and {_VERSION}"
            )
        try:
            fields = {name: _field_of(item) for name, item in data["fields"].items()}
            styles = {name: dict(style) for name, style in data["styles"].items()}
            doubtful = tuple(map(str, data.get("doubtful", ())))  # older packages have none
            error = data.get("error")
            error = None if error is None else float(error)
            through = {name: float(share) for name, share in data.get("through", {}).items()}
        except (KeyError, TypeError, ValueError, AttributeError) as fault:
            raise ValueError(f"calibration.json is not as expected: {fault!r}") from fault
        numbers = [
            number
            for item in fields.values()
            for number in (
                item.slope,
                item.intercept,
                item.review_threshold,
                item.answer_threshold,
                *item.weights.values(),
                *item.ranking.values(),
            )
        ]
        if not all(map(math.isfinite, (*numbers, *through.values(), error or 0.0))):
            raise ValueError("calibration.json holds a number that is not finite")
        source = str(data.get("source", "none"))
        return cls(fields, styles, source, doubtful, error, through)


def _field_of(item: Mapping[str, Any]) -> FieldCalibration:
    weights = {str(name): float(weight) for name, weight in item.get("weights", {}).items()}
    ranking = {str(name): float(weight) for name, weight in item.get("ranking", {}).items()}
    if unknown := (weights.keys() | ranking.keys()) - {*SIGNS, SCORE}:
        raise ValueError(f"unknown signs: {', '.join(sorted(unknown))}")
    habit = item.get("habit")
    return FieldCalibration(
        float(item["slope"]),
        float(item["intercept"]),
        float(item["review_threshold"]),
        float(item.get("answer_threshold", 0.0)),  # older packages give every value
        weights,
        None if habit is None else Habit.from_json(habit),
        ranking,
    )


def score_logit(score: float) -> float:
    """Return log(s / (1 - s)) of a raw score, which is kept a little away from 0 and 1."""
    clipped = min(max(score, _EDGE), 1.0 - _EDGE)
    return math.log(clipped / (1.0 - clipped))


def raw_confidence(best: float, total: float, of_all: float, reading: float = 1.0) -> float:
    """Return the score of a value before calibration, in [0, 1].

    best * total / of_all * sqrt(reading). Of the ways tried to account for the reader's doubt (its
    least sure word, the mean of the words, none), this one had the least log loss on scanned
    receipts.

    Args:
        best: score of its best span.
        total: sum of the scores of its spans.
        of_all: sum of the scores of all spans of the field.
        reading: the reader's confidence in the least sure word of the best span, 0 to 1; a word
            read with none at all may still be right, so that it counts as 0.05.
    """
    share = total / of_all if of_all > 0 else 0.0
    return min(1.0, max(0.0, best * share * math.sqrt(max(reading, _LEAST_READING))))
