"""Auto-tagging: values-only labels to the places of their words (Garncarek et al., 2020, sec. 4).

For each value of a row, its occurrences in the whole document (`occurrences`):

* dates, amounts and durations by value, in every written form, as the label;
* everything else by letters and digits: each exact occurrence, also where a column's edge cuts it,
  or else the most similar stretch of words, over as many lines as it takes.

Of several occurrences, those beside the field's captions count and coincidences (in a table, in an
address) do not. The captions are learnt from the data set itself (`captions`). Spans
never overlap: the better match of the longer value keeps its words; of two fields with one value,
such as the ends of a flight of one day, each takes the place whose captions fit it better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from models.labels import Span
from pipeline.document import Document
from pipeline.values.normalise import normalise
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.strings import lenient
from training.data.autotag.captions import Captions, PossiblePlace
from training.data.autotag.occurrences import Match, find_matches, nearest_words
from training.data.autotag.placed import find_placed
from training.data.autotag.places import Range, rivals, surroundings
from training.data.autotag.tables import find_rows
from training.data.autotag.text import Text
from training.data.dataset import Row

_CAPTIONED = (Kind.DATE, Kind.AMOUNT, Kind.IDENTIFIER, Kind.DURATION)
_FEW = 0.25  # distinct values a labelled document, up to which names are one of few
_AS_TYPED = 3.0  # log odds of a place that writes a value as the label does

Key = tuple[str, str]
"""Field and value, as typed."""


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


def autotag(
    rows: Sequence[Row], documents: Mapping[str, Document], fields: Sequence[FieldSpec]
) -> dict[str, Tagged]:
    """Return the spans of every row that has a document.

    Fields whose labels say where their values are printed are not searched for.

    Args:
        rows: labelled documents.
        documents: by row id, as read or as transcribed.
        fields: the fields to tag, with their kinds.
    """
    placed = {
        row.id: _placed(row, documents[row.id], fields)
        for row in rows
        if row.places is not None and row.id in documents
    }
    sought = {row.id: _sought(row, fields) for row in rows}
    rows = [row for row in rows if row.places is None or sought[row.id]]
    texts = {row.id: Text(documents[row.id]) for row in rows if row.id in documents}
    found: dict[str, dict[Key, list[Match]]] = {
        row.id: {
            # Cells are looked for together, below; those that no line holds stay without a match.
            (spec.name, value): [] if spec.group else find_matches(texts[row.id], spec, value)
            for spec in sought[row.id]
            for value in row.fields.get(spec.name, ())
        }
        for row in rows
        if row.id in texts
    }
    for row in rows:
        if row.id in texts:
            for match in _rows(row, texts[row.id], sought[row.id]):
                found[row.id].setdefault((match.field, match.value), []).append(match)
    scores: dict[str, dict[tuple[str, Range], float]] = {name: {} for name in texts}
    for spec in fields:
        if not spec.group:
            few = _one_of_few(rows, spec)
            if spec.kind in _CAPTIONED or few:
                _weigh(spec, texts, found, scores, few)
    nothing = Tagged((), ())
    return placed | {
        name: _settle(texts[name], matches, scores[name], placed.get(name, nothing))
        for name, matches in found.items()
    }


def _sought(row: Row, fields: Sequence[FieldSpec]) -> list[FieldSpec]:
    """Return the fields of a row that have values, and no label that says where."""
    placed = {place.field for place in row.places or ()}
    return [
        spec
        for spec in fields
        if spec.name not in placed and (spec.group in row.groups or row.fields.get(spec.name))
    ]


def _rows(row: Row, text: Text, fields: Sequence[FieldSpec]) -> Iterator[Match]:
    """Yield the matches of the cells of all groups, see `find_rows`."""
    for group, cells in row.groups.items():
        yield from find_rows(text, [spec for spec in fields if spec.group == group], cells)


def _placed(row: Row, document: Document, fields: Sequence[FieldSpec]) -> Tagged:
    """Return the spans of a row whose labels have places."""
    names = {spec.name for spec in fields}
    matches = find_placed(document, row.places or (), names)
    found = {(match.field, match.value) for match in matches}
    misses = [
        Miss(place.field, place.value, "no word's centre lies in the place that the label names")
        for place in row.places or ()
        if place.field in names and (place.field, place.value) not in found
    ]
    return Tagged(tuple(map(_span, matches)), tuple(matches), tuple(misses))


def _span(match: Match) -> Span:
    return Span(match.field, match.start, match.end, (1.0,) * (match.end - match.start))


def _one_of_few(rows: Sequence[Row], spec: FieldSpec) -> tuple[str, ...]:
    """Return the values of a field of names where it is one of few, such as a state; else none."""
    if spec.kind is not Kind.NAME or spec.many:
        return ()
    counts = Counter(value for row in rows for value in row.fields.get(spec.name, ()))
    return tuple(counts) if len(counts) <= _FEW * counts.total() else ()


def _weigh(
    spec: FieldSpec,
    texts: Mapping[str, Text],
    found: Mapping[str, dict[Key, list[Match]]],
    scores: Mapping[str, dict[tuple[str, Range], float]],
    known: Sequence[str],
) -> None:
    """Score the occurrences of a field's values, and drop those that stand beside no caption."""
    places: dict[str, list[PossiblePlace]] = {}
    for name, text in texts.items():
        labelled = {
            (match.start, match.end)
            for (field_name, _), matches in found[name].items()
            if field_name == spec.name
            for match in matches
        }
        around = surroundings(text, labelled | rivals(text, spec, known))
        places[name] = [
            PossiblePlace(*place, place in labelled, words)
            for place, words in sorted(around.items())
        ]
    captions = Captions.learn(places.values())
    for name, items in places.items():
        for place in items:
            if place.labelled:
                scores[name][spec.name, (place.start, place.end)] = captions.score(place)
        for key, matches in found[name].items():
            if key[0] == spec.name and len(matches) > 1:
                of = [
                    scores[name][spec.name, (match.start, match.end)]
                    + _AS_TYPED * _is_typed_so(texts[name], match, spec)
                    for match in matches
                ]
                least = captions.least(max(of))
                found[name][key] = [
                    match for match, score in zip(matches, of, strict=True) if score >= least
                ]


def _is_typed_so(text: Text, match: Match, spec: FieldSpec) -> bool:
    """Return whether the label copies this place's writing, apart from its marks."""
    printed = normalise(text.printed(match.start, match.end), spec, text.context).text
    return lenient(printed) == lenient(match.value)


def _settle(
    text: Text,
    found: Mapping[Key, list[Match]],
    scores: Mapping[tuple[str, Range], float],
    placed: Tagged,
) -> Tagged:
    """Return disjoint spans: better and longer matches take their words first.

    Words in labelled places are taken before all others.

    Where two fields claim the same words, the one whose captions fit better gets them, unless it
    has other places and the other field has none.
    """
    order = {"exact": 0, "value": 0, "column": 0, "fuzzy": 1}
    every = [match for matches in found.values() for match in matches]

    def score(match: Match) -> float:
        return scores.get((match.field, (match.start, match.end)), 0.0)

    every.sort(
        key=lambda match: (
            order[match.how],
            match.start - match.end,
            len(found[match.field, match.value]) > 1,
            -score(match),
            match.start,
        )
    )
    owner: list[Match | None] = [None] * len(text.words)
    kept: list[Match] = []
    refused: list[Match] = []
    for match in placed.matches:
        owner[match.start : match.end] = [match] * (match.end - match.start)
    for match in every:
        if any(taken is not None for taken in owner[match.start : match.end]):
            refused.append(match)
            continue
        owner[match.start : match.end] = [match] * (match.end - match.start)
        kept.append(match)
    places = Counter((match.field, match.value) for match in kept)
    for match in sorted(refused, key=score, reverse=True):
        rival = owner[match.start]
        if (
            places[match.field, match.value] == 0
            and rival is not None
            and (rival.start, rival.end) == (match.start, match.end)
            and places[rival.field, rival.value] > 1
        ):
            owner[match.start : match.end] = [match] * (match.end - match.start)
            kept[kept.index(rival)] = match
            places[rival.field, rival.value] -= 1
            places[match.field, match.value] += 1
    kept = sorted([*placed.matches, *kept], key=lambda match: match.start)
    misses = [
        *placed.misses,
        *(
            Miss(name, value, _reason(text, name, value, matches))
            for (name, value), matches in found.items()
            if not places[name, value]
        ),
    ]
    return Tagged(tuple(map(_span, kept)), tuple(kept), tuple(misses))


def _reason(text: Text, name: str, value: str, matches: list[Match]) -> str:
    if matches:
        return "all its words belong to another field's value"
    if not lenient(value):
        return "the label has neither letters nor digits"
    nearest = nearest_words(text, lenient(value))
    if nearest is None:
        return "the document has no words"
    start, end, similarity = nearest
    if "." in name and similarity == 1.0:
        return "is printed, but in no line that its row could be"
    return f"not found; nearest is {text.printed(start, end)!r} ({similarity:.2f} alike)"
