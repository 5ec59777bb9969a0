"""Where the columns of a table stand, told by the products of most of its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from models.geometry import Box
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.rows.cells import Column, Line, Row, lines_of
from pipeline.answers.rows.figures import ways
from pipeline.values.schema import FieldSpec

_FEWEST = 3  # rows whose products tell
_MOST_ASKED = 20  # rows, from the first
_MOST_WAYS = 12  # of a row; with more, its figures are so alike that none of them tells
_MOST = 0.6  # share of them that is most


def voted(
    rows: Sequence[Row],
    columns: Sequence[FieldSpec],
    by_line: Mapping[Line, Sequence[int]],
    evidence: Evidence,
) -> list[Column]:
    """Return where three columns stand whose figures make products in most rows; empty without.

    Of a table with discounts the tagger may take the prices before and after for one another, and
    a percentage for a quantity; columns in which every row has its product leave no doubt. As two
    figures make a product in either order, they stand as most of them were tagged.

    Args:
        rows: mentions by column, of one group.
        columns: two that are multiplied, and the one that they make.
        by_line: words of each line of the document.
        evidence: the document as tagged.
    """
    found: list[tuple[int, int, list[Box]]] = []  # row, figures tagged so, where they stand
    asked = 0
    for number, row in enumerate(rows[:_MOST_ASKED]):
        given = [row.get(spec.column) for spec in columns]
        cells = [cell for cell in given if cell is not None]
        asked += bool(cells)
        of_row = list(ways(lines_of(cells, evidence.words), columns, by_line, evidence))
        if len(of_row) > _MOST_WAYS:
            continue
        for way in of_row:
            kept = sum(figure.is_in(cell) for figure, cell in zip(way, given, strict=True))
            found.append((number, kept, [figure.box for figure in way]))
    best: tuple[int, int, list[list[Box]]] = (0, 0, [])
    for _, _, boxes in found:
        alike = [one for one in found if all(map(_is_over, boxes, one[2]))]
        votes = len({number for number, _, _ in alike})
        agreed = sum(kept for _, kept, _ in alike)
        if (votes, agreed) > best[:2]:
            best = (votes, agreed, [places for _, _, places in alike])
    votes, _, stand = best
    if votes < max(_FEWEST, _MOST * asked):
        return []
    return [np.array([(box.x0, box.x1) for box in column]) for column in zip(*stand, strict=True)]


def _is_over(one: Box, other: Box) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1
