"""Sums choose among values: where those given fail a check, near ones that keep it replace them.

A check of a model (`pipeline.answers.arithmetic.checks`) that fails names the fields it has read.
Other values that the document offers for them, as long as they are not far less credible, are tried
in their place: one field first, then two at a time. Where exactly one combination keeps the check
and breaks none that was kept, it wins, and the answer says why. Where several do, the sum cannot
tell, and nothing changes. Where none does, the values given may be those of each other's fields.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from pipeline.answers.arithmetic.checks import ROUNDING, Check, Groups, checked, figure_of
from pipeline.answers.confidence.signs import AGREES
from pipeline.answers.rendering import Offer
from pipeline.result import Answer, CheckResult, FieldValue
from pipeline.values.schema import FieldSpec, Kind

_NEAR = 0.02  # share of the first value's total score that another must have
_MOST_CHANGED = 2  # fields at a time
_EXCHANGED = 3  # fields of a check whose values may be each other's
_MOST_TRIED = 200  # combinations of one check; of more, a sum that fits is likely chance
_CELL = re.compile(r"(?P<group>[^.\[]+)\.(?P<column>[^.\[]+)\[(?P<row>\d+)\]")

Offers = Mapping[str, Sequence[Offer]]


def chosen(
    checks: Sequence[Check],
    offers: Offers,
    answers: Mapping[str, Answer],
    groups: Groups,
    fields: Sequence[FieldSpec],
) -> dict[str, list[Offer]]:
    """Return the fields whose first value changes, each with its offers in their new order.

    Args:
        checks: of the model.
        offers: by field, the value given first.
        answers: by field, as they are given now.
        groups: rows, as they are given now; their cells have no other values.
        fields: those with one value.
    """
    names = {
        spec.name
        for spec in fields
        if not spec.many and isinstance(answers.get(spec.name), FieldValue)
    }
    amounts = {spec.name for spec in fields if spec.kind is Kind.AMOUNT and offers.get(spec.name)}
    changed: dict[str, Offer] = {}
    now = dict(answers)
    for check in checks:
        failed = [result for result in checked([check], now, groups) if not result.ok]
        if not failed:
            continue
        open_fields = [name for name in dict.fromkeys(failed[0].fields) if name in names]
        found = _only_way(check, checks, open_fields, offers, now, groups)
        if not found and amounts.issuperset(open_fields) and _is_sum(check):
            given = {name: changed.get(name) or offers[name][0] for name in open_fields}
            found = _exchanged(check, checks, given, now, groups)
        for name, offer in found.items():
            changed[name] = replace(offer, why=f"Chosen because it keeps the check '{check.name}'.")
            now[name] = _with_value(now[name], offer)
    return {
        name: [
            offer,
            *(
                other
                for other in offers[name]
                if other.value.normalised.key != offer.value.normalised.key
            ),
        ]
        for name, offer in changed.items()
    }


def agreement(found: Sequence[CheckResult], checks: Sequence[Check]) -> dict[str, float]:
    """Return -1 for each value that a check fails with, and +1 for those that sums hold with.

    That one date is not before another, or an amount not above a limit, is no evidence for either;
    that it is, is against both.

    Args:
        found: what came of the checks.
        checks: of the model.
    """
    equations = {c.name for c in checks if any(rule.compared == "=" for rule in c.rules)}
    signs: dict[str, float] = {}
    for result in found:
        if result.ok and not (result.name in equations and _is_equal(result)):
            continue
        for name in result.fields:
            signs[name] = min(signs.get(name, 1.0), 1.0 if result.ok else -1.0)
    return signs


def _is_equal(result: CheckResult) -> bool:
    """Return whether both sides of a check that is kept are the same, but for rounded cents.

    A check may have a limit beside its equations: what is merely within that says nothing.
    """
    sides = figure_of(result.found, Kind.NUMBER), figure_of(result.expected, Kind.NUMBER)
    if sides[0] is None or sides[1] is None:
        return result.found == result.expected
    return abs(sides[0] - sides[1]) <= ROUNDING * len(result.fields)


def agreeing(offer: Offer, sign: float) -> Offer:
    """Return an offer that knows what sums say of it."""
    return replace(offer, signs={**offer.signs, AGREES: sign})


def cell_name(name: str) -> tuple[str, str | None, int]:
    """Return the field of a name that checks use, or the group, column and row of a cell."""
    match = _CELL.fullmatch(name)
    return (match["group"], match["column"], int(match["row"])) if match else (name, None, 0)


def _only_way(
    check: Check,
    checks: Sequence[Check],
    names: Sequence[str],
    offers: Offers,
    answers: Mapping[str, Answer],
    groups: Groups,
) -> dict[str, Offer]:
    """Return the one combination of fewest changes that keeps a check; empty where there is none.

    Args:
        check: that fails.
        checks: all of the model.
        names: fields that the check has read and that may change.
        offers: of all fields.
        answers: as they are given now.
        groups: rows, as they are given now.
    """
    kept = {result.name for result in checked(checks, answers, groups) if result.ok}
    tried = 0
    for count in range(1, _MOST_CHANGED + 1):
        ways: list[dict[str, Offer]] = []
        for way in _combinations(names, count, offers, answers):
            tried += 1
            if tried > _MOST_TRIED:
                return {}
            then = {**answers, **{n: _with_value(answers[n], offer) for n, offer in way.items()}}
            if not all(result.ok for result in checked([check], then, groups)):
                continue
            others = checked(checks, then, groups)
            if all(result.ok for result in others if result.name in kept):
                ways.append(way)
        if ways:
            return ways[0] if len(ways) == 1 else {}
    return {}


def _is_sum(check: Check) -> bool:
    """Return whether all rules of a check are of two fields that add up to a third."""
    return all(
        rule.compared == "="
        and len(rule.left) == _EXCHANGED - 1
        and len(rule.right) == 1
        and not any(term.summed or term.joined in "-*" for term in rule.terms)
        for rule in check.rules
    )


def _exchanged(
    check: Check,
    checks: Sequence[Check],
    given: Mapping[str, Offer],
    answers: Mapping[str, Answer],
    groups: Groups,
) -> dict[str, Offer]:
    """Return the one other order in which the values given keep a check; empty where none does.

    The tagger may take a total for the net where the total stands first. Which of two terms of a
    sum is which their sum cannot tell: the larger one is the first, as a tax is less than the net.
    All of them need review. A second that is less than the third, and is what the first has more,
    was taken off, such as a tax withheld.

    Args:
        check: that fails, a sum.
        checks: all of the model.
        given: values given for its fields, in their order.
        answers: as they are given now.
        groups: rows, as they are given now.
    """
    if len(given) != _EXCHANGED:
        return {}
    one, other, both = map(_size, given.values())
    if one - other == both > other:
        return {}
    kept = {result.name for result in checked(checks, answers, groups) if result.ok}
    ways: list[dict[str, Offer]] = []
    for order in itertools.permutations(given.values()):
        way = dict(zip(given, order, strict=True))
        then = {**answers, **{n: _with_value(answers[n], offer) for n, offer in way.items()}}
        if not all(result.ok for result in checked([check], then, groups)):
            continue
        if all(result.ok for result in checked(checks, then, groups) if result.name in kept):
            ways.append({name: replace(offer, doubted=True) for name, offer in way.items()})
    return max(ways, key=lambda way: _size(next(iter(way.values()))), default={})


def _size(offer: Offer) -> Decimal:
    """Return how much a value is, whatever its sign."""
    return abs(figure_of(offer.value.normalised.value, Kind.AMOUNT) or Decimal(0))


def _combinations(
    names: Sequence[str], count: int, offers: Offers, answers: Mapping[str, Answer]
) -> Iterator[dict[str, Offer]]:
    for some in itertools.combinations(names, count):
        choices = [_near(offers.get(name, ()), answers[name]) for name in some]
        for picked in itertools.product(*choices):
            yield dict(zip(some, picked, strict=True))


def _near(offers: Sequence[Offer], given: Answer) -> list[Offer]:
    """Return the values that may take the place of the one given."""
    if not offers or not isinstance(given, FieldValue):
        return []
    least = _NEAR * offers[0].value.total
    return [
        offer
        for offer in offers
        if offer.value.normalised.status != "failed"
        and offer.value.total >= least
        and offer.value.normalised.value != offers[0].value.normalised.value
    ]


def _with_value(given: Answer, offer: Offer) -> Answer:
    if not isinstance(given, FieldValue):
        return given
    return given.model_copy(update={"value": offer.value.normalised.value})
