"""Ranked values as the answer shows them: text, confidence, place, and whether to review them."""

from __future__ import annotations

from collections.abc import Sequence

from models.geometry import union
from pipeline.answers.calibration import Calibration, raw_confidence
from pipeline.answers.evidence import Evidence
from pipeline.answers.mentions import Mention
from pipeline.answers.ranking import Value
from pipeline.result import Candidate, FieldValue, Normalisation
from pipeline.values.normalise import normalise
from pipeline.values.schema import FieldSpec
from pipeline.values.surface import styled_value

Answer = FieldValue | list[FieldValue] | None

_MOST_CANDIDATES = 5  # as many as a reviewer takes in at a glance
_DIGITS = 4  # of a confidence


def answer_for(
    spec: FieldSpec, values: Sequence[Value], evidence: Evidence, calibration: Calibration
) -> Answer:
    """Return what the answer says of a field.

    Values below the field's answer threshold, learnt on documents that have it and that have it
    not, are not given: the field is then null, or its list is shorter.

    Args:
        spec: the field.
        values: all that the document offers, the most credible first.
        evidence: the document as tagged.
        calibration: of the model.
    """
    least = calibration.of(spec.name).answer_threshold
    rendered = [_rendered(value, values, spec, evidence, calibration) for value in values]
    if spec.many:
        given = [value for value in rendered if value.confidence >= least]
        return sorted(given, key=lambda value: value.words[0])
    if not rendered or rendered[0].confidence < least:
        return None
    left = 1.0 - rendered[0].confidence  # one value is right: the others share the rest
    others = [_candidate(value, left) for value in rendered[1 : 1 + _MOST_CANDIDATES]]
    return rendered[0].model_copy(update={"candidates": others})


def cell_for(
    spec: FieldSpec, mention: Mention, evidence: Evidence, calibration: Calibration
) -> FieldValue | None:
    """Return what the answer says of one cell of a row; None below its answer threshold.

    Args:
        spec: the column.
        mention: the place that says it.
        evidence: the document as tagged.
        calibration: of the model.
    """
    normalised = normalise(evidence.text(mention), spec, evidence.context)
    value = Value(mention, normalised, mention.score, mention.score, (mention,))
    given = _rendered(value, [value], spec, evidence, calibration)
    return given if given.confidence >= calibration.of(spec.name).answer_threshold else None


def _rendered(
    value: Value,
    values: Sequence[Value],
    spec: FieldSpec,
    evidence: Evidence,
    calibration: Calibration,
) -> FieldValue:
    normalised = value.normalised
    covered = [evidence.words[index] for index in value.best.words]
    page = covered[0][0]
    tuned = calibration.of(spec.name)
    reading = min(token.confidence for _, token in covered)
    if spec.many:  # each stands for itself, by all places that say it
        raw = raw_confidence(value.at_least_one, 1.0, 1.0, reading)
    else:
        of_all = sum(other.total for other in values)
        raw = raw_confidence(value.best.score, value.total, of_all, reading)
    # What lies beyond depends on which documents a batch held: sums in another order.
    confidence = round(tuned.probability(raw), _DIGITS)
    style = calibration.styles.get(spec.name, {})
    return FieldValue(
        kind=spec.kind.value,
        text=normalised.text,
        value=styled_value(normalised.value, evidence.text(value.best), spec.kind, style),
        confidence=confidence,
        page=page.number,
        # A span that runs over a page's end shows its part on the first page.
        box=union(token.box for at, token in covered if at is page).as_list(),
        words=value.best.words,
        normalisation=Normalisation(
            status=normalised.status,
            reason=normalised.reason,
            alternatives=list(normalised.alternatives),
            precision=normalised.precision,
        ),
        needs_review=confidence < tuned.review_threshold or normalised.status != "ok",
    )


def _candidate(value: FieldValue, most: float) -> Candidate:
    return Candidate(
        text=value.text,
        value=value.value,
        confidence=round(min(value.confidence, most), _DIGITS),
        page=value.page,
        box=value.box,
    )
