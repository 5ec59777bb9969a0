"""Dates, IBANs and tax numbers taken in part: made whole by the words beside them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from models.labels import Span
from pipeline.answers.places.beside import has_digit
from pipeline.answers.places.columns import NEAR, goes_on_below, in_text, text_begins
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.answers.places.ranges import date_behind
from pipeline.values.normalise import Normalised, normalise
from pipeline.values.normalised import ASSUMED
from pipeline.values.schema import FieldSpec, Kind

# Words that a part may lack before and behind it: "[24 November] 2017", "24 [Mar 18]", and of an
# IBAN's nine groups all but one.
_MOST_MORE = {Kind.DATE: 2, Kind.IBAN: 8, Kind.TAX_ID: 2}
_YEAR = re.compile(r"(?:19|20)\d\d\W*")
_LIKELY = 0.1  # score of a word that is another field's


def with_whole_values(evidence: Evidence, fields: Sequence[FieldSpec]) -> Evidence:
    """Return the evidence with dates, IBANs and tax numbers whole where the tagger left a part out.

    The words beside such a part, in its line and column and hardly tagged, belong to it where
    it is a whole date with them, or an IBAN or a tax number with the right check digits, and none
    without. So do those that begin the line below it in its column: below a date if a year is among
    them, also where they are tagged as part of another; below a number if it begins with the
    letters of a country, as without them other digits make a number of some country, too. They are
    scored as the part is. A part that a dash or "to" joins to a whole date begins a range, and
    takes none of its words (`pipeline.answers.places.half_dates`).
    """
    specs = {spec.name: spec for spec in fields if spec.kind in _MOST_MORE}
    likely = (span for span in evidence.spans if span.score >= _LIKELY)
    tagged = {index for span in likely for index in range(span.start, span.end)}
    in_part = {
        span.start: spec
        for span in evidence.spans
        if (spec := specs.get(span.field)) is not None
        and not _is_whole(_read([span], spec, evidence), spec)
    }
    loose = {
        index
        for span in evidence.spans
        if span.start in in_part and in_part[span.start].kind is Kind.DATE
        for index in range(span.start, span.end)
    }
    found: list[Span] = []
    taken = set[int]()
    for span in sorted(evidence.spans, key=lambda span: span.start):
        if taken.issuperset(range(span.start, span.end)):  # of the date above it, whatever its tag
            continue
        spec, parts = in_part.get(span.start), [span]
        if spec is not None and date_behind(Mention((span,)), spec, evidence) is None:
            most = _MOST_MORE[spec.kind]
            below = _below(span, most, tagged - loose, evidence)
            if spec.kind is Kind.DATE:
                below = (more for more in below if _lacks_a_day(more, spec, evidence))
            elif evidence.words[span.start][1].text[:1].isalpha():
                below = itertools.takewhile(partial(_ends_in_digits, evidence), below)
            else:
                below = iter(())
            ways = itertools.chain(
                ([one] for one in _widened(span, most, tagged, evidence)),
                ([span, more] for more in below),
            )
            whole = (way for way in ways if _is_whole(_read(way, spec, evidence), spec))
            parts = next(whole, parts)
        words = {index for part in parts for index in range(part.start, part.end)}
        tagged |= words
        loose -= words
        taken.update(index for part in parts[1:] for index in range(part.start, part.end))
        found += parts
    return replace(evidence, spans=found)


def _below(span: Span, most: int, tagged: set[int], evidence: Evidence) -> Iterator[Span]:
    """Yield what a number may go on with in the line below it, in its column: the least first."""
    words, last = evidence.words, span.end - 1
    lefts = [words[at][1] for at in {span.start, text_begins(span.start, words)}]
    near = range(span.end, min(len(words), span.end + NEAR))
    below = (i for i in near for left in lefts if goes_on_below(words[last], words[i], left))
    start = next(below, len(words))
    for at in range(start, min(len(words), start + most)):
        free = at not in tagged if at == start else _joins(at, 1, tagged, evidence)
        if not free:
            return
        yield Span(span.field, start, at + 1, (span.score,) * (at + 1 - start))


def _ends_in_digits(evidence: Evidence, span: Span) -> bool:
    return has_digit(evidence.words[span.end - 1][1].text)


def _lacks_a_day(span: Span, spec: FieldSpec, evidence: Evidence) -> bool:
    """Return whether words are no date by themselves, but say the year of one."""
    texts = (evidence.words[index][1].text for index in range(span.start, span.end))
    has_year = any(map(_YEAR.fullmatch, texts))
    return has_year and not _is_whole(_read([span], spec, evidence), spec)


def _widened(span: Span, most: int, tagged: set[int], evidence: Evidence) -> Iterator[Span]:
    """Yield a span with words before or behind it that it may go on in, the fewest first."""
    before = behind = 0
    while before < most and _joins(span.start - before - 1, -1, tagged, evidence):
        before += 1
    while behind < most and _joins(span.end + behind, 1, tagged, evidence):
        behind += 1
    sizes = [(back, on) for back in range(before + 1) for on in range(behind + 1) if back or on]
    for back, on in sorted(sizes, key=sum):
        start, end = span.start - back, span.end + on
        yield Span(span.field, start, end, (span.score,) * (end - start))


def _joins(index: int, step: int, tagged: set[int], evidence: Evidence) -> bool:
    """Return whether a word is free, and beside the one that is a step nearer to the part."""
    return index not in tagged and in_text(max(index, index - step), evidence.words)


def _read(spans: Sequence[Span], spec: FieldSpec, evidence: Evidence) -> Normalised:
    words = (evidence.words[index] for span in spans for index in range(span.start, span.end))
    text = " ".join(token.text for _, token in words)
    return normalise(text, spec, evidence.context)


def _is_whole(reading: Normalised, spec: FieldSpec) -> bool:
    if spec.kind is Kind.TAX_ID:  # its check digits tell, where something tells the country
        return reading.status == "ok" or (reading.reason or "").startswith(ASSUMED)
    if spec.kind is Kind.IBAN:
        return reading.status != "failed"
    return reading.precision == "day"
