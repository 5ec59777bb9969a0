"""Taxes: a sum for each rate, or several on one sum."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from training.invent.invoices.content import Item, Tax

_CENT = Decimal("0.01")


def taxes_by_rate(
    items: tuple[Item, ...], base: Decimal, discount: Decimal, *, gross: bool
) -> tuple[Tax, ...]:
    """Return the taxes by rate, the discount shared out by what each rate has of the base."""
    rates = sorted({item.rate for item in items}, reverse=True)
    bases = {
        rate: sum((item.amount for item in items if item.rate == rate), Decimal(0))
        for rate in rates
    }
    shares = {
        rate: rounded(discount * bases[rate] / base) if base else Decimal(0) for rate in rates
    }
    shares[rates[0]] += discount - sum(shares.values())  # cents lost in rounding
    found = []
    for rate in rates:
        part = bases[rate] + shares[rate]
        net = rounded(part * 100 / (100 + rate)) if gross else part
        found.append(Tax(rate, net, part - net if gross else rounded(net * rate / 100)))
    return tuple(found)


def shared_taxes(base: Decimal, names: tuple[tuple[str, str], ...]) -> tuple[Tax, ...]:
    """Return taxes that stand one beside the other on the same sum."""
    rates = ((name, Decimal(rate)) for name, rate in names)
    return tuple(Tax(rate, base, rounded(base * rate / 100), name) for name, rate in rates)


def rounded(amount: Decimal) -> Decimal:
    """Return an amount in whole cents."""
    return amount.quantize(_CENT, ROUND_HALF_UP)
