"""Sums that the page prints: what a check leaves for a field is read where the tagger missed it.

Where a check of sums (`pipeline.answers.arithmetic.checks`) fails, or lacks one of its values, the
others say what a field must be. If the page prints that figure, apart from the values given, and
only one field can be mended so, it is the field's value.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from pipeline.answers.arithmetic.checks import Check, Groups, figure_of, needed, outcomes
from pipeline.answers.places.mentions import Mention, placed
from pipeline.answers.places.printed import Print
from pipeline.answers.rendering import Basis, Offer
from pipeline.document import Document
from pipeline.result import Answer, FieldValue
from pipeline.values.figures.amounts import plain
from pipeline.values.schema import FieldSpec, Kind

_SEVERAL = 2  # rows: what one comes to is printed by chance
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class PrintedSums:
    """Looks for the figures that sums leave for a field.

    Attributes:
        document: as read.
        basis: of the offers; its fields are those with one value.
        expected: fields that all documents of the model have.
    """

    document: Document
    basis: Basis
    expected: Collection[str] = ()

    def mending(
        self, check: Check, checks: Sequence[Check], answers: Mapping[str, Answer], groups: Groups
    ) -> tuple[str, Offer] | None:
        """Return the one field that a printed figure mends a check by, and that figure; else None.

        A check that fails has a wrong value, and one that says nothing lacks one. A figure that
        breaks a check that was kept is none, and neither is nought, which is printed for much else.
        What several rows come to is a field that all documents have, where that is not given or
        would be less, and in doubt. Where nothing given is below nought, no figure is: what is
        taken off an invoice without tax is no tax. Nor is what is added to it: a nought that is
        given stays, but as the sum itself, where nothing may be left to pay.

        Args:
            check: of the model.
            checks: all of the model.
            answers: by field, as they are given now.
            groups: rows, as they are given now.
        """
        results = outcomes(checks, answers, groups)
        kept = {name for name, ok in results.items() if ok}
        if check.name in kept:
            return None
        amounts = {spec.name: spec for spec in self.basis.fields if spec.kind is Kind.AMOUNT}
        ways: dict[tuple[str, Decimal], Offer | None] = {}
        taken_off = {name for name, spec in amounts.items() if spec.unsigned}
        several = any(len(rows) >= _SEVERAL for rows in groups.values())
        lacking = {n: least for n in self.expected if several and (least := _doubted(answers, n))}
        below_nought = any(_figure(answers.get(name)) < 0 for name in amounts)
        for rule in check.rules:
            sides = (side for side in (rule.left, rule.right) if len(side) > 1)
            parts = {term.name for side in sides for term in side}
            for name, figure in needed(rule, answers, groups, taken_off, lacking):
                wrong = (check.name in results) == bool(answers.get(name))
                if name not in amounts or not (wrong or rule.by_rows):
                    continue
                if name in parts and answers.get(name) and _figure(answers[name]) == 0:
                    continue
                if rule.by_rows and name in lacking and abs(figure) < abs(lacking[name]):
                    continue
                if figure < 0 and not below_nought:
                    continue
                cells = _cells(groups) if rule.by_rows else frozenset[int]()
                offer = (
                    self._offer(figure, amounts[name], check, answers, cells) if figure else None
                )
                if offer is not None:
                    then = self._with(answers, amounts[name], offer)
                    now = outcomes(checks, then, groups)
                    offer = offer if all(now.get(name) for name in (*kept, check.name)) else None
                if offer is not None or not figure:
                    ways[name, figure] = offer
        if len(ways) != 1:
            return None
        [((name, _), only)] = ways.items()
        return None if only is None else (name, only)

    def _with(
        self, answers: Mapping[str, Answer], spec: FieldSpec, offer: Offer
    ) -> dict[str, Answer]:
        return {**answers, spec.name: self.basis.answer(spec, [offer])}

    def _offer(
        self,
        figure: Decimal,
        spec: FieldSpec,
        check: Check,
        answers: Mapping[str, Answer],
        cells: Collection[int],
    ) -> Offer | None:
        """Return a figure as an offer for a field; None where the page does not print it."""
        place = self._place(figure, spec, answers, cells)
        if place is None:
            return None
        offer = self.basis.offered(spec, place)
        return replace(offer, why=f"Chosen because it keeps the check '{check.name}'.")

    def _place(
        self,
        figure: Decimal,
        spec: FieldSpec,
        answers: Mapping[str, Answer],
        cells: Collection[int],
    ) -> Mention | None:
        """Return the last place that prints a figure, and is neither another field's nor a cell.

        Which cells count is said by the caller: one of a table of taxes may say what a field does,
        one of the rows that are added up does not say what they are too much.
        """
        given = {
            index
            for name, answer in answers.items()
            if name != spec.name and isinstance(answer, FieldValue)
            for index in answer.words
        }.union(cells)
        found = None
        for words in Print(self.document).figures(plain(abs(figure))):
            place = placed(spec.name, words)
            said = figure_of(self.basis.reading(spec, place).value, spec.kind)
            if given.isdisjoint(words) and said == figure:
                found = place
        return found


def _figure(answer: Answer) -> Decimal:
    """Return the figure given for a field; nought where there is none."""
    if not isinstance(answer, FieldValue):
        return Decimal(0)
    return figure_of(answer.value, Kind(answer.kind)) or Decimal(0)


def _doubted(answers: Mapping[str, Answer], name: str) -> Decimal | None:
    """Return the figure given for a field if it is in doubt, a cent for none; else None."""
    given = answers.get(name)
    if isinstance(given, FieldValue) and not given.needs_review:
        return None
    return _figure(given) or _CENT


def _cells(groups: Groups) -> frozenset[int]:
    """Return the words of all cells of rows."""
    rows = (row for of_group in groups.values() for row in of_group)
    return frozenset(index for row in rows for cell in row.values() if cell for index in cell.words)
