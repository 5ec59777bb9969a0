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
from dataclasses import replace
from decimal import Decimal

from pipeline.answers.arithmetic.checks import Check, figure_of
from pipeline.answers.arithmetic.choosing import cell_name
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.answers.rows.cells import (
    Column,
    Line,
    Row,
    box_of,
    figure_runs,
    line_of,
    lines_of,
    placed,
    places,
    shares,
    words_by_line,
)
from pipeline.answers.rows.figures import Figure, Way, make_product, readings_of, values_of, ways
from pipeline.answers.rows.headings import Headings
from pipeline.answers.rows.votes import voted
from pipeline.result import CheckResult, FieldValue
from pipeline.values.figures.amounts import amount_key
from pipeline.values.figures.currencies import SIGN, SYMBOLS
from pipeline.values.normalised import Normalised
from pipeline.values.schema import LONG, FieldSpec, Kind

_LEAST = 2  # figures of a product that were tagged so, or stand in their columns
_ABOUT = 2  # times or half the product: less, or more, than separators make
_SIGN = re.compile(rf"[{SYMBOLS}]")
_CURRENCY = re.compile(SIGN)
_PRICE = re.compile(rf"[{SYMBOLS}]|[.,]\d\d(?!\d)")


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
    return make_product(
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
        told = voted(found, columns, by_line, evidence)
        stand = told or [places(found, name, evidence.words) for name in names]
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
            if found[at] is row and row.keys() & set(texts):
                found[at] = _in_columns(row, own, columns, told, by_line, evidence)
    return found


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
    others = _words_of(row, {*names, *texts})
    found: dict[tuple[tuple[Decimal, ...], ...], Way] = {}
    for way in ways(lines, columns, by_line, evidence, others):
        as_given = all(
            name not in row or figure.is_in(row[name])
            for name, figure in zip(names, way, strict=True)
        )
        price = "".join(evidence.words[index][1].text for index in way[1].words)
        one, other, _ = values_of(way)
        if as_given and _PRICE.search(price) and 1 not in one + other:
            found[values_of(way)] = way
    if len(found) != 1:
        return None
    [way] = found.values()
    return _filled(row, columns, way, evidence)


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
    others = _words_of(row, names)
    found: dict[tuple[int, int], dict[tuple[tuple[Decimal, ...], ...], Way]] = {}
    for way in ways(lines, columns, by_line, evidence, others):
        kept = sum(figure.is_in(cell) for figure, cell in zip(way, given, strict=True))
        standing = sum(shares(figure.box, at) for figure, at in zip(way, stand, strict=True))
        found.setdefault((standing, kept), {}).setdefault(values_of(way), way)
    best = found[max(found)] if found else {}
    if len(best) != 1:
        return None
    [way] = best.values()
    standing, kept = max(found)
    tagged = {index for cell in given if cell is not None for index in cell.words}
    own = all(tagged.issuperset(figure.words) for figure in way)
    if not (own or kept >= _LEAST or standing >= least):
        return None
    if _swapped(columns, way, heads, evidence):
        way = (way[1], way[0], way[2])
        row = row | {
            name: cell
            for name, cell in zip(names, (given[1], given[0]), strict=False)
            if cell is not None
        }
    return _filled(row, columns, way, evidence)


def _words_of(row: Row, but: Collection[str]) -> set[int]:
    """Return the words of a row's cells but for those of some columns."""
    return {index for name, cell in row.items() if name not in but for index in cell.words}


def _filled(row: Row, columns: Sequence[FieldSpec], way: Way, evidence: Evidence) -> Row:
    """Return a row with the figures of a way in their columns."""
    return row | {
        spec.column: _mention(spec, figure, row.get(spec.column), evidence)
        for spec, figure in zip(columns, way, strict=True)
    }


def _in_columns(
    row: Row,
    lines: Collection[Line],
    columns: Sequence[FieldSpec],
    stand: Sequence[Column],
    by_line: Mapping[Line, Sequence[int]],
    evidence: Evidence,
) -> Row:
    """Return a row without a product, with the figures of its lines that stand in the columns."""
    cells = [set(cell.words) for cell in row.values()]
    runs = [
        run
        for run in figure_runs(lines, by_line, evidence.words)
        if all(cell.isdisjoint(run) or cell.issuperset(run) for cell in cells)
    ]
    for spec, at in zip(columns, stand, strict=False):
        own = [run for run in runs if shares(box_of(run, evidence.words), at)]
        if len(own) == 1 and not (spec.column in row and own[0][0] in row[spec.column].words):
            kept = {name: cell for name, cell in row.items() if own[0][0] not in cell.words}
            row = kept | {spec.column: placed(spec.name, own[0])}
    return row


def _swapped(
    columns: Sequence[FieldSpec],
    way: Way,
    heads: Headings,
    evidence: Evidence,
) -> bool:
    """Return whether two figures change places, as their product is the same either way.

    They do where a currency stands with the one that is to be no money alone; else where they
    stand in one line the other way round than their captions in the last heading above it.
    """
    if not (way[0].values[1] and way[1].values[0]):
        return False
    if [spec.kind for spec in columns[:2]] == [Kind.NUMBER, Kind.AMOUNT]:
        priced = [_has_sign(figure, evidence) for figure in way[:2]]
        if priced[0] != priced[1]:
            return priced[0]
    one, other = (figure.words[0] for figure in way[:2])
    in_order = heads.in_order(min(one, other)) if evidence.same_line(one, other) else None
    stand = evidence.words[one][1].box.x0 < evidence.words[other][1].box.x0
    return in_order is not None and in_order != stand


def _has_sign(figure: Figure, evidence: Evidence) -> bool:
    """Return whether a currency stands with a figure, or before it as a word of its own."""
    first = figure.words[0]
    before = evidence.words[first - 1][1].text if first else ""
    if _CURRENCY.fullmatch(before) and evidence.same_line(first - 1, first):
        return True
    return any(_SIGN.search(evidence.words[index][1].text) for index in figure.words)


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
        choices = [readings_of(read[name], by_column[name]) for name in names]
        ways = list(itertools.product(*choices))
        exact = [way for way in ways if way[-1] and make_product(way)]
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


def _mention(spec: FieldSpec, figure: Figure, cell: Mention | None, evidence: Evidence) -> Mention:
    """Return a figure as a column's cell; as it was where it holds no other figure."""
    if cell is not None and figure.is_in(cell):
        rest = set(cell.words) - set(figure.words)
        if not any(char.isdigit() for index in rest for char in evidence.words[index][1].text):
            return cell
    return placed(spec.name, figure.words)
