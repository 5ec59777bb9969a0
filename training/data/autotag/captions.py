"""Which of several equal values is the labelled one: captions learnt from the data set itself.

Every place that could hold a value of the field's kind is seen as a bag of the words around it.
Most places that hold the label's value are right, and no other place is; a naive Bayes model of the
words, fitted a few times on its own choices, tells the captions ("total", "date of
issue") from the coincidences (an item's price, the cash given).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

_ROUNDS = 3
_SMOOTHING = 1.0  # Laplace's
_SURE = 0.5  # log odds below which an occurrence never counts beside a better one
_NEAR = 0.5  # log odds by which an occurrence may stand behind the best one
_LEAST_DOCUMENTS = 3  # a word of fewer says something about a document, not about the field


@dataclass(frozen=True, slots=True)
class PossiblePlace:
    """A place in a document that could hold a value of the field.

    Attributes:
        start, end: half-open range of words.
        labelled: it holds the value of the label.
        words: the words around it, marked with where they stand.
    """

    start: int
    end: int
    labelled: bool
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Captions:
    """Log odds of each word for standing beside the field's value.

    Attributes:
        odds: by marked word; words not in it say nothing.
    """

    odds: dict[str, float]

    @classmethod
    def learn(cls, documents: Iterable[list[PossiblePlace]]) -> Captions:
        """Return the captions of one field, from the places of each document."""
        items = [places for places in documents if any(place.labelled for place in places)]
        captions = cls({})
        for _ in range(_ROUNDS):
            chosen = [captions._among_best(places) for places in items]
            captions = cls(_log_odds(items, chosen))
        return captions

    def score(self, place: PossiblePlace) -> float:
        """Return the mean log odds of a place's words that are known, 0 where none is."""
        known = sorted((self.odds[word] for word in place.words if word in self.odds), key=abs)
        strongest = known[-3:]  # a long line of items must not outvote the caption
        return sum(strongest) / len(strongest) if strongest else 0.0

    def least(self, best: float) -> float:
        """Return the log odds from which on an occurrence counts beside the best one."""
        return min(best, max(_SURE, best - _NEAR))

    def _among_best(self, places: list[PossiblePlace]) -> list[bool]:
        """Return for each place of a document whether it counts; those not labelled never do."""
        scores = [self.score(place) if place.labelled else -math.inf for place in places]
        least = self.least(max(scores))
        return [score >= least for score in scores]


def _log_odds(items: list[list[PossiblePlace]], chosen: list[list[bool]]) -> dict[str, float]:
    """Return log P(word | chosen) / P(word | not chosen), each document votes once for a side."""
    inside: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    for places, marks in zip(items, chosen, strict=True):
        right = {w for place, mark in zip(places, marks, strict=True) if mark for w in place.words}
        wrong = Counter(
            w for place, mark in zip(places, marks, strict=True) if not mark for w in place.words
        )
        rivals = max(marks.count(False), 1)
        inside.update(right)
        # A rival's share: a word beside every other amount counts whole, beside one in ten less.
        for word, count in wrong.items():
            outside[word] += count / rivals  # type: ignore[assignment]
    total = len(items)
    return {
        word: math.log((inside[word] + _SMOOTHING) / (total + 2 * _SMOOTHING))
        - math.log((outside[word] + _SMOOTHING) / (total + 2 * _SMOOTHING))
        for word in inside.keys() | outside.keys()
        if inside[word] + outside[word] >= _LEAST_DOCUMENTS
    }
