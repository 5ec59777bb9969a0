"""Whose document it is, where the tagger does not tell: a name at the head of its first page.

A field of one name may have `heading = true` in its `fields.toml`: whom the document is from. Where
nothing is given for it, it is the first line that is a name in full, or else the first name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, takewhile

from pipeline.answers.missed.told import told_first
from pipeline.answers.places.beside import has_digit
from pipeline.answers.places.evidence import Evidence
from pipeline.answers.rendering import Basis, Offer
from pipeline.values.texts.address_lines import holds_nothing, is_number_beside_address
from pipeline.values.texts.around_names import is_no_name
from pipeline.values.texts.names import is_in_full

_MOST_LINES = 12  # of a head
_AMOUNT = re.compile(r"\d[.,]\d\d\W{0,2}$")
_WHY = "Chosen because it stands at the head of the page."


def with_heads(basis: Basis, offers: Mapping[str, list[Offer]]) -> dict[str, list[Offer]]:
    """Return what is offered, chosen from the head of the page where no value would be given.

    What the tagger found there comes before what it did not. All of it needs review.
    """
    found = dict(offers)
    for spec in basis.fields:
        if not spec.heading or any(basis.is_given(spec, one) for one in found[spec.name][:1]):
            continue
        given = {
            index
            for other in basis.fields
            for offer in found[other.name][:1]
            if other is not spec and basis.is_given(other, offer)
            for index in offer.value.best.words
        }
        lines = takewhile(given.isdisjoint, _head(basis.evidence))
        words = _name(lines, basis.evidence)
        if words is None:
            continue
        offered = found[spec.name]
        if offered and not set(words).isdisjoint(offered[0].value.best.words):
            found[spec.name] = [replace(offered[0], why=_WHY, doubted=True), *offered[1:]]
        else:
            found[spec.name] = told_first(spec, words, _WHY, offered, basis)
    return found


def _head(evidence: Evidence) -> list[range]:
    """Return the lines at the head of the first page, down to the first with a sum of money."""
    first = evidence.words[0][0].number if evidence.words else 1
    of_line = groupby(
        range(len(evidence.words)),
        key=lambda index: (evidence.words[index][0].number, evidence.words[index][1].line),
    )
    lines = [[*indices] for (page, _), indices in of_line if page == first]
    head = lines[:_MOST_LINES]
    own = takewhile(lambda line: not _AMOUNT.search(_text(line, evidence)), head)
    return [range(line[0], line[-1] + 1) for line in own]


def _text(line: Sequence[int], evidence: Evidence) -> str:
    return " ".join(evidence.words[index][1].text for index in line)


def _name(lines: Iterable[range], evidence: Evidence) -> range | None:
    named = [line for line in lines if _is_name(_text(line, evidence))]
    in_full = (line for line in named if is_in_full(_text(line, evidence)))
    return next(in_full, next(iter(named), None))


def _is_name(text: str) -> bool:
    number = ":" in text or has_digit(text[-1:]) or is_number_beside_address(text)
    return not (number or holds_nothing([text]) or is_no_name(text))
