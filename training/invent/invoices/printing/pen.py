"""Values and wordings as one document prints them, and a note of every labelled value.

What is printed is what is labelled: a value enters the labels where, and only where, its text is
written. Values that stand twice have two places and one label.
"""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from html import escape

from babel.dates import format_date

from training.invent.invoices.content import Invoice, Party
from training.invent.invoices.layouts import Layout

SCHEME = "value:"
"""Labelled texts are links to ``value:NUMBER`` while they are laid out: that tells their places."""

_OF_INVOICES = re.compile("invoice|bill|rechnung|fact?ur|parcella|fatur|fakt", re.IGNORECASE)
_OF_DAYS = re.compile(r"dat[aeu]|fecha|\b(?:vom|time)\b", re.IGNORECASE)
_OFTEN_BARE = ("PL", "IT", "PT", "BE", "GB")  # countries whose numbers stand without their code
_CNPJ = 14  # digits of a number of Brazil, which is written with its marks
_YEAR = re.compile(r"[ ,/-]*(?:'de' )?y+\.?")


@dataclass(frozen=True, slots=True)
class Printed:
    """A labelled value where it is printed.

    Attributes:
        name: of the field, or of the column within its group.
        group: name of the group, empty for fields of the document.
        row: of the group, from 0.
        value: as labels have it: ISO dates, plain decimals.
        text: as printed.
    """

    name: str
    group: str
    row: int
    value: str
    text: str


def cells(values: Iterable[str], tag: str = "td") -> str:
    """Return cells of a table, side by side."""
    return "".join(f"<{tag}>{value}</{tag}>" for value in values)


def heads(captions: Iterable[str]) -> str:
    """Return a row of a table that names its columns."""
    return f"<tr>{cells(map(escape, captions), 'th')}</tr>"


def headed(columns: Sequence[tuple[str, str]]) -> str:
    """Return two rows of a table: captions, and below them their values."""
    values = cells(value for _, value in columns)
    return f"{heads(caption for caption, _ in columns)}<tr>{values}</tr>"


@dataclass(slots=True)
class Pen:
    """Writes values and captions, the same wording each time; keeps what was printed.

    Attributes:
        invoice, layout: what is written, and how.
        rng: chooses among wordings.
        printed: the labelled values so far, by their number.
        sign: of the currency; empty where none is printed.
    """

    invoice: Invoice
    layout: Layout
    rng: random.Random
    printed: list[Printed] = field(default_factory=list)
    sign: str = ""
    _wordings: dict[str, str] = field(default_factory=dict)
    _grouping: str = ""
    _date_form: str = ""
    _percent_sign: str = ""

    def __post_init__(self) -> None:
        country = self.invoice.country
        own = self.invoice.currency == country.currency
        self.sign = self.rng.choice(country.signs if own else (self.invoice.currency,))
        self._grouping = self.rng.choice(country.grouping) if self.layout.grouped else ""
        self._date_form = self.rng.choice(country.dates)
        self._percent_sign = self.rng.choice(("%", " %"))

    def value(
        self, name: str, value: str, text: str | None = None, group: str = "", row: int = 0
    ) -> str:
        """Print a labelled value, as labels have it where no text says otherwise."""
        text = value if text is None else text
        self.printed.append(Printed(name, group, row, value, " ".join(text.split())))
        number = len(self.printed) - 1
        return f'<a href="{SCHEME}{number}">{escape(text)}</a>'

    def number(self, amount: Decimal, places: int = 2) -> str:
        """Return a number as the country writes it, with so many decimals at least."""
        exponent = amount.normalize().as_tuple().exponent
        assert isinstance(exponent, int)  # all numbers are finite
        whole, point, rest = f"{abs(amount):,.{max(places, -exponent)}f}".partition(".")
        decimal = self.invoice.country.decimal if point else ""
        return self._signed(f"{whole.replace(',', self._grouping)}{decimal}{rest}", amount)

    def _signed(self, shown: str, amount: Decimal) -> str:
        return self.layout.minus.replace("5", shown) if amount < 0 else shown

    def money(self, amount: Decimal, *, total: bool = False, places: int = 2) -> str:
        """Return an amount with its currency's sign, where the layout prints one."""
        shown = self.number(abs(amount), places)
        manner = "after" if total and self.layout.money in ("head", "none") else self.layout.money
        if not self.sign or manner in ("head", "none"):
            return self._signed(shown, amount)
        if manner == "before":
            space = "" if self.sign in "$£€" else " "
            return self._signed(f"{self.sign}{space}{shown}", amount)
        return f"{self._signed(shown, amount)} {self.sign}"

    def date(self, day: dt.date, pattern: str | None = None) -> str:
        """Return a date as the document writes it, or by a pattern of Babel's."""
        form = pattern or self._date_form
        return str(format_date(day, form, locale=self.invoice.country.locale))

    def day(self, name: str, day: dt.date, pattern: str | None = None) -> str:
        """Print a labelled date."""
        return self.value(name, day.isoformat(), self.date(day, pattern))

    def caption(self, role: str, **values: str) -> str:
        """Return the caption of a role: the same wording each time."""
        if role not in self._wordings:
            wording = self.rng.choice(self.apt(self.invoice.words.captions[role]))
            if "{rate}" in wording and "rate" not in values:
                wording = self.invoice.words.captions[role][0]
            if self.layout.second and role in ("number", "date", "due", "total", "description"):
                from training.invent.invoices.words.english import ENGLISH

                wording = f"{wording} / {ENGLISH.captions[role][0]}"
            self._wordings[role] = wording.upper() if self.layout.shouts else wording
        wording = self._wordings[role].replace("{RATE}", "{rate}").replace("{BASE}", "{base}")
        return wording.format(**values)

    def sentence(self, role: str) -> str:
        """Return one of the wordings of a sentence."""
        return self.rng.choice(self.apt(self.invoice.words.sentences[role]))

    def apt(self, wordings: Sequence[str]) -> Sequence[str]:
        """Return the wordings that the document may have; a purchase order speaks of no invoice."""
        if not self.invoice.is_order:
            return wordings
        return [wording for wording in wordings if not _OF_INVOICES.search(wording)] or wordings

    def address(
        self, name: str, party: Party, separator: str = "<br>", *, fielded: bool = False
    ) -> str:
        """Print an address, with captions if fielded; its label has the lines joined by commas."""
        whole = ", ".join(party.lines)
        first = len(self.printed)
        shown = [self.value(name, whole, line) for line in party.lines]
        # One value on several lines: its places belong together.
        self.printed[first:] = [Printed(name, "", 0, whole, whole)]
        lines = [
            part.replace(f"{SCHEME}{first + line}", f"{SCHEME}{first}")
            for line, part in enumerate(shown)
        ]
        if fielded:
            captions = (self.colon("street" if line == 0 else "town") for line in range(len(lines)))
            lines = [f"{escape(c)} {line}" for c, line in zip(captions, lines, strict=True)]
        return (separator if separator == "<br>" else escape(separator)).join(lines)

    def ways(self, party: Party) -> list[str]:
        """Return how a party is reached."""
        ways = [f"{self.caption('phone')} {party.phone}", party.email]
        return ways if self.rng.random() < 0.7 else ways[:1]

    def capped(self, role: str, block: str) -> str:
        """Return a block below its caption."""
        return f'<div class="cap">{escape(self.colon(role))}</div>{block}'

    def number_or_date(self, name: str) -> str:
        """Print the number or the date of the document."""
        if name == "number":
            return self.value("invoice_number", self.invoice.number)
        return self.day("invoice_date", self.invoice.date)

    def period(self, begin: dt.date, end: dt.date) -> str:
        """Return the first and the last day of what was delivered, one day where they are one."""
        if begin == end:
            return self.day("service_start", begin)
        form = None
        if self.layout.brief and begin.year == end.year:
            form = _YEAR.sub("", self._date_form) if self._date_form[0] != "y" else "d MMM"
        days = {
            "first": self.day("service_start", begin, form),
            "last": self.day("service_end", end),
        }
        forms = ("{first} - {last}", "{first} – {last}", "{first} / {last}")
        return self.rng.choice((*forms, *self.invoice.words.captions["span"])).format(**days)

    def strange(self) -> tuple[str, str]:
        """Return caption and value of a fact that no field asks for: a code, a number or a day."""
        rng = self.rng
        caption = rng.choice(self.apt(self.invoice.words.captions["strange"]))
        day = self.date(self.invoice.date - dt.timedelta(days=rng.randint(1, 60)))
        code = self.code()
        shown = rng.choice((code, self.code(), day))
        if _OF_DAYS.search(caption):  # no policy has a day for its number, no order date a code
            shown = day
        elif shown == day:
            shown = code
        return caption, escape(shown)

    def code(self) -> str:
        """Return a code or a number of something."""
        rng = self.rng
        code = "".join(rng.choice("0123456789ABCDEFGHKLMX") for _ in range(rng.randint(4, 10)))
        parts = (str(rng.randrange(1, 10 ** rng.randint(1, 5))) for _ in range(rng.choice((2, 3))))
        joined = rng.choice("/-./-").join(parts)
        letters = "".join(rng.choice("ABCEGHKLMPRSTUW") for _ in range(rng.randint(1, 3)))
        numbered = f"{letters}{rng.choice(('-', '/', ' ', ''))}{joined}"
        return rng.choice((code, str(rng.randrange(10**3, 10**12)), joined, numbered))

    def due(self) -> str:
        """Print the day on which payment is due."""
        assert self.invoice.due is not None
        return self.day("due_date", self.invoice.due)

    def vendor_tax(self) -> str:
        """Print the vendor's number as a tax payer, here and there without its country.

        It is one value: where it stands twice, it is with its country in both places or in none.
        """
        number = self.invoice.vendor.tax_id
        if number[:2] in _OFTEN_BARE and self.rng.random() < 0.4:
            number = number[2:]
        number = self._wordings.setdefault("tax_id", number)
        return self.value("vendor_tax_id", number, self.spaced(number))

    def spaced(self, number: str) -> str:
        """Return an identifier with blanks or marks here and there, as people write it."""
        if len(number) == _CNPJ and number.isdigit():
            return f"{number[:2]}.{number[2:5]}.{number[5:8]}/{number[8:12]}-{number[12:]}"
        if self.rng.random() < 0.7 or "-" in number:
            return number
        head = 2 if number[:2].isalpha() else 0
        parts = (number[:head], number[head : head + 3], number[head + 3 : head + 6])
        return self.rng.choice("   .-").join(filter(None, (*parts, number[head + 6 :])))

    def colon(self, role: str) -> str:
        """Return a role's caption with the sign behind it."""
        return self.colon_of(self.caption(role))

    def colon_of(self, caption: str) -> str:
        """Return a caption with the sign behind it."""
        return caption if caption.endswith(":") else f"{caption}{self.layout.colon}"

    def lines(self, rows: Iterable[tuple[str, str]], kind: str = "") -> str:
        """Return a row of a table for each caption with its value, which has a class."""
        shown = f' class="{kind}"' if kind else ""
        return "".join(
            f"<tr><td>{escape(self.colon_of(caption))}</td><td{shown}>{value}</td></tr>"
            for caption, value in rows
        )

    def amount(
        self, amount: Decimal, name: str, group: str = "", row: int = 0, *, total: bool = False
    ) -> str:
        """Print an amount; a discount's label is how much is taken off, however it is printed."""
        shown = self.money(amount, total=total)
        value = abs(amount) if name == "total_discount" else amount
        return self.value(name, f"{value:.2f}", shown, group, row) if name else escape(shown)

    def percent(self, rate: Decimal) -> str:
        """Return a rate as the document writes it."""
        return f"{self.number(rate, 0)}{self._percent_sign}"


@dataclass(slots=True)
class Part:
    """A part of a document, written with its pen."""

    pen: Pen

    @property
    def invoice(self) -> Invoice:
        """What is written."""
        return self.pen.invoice

    @property
    def layout(self) -> Layout:
        """How it is written."""
        return self.pen.layout

    @property
    def rng(self) -> random.Random:
        """What chooses among wordings."""
        return self.pen.rng
