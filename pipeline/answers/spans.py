"""Spans of one field to ranked values: equal values add up (Garncarek et al., 2020, sec. 4)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from models.labels import Span
from pipeline.values.names import core_key, name_key, without_possessive
from pipeline.values.normalise import DocumentContext, Normalised, normalise
from pipeline.values.schema import FieldSpec, Kind


class Scored(Protocol):
    """A place in a document with a score: a Span, or a Mention of several."""

    @property
    def start(self) -> int:
        """Its first word."""
        ...

    @property
    def score(self) -> float:
        """How sure it is, 0 to 1."""
        ...


PlaceT = TypeVar("PlaceT", bound=Scored)


@dataclass(frozen=True, slots=True)
class Value(Generic[PlaceT]):
    """One value that a document offers for a field.

    Attributes:
        best: the place with the highest score among those that say it.
        normalised: that place's text, normalised.
        total: sum of the scores of all places that say it.
        any: probability that one of the places at least is right, their scores taken as
            independent: what one of many values is worth by itself.
        places: all places that say it.
    """

    best: PlaceT
    normalised: Normalised
    total: float
    any: float
    places: tuple[PlaceT, ...]


def join_runs(
    spans: Iterable[Span], parted: Callable[[Span, Span], bool] = lambda first, second: False
) -> list[Span]:
    """Return spans of one field with those that touch joined: a contiguous run is one entity.

    "05 MAY 18" tagged as three single words is one date. Word scores go along, so that the joined
    span's score is the geometric mean over all its words.

    Args:
        spans: disjoint spans.
        parted: tells of two spans that touch whether they are two values all the same.
    """
    joined: list[Span] = []
    for span in sorted(spans, key=lambda span: span.start):
        last = joined[-1] if joined else None
        touches = last is not None and last.field == span.field and last.end == span.start
        if last is not None and touches and not parted(last, span):
            scores = _word_scores(last) + _word_scores(span)
            joined[-1] = Span(span.field, last.start, span.end, scores)
        else:
            joined.append(span)
    return joined


def _word_scores(span: Span) -> tuple[float, ...]:
    """Return a score for each word; 1 where none were given."""
    return span.token_scores or (1.0,) * (span.end - span.start)


def rank_values(
    spans: Iterable[PlaceT],
    texts: Sequence[str],
    spec: FieldSpec,
    context: DocumentContext,
) -> list[Value[PlaceT]]:
    """Return the different values of one field, the most credible first.

    Values that cannot be normalised come after all that can: a total without a number is no total.
    Ties go to the value that stands first in the document, so that the order is always the same.
    Of many names, one without its legal form counts for the one that has it (`_merge_names`).

    Args:
        spans: places of this field, in any order.
        texts: the text of each place, in the same order.
        spec: the field.
        context: what the document shows about its dates and amounts.
    """
    groups: dict[str, list[tuple[PlaceT, Normalised]]] = {}
    for span, text in zip(spans, texts, strict=True):
        normalised = normalise(text, spec, context)
        groups.setdefault(normalised.key, []).append((span, normalised))
    more: dict[str, list[PlaceT]] = {}
    if spec.many and spec.kind is Kind.NAME:
        more = _merge_names(groups)
    values = []
    for key, items in groups.items():
        # The first of the best, so that the place shown does not depend on the order of spans.
        best, normalised = min(items, key=lambda item: (-item[0].score, item[0].start))
        places = (*(span for span, _ in items), *more.get(key, ()))
        scores = [span.score for span in places]
        none = math.prod(1.0 - score for score in scores)
        values.append(Value(best, normalised, sum(scores), 1.0 - none, places))
    values.sort(
        key=lambda value: (value.normalised.status == "failed", -value.total, value.best.start)
    )
    return values


def _merge_names(
    groups: dict[str, list[tuple[PlaceT, Normalised]]],
) -> dict[str, list[PlaceT]]:
    """Take the groups out that say another group's name in short; return the places they add.

    "Acme Inc.'s" and "Acme" say "Acme Inc.". A short name that two others could mean ("Acme Inc."
    and "Acme Ltd.") says neither, and stays.
    """
    full: dict[str, list[str]] = {}
    for key, items in groups.items():
        if (core := core_key(items[0][1].text)) != key:
            full.setdefault(core, []).append(key)
    meant: dict[str, str] = {}
    for key, items in groups.items():
        named = name_key(without_possessive(items[0][1].text))
        candidates = [named] if named != key and named in groups else full.get(named, [])
        if len(candidates) == 1 and candidates[0] != key:
            meant[key] = candidates[0]
    more: dict[str, list[PlaceT]] = {}
    gone: list[str] = []
    for key in meant:
        target, passed = key, {key}
        while (following := meant.get(target)) is not None and following not in passed:
            target = following
            passed.add(target)
        if target not in meant:
            more.setdefault(target, []).extend(span for span, _ in groups[key])
            gone.append(key)
    for key in gone:
        groups.pop(key)
    return more
