"""From tagger scores to probabilities that a value is right, and the threshold for review.

    p = 1 / (1 + exp(-(a logit(s) + b)))         (Platt, 1999)

s is the value's score, shaped by sums, shares and the reader's confidence (`raw_confidence`). a
and b are fitted on documents that the model was not trained on; without them a = 1, b = 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

_EDGE = 1e-6  # keeps the logit finite
_LEAST_READING = 0.05  # what no confidence at all of the reader counts as, see `raw_confidence`


@dataclass(frozen=True, slots=True)
class FieldCalibration:
    """Calibration of one field.

    Attributes:
        slope, intercept: a and b.
        review_threshold: values with a confidence below it need review.
        answer_threshold: values with a confidence below it are not given: the field counts as
            absent.
    """

    slope: float = 1.0
    intercept: float = 0.0
    review_threshold: float = 0.9
    answer_threshold: float = 0.0

    def probability(self, score: float) -> float:
        """Return the probability that a value with this raw score is right, in [0, 1]."""
        clipped = min(max(score, _EDGE), 1.0 - _EDGE)
        exponent = self.slope * math.log(clipped / (1.0 - clipped)) + self.intercept
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, exponent))))


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a package's calibration.json holds.

    Attributes:
        fields: calibration by field; a field without one has the identity.
        styles: how labels write a field, by field (`pipeline.values.surface`).
        source: the documents it was fitted on, in words.
        doubtful: fields that are looked for a second time, see `LabelSet.spans`; their thresholds
            were fitted on what that finds.
    """

    fields: dict[str, FieldCalibration] = field(default_factory=dict)
    styles: dict[str, dict[str, str]] = field(default_factory=dict)
    source: str = "none"
    doubtful: tuple[str, ...] = ()

    def of(self, name: str) -> FieldCalibration:
        """Return a field's calibration."""
        return self.fields.get(name, FieldCalibration())

    def to_json(self) -> dict[str, Any]:
        """Return the content of calibration.json."""
        return {
            "source": self.source,
            "fields": {
                name: {
                    "slope": item.slope,
                    "intercept": item.intercept,
                    "review_threshold": item.review_threshold,
                    "answer_threshold": item.answer_threshold,
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
        try:
            fields = {
                name: FieldCalibration(
                    float(item["slope"]),
                    float(item["intercept"]),
                    float(item["review_threshold"]),
                    # Older packages give every value.
                    float(item.get("answer_threshold", 0.0)),
                )
                for name, item in data["fields"].items()
            }
            styles = {name: dict(style) for name, style in data["styles"].items()}
            doubtful = tuple(map(str, data.get("doubtful", ())))  # older packages have none
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"calibration.json is not as expected: {error!r}") from error
        if not all(
            math.isfinite(number)
            for item in fields.values()
            for number in (
                item.slope,
                item.intercept,
                item.review_threshold,
                item.answer_threshold,
            )
        ):
            raise ValueError("calibration.json holds a number that is not finite")
        return cls(fields, styles, str(data.get("source", "none")), doubtful)


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
