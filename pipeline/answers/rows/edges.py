"""Edges of texts of rows: where most of a table's texts begin, all do; where units stand, all end.

A tagger begins a text a word late or early, with the code before it, or takes the unit behind it
or the words of the column beside it along. Columns are the same in all rows of a table, so the
others tell.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

import numpy as np

from models.labels import Span
from pipeline.answers.places.mentions import Mention, Words
from pipeline.answers.rows.cells import (
    Row,
    line_of,
    lines_of,
    places,
    runs_of,
    shares,
    words_by_line,
)
from pipeline.answers.rows.codes import CODE
from pipeline.values.schema import FieldSpec

# In heights of a word:
_ALIGNED = 0.45  # from an edge to where a word begins that stands at it, at most
_SPACE = 0.4  # between two words of one text, at most
_LONE_SPACE = 1.0  # the same where few rows show where the next column stands
_FEWEST = 3  # texts, or cells, that show where their column stands
_MOST = 0.5  # of the texts: an edge that more stand at is their column's
_UNIT = 6  # letters of a unit, at most


def from_the_edge(
    rows: Sequence[Row],
    name: str,
    identifier: FieldSpec | None,
    taken: Collection[int],
    words: Words,
) -> list[Row]:
    """Return rows whose texts, and each of their lines, begin at the edge where most texts do.

    Where no word stands at that edge they stay as they are.

    Args:
        rows: mentions by column.
        name: column of the texts.
        identifier: column of a code that stood before a text, where its row has none.
        taken: words that are cells, and begin no text.
        words: of the document with their pages, which the mentions count.
    """
    edge, slack = _edge([row[name].words[0] for row in rows if name in row], words)

    def stands(index: int) -> bool:
        return abs(words[index][1].box.x0 - edge) <= slack

    found: list[Row] = []
    for row in rows:
        lines = words_by_line(words, row[name].words) if slack and name in row else {}
        for place, (line, own) in enumerate(lines.items()):
            if stands(own[0]):
                continue
            if words[own[0]][1].box.x0 > edge:
                more: list[int] = []
                for index in range(own[0] - 1, -1, -1):
                    if (
                        line_of(index, words) != line
                        or index in taken
                        or (more and stands(more[-1]))
                    ):
                        break
                    more.append(index)
                if more and stands(more[-1]):
                    scores = dict.fromkeys(more, row[name].score) | row[name].scores
                    row = row | {name: row[name].of(scores)}
            elif not place:
                before = list(itertools.takewhile(lambda index: not stands(index), own))
                if len(before) < len(own):
                    row = _without(before, row, name, identifier, words)
        found.append(row)
    return found


def without_code(row: Row, name: str, identifier: FieldSpec | None, words: Words) -> Row:
    """Return a row that has the code that stands apart before a text, where it has no other.

    Args:
        row: mentions by column.
        name: column of the text.
        identifier: column of the code.
        words: of the document with their pages, which the mentions count.
    """
    if name not in row or identifier is None or identifier.column in row:
        return row
    first, *rest = runs_of(row[name].words, words)
    is_code = len(first) == 1 and CODE.fullmatch(words[first[0]][1].text)
    return _without(first, row, name, identifier, words) if rest and is_code else row


def _without(
    before: Sequence[int], row: Row, name: str, identifier: FieldSpec | None, words: Words
) -> Row:
    """Return a row whose text is without its first words; if those are a code, it is the row's."""
    scores = row[name].scores
    lost = {index: scores.pop(index) for index in before}
    row = row | {name: row[name].of(scores)}
    first = before[0]
    if identifier and len(lost) == 1 and CODE.fullmatch(words[first][1].text):
        place = Mention((Span(identifier.name, first, first + 1, (lost[first],)),))
        row = {identifier.column: place} | row
    return row


def _edge(begins: Sequence[int], words: Words) -> tuple[float, float]:
    """Return the left edge at which most texts begin, and how far off it one does; 0 for none."""
    if len(begins) < _FEWEST:
        return 0.0, 0.0
    lefts = sorted(words[index][1].box.x0 for index in begins)
    heights = sorted(words[index][1].box.height for index in begins)
    page, _ = words[begins[0]]
    slack = _ALIGNED * heights[len(heights) // 2] * page.height / page.width
    most, edge, end = 0, 0.0, 0
    for start, left in enumerate(lefts):
        while end < len(lefts) and lefts[end] <= left + slack:
            end += 1
        if end - start > most:
            most, edge = end - start, (left + lefts[end - 1]) / 2
    return (edge, slack) if most >= max(_FEWEST, _MOST * len(begins) + 1) else (0.0, 0.0)


def of_one_column(rows: Sequence[Row], name: str, words: Words) -> list[Row]:
    """Return rows whose texts hold one column: of two side by side, the one with more letters.

    A column begins where most rows have a word that more than a space parts from the one before.
    """
    by_line = words_by_line(words)
    texts = {at: runs_of(row[name].words, words) for at, row in enumerate(rows) if name in row}
    lefts = np.sort(
        [
            words[run[0]][1].box.x0
            for at in texts
            for line in lines_of([rows[at][name]], words)
            for run in runs_of(by_line[line], words)[1:]
        ]
    )
    edge = 1.0
    for before, run in itertools.chain.from_iterable(map(itertools.pairwise, texts.values())):
        page, token = words[run[0]]
        slack = _ALIGNED * token.box.height * page.height / page.width
        first, end = np.searchsorted(lefts, (token.box.x0 - slack, token.box.x0 + slack))
        beside = line_of(before[-1], words) == line_of(run[0], words)
        if beside and end - first >= max(_FEWEST, _MOST * len(texts)):
            edge = min(edge, token.box.x0 - slack)
    sides = {
        at: [
            [i for run in runs if (words[run[0]][1].box.x0 > edge) == right for i in run]
            for right in (False, True)
        ]
        for at, runs in texts.items()
    }
    left, right = (
        sum(len(words[i][1].text) for of_row in sides.values() for i in of_row[side])
        for side in (0, 1)
    )
    found = list(rows)
    for at, of_row in sides.items():
        if all(of_row):
            found[at] = rows[at] | {name: rows[at][name].only(of_row[right > left])}
    return found


def without_units(rows: Sequence[Row], specs: Sequence[FieldSpec], words: Words) -> list[Row]:
    """Return rows whose texts end before a word that stands in the column of another text.

    A row that has no such text, a unit, has that word.

    Args:
        rows: mentions by column.
        specs: columns of texts.
        words: of the document with their pages, which the mentions count.
    """
    columns = {spec.column: places(rows, spec.column, words) for spec in specs}
    found: list[Row] = []
    for row in map(dict, rows):
        for text, unit in itertools.permutations(specs, 2):
            column = columns[unit.column]
            if text.column not in row or unit.column in row or not len(column):
                continue
            space = _SPACE if len(column) >= _FEWEST else _LONE_SPACE
            own = row[text.column].words
            scores = row[text.column].scores
            ends = [
                index
                for before, index in itertools.pairwise(own)
                if _ends(index, before, scores, space, words)
                and shares(words[index][1].box, column)
            ]
            if ends:
                score = scores.pop(ends[0])
                row[text.column] = row[text.column].of(scores)
                row[unit.column] = Mention((Span(unit.name, ends[0], ends[0] + 1, (score,)),))
        found.append(row)
    return found


def _ends(index: int, before: int, own: Collection[int], space: float, words: Words) -> bool:
    """Return whether a short word is the last one of its line, apart from the one before it."""
    page, token = words[index]
    line = line_of(index, words)
    if line_of(before, words) != line or len(token.text) > _UNIT:
        return False
    if index + 1 in own and line_of(index + 1, words) == line:
        return False
    gap = (token.box.x0 - words[before][1].box.x1) * page.width
    return gap > space * token.box.height * page.height
