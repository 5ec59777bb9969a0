"""How many rows of repeated groups are right, and which of their cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

from pipeline.answers.resolve import Groups
from pipeline.result import FieldValue
from pipeline.values.context import DocumentContext
from pipeline.values.schema import LONG, FieldSpec, Kind
from training.data import Corpus
from training.scoring.confidence import Judged, judged_of
from training.scoring.scores import Counts, Metric, form_of, forms_of
from training.scoring.written import NOTHING, Written, value_text

Row = Mapping[str, str]
_FIGURES = (Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT)


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
    predicted: Sequence[Row],
    labelled: Sequence[Row],
    columns: Sequence[FieldSpec],
    context: DocumentContext = NOTHING,
) -> Counts:
    """Return the counts of one group's rows in one document.

    Rows are matched one to one by the assignment with most equal cells, in order where equal. A row
    is right where it has every amount, number and per cent that the label's row has; where that has
    none, all that it has.

    Args:
        predicted: rows of texts by column.
        labelled: rows as labelled.
        columns: of the group.
        context: what the document shows, see `training.scoring.scores.score`.
    """
    right = sum(
        all(
            equal(predicted[i], labelled[j], spec, context)
            for spec in _telling(labelled[j], columns)
        )
        for i, j in matched(predicted, labelled, columns, context)
    )
    return Counts(right, len(predicted) - right, len(labelled) - right)


def _telling(labelled: Row, columns: Sequence[FieldSpec]) -> list[FieldSpec]:
    """Return the columns that a row is right by: figures, or all where its label has none."""
    said = [spec for spec in columns if spec.column in labelled]
    return [spec for spec in said if spec.kind in _FIGURES] or said


def cells_right(
    predicted: Sequence[Row],
    labelled: Sequence[Row],
    columns: Sequence[FieldSpec],
    context: DocumentContext = NOTHING,
) -> list[dict[str, bool]]:
    """Return for every predicted row which of its cells say what the row it is matched to says.

    As with fields, a cell that the labels have not is wrong; so is all of a row matched to none.
    """
    found = [dict.fromkeys(row, False) for row in predicted]
    for i, j in matched(predicted, labelled, columns, context):
        for spec in columns:
            if spec.column in predicted[i]:
                found[i][spec.column] = spec.column in labelled[j] and equal(
                    predicted[i], labelled[j], spec, context
                )
    return found


def row_texts(rows: Sequence[Mapping[str, FieldValue | None]]) -> list[dict[str, Written]]:
    """Return rows of an answer as rows of texts: cells by value, see `value_text`."""
    return [{name: value_text(cell) for name, cell in row.items() if cell} for row in rows]


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
    contexts = corpus.contexts(wanted) if groups else {}
    for row in corpus.rows if groups else ():
        if row.id not in wanted:
            continue
        for group in groups:
            columns = [spec for spec in corpus.fields if spec.group == group]
            said, labelled = given.get(row.id, {}).get(group, []), row.groups.get(group, ())
            texts = row_texts(said)
            context = contexts.get(row.id, NOTHING)
            of_rows = count_rows(texts, labelled, columns, context)
            counts[group] = counts.get(group, Counts()) + of_rows
            cells_of = cells_right(texts, labelled, columns, context)
            for values, right in zip(said, cells_of, strict=True):
                for spec in columns:
                    if value := values[spec.column]:
                        judged = (value.confidence, right[spec.column], value.needs_review)
                        cells.setdefault(spec.name, []).append(judged)
    return GroupScores(counts, {name: judged_of(found) for name, found in cells.items()})


def equal(
    predicted: Row, labelled: Row, spec: FieldSpec, context: DocumentContext = NOTHING
) -> bool:
    """Return whether a row says what the label's row says in a column, if that says anything."""
    if spec.column not in labelled:
        return True
    given, metric = predicted.get(spec.column), _metric(spec)
    return given is not None and form_of(given, spec, metric) in forms_of(
        [labelled[spec.column]], spec, metric, [given], context
    )


def matched(
    predicted: Sequence[Row],
    labelled: Sequence[Row],
    columns: Sequence[FieldSpec],
    context: DocumentContext = NOTHING,
) -> list[tuple[int, int]]:
    """Return pairs of rows, predicted and labelled, by the assignment with most equal cells."""
    if not predicted or not labelled:
        return []
    gain = np.zeros((len(predicted), len(labelled)))
    for spec in columns:
        said = [row.get(spec.column) for row in predicted]
        texts, metric = [text for text in said if text is not None], _metric(spec)
        given = [None if text is None else form_of(text, spec, metric) for text in said]
        for j, label in enumerate(labelled):
            if spec.column in label:
                wanted = forms_of([label[spec.column]], spec, metric, texts, context)
                gain[:, j] += [form in wanted for form in given]
    rows, labels = np.indices(gain.shape)
    gain -= np.abs(rows - labels) / (1e3 * max(gain.shape))
    pairs = zip(*linear_sum_assignment(-gain), strict=True)
    return [(int(i), int(j)) for i, j in pairs]


def _metric(spec: FieldSpec) -> Metric:
    return "lenient" if spec.kind in LONG else "normalised"
