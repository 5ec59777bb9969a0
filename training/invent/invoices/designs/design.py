"""A design: a page with blanks, and above it in TOML what its company is, sells and prints."""

from __future__ import annotations

import datetime as dt
import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from training.invent.invoices.content import Invoice, Party
from training.invent.invoices.countries import COUNTRIES, Country
from training.invent.invoices.drawing import USUAL, draw_invoice
from training.invent.invoices.words import WORDS, Words
from training.invent.invoices.words.base import read_articles
from training.invent.made_up import made_up

PAGES = Path(__file__).parent / "pages"
"""Folder of the designs, a file each."""

_EDGE = "+++\n"  # above and below the TOML
_OPTIONAL = ("due", "order", "customer_id", "service")
_COUNTRY = ("currency", "rates", "dates", "grouping", "decimal", "tax_id", "locale", "faker")
_UNASKED = {"long": 0.1, "bulk": 0.15}  # what designs have without naming it
_NEVER = {"extras", "bill", "private"}  # what no blank shows, or patterns say
_PATTERNS: tuple[str, ...] = (
    *("vendors", "brands", "vendor_lines", "customers", "customer_lines"),
    *("numbers", "orders", "accounts"),
)
_LISTS = ("articles", "details", "sections", "items", "span", "levies")
KEYS = frozenset({"country", "odds", *_PATTERNS, *_LISTS, *_COUNTRY})
"""What the head of a design may say."""

ODDS = frozenset({*USUAL, *_OPTIONAL} - _NEVER)
"""What a design may have odds of."""

_BLANK = re.compile(r"\{(\w+)\}|[#?]")


@dataclass(frozen=True, slots=True)
class Design:
    """A page with blanks.

    Attributes:
        name: of its file.
        country: of the vendor, with what the design has otherwise (a currency, say).
        words: what is sold.
        body: HTML with blanks, a template of Jinja.
        odds: of what its invoices have, as `USUAL`, with ``due``, ``order``, ``customer_id`` and
            ``service``; what is not named is never there.
        patterns: of names, lines of addresses and numbers, see `Pattern.fill`; one of several.
        items: least and most positions.
        span: least and most days from the first to the last of what was delivered.
        levies: what is added to net and tax or withheld: caption, and per cent of the net
            (``-15%``) or an amount.
    """

    name: str
    country: Country
    words: Words
    body: str
    odds: Mapping[str, float]
    patterns: Mapping[str, Sequence[str]]
    items: tuple[int, int]
    span: tuple[int, int]
    levies: tuple[tuple[str, str], ...]

    def draw(self, rng: random.Random) -> Invoice:
        """Return an invoice that the page can show; its sums hold."""
        odds = {what: self.odds.get(what, 0.0) for what in (*USUAL, *_OPTIONAL)}
        odds |= {"order": 1.0, "customer_id": 1.0, "service": 1.0}
        odds |= {what: self.odds.get(what, often) for what, often in _UNASKED.items()}
        invoice = draw_invoice(
            rng,
            (self.country.language,),
            count=rng.randint(*self.items),
            country=self.country,
            words=self.words,
            odds=odds,
        )
        chosen = {what: rng.random() < self.odds.get(what, 0.0) for what in _OPTIONAL}
        begin = invoice.date - dt.timedelta(days=rng.randrange(1, 35))
        service = (begin, begin + dt.timedelta(days=rng.randint(*self.span)))
        due = invoice.due or invoice.date + dt.timedelta(days=rng.choice((7, 10, 14, 20, 30, 60)))
        fill = Pattern(rng, self.country, invoice.date)
        number, order = fill.one(self.patterns, "numbers"), fill.one(self.patterns, "orders")
        account = fill.one(self.patterns, "accounts")
        return replace(
            invoice,
            vendor=self._party(rng, fill, invoice.vendor, "vendor"),
            customer=self._party(rng, fill, invoice.customer, "customer"),
            number=number or invoice.number,
            due=due if chosen["due"] else None,
            terms=None if chosen["due"] else invoice.terms,
            order=(order or invoice.order) if chosen["order"] else None,
            customer_id=(account or invoice.customer_id) if chosen["customer_id"] else None,
            service=service if chosen["service"] else None,
            levies=tuple((name, _levy(much, invoice.subtotal)) for name, much in self.levies),
        )

    def _party(self, rng: random.Random, fill: Pattern, party: Party, role: str) -> Party:
        name = fill.one(self.patterns, f"{role}s")
        lines = fill.one(self.patterns, f"{role}_lines")
        brand = fill.one(self.patterns, "brands") if role == "vendor" else ""
        return replace(
            party,
            name=name or party.name,
            lines=tuple(lines.split(" | ")) if lines else party.lines,
            brand=brand or party.brand,
        )


class Pattern:
    """Fills patterns: ``#`` is a digit, ``?`` a letter, ``{last}`` and the like a word.

    A pattern that has the same word twice has it twice; ``{last2}`` is another one.

    Args:
        rng: source of all chance.
        country: of people, places and companies.
        day: of the invoice, for ``{year}``, ``{yy}``, ``{month}`` and ``{day}``.
    """

    def __init__(self, rng: random.Random, country: Country, day: dt.date) -> None:
        self._rng, self._day = rng, day
        self._faker = made_up(country.faker)
        self._faker.seed_instance(rng.getrandbits(48))

    def one(self, patterns: Mapping[str, Sequence[str]], name: str) -> str:
        """Return one of the patterns of a name, filled; empty where there is none."""
        return self.fill(self._rng.choice(patterns[name])) if patterns.get(name) else ""

    def fill(self, pattern: str) -> str:
        """Return a pattern with all its blanks filled."""
        said: dict[str, str] = {}

        def word(blank: re.Match[str]) -> str:
            name = blank.group(1)
            if name is None:
                signs = "0123456789" if blank.group() == "#" else "ABCDEFGHKLMNPRSTUVWX"
                return self._rng.choice(signs)
            if name not in said:
                said[name] = self.word(name.rstrip("23"))
            return said[name]

        return _BLANK.sub(word, pattern)

    def word(self, name: str) -> str:
        """Return a word of a kind.

        Raises:
            ValueError: there is no such kind.
        """
        day, faker = self._day, self._faker
        dates = {
            "year": f"{day.year}",
            "yy": f"{day.year % 100:02d}",
            "month": f"{day.month:02d}",
            "day": f"{day.day:02d}",
        }
        if name in dates:
            return dates[name]
        kinds = {
            "last": faker.last_name,
            "first": faker.first_name,
            "name": faker.name,
            "city": faker.city,
            "street": faker.street_name,
            "company": faker.company,
            "postcode": faker.postcode,
            "phone": faker.phone_number,
            "email": faker.company_email,
        }
        if name not in kinds:
            raise ValueError(f"{{{name}}} is no blank: choose among {', '.join((*kinds, *dates))}")
        return " ".join(str(kinds[name]()).split())


def read_design(path: Path) -> Design:
    """Read a design from its file.

    Raises:
        ValueError: its head is wrong; the text says what.
    """
    text = path.read_text(encoding="utf-8")
    if not text.startswith(_EDGE) or text.count(_EDGE) < 2:
        raise ValueError(f"{path.name}: it must begin with TOML between two lines of +++")
    head, body = text.removeprefix(_EDGE).split(_EDGE, 1)
    said = tomllib.loads(head)
    odds = said.get("odds", {})
    unknown = {*(said.keys() - KEYS), *(odds.keys() - ODDS)}
    if unknown:
        raise ValueError(f"{path.name}: unknown {', '.join(sorted(unknown))}")
    country = _country(path.name, said)
    words = WORDS[country.language]
    patterns = {name: tuple(said[name]) for name in _PATTERNS if name in said}
    articles = read_articles("\n".join(said["articles"])) if "articles" in said else words.articles
    return Design(
        name=path.stem,
        country=country,
        words=replace(
            words,
            articles=articles,
            details=tuple(said.get("details", words.details)),
            sections=tuple(said.get("sections", words.sections)),
        ),
        body=body,
        odds=MappingProxyType(odds),
        patterns=MappingProxyType(patterns),
        items=tuple(said.get("items", (1, 8))),
        span=tuple(said.get("span", (0, 31))),
        levies=tuple((str(name), str(much)) for name, much in said.get("levies", ())),
    )


@cache
def read_designs(folder: Path = PAGES) -> tuple[Design, ...]:
    """Read all designs of a folder, in the order of their names."""
    return tuple(read_design(path) for path in sorted(folder.glob("*.html")))


def _country(name: str, said: Mapping[str, Any]) -> Country:
    """Return the country of a design: ``de-DE``, with what is otherwise there."""
    language, _, code = said["country"].partition("-")
    found = [c for c in COUNTRIES if (c.language, c.code) == (language, code)]
    if not found:
        known = ", ".join(f"{c.language}-{c.code}" for c in COUNTRIES)
        raise ValueError(f"{name}: country is one of {known}")
    changed: dict[str, Any] = {key: said[key] for key in _COUNTRY if key in said}
    for key in ("rates", "dates", "grouping"):
        if key in changed:
            changed[key] = tuple(changed[key])
    if "tax_id" in changed:
        changed["is_checked"] = False
    if "currency" in changed:
        changed["signs"] = (changed["currency"],)
    return replace(found[0], **changed)


def _levy(much: str, net: Decimal) -> Decimal:
    if not much.endswith("%"):
        return Decimal(much)
    return (net * Decimal(much.removesuffix("%")) / 100).quantize(Decimal("0.01"), ROUND_HALF_UP)
