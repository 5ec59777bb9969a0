"""Rows of groups to the words that print them: all cells of a row together, rows in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np

from pipeline.values.schema import FieldSpec
from training.data.autotag.occurrences import Match, find_matches
from training.data.autotag.text import Text

Candidates = list[list[Match]]
"""Occurrences of each cell of a row, by cell."""


def find_rows(
    text: Text, specs: Sequence[FieldSpec], rows: Sequence[Mapping[str, str]]
) -> list[Match]:
    """Return where the cells of a group's rows are printed, disjoint.

    A row stands in the line that holds most of its cells; lines rise with the rows. A cell that its
    line does not hold is looked for in the lines up to the next row's, as is the rest of long text,
    and in the line above: figures may stand at half the height of a text of several lines. Of
    several occurrences in a line the one in the column's usual place counts.

    Args:
        text: of the document.
        specs: columns of the group.
        rows: as labelled, values by column.
    """
    wanted = [
        [find_matches(text, spec, row[spec.column]) for spec in specs if row.get(spec.column)]
        for row in rows
    ]
    lines = _lines_of(wanted, text)
    chosen: list[Candidates] = []
    before = -1
    for cells, line, end in zip(wanted, lines, _following(lines, len(text.lines)), strict=True):
        if line is None:
            chosen.append([])
            continue
        reach = [*range(line, max(end, line + 1)), *range(max(line - 1, before + 1), line)]
        chosen.append([_near(cell, reach, text) for cell in cells])
        before = line
    usual = _usual_places(chosen, text)
    taken: set[int] = set()
    found: list[Match] = []
    for cells in chosen:
        # Cells that can stand in few places choose first.
        for cell in sorted(cells, key=len):
            free = [match for match in cell if taken.isdisjoint(range(match.start, match.end))]
            if free:
                best = min(free, key=lambda match: abs(_middle(match, text) - usual[match.field]))
                taken.update(range(best.start, best.end))
                found.append(best)
    return found


def _lines_of(wanted: Sequence[Candidates], text: Text) -> list[int | None]:
    """Return the line of each row, None for a row that no line holds: most cells in all.

    Rows and lines are aligned as two texts are: a line for each row, rising.
    """
    count = len(text.lines)
    held = np.zeros((len(wanted), count), dtype=np.int64)
    for number, cells in enumerate(wanted):
        for cell in cells:
            for line in {text.line_of[match.start] for match in cell}:
                held[number, line] += 1
    # best[r, l]: most cells of the first r rows in the first l lines.
    best = np.zeros((len(wanted) + 1, count + 1), dtype=np.int64)
    for number in range(len(wanted)):
        here = best[number, :-1] + held[number]
        best[number + 1, 1:] = np.maximum.accumulate(np.maximum(here, best[number, 1:]))
    lines: list[int | None] = [None] * len(wanted)
    line = count
    for number in range(len(wanted) - 1, -1, -1):
        while line and best[number + 1, line] == best[number + 1, line - 1]:
            line -= 1
        if line and best[number + 1, line] > best[number, line]:
            line -= 1
            lines[number] = line
    return lines


def _following(lines: Sequence[int | None], last: int) -> list[int]:
    """Return for each row the line of the next one that has any, or `last`."""
    found: list[int] = []
    for line in reversed(lines):
        found.append(last)
        last = last if line is None else line
    return found[::-1]


def _near(cell: Sequence[Match], lines: Sequence[int], text: Text) -> list[Match]:
    """Return a cell's occurrences in the first of some lines that has any."""
    by_line: dict[int, list[Match]] = {}
    for match in cell:
        by_line.setdefault(text.line_of[match.start], []).append(match)
    return next((by_line[line] for line in lines if line in by_line), [])


def _usual_places(rows: Sequence[Candidates], text: Text) -> dict[str, float]:
    """Return the middle of each column, of the cells that can stand in one place alone, or any."""
    places: dict[str, list[float]] = {}
    every: dict[str, list[float]] = {}
    for cells in rows:
        for cell in cells:
            for match in cell:
                every.setdefault(match.field, []).append(_middle(match, text))
                if len(cell) == 1:
                    places.setdefault(match.field, []).append(_middle(match, text))
    return {name: median(places.get(name, middles)) for name, middles in every.items()}


def _middle(match: Match, text: Text) -> float:
    first, last = text.placed[match.start][1].box, text.placed[match.end - 1][1].box
    return (first.x0 + last.x1) / 2
