"""A design: a page with blanks, and above it in TOML what its company is, sells and prints."""

from __future__ import annotations

import datetime as dt
import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import MappingProxyType

from pydantic import ValidationError

from training.invent.invoices.content import Invoice, Party
from training.invent.invoices.countries import Country
from training.invent.invoices.designs.head import OPTIONAL, Head
from training.invent.invoices.designs.pattern import Pattern
from training.invent.invoices.drawing import USUAL, draw_invoice
from training.invent.invoices.drawing.taxes import rounded
from training.invent.invoices.words import WORDS, Words

PAGES = Path(__file__).parent / "pages"
"""Folder of the designs, a file each."""

_EDGE = "+++\n"  # above and below the TOML
_UNASKED = {"long": 0.1, "bulk": 0.15}  # what designs have without naming it


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
        odds = {what: self.odds.get(what, 0.0) for what in (*USUAL, *OPTIONAL)}
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
        chosen = {what: rng.random() < self.odds.get(what, 0.0) for what in OPTIONAL}
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


def read_design(path: Path) -> Design:
    """Read a design from its file.

    Raises:
        ValueError: its head is wrong; the text says what.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path.name}: it is not in UTF-8") from error
    if not text.startswith(_EDGE) or text.count(_EDGE) < 2:
        raise ValueError(f"{path.name}: it must begin with TOML between two lines of +++")
    head, body = text.removeprefix(_EDGE).split(_EDGE, 1)
    try:
        said = Head.model_validate(tomllib.loads(head))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        told = first["msg"].removeprefix("Value error, ")
        raise ValueError(f"{path.name}: {where}: {told}") from error
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path.name}: {error}") from error
    country = said.of_country()
    words = WORDS[country.language]
    return Design(
        name=path.stem,
        country=country,
        words=replace(
            words,
            articles=said.sold() or words.articles,
            details=said.details or words.details,
            sections=said.sections or words.sections,
        ),
        body=body,
        odds=MappingProxyType(said.odds),
        patterns=MappingProxyType(said.patterns()),
        items=said.items,
        span=said.span,
        levies=said.levies,
    )


@cache
def read_designs(folder: Path = PAGES) -> tuple[Design, ...]:
    """Read all designs of a folder, in the order of their names."""
    return tuple(read_design(path) for path in sorted(folder.glob("*.html")))


def _levy(much: str, net: Decimal) -> Decimal:
    if not much.endswith("%"):
        return Decimal(much)
    return rounded(net * Decimal(much.removesuffix("%")) / 100)
