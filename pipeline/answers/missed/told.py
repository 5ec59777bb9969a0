"""What the page tells in words, before what the tagger offers: for review, however sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from models.labels import Span
from pipeline.answers.confidence.calibration import Calibration
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.places.mentions import Mention
from pipeline.answers.rendering import Offer, offered_cell
from pipeline.answers.rows.cells import PLACE_ALONE
from pipeline.values.normalise import normalise
from pipeline.values.schema import FieldSpec

GAP = "…"  # what a caption has between its parts: a few words, or the value
LIKELY = 0.5  # confidence from which the tagger's value is rather right than wrong


def told_first(
    spec: FieldSpec,
    words: range,
    why: str,
    offered: Sequence[Offer],
    evidence: Evidence,
    calibration: Calibration,
    fit: float | None = None,
) -> list[Offer]:
    """Return what is offered for a field, the value that some words are told to be first, marked.

    Args:
        spec: the field.
        words: indices of the value's words.
        why: how it is told, as the answer says it.
        offered: the most credible first.
        evidence: the document as tagged.
        calibration: of the model.
        fit: how well the document fits it, where it can tell.
    """
    scores = (PLACE_ALONE,) * len(words)
    place = Mention((Span(spec.name, words.start, words.stop, scores),))
    reading = normalise(evidence.text(place), spec, evidence.context)
    same = [one for one in offered if one.value.normalised.key == reading.key]
    first = same[0] if same else offered_cell(spec, place, reading, evidence, calibration, fit)
    others = [one for one in offered if one.value.normalised.key != reading.key]
    return [replace(first, why=why, doubted=True), *others]
