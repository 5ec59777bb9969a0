"""Which answers a person should see, and how much that is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pipeline.result import Extraction


@dataclass(frozen=True, slots=True)
class Need:
    """Why an answer should be reviewed.

    Attributes:
        doubts: values that are marked for review.
        worth: probability that one of them is wrong, times their number.
    """

    doubts: int
    worth: float


def need_of(answer: Extraction) -> Need | None:
    """Return what a review of an answer is worth, None where nothing in it is doubtful."""
    found = [value for _, value in answer.named_values() if value.needs_review]
    if not found:  # where nothing was read at all, that is to be looked at
        return Need(0, 1.0) if answer.needs_review else None
    all_right = math.prod(
        # Of two readings that are equally good one is wrong.
        value.confidence / (1 + len(value.normalisation.alternatives))
        for value in found
    )
    return Need(len(found), len(found) * (1.0 - all_right))
