"""How many rows of repeated groups are right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

from pipeline.values.normalise import key_of
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.strings import lenient
from training.scoring.scores import Counts

Row = Mapping[str, str]
_FIGURES = (Kind.AMOUNT, Kind.NUMBER)


def count_rows(
    predicted: Sequence[Row], labelled: Sequence[Row], columns: Sequence[FieldSpec]
) -> Counts:
    """Return the counts of one group's rows in one document.

    Rows are matched one to one by the assignment with most equal cells, in order where equal. A row
    is right where it has every amount and number that the label's row has.

    Args:
        predicted: rows of texts by column.
        labelled: rows as labelled.
        columns: of the group.
    """
    right = sum(
        all(equal(predicted[i], labelled[j], spec) for spec in columns if spec.kind in _FIGURES)
        for i, j in matched(predicted, labelled, columns)
    )
    return Counts(right, len(predicted) - right, len(labelled) - right)


def equal(predicted: Row, labelled: Row, spec: FieldSpec) -> bool:
    """Return whether a row says what the label's row says in a column, if that says anything."""
    if spec.column not in labelled:
        return True
    given = predicted.get(spec.column)
    return given is not None and _form(given, spec) == _form(labelled[spec.column], spec)


def matched(
    predicted: Sequence[Row], labelled: Sequence[Row], columns: Sequence[FieldSpec]
) -> list[tuple[int, int]]:
    """Return pairs of rows, predicted and labelled, by the assignment with most equal cells."""
    if not predicted or not labelled:
        return []
    gain = np.zeros((len(predicted), len(labelled)))
    for i, row in enumerate(predicted):
        for j, wanted in enumerate(labelled):
            same = sum(spec.column in wanted and equal(row, wanted, spec) for spec in columns)
            gain[i, j] = same - abs(i - j) / (1e3 * max(gain.shape))
    pairs = zip(*linear_sum_assignment(-gain), strict=True)
    return [(int(i), int(j)) for i, j in pairs]


def _form(text: str, spec: FieldSpec) -> str:
    return (
        key_of(text, spec) if spec.kind in _FIGURES or spec.kind is Kind.PERCENT else lenient(text)
    )
