"""Who sells and where, as the head of a receipt names it: brands, owners, operators, addresses."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from faker import Faker

from training.invent.invoices.countries import Country
from training.invent.receipts.countries import LEGAL_FORMS
from training.invent.receipts.words import WORDS

COMPANY = "{}"
"""Stands for the company in a line of the head."""
_SYLLABLES = (
    *("ba", "ber", "bo", "cal", "co", "da", "del", "do", "fa", "fen", "go", "ka", "kor", "la"),
    *("lin", "lo", "ma", "mer", "mi", "na", "no", "or", "pa", "per", "po", "qui", "ra", "ri"),
    *("sa", "sel", "so", "ta", "ten", "ti", "to", "tra", "va", "ver", "vi", "wen", "xa", "zo"),
)
_BETWEEN = (" - ", " - ", " · ", ", ", " | ", " / ", "  ", " – ", " * ")  # names in one line
_PARTNERS = ("S.n.c. di {last} {first} & C.", "S.a.s. di {last} {first}", "S.a.s. di {last} & C.")
_CAPTIONED = re.compile(r"([^{}]*: ?)(?:\{first\} \{last\}|\{last\} \{first\})")  # owners
# What shops of a kind are called in most languages.
_CALLED = {
    "parking": re.compile(r"p[ay]r[kqc]|otopark|garage|pysäk", re.IGNORECASE),
    "fuel": re.compile(
        r"tank|sta[tz]ion|stacj|gasol|posto|bensin|benz|čerpac|huoltoas|petrol", re.IGNORECASE
    ),
    "folio": re.compile(r"h[oô]te|otel|albergo|hof|inn\b|szálló", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class Names:
    """Who sells.

    Attributes:
        company: as it is labelled: the name with the legal form where there is one; of a brand
            and a person or family that owns it, the brand; of a brand and a legal entity that runs
            it, the entity.
        lines: of the head; `COMPANY` stands in one of them for it.
    """

    company: str
    lines: tuple[str, ...]


def draw_brand(rng: random.Random) -> str:
    """Return a made-up name."""
    return "".join(rng.choices(_SYLLABLES, k=rng.choice((2, 2, 3)))).capitalize()


def draw_names(rng: random.Random, faker: Faker, country: Country, kind: str) -> Names:
    """Return who sells.

    Args:
        rng: source of all chance.
        faker: makes up people and places.
        country: of the shop.
        kind: of paper, a key of `training.invent.receipts.sold.KINDS`.
    """
    last, first = str(faker.last_name()), str(faker.first_name())
    place, brand = str(faker.city()), draw_brand(rng)
    shop = _wording(rng, country, kind).format(last=last, first=first, place=place, brand=brand)
    if kind == "ride" and rng.random() < 0.6:
        shop = rng.choice(("Taxi {0}", "Taxi {1}", "{1} Taxi", "Taxi {2}", "{1} Cab")).format(
            last, brand, place
        )
    legal = _legal_form(rng, country).format(last=last, first=first)
    manner = rng.random()
    if manner < 0.30:
        return Names(f"{shop} {legal}", (COMPANY,))
    if manner < 0.52:
        return Names(shop, (COMPANY,))
    if manner < 0.59:
        return Names(str(faker.company()), (COMPANY,))
    owners = WORDS[country.language]["owner"]
    if manner < 0.80:
        owner = rng.choice(owners)
        owner = owner.format(last=rng.choice((last, faker.last_name())), first=first)
        return Names(shop, _beside(rng, COMPANY, owner, above=0.15))
    operator = rng.choice((last, draw_brand(rng), f"{last} & {faker.last_name()}", place))
    captions = [found[1] for found in map(_CAPTIONED.fullmatch, owners) if found]
    caption = ""
    if captions and rng.random() < 0.3:
        caption = rng.choice(captions)
    return Names(f"{operator} {legal}", _beside(rng, shop, f"{caption}{COMPANY}", above=0.2))


def draw_address(rng: random.Random, faker: Faker, country: Country) -> tuple[str, ...]:
    """Return the lines of an address; of a tenth of the shops there is none."""
    if rng.random() < 0.1:
        return ()
    latin = _LATIN.get(country.code)
    if latin is not None and rng.random() < 0.7:
        lines = _latin_address(rng, faker, *latin)
    else:
        lines = [line.strip(" ,") for line in str(faker.address()).splitlines() if line.strip(" ,")]
    if rng.random() < 0.15:
        parts = ("Shop {}", "Unit {}", "Local {}", "Level {}", "Stand {}", "Suite {}", "Halle {}")
        lines.insert(0, rng.choice(parts).format(rng.randrange(1, 90)))
    manner = rng.random()
    if manner < 0.3:
        lines = [rng.choice((", ", " - ", ", ", " ")).join(lines)]
    elif manner < 0.4 and len(lines) > 1:
        lines = [f"{line}," for line in lines[:-1]] + lines[-1:]
    return tuple(lines)


def _wording(rng: random.Random, country: Country, kind: str) -> str:
    shops = WORDS[country.language]["shop"]
    called = _CALLED.get(kind)
    fitting = [shop for shop in shops if called and called.search(shop)]
    return rng.choice(fitting if fitting and rng.random() < 0.6 else shops)


def _legal_form(rng: random.Random, country: Country) -> str:
    """Return a legal form; a partner's name alone ("di Rossi Mario") is none."""
    forms = [form for form in LEGAL_FORMS[country.language] if not form.startswith("di ")]
    return rng.choice((*forms, *_PARTNERS) if country.language == "it" else forms)


def _beside(rng: random.Random, brand: str, other: str, *, above: float) -> tuple[str, ...]:
    """Return a brand and who is behind it, in two lines or in one."""
    manner = rng.random()
    if manner < above:
        return (other, brand)
    if manner < above + 0.25:
        between = " " if other[0].islower() and rng.random() < 0.7 else rng.choice(_BETWEEN)
        return (f"{brand}{between}{other}",)
    return (brand, other)


# fmt: off
_LATIN = {  # streets with numbers, rooms, and towns
    "CO": (
        ("Cra {0} # {1}-{2}", "Cra. {3}A # {1}-{2}", "Calle {1} No. {0}-{2}",
         "Cl {1} # {0} - {2}", "Av. Cra {0} # {1}-{2}", "KR {0} {1} {2}",
         "Carrera {0} N° {1}-{2}", "Dg {1} #{0}-{2}"),
        ("Local {0}", "Of. {0}", "Int. {0}", "Piso {3}", "Bodega {0}"),
        ("Bogotá D.C.", "Medellín", "Cali - Valle", "Barranquilla", "{town}", "{town}, Colombia"),
    ),
    "CL": (
        ("Av. {name} {4}", "{name} {4}", "Avda. {name} N° {4}", "Av. {name} #{4}", "{name} Nº {4}"),
        ("Of. {0}", "Local {0}", "Depto. {0}", "Piso {3}", "Loc. {0}-{3}"),
        ("{town}", "{town}, Santiago", "Santiago", "{town} - Santiago", "Comuna {town}"),
    ),
    "MX": (
        ("Av. {name} {4}", "Calle {name} No. {4}", "{name} #{4}", "Blvd. {name} No. {4}",
         "Calle {0} No. {4}", "Calz. {name} {4}"),
        ("Int. {0}", "Local {0}", "Col. {name}", "Col. Centro", "Piso {3}", "Col. {name} C.P. {5}"),
        ("C.P. {5} {town}", "{town}, C.P. {5}", "CDMX {5}", "C.P. {5}, Guadalajara, Jal."),
    ),
}
# fmt: on


def _latin_address(
    rng: random.Random,
    faker: Faker,
    streets: tuple[str, ...],
    rooms: tuple[str, ...],
    towns: tuple[str, ...],
) -> list[str]:
    """Return a street, often a room, and mostly a town, as shops of Latin America print them."""
    numbers = (
        *(rng.randrange(1, 180), rng.randrange(1, 150), rng.randrange(1, 99)),
        *(rng.randrange(1, 12), rng.randrange(10, 9999), rng.randrange(10_000, 99_999)),
    )

    def filled(text: str) -> str:
        return text.format(*numbers, name=faker.last_name(), town=faker.city())

    street = filled(rng.choice(streets))
    lines = [street]
    if rng.random() < 0.4:
        room = filled(rng.choice(rooms))
        lines = [f"{street} {room}"] if rng.random() < 0.6 else [street, room]
    if rng.random() < 0.85:
        town = filled(rng.choice(towns))
        lines = (
            [f"{lines[0]}, {town}"] if len(lines) == 1 and rng.random() < 0.3 else [*lines, town]
        )
    return lines
