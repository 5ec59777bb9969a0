"""Rows of a text and an amount alone that the tagger took for the end of the row above.

A flat charge among positions, "Delivery    15.00", has no quantity and no price, and its amount is
often tagged as another sum or not at all. A line of a text below the figures of its row that stands
beside a figure in a column of its row is such a row, where few rows of a table have one: what many
have, such as the amount with tax below the one without, is part of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from models.labels import Span
from pipeline.answers.places.mentions import Mention
from pipeline.answers.rows.cells import (
    PLACE_ALONE,
    Line,
    Row,
    Words,
    figure_runs,
    line_of,
    lines_of,
    mention_of,
    places,
    scores_of,
    stands_in,
    words_by_line,
)
from pipeline.values.schema import LONG, FieldSpec, Kind

_FEWEST = 2  # figures that show where a column stands
_MOST = 1 / 3  # of the rows: as many may be followed by flat charges


def with_flat_charges(
    rows: Sequence[Row], specs: Sequence[FieldSpec], spans: Sequence[Span], words: Words
) -> list[Row]:
    """Return rows, and after each the flat charges that its text held.

    Args:
        rows: mentions by column.
        specs: columns of the group.
        spans: of all fields, disjoint.
        words: of the document with their pages, which the spans count.
    """
    texts = [spec.column for spec in specs if spec.kind in LONG]
    amounts = {spec.column: spec.name for spec in specs if spec.kind is Kind.AMOUNT}
    if not texts:
        return list(rows)
    columns = {name: places(rows, name, words) for name in amounts}
    names = {spec.name for spec in specs}
    cells = {i for span in spans if span.field in names for i in range(span.start, span.end)}
    by_line = words_by_line(words)

    def charge(line: Line, row: Row) -> tuple[str, Mention] | None:
        """The amount beside a line of a row's text, with its column; None where not one is."""
        free = {line: [index for index in by_line[line] if index not in cells]}
        found = [
            (name, run)
            for run in figure_runs([line], free, words)
            for name in amounts.keys() & row.keys()
            if len(columns[name]) >= _FEWEST and stands_in(run, name, columns, words)
        ]
        if len(found) != 1:
            return None
        [(name, run)] = found
        scores = (PLACE_ALONE,) * len(run)
        return name, Mention((Span(amounts[name], run[0], run[-1] + 1, scores),))

    found = [_parted(row, texts, charge, words) for row in rows]
    parted = sum(len(of_row) > 1 for of_row in found)
    return (
        [row for of_row in found for row in of_row] if parted <= _MOST * len(rows) else list(rows)
    )


def _parted(
    row: Row,
    texts: Sequence[str],
    charge: Callable[[Line, Row], tuple[str, Mention] | None],
    words: Words,
) -> list[Row]:
    """Return a row and what its text has below its figures that is a row of its own."""
    about = texts[0]
    figures = [cell for name, cell in row.items() if name not in texts]
    if about not in row or not figures:
        return [row]
    last, text = max(lines_of(figures, words)), row[about]
    lines: dict[Line, dict[int, float]] = {}
    for index, score in scores_of(text).items():
        lines.setdefault(line_of(index, words), {})[index] = score
    found: list[Row] = [row]
    held: dict[int, float] = {}  # words of the last row found
    for line in sorted(lines):
        if line > last and (beside := charge(line, row)) is not None:
            if not held:
                return [row]
            name, amount = beside
            found[-1] = found[-1] | {about: mention_of(text, held)}
            found.append({about: text, name: amount})
            held = {}
        held |= lines[line]
    if len(found) > 1:
        found[-1] = found[-1] | {about: mention_of(text, held)}
    return found
