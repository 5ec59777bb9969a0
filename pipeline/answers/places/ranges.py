"""The end of a range of dates: never before its beginning, and most likely printed beside it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from models.labels import Span
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.answers.places.ranking import Value
from pipeline.document import Token
from pipeline.values.normalise import Normalised, normalise
from pipeline.values.schema import FieldSpec
from pipeline.values.times.dates import days_of
from pipeline.values.times.words import RANGE_WORDS

_BESIDE = 3  # most words from the beginning to the end: "from 02/17/20 to 02/23/20"
_BETWEEN = frozenset({"-", "–", "—", "~", "/", *RANGE_WORDS})
_MOST_WORDS = 5  # of a date, which is as long as "23 de febrero de 2020"
_SURE = 0.5  # a tagged end with at least this score is believed
_LEAST = 0.3  # ends beside the beginning decide if their scores add up to at least this


def ends_of(values: Sequence[Value], start: Value) -> list[Value]:
    """Return the values that may end the range that `start` begins, the most credible first.

    A date before the beginning ends nothing and is left out. Where a date stands right behind the
    beginning, as in "02/17/20 - 02/23/20", the others have no evidence next to it: orders name the
    ends of many periods, of the month, the invoice or the line.

    Args:
        values: dates, the most credible first, see `pipeline.answers.places.ranking.rank_values`.
        start: the date of the beginning.
    """
    late = [value for value in values if not _is_before(value, start)]
    closings = {place.words[-1] for place in start.places}

    def beside(value: Value) -> float:
        if value.normalised.status == "failed":  # not a date: comes after all dates
            return 0.0
        return sum(
            place.score
            for place in value.places
            if any(0 < place.start - last <= _BESIDE for last in closings)
        )

    scores = [beside(value) for value in late]
    if max(scores, default=0.0) < _LEAST:
        return late
    order = sorted(range(len(late)), key=lambda index: -scores[index])  # of equals as they were
    return [
        late[index] if scores[index] >= _LEAST else dataclasses.replace(late[index], total=0.0)
        for index in order
    ]


def is_sure(values: Sequence[Value]) -> bool:
    """Return whether the tagger is sure of one of the values."""
    return any(value.best.score >= _SURE for value in values)


def with_untagged_end(
    mentions: Sequence[Mention], start: Value, spec: FieldSpec, evidence: Evidence
) -> list[Mention]:
    """Return the mentions of an end, with those that a dash or "to" joins to the beginning.

    Such a date is as sure as the place of the beginning that it follows, whatever the tagger
    thought of it. A word that is tagged as another field is no part of it.

    Args:
        mentions: of the end, as tagged.
        start: the date of the beginning.
        spec: the field of the end.
        evidence: the document as tagged.
    """
    joined = list(_joined_to(start, spec, evidence))
    words = {index for mention in joined for index in mention.words}
    return [*(one for one in mentions if words.isdisjoint(one.words)), *joined]


def _is_joining(token: Token) -> bool:
    return token.text.casefold() in _BETWEEN


def _joined_to(start: Value, spec: FieldSpec, evidence: Evidence) -> Iterator[Mention]:
    others = evidence.tagged(but=spec.name)
    for place in start.places:
        joined = date_behind(place, spec, evidence)
        if joined is not None and others.isdisjoint(range(*joined[0])):
            first, end = joined[0]
            yield Mention((Span(spec.name, first, end, (place.score,) * (end - first)),))


def date_behind(
    place: Mention, spec: FieldSpec, evidence: Evidence
) -> tuple[tuple[int, int], Normalised] | None:
    """Return the words of the whole date that a dash or "to" joins to a place, and how it reads."""
    between = place.words[-1] + 1
    if between >= len(evidence.words) or not _is_joining(evidence.words[between][1]):
        return None
    first = between + 1
    texts = [token.text for _, token in evidence.words[first : first + _MOST_WORDS]]
    for count in range(1, len(texts) + 1):
        found = normalise(" ".join(texts[:count]), spec, evidence.context)
        if found.precision == "day":
            return (first, first + count), found
    return None


def _is_before(value: Value, start: Value) -> bool:
    """Return whether a date is surely before another; months without a day are not compared on."""
    if "failed" in (value.normalised.status, start.normalised.status):
        return False
    last = days_of(value.normalised.value)[1]
    return last < days_of(start.normalised.value)[0]
