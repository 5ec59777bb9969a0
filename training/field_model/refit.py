"""Confidences of a trained model fitted anew, on documents that it, or its folds, had not seen."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from models.labels import Span
from models.packages.manifest import CALIBRATION, FIELDS
from models.packages.package import training_of
from pipeline.answers.arithmetic.checks import Check, parse_checks
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration
from pipeline.answers.confidence.signs import Habit
from pipeline.document import Document
from pipeline.errors import ModelPackageError
from pipeline.profile import Profile, load_profile
from pipeline.reading.reader import REVISION
from pipeline.values.schema import FieldSpec, parse_fields
from training.data import Dataset, build_corpus
from training.data.fields import unlabelled_fields
from training.data.seen import seen_before
from training.data.split import group_by_issuer
from training.errors import DatasetError
from training.field_model.judging import habits_of, held_out_cases, held_out_fits, observed
from training.field_model.prepared import Prepared, prepare_also
from training.scoring.calibrate import ACCEPTED_ERROR, Given, fit, nested, through
from training.scoring.cases import Cases, cases_of, joined
from training.scoring.held_out import HeldOut

OnRow = Callable[[int, int], None]
"""Called with the number of documents read, and to be read."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a package knows of its fields, its weights aside.

    Attributes:
        fields, checks: of its fields.toml.
        calibration: as it is.
        profile: of the documents that are its own, where it has one.
        training: what it says of its training.
    """

    fields: tuple[FieldSpec, ...]
    checks: tuple[Check, ...]
    calibration: Calibration
    profile: Profile | None
    training: Mapping[str, Any]

    @classmethod
    def load(cls, package: Path) -> Self:
        """Return what the package in a folder knows.

        Raises:
            ModelPackageError: a file is missing or damaged.
        """
        try:
            text = (package / FIELDS).read_text(encoding="utf-8")
            old = json.loads((package / CALIBRATION).read_text(encoding="utf-8"))
            fields = parse_fields(text)
            checks = tuple(parse_checks(text, fields))
            profile, training = load_profile(package), training_of(package)
            return cls(fields, checks, Calibration.from_json(old), profile, training)
        except (OSError, ValueError) as fault:
            raise ModelPackageError(f"The package {package} cannot be used: {fault}.") from fault

    @property
    def expected(self) -> tuple[str, ...]:
        """Fields that all documents of the model have."""
        return self.profile.expected if self.profile else ()

    @property
    def habits(self) -> dict[str, Habit]:
        """What values of each field look like."""
        found = {name: one.habit for name, one in self.calibration.fields.items()}
        return {name: habit for name, habit in found.items() if habit is not None}


@dataclass(frozen=True, slots=True)
class Folds:
    """What the folds of a training found in documents that they had not seen.

    Attributes:
        dataset: that they were of.
        held_out: what they found.
        also: datasets that were trained on besides.
    """

    dataset: Dataset
    held_out: HeldOut
    also: Sequence[Dataset] = ()


def refit(
    known: Known,
    folds: Folds | None,
    unseen: Sequence[Dataset] = (),
    *,
    tag: Callable[[Document], Sequence[Span]],
    error: float = ACCEPTED_ERROR,
    cache: Path,
    on_row: OnRow | None = None,
) -> tuple[Calibration, list[Given]]:
    """Return a calibration, and what it says of each document, fitted on others.

    Fields of which no answer could be judged keep what they had.

    Args:
        known: what the model knows.
        folds: of its training, where they are to count.
        unseen: datasets that the model has not learnt from; they are read as the service would.
        tag: labels the words of these.
        error: share of the values that are not marked which may be wrong.
        cache: folder of earlier readings.
        on_row: see `OnRow`.

    Raises:
        DatasetError: there is nothing to fit on, the model did learn from a document, or the folds
            are of another dataset, or of documents that are read otherwise now.
    """
    found: list[Cases] = []
    sources: list[str] = []
    habits, doubtful, count = known.habits, known.calibration.doubtful, 1
    if folds is not None:
        cases, habits = _of_folds(known, folds, cache, on_row)
        count, documents = len(folds.held_out.folds), len(folds.held_out.fold_of())
        found.append(cases)
        doubtful = folds.held_out.doubtful
        sources.append(
            f"{documents} documents in {count} fold{'s' if count != 1 else ''}, each answered by a "
            "model that had not seen it"
        )
    for dataset in unseen:
        cases, documents = _of_unseen(known, dataset, habits, count, tag, cache, on_row)
        found.append(cases)
        sources.append(f"{documents} documents of {dataset.name}, which it had not learnt from")
    every = joined(found)
    if not every.found:
        raise DatasetError(
            "Nothing was answered that confidences could be fitted on.",
            advice="Name documents with labels: --held-out of a training, or --unseen.",
        )
    judged = {case.field for case in every.found}
    kept = [name for name in known.calibration.fields if name not in judged]
    if kept:
        sources.append(f"confidences of {', '.join(kept)} as they were")
    calibration = fit(
        every,
        known.fields,
        styles=known.calibration.styles,
        source=", and ".join(sources),
        doubtful=doubtful,
        habits=habits,
        error=error,
    )
    given = nested(every, known.fields, error=error)
    old = known.calibration
    return replace(
        calibration,
        fields=calibration.fields | {name: old.fields[name] for name in kept},
        through=through(given, known.fields)
        | {name: old.through[name] for name in kept if name in old.through},
    ), given


def _of_folds(
    known: Known, folds: Folds, cache: Path, on_row: OnRow | None
) -> tuple[Cases, dict[str, Habit]]:
    """Return what the folds answered, and what values look like in all that was trained on."""
    dataset, held_out, fields = folds.dataset, folds.held_out, known.fields
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
        prepare_also(folds.also, fields, (), cache=cache, on_row=on_row),
    )
    fits = held_out_fits(prepared, held_out)
    seen = observed(prepared)
    cases = held_out_cases(prepared, held_out, fits, seen, known.checks, known.expected)
    return cases, habits_of(prepared, seen, prepared.train)


def _of_unseen(
    known: Known,
    dataset: Dataset,
    habits: Mapping[str, Habit],
    parts: int,
    tag: Callable[[Document], Sequence[Span]],
    cache: Path,
    on_row: OnRow | None,
) -> tuple[Cases, int]:
    """Return what the model answers to documents, each in one of the parts, and their number.

    Answers of fields that none of the documents has a value of are left out: no label says whether
    they are right.
    """
    unlabelled = set(unlabelled_fields(dataset, known.fields, "the model"))
    if learnt := seen_before(known.training, dataset.rows):
        raise DatasetError(
            f"The model has learnt from {len(learnt)} of the {len(dataset.rows)} documents of "
            f"{dataset.name}, and is surer of them than of others.",
            advice=f"Remove these from that dataset, or name another: {', '.join(learnt)}.",
        )
    corpus = build_corpus(dataset, known.fields, "own", cache=cache, on_row=on_row)
    plain = Calibration({name: FieldCalibration(habit=habit) for name, habit in habits.items()})
    fits: dict[str, float] = {}
    for name, document in corpus.documents.items():
        fitting = known.profile.fit(document) if known.profile else None
        if fitting is not None:
            fits[name] = fitting
    rows = {row.id: row for row in dataset.rows}
    found = []
    for part in range(parts):
        own = [name for name in corpus.documents if zlib.crc32(name.encode()) % parts == part]
        found.append(
            cases_of(
                corpus.documents,
                {name: tag(corpus.documents[name]) for name in own},
                {name: rows[name] for name in own},
                known.fields,
                plain,
                reading=dataset.name,
                part=part,
                fits=fits,
                checks=known.checks,
                expected=known.expected,
            )
        )
    answers = joined(found)
    judged = tuple(case for case in answers.found if case.field not in unlabelled)
    return replace(answers, found=judged), len(corpus.documents)


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
