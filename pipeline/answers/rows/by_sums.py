"""What sums make of rows: without some, with figures of another column, or with rows left out.

A table may print net and gross amounts, or what was billed before, beside the amounts that add up:
where the sum of a column fails, another column of figures of the same rows takes its place if the
sum holds with it. A charge among positions, "Delivery    15.00", is often tagged as nothing, or as
another sum: the lines that begin where the texts of rows do and print one figure, in that column,
are rows if the sum holds with them: what is surplus (`surplus`) the other way round.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.answers.arithmetic.checks import Check, Groups, Row, outcomes
from pipeline.answers.places.mentions import placed
from pipeline.answers.rendering import Basis, Offer
from pipeline.answers.rows.cells import (
    box_of,
    figure_runs,
    line_of,
    lines_of,
    places,
    runs_of,
    shares,
    words_by_line,
)
from pipeline.answers.rows.products import summed, unproven
from pipeline.answers.rows.surplus import surplus
from pipeline.result import Answer, FieldValue
from pipeline.values.schema import LONG, FieldSpec, Kind

_FEWEST = 2  # figures that show where a column stands
_TELLING = 3  # rows, those that a sum lacks among them, of which it hardly holds by chance
_ENOUGH = 2  # figures that make a row without the one that is added up
_FIGURES = (Kind.NUMBER, Kind.AMOUNT)
_MOST = 6  # lines that may be rows: of more, some add up by chance
_ALIGNED = 0.45  # heights of a word from where texts begin to where another one does, at most

OfferedRow = dict[str, Offer]


@dataclass(frozen=True, slots=True)
class RowsBySums:
    """The rows of a group, which sums change: each step returns what is offered for them then.

    Attributes:
        basis: of what is offered.
        group: its name.
        rows: what is offered so far.
        checks: of the model.
        answers: by field, as they are given now.
        groups: rows by group, as they are given now.
    """

    basis: Basis
    group: str
    rows: Sequence[OfferedRow]
    checks: Sequence[Check]
    answers: Mapping[str, Answer]
    groups: Groups

    def without_surplus(self) -> list[OfferedRow]:
        """Return the rows but for those that are none."""
        many = surplus(self.group, self.checks, self.answers, self.groups)
        return [row for at, row in enumerate(self.rows) if at not in many]

    def added(self) -> list[OfferedRow]:
        """Return the rows with those in their places that make a failing sum hold.

        Where different ones do, the sum does not tell.
        """
        specs = self._specs()
        text = next((spec for spec in specs.values() if spec.kind in LONG), None)
        before = self._outcomes(self.groups[self.group])
        failing = {
            column: check
            for column, check in dict(summed(self.group, self.checks)).items()
            if before.get(check) is False
        }
        for column, check in failing.items() if text else ():
            assert text is not None
            found = [
                {
                    text.column: self._cell(text, words, check),
                    column: self._cell(specs[column], figure, check),
                }
                for words, figure in self._lines(text, specs[column])
            ]
            fewest = max(1, _TELLING - len(self.rows))
            subsets = (
                some
                for count in range(fewest, len(found) + 1 if len(found) <= _MOST else 1)
                for some in itertools.combinations(found, count)
            )
            holding: list[tuple[OfferedRow, ...]] = []
            for some in subsets:
                after = self._outcomes([*self.groups[self.group], *self._given(some, specs)])
                kept = (name for name, ok in before.items() if ok)
                if all(after.get(name) for name in (check, *kept)):
                    holding.append(some)
            if len(holding) == 1:
                return self._merged(holding[0], text)
        return list(self.rows)

    def moved(self) -> list[OfferedRow]:
        """Return the rows with another column of their figures where a sum wants it.

        Of several columns with which the sum holds, such as net and gross amounts, the one counts
        that most cells were found in. Where most rows have their product, nothing moves.
        """
        specs = self._specs()
        now = self.groups[self.group]
        unlike = {number for number, _ in unproven(now, self.checks, self.group)}
        if len(now) < _FEWEST or 2 * len(unlike) <= len(now):
            return list(self.rows)
        before = self._outcomes(now)
        for column, check in dict(summed(self.group, self.checks)).items():
            if before.get(check):
                continue
            holding: list[tuple[int, list[OfferedRow]]] = []
            for figures in self._columns(specs):
                found = [
                    {
                        name: cell
                        for name, cell in row.items()
                        if name != column and set(figure).isdisjoint(cell.value.best.words)
                    }
                    | {column: self._cell(specs[column], figure, check)}
                    for row, figure in zip(self.rows, figures, strict=True)
                ]
                if self._outcomes(self._given(found, specs)).get(check):
                    tagged = sum(
                        not set(figure).isdisjoint(cell.value.best.words)
                        for row, figure in zip(self.rows, figures, strict=True)
                        for cell in row.values()
                    )
                    holding.append((tagged, found))
            most = max((tagged for tagged, _ in holding), default=0)
            best = [found for tagged, found in holding if tagged == most]
            if len(best) == 1:
                return best[0]
        return list(self.rows)

    def whole(self) -> list[OfferedRow]:
        """Return the rows with a figure in the column that is added up, where most have one.

        A row with two other figures, such as a quantity and a price, is one all the same.
        """
        figures = [name for name, spec in self._specs().items() if spec.kind in _FIGURES]
        for column in dict(summed(self.group, self.checks)):
            now = self.groups[self.group]
            printed = [{name for name in figures if row.get(name)} for row in now]
            if 2 * sum(column in names for names in printed) > len(printed):
                kept = (column in names or len(names) >= _ENOUGH for names in printed)
                return list(itertools.compress(self.rows, kept))
        return list(self.rows)

    def _specs(self) -> dict[str, FieldSpec]:
        return {spec.column: spec for spec in self.basis.fields if spec.group == self.group}

    def _columns(self, specs: Mapping[str, FieldSpec]) -> Iterator[list[Sequence[int]]]:
        """Yield the words of each column of figures that all rows have one of."""
        words = self.basis.evidence.words
        by_line = words_by_line(words)
        of_rows: list[list[Sequence[int]]] = []
        for row in self.rows:
            texts = [cell for name, cell in row.items() if specs[name].kind in LONG]
            cells = [cell.value.best for name, cell in row.items() if cell not in texts]
            held = {index for cell in texts for index in cell.value.best.words}
            runs = figure_runs(lines_of(cells, words), by_line, words)
            of_rows.append([run for run in runs if held.isdisjoint(run)])
        for first in of_rows[0]:
            box = box_of(first, words)
            column = np.array([(box.x0, box.x1)])
            found = [
                [run for run in runs if shares(box_of(run, words), column)] for runs in of_rows
            ]
            if all(len(own) == 1 for own in found):
                yield [own[0] for own in found]

    def _given(self, rows: Sequence[OfferedRow], specs: Mapping[str, FieldSpec]) -> list[Row]:
        return [
            {column: self.basis.cell(specs[column], cell) for column, cell in row.items()}
            for row in rows
        ]

    def _outcomes(self, given: Sequence[Row]) -> dict[str, bool]:
        """Return what comes of the checks where these are the rows."""
        return outcomes(self.checks, self.answers, {**self.groups, self.group: given})

    def _lines(
        self, text: FieldSpec, amount: FieldSpec
    ) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
        """Yield the words of the text and of the figure of each line that may be a row.

        Those stand on the pages of the rows, above the first sum of the document below the last.
        """
        words = self.basis.evidence.words
        mentions = [{name: cell.value.best for name, cell in row.items()} for row in self.rows]
        column = places(mentions, amount.column, words)
        figures = [
            mention for row in mentions for name, mention in row.items() if name != text.column
        ]
        begins = [row[text.column].words[0] for row in mentions if text.column in row]
        if not len(column) or not begins or not figures:
            return
        held = lines_of(figures, words)
        sums = {
            line_of(index, words)
            for answer in self.answers.values()
            if isinstance(answer, FieldValue) and Kind(answer.kind) is Kind.AMOUNT
            for index in answer.words
        }
        # A line of a table of taxes is no row.
        others = {
            line_of(span.start, words)
            for span in self.basis.evidence.spans
            if "." in span.field and span.field.split(".")[0] != text.group
        }
        by_line = words_by_line(words)
        end = min((line for line in sums if line > max(held)), default=None)
        for line in sorted(by_line):
            if line[0] < min(held)[0] or line in held | sums | others:
                continue
            if line[0] > max(held)[0] or (end is not None and line > end):
                break
            runs = [
                run
                for run in figure_runs([line], by_line, words)
                if shares(box_of(run, words), column)
            ]
            if len(runs) != 1:
                continue
            own = [index for index in by_line[line] if index < runs[0][0]]
            first = next((index for index in own if self._aligned(index, begins)), None)
            if first is not None:
                yield runs_of(range(first, own[-1] + 1), words)[0], runs[0]

    def _aligned(self, index: int, begins: Sequence[int]) -> bool:
        page, token = self.basis.evidence.words[index]
        slack = _ALIGNED * token.box.height * page.height / page.width
        return any(
            abs(self.basis.evidence.words[begin][1].box.x0 - token.box.x0) <= slack
            for begin in begins
        )

    def _cell(self, spec: FieldSpec, words: Sequence[int], check: str) -> Offer:
        why = f"Chosen because it keeps the check '{check}'."
        return replace(self.basis.offered(spec, placed(spec.name, words)), why=why)

    def _merged(self, more: Sequence[OfferedRow], text: FieldSpec) -> list[OfferedRow]:
        """Return all rows in their order; words of those added are no other row's text."""
        taken = {index for row in more for cell in row.values() for index in cell.value.best.words}
        found = list(more)
        for row in self.rows:
            own = row[text.column].value.best if text.column in row else None
            if own is not None and not taken.isdisjoint(own.words):
                left = set(own.words) - taken
                row = {name: cell for name, cell in row.items() if name != text.column}
                if left:
                    row[text.column] = self.basis.offered(text, own.only(left))
            found.append(row)

        def place(row: OfferedRow) -> int:
            return min(
                index
                for name, cell in row.items()
                if name != text.column or len(row) == 1
                for index in cell.value.best.words
            )

        return sorted(found, key=place)
