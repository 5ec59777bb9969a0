"""Confidences of a trained model fitted anew, from what its folds found in documents held out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from models.labels import Span
from pipeline.answers.arithmetic.checks import Check
from pipeline.answers.confidence.calibration import Calibration
from pipeline.document import Document
from pipeline.reading.reader import REVISION
from pipeline.values.schema import FieldSpec
from training.data import Dataset, build_corpus
from training.data.split import group_by_issuer
from training.errors import DatasetError
from training.field_model.judging import habits_of, held_out_cases, held_out_fits, observed
from training.field_model.prepared import Prepared
from training.scoring.calibrate import ACCEPTED_ERROR, Given, fit, nested, through
from training.scoring.held_out import HeldOut


def refit(
    dataset: Dataset,
    fields: Sequence[FieldSpec],
    held_out: HeldOut,
    styles: Mapping[str, dict[str, str]],
    *,
    checks: Sequence[Check] = (),
    expected: Collection[str] = (),
    error: float = ACCEPTED_ERROR,
    cache: Path,
    on_row: Callable[[int, int], None] | None = None,
) -> tuple[Calibration, list[Given]]:
    """Return a calibration, and what it says of documents held out, fitted on other folds.

    Args:
        dataset: that the folds were of.
        fields: of the model.
        held_out: what the folds found.
        styles: how labels write the fields, as the model knows it.
        checks: of the model.
        expected: fields that all documents of the model have.
        error: share of the values that are not marked which may be wrong.
        cache: folder of earlier readings.
        on_row: called with the number of documents read, and to be read.

    Raises:
        DatasetError: the file is of another dataset, or of documents that are read otherwise now.
    """
    spans = held_out.spans()
    _check_asked(dataset, held_out)
    corpora = {
        name: build_corpus(dataset, fields, name, cache=cache, on_row=on_row) for name in spans
    }
    for name, of_documents in spans.items():
        _check_words(corpora[name].documents, of_documents)
    prepared = Prepared(
        corpora,
        tuple(row.id for row in dataset.rows),
        tuple(held_out.fold_of()),
        dict(held_out.groups) or group_by_issuer(dataset.rows, fields),
    )
    fits = held_out_fits(prepared, held_out)
    seen = observed(prepared)
    cases = held_out_cases(prepared, held_out, fits, seen, checks, expected)
    folds, documents_held = len(held_out.folds), len(held_out.fold_of())
    calibration = fit(
        cases,
        fields,
        styles=styles,
        source=f"{documents_held} documents in {folds} fold{'s' if folds != 1 else ''}, each "
        "answered by a model that had not seen it",
        doubtful=held_out.doubtful,
        habits=habits_of(prepared, seen, prepared.train),
        error=error,
    )
    given = nested(cases, fields, error=error)
    return replace(calibration, through=through(given, fields)), given


def _check_asked(dataset: Dataset, held_out: HeldOut) -> None:
    """Refuse answers to documents of another dataset, or to words of another reader's revision."""
    spans = held_out.spans()
    if dataset.name != held_out.dataset or not spans:
        raise DatasetError(
            f"The answers are to documents of {held_out.dataset!r}, not of {dataset.name!r}.",
            advice="Name the dataset that was trained on, and the file of that training.",
        )
    if "own" in spans and held_out.revision != REVISION:
        raise DatasetError(
            f"The folds were read by revision {held_out.revision} of the reader, and this is "
            f"{REVISION}: the answers may count other words.",
            advice="Train the folds again.",
        )


def _check_words(documents: Mapping[str, Document], answers: Mapping[str, Sequence[Span]]) -> None:
    """Refuse answers that count words which the documents do not have."""
    for name, spans in answers.items():
        document = documents.get(name)
        words = sum(len(page.tokens) for page in document.pages) if document else -1
        if words < max((span.end for span in spans), default=0):
            raise DatasetError(
                f"Document {name} is read otherwise than when the folds were trained.",
                advice="Train the folds again.",
            )
