"""Rows that are none: sums that stand among the rows, and rows that sums hold without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from pipeline.answers.arithmetic.checks import Check, Groups, Row, figure_of, outcomes
from pipeline.answers.rows.products import products, summed, unproven
from pipeline.result import Answer, FieldValue
from pipeline.values.schema import Kind

_FEWEST = 2  # rows whose amounts make a sum that one of them does not make by itself
_FIGURES = (Kind.AMOUNT, Kind.NUMBER)


def surplus(
    group: str, checks: Sequence[Check], answers: Mapping[str, Answer], groups: Groups
) -> set[int]:
    """Return the rows of a group that are none.

    Those are, if no sum that holds is broken without them, rows that repeat the sum of the rows
    above, such as a carried-over one; and beside those, where a sum that fails holds without them,
    the rows that say one figure of the document alone, or those whose figures do not make their
    product, or both, or all that no product speaks for. Of other subsets one adds up by chance.
    """
    rows = groups[group]
    sums_of = set(summed(group, checks))
    before = outcomes(checks, answers, groups)

    def effect(gone: set[int]) -> tuple[bool, bool]:
        """Whether a sum holds without some rows that fails with them; whether a check breaks."""
        kept = [row for at, row in enumerate(rows) if at not in gone]
        after = outcomes(checks, answers, {**groups, group: kept})
        return (
            any(after.get(name) and before.get(name) is False for _, name in sums_of),
            any(ok and not after.get(name) for name, ok in before.items()),
        )

    columns = {column for column, _ in sums_of}
    sums = {at for column in columns for at in _repeated(rows, column)}
    if sums and effect(sums)[1]:
        sums = set()
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
        if more and effect(sums | more) == (True, False):
            return sums | more
    return sums


def _repeated(rows: Sequence[Row], column: str) -> set[int]:
    """Return the rows whose one figure is the sum of all above, or of those since the last sum.

    Nothing is no sum: free positions stand below one another.
    """
    found = set[int]()
    every = since = Decimal(0)
    rows_of_all = rows_since = 0
    for at, row in enumerate(rows):
        figure = _amount(row.get(column))
        if figure is None:
            continue
        is_sum = (rows_of_all >= _FEWEST and figure == every) or (
            rows_since >= _FEWEST and figure == since
        )
        if figure and is_sum and _is_alone(row, column):
            found.add(at)
            since, rows_since = Decimal(0), 0
        else:
            every, rows_of_all = every + figure, rows_of_all + 1
            since, rows_since = since + figure, rows_since + 1
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
