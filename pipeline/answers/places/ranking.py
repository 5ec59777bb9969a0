"""Places of one field to ranked values: equal values add up (Garncarek et al., 2020, sec. 4)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pipeline.answers.places.mentions import Mention
from pipeline.values.normalise import Normalised
from pipeline.values.schema import FieldSpec, Kind
from pipeline.values.texts.names import core_key, name_key, without_possessive
from pipeline.values.texts.strings import lenient

_WHOLE = 0.9  # least score of a place that has all of a value, and no neighbour's words
_BETWEEN = re.compile(r"[\W_]+")  # words of an address
_MISTYPED = 0.9  # of the score of a tax number counts where its check digits are wrong


@dataclass(frozen=True, slots=True)
class Value:
    """One value that a document offers for a field.

    Attributes:
        best: the place with the highest score among those that say it.
        normalised: that place's text, normalised.
        total: sum of the scores of all places that say it.
        at_least_one: probability that at least one of the places is right, their scores taken as
            independent: what one of many values is worth by itself.
        places: all places that say it.
    """

    best: Mention
    normalised: Normalised
    total: float
    at_least_one: float
    places: tuple[Mention, ...]


def rank_values(
    mentions: Iterable[Mention],
    readings: Sequence[Normalised],
    spec: FieldSpec,
) -> list[Value]:
    """Return the different values of one field, the most credible first.

    Values that cannot be normalised come after all that can, but tax numbers: a total without a
    number is no total.
    Ties go to the value that stands first in the document, so that the order is always the same.
    Of many names, and of a company's, one without its legal form counts for the one that has it
    (`_merge_names`), and an address or a tax number in part for the one that has all of it, with
    its country (`_merge_parts`).

    Args:
        mentions: places of this field, in any order.
        readings: how each place reads, in the same order.
        spec: the field.
    """
    groups: dict[str, list[tuple[Mention, Normalised]]] = {}
    for mention, normalised in zip(mentions, readings, strict=True):
        groups.setdefault(normalised.key, []).append((mention, normalised))
    more: dict[str, list[Mention]] = {}
    if spec.kind is Kind.NAME and (spec.many or spec.company):
        more = _merge_names(groups)
    if spec.kind in (Kind.ADDRESS, Kind.TAX_ID) and not spec.many:
        more = _merge_parts(groups, spec.kind)
    values = []
    for key, items in groups.items():
        # The first of the best, so that the place shown does not depend on their order.
        best, normalised = min(items, key=lambda item: (-item[0].score, item[0].start))
        places = (*(mention for mention, _ in items), *more.get(key, ()))
        if key in more and spec.kind is Kind.ADDRESS:  # its end may be a neighbour's, or the part's
            reason = "Elsewhere the document has a part of it."
            normalised = replace(normalised, status="ambiguous", reason=reason)
        scores = [mention.score for mention in places]
        none = math.prod(1.0 - score for score in scores)
        values.append(Value(best, normalised, sum(scores), 1.0 - none, places))
    values.sort(key=lambda value: (*order(spec, value, value.total), value.best.start))
    return values


def order(spec: FieldSpec, value: Value, score: float) -> tuple[bool, float]:
    """Return what values are sorted by: what is no value of the kind last, a higher score first.

    A tax number with wrong check digits is one all the same, if a little less likely: whoever made
    it up or mistyped it meant it for one.
    """
    failed = value.normalised.status == "failed"
    if failed and spec.kind is Kind.TAX_ID:
        return False, -_MISTYPED * score
    return failed, -score


def _merge_parts(
    groups: dict[str, list[tuple[Mention, Normalised]]], kind: Kind
) -> dict[str, list[Mention]]:
    """Remove the values that a longer one holds; return the places that they add to it.

    A tax number holds what follows its country; an address holds whole words: "1 High Street" is no
    part of "11 High Street". An address with a less likely word before the part took in a
    neighbour's, as in a foot: "Ode KG · 1 High Street, Leeds"; behind it stands a country.
    """
    said = {
        key: key if kind is Kind.TAX_ID else _in_words(items[0][1].text)
        for key, items in groups.items()
        if key
    }
    wholes = sorted(
        (key for key in said if max(one.score for one, _ in groups[key]) >= _WHOLE),
        key=len,
        reverse=True,
    )
    holds = str.endswith if kind is Kind.TAX_ID else str.__contains__
    least = {key: max(one.least for one, _ in groups[key]) for key in wholes}
    more: dict[str, list[Mention]] = {}
    for key, part in said.items():
        best = max(one.score for one, _ in groups[key])
        likely = min(_WHOLE, best) if kind is Kind.ADDRESS else 0.0
        found = (other for other in wholes if other in groups and holds(said[other], part))
        whole = next(
            (o for o in found if least[o] >= likely or said[o].startswith(part)),
            key,
        )
        if whole != key:
            more.setdefault(whole, []).extend(mention for mention, _ in groups.pop(key))
    return more


def _in_words(text: str) -> str:
    """Return the words of a text as they are compared, a space before and behind each."""
    return f" {' '.join(filter(None, map(lenient, _BETWEEN.split(text))))} "


def _merge_names(
    groups: dict[str, list[tuple[Mention, Normalised]]],
) -> dict[str, list[Mention]]:
    """Remove the groups that say another group's name in short; return the places they add to it.

    "Acme Inc.'s" and "Acme" say "Acme Inc.". A short name that two others could mean ("Acme Inc."
    and "Acme Ltd.") says neither, and stays.
    """
    full: dict[str, list[str]] = {}
    for key, items in groups.items():
        if (core := core_key(items[0][1].text)) != key:
            full.setdefault(core, []).append(key)
    meant: dict[str, str] = {}
    for key, items in groups.items():
        named = name_key(without_possessive(items[0][1].text))
        candidates = [named] if named != key and named in groups else full.get(named, [])
        if len(candidates) == 1 and candidates[0] != key:
            meant[key] = candidates[0]
    more: dict[str, list[Mention]] = {}
    for key, said in meant.items():
        whole = meant.get(said, said)  # "Acme's" says "Acme", and that "Acme Inc."
        if whole not in meant:
            more.setdefault(whole, []).extend(mention for mention, _ in groups.pop(key))
    return more
