"""Products in rows: where quantity times price is not the amount, the figures beside them decide.

A rule of a package that multiplies two columns of a group, ``items.quantity * items.unit_price =
items.amount``, tells which figures of a row are which. A row that lacks one of the three, or whose
three do not agree, is given the figures of its own lines that do, or of the lines below it before
the next row, as long as one way alone leaves most of what was tagged in its place.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from models.geometry import Box, union
from models.labels import Span
from pipeline.answers.checks import ROUNDING, Check, figure_of
from pipeline.answers.choosing import cell_name
from pipeline.answers.evidence import Evidence
from pipeline.answers.mentions import Mention
from pipeline.answers.rows.cells import (
    PLACE_ALONE,
    Column,
    Line,
    Row,
    box_of,
    figure_runs,
    line_of,
    lines_of,
    places,
    shares,
    words_by_line,
)
from pipeline.answers.rows.headings import Headings
from pipeline.result import CheckResult, FieldValue
from pipeline.values.figures.amounts import amount_key
from pipeline.values.figures.currencies import SYMBOLS
from pipeline.values.normalise import normalise
from pipeline.values.normalised import Normalised
from pipeline.values.schema import LONG, FieldSpec, Kind

_MOST_FIGURES = 10  # in the lines of a row; in more, a product that fits is likely chance
_LEAST = 2  # figures of a product that were tagged so, or stand in their columns
_ABOUT = 2  # times or half the product: less, or more, than separators make
_FEWEST_VOTES = 3  # rows whose products tell where their columns stand
_MOST_VOTES = 40  # rows that are asked
_MOST_ROWS = 0.6  # share of the rows with three figures
_PRICE = re.compile(rf"[{SYMBOLS}]|[.,]\d\d(?!\d)")
_TELLING = 1  # least product; below, cents that were rounded make many
_SLACK = 3 * ROUNDING  # as of a check of three terms


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure in the lines of a row.

    Attributes:
        words: it consists of.
        values: what it can be by column of the rule; empty where it is no value of that kind.
        stands: by column, whether it stands above or below the other figures there.
    """

    words: tuple[int, ...]
    values: tuple[tuple[Decimal, ...], ...]
    stands: tuple[bool, ...]


def products(checks: Sequence[Check], group: str) -> Iterator[tuple[str, str, str]]:
    """Yield the columns of every rule of a group that says that two of them make a third.

    Args:
        checks: of the model.
        group: its name.
    """
    for check in checks:
        for rule in check.rules:
            own = all(t.name.startswith(f"{group}.") and not t.summed for t in rule.terms)
            joined = [term.joined for term in rule.terms]
            if own and rule.compared == "=" and joined == ["+", "*", "+"] and len(rule.left) == 2:
                one, other, product = (t.name.removeprefix(f"{group}.") for t in rule.terms)
                yield one, other, product


def unproven(
    rows: Sequence[Mapping[str, FieldValue | None]],
    checks: Sequence[Check],
    group: str,
    found: Sequence[CheckResult] = (),
) -> set[tuple[int, str]]:
    """Return row and column of the cells that no arithmetic speaks for, where a model has products.

    Figures that do not make a product, or are not all there, are of a row that was taken apart
    wrongly, more often than not; in a layout of a stranger confidences do not show it. A column
    that adds up to what is printed is right all the same.

    Args:
        rows: of the group, as they are given.
        checks: of the model.
        group: its name.
        found: what came of the checks.
    """
    rules = list(products(checks, group))
    if not rules:
        return set()
    proven = set[tuple[int, str]]()
    for result in found:
        cells = {
            (number, column)
            for field, column, number in map(cell_name, result.fields)
            if result.ok and column is not None and field == group
        }
        if len({number for number, _ in cells}) > 1:  # else it is a row's, or a sum of one
            proven |= cells
    return {
        (number, name)
        for number, row in enumerate(rows)
        if not any(_holds(row, names) for names in rules)
        for name in row
    } - proven


def _holds(row: Mapping[str, FieldValue | None], names: Sequence[str]) -> bool:
    cells = [row.get(name) for name in names]
    return _makes_product(
        [None if cell is None else figure_of(cell.value, Kind(cell.kind)) for cell in cells]
    )


def with_products(
    rows: Sequence[Row],
    checks: Sequence[Check],
    specs: Sequence[FieldSpec],
    evidence: Evidence,
) -> list[Row]:
    """Return rows whose figures make the products of the model's rules, where the page has them.

    Args:
        rows: mentions by column, of one group.
        checks: of the model.
        specs: columns of the group.
        evidence: the document as tagged.
    """
    found = list(rows)
    by_line = words_by_line(evidence.words)
    by_column = {spec.column: spec for spec in specs}
    texts = [spec.column for spec in specs if spec.kind in LONG]
    for names in products(checks, specs[0].group):
        columns = [by_column[name] for name in names]
        stand = _voted(found, columns, by_line, evidence) or [
            places(found, name, evidence.words) for name in names
        ]
        heads = Headings(columns[0], columns[1], evidence.words)
        extents = _extents(found, evidence)
        for at, (row, extent) in enumerate(zip(found, extents, strict=True)):
            cells = [row[name] for name in names if name in row]
            own = lines_of(cells, evidence.words)
            if len(cells) < len(columns):
                found[at] = row = (
                    _in_words(row, own | extent, columns, texts, by_line, evidence) or row
                )
            if len(cells) < _LEAST:
                continue
            tries = [(own, _LEAST), *([] if extent <= own else [(own | extent, len(columns))])]
            ways = (
                _with_product(row, lines, columns, stand, by_line, heads, evidence, least)
                for lines, least in tries
            )
            found[at] = next((way for way in ways if way is not None), row)
    return found


def _voted(
    rows: Sequence[Row],
    columns: Sequence[FieldSpec],
    by_line: Mapping[Line, Sequence[int]],
    evidence: Evidence,
) -> list[Column]:
    """Return where three columns stand whose figures make products in most rows; empty without.

    Of a table with discounts the tagger may take the price before and after for one another, and a
    percentage for a quantity; the columns in which every row has its product leave no doubt.
    """
    nowhere = [np.empty((0, 2))] * len(columns)
    ways: list[tuple[int, int, list[Box]]] = []  # row, figures tagged so, where they stand
    counted = 0
    for row in rows[:_MOST_VOTES]:
        given = [row.get(spec.column) for spec in columns]
        lines = lines_of([cell for cell in given if cell is not None], evidence.words)
        runs = figure_runs(lines, by_line, evidence.words)
        counted += len(runs) >= len(columns)
        if len(runs) > _MOST_FIGURES:
            continue
        figures = [_figure(run, columns, nowhere, evidence) for run in runs]
        for way in itertools.permutations(figures, len(columns)):
            if _is_product(way):
                kept = sum(_is_in(figure, cell) for figure, cell in zip(way, given, strict=True))
                boxes = [box_of(figure.words, evidence.words) for figure in way]
                ways.append((counted, kept, boxes))
    best: tuple[int, int, list[Column]] = (0, 0, [])
    for _, _, boxes in ways:
        alike = [other for other in ways if all(map(_over, boxes, other[2]))]
        votes = len({row for row, _, _ in alike})
        agreed = sum(kept for _, kept, _ in alike)
        if (votes, agreed) > best[:2]:
            stand = [
                np.array([[other[at].x0, other[at].x1] for _, _, other in alike])
                for at in range(len(columns))
            ]
            best = (votes, agreed, stand)
    votes, _, stand = best
    return stand if votes >= max(_FEWEST_VOTES, _MOST_ROWS * counted) else []


def _over(one: Box, other: Box) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1


def _extents(rows: Sequence[Row], evidence: Evidence) -> list[set[Line]]:
    """Return the lines from each row's first word to the next row, but for those of other rows."""
    taken = [sorted(index for cell in row.values() for index in cell.words) for row in rows]
    starts = sorted(words[0] for words in taken)
    own = [{line_of(index, evidence.words) for index in words} for words in taken]
    rows_in = Counter(line for lines in own for line in lines)
    extents: list[set[Line]] = []
    for words, lines in zip(taken, own, strict=True):
        at = bisect.bisect_right(starts, words[-1])
        end = starts[at] if at < len(starts) else words[-1]
        through = {line_of(index, evidence.words) for index in range(words[0], end)}
        last, _ = line_of(words[-1], evidence.words)
        extents.append(
            {
                (page, line)
                for page, line in through
                if page <= last and rows_in[page, line] == ((page, line) in lines)
            }
        )
    return extents


def _in_words(
    row: Row,
    lines: Collection[Line],
    columns: Sequence[FieldSpec],
    texts: Collection[str],
    by_line: Mapping[Line, Sequence[int]],
    evidence: Evidence,
) -> Row | None:
    """Return a row whose text says what its amount is made of, "3 days at 115.00"; else None.

    The second figure has decimals or a currency, as a price, and neither is one: then two figures
    hardly make a third by chance.
    """
    names = [spec.column for spec in columns]
    if names[-1] not in row:
        return None
    others = {
        i
        for name, cell in row.items()
        if name not in names and name not in texts
        for i in cell.words
    }
    runs = [run for run in figure_runs(lines, by_line, evidence.words) if not others & set(run)]
    if len(runs) > _MOST_FIGURES:
        return None
    nowhere = [np.empty((0, 2))] * len(columns)
    figures = [_figure(run, columns, nowhere, evidence) for run in runs]
    ways: dict[tuple[tuple[Decimal, ...], ...], tuple[_Figure, ...]] = {}
    for way in itertools.permutations(figures, len(columns)):
        as_given = all(
            name not in row or _is_in(figure, row[name])
            for name, figure in zip(names, way, strict=True)
        )
        price = "".join(evidence.words[index][1].text for index in way[1].words)
        factors = {value for at, figure in enumerate(way[:2]) for value in figure.values[at]}
        if as_given and _PRICE.search(price) and 1 not in factors and _is_product(way):
            ways[tuple(figure.values[at] for at, figure in enumerate(way))] = way
    if len(ways) != 1:
        return None
    [way] = ways.values()
    return row | {
        spec.column: _mention(spec, figure, row.get(spec.column), evidence)
        for spec, figure in zip(columns, way, strict=True)
    }


def _with_product(
    row: Row,
    lines: Collection[Line],
    columns: Sequence[FieldSpec],
    stand: Sequence[Column],
    by_line: Mapping[Line, Sequence[int]],
    heads: Headings,
    evidence: Evidence,
    least: int,
) -> Row | None:
    """Return a row with the one product that figures in some lines make; None where none do.

    Its figures are those tagged, in whatever order, or two of them are tagged so, or as many as
    `least` stand in their columns.
    """
    names = [spec.column for spec in columns]
    given = [row.get(name) for name in names]
    others = {i for name, mention in row.items() if name not in names for i in mention.words}
    runs = [run for run in figure_runs(lines, by_line, evidence.words) if not others & set(run)]
    if len(runs) > _MOST_FIGURES:
        return None
    figures = [_figure(run, columns, stand, evidence) for run in runs]
    ways: dict[tuple[int, int], dict[tuple[tuple[Decimal, ...], ...], tuple[_Figure, ...]]] = {}
    for way in itertools.permutations(figures, len(columns)):
        if _is_product(way):
            kept = sum(_is_in(figure, cell) for figure, cell in zip(way, given, strict=True))
            standing = sum(figure.stands[at] for at, figure in enumerate(way))
            values = tuple(figure.values[at] for at, figure in enumerate(way))
            ways.setdefault((standing, kept), {}).setdefault(values, way)
    best = ways[max(ways)] if ways else {}
    if len(best) != 1:
        return None
    [way] = best.values()
    standing, kept = max(ways)
    tagged = {index for cell in given if cell is not None for index in cell.words}
    own = all(tagged.issuperset(figure.words) for figure in way)
    if not (own or kept >= _LEAST or standing >= least):
        return None
    if _swapped(columns, way, heads, evidence):
        way = (way[1], way[0], way[2])
        given[:2] = given[1], given[0]
    return row | {
        spec.column: _mention(spec, figure, cell, evidence)
        for spec, figure, cell in zip(columns, way, given, strict=True)
    }


def _swapped(
    columns: Sequence[FieldSpec],
    way: Sequence[_Figure],
    heads: Headings,
    evidence: Evidence,
) -> bool:
    """Return whether two figures change places, as their product is the same either way.

    They do where they stand in one line the other way round than their captions in the last heading
    above it.
    """
    if not (way[0].values[1] and way[1].values[0]):
        return False
    one, other = (figure.words[0] for figure in way[:2])
    in_order = heads.in_order(min(one, other))
    if in_order is None or not evidence.same_line(one, other):
        return False
    return in_order != (evidence.words[one][1].box.x0 < evidence.words[other][1].box.x0)


def _figure(
    words: tuple[int, ...],
    columns: Sequence[FieldSpec],
    stand: Sequence[Column],
    evidence: Evidence,
) -> _Figure:
    """Return what words are worth in each of three columns, and whether they stand there."""
    text = evidence.text(Mention((Span(columns[0].name, words[0], words[-1] + 1),)))
    box = union(evidence.words[index][1].box for index in words)
    return _Figure(
        words,
        tuple(tuple(_figures(normalise(text, spec, evidence.context), spec)) for spec in columns),
        tuple(shares(box, column) for column in stand),
    )


def _is_product(figures: Sequence[_Figure]) -> bool:
    """Return whether figures make a product, in one of their readings, that is none by rounding."""
    choices = (figure.values[at] for at, figure in enumerate(figures))
    return any(
        abs(way[-1]) >= _TELLING and _makes_product(way) for way in itertools.product(*choices)
    )


def read_together(
    readings: Mapping[str, Normalised], checks: Sequence[Check], specs: Sequence[FieldSpec]
) -> dict[str, Normalised]:
    """Return the cells of a row, those of several readings with the ones that make its product.

    Of ``12.75``, ``98.000`` and ``1,249.50`` the second is 98, not 98,000. Where none of the
    readings make the product, the only ones that come near it are taken, and stay in doubt.

    Args:
        readings: by column.
        checks: of the model.
        specs: columns of the group.
    """
    read = dict(readings)
    by_column = {spec.column: spec for spec in specs}
    for names in products(checks, specs[0].group):
        if not all(name in read for name in names):
            continue
        choices = [_figures(read[name], by_column[name]) for name in names]
        ways = list(itertools.product(*choices))
        exact = [way for way in ways if way[-1] and _makes_product(way)]
        near = exact or [way for way in ways if _is_near(way)]
        if len(near) == 1:
            read |= {
                name: _settled(read[name], figure, by_column[name], sure=bool(exact))
                for name, figure, choice in zip(names, near[0], choices, strict=True)
                if len(choice) > 1
            }
    return read


def _is_near(way: Sequence[Decimal]) -> bool:
    """Return whether two figures make about a third, as with a discount; thousands are far off."""
    one, other, product = way
    return product != 0 and 1 / _ABOUT <= one * other / product <= _ABOUT


def _figures(reading: Normalised, spec: FieldSpec) -> list[Decimal]:
    """Return the different figures that a text can be, the likeliest first."""
    found = (figure_of(value, spec.kind) for value in (reading.value, *reading.alternatives))
    return list(dict.fromkeys(figure for figure in found if figure is not None))


def _settled(reading: Normalised, figure: Decimal, spec: FieldSpec, *, sure: bool) -> Normalised:
    """Return a text's reading as one figure; where that is sure, only its currency may be open."""
    values = (reading.value, *reading.alternatives)
    value, *same = [value for value in values if figure_of(value, spec.kind) == figure]
    others = same if sure else [*same, *(other for other in values if other not in (value, *same))]
    return replace(
        reading,
        key=amount_key(figure),
        value=value,
        status="ambiguous" if others else "ok",
        reason=f"Of its readings, the one that makes {'' if sure else 'about '}its row's product.",
        alternatives=tuple(others),
    )


def _makes_product(values: Sequence[Decimal | None]) -> bool:
    one, other, product = values
    if one is None or other is None or product is None:
        return False
    return abs(one * other - product) <= _SLACK


def _is_in(figure: _Figure, cell: Mention | None) -> bool:
    return cell is not None and set(figure.words) <= set(cell.words)


def _mention(spec: FieldSpec, figure: _Figure, cell: Mention | None, evidence: Evidence) -> Mention:
    """Return a figure as a column's cell; as it was where it holds no other figure."""
    if cell is not None and _is_in(figure, cell):
        rest = set(cell.words) - set(figure.words)
        if not any(char.isdigit() for index in rest for char in evidence.words[index][1].text):
            return cell
    scores = (PLACE_ALONE,) * len(figure.words)
    return Mention((Span(spec.name, figure.words[0], figure.words[-1] + 1, scores),))
