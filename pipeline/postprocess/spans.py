"""Spans of one field to ranked values: equal values add up (Garncarek et al., 2020, sec. 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from models.labels import Span
from pipeline.postprocess.normalise import DocumentContext, Normalised, normalise
from pipeline.postprocess.schema import FieldSpec


@dataclass(frozen=True, slots=True)
class Value:
    """One value that a document offers for a field.

    Attributes:
        best: the span with the highest score among those that say it.
        normalised: that span's text, normalised.
        total: sum of the scores of all spans that say it.
    """

    best: Span
    normalised: Normalised
    total: float


def join_runs(spans: Iterable[Span]) -> list[Span]:
    """Return spans of one field with those that touch joined: a contiguous run is one entity.

    "05 MAY 18" tagged as three single words is one date. Word scores go along, so that the joined
    span's score is the geometric mean over all its words.
    """
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        last = joined[-1] if joined else None
        if last is not None and last.field == span.field and last.end == span.start:
            scores = _word_scores(last) + _word_scores(span)
            joined[-1] = Span(span.field, last.start, span.end, scores)
        else:
            joined.append(span)
    return joined


def _word_scores(span: Span) -> tuple[float, ...]:
    """Return a score for each word; 1 where none were given."""
    return span.token_scores or (1.0,) * (span.end - span.start)


def rank_values(
    spans: Iterable[Span],
    texts: Sequence[str],
    spec: FieldSpec,
    context: DocumentContext,
) -> list[Value]:
    """Return the different values of one field, the most credible first.

    Values that cannot be normalised come after all that can: a total without a number is no total.
    Ties go to the value that stands first in the document, so that the order is always the same.

    Args:
        spans: spans of this field, in any order.
        texts: the text of each span, in the same order.
        spec: the field.
        context: what the document shows about its dates and amounts.
    """
    groups: dict[str, list[tuple[Span, Normalised]]] = {}
    for span, text in zip(spans, texts, strict=True):
        normalised = normalise(text, spec, context)
        groups.setdefault(normalised.key, []).append((span, normalised))
    values = []
    for items in groups.values():
        # The first of the best, so that the place shown does not depend on the order of spans.
        best, normalised = min(items, key=lambda item: (-item[0].score, item[0].start))
        values.append(Value(best, normalised, sum(span.score for span, _ in items)))
    values.sort(
        key=lambda value: (value.normalised.status == "failed", -value.total, value.best.start)
    )
    return values
