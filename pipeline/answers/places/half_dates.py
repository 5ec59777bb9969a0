"""Dates that leave to the other end of their range what both have: "Aug 4 – Sep 3, 2026"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.labels import Span
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.answers.places.ranges import date_behind
from pipeline.values.normalise import Normalised, normalise
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.strings import clean

_PARTS = re.compile(r"[^\w\s]*[^\W_]+")  # a part of a date with the marks before it: ".03"
# "15.02.", "Aug 4", "1st of March": words and short numbers, and no misread date, "06t02t20".
_HALF = re.compile(r"\W*(?:(?:\d{1,2}(?:st|nd|rd|th|er)?|[^\W\d_]+)(?:\W+|$)){1,4}")
_MOST_HALF = 3  # words: "28 de febrero"
_WHY = "What is not written is as at the end of its range."


def with_beginnings(evidence: Evidence, fields: Sequence[FieldSpec]) -> Evidence:
    """Return the evidence with the untagged beginnings of ranges: the 6 of "6 to 24 October 2025".

    That is so where a date is tagged as either end of a range, none as the other, and "to" joins
    what stands before it; before a dash anything may stand. The beginning is scored as the date is.
    """
    spans = list(evidence.spans)
    for end in fields:
        start = next((spec for spec in fields if spec.name == end.range_start), None)
        if start is None:
            continue
        tagged = [
            span
            for span in spans
            if span.field in (start.name, end.name)
            and reading_of(Mention((span,)), end, evidence).precision == "day"
        ]
        if len({span.field for span in tagged}) != 1:
            continue
        last = max(tagged, key=lambda span: span.score)
        first = _beginning(last, start, evidence)
        if first is not None:
            scores = (last.score,) * (last.end - last.start)
            spans.remove(last)
            spans += [first, Span(end.name, last.start, last.end, scores)]
    return replace(evidence, spans=spans)


def reading_of(mention: Mention, spec: FieldSpec, evidence: Evidence) -> Normalised:
    """Return how a place reads for a field; a date that begins a range has its end's year.

    The month too, where it lacks that: "3 to 7 October 2025". Of a range over the new year the
    beginning is in the year before.
    """
    printed = evidence.text(mention)
    found = normalise(printed, spec, evidence.context)
    if spec.kind is not Kind.DATE or found.precision == "day" or not _HALF.fullmatch(printed):
        return found
    joined = date_behind(mention, spec, evidence)
    if joined is None:
        return found
    (first, last), end = joined
    written = " ".join(token.text for _, token in evidence.words[first:last])
    for text in _completed(printed, written, str(end.value)):
        whole = normalise(text, spec, evidence.context)
        if whole.precision == "day" and str(whole.value) <= str(end.value):
            return replace(whole, text=clean(printed), reason=whole.reason or _WHY)
    return found


def _beginning(end: Span, spec: FieldSpec, evidence: Evidence) -> Span | None:
    """Return where the range begins that a date ends, the fewest words of it; None without one."""
    between, tagged = end.start - 1, evidence.tagged()
    if between < 0 or not evidence.words[between][1].text[:1].isalpha():
        return None
    for start in range(between - 1, max(-1, between - 1 - _MOST_HALF), -1):
        if not {start, between}.isdisjoint(tagged) or not evidence.same_line(start, end.start):
            return None
        found = Span(spec.name, start, between, (end.score,) * (between - start))
        if reading_of(Mention((found,)), spec, evidence).precision == "day":
            return found
    return None


def _completed(text: str, end: str, iso: str) -> Iterator[str]:
    """Yield the text of a beginning with the last parts of its end, the fewest first.

    Args:
        text: "15.12." or "Dec 15".
        end: "14.01.2027" or "Jan 14, 2027".
        iso: the date that the end is.
    """
    this, before = (f"{(int(iso[:4]) - ago) % 100:02d}" for ago in (0, 1))
    for part in reversed(list(_PARTS.finditer(end))[1:]):
        rest = end[part.start() :]
        for more in (rest, rest.removesuffix(this) + before) if rest.endswith(this) else (rest,):
            yield f"{text} {more}" if more[0].isalnum() else f"{text.rstrip('.,/-')}{more}"
