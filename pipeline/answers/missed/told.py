"""What the page tells in words, before what the tagger offers: for review, however sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.answers.places.mentions import placed
from pipeline.answers.rendering import Basis, Offer
from pipeline.values.schema import FieldSpec

GAP = "…"  # what a caption has between its parts: a few words, or the value
LIKELY = 0.5  # confidence from which the tagger's value is rather right than wrong


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
    told = basis.offered(spec, placed(spec.name, words))
    key = told.value.normalised.key
    first = next((one for one in offered if one.value.normalised.key == key), told)
    others = [one for one in offered if one.value.normalised.key != key]
    return [replace(first, why=why, doubted=True), *others]
