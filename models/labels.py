"""BIESO labels and the spans they spell: spans to labels (`encode`) and back (`decode`)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

OUTSIDE = 0
_ROLES = "BIES"
# The labels of each role, those of all fields; label 0 is O.
_BEGIN, _INSIDE, _END, _SINGLE = (slice(first, None, len(_ROLES)) for first in range(1, 5))
# A word counts in the second look from this probability on, and from this share of the best one's.
_LEAST_DOUBT, _DOUBT_SHARE = 0.01, 0.5
_LIKELY = 0.5  # from here on a word beside a span more likely belongs to it than not
_FLOOR = 1e-12  # a score of exactly 0 would make the geometric mean's logarithm infinite


@dataclass(frozen=True, slots=True)
class Span:
    """One contiguous run of words that carries a field's value.

    Attributes:
        field: name of the field.
        start, end: half-open range of word indices in reading order.
        token_scores: the tagger's probability that each word belongs to the field, 0 to 1.
    """

    field: str
    start: int
    end: int
    token_scores: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(f"span [{self.start}, {self.end}) is empty or negative")
        if self.token_scores and len(self.token_scores) != self.end - self.start:
            raise ValueError(
                f"span [{self.start}, {self.end}) has {len(self.token_scores)} scores, "
                f"expected {self.end - self.start}"
            )

    @property
    def score(self) -> float:
        """Geometric mean of the word scores, 0 to 1; 1 where none were given (LAMBERT, sec. 4)."""
        if not self.token_scores:
            return 1.0
        logs = [math.log(max(score, _FLOOR)) for score in self.token_scores]
        return min(1.0, math.exp(sum(logs) / len(logs)))

    def to_json(self) -> list[Any]:
        """Return a JSON value that `from_json` turns back into an equal span."""
        return [self.field, self.start, self.end, list(self.token_scores)]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Span:
        """Return the span that `to_json` wrote."""
        name, start, end, scores = data
        return cls(name, start, end, tuple(scores))


class LabelSet:
    """The BIESO labels of a list of fields: O, then B, I, E and S of each field in turn.

    Args:
        fields: names of the fields, in a fixed order that the tagger's head shares.
    """

    def __init__(self, fields: Iterable[str]) -> None:
        self.fields = tuple(fields)
        if len(set(self.fields)) != len(self.fields):
            raise ValueError(f"field names repeat: {', '.join(self.fields)}")
        self.names = ("O", *(f"{role}-{name}" for name in self.fields for role in _ROLES))

    def __len__(self) -> int:
        return len(self.names)

    def encode(self, spans: Iterable[Span], length: int) -> NDArray[np.int64]:
        """Return the label of each of `length` words, (length,).

        Raises:
            ValueError: spans overlap, leave the document, or name an unknown field.
        """
        labels = np.full(length, OUTSIDE, dtype=np.int64)
        for span in spans:
            if span.field not in self.fields:
                raise ValueError(f"unknown field {span.field!r}")
            if span.end > length:
                raise ValueError(f"span [{span.start}, {span.end}) leaves {length} words")
            if labels[span.start : span.end].any():
                raise ValueError(f"span [{span.start}, {span.end}) overlaps another")
            first = 1 + len(_ROLES) * self.fields.index(span.field)
            begin, inside, end, single = range(first, first + len(_ROLES))
            if span.end - span.start == 1:
                labels[span.start] = single
            else:
                labels[span.start : span.end] = inside
                labels[span.start] = begin
                labels[span.end - 1] = end
        return labels

    def decode(
        self, labels: Sequence[int] | NDArray[np.int64], scores: NDArray[np.float64] | None = None
    ) -> list[Span]:
        """Return the disjoint spans that a label sequence spells, left to right.

        Any sequence decodes: a span ends where its field ends, after E or S, and before B or S;
        so a run with missing ends is still one span.

        Args:
            labels: label of each word, (n,).
            scores: score of each word, (n,), copied into the spans.
        """
        spans: list[Span] = []
        start: int | None = None
        current = -1

        def close(end: int) -> None:
            nonlocal start
            if start is not None:
                kept = () if scores is None else tuple(float(s) for s in scores[start:end])
                spans.append(Span(self.fields[current], start, end, kept))
            start = None

        for index, label in enumerate(labels):
            if label == OUTSIDE:
                close(index)
                continue
            name, role = divmod(int(label) - 1, len(_ROLES))
            if start is None or name != current or _ROLES[role] in "BS":
                close(index)
                start, current = index, name
            if _ROLES[role] in "ES":
                close(index + 1)
        close(len(labels))
        return spans

    def best_path(self, probabilities: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the most probable label sequence that is valid BIESO (Viterbi), (n,).

        Args:
            probabilities: of each label for each word, (n, labels).
        """
        n = len(probabilities)
        if n == 0:
            return np.zeros(0, dtype=np.int64)
        label = np.arange(len(self))
        closed = np.sort([OUTSIDE, *label[_END], *label[_SINGLE]])  # what no I or E follows
        log_p = np.log(np.maximum(probabilities, _FLOOR))
        best = log_p[0].copy()
        best[_INSIDE] = best[_END] = -np.inf
        back = np.zeros((n, len(self)), dtype=np.int64)
        for i in range(1, n):
            # O, B and S follow the best of what is closed, I and E the B or the I of their field.
            back[i] = closed[best[closed].argmax()]
            begun = np.where(best[_BEGIN] >= best[_INSIDE], label[_BEGIN], label[_INSIDE])
            back[i, _INSIDE] = back[i, _END] = begun
            best = best[back[i]] + log_p[i]
        path = np.zeros(n, dtype=np.int64)
        path[-1] = closed[best[closed].argmax()]
        for i in range(n - 1, 0, -1):
            path[i - 1] = back[i, path[i]]
        return path

    def spans(
        self, probabilities: NDArray[np.float64], doubtful: Collection[str] = ()
    ) -> list[Span]:
        """Return the spans of the best valid path, each word scored by its field's probability.

        A word's score sums the four roles of its field: the score says whether the word belongs,
        the path in which role. A word beside a span may be left out by the path only because no
        single role wins; it is taken in where its score is a half or more.

        Args:
            probabilities: of each label for each word, (n, labels), rows sum to 1.
            doubtful: fields to look for a second time where the path has none of them: their
                likeliest words become spans, with the low scores that they have. On layouts never
                seen, "no field" often wins narrowly over the right word.
        """
        path = self.best_path(probabilities)
        if not len(path):
            return []
        by_field = probabilities[:, 1:].reshape(len(path), len(self.fields), len(_ROLES)).sum(-1)
        by_field = np.clip(by_field, 0.0, 1.0)
        field_of = np.maximum(path - 1, 0) // len(_ROLES)
        free = path == OUTSIDE
        spans = []
        for span in self.decode(path, by_field[np.arange(len(path)), field_of]):
            scores = by_field[:, self.fields.index(span.field)]
            spans.append(_grown(span, free & (scores >= _LIKELY), scores))
            free[spans[-1].start : spans[-1].end] = False
        missing = {name for name in doubtful if name in self.fields} - {s.field for s in spans}
        for name in missing:
            spans += _likeliest(name, np.where(free, by_field[:, self.fields.index(name)], 0.0))
        return sorted(spans, key=lambda span: (span.start, self.fields.index(span.field)))


def _grown(span: Span, more: NDArray[np.bool_], scores: NDArray[np.float64]) -> Span:
    """Return a span with the words on either side of it that belong to it, see `LabelSet.spans`.

    Args:
        span: of one field.
        more: which words may be taken in, (n,).
        scores: of each word in the field, (n,).
    """
    start, end = span.start, span.end
    while start > 0 and more[start - 1]:
        start -= 1
    while end < len(more) and more[end]:
        end += 1
    return Span(span.field, start, end, tuple(scores[start:end].tolist()))


def _likeliest(field: str, scores: NDArray[np.float64]) -> list[Span]:
    """Return runs of the words that most likely belong to a field; none where no word may."""
    least = max(_LEAST_DOUBT, _DOUBT_SHARE * float(scores.max()))
    chosen = np.concatenate([[False], scores >= least, [False]])
    ends = np.flatnonzero(chosen[1:] != chosen[:-1])
    return [
        Span(field, int(start), int(end), tuple(scores[start:end].tolist()))
        for start, end in zip(ends[::2], ends[1::2], strict=True)
    ]
