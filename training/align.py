"""Auto-tagging: values-only labels to the places of their words (Garncarek et al., 2020, sec. 4).

For each value of a row, its occurrences in the document:

* dates and amounts by value, in every written form, with or without the currency, as the label;
* everything else by letters and digits: each exact occurrence that begins and ends with a word,
  or else the most similar stretch of words, over as many lines as it takes.

Of several occurrences of a date, an amount or an identifier, those beside the field's captions
count and coincidences do not; the captions are learnt from the data set itself
(`training.captions`). Spans never overlap: the better match of the longer value keeps its words.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from models.labels import Span
from pipeline.document import Document
from pipeline.ocr.words import glued
from pipeline.postprocess.amounts import find_amounts
from pipeline.postprocess.dates import find_dates
from pipeline.postprocess.normalise import DocumentContext, infer_context
from pipeline.postprocess.schema import FieldSpec, Kind
from pipeline.postprocess.strings import lenient
from pipeline.tagging import lines_of
from training.captions import Captions, Place
from training.dataset import Row

How = Literal["exact", "value", "fuzzy"]

_LEAST_SIMILARITY = 0.75  # of letters and digits, for a stretch of words to be the label's
_REACH = 4  # words by which the ends of a fuzzy match may move
_SHORT = 3  # letters and digits; a shorter value matches whole words only


@dataclass(frozen=True, slots=True)
class Match:
    """One occurrence of a label in a document.

    Attributes:
        field: the field labelled.
        value: which of its values, as typed.
        start, end: half-open range of words.
        how: exact (same letters and digits), value (same date or amount), or fuzzy.
        similarity: of letters and digits, 0 to 1.
    """

    field: str
    value: str
    start: int
    end: int
    how: How
    similarity: float = 1.0


@dataclass(frozen=True, slots=True)
class Miss:
    """A label that was not found, and why."""

    field: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class Tagged:
    """What auto-tagging found in one document.

    Attributes:
        spans: disjoint spans, left to right.
        matches: the occurrence behind each span.
        misses: values without any.
    """

    spans: tuple[Span, ...]
    matches: tuple[Match, ...]
    misses: tuple[Miss, ...] = field(default=())


class Text:
    """A document's words as one string to search, with the way back from characters to words.

    Args:
        document: as read.
    """

    def __init__(self, document: Document) -> None:
        tokens = [token for _, token in document.words()]
        self.words = [token.text for token in tokens]
        self.lines = lines_of(document)
        self.context: DocumentContext = infer_context(
            [" ".join(self.words[index] for index in line) for line in self.lines]
        )
        parts: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        position = 0
        for line in self.lines:
            for place, index in enumerate(line):
                word = self.words[index]
                self._starts.append(position)
                self._ends.append(position + len(word))
                last = place == len(line) - 1
                between = "\n" if last else "" if glued(tokens[index], tokens[index + 1]) else " "
                parts += [word, between]
                position += len(word) + len(between)
        self.text = "".join(parts)
        skeletons = [lenient(word) for word in self.words]
        self.skeleton = "".join(skeletons)
        self._bounds = [0]
        for part in skeletons:
            self._bounds.append(self._bounds[-1] + len(part))

    def words_at(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open range of words that characters [start, end) of `text` touch."""
        first = bisect_right(self._ends, start)
        last = bisect_right(self._starts, end - 1)
        return first, last

    def words_of_skeleton(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open range of words that characters [start, end) of `skeleton` touch."""
        first = bisect_right(self._bounds, start) - 1
        last = bisect_right(self._bounds, end - 1)
        return first, last

    def skeleton_of(self, start: int, end: int) -> str:
        """Return the letters and digits of words [start, end)."""
        return self.skeleton[self._bounds[start] : self._bounds[end]]

    def printed(self, start: int, end: int) -> str:
        """Return words [start, end) as printed, line ends kept."""
        return self.text[self._starts[start] : self._ends[end - 1]]


def find_matches(text: Text, spec: FieldSpec, value: str) -> list[Match]:
    """Return all occurrences of one value, left to right; the caller weighs them."""
    if spec.kind is Kind.DATE:
        by_value = _date_matches(text, spec, value)
    elif spec.kind is Kind.AMOUNT:
        by_value = _amount_matches(text, spec, value)
    else:
        by_value = []
    return by_value or _string_matches(text, spec, value)


def _date_matches(text: Text, spec: FieldSpec, value: str) -> list[Match]:
    day_first = spec.day_first
    wanted = {reading.iso for reading in find_dates(value, day_first=day_first)}
    order = text.context.day_first if text.context.day_first is not None else day_first
    return [
        Match(spec.name, value, *text.words_at(found.start, found.end), "value")
        for found in find_dates(text.text, day_first=order)
        # The document's order may differ from the label's; the same text is the same date.
        if found.iso in wanted or lenient(text.text[found.start : found.end]) == lenient(value)
    ]


def _amount_matches(text: Text, spec: FieldSpec, value: str) -> list[Match]:
    typed = find_amounts(value, decimal=None)
    if not typed:
        return []
    with_sign = (typed[0].start, typed[0].end) != (typed[0].number_start, typed[0].number_end)
    return [
        Match(
            spec.name,
            value,
            *text.words_at(
                found.start if with_sign else found.number_start,
                found.end if with_sign else found.number_end,
            ),
            "value",
        )
        for found in find_amounts(text.text, decimal=text.context.decimal)
        if abs(found.amount) == abs(typed[0].amount)
    ]


def _string_matches(text: Text, spec: FieldSpec, value: str) -> list[Match]:
    wanted = lenient(value)
    if not wanted:
        return []
    found: list[Match] = []
    position = text.skeleton.find(wanted)
    while position >= 0:
        start, end = text.words_of_skeleton(position, position + len(wanted))
        similarity = Indel.normalized_similarity(text.skeleton_of(start, end), wanted)
        parts_count = len(wanted) > _SHORT and spec.kind is not Kind.IDENTIFIER
        taken = similarity == 1.0 or (parts_count and similarity >= _LEAST_SIMILARITY)
        if taken:
            found.append(Match(spec.name, value, start, end, "exact", similarity))
        # "1 11" holds "11" from its second letter on: only what was taken is passed over.
        position = text.skeleton.find(wanted, position + (len(wanted) if taken else 1))
    if found or len(wanted) <= _SHORT:
        return found
    nearest = _nearest(text, wanted)
    if nearest is None or nearest[2] < _LEAST_SIMILARITY:
        return []
    start, end, similarity = nearest
    return [Match(spec.name, value, start, end, "fuzzy", similarity)]


def _nearest(text: Text, wanted: str) -> tuple[int, int, float] | None:
    """Return the stretch of words most similar to `wanted`, and the similarity."""
    if not text.skeleton:
        return None
    alignment = fuzz.partial_ratio_alignment(wanted, text.skeleton)
    if alignment is None or alignment.dest_end <= alignment.dest_start:
        return None
    first, last = text.words_of_skeleton(alignment.dest_start, alignment.dest_end)
    best: tuple[float, int, int] | None = None
    for start in range(max(first - _REACH, 0), min(first + _REACH, len(text.words) - 1) + 1):
        for end in range(max(start + 1, last - _REACH), min(last + _REACH, len(text.words)) + 1):
            similarity = Indel.normalized_similarity(text.skeleton_of(start, end), wanted)
            if best is None or similarity > best[0]:
                best = (similarity, start, end)
    return None if best is None else (best[1], best[2], best[0])


def autotag(
    rows: Sequence[Row], documents: Mapping[str, Document], fields: Sequence[FieldSpec]
) -> dict[str, Tagged]:
    """Return the spans of every row that has a document.

    Args:
        rows: labelled documents.
        documents: by row id, as read or as transcribed.
        fields: the fields to tag, with their kinds.
    """
    texts = {row.id: Text(documents[row.id]) for row in rows if row.id in documents}
    found = {
        row.id: {
            (spec.name, value): find_matches(texts[row.id], spec, value)
            for spec in fields
            for value in row.fields.get(spec.name, ())
        }
        for row in rows
        if row.id in texts
    }
    for spec in fields:
        if spec.kind in (Kind.DATE, Kind.AMOUNT, Kind.IDENTIFIER):
            _keep_captioned(spec, texts, found)
    return {name: _settle(texts[name], matches) for name, matches in found.items()}


def _keep_captioned(
    spec: FieldSpec,
    texts: Mapping[str, Text],
    found: Mapping[str, dict[tuple[str, str], list[Match]]],
) -> None:
    """Drop the occurrences of a field's values that stand beside no caption of the field."""
    places: dict[str, list[Place]] = {}
    for name, text in texts.items():
        labelled = {
            (match.start, match.end)
            for (field_name, _), matches in found[name].items()
            if field_name == spec.name
            for match in matches
        }
        every = labelled | _rivals(text, spec)
        places[name] = [
            Place(start, end, (start, end) in labelled, _surroundings(text, start, end))
            for start, end in sorted(every)
        ]
    captions = Captions.learn(places.values())
    for name, items in places.items():
        scores = {(place.start, place.end): captions.score(place) for place in items}
        for key, matches in found[name].items():
            if key[0] == spec.name and len(matches) > 1:
                best = max(scores[match.start, match.end] for match in matches)
                found[name][key] = [
                    match
                    for match in matches
                    if scores[match.start, match.end] >= min(best, Captions.SURE)
                ]


def _rivals(text: Text, spec: FieldSpec) -> set[tuple[int, int]]:
    """Return all places in a document that could hold a value of this kind."""
    if spec.kind is Kind.DATE:
        return {
            text.words_at(found.start, found.end)
            for found in find_dates(text.text, day_first=text.context.day_first)
        }
    if spec.kind is Kind.AMOUNT:
        return {
            text.words_at(found.number_start, found.number_end)
            for found in find_amounts(text.text, decimal=text.context.decimal)
            if "." in text.text[found.number_start : found.number_end]
            or "," in text.text[found.number_start : found.number_end]
        }
    return {
        (index, index + 1)
        for index, word in enumerate(text.words)
        if any(map(str.isdigit, word)) and len(lenient(word)) > _SHORT
    }


def _surroundings(text: Text, start: int, end: int) -> frozenset[str]:
    """Return the words of the lines around a place, each marked with where it stands."""
    number = next(n for n, line in enumerate(text.lines) if line[-1] >= start)
    line = text.lines[number]
    near = {f"left {lenient(text.words[i])}" for i in line if i < start}
    near |= {f"right {lenient(text.words[i])}" for i in line if i >= end}
    if number:
        near |= {f"above {lenient(text.words[i])}" for i in text.lines[number - 1]}
    return frozenset(word for word in near if any(map(str.isalpha, word.partition(" ")[2])))


def _settle(text: Text, found: Mapping[tuple[str, str], list[Match]]) -> Tagged:
    """Return disjoint spans: better and longer matches take their words first."""
    order = {"exact": 0, "value": 0, "fuzzy": 1}
    every = [match for matches in found.values() for match in matches]
    every.sort(key=lambda match: (order[match.how], match.start - match.end, match.start))
    taken = [False] * len(text.words)
    kept: list[Match] = []
    for match in every:
        if not any(taken[match.start : match.end]):
            taken[match.start : match.end] = [True] * (match.end - match.start)
            kept.append(match)
    kept.sort(key=lambda match: match.start)
    misses = [
        Miss(name, value, _reason(text, value, matches))
        for (name, value), matches in found.items()
        if not any(match.field == name and match.value == value for match in kept)
    ]
    spans = tuple(
        Span(match.field, match.start, match.end, (1.0,) * (match.end - match.start))
        for match in kept
    )
    return Tagged(spans, tuple(kept), tuple(misses))


def _reason(text: Text, value: str, matches: list[Match]) -> str:
    if matches:
        return "all its words belong to another field's value"
    if not lenient(value):
        return "the label has neither letters nor digits"
    nearest = _nearest(text, lenient(value))
    if nearest is None:
        return "the document has no words"
    start, end, similarity = nearest
    return f"not found; nearest is {text.printed(start, end)!r} ({similarity:.2f} alike)"
