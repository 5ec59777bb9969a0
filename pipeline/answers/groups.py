"""Rows of repeated groups of fields: the cells that stand in one row of a table.

A row is found by its figures: dates, amounts and numbers of one row stand beside each other, and
none of its columns twice. Text has as many lines as it takes: each belongs to the figures beside
it, or else to those above it, unless the table's first text stands above all figures: then it
belongs to those below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from models.geometry import Box, union
from models.labels import Span
from pipeline.answers.mentions import Mention
from pipeline.document import Page, Token
from pipeline.values.schema import FieldSpec, Kind

_LONG = (Kind.NAME, Kind.ADDRESS, Kind.TEXT)  # may have several lines
_BESIDE = 0.5  # share of the lower of two heights by which cells of one line overlap at least

Cells = dict[str, list[Span]]


@dataclass(slots=True)
class _Line:
    """Cells of one group beside each other on a page.

    Attributes:
        page: its number.
        top, bottom: of all cells.
        cells: spans by column.
    """

    page: int
    top: float
    bottom: float
    cells: Cells = field(default_factory=dict)


def rows_of(
    specs: Sequence[FieldSpec], spans: Sequence[Span], words: Sequence[tuple[Page, Token]]
) -> list[dict[str, Mention]]:
    """Return the rows of a group in reading order, each with a mention by column.

    Args:
        specs: columns of one group.
        spans: of all fields, disjoint.
        words: of the document with their pages, which the spans count.
    """
    columns = {spec.name: spec.column for spec in specs}
    own = sorted((span for span in spans if span.field in columns), key=lambda span: span.start)
    lines = _lines(own, words)
    figures = {spec.column for spec in specs if spec.kind not in _LONG}
    rows: list[list[_Line]] = []
    waiting: list[_Line] = []  # text above the figures that it belongs to
    leads = _text_leads(lines, columns, figures)
    for line in lines:
        names = {columns[name] for name in line.cells}
        if names & figures:
            last = rows[-1] if rows else None
            taken = {columns[name] for part in last or () for name in part.cells}
            if last is None or waiting or taken & names & figures:
                rows.append([*waiting, line])
                waiting = []
            else:
                last.append(line)
        elif leads or not rows:
            waiting.append(line)
        else:
            rows[-1].append(line)
    if waiting:
        rows.append(waiting)
    return [_row(row, columns) for row in rows]


def _row(lines: Sequence[_Line], columns: dict[str, str]) -> dict[str, Mention]:
    cells: dict[str, list[Span]] = {}
    for line in lines:
        for name, spans in line.cells.items():
            cells.setdefault(columns[name], []).extend(spans)
    return {name: Mention(tuple(spans)) for name, spans in cells.items()}


def _lines(spans: Sequence[Span], words: Sequence[tuple[Page, Token]]) -> list[_Line]:
    """Return the lines that the cells stand in, from the top of the first page on."""
    lines: list[_Line] = []
    placed = sorted((_place(span, words) for span in spans), key=lambda item: item[:2])
    for page, _, box, span in placed:
        for line in reversed(lines):
            if line.page != page:
                continue
            shared = min(line.bottom, box.bottom) - max(line.top, box.top)
            if shared >= _BESIDE * min(line.bottom - line.top, box.height):
                line.cells.setdefault(span.field, []).append(span)
                break
        else:
            lines.append(_Line(page, box.top, box.bottom, {span.field: [span]}))
    return sorted(lines, key=lambda line: (line.page, line.top))


def _place(span: Span, words: Sequence[tuple[Page, Token]]) -> tuple[int, float, Box, Span]:
    """Return page, middle and box of a span's first line."""
    first, token = words[span.start]
    box = union(
        word.box
        for page, word in (words[index] for index in range(span.start, span.end))
        if page is first and word.line == token.line
    )
    return first.number, (box.top + box.bottom) / 2, box, span


def _text_leads(lines: Sequence[_Line], columns: dict[str, str], figures: set[str]) -> bool:
    """Return whether text that has no figures beside it belongs to those below it.

    So it is where rows begin with such text: the first line is one, and most lines of figures have
    no text beside them.
    """
    if not lines or {columns[name] for name in lines[0].cells} & figures:
        return False
    with_figures = [line for line in lines if {columns[name] for name in line.cells} & figures]
    alone = sum({columns[name] for name in line.cells} <= figures for line in with_figures)
    return 2 * alone > len(with_figures)
