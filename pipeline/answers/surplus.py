"""Rows that are none: sums that stand among the rows, and rows that sums hold without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from pipeline.answers.checks import Check, Groups, Row, figure_of, outcomes
from pipeline.answers.products import products, unproven
from pipeline.answers.rendering import Answer
from pipeline.result import FieldValue
from pipeline.values.schema import Kind

_FEWEST = 2  # rows whose amounts make a sum that one of them does not make by itself
_FIGURES = (Kind.AMOUNT, Kind.NUMBER)


def surplus(
    group: str, checks: Sequence[Check], answers: Mapping[str, Answer], groups: Groups
) -> set[int]:
    """Return the rows of a group that are none.

    Those are, if no sum that holds is broken without them: rows that repeat the sum of the rows
    above, such as a carried-over one; and beside those, where a sum that fails holds without them,
    the rows that say one figure of the document alone, or those whose figures do not make their
    product, or both, or all that no product speaks for. Of other subsets one adds up by chance.

    Args:
        group: its name.
        checks: of the model.
        answers: by field, as they are given now.
        groups: rows, as they are given now.
    """
    rows = groups[group]
    summed = {
        (check.name, term.name.removeprefix(f"{group}."))
        for check in checks
        for rule in check.rules
        for term in rule.terms
        if term.summed and term.name.startswith(f"{group}.")
    }
    before = outcomes(checks, answers, groups)

    def after(gone: set[int]) -> dict[str, bool]:
        kept = [row for at, row in enumerate(rows) if at not in gone]
        return outcomes(checks, answers, {**groups, group: kept})

    def breaks(gone: set[int]) -> bool:
        now = after(gone)
        return any(ok and not now.get(name) for name, ok in before.items())

    def mends(gone: set[int]) -> bool:
        now = after(gone)
        return any(now.get(name) and before.get(name) is False for name, _ in summed)

    columns = {column for _, column in summed}
    sums = {at for column in columns for at in _repeated(rows, column)}
    sums = set() if breaks(sums) else sums
    doubtful = {number for number, _ in unproven(rows, checks, group)}
    said = {figure for value in answers.values() if (figure := _amount(value)) is not None}
    totals = {
        at
        for column in columns
        for at in doubtful
        if _is_alone(rows[at], column) and _amount(rows[at].get(column)) in said
    }
    whole = {
        at
        for names in products(checks, group)
        for at in doubtful
        if all(rows[at].get(name) for name in names)
    }
    for more in (totals, whole, totals | whole, doubtful):
        if mends(sums | more) and not breaks(sums | more):
            return sums | more
    return sums


def _repeated(rows: Sequence[Row], column: str) -> set[int]:
    """Return the rows whose one figure is the sum of all above, or of those since the last sum."""
    found = set[int]()
    every: list[Decimal] = []
    since: list[Decimal] = []
    for at, row in enumerate(rows):
        figure = _amount(row.get(column))
        if figure is None:
            continue
        sums = [sum(part) for part in (every, since) if len(part) >= _FEWEST]
        if figure in sums and _is_alone(row, column):
            found.add(at)
            since = []
        else:
            every.append(figure)
            since.append(figure)
    return found


def _is_alone(row: Row, column: str) -> bool:
    """Return whether a row has no figure but that of a column; per cents are of anything."""
    return not any(
        cell is not None and Kind(cell.kind) in _FIGURES
        for name, cell in row.items()
        if name != column
    )


def _amount(value: Answer | FieldValue | None) -> Decimal | None:
    if not isinstance(value, FieldValue) or Kind(value.kind) is not Kind.AMOUNT:
        return None
    return figure_of(value.value, Kind.AMOUNT)
