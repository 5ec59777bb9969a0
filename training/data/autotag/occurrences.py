"""Where a label's value stands in a document: every occurrence, in whatever form it is printed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from pipeline.answers.places.columns import goes_on_below
from pipeline.values.figures.amounts import find_amounts
from pipeline.values.kinds.number import find_numbers
from pipeline.values.normalise import DocumentContext, normalise
from pipeline.values.schema import LONG, FieldSpec, Kind
from pipeline.values.texts.names import word_key
from pipeline.values.texts.strings import lenient
from pipeline.values.times.dates import find_dates
from pipeline.values.times.durations import find_durations
from training.data.autotag.places import rivals
from training.data.autotag.text import Skeleton, Text

How = Literal["exact", "value", "column", "fuzzy", "placed"]

_LEAST_SIMILARITY = 0.75  # of letters and digits, for a stretch of words to be the label's
_REACH = 4  # words by which the ends of a fuzzy match may move
_LINES_BELOW = 3  # in which a value that a column cut goes on: columns' lines interleave
_SHORT = 3  # letters and digits; a shorter value matches whole words only


@dataclass(frozen=True, slots=True)
class Match:
    """One occurrence of a label in a document.

    Attributes:
        field: the field labelled.
        value: which of its values, as typed.
        start, end: half-open range of words.
        how: exact (same letters and digits; of names, the same in another writing), value (same
            date, amount or duration), column (one part of a value that a column's edge cut),
            fuzzy, or placed (the label says where).
        similarity: of letters and digits, 0 to 1.
    """

    field: str
    value: str
    start: int
    end: int
    how: How
    similarity: float = 1.0


def find_matches(text: Text, spec: FieldSpec, value: str) -> list[Match]:
    """Return all occurrences of one value, left to right; the caller weighs them."""
    worth = [Match(spec.name, value, *place, "value") for place in _worth(text, spec, value)]
    return worth or _string_matches(text, spec, value)


def _worth(text: Text, spec: FieldSpec, value: str) -> Iterator[tuple[int, int]]:
    """Yield the words of each date, amount, duration or number that is worth what a label says."""
    decimal = text.context.decimal
    if spec.kind is Kind.DATE:
        day_first = spec.day_first
        dates = {reading.iso for reading in find_dates(value, day_first=day_first)}
        order = text.context.day_first if text.context.day_first is not None else day_first
        for date in find_dates(text.text, day_first=order):
            said = text.text[date.start : date.end]
            # The document's order may differ from the label's; the same text is the same date.
            if date.iso in dates or lenient(said) == lenient(value):
                yield text.words_at(date.start, date.end)
    elif spec.kind is Kind.AMOUNT:
        for typed in find_amounts(value, decimal=None, whole=True)[:1]:
            with_sign = (typed.start, typed.end) != (typed.number_start, typed.number_end)
            for found in find_amounts(text.text, decimal=decimal):
                if abs(found.amount) == abs(typed.amount):
                    yield (
                        text.words_at(found.start, found.end)
                        if with_sign
                        else text.words_at(found.number_start, found.number_end)
                    )
    elif spec.kind is Kind.DURATION:
        durations = {reading.key for reading in find_durations(value)}
        for duration in find_durations(text.text):
            if duration.key in durations:
                yield text.words_at(duration.start, duration.end)
    elif spec.kind in (Kind.NUMBER, Kind.PERCENT):
        numbers = {number for _, _, values in find_numbers(value, ".") for number in values}
        for index, word in enumerate(text.words):
            if any(numbers.intersection(values) for _, _, values in find_numbers(word, decimal)):
                yield index, index + 1


def _string_matches(text: Text, spec: FieldSpec, value: str) -> list[Match]:
    wanted = lenient(value)
    if not wanted:
        return []
    found: list[Match] = []
    if spec.kind is Kind.NAME:
        found = _exact_matches(text.names, "".join(map(word_key, value.split())), spec, value)
    found = found or _exact_matches(text.letters, wanted, spec, value)
    if spec.kind in LONG and not spec.many:  # many values may stand below each other
        found += _column_matches(text, spec, value, found)
    if found or len(wanted) <= _SHORT or spec.kind is Kind.DURATION:
        return found
    nearest = nearest_words(text, wanted)
    if nearest is None or nearest[2] < _LEAST_SIMILARITY:
        return []
    start, end, similarity = nearest
    if spec.kind in (Kind.DATE, Kind.AMOUNT) and _says_another(text.printed(start, end), spec):
        return _mistyped_matches(text, spec, value)
    return [Match(spec.name, value, start, end, "fuzzy", similarity)]


def _exact_matches(skeleton: Skeleton, wanted: str, spec: FieldSpec, value: str) -> list[Match]:
    """Return whole occurrences, or where there are none those within longer words."""
    if not wanted:
        return []
    whole = [
        Match(spec.name, value, start, end, "exact")
        for start, end in skeleton.find(wanted, parts_count=False)
    ]
    if whole or len(wanted) <= _SHORT or spec.kind is Kind.IDENTIFIER:
        return whole
    parts = [
        Match(
            spec.name,
            value,
            start,
            end,
            "exact",
            Indel.normalized_similarity(skeleton.of(start, end), wanted),
        )
        for start, end in skeleton.find(wanted, parts_count=True)
    ]
    return [match for match in parts if match.similarity >= _LEAST_SIMILARITY]


def _says_another(printed: str, spec: FieldSpec) -> bool:
    """Return whether a text is clearly a date or an amount of its own: then it is another one."""
    return normalise(printed, spec, DocumentContext(day_first=spec.day_first)).status == "ok"


def _mistyped_matches(text: Text, spec: FieldSpec, value: str) -> list[Match]:
    """Return the places of the one date or amount that differs from the label in one digit.

    Empty where several do: then nothing tells which one the label means.
    """
    wanted = lenient(value)
    found = [
        Match(spec.name, value, *place, "fuzzy", Indel.normalized_similarity(said, wanted))
        for place in sorted(rivals(text, spec))
        if len(said := text.letters.of(*place)) == len(wanted)
        and sum(a != b for a, b in zip(said, wanted, strict=True)) == 1
    ]
    return found if len({text.letters.of(m.start, m.end) for m in found}) == 1 else []


def _column_matches(text: Text, spec: FieldSpec, value: str, whole: Sequence[Match]) -> list[Match]:
    """Return the parts of each occurrence that goes on below, at the left edge of its column.

    Args:
        text: of the document.
        spec: the field.
        value: as typed.
        whole: occurrences in one piece; their words are no parts of others.
    """
    if spec.kind is Kind.NAME:
        keys, wanted = text.names.parts, "".join(map(word_key, value.split()))
    else:
        keys, wanted = text.letters.parts, lenient(value)
    if len(wanted) <= _SHORT:
        return []
    taken = {index for match in whole for index in range(match.start, match.end)}
    found: list[Match] = []
    for first, key in enumerate(keys):
        if key and key != wanted and first not in taken and wanted.startswith(key):
            parts = _down_the_column(text, keys, first, wanted)
            if taken.isdisjoint(index for part in parts for index in range(*part)):
                taken.update(index for part in parts for index in range(*part))
                found += [Match(spec.name, value, *part, "column") for part in parts]
    return found


def _down_the_column(
    text: Text, keys: Sequence[str], first: int, wanted: str
) -> list[tuple[int, int]]:
    """Return the ranges of words, which stand below each other, that together say `wanted`.

    Empty where none do, or where nothing stands between them.
    """
    parts: list[tuple[int, int]] = []
    start, said = first, 0
    while True:
        line = text.line_of[start]
        end, after = start, start
        while after < len(keys) and text.line_of[after] == line:
            if not wanted.startswith(keys[after], said):
                break
            said += len(keys[after])
            after += 1
            if keys[after - 1]:
                end = after
        if parts and parts[-1][1] == start:  # nothing stands between two of its lines
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
        if said == len(wanted):
            # Words that follow each other in reading are an exact match, and found as such.
            return [] if len(parts) == 1 else parts
        below = text.lines[line + 1 : line + 1 + _LINES_BELOW]
        lower = next(
            (
                index
                for index in itertools.chain.from_iterable(below)
                if keys[index]
                and wanted.startswith(keys[index], said)
                and goes_on_below(text.placed[end - 1], text.placed[index], text.placed[first][1])
            ),
            None,
        )
        if lower is None:
            return []
        start = lower


def nearest_words(text: Text, wanted: str) -> tuple[int, int, float] | None:
    """Return the stretch of words most similar to `wanted`, and the similarity, 0 to 1."""
    if not text.letters.text:
        return None
    alignment = fuzz.partial_ratio_alignment(wanted, text.letters.text)
    if alignment is None or alignment.dest_end <= alignment.dest_start:
        return None
    first, last = text.letters.words(alignment.dest_start, alignment.dest_end)
    best: tuple[float, int, int] | None = None
    for start in range(max(first - _REACH, 0), min(first + _REACH, len(text.words) - 1) + 1):
        for end in range(max(start + 1, last - _REACH), min(last + _REACH, len(text.words)) + 1):
            similarity = Indel.normalized_similarity(text.letters.of(start, end), wanted)
            if best is None or similarity > best[0]:
                best = (similarity, start, end)
    return None if best is None else (best[1], best[2], best[0])
