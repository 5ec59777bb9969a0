"""Draws invoices by chance; their sums hold."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from types import MappingProxyType

from training.invent.invoices.content import Invoice, Item, Tax
from training.invent.invoices.countries import COUNTRIES, Country
from training.invent.invoices.drawing.numbers import draw_account, draw_number
from training.invent.invoices.drawing.parties import draw_brand, draw_party
from training.invent.invoices.drawing.positions import COUNTS, draw_items
from training.invent.invoices.drawing.taxes import rounded, shared_taxes, taxes_by_rate
from training.invent.invoices.words import WORDS, Words

_FIRST, _LAST = dt.date(2009, 1, 5), dt.date(2027, 12, 20)  # days on which invoices are written

USUAL = MappingProxyType(
    {
        **{"credit": 0.07, "negative": 0.5, "exempt": 0.08, "gross": 0.18, "shared": 0.6},
        **{"discount": 0.14, "charge": 0.12, "prepaid": 0.13, "bill": 0.1, "foreign": 0.05},
        **{"abroad": 0.15, "alone": 0.07, "brand": 0.3, "private": 0.35, "recipient": 0.2},
        **{"order": 0.45, "customer_id": 0.5, "service": 0.45, "codes": 0.5, "details": 0.4},
        **{"long": 0.4, "rebates": 0.12, "sections": 0.15, "extras": 0.08, "deduction": 0.08},
        **{"rates": 0.25, "bulk": 1.0},
    }
)
"""How likely an invoice has what: ``bill`` is one for use, ``rates`` several of taxes, ``rebates``
those of single positions, ``extras`` what is added to these, ``deduction`` a position that takes
off from the others, ``long`` descriptions that say more, ``bulk`` positions of hundreds."""


def draw_invoice(
    rng: random.Random,
    languages: tuple[str, ...],
    *,
    count: int | None = None,
    code: Callable[[], str] | None = None,
    country: Country | None = None,
    words: Words | None = None,
    odds: Mapping[str, float] = MappingProxyType({}),
) -> Invoice:
    """Return an invoice whose sums hold.

    Args:
        rng: source of all chance.
        languages: among the keys of `WORDS`.
        count: of its items; drawn where None.
        code: draws the code of each of them; where None, a form of code is drawn, or none.
        country: of the vendor; drawn where None.
        words: whose articles are sold; those of the country's language where None.
        odds: of what an invoice may have, from 0 to 1, where they are not the usual ones: `USUAL`.
    """

    def has(what: str) -> bool:
        return rng.random() < odds.get(what, USUAL[what])

    language = rng.choice(languages)
    if country is None:
        country = rng.choice([country for country in COUNTRIES if country.language == language])
    words = words or WORDS[country.language]
    is_credit = has("credit")
    taxed = not has("exempt")
    gross = taxed and has("gross")
    count = count or rng.choice(COUNTS)
    sign = -1 if is_credit and has("negative") else 1
    items = draw_items(rng, country, words, sign, count, code, has)
    base = sum((item.amount for item in items), Decimal(0))
    discount, charge = _adjustments(rng, has, base, is_credit=is_credit)
    items, taxes = _taxed(rng, has, country, items, discount + charge, taxed=taxed, gross=gross)
    added = Decimal(0) if gross else sum((tax.amount for tax in taxes), Decimal(0))
    total = base + discount + charge + added
    prepaid = Decimal(0)
    if has("prepaid") and not is_credit:
        prepaid = rounded(total * Decimal(rng.choice(("1", "0.5", "0.3", "0.25"))))
    date = _FIRST + dt.timedelta(days=rng.randrange((_LAST - _FIRST).days))
    terms = rng.choice((7, 8, 10, 14, 14, 15, 20, 21, 30, 30, 30, 45, 60, 90))
    manner = rng.random()
    neighbour = rng.choice(COUNTRIES) if has("abroad") else country
    begin = date - dt.timedelta(days=rng.randrange(1, 40))
    span = rng.choice((0, 0, rng.randrange(5, 32)))
    foreign = has("foreign")
    is_bill = not is_credit and not prepaid and has("bill")
    alone = has("alone")
    vendor = draw_party(rng, country, private=alone)
    if not alone and has("brand"):
        vendor = replace(vendor, brand=draw_brand(rng, vendor, country))
    customer = draw_party(rng, neighbour, private=has("private"), addressed=True)
    return Invoice(
        country=country,
        currency=rng.choice(("USD", "EUR", "GBP", "CHF")) if foreign else country.currency,
        vendor=vendor,
        customer=customer,
        recipient=draw_party(rng, neighbour) if has("recipient") else None,
        number=draw_number(rng, date),
        date=date,
        due=date + dt.timedelta(days=terms) if manner < 0.62 else None,
        terms=terms if 0.5 < manner < 0.88 else None,
        order=draw_number(rng, date) if has("order") else None,
        customer_id=draw_account(rng, customer.name) if has("customer_id") else None,
        reference=draw_number(rng, date),
        service=(begin, begin + dt.timedelta(days=span)) if has("service") else None,
        items=items,
        taxes=taxes,
        discount=discount,
        charge=charge,
        prepaid=prepaid,
        previous=rounded(total * rng.randrange(60, 140) / 100) if is_bill else Decimal(0),
        is_credit=is_credit,
        gross=gross,
    )


def _adjustments(
    rng: random.Random, has: Callable[[str], bool], base: Decimal, *, is_credit: bool
) -> tuple[Decimal, Decimal]:
    """Return what is taken off the sum of the positions, and what is added to it."""
    discount = charge = Decimal(0)
    if has("discount"):
        discount = -rounded(base * Decimal(rng.choice(("2", "3", "5", "10"))) / 100)
    if has("charge") and not is_credit:
        charge = Decimal(rng.choice(("4.90", "5.95", "9.50", "12.00", "15.00", "29.90", "48.00")))
    return discount, charge


def _taxed(
    rng: random.Random,
    has: Callable[[str], bool],
    country: Country,
    items: tuple[Item, ...],
    adjustment: Decimal,
    *,
    taxed: bool,
    gross: bool,
) -> tuple[tuple[Item, ...], tuple[Tax, ...]]:
    """Return the positions with their rates, and the taxes."""
    base = sum((item.amount for item in items), Decimal(0))
    if taxed and not gross and country.shared and has("shared"):
        names = rng.choice(country.shared)
        rate = sum((Decimal(share) for _, share in names), Decimal(0))
        found = tuple(replace(item, rate=rate) for item in items)
        return found, shared_taxes(base + adjustment, names)
    return items, taxes_by_rate(items, base, adjustment, gross=gross) if taxed else ()
