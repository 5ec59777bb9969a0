"""What is sold on each kind of paper: goods, meals, fuel, nights, or one fee."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from training.invent.invoices.countries import Country
from training.invent.receipts.countries import SCALES, WHOLE
from training.invent.receipts.words import WORDS

KINDS = {"sale": 66, "parking": 7, "ride": 5, "fuel": 7, "folio": 6, "wash": 3, "slip": 6}
"""Kinds of paper by share in per cent; a slip is what a card's terminal prints, without items."""
ONE_FEE = ("parking", "ride", "wash")
"""Kinds that sell one thing, and often print no sum of it."""

_FUELS = (
    *("Diesel", "DIESEL", "Super 95", "95 E10", "Euro 95", "98 E5", "Diesel B7", "SP98", "LPG"),
    *("95", "Premium Diesel", "Super Plus", "AdBlue"),
)


def unit(country: Country) -> Decimal:
    """Return the smallest amount of a country's money that is printed."""
    return Decimal(1) if country.currency in WHOLE else Decimal("0.01")


def rounded(amount: Decimal, smallest: Decimal) -> Decimal:
    """Return an amount rounded to the smallest one."""
    return amount.quantize(smallest, ROUND_HALF_UP)


@dataclass(frozen=True, slots=True)
class Sold:
    """A line of what was sold.

    Attributes:
        name: of the article.
        count: how many, or how much of it.
        price: of one.
        rate: place of its tax among the country's rates.
        smallest: amount that is printed.
        measure: of what is not counted in pieces; empty otherwise.
        days: before the day of the receipt.
    """

    name: str
    count: Decimal
    price: Decimal
    rate: int
    smallest: Decimal
    measure: str = ""
    days: int = 0

    @property
    def amount(self) -> Decimal:
        """Count times price."""
        return rounded(self.count * self.price, self.smallest)


def draw_sold(
    rng: random.Random, country: Country, kind: str, *, is_meal: bool
) -> tuple[Sold, ...]:
    """Return what was sold.

    Args:
        rng: source of all chance.
        country: of the shop.
        kind: of paper, a key of `KINDS`.
        is_meal: whether it was eaten there.
    """
    if kind in ONE_FEE:
        name = rng.choice(WORDS[country.language]["fare"])
        price = _price(rng, country, rng.uniform(0.5, 5) ** 2)
        return (Sold(name, Decimal(1), price, 0, unit(country)),)
    if kind == "fuel":
        fuel = _fuel(rng, country)
        return (fuel, *_goods(rng, country, 1, is_meal=False)) if rng.random() < 0.25 else (fuel,)
    if kind == "folio":
        return _nights(rng, country)
    many = rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11, 16))
    return _goods(rng, country, many, is_meal=is_meal)


def _goods(rng: random.Random, country: Country, many: int, *, is_meal: bool) -> tuple[Sold, ...]:
    words = WORDS[country.language]["meals" if is_meal else "goods"]
    found = []
    for name in rng.sample(words, min(many, len(words))):
        price = _price(rng, country, rng.uniform(0.4, 4) ** 2.2)
        count, measure = Decimal(rng.choice((1, 1, 1, 1, 1, 2, 2, 3, 4))), ""
        if not is_meal and rng.random() < 0.08:
            count, measure = Decimal(rng.randrange(120, 4000)) / 1000, "kg"
        rate = rng.randrange(min(2, len(country.rates)))
        found.append(Sold(name, count, price, rate, unit(country), measure))
    return tuple(found)


def _fuel(rng: random.Random, country: Country) -> Sold:
    """Return litres, or gallons, at a price with three decimals."""
    price = Decimal(str(round(rng.uniform(1.05, 2.2), 3))) * SCALES.get(country.currency, 1)
    gallons = country.code == "US"
    litres = Decimal(rng.randrange(500, 7500)) / 100
    smallest = unit(country) / 10 if unit(country) < 1 else Decimal(1)
    return Sold(
        name=rng.choice(("Regular", "UNLEADED", "Diesel", "Premium 93") if gallons else _FUELS),
        count=rounded(litres / 4, Decimal("0.001")) if gallons else litres,
        price=rounded(price * 2 if gallons else price, smallest),
        rate=0,
        smallest=unit(country),
        measure=rng.choice(("G", "gal", "GAL") if gallons else ("l", "L", "Ltr", "LT", "lit")),
    )


def _nights(rng: random.Random, country: Country) -> tuple[Sold, ...]:
    """Return the charges of a stay: the same few for each of its nights."""
    words = WORDS[country.language]["night"]
    nights = rng.choice((1, 1, 2, 2, 3, 4, 5))
    names = [rng.choice(words[:2]), *rng.sample(words[2:], rng.randrange(3))]
    highest = len(country.rates)
    charges = [
        (name, _price(rng, country, rng.uniform(40, 180) if not place else rng.uniform(1.5, 20)))
        for place, name in enumerate(names)
    ]
    rates = [rng.randrange(min(2, highest)) for _ in charges]
    if rng.random() < 0.3:  # nights counted in a line
        return tuple(
            Sold(name, Decimal(nights), price, rate, unit(country))
            for (name, price), rate in zip(charges, rates, strict=True)
        )
    return tuple(
        Sold(name, Decimal(1), price, rate, unit(country), days=nights - night)
        for night in range(nights)
        for (name, price), rate in zip(charges, rates, strict=True)
    )


def _price(rng: random.Random, country: Country, about: float) -> Decimal:
    """Return a price as tills write them, of about what it would be in euros."""
    scale = SCALES.get(country.currency, 1)
    price = Decimal(str(round(about, 2))) * scale + Decimal("0.05")
    if country.currency in WHOLE:  # mostly even, now and then just below
        step = Decimal(10) ** max(1, int(math.log10(scale)) - rng.choice((0, 1)))
        return max((price / step).to_integral_value(), Decimal(1)) * step - rng.choice((0, 0, 0, 1))
    if rng.random() < 0.5:
        price = price.to_integral_value() + Decimal(rng.choice(("0.99", "0.95", "0.50", "0")))
    elif scale > 4 and rng.random() < 0.6:
        price = price.to_integral_value()
    return rounded(max(price, Decimal("0.15")), unit(country))
