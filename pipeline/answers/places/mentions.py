"""Places in a document that say a value: tagged spans, joined where they are parts of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from models.labels import Span


@dataclass(frozen=True, slots=True)
class Mention:
    """One place that says a value: a span, or the parts of one that stand below each other.

    Attributes:
        parts: spans of one field, in the order in which they are read; at least one.
    """

    parts: tuple[Span, ...]

    @property
    def start(self) -> int:
        """Its first word."""
        return self.parts[0].start

    @property
    def words(self) -> list[int]:
        """Its words, in the order in which they are read."""
        return [index for part in self.parts for index in range(part.start, part.end)]

    @property
    def score(self) -> float:
        """Geometric mean of the word scores of all parts, as `Span.score`."""
        first = self.parts[0]
        if len(self.parts) == 1:
            return first.score
        scores = tuple(score for part in self.parts for score in _word_scores(part))
        return Span(first.field, 0, len(scores), scores).score

    @property
    def least(self) -> float:
        """Score of its least likely word."""
        return min(score for part in self.parts for score in _word_scores(part))


def join_runs(
    spans: Iterable[Span], apart: Callable[[Span, Span], bool] = lambda first, second: False
) -> list[Span]:
    """Return spans of one field with those that touch joined: a contiguous run is one entity.

    "05 MAY 18" tagged as three single words is one date. Word scores go along, so that the joined
    span's score is the geometric mean over all its words.

    Args:
        spans: disjoint spans.
        apart: tells whether two spans that touch are two values nevertheless.
    """
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        last = joined[-1] if joined else None
        touches = last is not None and last.field == span.field and last.end == span.start
        if last is not None and touches and not apart(last, span):
            scores = _word_scores(last) + _word_scores(span)
            joined[-1] = Span(span.field, last.start, span.end, scores)
        else:
            joined.append(span)
    return joined


def _word_scores(span: Span) -> tuple[float, ...]:
    """Return a score for each word; 1 where none were given."""
    return span.token_scores or (1.0,) * (span.end - span.start)
