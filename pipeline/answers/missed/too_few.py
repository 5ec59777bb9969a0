"""Values that are too few: an agreement has two parties at least, and one alone was given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pipeline.answers.rendering import Basis, Offer
from pipeline.profile import FITS

_SURE = 0.8  # score of a place that the tagger is rather sure of


def with_enough(basis: Basis, offers: Mapping[str, list[Offer]]) -> dict[str, list[Offer]]:
    """Return what is offered, as many values of a field chosen as the model says it has at least.

    Those that lack are the likeliest of which the tagger is sure; all of them need review.
    A document of another kind has none that lack.
    """
    found = dict(offers)
    if basis.fit is not None and basis.fit < FITS:
        return found
    for spec in basis.fields:
        if not spec.at_least or spec.name not in found:
            continue
        open_ones = [one for one in found[spec.name] if not basis.is_given(spec, one)]
        lacking = max(0, spec.at_least - len(found[spec.name]) + len(open_ones))
        sure = [one for one in open_ones if one.score >= _SURE]
        likely = sorted(sure, key=lambda one: basis.surety(spec, one), reverse=True)
        why = f"Chosen because a document has at least {spec.at_least} of them."
        more = [id(one) for one in likely[:lacking]]
        found[spec.name] = [
            replace(one, why=why, doubted=True) if id(one) in more else one
            for one in found[spec.name]
        ]
    return found
