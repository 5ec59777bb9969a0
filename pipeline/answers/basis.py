"""What values are offered and judged by, in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.answers.rendering import Offer, is_given, needs_a_look, offered_cell, surety
from pipeline.values.normalise import Normalised, normalise
from pipeline.values.schema import FieldSpec


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
