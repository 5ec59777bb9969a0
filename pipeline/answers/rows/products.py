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
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from decimal import Decimal

from pipeline.answers.arithmetic.checks import Check, figure_of
from pipeline.answers.arithmetic.choosing import cell_name
from pipeline.answers.places.beside import has_digit
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention, placed
from pipeline.answers.rows.cells import (
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
from pipeline.answers.rows.figures import (
    Figure,
    Way,
    figures_in,
    is_product,
    make_product,
    readings_of,
    tell_product,
    values_of,
    ways,
)
from pipeline.answers.rows.votes import voted
from pipeline.result import CheckResult, FieldValue
from pipeline.values.figures.amounts import amount_key
from pipeline.values.figures.currencies import SIGN, SYMBOLS
from pipeline.values.normalised import Normalised
from pipeline.values.schema import LONG, FieldSpec, Kind

_LEAST = 2  # figures of a product that were tagged so, or stand in their columns
_ONE = re.compile(r"1(?:[.,]0+)?")
_PER = (100, 1000)  # pieces that prices are for
_ABOUT = 2  # times or half the product: less, or more, than separators make
_SIGN = re.compile(rf"[{SYMBOLS}]")
_CURRENCY = re.compile(SIGN)
_PRICE = re.compile(rf"[{SYMBOLS}]|[.,]\d\d(?!\d)")


def products(checks: Sequence[Check], group: str) -> Iterator[tuple[str, str, str]]:
    """Yield the columns of every rule of a group that says that two of them make a third."""
    for check in checks:
        for rule in check.rules:
            own = all(t.name.startswith(f"{group}.") and not t.summed for t in rule.terms)
            joined = [term.joined for term in rule.terms]
            if own and rule.compared == "=" and joined == ["+", "*", "+"] and len(rule.left) == 2:
                one, other, product = (t.name.removeprefix(f"{group}.") for t in rule.terms)
                yield one, other, product


def summed(group: str, checks: Sequence[Check]) -> list[tuple[str, str]]:
    """Return the columns of a group that are added up, each with the names of its checks."""
    return [
        (term.name.removeprefix(f"{group}."), check.name)
        for check in checks
        for rule in check.rules
        for term in rule.terms
        if term.summed and term.name.startswith(f"{group}.")
    ]


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
    """Return rows whose figures make the products of the model's rules, where the page has them."""
    found = list(rows)
    by_line = words_by_line(evidence.words)
    texts = [spec.column for spec in specs if spec.kind in LONG]
    for names in products(checks, specs[0].group):
        columns = [spec for name in names for spec in specs if spec.column == name]
        told = voted(found, columns, by_line, evidence)
        stand = told or [places(found, name, evidence.words) for name in names]
        table = _Table(names, columns, texts, stand, by_line, evidence, evidence.tagged())
        counted: list[Row] = []  # rows with a factor
        extents = _extents(found, evidence)
        for at, (row, extent) in enumerate(zip(found, extents, strict=True)):
            cells = [row[name] for name in names if name in row]
            own = lines_of(cells, evidence.words)
            if len(cells) < len(columns):
                found[at] = row = table.in_words(row, own | extent) or row
            if len(cells) < _LEAST:
                continue
            tries = [(own, _LEAST), *([] if extent <= own else [(own | extent, len(columns))])]
            ways = (table.with_product(row, lines, least) for lines, least in tries)
            found[at] = next((way for way in ways if way is not None), row)
            if found[at] is row and (way := table.with_factor(row, own)):
                found[at] = row = way
                counted.append(row)
            elif found[at] is row and row.keys() & set(texts):
                found[at] = table.in_columns(row, own, told)
        if counted:
            count = [places(counted, names[0], evidence.words)]
            for at, row in enumerate(found):
                lines = lines_of([row[name] for name in names if name in row], evidence.words)
                other = table.in_columns(row, lines, count)
                # One of a thing for so many days makes the product without it.
                if names[0] in other and _ONE.fullmatch(evidence.text(other[names[0]])):
                    found[at] = other
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


@dataclass(frozen=True, slots=True)
class _Table:
    """Figures of a group whose columns make a product, and where they stand.

    Attributes:
        names: of two columns that are multiplied, and of the one that they make.
        columns: the same.
        texts: names of columns of texts.
        stand: where the figures of each column stand.
        by_line: words of each line of the document.
        evidence: the document as tagged.
        tagged: words that are of some field.
    """

    names: Sequence[str]
    columns: Sequence[FieldSpec]
    texts: Sequence[str]
    stand: Sequence[Column]
    by_line: Mapping[Line, Sequence[int]]
    evidence: Evidence
    tagged: Set[int]

    def in_words(self, row: Row, lines: Collection[Line]) -> Row | None:
        """Return a row whose text says what its amount is made of, "3 days at 115.00"; else None.

        The second figure has decimals or a currency, as a price, and neither is one: then two
        figures hardly make a third by chance.
        """
        if self.names[-1] not in row:
            return None
        others = _words_of(row, {*self.names, *self.texts})
        found: dict[tuple[tuple[Decimal, ...], ...], Way] = {}
        for way in ways(lines, self.columns, self.by_line, self.evidence, others):
            as_given = all(
                name not in row or figure.is_in(row[name])
                for name, figure in zip(self.names, way, strict=True)
            )
            price = "".join(self.evidence.words[index][1].text for index in way[1].words)
            one, other, _ = values_of(way)
            as_given = as_given and not self._is_strange(way, row)
            if as_given and _PRICE.search(price) and 1 not in one + other:
                found[values_of(way)] = way
        if len(found) != 1:
            return None
        [way] = found.values()
        return self._filled(row, way)

    def with_product(self, row: Row, lines: Collection[Line], least: int) -> Row | None:
        """Return a row with the one product that figures in some lines make; None where none do.

        Its figures are those tagged, in whatever order, or two of them are tagged so, or as many as
        `least` stand in their columns.
        """
        given = [row.get(name) for name in self.names]
        others = _words_of(row, self.names)
        found: dict[tuple[int, int], dict[tuple[tuple[Decimal, ...], ...], Way]] = {}
        for way in ways(lines, self.columns, self.by_line, self.evidence, others):
            kept = sum(figure.is_in(cell) for figure, cell in zip(way, given, strict=True))
            standing = sum(
                shares(figure.box, at) for figure, at in zip(way, self.stand, strict=True)
            )
            found.setdefault((standing, kept), {}).setdefault(values_of(way), way)
        best = found[max(found)] if found else {}
        if len(best) != 1:
            return None
        [way] = best.values()
        standing, kept = max(found)
        tagged = {index for cell in given if cell is not None for index in cell.words}
        own = all(tagged.issuperset(figure.words) for figure in way)
        strange = least == _LEAST and self._is_strange(way, row)  # below a row nothing is aligned
        if strange or not (own or kept >= _LEAST or standing >= least):
            return None
        if self._swapped(way):
            way = (way[1], way[0], way[2])
            row = row | {
                name: cell
                for name, cell in zip(self.names, (given[1], given[0]), strict=False)
                if cell is not None
            }
        return self._filled(row, way)

    def with_factor(self, row: Row, lines: Collection[Line]) -> Row | None:
        """Return a row whose amount is made with one figure more; None where none says so.

        Of "12 lamps, 4 days, 9.50" what stands first counts; a hundred that a price is for does
        not.
        """
        figures = figures_in(
            lines, self.columns, self.by_line, self.evidence, _words_of(row, self.names)
        )
        given = [
            [figure for figure in figures if figure.is_in(row.get(name))] for name in self.names
        ]
        found: set[Figure] = set()
        for way in itertools.product(*given):
            for beside in [] if is_product(way) else set(figures).difference(way):
                one, other = sorted((way[0], beside), key=lambda figure: figure.words)
                for count, factor, each, product in itertools.product(
                    one.values[0], other.values[0], way[1].values[1], way[2].values[2]
                ):
                    if 1 not in (count, factor) and tell_product((count * factor, each, product)):
                        found.add(one)
                    for counted, per, figure in ((count, factor, one), (factor, count, other)):
                        if per in _PER and tell_product((counted, each, product * per)):
                            found.add(figure)
        if len(found) != 1:
            return None
        [figure] = found
        return row | {
            self.names[0]: _mention(self.columns[0], figure, row[self.names[0]], self.evidence)
        }

    def in_columns(self, row: Row, lines: Collection[Line], stand: Sequence[Column]) -> Row:
        """Return a row without a product, with the figures of its lines in their columns."""
        cells = [set(cell.words) for cell in row.values()]
        runs = [
            run
            for run in figure_runs(lines, self.by_line, self.evidence.words)
            if all(cell.isdisjoint(run) or cell.issuperset(run) for cell in cells)
        ]
        for spec, at in zip(self.columns, stand, strict=False):
            own = [run for run in runs if shares(box_of(run, self.evidence.words), at)]
            if len(own) == 1 and not (spec.column in row and own[0][0] in row[spec.column].words):
                kept = {name: cell for name, cell in row.items() if own[0][0] not in cell.words}
                row = kept | {spec.column: placed(spec.name, own[0])}
        return row

    def _is_strange(self, way: Way, row: Row) -> bool:
        """Return whether a figure, tagged as nothing, stands outside the column that a row lacks.

        A tax makes some product, too; of its rate hardly any other figure does. What its place
        alone has given a row, it lacks.
        """
        return any(
            len(at) > 1
            and column.kind is not Kind.PERCENT
            and not shares(figure.box, at)
            and self.tagged.isdisjoint({*figure.words, *(row[name].words if name in row else ())})
            for name, column, figure, at in zip(
                self.names, self.columns, way, self.stand, strict=True
            )
        )

    def _filled(self, row: Row, way: Way) -> Row:
        """Return a row with the figures of a way in their columns."""
        return row | {
            spec.column: _mention(spec, figure, row.get(spec.column), self.evidence)
            for spec, figure in zip(self.columns, way, strict=True)
        }

    def _swapped(self, way: Way) -> bool:
        """Return whether two figures change places, as their product is the same either way.

        They do where a currency stands with the one that is to be no money alone.
        """
        if not (way[0].values[1] and way[1].values[0]):
            return False
        kinds = [spec.kind for spec in self.columns[:2]]
        priced = [self._has_sign(figure) for figure in way[:2]]
        return kinds == [Kind.NUMBER, Kind.AMOUNT] and priced == [True, False]

    def _has_sign(self, figure: Figure) -> bool:
        """Return whether a currency stands with a figure, or before it as its own word."""
        words, first = self.evidence.words, figure.words[0]
        sign, other = first - 1, first - 2
        if (
            sign >= 0
            and _CURRENCY.fullmatch(words[sign][1].text)
            and self.evidence.same_line(sign, first)
            and not (other >= 0 and self._is_behind(other, sign))
        ):
            return True
        return any(_SIGN.search(words[index][1].text) for index in figure.words)

    def _is_behind(self, other: int, sign: int) -> bool:
        """Return whether a currency may be of the figure before it: "4.00 €  3"."""
        words = self.evidence.words
        one, middle, last = (words[index][1].box for index in (other, sign, sign + 1))
        near = 2 * (last.x0 - middle.x1) <= middle.x0 - one.x1  # to what stands behind it
        return self.evidence.same_line(other, sign) and has_digit(words[other][1].text) and not near


def _words_of(row: Row, but: Collection[str]) -> set[int]:
    """Return the words of a row's cells but for those of some columns."""
    return {index for name, cell in row.items() if name not in but for index in cell.words}


def read_together(
    readings: Mapping[str, Normalised], checks: Sequence[Check], specs: Sequence[FieldSpec]
) -> dict[str, Normalised]:
    """Return the cells of a row, those of several readings with the ones that make its product.

    Of ``12.75``, ``98.000`` and ``1,249.50`` the second is 98, not 98,000. Where none of the
    readings make the product, the only ones that come near it are taken, and stay in doubt.
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
