"""Answers to documents held out, each with its signs and whether it is right: what is fitted on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from models.labels import Span
from pipeline.answers.arithmetic.checks import Check
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.rendering import Offer
from pipeline.answers.resolve import Resolved, resolve_all
from pipeline.answers.rows.products import unproven
from pipeline.document import Document
from pipeline.upright import upright
from pipeline.values.schema import FieldSpec, column_key
from pipeline.values.texts.surface import as_labelled
from training.data.dataset import Row
from training.scoring.group_scores import cells_right, row_texts
from training.scoring.scores import form_of, forms_of
from training.scoring.written import Written


@dataclass(frozen=True, slots=True)
class Case:
    """One value that would be answered, were every value answered.

    Attributes:
        field: its name.
        document: id of the document.
        reading: transcription that it was read from.
        part: of the documents, its fold; what is fitted on the others is scored on it.
        score: raw, see `pipeline.answers.confidence.calibration.raw_confidence`.
        signs: by name, see `pipeline.answers.confidence.signs`.
        right: whether a label says the same by value; of a cell, that of its row.
        plain: whether its text has a sure reading, and a product speaks for its row where the model
            has rules of them; values without are marked whatever their confidence.
        sound: whether its text is a value of the field's kind at all.
        others: values that the document offers besides, less credible by their scores.
    """

    field: str
    document: str
    reading: str
    part: int
    score: float
    signs: Mapping[str, float]
    right: bool
    plain: bool
    sound: bool = True
    others: tuple[Case, ...] = ()


@dataclass(frozen=True, slots=True)
class Cases:
    """All values of a model's answers to documents held out.

    Attributes:
        found: the values.
        labelled: different values that the labels have, by part; those that were not found too.
    """

    found: tuple[Case, ...]
    labelled: Mapping[int, int]

    def of(self, parts: Sequence[int]) -> Cases:
        """Return those of some parts."""
        wanted = set(parts)
        return Cases(
            tuple(case for case in self.found if case.part in wanted),
            {part: count for part, count in self.labelled.items() if part in wanted},
        )


def joined(several: Sequence[Cases]) -> Cases:
    """Return the cases of several transcriptions, or folds, as one."""
    labelled: dict[int, int] = {}
    for cases in several:
        for part, count in cases.labelled.items():
            labelled[part] = labelled.get(part, 0) + count
    return Cases(tuple(case for cases in several for case in cases.found), labelled)


def cases_of(
    documents: Mapping[str, Document],
    spans: Mapping[str, Sequence[Span]],
    labels: Mapping[str, Row],
    fields: Sequence[FieldSpec],
    calibration: Calibration,
    *,
    reading: str,
    part: int,
    fits: Mapping[str, float] | None = None,
    checks: Sequence[Check] = (),
    expected: Collection[str] = (),
) -> Cases:
    """Return the values that spans spell: fields' first ones, all of fields with many, all cells.

    Args:
        documents: by id.
        spans: that a model which had not seen them found.
        labels: of the same documents.
        fields: of the model.
        calibration: whose habits are learnt from other documents; it gives every value.
        reading: transcription that the documents were read from.
        part: of the documents, their fold.
        fits: of documents, where the model can tell.
        checks: of the model.
        expected: fields that all documents of the model have.
    """
    found: list[Case] = []
    labelled = 0
    for name, of_document in spans.items():
        document, fit = upright(documents[name]), (fits or {}).get(name)
        resolved = resolve_all(document, of_document, fields, calibration, checks, fit, expected)
        case = partial(_case, name, reading, part)
        choices = _fields(resolved, fields, labels[name], case)
        choices += _cells(resolved, fields, labels[name], checks, case)
        labelled += _labelled(fields, labels[name])
        found += [replace(first, others=tuple(others)) for first, *others in choices]
    return Cases(tuple(found), {part: labelled})


_Maker = Callable[[FieldSpec, Offer, bool, bool], Case]
"""Takes a value, whether it is right, and whether nothing but its text can be in doubt."""
_Choices = list[list[Case]]
"""Values of which the first is given, where no ranking is known that puts another one first."""


def _case(
    document: str, reading: str, part: int, spec: FieldSpec, offer: Offer, right: bool, proven: bool
) -> Case:
    status = offer.value.normalised.status
    return Case(
        spec.name,
        document,
        reading,
        part,
        offer.score,
        offer.signs,
        right,
        proven and status == "ok",
        status != "failed",
    )


def _fields(resolved: Resolved, fields: Sequence[FieldSpec], labels: Row, case: _Maker) -> _Choices:
    found: _Choices = []
    for spec in fields:
        if spec.group:
            continue
        offers = resolved.offers[spec.name]
        texts = [_written(offer, spec) for offer in offers]
        typed, context = labels.fields.get(spec.name, ()), resolved.evidence.context
        wanted = forms_of(typed, spec, "normalised", texts, context)
        judged = [
            case(spec, offer, form_of(text, spec, "normalised") in wanted, True)
            for offer, text in zip(offers, texts, strict=True)
        ]
        # Each of many values stands for itself, and one that sums decided on has no rivals.
        alone = spec.many or any(offer.why for offer in offers[:1])
        kept = judged if spec.many else judged[:1]
        found += [[one] for one in kept] if alone else [judged] if judged else []
    return found


def _written(offer: Offer, spec: FieldSpec) -> Written:
    said = offer.value.normalised
    return Written(as_labelled(said.text, said.value, spec.kind, {}), said.value, said.text, spec)


def _cells(
    resolved: Resolved,
    fields: Sequence[FieldSpec],
    labels: Row,
    checks: Sequence[Check],
    case: _Maker,
) -> _Choices:
    found: _Choices = []
    for group, rows in resolved.rows.items():
        columns = [spec for spec in fields if spec.group == group]
        texts = row_texts(resolved.groups[group])
        right = cells_right(texts, labels.groups.get(group, ()), columns, resolved.evidence.context)
        alone = unproven(resolved.groups[group], checks, group, resolved.checks)
        for number, (offers, of_row) in enumerate(zip(rows, right, strict=True)):
            found += [
                [case(spec, offers[name], of_row[name], (number, name) not in alone)]
                for spec in columns
                if (name := spec.column) in of_row
            ]
    return found


def _labelled(fields: Sequence[FieldSpec], labels: Row) -> int:
    """Return how many different values of fields, and cells of rows, the labels have."""
    columns = {spec.name for spec in fields if spec.group}
    forms = {
        (spec.name, form_of(label, spec, "normalised"))
        for spec in fields
        if not spec.group
        for label in labels.fields.get(spec.name, ())
    }
    return len(forms) + sum(
        column_key(group, column) in columns
        for group, rows in labels.groups.items()
        for row in rows
        for column in row
    )
