"""Answers to documents held out, each with its signs and whether it is right: what is fitted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.labels import Span
from pipeline.answers.calibration import Calibration
from pipeline.answers.checks import Check
from pipeline.answers.evidence import Evidence
from pipeline.answers.resolve import offered, resolve_all
from pipeline.document import Document
from pipeline.values.schema import FieldSpec
from pipeline.values.surface import as_labelled
from training.scoring.scores import Values, form_of


@dataclass(frozen=True, slots=True)
class Case:
    """One value that would be answered, were every value answered.

    Attributes:
        field: its name.
        document: id of the document.
        reading: transcription that it was read from.
        part: of the documents, its fold; what is fitted on the others is scored on it.
        score: raw, see `pipeline.answers.calibration.raw_confidence`.
        signs: by name, see `pipeline.answers.signs`.
        right: whether a label says the same by value.
        plain: whether its text has a sure reading; values without one are marked whatever their
            confidence.
    """

    field: str
    document: str
    reading: str
    part: int
    score: float
    signs: Mapping[str, float]
    right: bool
    plain: bool


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
    labels: Mapping[str, Values],
    fields: Sequence[FieldSpec],
    calibration: Calibration,
    *,
    reading: str,
    part: int,
    fits: Mapping[str, float] | None = None,
    checks: Sequence[Check] = (),
) -> Cases:
    """Return the values that spans spell, every field's first one and all of fields with many.

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
    """
    found: list[Case] = []
    labelled = 0
    for name, of_document in spans.items():
        document, fit = documents[name], (fits or {}).get(name)
        offers = resolve_all(document, of_document, fields, calibration, checks, fit).offers
        columns = [spec for spec in fields if spec.group]
        if columns:
            evidence = Evidence.of(document, of_document)
            offers |= offered(columns, evidence, calibration, fit)
        for spec in fields:
            wanted = {
                form_of(label, spec, "normalised") for label in labels[name].get(spec.name, ())
            }
            labelled += len(wanted)
            for offer in offers[spec.name] if spec.many else offers[spec.name][:1]:
                said = offer.value.normalised
                text = as_labelled(said.text, said.value, spec.kind, {})
                right = form_of(text, spec, "normalised") in wanted
                found.append(
                    Case(
                        spec.name,
                        name,
                        reading,
                        part,
                        offer.score,
                        offer.signs,
                        right,
                        said.status == "ok",
                    )
                )
    return Cases(tuple(found), {part: labelled})
