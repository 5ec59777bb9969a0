"""What an invented invoice says: who bills whom, for what, and what it adds up to.

Every amount is computed as a bookkeeper would: lines are rounded to cents, taxes are rounded once
for each rate, and the totals are sums of what is printed.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType

from babel import Locale
from faker import Faker

from training.invent.invoices.countries import COUNTRIES, Country, tax_id
from training.invent.invoices.words import WORDS, Article, Words
from training.invent.made_up import made_up

_CENT = Decimal("0.01")
_FIRST, _LAST = dt.date(2009, 1, 5), dt.date(2027, 12, 20)  # days on which invoices are written


@dataclass(frozen=True, slots=True)
class Party:
    """A company or person.

    Attributes:
        name: as it is printed.
        lines: of the address, without the name.
        tax_id: number as a tax payer, without blanks.
        iban: of its account; empty where the country has none.
        phone, email, contact: ways to reach it.
        salutation: line above the name, empty where there is none.
        attention: line below the name, empty where there is none.
        before: whether that line stands above the name instead.
        brand: what it is known by, where that is not its name; it is no label.
    """

    name: str
    lines: tuple[str, ...]
    tax_id: str
    iban: str
    phone: str
    email: str
    contact: str
    salutation: str = ""
    attention: str = ""
    before: bool = False
    brand: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One position.

    Attributes:
        description: what is sold, on one line.
        details: lines below it.
        code: of the article, empty where there is none.
        quantity, unit, price: how much of it, and what one costs, without tax.
        discount: in per cent of quantity x price, 0 for none.
        extra: a charge, or a deduction below zero, that is printed below and is part of the amount.
        rate: of its tax in per cent.
        amount: quantity x price less the discount, rounded to cents, and the extra.
        section: heading above it, empty where it is that of the item before.
    """

    description: str
    details: tuple[str, ...]
    code: str
    quantity: Decimal
    unit: str
    price: Decimal
    discount: Decimal
    extra: Decimal
    rate: Decimal
    amount: Decimal
    section: str


@dataclass(frozen=True, slots=True)
class Tax:
    """The tax of one rate: ``amount`` is ``rate`` per cent of ``base``, rounded to cents.

    One that stands beside another on the same base has its ``name``.
    """

    rate: Decimal
    base: Decimal
    amount: Decimal
    name: str = ""


@dataclass(frozen=True, slots=True)
class Invoice:
    """An invoice or credit note; the amounts of many credit notes are negative.

    Attributes:
        country: of the vendor.
        currency: of all amounts, ISO 4217.
        vendor, customer: who bills whom.
        recipient: of the goods, where that is somebody else.
        number, date, due, order, customer_id, reference: of the document; None for what it lacks.
        terms: days until payment is due, where the terms are said in words.
        service: first and last day of what was delivered; one day for both.
        items: positions in their order.
        taxes: by rate; empty where the supply is exempt.
        discount: on the sum of the items; negative or zero.
        charge: for shipping and the like, added to the sum of the items.
        prepaid: what was paid already.
        previous: what the bill before came to, and was paid since; 0 for what is no bill.
        is_credit: whether it is a credit note.
        gross: whether prices, and so the amounts of the items, include the tax.
        is_order: whether it is a purchase order: `vendor`, who writes it, buys from `customer`.
        levies: what is added to net and tax, or withheld, each with what it is called.
    """

    country: Country
    currency: str
    vendor: Party
    customer: Party
    recipient: Party | None
    number: str
    date: dt.date
    due: dt.date | None
    terms: int | None
    order: str | None
    customer_id: str | None
    reference: str
    service: tuple[dt.date, dt.date] | None
    items: tuple[Item, ...]
    taxes: tuple[Tax, ...]
    discount: Decimal
    charge: Decimal
    prepaid: Decimal
    previous: Decimal
    is_credit: bool
    gross: bool
    is_order: bool = False
    levies: tuple[tuple[str, Decimal], ...] = ()

    @property
    def words(self) -> Words:
        """The vocabulary of its language."""
        return WORDS[self.country.language]

    @property
    def sum_of_items(self) -> Decimal:
        """What the positions add up to."""
        return sum((item.amount for item in self.items), Decimal(0))

    @property
    def subtotal(self) -> Decimal:
        """The sum without tax, after the discount and the charge."""
        whole = self.sum_of_items + self.discount + self.charge
        return whole - self.total_tax if self.gross else whole

    @property
    def total_tax(self) -> Decimal:
        """The sum of the taxes."""
        return sum((tax.amount for tax in self.taxes), Decimal(0))

    @property
    def total(self) -> Decimal:
        """The sum with tax, and whatever else is added or withheld."""
        return self.subtotal + self.total_tax + sum((a for _, a in self.levies), Decimal(0))

    @property
    def amount_due(self) -> Decimal:
        """What is still to be paid."""
        return self.total - self.prepaid


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
    count = count or rng.choice(_COUNTS)
    sign = -1 if is_credit and has("negative") else 1
    items = _items(rng, country, words, sign, count, code, has)
    discount = Decimal(0)
    base = sum((item.amount for item in items), Decimal(0))
    if has("discount"):
        discount = -_round(base * Decimal(rng.choice(("2", "3", "5", "10"))) / 100)
    charge = Decimal(0)
    if has("charge") and not is_credit:
        charge = Decimal(rng.choice(("4.90", "5.95", "9.50", "12.00", "15.00", "29.90", "48.00")))
    shared = taxed and not gross and country.shared and has("shared")
    if shared:
        names = rng.choice(country.shared)
        rate = sum((Decimal(share) for _, share in names), Decimal(0))
        items = tuple(replace(item, rate=rate) for item in items)
        taxes = _shared_taxes(base + discount + charge, names)
    else:
        taxes = _taxes(items, base, discount + charge, gross=gross) if taxed else ()
    added = Decimal(0) if gross else sum((tax.amount for tax in taxes), Decimal(0))
    total = base + discount + charge + added
    prepaid = Decimal(0)
    if has("prepaid") and not is_credit:
        prepaid = _round(total * Decimal(rng.choice(("1", "0.5", "0.3", "0.25"))))
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
        vendor = replace(vendor, brand=_brand(rng, vendor, country))
    customer = draw_party(rng, neighbour, private=has("private"), addressed=True)
    return Invoice(
        country=country,
        currency=rng.choice(("USD", "EUR", "GBP", "CHF")) if foreign else country.currency,
        vendor=vendor,
        customer=customer,
        recipient=draw_party(rng, neighbour) if has("recipient") else None,
        number=_number(rng, date),
        date=date,
        due=date + dt.timedelta(days=terms) if manner < 0.62 else None,
        terms=terms if 0.5 < manner < 0.88 else None,
        order=_number(rng, date) if has("order") else None,
        customer_id=_account(rng, customer.name) if has("customer_id") else None,
        reference=_number(rng, date),
        service=(begin, begin + dt.timedelta(days=span)) if has("service") else None,
        items=items,
        taxes=taxes,
        discount=discount,
        charge=charge,
        prepaid=prepaid,
        previous=_round(total * rng.randrange(60, 140) / 100) if is_bill else Decimal(0),
        is_credit=is_credit,
        gross=gross,
    )


def draw_party(
    rng: random.Random, country: Country, *, private: bool = False, addressed: bool = False
) -> Party:
    """Return a company of a country, or a private person.

    Args:
        rng: source of all chance.
        country: where it sits.
        private: a person.
        addressed: a letter goes there: with a salutation or somebody's attention here and there.
    """
    captions = WORDS[country.language].captions
    faker = made_up(country.faker)
    faker.seed_instance(rng.getrandbits(48))
    lines = [line.strip(" ,") for line in faker.address().splitlines() if line.strip(" ,")]
    account = faker.iban() if country.has_iban else ""
    if rng.random() < 0.2:
        land = str(Locale.parse(country.locale).territories[country.code])
        lines.append(f"{land} - {faker.city()}" if rng.random() < 0.1 else land)
    if rng.random() < 0.2:
        for _ in range(rng.choice((1, 1, 2, 3))):
            lines.insert(rng.randrange(2), _part_of_building(rng))
    if rng.random() < 0.1:
        lines = [line.upper() for line in lines]
    salutation = attention = ""
    if addressed and rng.random() < (0.5 if private else 0.1):
        salutation = rng.choice(captions["salutation"])
    if addressed and not private and rng.random() < 0.45:
        wording = rng.choice((*captions["attn"], "{name}", "{name}"))
        attention = wording.format(name=faker.name())
    return Party(
        name=faker.name() if private else _company(rng, faker, country),
        lines=tuple(lines),
        tax_id=tax_id(country, rng),
        iban=account,
        phone=faker.phone_number(),
        email=faker.company_email(),
        contact=faker.name(),
        salutation=salutation,
        attention=attention,
        before=rng.random() < 0.2,
    )


def _part_of_building(rng: random.Random) -> str:
    form = rng.choice(("{} {}", "{} {}", "{}{}", "{}-{}"))
    part = rng.choice(("Suite", "Block", "Tor", "Hall", "Box", "Building", "Unit", "Level", "Apt."))
    return form.format(part, rng.choice((rng.randrange(1, 400), rng.choice("ABCDEFK"))))


LEGAL_FORMS = {
    "de": ("GmbH", "GmbH & Co. KG", "AG", "e.K.", "KG", "UG (haftungsbeschränkt)", "OHG"),
    "fr": ("SARL", "SAS", "SA", "EURL", "et Fils", "SASU"),
    "en": ("Ltd", "Limited", "LLC", "Inc.", "PLC", "& Sons", "Group", "Co."),
    "es": ("S.L.", "S.A.", "S.L.U.", "S. Coop.", "S.A. de C.V."),
    "it": ("S.r.l.", "S.p.A.", "S.n.c.", "di {last} {first}", "S.a.s."),
    "nl": ("B.V.", "N.V.", "VOF", "Holding B.V."),
    "pl": ("Sp. z o.o.", "S.A.", "Sp. j.", "s.c."),
    "pt": ("Lda.", "S.A.", "Unipessoal Lda.", "& Filhos, Lda."),
}
# Words of names that stand in front of, or behind, the name of a family or a place.
_CRAFTS = {
    "de": ("Autohaus", "Malerbetrieb", "Stadtwerke", "Hotel", "Praxis", "Kanzlei", "Bäckerei",
           "Grundbesitz", "Verkehrsbetriebe", "Elektro", "Sanitär", "Ingenieurbüro", "Druckerei",
           "Fahrschule", "Taxi", "Gemeinde", "Verein", "Apotheke", "Hausverwaltung", "Musikschule"),
    "en": ("Plumbing & Heating", "Consulting", "Hotel", "City of", "Garage", "Clinic", "Studio",
           "Energy", "Telecom", "Logistics", "Bakery", "Law Offices of", "University", "Motors",
           "Dental Care", "Web Design", "Cleaning Services", "Landscaping", "Trust", "Supplies"),
    "fr": ("Atelier", "Mairie de", "Hôtel", "Cabinet", "Garage", "Boulangerie", "Transports",
           "Communauté de communes de", "Imprimerie", "Plomberie", "Syndic", "Énergie"),
    "es": ("Talleres", "Ayuntamiento de", "Hotel", "Clínica", "Gestoría", "Panadería",
           "Transportes", "Imprenta", "Fontanería", "Energía", "Farmacia", "Asociación"),
    "it": ("Officina", "Comune di", "Albergo", "Studio", "Autotrasporti", "Panificio", "Tipografia",
           "Condominio", "Energia", "Idraulica", "Farmacia", "Ristorante"),
    "nl": ("Garage", "Gemeente", "Hotel", "Praktijk", "Bakkerij", "Transport", "Drukkerij",
           "Installatiebedrijf", "Stichting", "Energie", "Apotheek", "Schildersbedrijf"),
    "pl": ("Zakład", "Gmina", "Hotel", "Kancelaria", "Piekarnia", "Transport", "Drukarnia",
           "Przedsiębiorstwo", "Fundacja", "Energia", "Apteka", "Usługi"),
    "pt": ("Oficina", "Câmara Municipal de", "Hotel", "Clínica", "Padaria", "Transportes",
           "Gráfica", "Condomínio", "Energia", "Canalizações", "Farmácia", "Restaurante"),
}  # fmt: skip
_TRADES = (
    *("Nova", "Tek", "Print", "Alpin", "Delta", "Orbit", "Metall", "Bau", "Clima", "Data", "Eco"),
    *(
        "Fresh",
        "Hydro",
        "Inter",
        "Logi",
        "Medi",
        "Office",
        "Pack",
        "Solar",
        "Trans",
        "Vita",
        "Wood",
    ),
)
_FIRST_WORDS = (
    *("Northern", "United", "Bright", "Silver", "First", "Smart", "Blue", "Grand", "Modern"),
    *("Pacific", "Central", "Royal", "Summit", "Harbor", "Green", "Swift", "Noble", "Metro"),
)
_MIDDLE_WORDS = (
    *("Retail", "Digital", "Food", "Travel", "Garden", "Power", "Media", "Safety", "Freight"),
    *("Fashion", "Marine", "Health", "Paper", "Sport", "Tool", "Coffee", "Glass", "Event"),
)
_LAST_WORDS = (
    *("Services", "Systems", "Partners", "International", "Works", "Company", "Holding", "Corp."),
    *("Trading", "Store", "Labs", "Agency", "Consultants", "Industries", "Online", ""),
)


def _company(rng: random.Random, faker: Faker, country: Country) -> str:
    """Return a company's name: Faker's, or one of parts, in several ways of writing."""
    manner = rng.random()
    if manner < 0.12:  # plain words, as in every country
        words = (rng.choice(_FIRST_WORDS), rng.choice(_MIDDLE_WORDS), rng.choice(_LAST_WORDS))
        name = " ".join(words[rng.choice((0, 0, 1)) :]).strip()
    elif manner < 0.35:
        name = str(faker.company())
    elif manner < 0.6:
        craft = rng.choice(_CRAFTS[country.language])
        family = str(rng.choice((faker.last_name, faker.city))())
        name = rng.choice((f"{craft} {family}", f"{family} {craft}", f"{craft} {faker.name()}"))
        if rng.random() < 0.4:
            name = f"{name} {rng.choice(LEGAL_FORMS[country.language][:3])}"
    else:
        last, first = str(faker.last_name()), str(faker.first_name())
        trade = rng.choice(_TRADES) + rng.choice(
            ("", "line", "werk", "med", "tech", "a", "is", "co")
        )
        stem = rng.choice(
            (last, f"{last} {trade}", f"{trade} {last}", f"{last} & {faker.last_name()}", trade)
        )
        form = rng.choice(LEGAL_FORMS[country.language]).format(last=last, first=first)
        name = f"{stem} {form}"
    if rng.random() < 0.12:
        name = name.upper()
    return name


def _brand(rng: random.Random, vendor: Party, country: Country) -> str:
    """Return what a company is known by: its name without its legal form, a part, or another."""
    core = vendor.name
    for form in sorted(LEGAL_FORMS[country.language], key=len, reverse=True):
        core = core.removesuffix(f" {form}").removesuffix(f" {form.upper()}").rstrip(" ,")
    craft = rng.choice(_CRAFTS[country.language])
    other = f"{rng.choice(_FIRST_WORDS)} {rng.choice(_MIDDLE_WORDS)}"
    made = rng.choice(_TRADES) + rng.choice(("line", "werk", "med", "tech", "is", "co", "io"))
    place = vendor.lines[-1].split()[-1].title()
    brand = rng.choice(
        (core, core, core.split()[0], f"{core.split()[0]}.", f"{craft} {place}", other, made)
    )
    if brand == vendor.name:
        brand = made
    return rng.choice((brand, brand, brand.upper(), brand.lower()))


_COUNTS = (*(1, 2, 3) * 4, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 12, 15, 18, 24, 32, 45, 70)


def _items(
    rng: random.Random,
    country: Country,
    words: Words,
    sign: int,
    count: int,
    code: Callable[[], str] | None,
    has: Callable[[str], bool],
) -> tuple[Item, ...]:
    has_code, has_detail = has("codes"), has("details")
    most_details = rng.choice((1, 1, 2, 3, 5))
    has_long = has("long")
    has_discount, has_sections = has("rebates"), count > 4 and has("sections")
    has_extra, has_credit = has("extras"), sign > 0 and code is None and has("deduction")
    mixed = len(country.rates) > 1 and has("rates")
    scheme = rng.choice(
        ("A-{:05d}", "{:06d}", "{:04d}.{:02d}", "ART{:04d}", "{:02d}-{:04d}-X", "{:08d}")
    )
    sold: list[Article] = []
    while len(sold) < count:  # no article twice, until all were sold
        sold += rng.sample(words.articles, min(count - len(sold), len(words.articles)))
    found = []
    for place, article in enumerate(sold):
        quantity, price = _quantity(rng, article, has), _price(rng, article)
        discount = Decimal(rng.choice(("0", "0", "5", "10", "15"))) if has_discount else Decimal(0)
        extra = Decimal(0)
        if has_extra and rng.random() < 0.6:
            extra = sign * _round(price * rng.choice((-5, -10, 5, 12)) / 100)
        amount = _round(sign * quantity * price * (100 - discount) / 100) + extra
        rate = rng.choice(country.tax_rates) if mixed else country.tax_rates[0]
        begins = has_sections and (place == 0 or rng.random() < 0.25)
        found.append(
            Item(
                description=_specified(rng, country, words, article.name)
                if has_long
                else article.name,
                details=_details(rng, words, most_details, price) if has_detail else (),
                code=code() if code is not None else _code(rng, scheme) if has_code else "",
                quantity=sign * quantity,
                unit=article.unit,
                price=price,
                discount=discount,
                extra=extra,
                rate=rate,
                amount=amount,
                section=rng.choice(words.sections) if begins else "",
            )
        )
    if has_credit:
        found.append(_credit(rng, words, found))
    return tuple(found)


def _credit(rng: random.Random, words: Words, items: list[Item]) -> Item:
    """Return a position that takes off a part of what the others come to."""
    share = rng.choice((2, 3, 5, 10))
    price = -_round(sum((item.amount for item in items), Decimal(0)) * share / 100)
    name = rng.choice(words.captions["total_discount"])
    return replace(
        items[-1],
        description=rng.choice(
            (name, f"{name} {share} %", f"{name} - {rng.choice(words.details)}")
        ),
        details=(),
        code="",
        quantity=Decimal(1),
        price=price,
        discount=Decimal(0),
        extra=Decimal(0),
        amount=price,
        section="",
    )


def _code(rng: random.Random, scheme: str) -> str:
    if scheme.count("{") == 2:
        return scheme.format(rng.randrange(100), rng.randrange(10_000))
    return scheme.format(rng.randrange(10_000))


def _specified(rng: random.Random, country: Country, words: Words, name: str) -> str:
    """Return a description that says more: a size, a pack, a period, a model, or a remark."""
    for _ in range(rng.choice((0, 1, 1, 1, 2))):
        fraction = f"{rng.randrange(10)}{country.decimal}{rng.choice('257')}"
        more = rng.choice(
            (
                f"{rng.randrange(1, 20) * 50} g",
                f"{rng.randrange(1, 40) * 25}ml",
                f"{rng.choice((4, 6, 10, 12, 20, 24))} x {fraction} l",
                f"{rng.choice((3, 5, 8))} x {rng.choice((10, 20, 50))}",
                f"{rng.randrange(20, 200)}x{rng.randrange(20, 200)} cm",
                f"- {rng.randrange(1, 13):02d}/{rng.randrange(2010, 2028)}",
                f"{rng.choice('ABKTX')}{rng.randrange(10, 9999)}",
                f"({rng.choice(words.details)})",
                f"- {rng.choice(words.details)}",
                f"{rng.choice(words.sections)} {rng.randrange(1, 9)}",
            )
        )
        name = f"{name} {more}"
    if rng.random() < 0.2:  # a size, a count or a word ahead
        ahead = rng.choice(
            (
                f"{rng.randrange(2, 60)} {rng.choice(('ft', 'm', 'cm', 'mm', 'l', 'kg', 'W'))}",
                f'{rng.randrange(2, 60)}"',
                f"{rng.randrange(2, 12)}{rng.choice(('-fold', '-pack', 'x', '/4', ' in 1'))}",
                f"{rng.choice(words.sections)} -",
                f"{rng.choice(words.sections)}:",
                f"{rng.choice('ABKTX')}{rng.randrange(10, 999)}",
            )
        )
        name = f"{ahead} {name}"
    return name


def _details(rng: random.Random, words: Words, most: int, price: Decimal) -> tuple[str, ...]:
    """Return lines below a position: words, codes, and figures that no column asks for."""
    found = []
    for _ in range(rng.randrange(most + 1)):
        caption = rng.choice(words.captions["detail"])
        figure = rng.choice(
            (
                f"{price * rng.randrange(2, 9) / 4:.2f}",
                f"{rng.randrange(10**7, 10**13)}",
                f"{rng.randrange(1, 40)} %",
                f"{rng.choice('ABCDKLX')}{rng.randrange(10, 99_999)}",
            )
        )
        said = f"{caption}: {figure}"
        more = f"{said} {rng.choice(words.captions['detail'])} {rng.randrange(1, 9)}"
        found.append(rng.choice((rng.choice(words.details), said, more)))
    return tuple(found)


def _quantity(rng: random.Random, article: Article, has: Callable[[str], bool]) -> Decimal:
    if article.high < 1:  # energy
        return Decimal(rng.randrange(40, 9000))
    if not has("bulk"):
        usual = Decimal(rng.choice((1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 10, 12, 20)))
        return usual + Decimal(rng.choice((0, 0, 25, 50, 75))) / 100 if article.fine else usual
    if article.fine:
        return Decimal(rng.choice((rng.randrange(2, 96) * 25, rng.randrange(1, 40) * 100))) / 100
    if article.high <= 100:
        return Decimal(rng.choice((1, 2, 3, 4, 5, 6, 10, 12, 20, 24, 25, 50, 100, 250, 1000)))
    return Decimal(rng.choice((1, 1, 1, 1, 2, 3, 4, 5, 10, 12)))


def _price(rng: random.Random, article: Article) -> Decimal:
    price = Decimal(str(round(rng.uniform(article.low, article.high), 2)))
    manner = rng.random()
    if manner < 0.3:
        return max(Decimal(1), price.to_integral_value())
    if manner < 0.5:
        return price.to_integral_value() + Decimal(rng.choice(("0.90", "0.95", "0.99", "0.50")))
    if manner < 0.54 and article.high <= 100:
        return price + Decimal(rng.randrange(1, 100)) / 10_000
    return _round(price)


def _taxes(
    items: tuple[Item, ...], base: Decimal, discount: Decimal, *, gross: bool
) -> tuple[Tax, ...]:
    """Return the taxes by rate, the discount shared out by what each rate has of the base."""
    rates = sorted({item.rate for item in items}, reverse=True)
    bases = {
        rate: sum((item.amount for item in items if item.rate == rate), Decimal(0))
        for rate in rates
    }
    shares = {rate: _round(discount * bases[rate] / base) if base else Decimal(0) for rate in rates}
    shares[rates[0]] += discount - sum(shares.values())  # cents lost in rounding
    found = []
    for rate in rates:
        part = bases[rate] + shares[rate]
        net = _round(part * 100 / (100 + rate)) if gross else part
        found.append(Tax(rate, net, part - net if gross else _round(net * rate / 100)))
    return tuple(found)


def _shared_taxes(base: Decimal, names: tuple[tuple[str, str], ...]) -> tuple[Tax, ...]:
    """Return taxes that stand one beside the other on the same sum."""
    rates = ((name, Decimal(rate)) for name, rate in names)
    return tuple(Tax(rate, base, _round(base * rate / 100), name) for name, rate in rates)


def _round(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, ROUND_HALF_UP)


def _account(rng: random.Random, name: str) -> str:
    """Return the number that a customer has with a vendor, or a code made from its name."""
    if rng.random() < 0.15:
        letters = "".join(filter(str.isalpha, name))[: rng.choice((3, 3, 4, 5))].upper()
        return f"{letters}{rng.choice(('', '', '-'))}{rng.randrange(1, 99):0{rng.choice((2, 3))}d}"
    if rng.random() < 0.25:  # as meters and contracts are numbered
        parts = [str(rng.randrange(10, 10_000)) for _ in range(rng.choice((2, 3, 3, 4)))]
        return rng.choice((" ", " ", "-", ".")).join(parts)
    form = rng.choice(("{}", "{}", "K{}", "C-{}", "D{}", "10{}", "CUST-{}", "0000{}", "{}/01"))
    return form.format(rng.randrange(100, 99_999))


def _number(rng: random.Random, date: dt.date) -> str:
    """Return the number of a document, in one of many forms."""
    serial, year = rng.randrange(1, 10 ** rng.randrange(2, 7)), date.year
    forms = (
        f"{serial}",
        f"{serial:06d}",
        f"{year}-{serial:04d}",
        f"{year}/{serial}",
        f"R{serial:05d}",
        f"RE-{year}-{serial:04d}",
        f"INV-{serial:05d}",
        f"{year % 100}{serial:05d}",
        f"F{year}-{serial:03d}",
        f"{serial}/{date.month:02d}/{year}",
        f"FV/{serial}/{year}",
        f"{year}{date.month:02d}{serial:03d}",
        f"SI{serial:07d}",
        f"{rng.choice('ABCDEFX')}{serial:04d}-{rng.randrange(1, 9)}",
        f"{serial:04d}.{year % 100}",
        f"FA {year} {serial:04d}",
        f"{rng.randrange(10**9, 10**10)}",
        f"FT A/{serial}",
        f"{rng.randrange(1, 100)}",
        f"#{serial}",
        f"#INV{serial:05d}",
        f"{rng.choice('ABDEKRS')}{year}{date.month:02d}{date.day:02d}{serial:05d}",
        f"RE-{year}{date.month:02d}{date.day:02d}/{serial}",
        f"{rng.choice('RGEFK')}{year % 100}-{serial}",
        f"{rng.randrange(10**8, 10**10)}/{rng.randrange(100):02d}/{rng.choice('AMNX')}/00",
        f"{rng.randrange(10**6, 10**8)}{rng.choice('ABDHK')}",
        f"{rng.randrange(100, 999)} {rng.randrange(100, 999)} {rng.randrange(100, 999)}",
        f"{rng.choice(('TX', 'DOC', 'BL', 'VR', 'SR', 'AR'))}-{serial}",
        f"{rng.randrange(10**12, 10**15)}",
    )
    return rng.choice(forms)
