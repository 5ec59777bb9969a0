"""Rows of repeated groups of fields: the cells that stand in one row of a table.

Figures make the rows: dates, amounts and numbers of one row stand in one line, or in the next ones
as long as no column has its second. A line of one column that has its second there, such as the
amount with tax below the one without, is left out, unless rows begin with that column; so are
figures that stand far from all others.
Text has as many lines as it takes: what stands between two rows of figures is parted where the gap
between lines is widest, and keeps what stands near its row (`texts`).
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from models.geometry import Box, union
from models.labels import Span
from pipeline.answers.places.mentions import Mention, Words
from pipeline.answers.rows.cells import mended
from pipeline.answers.rows.texts import settled
from pipeline.values.schema import LONG, FieldSpec

_AS_WIDE = 0.98  # of the widest gap: as wide as it
_FAR = 4.0  # heights of a line between those of a row and figures that are of none,
_WIDER = 2.0  # and at least as many times the usual space between lines of the group


@dataclass(frozen=True, slots=True)
class _Line:
    """Cells of one group in one line of a page.

    Attributes:
        page: its number.
        box: around the cells.
        cells: spans, from left to right.
    """

    page: int
    box: Box
    cells: tuple[Span, ...]

    def columns(self) -> set[str]:
        """Return the names of its columns."""
        return {span.field for span in self.cells}


def rows_of(
    specs: Sequence[FieldSpec], spans: Sequence[Span], words: Words
) -> list[dict[str, Mention]]:
    """Return the rows of a group in reading order, each with a mention by column."""
    columns = {spec.name: spec.column for spec in specs}
    figures = {spec.name for spec in specs if spec.kind not in LONG}
    lines = _lines([span for span in spans if span.field in columns], words)
    strays = _strays(lines)
    lines = [line for at, line in enumerate(lines) if at not in strays or line.columns() - figures]
    rows: list[list[_Line]] = []
    opening = set[str]()  # figures that the first row begins with
    between: list[_Line] = []  # text since the last figures
    for line in lines:
        if not line.columns() & figures:
            between.append(line)
            continue
        second = rows and bool(_columns(rows[-1]) & _columns([*between, line]))
        if second and len(line.columns()) == 1 and not between and line.columns() != opening:
            continue
        if rows and not second:
            rows[-1] += [*between, line]
            between = []
            continue
        above, below = _parted(rows[-1][-1] if rows else None, between, line)
        if rows:
            rows[-1] += above
        rows.append([*below, line])
        opening = opening or line.columns()
        between = []
    if between and rows:
        rows[-1] += between
    elif between:
        rows = [[line] for line in between]
    found = mended([_row(row, columns) for row in rows], specs, spans, words)
    return settled(found, specs, spans, words)


def _columns(lines: Sequence[_Line]) -> set[str]:
    return set[str]().union(*(line.columns() for line in lines))


def _parted(
    above: _Line | None, texts: Sequence[_Line], below: _Line
) -> tuple[Sequence[_Line], Sequence[_Line]]:
    """Return which lines of text belong to the figures above them, and which to those below."""
    if above is None or not texts:
        return (), texts
    gaps = [_gap(one, other) for one, other in itertools.pairwise([above, *texts, below])]
    widest = max(gaps)
    # Of equal gaps the last one counts: text mostly begins beside its figures, and goes on below.
    # All gaps are below zero where each line stands higher than the one that is read before it.
    wide = min(widest, _AS_WIDE * widest)
    cut = max(place for place, gap in enumerate(gaps) if gap >= wide)
    return texts[:cut], texts[cut:]


def _strays(lines: Sequence[_Line]) -> set[int]:
    """Return the lines that stand far from the others, for how far those are apart.

    What stands alone on its page is no stray.
    """
    gaps = [_gap(one, other) for one, other in itertools.pairwise(lines)]
    on_page = [gap for gap in gaps if gap < math.inf]
    usual = statistics.median_low(on_page) if on_page else 0.0
    found = set[int]()
    for at, line in enumerate(lines):
        nearest = min(gaps[max(0, at - 1) : at + 1], default=math.inf)
        far = max(_FAR * line.box.height, _WIDER * usual)
        if far < nearest < math.inf:
            found.add(at)
    return found


def _gap(one: _Line, other: _Line) -> float:
    """Return how far the middles of two lines are apart, in heights of the page."""
    if one.page != other.page:
        return math.inf
    return (other.box.top + other.box.bottom - one.box.top - one.box.bottom) / 2


def _lines(spans: Sequence[Span], words: Words) -> list[_Line]:
    """Return the lines of the document that spans begin in, from the first page on."""
    by_line: dict[tuple[int, int], list[Span]] = {}
    for span in sorted(spans, key=lambda span: span.start):
        page, token = words[span.start]
        by_line.setdefault((page.number, token.line), []).append(span)
    return [
        _Line(page, union(words[span.start][1].box for span in cells), tuple(cells))
        for (page, _), cells in by_line.items()
    ]


def _row(lines: Sequence[_Line], columns: dict[str, str]) -> dict[str, Mention]:
    cells: dict[str, list[Span]] = {}
    for line in lines:
        for span in line.cells:
            cells.setdefault(columns[span.field], []).append(span)
    return {name: Mention(tuple(spans)) for name, spans in cells.items()}
