"""Figures in the lines of a row, and the products that they make."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from models.geometry import Box
from models.labels import Span
from pipeline.answers.arithmetic.checks import ROUNDING, figure_of
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.answers.rows.cells import Line, box_of, figure_runs
from pipeline.values.normalise import normalise
from pipeline.values.normalised import Normalised
from pipeline.values.schema import FieldSpec

_MOST_FIGURES = 10  # in the lines of a row; in more, a product that fits is likely chance
_TELLING = 1  # least product; below, cents that were rounded make many
_SLACK = 3 * ROUNDING  # as of a check of three terms


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure in the lines of a row.

    Attributes:
        words: it consists of.
        box: around them.
        values: what it can be by column of a rule; empty where it is no value of that kind.
    """

    words: tuple[int, ...]
    box: Box
    values: tuple[tuple[Decimal, ...], ...]

    def is_in(self, cell: Mention | None) -> bool:
        """Return whether a cell holds it."""
        return cell is not None and set(self.words) <= set(cell.words)


Way = tuple[Figure, ...]
"""Figures for the columns of a rule, in its order, that make its product."""


def ways(
    lines: Collection[Line],
    columns: Sequence[FieldSpec],
    by_line: Mapping[Line, Sequence[int]],
    evidence: Evidence,
    but: Collection[int] = frozenset(),
) -> Iterator[Way]:
    """Yield the ways in which figures in some lines make a product, none where they are many.

    Args:
        lines: by page and number.
        columns: two that are multiplied, and the one that they make.
        by_line: words of each line of the document.
        evidence: the document as tagged.
        but: words that count as no figures.
    """
    figures = figures_in(lines, columns, by_line, evidence, but)
    yield from filter(is_product, itertools.permutations(figures, len(columns)))


def figures_in(
    lines: Collection[Line],
    columns: Sequence[FieldSpec],
    by_line: Mapping[Line, Sequence[int]],
    evidence: Evidence,
    but: Collection[int] = frozenset(),
) -> list[Figure]:
    """Return the figures in some lines, none where they are many; arguments as of `ways`."""
    runs = [
        run
        for run in figure_runs(lines, by_line, evidence.words)
        if not any(index in but for index in run)
    ]
    return [_read(run, columns, evidence) for run in runs] if len(runs) <= _MOST_FIGURES else []


def values_of(way: Way) -> tuple[tuple[Decimal, ...], ...]:
    """Return what the figures of a way can be, each in its column."""
    return tuple(figure.values[at] for at, figure in enumerate(way))


def readings_of(reading: Normalised, spec: FieldSpec) -> list[Decimal]:
    """Return the different figures that a text can be, the likeliest first."""
    found = (figure_of(value, spec.kind) for value in (reading.value, *reading.alternatives))
    return list(dict.fromkeys(figure for figure in found if figure is not None))


def make_product(values: Sequence[Decimal | None]) -> bool:
    """Return whether two figures make a third, up to rounding; not where one is missing."""
    one, other, product = values
    if one is None or other is None or product is None:
        return False
    return abs(one * other - product) <= _SLACK


def _read(words: tuple[int, ...], columns: Sequence[FieldSpec], evidence: Evidence) -> Figure:
    text = evidence.text(Mention((Span(columns[0].name, words[0], words[-1] + 1),)))
    return Figure(
        words,
        box_of(words, evidence.words),
        tuple(
            tuple(readings_of(normalise(text, spec, evidence.context), spec)) for spec in columns
        ),
    )


def is_product(figures: Way) -> bool:
    """Return whether figures make a product in one of their readings, see `tell_product`."""
    return any(map(tell_product, itertools.product(*values_of(figures))))


def tell_product(values: Sequence[Decimal]) -> bool:
    """Return whether two figures make a third, that is none by rounding."""
    return abs(values[-1]) >= _TELLING and make_product(values)
