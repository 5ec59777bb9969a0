"""How many rows of repeated groups are right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

from models.labels import Span
from pipeline.answers.calibration import Calibration
from pipeline.answers.checks import Check
from pipeline.answers.resolve import resolve_groups
from pipeline.result import FieldValue
from pipeline.values.normalise import key_of
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.strings import lenient
from training.data import Corpus
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


def row_texts(rows: Sequence[Mapping[str, FieldValue | None]]) -> list[dict[str, str]]:
    """Return rows of an answer as rows of texts: cells by value, see `value_text`."""
    return [{name: value_text(cell) for name, cell in row.items() if cell} for row in rows]


def value_text(value: FieldValue) -> str:
    """Return a value as labels write it: amounts as decimals, dates as ISO 8601."""
    if isinstance(value.value, Mapping):
        return str(value.value.get("amount") or value.value.get("formatted") or value.text)
    return value.text if value.value is None else str(value.value)


def score_rows(
    corpus: Corpus,
    ids: Iterable[str],
    spans: Mapping[str, Sequence[Span]],
    calibration: Calibration,
    checks: Sequence[Check] = (),
) -> dict[str, Counts]:
    """Return the counts of the rows of each group over some documents of a corpus.

    Args:
        corpus: with its labels; unread documents count as if nothing were found.
        ids: of the documents.
        spans: that a tagger labels in each.
        calibration: of its model.
        checks: of its model, whose products choose figures.
    """
    wanted = set(ids)
    found: dict[str, Counts] = {}
    for row in corpus.rows:
        if row.id not in wanted:
            continue
        document = corpus.documents.get(row.id)
        given = (
            resolve_groups(document, spans[row.id], corpus.fields, calibration, checks)
            if document
            else {}
        )
        for group in dict.fromkeys(spec.group for spec in corpus.fields if spec.group):
            columns = [spec for spec in corpus.fields if spec.group == group]
            rows = row_texts(given.get(group, []))
            counts = count_rows(rows, row.groups.get(group, ()), columns)
            found[group] = found.get(group, Counts()) + counts
    return found


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
