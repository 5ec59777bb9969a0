"""Places in a document that say a value: tagged spans, joined where they are parts of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from models.labels import Span
from pipeline.document import Page, Token

Words = Sequence[tuple[Page, Token]]
"""The words of a document with their pages, in reading order: spans and mentions count them."""

_PLACE_ALONE = 0.5  # score of a word that nothing but its place tells


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
        scores = tuple(self.scores.values())
        return Span(first.field, 0, len(scores), scores).score

    @property
    def least(self) -> float:
        """Score of its least likely word."""
        return min(self.scores.values())

    @property
    def scores(self) -> dict[int, float]:
        """The scores of its words, by word."""
        scores = (score for part in self.parts for score in _word_scores(part))
        return dict(zip(self.words, scores, strict=True))

    def of(self, scores: Mapping[int, float]) -> Mention:
        """Return a mention of the same field that has other words, each run of them a part.

        Args:
            scores: of its words, by word.
        """
        parts: list[list[int]] = []
        for index in sorted(scores):
            if parts and parts[-1][-1] == index - 1:
                parts[-1].append(index)
            else:
                parts.append([index])
        field = self.parts[0].field
        return Mention(
            tuple(
                Span(field, part[0], part[-1] + 1, tuple(map(scores.__getitem__, part)))
                for part in parts
            )
        )

    def only(self, words: Iterable[int]) -> Mention:
        """Return a mention of those of its words that are among others."""
        chosen = set(words)
        return self.of({index: score for index, score in self.scores.items() if index in chosen})


def placed(field: str, words: Sequence[int]) -> Mention:
    """Return words that follow one another as a field's, which nothing but their place tells."""
    return Mention((Span(field, words[0], words[-1] + 1, (_PLACE_ALONE,) * len(words)),))


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
