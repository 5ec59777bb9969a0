"""Ranked values as the answer shows them: text, confidence, place, and whether to review them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.geometry import union
from pipeline.answers.confidence.calibration import Calibration, FieldCalibration, raw_confidence
from pipeline.answers.confidence.signs import AGREES, Signs, shape_of, signs_of
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.answers.places.ranking import Value, order
from pipeline.result import Candidate, FieldValue, Normalisation
from pipeline.values.normalise import Normalised
from pipeline.values.normalised import ASSUMED
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.names import is_in_full
from pipeline.values.texts.surface import styled_value

Answer = FieldValue | list[FieldValue] | None

_BESIDE_A_BRAND = 0.3  # of the first value's total: what a name in full has at least beside a brand
_MOST_CANDIDATES = 5  # as many as a reviewer takes in at a glance
_DIGITS = 4  # of a confidence
# How often the currency of an amount is right, by how it was told: by the page (42 of 42 measured,
# benchmarks/RESULTS.md), by the model's habit where nothing speaks against it, or as the first of
# several. The last two are cautious guesses: labels seldom name currencies.
_PRINTED_CURRENCY, _ASSUMED_CURRENCY, _OPEN_CURRENCY = 0.98, 0.8, 0.5


@dataclass(frozen=True, slots=True)
class Offer:
    """One value that a document offers for a field, with all that its confidence is made of.

    Attributes:
        value: as ranked.
        score: raw, see `raw_confidence`.
        signs: by name, see `pipeline.answers.confidence.signs`.
        why: why it is taken before values that are more credible by themselves; else None.
        doubted: whether it needs review however sure it is, as where it stands at the caption of
            another field, and at none of its own.
    """

    value: Value
    score: float
    signs: Signs
    why: str | None = None
    doubted: bool = False


def offers_of(
    spec: FieldSpec,
    values: Sequence[Value],
    evidence: Evidence,
    calibration: Calibration,
    fit: float | None = None,
) -> list[Offer]:
    """Return ranked values with their scores and signs, of a field with one value the first few.

    Where the model has learnt a second ranking, by all signs, those few are in its order. A
    company's name in full comes before a brand that is not far more credible.

    Args:
        spec: the field.
        values: all that the document offers, the most credible first.
        evidence: the document as tagged.
        calibration: of the model.
        fit: of the document, where the model can tell.
    """
    tuned = calibration.of(spec.name)
    most = None if spec.many else 1 + _MOST_CANDIDATES
    offers = [
        Offer(
            value,
            _score(value, values, spec, evidence),
            signs_of(value, values, spec, evidence, tuned.habit, fit),
        )
        for value in values[:most]
    ]
    if spec.many:
        return offers

    def place(offer: Offer) -> tuple[bool, float]:
        return order(spec, offer.value, tuned.rank(offer.score, offer.signs))

    ranked = sorted(offers, key=place) if tuned.ranking else offers
    return _in_full_first(ranked) if spec.company else ranked


def _in_full_first(offers: list[Offer]) -> list[Offer]:
    """Return a company's names with the first one in full before a brand that stands first."""
    if not offers or is_in_full(offers[0].value.normalised.text):
        return offers
    least = _BESIDE_A_BRAND * offers[0].value.total
    for offer in offers:
        if offer.value.total >= least and is_in_full(offer.value.normalised.text):
            return [offer, *(other for other in offers if other is not offer)]
    return offers


def answer_for(
    spec: FieldSpec, offers: Sequence[Offer], evidence: Evidence, calibration: Calibration
) -> Answer:
    """Return what the answer says of a field.

    Values below the field's answer threshold, learnt on documents that have it and that have it
    not, are not given: the field is then null, or its list is shorter.

    Args:
        spec: the field.
        offers: its values, the one to give first.
        evidence: the document as tagged.
        calibration: of the model.
    """
    given = [offer for offer in offers if is_given(spec, offer, calibration)]
    if spec.many:
        rendered = [_rendered(offer, spec, evidence, calibration) for offer in given]
        return sorted(rendered, key=lambda value: value.words[0])
    if not offers or not is_given(spec, offers[0], calibration):
        return None
    first, *others = (_rendered(offer, spec, evidence, calibration) for offer in offers)
    left = 1.0 - first.confidence  # one value is right: the others share the rest
    return first.model_copy(update={"candidates": [_candidate(value, left) for value in others]})


def has_value(answer: Answer) -> bool:
    """Return whether an answer holds a value, and not only a text that is none: "24" as a date."""
    items = answer if isinstance(answer, list) else [answer]
    return any(item is not None and item.value is not None for item in items)


def is_given(spec: FieldSpec, offer: Offer, calibration: Calibration) -> bool:
    """Return whether a value is sure enough to be given; sums decide nothing here.

    A value that was chosen because sums hold with it stands for the one that it replaces.
    """
    sure = surety(spec, offer, calibration)
    return offer.why is not None or sure >= calibration.of(spec.name).answer_threshold


def needs_a_look(spec: FieldSpec, offer: Offer, calibration: Calibration) -> bool:
    """Return whether a value is not given or not sure, or a date that is none or lacks its day.

    Sums decide nothing here, and neither does another reading that is open or fails, such as a
    number with wrong check digits: it is sure that the text is the field's.
    """
    tuned, said = calibration.of(spec.name), offer.value.normalised
    return (
        not is_given(spec, offer, calibration)
        or tuned.needs_review(surety(spec, offer, calibration))
        or (spec.kind is Kind.DATE and said.status == "failed")
        or _lacks_its_day(said, spec, tuned)
    )


def surety(spec: FieldSpec, offer: Offer, calibration: Calibration) -> float:
    """Return the probability that a value is right, sums aside, as far as answers say it."""
    signs = {name: sign for name, sign in offer.signs.items() if name != AGREES}
    return round(calibration.of(spec.name).probability(offer.score, signs), _DIGITS)


def offered_cell(
    spec: FieldSpec,
    mention: Mention,
    reading: Normalised,
    evidence: Evidence,
    calibration: Calibration,
    fit: float | None = None,
) -> Offer:
    """Return what a place says for one cell of a row.

    Args:
        spec: the column.
        mention: the place.
        reading: of its text.
        evidence: the document as tagged.
        calibration: of the model.
        fit: of the document, where the model can tell.
    """
    value = Value(mention, reading, mention.score, mention.score, (mention,))
    return offers_of(spec, [value], evidence, calibration, fit)[0]


def cell_for(
    spec: FieldSpec, offer: Offer, evidence: Evidence, calibration: Calibration
) -> FieldValue | None:
    """Return what the answer says of one cell of a row; None below its answer threshold."""
    if not is_given(spec, offer, calibration):
        return None
    return _rendered(offer, spec, evidence, calibration)


def _score(value: Value, values: Sequence[Value], spec: FieldSpec, evidence: Evidence) -> float:
    reading = min(evidence.words[index][1].confidence for index in value.best.words)
    if spec.many:  # each stands for itself, by all places that say it
        return raw_confidence(value.at_least_one, 1.0, 1.0, reading)
    of_all = sum(other.total for other in values)
    return raw_confidence(value.best.score, value.total, of_all, reading)


def _rendered(
    offer: Offer, spec: FieldSpec, evidence: Evidence, calibration: Calibration
) -> FieldValue:
    value, normalised = offer.value, offer.value.normalised
    covered = [evidence.words[index] for index in value.best.words]
    page = covered[0][0]
    tuned = calibration.of(spec.name)
    # What lies beyond depends on which documents a batch held: sums in another order.
    confidence = round(tuned.probability(offer.score, offer.signs), _DIGITS)
    style = calibration.styles.get(spec.name, {})
    said = styled_value(normalised.value, evidence.text(value.best), spec.kind, style)
    return FieldValue(
        kind=spec.kind.value,
        text=normalised.text,
        value=said,
        confidence=confidence,
        currency_confidence=_of_currency(normalised),
        page=page.number,
        # A span that runs over a page's end shows its part on the first page.
        box=union(token.box for at, token in covered if at is page).as_list(),
        words=value.best.words,
        normalisation=Normalisation(
            status=normalised.status,
            reason=" ".join(filter(None, (normalised.reason, offer.why))) or None,
            alternatives=list(normalised.alternatives),
            precision=normalised.precision,
        ),
        needs_review=tuned.needs_review(confidence)
        or offer.doubted
        or normalised.status != "ok"
        or _lacks_its_day(normalised, spec, tuned),
    )


def _lacks_its_day(normalised: Normalised, spec: FieldSpec, tuned: FieldCalibration) -> bool:
    """Return whether a date is a month or a quarter where no label of the field looks like it."""
    if normalised.precision in (None, "day"):
        return False
    return tuned.habit is None or shape_of(normalised.text, spec.kind) not in tuned.habit.shapes


def _of_currency(normalised: Normalised) -> float | None:
    """Return the probability that an amount's currency is right; None where it has none."""
    if not isinstance(normalised.value, dict) or normalised.value.get("currency") is None:
        return None
    if normalised.status == "ambiguous" and any(
        other.get("currency") != normalised.value["currency"] for other in normalised.alternatives
    ):
        return _OPEN_CURRENCY
    assumed = (normalised.reason or "").startswith(ASSUMED)
    return _ASSUMED_CURRENCY if assumed else _PRINTED_CURRENCY


def _candidate(value: FieldValue, most: float) -> Candidate:
    return Candidate(
        text=value.text,
        value=value.value,
        confidence=round(min(value.confidence, most), _DIGITS),
        page=value.page,
        box=value.box,
    )
