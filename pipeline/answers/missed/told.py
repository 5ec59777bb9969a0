"""What the page tells in words, before what the tagger offers: for review, however sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.answers.rendering import Offer, is_given, needs_a_look, offered_cell, surety
from pipeline.answers.rows.cells import PLACE_ALONE
from pipeline.values.normalise import Normalised, normalise
from pipeline.values.schema import FieldSpec

GAP = "…"  # what a caption has between its parts: a few words, or the value
LIKELY = 0.5  # confidence from which the tagger's value is rather right than wrong


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

    def offered(self, spec: FieldSpec, place: Mention) -> Offer:
        """Return what a place offers for a field."""
        reading = self.reading(spec, place)
        return offered_cell(spec, place, reading, self.evidence, self.calibration, self.fit)

    def surety(self, spec: FieldSpec, offer: Offer) -> float:
        """See `rendering.surety`."""
        return surety(spec, offer, self.calibration)

    def is_given(self, spec: FieldSpec, offer: Offer) -> bool:
        """See `rendering.is_given`."""
        return is_given(spec, offer, self.calibration)

    def needs_a_look(self, spec: FieldSpec, offer: Offer) -> bool:
        """See `rendering.needs_a_look`."""
        return needs_a_look(spec, offer, self.calibration)


def told_first(
    spec: FieldSpec, words: range, why: str, offered: Sequence[Offer], basis: Basis
) -> list[Offer]:
    """Return what is offered for a field, the value that some words are told to be first, marked.

    Args:
        spec: the field.
        words: indices of the value's words.
        why: how it is told, as the answer says it.
        offered: the most credible first.
        basis: of the offers.
    """
    told = basis.offered(spec, place_alone(spec, words))
    key = told.value.normalised.key
    first = next((one for one in offered if one.value.normalised.key == key), told)
    others = [one for one in offered if one.value.normalised.key != key]
    return [replace(first, why=why, doubted=True), *others]


def place_alone(spec: FieldSpec, words: range) -> Mention:
    """Return words as a place of a field that the tagger says nothing of."""
    scores = (PLACE_ALONE,) * len(words)
    return Mention((Span(spec.name, words.start, words.stop, scores),))
