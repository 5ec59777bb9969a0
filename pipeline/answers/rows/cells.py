"""Figures of a table that the tagger joined, missed or made up: told by where the others stand.

The figures of a column stand above each other. So a cell of two figures far apart keeps the one
that stands below the others; a row without a cell takes the figure of its line that stands there,
with a score that says that only its place speaks for it; and what holds no digit is no figure.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from models.geometry import Box, union
from models.labels import Span
from pipeline.answers.places.mentions import Mention, Words, placed
from pipeline.values.figures.currencies import SYMBOLS
from pipeline.values.schema import FieldSpec, Kind

_FIGURES = (Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT)
_WORDS = (Kind.TEXT, Kind.NAME, Kind.ADDRESS, Kind.IDENTIFIER)  # say what a row is about
_APART = 1.0  # heights of a line between two words that are no longer one figure
_SHARED = 0.5  # of the narrower one's width: as much stands in a column
_FEWEST = 2  # cells that show where a column stands, for words that no cell has
# Groups of thousands: "1 234,50" is one figure, "2 16,50" and "1.2 148,00" are two.
_GROUP = re.compile(rf"[-−–+(]?[{SYMBOLS}]?[-−–+]?\d{{1,3}}")
_GROUP_NEXT = re.compile(r"\d{3}(?!\d).*")
_FIGURE = re.compile(rf"[-−–+(]?[{SYMBOLS}]?[-−–+]?[\d.,'’]*\d[\d.,'’]*[{SYMBOLS}]?[-−)%]?")
PRICE = re.compile(rf"\(?[-−–+]?[{SYMBOLS}]?\d[\d.,'’]*[.,]\d\d[{SYMBOLS}]?\)?|[{SYMBOLS}]\d.*")
"""A figure with decimals or a currency, as prices have."""

Row = dict[str, Mention]
"""The cells of a row by column."""
Line = tuple[int, int]
"""A line by the number of its page and its own; `words_by_line` has their words."""
_Run = tuple[int, ...]  # words that stand close together in one line
Column = NDArray[np.float64]
"""Where the figures of a column stand: left and right edge of each, (n, 2)."""


def mended(
    rows: Sequence[Row], specs: Sequence[FieldSpec], spans: Sequence[Span], words: Words
) -> list[Row]:
    """Return the rows of a group with their figures where the columns are."""
    figures = {spec.column: spec.name for spec in specs if spec.kind in _FIGURES}
    found = [_with_digits(row, figures, words) for row in rows]
    columns = {name: places(found, name, words) for name in figures}
    tagged = {i for span in spans for i in range(span.start, span.end)}
    by_line = words_by_line(words)
    for row in found:
        free = _part(row, columns, words)
        lines = lines_of([row[name] for name in figures if name in row], words)
        untagged = {i for line in lines for i in by_line[line] if i not in tagged}
        for name in figures:
            if name in row:
                continue
            for offered, fewest in ((free, 1), (untagged, _FEWEST)):
                fitting = [
                    run
                    for run in runs_of([i for i in sorted(offered) if _is_figure(i, words)], words)
                    if len(columns[name]) >= fewest and stands_in(run, name, columns, words)
                ]
                if len(fitting) == 1:
                    row[name] = placed(figures[name], fitting[0])
                    break
    return [row for row in found if row]


def words_by_line(words: Words, indices: Iterable[int] | None = None) -> dict[Line, list[int]]:
    """Return the words of each line, all or those of `indices`, lines by page and number."""
    by_line: dict[Line, list[int]] = {}
    for index in range(len(words)) if indices is None else indices:
        by_line.setdefault(line_of(index, words), []).append(index)
    return by_line


def middles(indices: Iterable[int], words: Words) -> dict[Line, float]:
    """Return where the middle of the words of each line stands, from the top of its page."""
    boxes = {line: box_of(own, words) for line, own in words_by_line(words, indices).items()}
    return {line: (box.top + box.bottom) / 2 for line, box in boxes.items()}


def figure_runs(
    lines: Collection[Line], by_line: Mapping[Line, Sequence[int]], words: Words
) -> list[_Run]:
    """Return the figures printed in some lines, each as its words."""
    return [
        run
        for line in sorted(lines)
        for run in runs_of([index for index in by_line[line] if _is_figure(index, words)], words)
    ]


def lines_of(cells: Sequence[Mention], words: Words) -> set[Line]:
    """Return the lines, by page and number, that the words of some cells stand in."""
    return {line_of(index, words) for cell in cells for index in cell.words}


def line_of(index: int, words: Words) -> Line:
    """Return the page and the number of a word's line."""
    page, token = words[index]
    return page.number, token.line


def _with_digits(row: Row, figures: Collection[str], words: Words) -> Row:
    """Return a row without the figures that hold no digit."""
    return {
        name: mention
        for name, mention in row.items()
        if name not in figures
        or any(any(map(str.isdigit, words[index][1].text)) for index in mention.words)
    }


def places(rows: Sequence[Row], name: str, words: Words) -> Column:
    """Return where the figures of a column stand, those that are one run of words."""
    runs = [runs_of(row[name].words, words) for row in rows if name in row]
    boxes = [box_of(found[0], words) for found in runs if len(found) == 1]
    return np.array([(box.x0, box.x1) for box in boxes]).reshape(-1, 2)


def _part(row: Row, columns: dict[str, Column], words: Words) -> set[int]:
    """Leave each cell of several figures the one in its column; return the words of the others."""
    free: set[int] = set()
    for name in columns:
        if name not in row or len(runs := runs_of(row[name].words, words)) == 1:
            continue
        own = [run for run in runs if stands_in(run, name, columns, words)]
        if len(own) == 1:
            free |= {index for run in runs if run != own[0] for index in run}
            row[name] = row[name].only(own[0])
    return free


def runs_of(indices: Sequence[int], words: Words) -> list[_Run]:
    """Return words in runs that stand close together in one line."""
    runs: list[_Run] = []
    for index in indices:
        last = runs[-1][-1] if runs else None
        if last is not None and last + 1 == index and _together(last, index, words):
            runs[-1] = (*runs[-1], index)
        else:
            runs.append((index,))
    return runs


def _together(one: int, other: int, words: Words) -> bool:
    (page, left), (next_page, right) = words[one], words[other]
    if page is not next_page or left.line != right.line:
        return False
    if _is_another(left.text, right.text):
        return False
    gap = (right.box.x0 - left.box.x1) * page.width
    return gap <= _APART * left.box.height * page.height


def _is_another(left: str, right: str) -> bool:
    """Return whether two figures side by side are two, and not the groups of one."""
    if not (_FIGURE.fullmatch(left) and right[:1].isdecimal() and _FIGURE.fullmatch(right)):
        return False
    return not (_GROUP.fullmatch(left) and _GROUP_NEXT.fullmatch(right))


def stands_in(run: _Run, name: str, columns: dict[str, Column], words: Words) -> bool:
    """Return whether a run stands in a column, and in no other one."""
    box = box_of(run, words)
    return shares(box, columns[name]) and not any(
        shares(box, places) for other, places in columns.items() if other != name
    )


def shares(box: Box, column: Column) -> bool:
    """Return whether a box stands above or below half of the places or more."""
    left, right = column.T
    both = np.minimum(box.x1, right) - np.maximum(box.x0, left)
    over = both >= _SHARED * np.minimum(box.width, right - left)
    return len(column) > 0 and 2 * int(over.sum()) >= len(column)


def box_of(run: Sequence[int], words: Words) -> Box:
    """Return the box around words of one page."""
    return union(words[index][1].box for index in run)


def _is_figure(index: int, words: Words) -> bool:
    return _FIGURE.fullmatch(words[index][1].text) is not None


def strays(rows: Sequence[Collection[str]], specs: Sequence[FieldSpec]) -> set[int]:
    """Return which rows are none where others have words and figures, as rows of tables have.

    Those are lone cells, words without a figure other than a percentage, and figures without a word
    that are fewer than half of the others have.

    Args:
        rows: the columns that each is given.
        specs: columns of the group.
    """
    figures = {spec.column for spec in specs if spec.kind in (Kind.AMOUNT, Kind.NUMBER)}
    about = {spec.column for spec in specs if spec.kind in _WORDS}
    counts = [len(figures & set(row)) for row in rows if about & set(row) and figures & set(row)]
    if not counts:
        return set()
    usual = statistics.median_low(counts)
    return {
        at
        for at, row in enumerate(rows)
        if len(row) < 2
        or not figures & set(row)
        or (not about & set(row) and len(figures & set(row)) < usual)
    }
