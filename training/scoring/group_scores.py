"""How many rows of repeated groups are right, and which of their cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

from pipeline.answers.resolve import Groups
from pipeline.result import FieldValue
from pipeline.values.schema import LONG, FieldSpec, Kind
from training.data import Corpus
from training.scoring.confidence import Judged, judged_of
from training.scoring.scores import Counts, form_of

Row = Mapping[str, str]
_FIGURES = (Kind.AMOUNT, Kind.NUMBER)


@dataclass(frozen=True, slots=True)
class GroupScores:
    """What is right of the repeated groups of some documents.

    Attributes:
        rows: counts of each group's rows, see `count_rows`.
        cells: of each column, the cells given, and whether each is right, see `cells_right`.
    """

    rows: Mapping[str, Counts] = field(default_factory=dict)
    cells: Mapping[str, Judged] = field(default_factory=dict)


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


def cells_right(
    predicted: Sequence[Row], labelled: Sequence[Row], columns: Sequence[FieldSpec]
) -> list[dict[str, bool]]:
    """Return for every predicted row which of its cells say what the row it is matched to says.

    As with fields, a cell that the labels have not is wrong; so is all of a row matched to none.
    """
    found = [dict.fromkeys(row, False) for row in predicted]
    for i, j in matched(predicted, labelled, columns):
        for spec in columns:
            if spec.column in predicted[i]:
                found[i][spec.column] = spec.column in labelled[j] and equal(
                    predicted[i], labelled[j], spec
                )
    return found


def row_texts(rows: Sequence[Mapping[str, FieldValue | None]]) -> list[dict[str, str]]:
    """Return rows of an answer as rows of texts: cells by value, see `value_text`."""
    return [{name: value_text(cell) for name, cell in row.items() if cell} for row in rows]


def value_text(value: FieldValue) -> str:
    """Return a value as labels write it: amounts as decimals, dates as ISO 8601."""
    if isinstance(value.value, Mapping):
        return str(value.value.get("amount") or value.value.get("formatted") or value.text)
    return value.text if value.value is None else str(value.value)


def score_rows(corpus: Corpus, ids: Iterable[str], given: Mapping[str, Groups]) -> GroupScores:
    """Return what is right of the rows over some documents of a corpus.

    Args:
        corpus: with its labels; unread documents count as if nothing were found.
        ids: of the documents.
        given: the rows of each document's answer.
    """
    wanted = set(ids)
    counts: dict[str, Counts] = {}
    cells: dict[str, list[tuple[float, bool, bool]]] = {}
    groups = list(dict.fromkeys(spec.group for spec in corpus.fields if spec.group))
    for row in corpus.rows if groups else ():
        if row.id not in wanted:
            continue
        for group in groups:
            columns = [spec for spec in corpus.fields if spec.group == group]
            said, labelled = given.get(row.id, {}).get(group, []), row.groups.get(group, ())
            texts = row_texts(said)
            counts[group] = counts.get(group, Counts()) + count_rows(texts, labelled, columns)
            for values, right in zip(said, cells_right(texts, labelled, columns), strict=True):
                for spec in columns:
                    if value := values[spec.column]:
                        judged = (value.confidence, right[spec.column], value.needs_review)
                        cells.setdefault(spec.name, []).append(judged)
    return GroupScores(counts, {name: judged_of(found) for name, found in cells.items()})


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
    given, wanted = (
        [{spec.column: _form(row[spec.column], spec) for spec in columns if spec.column in row}
         for row in rows]
        for rows in (predicted, labelled)
    )  # fmt: skip
    for i, row in enumerate(given):
        for j, label in enumerate(wanted):
            same = sum(row.get(column) == form for column, form in label.items())
            gain[i, j] = same - abs(i - j) / (1e3 * max(gain.shape))
    pairs = zip(*linear_sum_assignment(-gain), strict=True)
    return [(int(i), int(j)) for i, j in pairs]


def _form(text: str, spec: FieldSpec) -> str:
    return form_of(text, spec, "lenient" if spec.kind in LONG else "normalised")
