"""Places of a document that could hold a field's value, and what stands around each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipeline.values.figures.amounts import find_amounts
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.names import word_key
from pipeline.values.times.dates import find_dates
from pipeline.values.times.durations import find_durations
from training.data.autotag.text import Text

Range = tuple[int, int]

_SHORT = 3  # letters and digits; a shorter word is no identifier
_FAR = 60  # lines above in which the head of a column is looked for
_BESIDE = 2  # most words between two values that belong together, such as the dash of a range
_MOST_COUNTED = 3


def rivals(text: Text, spec: FieldSpec, known: Sequence[str] = ()) -> set[Range]:
    """Return all places in a document that could hold a value of the field.

    Args:
        text: of the document.
        spec: the field.
        known: for fields of names that are one of few, the names.
    """
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
    if spec.kind is Kind.DURATION:
        return {text.words_at(found.start, found.end) for found in find_durations(text.text)}
    if spec.kind is Kind.IDENTIFIER:
        return {
            (index, index + 1)
            for index, word in enumerate(text.words)
            if any(map(str.isdigit, word)) and len(text.letters.parts[index]) > _SHORT
        }
    wanted = {"".join(map(word_key, name.split())) for name in known} - {""}
    return {place for name in wanted for place in text.names.find(name, parts_count=False)}


def surroundings(text: Text, places: Iterable[Range]) -> dict[Range, frozenset[str]]:
    """Return the words around each place, marked with where they stand.

    left, right   every word of the line
    next          the nearest word on the left: a caption beside the value
    above         every word of the line above
    over          the words right above in the column: a caption above, the head of a table
    has, row      another place just before or behind it (a range), how many are in the line

    Words without letters say nothing and are left out.
    """
    ordered = sorted(places)
    in_line: dict[int, list[Range]] = {}
    for place in ordered:
        in_line.setdefault(text.line_of[place[0]], []).append(place)
    letters = text.letters.parts
    wordy = [any(map(str.isalpha, part)) for part in letters]
    found: dict[Range, frozenset[str]] = {}
    for number, in_it in in_line.items():
        line = text.lines[number]
        above = text.lines[number - 1] if number else []
        shared = {f"above {letters[i]}" for i in above if wordy[i]}
        shared.add(f"row of {min(len(in_it), _MOST_COUNTED)}")
        for index, (start, end) in enumerate(in_it):
            near = {f"left {letters[i]}" for i in line if i < start and wordy[i]}
            near |= {f"right {letters[i]}" for i in line if i >= end and wordy[i]}
            before = next((i for i in range(start - 1, line[0] - 1, -1) if wordy[i]), None)
            if before is not None:
                near.add(f"next {letters[before]}")
            near |= {f"over {letters[i]}" for i in _over(text, wordy, number, start)}
            near.add(f"rank {min(index, _MOST_COUNTED)}")
            if index and start - in_it[index - 1][1] <= _BESIDE:
                near.add("has one before")
            if index + 1 < len(in_it) and in_it[index + 1][0] - end <= _BESIDE:
                near.add("has one behind")
            found[start, end] = frozenset(near | shared)
    return found


def _over(text: Text, wordy: Sequence[bool], number: int, start: int) -> list[int]:
    """Return the words of the nearest line above that stand over a word and hold letters."""
    page, token = text.placed[start]
    for above in range(number - 1, max(number - 1 - _FAR, -1), -1):
        line = text.lines[above]
        if text.placed[line[0]][0] is not page:
            return []
        over = [
            i
            for i in line
            if wordy[i]
            and text.placed[i][1].box.x0 < token.box.x1
            and text.placed[i][1].box.x1 > token.box.x0
        ]
        if over:
            return over
    return []
