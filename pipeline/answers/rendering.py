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
from pipeline.result import Answer, Candidate, FieldValue, Normalisation, listed
from pipeline.values.normalise import Normalised, normalise
from pipeline.values.normalised import ASSUMED
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.names import is_in_full
from pipeline.values.texts.surface import styled_value

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


@dataclass(frozen=True, slots=True)
class Basis:
    """What values are offered and judged by: a document as tagged, and its model.

    Attributes:
        fields: of the model; the field that begins a range stands before the one that ends it.
        evidence: the document as tagged.
        calibration: of the model.
        fit: how well the document fits it, where it can tell.
    """

    fields: Sequence[FieldSpec]
    evidence: Evidence
    calibration: Calibration
    fit: float | None = None

    def reading(self, spec: FieldSpec, place: Mention) -> Normalised:
        """Return how a place reads for a field."""
        return normalise(self.evidence.text(place), spec, self.evidence.context)

    def offers(self, spec: FieldSpec, values: Sequence[Value]) -> list[Offer]:
        """Return ranked values with scores and signs, of a field with one value the first few.

        Where the model has learnt a second ranking, by all signs, those few are in its order. A
        company's name in full comes before a brand that is not far more credible.

        Args:
            spec: the field.
            values: all that the document offers, the most credible first.
        """
        tuned = self.calibration.of(spec.name)
        most = None if spec.many else 1 + _MOST_CANDIDATES
        offers = [
            Offer(
                value,
                self._score(value, values, spec),
                signs_of(value, values, spec, self.evidence, tuned.habit, self.fit),
            )
            for value in values[:most]
        ]
        if spec.many:
            return offers

        def place(offer: Offer) -> tuple[bool, float]:
            return order(spec, offer.value, tuned.rank(offer.score, offer.signs))

        ranked = sorted(offers, key=place) if tuned.ranking else offers
        return _in_full_first(ranked) if spec.company else ranked

    def offered(self, spec: FieldSpec, place: Mention, reading: Normalised | None = None) -> Offer:
        """Return what a place offers for a field, or for a cell of a row.

        Args:
            spec: the field, or the column.
            place: words of the document.
            reading: of its text, where what stands beside it tells more than that.
        """
        said = reading or self.reading(spec, place)
        return self.offers(spec, [Value(place, said, place.score, place.score, (place,))])[0]

    def surety(self, spec: FieldSpec, offer: Offer) -> float:
        """Return the probability that a value is right, sums aside, as far as answers say it."""
        signs = {name: sign for name, sign in offer.signs.items() if name != AGREES}
        return round(self.calibration.of(spec.name).probability(offer.score, signs), _DIGITS)

    def is_given(self, spec: FieldSpec, offer: Offer) -> bool:
        """Return whether a value is sure enough to be given; sums decide nothing here.

        A value that was chosen because sums hold with it stands for the one that it replaces.
        """
        least = self.calibration.of(spec.name).answer_threshold
        return offer.why is not None or self.surety(spec, offer) >= least

    def needs_a_look(self, spec: FieldSpec, offer: Offer) -> bool:
        """Return whether a value is not given or not sure, or a date that is none or lacks its day.

        Sums decide nothing here, and neither does another reading that is open or fails, such as a
        number with wrong check digits: it is sure that the text is the field's.
        """
        tuned, said = self.calibration.of(spec.name), offer.value.normalised
        return (
            not self.is_given(spec, offer)
            or tuned.needs_review(self.surety(spec, offer))
            or (spec.kind is Kind.DATE and said.status == "failed")
            or _lacks_its_day(said, spec, tuned)
        )

    def answer(self, spec: FieldSpec, offers: Sequence[Offer]) -> Answer:
        """Return what the answer says of a field.

        Values below the field's answer threshold, learnt on documents that have it and that have it
        not, are not given: the field is then null, or its list is shorter.

        Args:
            spec: the field.
            offers: its values, the one to give first.
        """
        if spec.many:
            given = [offer for offer in offers if self.is_given(spec, offer)]
            rendered = [self._rendered(offer, spec) for offer in given]
            return sorted(rendered, key=lambda value: value.words[0])
        if not offers or not self.is_given(spec, offers[0]):
            return None
        first, *others = (self._rendered(offer, spec) for offer in offers)
        left = 1.0 - first.confidence  # one value is right: the others share the rest
        return first.model_copy(update={"candidates": [_candidate(one, left) for one in others]})

    def cell(self, spec: FieldSpec, offer: Offer) -> FieldValue | None:
        """Return what the answer says of one cell of a row; None below its answer threshold."""
        return self._rendered(offer, spec) if self.is_given(spec, offer) else None

    def _score(self, value: Value, values: Sequence[Value], spec: FieldSpec) -> float:
        reading = min(self.evidence.words[index][1].confidence for index in value.best.words)
        if spec.many:  # each stands for itself, by all places that say it
            return raw_confidence(value.at_least_one, 1.0, 1.0, reading)
        of_all = sum(other.total for other in values)
        return raw_confidence(value.best.score, value.total, of_all, reading)

    def _rendered(self, offer: Offer, spec: FieldSpec) -> FieldValue:
        value, normalised = offer.value, offer.value.normalised
        covered = [self.evidence.words[index] for index in value.best.words]
        page = covered[0][0]
        tuned = self.calibration.of(spec.name)
        # What lies beyond depends on which documents a batch held: sums in another order.
        confidence = round(tuned.probability(offer.score, offer.signs), _DIGITS)
        style = self.calibration.styles.get(spec.name, {})
        said = styled_value(normalised.value, self.evidence.text(value.best), spec.kind, style)
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


def _in_full_first(offers: list[Offer]) -> list[Offer]:
    """Return a company's names with the first one in full before a brand that stands first."""
    if not offers or is_in_full(offers[0].value.normalised.text):
        return offers
    least = _BESIDE_A_BRAND * offers[0].value.total
    for offer in offers:
        if offer.value.total >= least and is_in_full(offer.value.normalised.text):
            return [offer, *(other for other in offers if other is not offer)]
    return offers


def has_value(answer: Answer) -> bool:
    """Return whether an answer holds a value, and not only a text that is none: "24" as a date."""
    return any(item.value is not None for item in listed(answer))


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
