"""What an invented receipt says: which shop sold what, when, and what it adds up to."""

from __future__ import annotations

import datetime as dt
import random
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from training.invent.invoices.countries import Country
from training.invent.made_up import made_up
from training.invent.receipts.countries import ROUNDED, SCALES, TAX_ADDED, TILLS
from training.invent.receipts.names import Names, draw_address, draw_names
from training.invent.receipts.sold import KINDS, Sold, draw_sold, rounded, unit

_FIRST, _DAYS = dt.datetime(2010, 1, 1, 6, 30), 17 * 365  # when is sold


@dataclass(frozen=True, slots=True)
class Receipt:
    """A receipt.

    Attributes:
        kind: of paper, a key of `KINDS`.
        country: of the shop.
        names: of who sells.
        place: a town, for the lines of registers.
        address: its lines; empty where none is printed.
        phone, tax_id: of the shop; empty where they are not printed.
        moment: of the sale.
        since: when parking, or a ride, began; the moment itself elsewhere.
        sold: what was sold.
        discount: zero or negative.
        taxes: rate in per cent, what is taxed, and the tax of it.
        added: whether taxes are added to the prices.
        tip: added behind them; zero for most.
        rounding: of the sum when it is paid in cash.
        paid: what was given in cash; None for a card.
        cash_back: given out on a card, beside the total; zero for most.
    """

    kind: str
    country: Country
    names: Names
    place: str
    address: tuple[str, ...]
    phone: str
    tax_id: str
    moment: dt.datetime
    since: dt.datetime
    sold: tuple[Sold, ...]
    discount: Decimal
    taxes: tuple[tuple[Decimal, Decimal, Decimal], ...]
    added: bool
    tip: Decimal
    rounding: Decimal
    paid: Decimal | None
    cash_back: Decimal

    @property
    def subtotal(self) -> Decimal:
        """The sum of what was sold."""
        return sum((line.amount for line in self.sold), Decimal(0))

    @property
    def tax(self) -> Decimal:
        """The sum of the taxes."""
        return sum((tax for _, _, tax in self.taxes), Decimal(0))

    @property
    def total(self) -> Decimal:
        """What is to be paid."""
        added = self.tax if self.added else Decimal(0)
        return self.subtotal + self.discount + added + self.tip + self.rounding


def draw_receipt(
    rng: random.Random, languages: tuple[str, ...], kinds: tuple[str, ...] = tuple(KINDS)
) -> Receipt:
    """Return a receipt whose sums hold.

    Args:
        rng: source of all chance.
        languages: among the keys of `WORDS`.
        kinds: of paper, among the keys of `KINDS`.
    """
    language = rng.choice(languages)
    country = rng.choice([country for country in TILLS if country.language == language])
    faker = made_up(country.faker)
    faker.seed_instance(rng.getrandbits(48))
    kind = rng.choices(kinds, [KINDS[kind] for kind in kinds])[0]
    is_meal = kind in ("sale", "slip") and rng.random() < 0.35
    sold = draw_sold(rng, country, kind, is_meal=is_meal)
    smallest = unit(country)
    subtotal = sum((line.amount for line in sold), Decimal(0))
    discount = Decimal(0)
    if kind != "slip" and rng.random() < (0.2 if kind == "sale" else 0.03):
        share = Decimal(rng.choice(("0.05", "0.1", "0.15", "0.2")))
        discount = -rounded(subtotal * share, smallest)
    added = country.code in TAX_ADDED
    taxes = _taxes(sold, country, discount, added=added)
    whole = subtotal + discount + (sum(tax for _, _, tax in taxes) if added else Decimal(0))
    tip = Decimal(0)
    if (is_meal or kind == "ride") and rng.random() < 0.15:
        tip = rounded(whole * Decimal(rng.choice(("0.1", "0.125", "0.15", "0.18"))), smallest)
    paid, rounding, cash_back = None, Decimal(0), Decimal(0)
    scale = SCALES.get(country.currency, 1)
    notes = 10 ** (len(str(scale)) - 1)  # of the money, against those of the euro
    if rng.random() < {"slip": 0.0, "folio": 0.1}.get(kind, 0.5):
        step = Decimal(ROUNDED.get(country.code, "0"))
        if step and rng.random() < 0.6:
            rounding = ((whole + tip) / step).to_integral_value(ROUND_HALF_UP) * step - whole - tip
        note = Decimal(rng.choice((1, 5, 10, 20, 50)) * notes)
        due = whole + tip + rounding
        paid = rounded((due / note).to_integral_value("ROUND_CEILING") * note, smallest)
    elif kind == "sale" and rng.random() < 0.06:
        cash_back = rounded(Decimal(rng.choice((10, 20, 50, 100)) * notes), smallest)
    moment = _FIRST + dt.timedelta(minutes=rng.randrange(_DAYS * 24 * 60))
    since = moment
    if kind in ("parking", "ride"):
        longest = 60 if kind == "ride" else rng.choice((45, 150, 400, 700, 2000))
        since -= dt.timedelta(minutes=rng.randrange(4, longest))
    names = draw_names(rng, faker, country, kind)
    return Receipt(
        kind=kind,
        country=country,
        names=names,
        place=str(faker.city()),
        address=draw_address(rng, faker, country),
        phone=str(faker.phone_number()) if rng.random() < 0.7 else "",
        tax_id=re.sub("[#?]", lambda _: str(rng.randrange(10)), country.tax_id)
        if rng.random() < 0.6
        else "",
        moment=moment,
        since=since,
        sold=sold,
        discount=discount,
        taxes=taxes,
        added=added,
        tip=tip,
        rounding=rounding,
        paid=paid,
        cash_back=cash_back,
    )


def _taxes(
    sold: tuple[Sold, ...], country: Country, discount: Decimal, *, added: bool
) -> tuple[tuple[Decimal, Decimal, Decimal], ...]:
    """Return rate, base and tax of each rate; all of a discount is of the first."""
    smallest = unit(country)
    found: list[tuple[Decimal, Decimal, Decimal]] = []
    for number in sorted({line.rate for line in sold}):
        rate = country.tax_rates[number]
        amount = sum((line.amount for line in sold if line.rate == number), Decimal(0))
        amount += Decimal(0) if found else discount
        net = amount if added else rounded(amount * 100 / (100 + rate), smallest)
        tax = rounded(amount * rate / 100, smallest) if added else amount - net
        found.append((rate, net, tax))
    return tuple(found)
