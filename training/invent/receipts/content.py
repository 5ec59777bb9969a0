"""What an invented receipt says: which shop sold what, when, and what it adds up to."""

from __future__ import annotations

import datetime as dt
import random
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from faker import Faker

from training.invent.invoices.countries import COUNTRIES, Country
from training.invent.invoices.drawing import LEGAL_FORMS
from training.invent.made_up import made_up
from training.invent.receipts.words import WORDS

_CENT = Decimal("0.01")
_FIRST, _DAYS = dt.datetime(2010, 1, 1, 6, 30), 17 * 365  # when is sold
_SYLLABLES = (
    *("ba", "ber", "bo", "cal", "co", "da", "del", "do", "fa", "fen", "go", "ka", "kor", "la"),
    *("lin", "lo", "ma", "mer", "mi", "na", "no", "or", "pa", "per", "po", "qui", "ra", "ri"),
    *("sa", "sel", "so", "ta", "ten", "ti", "to", "tra", "va", "ver", "vi", "wen", "xa", "zo"),
)
_ENGLISH = ("dd/MM/yyyy", "dd/MM/yy", "d/M/yyyy", "dd-MM-yyyy", "dd MMM yyyy", "yyyy-MM-dd")


def _english(code: str, faker: str, currency: str, sign: str, rate: str) -> Country:
    locale = f"en_{code}"
    return Country(
        *(code, "en", locale, faker, currency, (sign, currency, ""), (rate,)),
        *("#########", _ENGLISH, (",",), ".", False),
    )


# As tills there print; `COUNTRIES` has them too, so that they come up twice as often as others.
_MORE = (
    _english("CA", "en_CA", "CAD", "$", "13"),
    _english("NZ", "en_NZ", "NZD", "$", "15"),
    _english("IN", "en_IN", "INR", "Rs.", "5"),
    _english("ZA", "en_GB", "ZAR", "R", "15"),
    _english("SG", "en_AU", "SGD", "S$", "9"),
    Country(
        *("BR", "pt", "pt_BR", "pt_BR", "BRL", ("R$", "R$", ""), ("18",), "##.###.###/####-##"),
        *(("dd/MM/yyyy", "dd/MM/yy", "d 'de' MMMM 'de' yyyy", "yyyy-MM-dd"), (".",), ",", False),
    ),
)
_TILLS = (*COUNTRIES, *_MORE)
_TAX_ADDED = ("US", "CA")  # to prices without it; elsewhere prices include it
_ROUNDED = {"CH": "0.05", "AU": "0.05", "NZ": "0.10", "CA": "0.05", "NL": "0.05", "BE": "0.05"}


@dataclass(frozen=True, slots=True)
class Sold:
    """A line of what was sold.

    Attributes:
        name: of the article.
        count: how many, or how much of it.
        price: of one.
        rate: place of its tax among the country's rates.
    """

    name: str
    count: Decimal
    price: Decimal
    rate: int

    @property
    def amount(self) -> Decimal:
        """Count times price, in cents."""
        return in_cents(self.count * self.price)


@dataclass(frozen=True, slots=True)
class Receipt:
    """A receipt.

    Attributes:
        country: of the shop.
        company: who sells, as it is labelled: the name with the legal form where there is one.
        brand: another name of the shop, over or under it; empty for most.
        address: its lines; empty where none is printed.
        phone, tax_id: of the shop; empty where they are not printed.
        moment: of the sale.
        sold: what was sold.
        discount: zero or negative.
        taxes: rate in per cent, what is taxed, and the tax of it.
        added: whether taxes are added to the prices.
        tip: added behind them; zero for most.
        rounding: of the sum when it is paid in cash.
        paid: what was given in cash; None for a card.
    """

    country: Country
    company: str
    brand: str
    address: tuple[str, ...]
    phone: str
    tax_id: str
    moment: dt.datetime
    sold: tuple[Sold, ...]
    discount: Decimal
    taxes: tuple[tuple[Decimal, Decimal, Decimal], ...]
    added: bool
    tip: Decimal
    rounding: Decimal
    paid: Decimal | None

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


def draw_receipt(rng: random.Random, languages: tuple[str, ...]) -> Receipt:
    """Return a receipt whose sums hold.

    Args:
        rng: source of all chance.
        languages: among the keys of `WORDS`.
    """
    language = rng.choice(languages)
    country = rng.choice([country for country in _TILLS if country.language == language])
    faker = made_up(country.faker)
    faker.seed_instance(rng.getrandbits(48))
    is_meal = rng.random() < 0.35
    sold = _sold(rng, country, is_meal=is_meal)
    subtotal = sum((line.amount for line in sold), Decimal(0))
    discount = Decimal(0)
    if rng.random() < 0.2:
        discount = -in_cents(subtotal * Decimal(rng.choice(("0.05", "0.1", "0.15", "0.2"))))
    added = country.code in _TAX_ADDED
    taxes = _taxes(sold, country, discount, added=added)
    whole = subtotal + discount + (sum(tax for _, _, tax in taxes) if added else Decimal(0))
    tip = Decimal(0)
    if is_meal and rng.random() < 0.15:
        tip = in_cents(whole * Decimal(rng.choice(("0.1", "0.125", "0.15", "0.18"))))
    paid, rounding = None, Decimal(0)
    if rng.random() < 0.5:
        step = Decimal(_ROUNDED.get(country.code, "0"))
        if step and rng.random() < 0.6:
            rounding = ((whole + tip) / step).to_integral_value(ROUND_HALF_UP) * step - whole - tip
        note = Decimal(rng.choice((1, 5, 10, 20, 50)))
        due = whole + tip + rounding
        paid = in_cents((due / note).to_integral_value("ROUND_CEILING") * note)
    company, brand = _names(rng, faker, country)
    return Receipt(
        country=country,
        company=company,
        brand=brand,
        address=_address(rng, faker, country),
        phone=str(faker.phone_number()) if rng.random() < 0.7 else "",
        tax_id=re.sub("[#?]", lambda _: str(rng.randrange(10)), country.tax_id)
        if rng.random() < 0.6
        else "",
        moment=_FIRST + dt.timedelta(minutes=rng.randrange(_DAYS * 24 * 60)),
        sold=sold,
        discount=discount,
        taxes=taxes,
        added=added,
        tip=tip,
        rounding=rounding,
        paid=paid,
    )


def draw_brand(rng: random.Random) -> str:
    """Return a made-up name."""
    return "".join(rng.choices(_SYLLABLES, k=rng.choice((2, 2, 3)))).capitalize()


def in_cents(amount: Decimal) -> Decimal:
    """Return an amount rounded to cents."""
    return amount.quantize(_CENT, ROUND_HALF_UP)


def _names(rng: random.Random, faker: Faker, country: Country) -> tuple[str, str]:
    """Return who sells, and another name of the shop or nothing."""
    wording = rng.choice(WORDS[country.language]["shop"])
    last, first = str(faker.last_name()), str(faker.first_name())
    place, brand = str(faker.city()), draw_brand(rng)
    shop = wording.format(last=last, first=first, place=place, brand=brand)
    legal = rng.choice(LEGAL_FORMS[country.language]).format(last=last, first=first)
    manner = rng.random()
    if manner < 0.35:
        return f"{shop} {legal}", ""
    if manner < 0.65:
        return shop, ""
    if manner < 0.75:
        return str(faker.company()), ""
    if manner < 0.82:
        return f"{first} {last}", shop
    operator = rng.choice((last, draw_brand(rng), f"{last} & {faker.last_name()}", place))
    return f"{operator} {legal}", shop


def _address(rng: random.Random, faker: Faker, country: Country) -> tuple[str, ...]:
    """Return the lines of an address; of a tenth of the shops there is none."""
    if rng.random() < 0.1:
        return ()
    lines = [line.strip(" ,") for line in str(faker.address()).splitlines() if line.strip(" ,")]
    if rng.random() < 0.15:
        parts = ("Shop {}", "Unit {}", "Local {}", "Level {}", "Stand {}", "Suite {}", "Halle {}")
        lines.insert(0, rng.choice(parts).format(rng.randrange(1, 90)))
    if rng.random() < 0.08:
        lines.append(country.code)
    manner = rng.random()
    if manner < 0.3:
        lines = [rng.choice((", ", " - ", ", ", " ")).join(lines)]
    elif manner < 0.4 and len(lines) > 1:
        lines = [f"{line}," for line in lines[:-1]] + lines[-1:]
    return tuple(lines)


def _sold(rng: random.Random, country: Country, *, is_meal: bool) -> tuple[Sold, ...]:
    words = WORDS[country.language]["meals" if is_meal else "goods"]
    many = rng.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11, 16))
    scale = {"INR": 40, "MXN": 15, "ZAR": 12, "PLN": 4, "BRL": 5}.get(country.currency, 1)
    found = []
    for name in rng.sample(words, min(many, len(words))):
        price = Decimal(str(round(rng.uniform(0.4, 4) ** 2.2, 2))) * scale + _CENT * 5
        if rng.random() < 0.5:
            price = price.to_integral_value() + Decimal(rng.choice(("0.99", "0.95", "0.50", "0")))
        price = in_cents(max(price, _CENT * 15))
        count = Decimal(rng.choice((1, 1, 1, 1, 1, 2, 2, 3, 4)))
        if not is_meal and rng.random() < 0.08:
            count = Decimal(rng.randrange(120, 4000)) / 1000
        found.append(Sold(name, count, price, rng.randrange(min(2, len(country.rates)))))
    return tuple(found)


def _taxes(
    sold: tuple[Sold, ...], country: Country, discount: Decimal, *, added: bool
) -> tuple[tuple[Decimal, Decimal, Decimal], ...]:
    """Return rate, base and tax of each rate; all of a discount is of the first."""
    found: list[tuple[Decimal, Decimal, Decimal]] = []
    for number in sorted({line.rate for line in sold}):
        rate = country.tax_rates[number]
        amount = sum((line.amount for line in sold if line.rate == number), Decimal(0))
        amount += Decimal(0) if found else discount
        net = amount if added else in_cents(amount * 100 / (100 + rate))
        found.append((rate, net, in_cents(amount * rate / 100) if added else amount - net))
    return tuple(found)
