"""An invoice and a layout to HTML, with a note of every labelled value that is printed.

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
from itertools import islice

from babel.dates import format_date

from training.invent.invoices.content import Invoice, Item, Party
from training.invent.invoices.layouts import Layout

SCHEME = "value:"
"""Labelled texts are links to ``value:NUMBER`` while they are laid out: that tells their places."""

# fmt: off
_STAMPS = {
    "paid": {"de": "BEZAHLT", "en": "PAID", "fr": "PAYÉ", "es": "PAGADO", "it": "PAGATO",
             "nl": "BETAALD", "pl": "ZAPŁACONO", "pt": "PAGO"},
    "draft": {"de": "MUSTER", "en": "SAMPLE", "fr": "SPÉCIMEN", "es": "MUESTRA",
              "it": "FACSIMILE", "nl": "VOORBEELD", "pl": "WZÓR", "pt": "AMOSTRA"},
    "copy": {"de": "KOPIE", "en": "COPY", "fr": "COPIE", "es": "COPIA", "it": "COPIA",
             "nl": "KOPIE", "pl": "KOPIA", "pt": "CÓPIA"},
}
# fmt: on
_OF_INVOICES = re.compile("invoice|bill|rechnung|fact?ur|parcella|fatur|fakt", re.IGNORECASE)
_CENT = Decimal("0.01")
_YEAR = re.compile(r"[ ,/-]*(?:'de' )?y+\.?")
_ROWS_FIRST, _ROWS_LATER = 11, 24  # on a page, where sums are carried over; at nine points
_NUMERIC = (
    *("quantity", "price", "discount", "rate", "amount", "counted", "taxed", "gross"),
    *("ordered", "open", "weight"),
)


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


@dataclass(slots=True)
class Sheet:
    """Writes one document; keeps what was printed of it.

    Attributes:
        invoice, layout: what is written, and how.
        rng: chooses among wordings.
        printed: the labelled values so far, by their number.
    """

    invoice: Invoice
    layout: Layout
    rng: random.Random
    printed: list[Printed] = field(default_factory=list)
    _wordings: dict[str, str] = field(default_factory=dict)
    _sign: str = ""
    _grouping: str = ""
    _date_form: str = ""
    _percent_sign: str = ""

    def __post_init__(self) -> None:
        country = self.invoice.country
        own = self.invoice.currency == country.currency
        self._sign = self.rng.choice(country.signs if own else (self.invoice.currency,))
        self._grouping = self.rng.choice(country.grouping) if self.layout.grouped else ""
        self._date_form = self.rng.choice(country.dates)
        self._percent_sign = self.rng.choice(("%", " %"))

    def html(self) -> str:
        """Return the document."""
        head, parties = self._letterhead(), self._addresses()
        title, meta, intro = self._title(), self._meta(), self._intro()
        if self.layout.letterhead == "side":
            parties, head = self._beside(parties, head), ""
        elif self.layout.address == "facts" and self.layout.meta in ("table", "lines", "title"):
            parties, meta = self._beside(parties, meta), ""
        above = {
            "usual": [head, parties, title, meta],
            "facts": [head, meta, title, parties],
            "title": [title, head, parties, meta],
            "mixed": self.rng.sample([head, parties, title, meta], 4),
        }[self.layout.order]
        if self.layout.order == "usual" and self.rng.random() < 0.4 and self.layout.meta != "title":
            above[2:] = [meta, title]
        body = [
            self._banner(),
            *above,
            intro,
            self._bill(),
            self._items() if self.layout.table == "table" else self._list(),
            self._adjustments(),
            self._totals(),
            self._ending(),
            self._stamp(),
        ]
        return (
            f"<html><head><style>{self._style()}</style></head><body>{''.join(body)}</body></html>"
        )

    def _beside(self, left: str, right: str) -> str:
        cells = [f"<td>{left}</td>", f'<td class="beside">{right}</td>']
        if self.rng.random() < 0.15:
            cells.reverse()
        return f'<table class="wide addresses"><tr>{"".join(cells)}</tr></table>'

    # Values

    def value(self, name: str, value: str, text: str, group: str = "", row: int = 0) -> str:
        """Print a labelled value."""
        self.printed.append(Printed(name, group, row, value, " ".join(text.split())))
        number = len(self.printed) - 1
        return f'<a href="{SCHEME}{number}">{escape(text)}</a>'

    def number(self, amount: Decimal, places: int = 2) -> str:
        """Return a number as the country writes it, with so many decimals at least."""
        exponent = amount.normalize().as_tuple().exponent
        assert isinstance(exponent, int)  # all numbers are finite
        plain = f"{amount:.{max(places, -exponent)}f}"
        whole, _, rest = plain.lstrip("-").partition(".")
        parts: list[str] = []
        while len(whole) > 3:
            whole, tail = whole[:-3], whole[-3:]
            parts.insert(0, tail)
        joined = self._grouping.join([whole, *parts])
        shown = f"{joined}{self.invoice.country.decimal}{rest}" if rest else joined
        return self._negative(shown) if amount < 0 else shown

    def _negative(self, shown: str) -> str:
        return self.layout.minus.replace("5", shown)

    def money(self, amount: Decimal, *, total: bool = False, places: int = 2) -> str:
        """Return an amount with its currency's sign, where the layout prints one."""
        shown = self.number(abs(amount), places)
        manner = "after" if total and self.layout.money in ("head", "none") else self.layout.money
        if not self._sign or manner in ("head", "none"):
            return self._negative(shown) if amount < 0 else shown
        if manner == "before":
            space = "" if self._sign in "$£€" else " "
            shown = f"{self._sign}{space}{shown}"
            return self._negative(shown) if amount < 0 else shown
        return f"{self._negative(shown) if amount < 0 else shown} {self._sign}"

    def date(self, day: dt.date) -> str:
        """Return a date as the document writes it."""
        return str(format_date(day, self._date_form, locale=self.invoice.country.locale))

    def caption(self, role: str, **values: str) -> str:
        """Return the caption of a role: the same wording each time."""
        if role not in self._wordings:
            wording = self.rng.choice(self._wordings_of(role))
            if "{rate}" in wording and "rate" not in values:
                wording = self.invoice.words.captions[role][0]
            if self.layout.second and role in ("number", "date", "due", "total", "description"):
                from training.invent.invoices.words.english import ENGLISH

                wording = f"{wording} / {ENGLISH.captions[role][0]}"
            self._wordings[role] = wording.upper() if self.layout.shouts else wording
        wording = self._wordings[role].replace("{RATE}", "{rate}").replace("{BASE}", "{base}")
        return wording.format(**values)

    def _wordings_of(self, role: str) -> Sequence[str]:
        """Return the wordings of a role; those of a purchase order speak of no invoice."""
        found = self.invoice.words.captions[role]
        if not self.invoice.is_order:
            return found
        return [wording for wording in found if not _OF_INVOICES.search(wording)] or found

    def sentence(self, role: str) -> str:
        """Return one of the wordings of a sentence."""
        return self.rng.choice(self.invoice.words.sentences[role])

    # Parts

    def _banner(self) -> str:
        """Return lines that programs and scanners add, and a note that runs up the margin."""
        if not self.layout.banner:
            return ""
        rng, lines = self.rng, list[str]()
        for _ in range(rng.choice((1, 1, 2, 4))):
            lines.append(
                rng.choice(self.invoice.words.captions["banner"]).format(
                    code=rng.randrange(10**3, 10**7),
                    version=f"{rng.randrange(1, 9)}.{rng.randrange(10)}.{rng.randrange(4)}",
                    day=self.date(self.invoice.date + dt.timedelta(days=rng.randrange(-900, 9))),
                )
            )
        margin = f'<div class="margin">{escape(lines.pop())}</div>' if rng.random() < 0.4 else ""
        style = rng.choice(("banner", "banner", ""))
        return f'<div class="{style}">{"<br>".join(map(escape, lines))}</div>{margin}'

    def _letterhead(self) -> str:
        if self.layout.letterhead in ("none", "party"):
            return f'<div class="head">{self._logo()}</div>' if self.layout.logo != "none" else ""
        vendor = self.invoice.vendor
        if self.layout.letterhead in ("line", "name"):
            name = f"<b>{self.value('vendor_name', vendor.name, vendor.name)}</b>"
            if self.layout.letterhead == "line":
                sign = self.rng.choice((" · ", " | ", ", ", " - ", " • "))
                name += sign + self._address("vendor_address", vendor, sign)
            return f'<div class="head">{self._logo()}{name}</div>'
        if self.layout.letterhead == "side":
            lines = "<br>".join(self._party("vendor", vendor))
            return f'<div class="side">{self._logo()}{lines}</div>'
        name = self.value("vendor_name", vendor.name, vendor.name)
        address = self._address("vendor_address", vendor)
        ways = "<br>".join(map(escape, self._ways(vendor)))
        if self.layout.letterhead == "columns":
            cells = f"<td>{self._logo()}<b>{name}</b></td><td>{address}</td><td>{ways}</td>"
            return f'<table class="head wide"><tr>{cells}</tr></table>'
        more = f"<br>{ways}" if self.rng.random() < 0.6 else ""
        return (
            f'<div class="head {self.layout.letterhead}">{self._logo()}'
            f'<div class="name">{name}</div>'
            f"<div>{address}{more}</div></div>"
        )

    def _logo(self) -> str:
        mark = escape("".join(word[0] for word in self.invoice.vendor.name.split()[:2]).upper())
        colour = self.layout.colour
        letters = (
            f'<text x="30" y="39" font-size="26" text-anchor="middle" fill="{{}}">{mark}</text>'
        )
        shapes = {
            "round": f'<circle cx="30" cy="30" r="28" fill="{colour}"/>{letters.format("#fff")}',
            "square": f'<rect x="4" y="4" width="52" height="52" fill="none" stroke="{colour}" '
            f'stroke-width="5"/>{letters.format(colour)}',
            "word": f'<path d="M2 50 L30 6 L58 50 Z" fill="{colour}"/>'
            '<circle cx="30" cy="36" r="9" fill="#fff"/>',
            "stripe": f'<path d="M0 12 H60 V22 H0 Z M0 30 H44 V40 H0 Z" fill="{colour}"/>',
        }
        if self.layout.logo not in shapes:
            return ""
        drawn = shapes[self.layout.logo]
        return f'<svg class="logo" width="44" height="44" viewBox="0 0 60 60">{drawn}</svg>'

    def _address(
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
            captions = (
                self._colon("street" if line == 0 else "town") for line in range(len(lines))
            )
            lines = [f"{escape(c)} {line}" for c, line in zip(captions, lines, strict=True)]
        return (separator if separator == "<br>" else escape(separator)).join(lines)

    def _ways(self, party: Party) -> list[str]:
        ways = [f"{self.caption('phone')} {party.phone}", party.email]
        return ways if self.rng.random() < 0.7 else ways[:1]

    def _addresses(self) -> str:
        customer, recipient = self.invoice.customer, self.invoice.recipient
        layout = self.layout
        both = layout.letterhead == "party" or (layout.stacked and layout.letterhead == "none")
        captioned = both or layout.captioned or layout.address in ("pair", "row")
        lines = "<br>".join(self._party("customer", customer))
        if captioned:
            lines = self._capped("seller" if self.invoice.is_order else "bill_to", lines)
        blocks = []
        if both:
            blocks.append(
                self._capped(
                    "bill_to" if self.invoice.is_order else "seller",
                    "<br>".join(self._party("vendor", self.invoice.vendor)),
                )
            )
        elif layout.address == "row" and layout.letterhead == "none":
            blocks.append("<br>".join(self._party("vendor", self.invoice.vendor)))
        blocks.append(self._sender() + lines)
        if recipient is not None:
            there = "<br>".join(map(escape, (recipient.name, *recipient.lines)))
            blocks.append(self._capped("ship_to", there))
        if self.layout.other:
            other = (self.invoice.vendor.contact, *self.invoice.vendor.lines[-1:])
            blocks.append(self._capped("other", "<br>".join(map(escape, other))))
        if len(blocks) > 1:
            if self.rng.random() < 0.3:
                self.rng.shuffle(blocks)
            if layout.stacked or self.rng.random() < 0.2 or len(blocks) > 3:  # one below another
                return "".join(f'<div class="to">{block}</div>' for block in blocks)
            cells = "".join(f"<td>{block}</td>" for block in blocks)
            boxed = self.rng.choice(("", "", "boxes"))
            return f'<table class="wide addresses {boxed}"><tr>{cells}</tr></table>'
        return f'<div class="to {self.layout.address}">{blocks[0]}</div>'

    def _capped(self, role: str, block: str) -> str:
        """Return a block below its caption."""
        return f'<div class="cap">{escape(self._colon(role))}</div>{block}'

    def _sender(self) -> str:
        """Return the vendor in small print, as it shows in the window of an envelope."""
        if not self.layout.sender:
            return ""
        vendor, sign = self.invoice.vendor, self.rng.choice((" · ", " | ", ", ", " - ", " • "))
        name = self.value("vendor_name", vendor.name, vendor.name)
        address = self._address("vendor_address", vendor, sign)
        return f'<div class="sender">{name}{escape(sign)}{address}</div>'

    def _party(self, role: str, party: Party) -> list[str]:
        """Return the lines of a party: name and address, and what else stands with them."""
        rng, lines = self.rng, list[str]()
        before = rng.random() < (0.35 if self.layout.stacked else 0.06)
        counts = (0, 1, 2, 3) if self.layout.stacked else (0, 0, 0, 0, 1, 2)
        more = [self._plain_fact() for _ in range(rng.choice(counts))]
        addressed = party.name
        if party.salutation and rng.random() < 0.3:
            addressed = f"{party.salutation} {party.name}"
        elif party.salutation:
            lines.append(escape(party.salutation))
        name = self.value(f"{role}_name", addressed, addressed)
        if self.layout.fielded:
            name = f"{escape(self._colon('named'))} {name}"
        lines.append(f"<b>{name}</b>" if rng.random() < 0.25 else name)
        if party.attention:
            lines.insert(0 if party.before else len(lines), escape(party.attention))
        address = self._address(f"{role}_address", party, fielded=self.layout.fielded)
        lines.append(address)
        if role == "vendor":
            more += map(escape, self._ways(party)[: rng.randrange(3)])
            if rng.random() < 0.4:
                more.append(f"{escape(self._colon('vendor_tax'))} {self._vendor_tax()}")
        elif rng.random() < 0.15:
            shown = self._spaced(party.tax_id)
            tax_id = self.value("customer_tax_id", party.tax_id, shown)
            more.append(f"{escape(self._colon('customer_tax'))} {tax_id}")
        elif rng.random() < 0.2:
            more += rng.choice(([escape(party.email)], [escape(party.phone)]))
        return [*more, *lines] if before else [*lines, *more]

    def _plain_fact(self) -> str:
        caption, value = self._strange()
        return f"{escape(self._colon_of(caption))} {value}"

    def _title(self) -> str:
        role = "credit_title" if self.invoice.is_credit else "title"
        if self.invoice.is_order:
            role = "order_title"
        title = escape(self.rng.choice(self.invoice.words.captions[role]))
        if self.layout.meta == "title":
            number = self.value("invoice_number", self.invoice.number, self.invoice.number)
            title += f" {number}"
        elif self.layout.meta == "sentence":
            parts = self.sentence("numbered").split("{")
            title = escape(parts[0]) + "".join(
                self._number_or_date(name) + escape(rest)
                for name, _, rest in (part.partition("}") for part in parts[1:])
            )
        if self.layout.letter_date and self.layout.meta != "sentence":
            place = self.invoice.vendor.lines[-1].split()[-1]
            wording = self.rng.choice(self.invoice.words.captions["place_date"])
            first, _, last = wording.format(place=place, date="\0").partition("\0")
            day = f"{escape(first)}{self._number_or_date('date')}{escape(last)}"
            side = self.rng.choice(("left", "right"))
            line = f'<p style="text-align: {side}">{day}</p>'
            heading = f'<h1 class="{self.layout.title_side}">{title}</h1>'
            return line + heading if self.rng.random() < 0.7 else heading + line
        return f'<h1 class="{self.layout.title_side}">{title}</h1>'

    def _number_or_date(self, name: str) -> str:
        if name == "number":
            return self.value("invoice_number", self.invoice.number, self.invoice.number)
        return self.value(
            "invoice_date", self.invoice.date.isoformat(), self.date(self.invoice.date)
        )

    def _meta(self) -> str:
        manner = self.layout.meta
        in_row = manner in ("strip", "boxes")
        # No fact is written that there is no room for: writing it makes it a label.
        rows = list(islice(self._facts(), 6 if in_row else None))
        if self.rng.random() < 0.3:
            self.rng.shuffle(rows)
        if manner == "form":
            boxes = [
                f'<td><div class="detail">{escape(caption)}</div>{value}</td>'
                for caption, value in rows
            ]
            width = self.rng.choice((2, 3, 4, 5))
            body = "".join(
                f"<tr>{''.join(boxes[at : at + width])}</tr>" for at in range(0, len(boxes), width)
            )
            return f'<table class="wide boxes">{body}</table>'
        if in_row:
            heads = "".join(f"<th>{escape(caption)}</th>" for caption, _ in rows)
            cells = "".join(f"<td>{value}</td>" for _, value in rows)
            return f'<table class="wide {manner}"><tr>{heads}</tr><tr>{cells}</tr></table>'
        if manner == "lines":
            return (
                '<p class="meta">'
                + self.rng.choice(("<br>", "<br>", " | ", " &nbsp; ", ", ")).join(
                    f"{escape(c)}{escape(self.layout.colon)} {v}" for c, v in rows
                )
                + "</p>"
            )
        body = "".join(
            f"<tr><td>{escape(self._colon_of(caption))}</td><td>{value}</td></tr>"
            for caption, value in rows
        )
        return f'<table class="meta {self.layout.meta_side}">{body}</table>'

    def _facts(self) -> Iterable[tuple[str, str]]:
        invoice = self.invoice
        if self.layout.meta not in ("title", "sentence"):
            yield (
                self.caption("order" if invoice.is_order else "number"),
                self.value("invoice_number", invoice.number, invoice.number),
            )
        if self.layout.meta != "sentence" and not self.layout.letter_date:
            yield self.caption("date"), self._number_or_date("date")
        if invoice.due is not None and self.rng.random() < 0.8:
            yield self.caption("due"), self._due()
        if invoice.order:
            yield from self._orders(invoice.order)
        if invoice.customer_id:
            yield (
                self.caption("customer_id"),
                self.value("customer_id", invoice.customer_id, invoice.customer_id),
            )
        yield from self._served()
        if self.rng.random() < 0.3:
            yield self.caption("reference"), escape(f"{self.rng.randrange(1000, 99999)}")
        if self.rng.random() < 0.25:
            yield self.caption("contact"), escape(invoice.vendor.contact)
        if self.rng.random() < 0.3:
            yield self.caption("vendor_tax"), self._vendor_tax()
        if self.layout.top == "due":
            due = self.money(invoice.amount_due, total=True)
            yield (
                self.caption("amount_due"),
                self.value("amount_due", f"{invoice.amount_due:.2f}", due),
            )
        elif self.layout.top == "total":
            total = self.money(invoice.total, total=True)
            yield self.caption("total"), self.value("invoice_total", f"{invoice.total:.2f}", total)
        if self.rng.random() < 0.12:
            yield self.caption("currency"), escape(invoice.currency)
        if self.layout.payment == "facts" and invoice.vendor.iban:
            yield self.caption("iban"), self.value("iban", invoice.vendor.iban, invoice.vendor.iban)
        for _ in range(self.layout.strange):
            yield self._strange()

    def _orders(self, order: str) -> Iterable[tuple[str, str]]:
        """Return the customer's order, and the vendor's own number of it."""
        yield self.caption("order"), self.value("purchase_order", order, order)
        captions = self.invoice.words.captions["own_order"]
        if self.layout.own_order and self.caption("order") not in captions:
            yield self.caption("own_order"), escape(self._code())

    def _served(self) -> Iterable[tuple[str, str]]:
        """Return when was delivered."""
        if self.invoice.service is None or self.layout.period == "item":
            return
        begin, end = self.invoice.service
        if begin == end:
            yield self.caption("delivery"), self._period(begin, end)
        elif self.layout.period == "facts":
            yield self.caption("period"), self._period(begin, end)
        else:
            yield self.caption("begin"), self._period(begin, begin)
            yield self.caption("end"), self.value("service_end", end.isoformat(), self.date(end))

    def _period(self, begin: dt.date, end: dt.date) -> str:
        """Return the first and the last day of what was delivered, one day where they are one."""
        if begin == end:
            return self.value("service_start", begin.isoformat(), self.date(begin))
        shown = self.date(begin)
        if self.layout.brief and begin.year == end.year:
            locale = self.invoice.country.locale
            without = _YEAR.sub("", self._date_form) if self._date_form[0] != "y" else "d MMM"
            shown = str(format_date(begin, without, locale=locale))
        days = {
            "first": self.value("service_start", begin.isoformat(), shown),
            "last": self.value("service_end", end.isoformat(), self.date(end)),
        }
        forms = ("{first} - {last}", "{first} – {last}", "{first} / {last}")
        return self.rng.choice((*forms, *self.invoice.words.captions["span"])).format(**days)

    def _strange(self) -> tuple[str, str]:
        """Return caption and value of a fact that no field asks for: a code, a day or a word."""
        rng = self.rng
        caption = rng.choice(self.invoice.words.captions["strange"])
        day = self.invoice.date - dt.timedelta(days=rng.randint(1, 60))
        return caption, escape(rng.choice((self._code(), self._code(), self.date(day))))

    def _code(self) -> str:
        """Return a code or a number of something."""
        rng = self.rng
        code = "".join(rng.choice("0123456789ABCDEFGHKLMX") for _ in range(rng.randint(4, 10)))
        return rng.choice((code, str(rng.randrange(10**3, 10**12))))

    def _due(self) -> str:
        assert self.invoice.due is not None
        return self.value("due_date", self.invoice.due.isoformat(), self.date(self.invoice.due))

    def _vendor_tax(self) -> str:
        number = self.invoice.vendor.tax_id
        return self.value("vendor_tax_id", number, self._spaced(number))

    def _spaced(self, number: str) -> str:
        """Return an identifier with blanks here and there, as people write it."""
        if self.rng.random() < 0.75 or "-" in number:
            return number
        head = 2 if number[:2].isalpha() else 0
        parts = (number[:head], number[head : head + 3], number[head + 3 : head + 6])
        return " ".join((*parts, number[head + 6 :])).strip()

    def _colon(self, role: str) -> str:
        return self._colon_of(self.caption(role))

    def _intro(self) -> str:
        text = ""
        if self.invoice.is_credit:
            text = escape(self.sentence("credit").format(reference=self.invoice.reference))
        elif self.rng.random() < 0.5 and not self.invoice.is_order:
            text = escape(self.sentence("intro"))
        return f"<p>{text}</p>" if text else ""

    def _bill(self) -> str:
        """Return what a bill for use says first: the bill before, its payment, and the meters."""
        invoice, rng = self.invoice, self.rng
        if not invoice.previous:
            return ""
        new = self._amount(invoice.total, "invoice_total")
        due = self._amount(invoice.amount_due, "amount_due")
        lines = [
            (self.caption("previous"), escape(self.money(invoice.previous))),
            (self.caption("payment"), escape(self.money(-invoice.previous))),
            (self.caption("new_charges"), new),
            (self.caption("amount_due"), f"<b>{due}</b>"),
        ]
        rows = "".join(
            f'<tr><td>{escape(self._colon_of(caption))}</td><td class="amount">{value}</td></tr>'
            for caption, value in lines
        )
        style = rng.choice(("boxes", "wide", "t-block", "boxes wide"))
        summary = f'<table class="totals {style}">{rows}</table>'
        if rng.random() < 0.4:
            return summary
        heads = "".join(f"<th>{escape(h)}</th>" for h in invoice.words.captions["reading"])
        meters = ""
        for _ in range(rng.randrange(1, 4)):
            begin, used = rng.randrange(100, 90_000), rng.randrange(10, 4000)
            cells = (rng.randrange(10**6, 10**9), begin, begin + used, used)
            meters += f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        usage = f'<table class="breakdown"><tr>{heads}</tr>{meters}</table>'
        return rng.choice((summary + usage, usage + summary))

    def _items(self) -> str:
        invoice, layout = self.invoice, self.layout
        currency = f" ({self._sign})" if layout.money == "head" and self._sign else ""
        head = "".join(
            f'<th class="{column}">{escape(self._head(column))}'
            f"{escape(currency) if column in ('price', 'amount') else ''}</th>"
            for column in layout.columns
        )
        head = "" if layout.headless else f"<thead><tr>{head}</tr></thead>"
        scale = 9 / layout.size
        first, later = int(_ROWS_FIRST * scale), int(_ROWS_LATER * scale)
        tables, rows, room, carried = list[str](), list[str](), first, Decimal(0)
        for number, item in enumerate(invoice.items):
            if layout.carries and room <= 0:
                rows.append(self._carry(carried))
                tables.append(self._table(head, rows, breaks=True))
                rows, room = [self._carry(carried)], later
            rows.append(self._row(number, item))
            carried += item.amount
            rows.append(self._section_sum(number))
            room -= 1 + len(item.details) + bool(item.section)
        blank = "".join("<td>&nbsp;</td>" for _ in layout.columns)
        rows += [f"<tr>{blank}</tr>"] * layout.empty
        tables.append(self._table(head, rows, last=True))
        return "".join(tables)

    def _list(self) -> str:
        """Return the items as blocks of lines: what it is, and each figure with its caption."""
        blocks = []
        for number, item in enumerate(self.invoice.items):
            cells = {c: self._cell(c, number, item) for c in self.layout.columns}
            if self.layout.table == "sums":
                lines = [cells["description"], self._sum_line(cells)]
            else:
                lines = [
                    f"<b>{shown}</b>"
                    if column in ("description", "pos")
                    else f"{escape(self._head(column))}: {shown}"
                    for column, shown in cells.items()
                    if shown
                ]
            section = f"<b>{escape(item.section)}</b><br>" if item.section else ""
            blocks.append(f'<p class="block">{section}{"<br>".join(lines)}</p>')
        foot = self._total_rows() if self.layout.totals == "rows" else ""
        return "".join(blocks) + (f'<table class="items">{foot}</table>' if foot else "")

    def _sum_line(self, cells: dict[str, str]) -> str:
        """Return the figures of a position in a line, as a product where there is a price."""
        before = [cells[c] for c in cells if c not in ("description", "amount", "price")]
        figures = " ".join(before)
        if "price" in cells:
            sign = self.rng.choice((" x ", " × ", " @ ", " à "))
            figures = f"{figures}{sign if figures else ''}{cells['price']}"
        space = self.rng.choice((" ", " = ", " &nbsp;&nbsp;&nbsp; "))
        return f"{figures}{space}{cells['amount']}"

    def _table(
        self, head: str, rows: list[str], *, breaks: bool = False, last: bool = False
    ) -> str:
        foot = self._total_rows() if last and self.layout.totals == "rows" else ""
        name = f"items {self.layout.rulings} h-{self.layout.head}"
        style = ' style="break-after: page"' if breaks else ""
        return f'<table class="{name}"{style}>{head}<tbody>{"".join(rows)}{foot}</tbody></table>'

    def _head(self, column: str) -> str:
        return self.caption({"counted": "quantity"}.get(column, column))

    def _carry(self, amount: Decimal) -> str:
        span = len(self.layout.columns) - 1
        return (
            f'<tr class="carry"><td colspan="{span}">{escape(self.caption("carried"))}</td>'
            f'<td class="amount">{escape(self.money(amount))}</td></tr>'
        )

    def _row(self, number: int, item: Item) -> str:
        section = ""
        if item.section:
            span = len(self.layout.columns)
            section = f'<tr class="section"><td colspan="{span}">{escape(item.section)}</td></tr>'
        cells = "".join(
            f'<td class="{column}">{self._cell(column, number, item)}</td>'
            for column in self.layout.columns
        )
        return f"{section}<tr>{cells}</tr>{self._extra(item)}"

    def _section_sum(self, number: int) -> str:
        """Return the row that says what a section comes to, below the last of its positions."""
        items = self.invoice.items
        ends = number + 1 == len(items) or items[number + 1].section
        first = next((n for n in range(number, -1, -1) if items[n].section), None)
        if first is None or not (ends and self.layout.section_sums):
            return ""
        amount = sum((item.amount for item in items[first : number + 1]), Decimal(0))
        caption = f"{self.invoice.words.captions['subtotal'][0]} {items[first].section}"
        return (
            f'<tr class="sum"><td colspan="{len(self.layout.columns) - 1}">{escape(caption)}</td>'
            f'<td class="amount">{escape(self.money(amount))}</td></tr>'
        )

    def _extra(self, item: Item) -> str:
        """Return the row below a position that says what was added to it, or taken off."""
        if not item.extra:
            return ""
        role = "charge" if (item.extra > 0) == (item.amount > 0) else "total_discount"
        shown = {
            "description": escape(self.caption(role)),
            "amount": escape(self.money(item.extra)),
        }
        cells = (f'<td class="{c}">{shown.get(c, "")}</td>' for c in self.layout.columns)
        return f"<tr>{''.join(cells)}</tr>"

    def _cell(self, column: str, row: int, item: Item) -> str:
        def labelled(name: str, value: str, text: str) -> str:
            return self.value(name, value, text, "items", row)

        quantity = self.number(item.quantity, self.layout.quantity_places)
        if column == "pos":
            return self._position(row)
        if column == "code":
            return labelled("product_code", item.code, item.code) if item.code else ""
        if column == "description":
            return self._described(row, item)
        if column == "day":
            day = self.invoice.service[0] if self.invoice.service else self.invoice.date
            return escape(self.date(day - dt.timedelta(days=row % 5)))
        if column in ("ordered", "open", "weight", "lot"):
            return self._unasked(column, item)
        if column in ("taxed", "gross"):
            tax = (item.amount * item.rate / 100).quantize(Decimal("0.01"))
            return escape(self.money(tax if column == "taxed" else item.amount + tax))
        if column == "quantity":
            return labelled("quantity", f"{item.quantity.normalize():f}", quantity)
        if column == "counted":
            count = labelled("quantity", f"{item.quantity.normalize():f}", quantity)
            return f"{count} {labelled('unit', item.unit, item.unit)}"
        if column == "unit":
            return labelled("unit", item.unit, item.unit)
        if column == "price":
            shown = self.money(item.price, places=self._price_places(item.price))
            return labelled("unit_price", f"{item.price.normalize():f}", shown)
        if column == "discount":
            return f"{self.number(item.discount, 0)} %" if item.discount else ""
        if column == "rate":
            return labelled("tax_rate", f"{item.rate.normalize():f}", self._percent(item.rate))
        shown = self.money(item.amount, places=self._price_places(item.amount, 2))
        return labelled("amount", f"{item.amount:.2f}", shown)

    def _unasked(self, column: str, item: Item) -> str:
        """Return a cell of a column that no field asks for."""
        rng, quantity = self.rng, abs(item.quantity)
        if column == "ordered":
            quantity += rng.choice((0, 0, 0, 1, quantity))
            return self.number(quantity, self.layout.quantity_places)
        if column == "open":
            return self.number(Decimal(rng.choice((0, 0, 0, 5))), self.layout.quantity_places)
        if column == "weight":
            return self.number(Decimal(rng.randrange(1, 90_000)) / 100)
        return escape(f"{rng.choice(('', '', 'L', 'W-'))}{rng.randrange(10, 10**8)}")

    def _price_places(self, amount: Decimal, most: int = 4) -> int:
        """Return how many decimals an amount of the items has at least."""
        if self.layout.whole and amount == amount.to_integral_value():
            return 0
        return min(most, self.layout.price_places)

    def _described(self, row: int, item: Item) -> str:
        """Return what is sold, with its code where no column has it, and the lines below."""
        name = self.value("description", item.description, item.description, "items", row)
        details = list(map(escape, item.details))
        if item.code and "code" not in self.layout.columns:
            code = self.value("product_code", item.code, item.code, "items", row)
            if self.layout.code_cell == "before":
                name = f"{code} - {name}"
            elif self.layout.code_cell == "ahead":
                name = f"{code} {name}"
            elif self.layout.code_cell == "behind":
                name = f"{name} ({code})"
            elif self.layout.code_cell == "above":
                name = f"{code}<br>{name}"
            else:
                details.insert(0, f"{escape(self._colon('code'))} {code}")
        if row == 0 and self.layout.period == "item" and self.invoice.service is not None:
            details.append(self._period(*self.invoice.service))
        if self.layout.position_cell == "before":
            name = f"{self._position(row)} {name}"
        below = "".join(f'<div class="detail">{detail}</div>' for detail in details)
        return name + below

    def _position(self, row: int) -> str:
        return self.layout.position.format((row + 1) * self.layout.step)

    def _percent(self, rate: Decimal) -> str:
        return f"{self.number(rate, 0)}{self._percent_sign}"

    def _total_lines(self) -> list[tuple[str, str, str]]:
        """Return caption, value and kind of each line of the totals."""
        invoice, lines = self.invoice, list[tuple[str, str, str]]()

        def add(role: str, name: str, amount: Decimal, kind: str = "", more: str = "") -> None:
            text = self._amount(amount, name, total=kind == "total")
            lines.append((escape(self._colon_of(self.caption(role) + more)), text, kind))

        if invoice.discount or invoice.charge:
            others = [
                w for w in invoice.words.captions["subtotal"] if w != self.caption("subtotal")
            ]
            lines.append(
                (
                    escape(self._colon_of(self.rng.choice(others))),
                    escape(self.money(invoice.sum_of_items)),
                    "",
                )
            )
            if invoice.discount:
                add("total_discount", "total_discount", self._discount(), more=self._share())
            if invoice.charge:
                add("charge", "", invoice.charge)
        total_role = "amount_due" if self.layout.due_total and self.layout.top != "due" else "total"
        if total_first := invoice.gross and self.rng.random() < 0.6:
            add(total_role, "invoice_total", invoice.total, "total")
        plain = not invoice.taxes and not invoice.discount
        untold = total_first and self.rng.random() < 0.4  # nobody asks what it is without the tax
        if not untold and (not plain or self.layout.zero_tax or self.rng.random() < 0.3):
            add("subtotal", "subtotal", invoice.subtotal)
        if not invoice.taxes and self.layout.zero_tax:
            caption = self.caption("tax", rate=self._percent(Decimal(0)))
            zero = self.value("total_tax", "0.00", self.money(Decimal(0)))
            lines.append((escape(self._colon_of(caption)), zero, ""))
        single = len(invoice.taxes) == 1
        for number, tax in enumerate(invoice.taxes):
            caption = self._tax_caption(number, "tax_within" if total_first else "tax")
            place = ("total_tax",) if single else ("amount", "taxes", number)
            lines.append((caption, self._amount(tax.amount, *place), ""))
        if len(invoice.taxes) > 1 and self.rng.random() < 0.4:
            lines.append(
                (escape(self._colon("total_tax")), self._amount(invoice.total_tax, "total_tax"), "")
            )
        if not total_first:
            add(total_role, "invoice_total", invoice.total, "total")
        if invoice.prepaid:
            add("prepaid", "", -invoice.prepaid, more=self._paid_on())
            add("amount_due", "amount_due", invoice.amount_due, "total")
        return lines

    def _share(self) -> str:
        """Return how much per cent a discount is, or the code it was given for."""
        if not self.layout.said or not self.invoice.sum_of_items:
            return ""
        share = 100 * self._discount() / self.invoice.sum_of_items
        percent = self._percent(abs(share).quantize(Decimal(1)))
        return self.rng.choice((" {p}", " ({p})", " {p} ({c})", " - {c}", ", {p}")).format(
            p=percent, c=self._code()
        )

    def _paid_on(self) -> str:
        """Return when something was paid."""
        if not self.layout.said:
            return ""
        day = self.invoice.date - dt.timedelta(days=self.rng.randint(0, 60))
        form = self.rng.choice((" {day}", " ({day})", " {day} ({code})", ", {day}", " {code}"))
        return form.format(day=self.date(day), code=self._code())

    def _amount(
        self, amount: Decimal, name: str, group: str = "", row: int = 0, *, total: bool = False
    ) -> str:
        """Print an amount; a discount's label is how much is taken off, however it is printed."""
        shown = self.money(amount, total=total)
        value = abs(amount) if name == "total_discount" else amount
        return self.value(name, f"{value:.2f}", shown, group, row) if name else escape(shown)

    def _tax_caption(self, row: int, role: str) -> str:
        """Return the caption of a tax; its rate is a value of the group `taxes`."""
        rate = self._percent(self.invoice.taxes[row].rate)
        if self.layout.based:
            of_what = self.caption("of_base", rate="\0", base="\1")
            wording = f"{self.caption('total_tax')} ({of_what})"
        else:
            wording = self.caption(role, rate="\0")
            if "\0" not in wording:
                wording = f"{wording} \0" if self.rng.random() < 0.7 else wording
        before, mark, after = self._colon_of(wording).partition("\0")
        if not mark:
            return escape(before)
        number = f"{self.invoice.taxes[row].rate.normalize():f}"
        shown = escape(before) + self.value("rate", number, rate, "taxes", row)
        after, mark, last = after.partition("\1")
        if mark:
            base = self._amount(self.invoice.taxes[row].base, "base", "taxes", row)
            return shown + escape(after) + base + escape(last)
        return shown + escape(after)

    def _colon_of(self, caption: str) -> str:
        return caption if caption.endswith(":") else f"{caption}{self.layout.colon}"

    def _adjustments(self) -> str:
        """Return discount and charge as a table: what of, how much per cent, and the amount."""
        invoice = self.invoice
        if not self.layout.adjusted or not (invoice.discount or invoice.charge):
            return ""
        roles = ("adjustment", "base", "rate", "amount")
        heads = "".join(f"<th>{escape(self.caption(role))}</th>" for role in roles)
        rows = ""
        base = self.money(invoice.sum_of_items)
        for role, amount in (("total_discount", self._discount()), ("charge", invoice.charge)):
            if not amount:
                continue
            name = "total_discount" if role == "total_discount" else ""
            shown = self._amount(amount, name)
            share = abs(100 * amount / invoice.sum_of_items) if invoice.sum_of_items else Decimal(0)
            cells = (
                escape(self.caption(role)),
                escape(base if self.rng.random() < 0.7 else "-"),
                escape(f"{self.number(share.quantize(Decimal('0.1')), 0)} %"),
                shown,
            )
            rows += f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        style = self.rng.choice(("wide", "wide boxes", "boxes"))
        return f'<table class="totals {style}"><tr>{heads}</tr>{rows}</table>'

    def _discount(self) -> Decimal:
        """Return the discount as it is printed."""
        return -self.invoice.discount if self.layout.taken else self.invoice.discount

    def _total_rows(self) -> str:
        span = len(self.layout.columns) - 1
        return "".join(
            f'<tr class="sum {kind}"><td colspan="{span}">{caption}</td>'
            f'<td class="amount">{value}</td></tr>'
            for caption, value, kind in self._total_lines()
        )

    def _totals(self) -> str:
        if self.layout.totals == "rows":
            return self._breakdown()
        if self.layout.totals == "sentence":
            first, _, last = self.sentence("total_sentence").partition("{total}")
            total = f"{self.invoice.total:.2f}"
            shown = self.value("invoice_total", total, self.money(self.invoice.total, total=True))
            return f"<p>{escape(first)}<b>{shown}</b>{escape(last)}</p>{self._breakdown()}"
        if self.layout.totals == "summary" and self.invoice.taxes and not self.invoice.prepaid:
            return f"<p>{self._summary('summary')}</p>{self._breakdown()}"
        plain = not (self.invoice.prepaid or self.invoice.discount or self.invoice.charge)
        if self.layout.totals == "grid" and self.invoice.taxes and plain:
            return self._grid()
        if self.layout.totals == "lines":
            lines = (f"{caption} {value}" for caption, value, _ in self._total_lines())
            return f"<p>{'<br>'.join(lines)}</p>{self._breakdown()}"
        if self.layout.totals == "heads":
            found = self._total_lines()
            heads = "".join(f"<th>{caption}</th>" for caption, _, _ in found)
            cells = "".join(f'<td class="amount">{value}</td>' for _, value, _ in found)
            table = f'<table class="wide boxes"><tr>{heads}</tr><tr>{cells}</tr></table>'
            return table + self._breakdown()
        rows = "".join(
            f'<tr class="{kind}"><td>{caption}</td><td class="amount">{value}</td></tr>'
            for caption, value, kind in self._total_lines()
        )
        return f'<table class="totals t-{self.layout.totals}">{rows}</table>{self._breakdown()}'

    def _grid(self) -> str:
        """Return the totals as a table: a row for each rate, and one of sums below."""
        invoice = self.invoice
        roles = self.rng.choice(
            (("base", "rate", "total_tax", "total"), ("rate", "base", "total_tax", "gross"))
        )
        heads = "".join(f"<th>{escape(self.caption(role))}</th>" for role in roles)
        single, rows = len(invoice.taxes) == 1, list[dict[str, str]]()
        for number, tax in enumerate(invoice.taxes):
            rate = f"{tax.rate.normalize():f}"
            cells = {"rate": self.value("rate", rate, self._percent(tax.rate), "taxes", number)}
            if not single:
                cells["base"] = self._amount(tax.base, "base", "taxes", number)
                cells["total_tax"] = self._amount(tax.amount, "amount", "taxes", number)
                cells["total"] = cells["gross"] = escape(self.money(tax.base + tax.amount))
                rows.append(cells)
        total = self._amount(invoice.total, "invoice_total")
        rows.append(
            {
                "rate": cells["rate"] if single else "",
                "base": self._amount(invoice.subtotal, "subtotal"),
                "total_tax": self._amount(invoice.total_tax, "total_tax"),
                "total": total,
                "gross": total,
            }
        )
        body = "".join(
            f"<tr>{''.join(f'<td>{cells[role]}</td>' for role in roles)}</tr>" for cells in rows
        )
        style = self.rng.choice(("wide", "wide boxes", "t-block", "boxes"))
        table = f'<table class="totals {style}"><tr>{heads}</tr>{body}</table>'
        if self.rng.random() < 0.5:
            again = self._amount(invoice.total, "invoice_total")
            table += f"<p>{escape(self._colon('total'))} <b>{again}</b></p>"
        return table

    def _summary(self, role: str) -> str:
        """Return a sentence with amounts and dates in it."""
        invoice = self.invoice
        due = "amount_due" if invoice.prepaid else "invoice_total"
        total = ("invoice_total", invoice.total) if role == "summary" else (due, invoice.amount_due)
        amounts = {
            "subtotal": ("subtotal", invoice.subtotal),
            "tax": ("total_tax", invoice.total_tax),
            "total": total,
        }
        first, *parts = self.sentence(role).split("{")
        shown = escape(first)
        for part in parts:
            name, _, rest = part.partition("}")
            if name == "due":
                shown += self._due()
            else:
                field_name, amount = amounts[name]
                printed = self.money(amount, total=True)
                shown += self.value(field_name, f"{amount:.2f}", printed)
            shown += escape(rest)
        return shown

    def _breakdown(self) -> str:
        if not (self.layout.breakdown and self.invoice.taxes):
            return ""
        heads = (self.caption("rate"), self.caption("base"), self.caption("tax", rate=""))
        rows = "".join(
            f"<tr><td>{escape(self._percent(tax.rate))}</td>"
            f"<td>{self._amount(tax.base, 'base', 'taxes', number)}</td>"
            f"<td>{self._amount(tax.amount, 'amount', 'taxes', number)}</td></tr>"
            for number, tax in enumerate(self.invoice.taxes)
        )
        head = "".join(f"<th>{escape(text)}</th>" for text in heads)
        return f'<table class="breakdown"><tr>{head}</tr>{rows}</table>'

    def _ending(self) -> str:
        invoice, lines = self.invoice, list[str]()
        if not invoice.taxes and not invoice.is_order:
            lines.append(escape(self.sentence("exempt")))
        if invoice.terms is not None:
            days = str(invoice.terms)
            lines.append(escape(self.sentence("terms").format(days=days)))
        elif invoice.due is not None and not any(p.name == "due_date" for p in self.printed):
            first, _, last = self.sentence("due_on").partition("{due}")
            lines.append(f"{escape(first)}{self._due()}{escape(last)}")
        if invoice.due is not None and self.rng.random() < 0.12:
            lines.append(self._summary("pay_all"))
        if self.rng.random() < 0.15:
            said = self.sentence("discount_terms").format(percent="2 %", days="10")
            if self.rng.random() < 0.4:
                said = f"{said} ({self.money(invoice.total * 2 / 100 // _CENT * _CENT)})"
            lines.append(escape(said))
        if self.layout.payment == "body":
            lines.append(self._account("<br>"))
        for _ in range(self.layout.notes):
            lines.append(escape(self._note()))
        if self.rng.random() < 0.6 and not invoice.is_order:
            lines.append(escape(self.sentence("thanks")))
        body = "".join(f"<p>{line}</p>" for line in lines)
        return f"{body}{self._slip()}{self._foot()}"

    def _note(self) -> str:
        """Return a sentence of small print, with a number, a day or an amount here and there."""
        rng = self.rng
        return self.sentence("note").format(
            code=rng.randrange(10_000, 999_999),
            day=self.date(self.invoice.date + dt.timedelta(days=rng.randint(-120, 400))),
            amount=self.money(Decimal(rng.randrange(5_00, 5_000_00)) / 100),
        )

    def _slip(self) -> str:
        """Return a slip to be cut off and sent with the payment: what the invoice says, again."""
        invoice, rng = self.invoice, self.rng
        if not self.layout.slip:
            return ""
        number = self.value("invoice_number", invoice.number, invoice.number)
        rows = [
            (self.caption("number"), number),
            (self.caption("amount_due"), self._amount(invoice.amount_due, "amount_due")),
        ]
        if invoice.customer_id:
            said = self.value("customer_id", invoice.customer_id, invoice.customer_id)
            rows.insert(rng.randrange(3), (self.caption("customer_id"), said))
        if invoice.due is not None:
            rows.insert(rng.randrange(3), (self.caption("due"), self._due()))
        if rng.random() < 0.5:
            paid = "_" * rng.randrange(8, 20)
            rows.append((self.caption("payment"), f"{escape(self._sign)}{paid}"))
        if rng.random() < 0.5:
            heads = "".join(f"<th>{escape(caption)}</th>" for caption, _ in rows)
            cells = "".join(f"<td>{value}</td>" for _, value in rows)
            table = f'<table class="boxes wide"><tr>{heads}</tr><tr>{cells}</tr></table>'
        else:
            lines = (f"<tr><td>{escape(self._colon_of(c))}</td><td>{v}</td></tr>" for c, v in rows)
            table = f'<table class="totals">{"".join(lines)}</table>'
        parties = ""
        if rng.random() < 0.6:
            name = self.value("vendor_name", invoice.vendor.name, invoice.vendor.name)
            parties = f"{name}<br>{self._address('vendor_address', invoice.vendor)}"
        if rng.random() < 0.4:
            again = self.value("customer_name", invoice.customer.name, invoice.customer.name)
            address = self._address("customer_address", invoice.customer)
            parties = f"<td>{again}<br>{address}</td><td>{parties}</td>"
            parties = f'<table class="wide addresses"><tr>{parties}</tr></table>'
        title = f"<p><b>{escape(rng.choice(invoice.words.captions['slip']))}</b></p>"
        body = rng.choice((f"{parties}{table}", f"{table}{parties}"))
        return f'<div class="slip">{title}{body}</div>'

    def _account(self, separator: str) -> str:
        vendor = self.invoice.vendor
        parts: list[str] = []
        if vendor.iban:
            grouped = " ".join(vendor.iban[at : at + 4] for at in range(0, len(vendor.iban), 4))
            shown = grouped if self.rng.random() < 0.7 else vendor.iban
            parts.append(f"{escape(self._colon('iban'))} {self.value('iban', vendor.iban, shown)}")
            code = "".join(self.rng.choice("ABCDEFGHKLMNPRSTUVXZ") for _ in range(4))
            parts.append(escape(f"{self._colon('bic')} {code}{self.invoice.country.code}2L"))
            if self.rng.random() < 0.3:
                parts.insert(0, escape(f"{vendor.contact.split()[-1]} Bank"))
            if self.rng.random() < 0.25:
                holder = self.value("vendor_name", vendor.name, vendor.name)
                parts.append(f"{escape(self._colon('holder'))} {holder}")
        else:
            digits = self.rng.randrange(10**8, 10**9)
            parts.append(escape(f"{self._colon('bank')} {digits}, 0{digits % 90_000:05d}"))
        return separator.join(parts)

    def _foot(self) -> str:
        """Return what stands at the foot of every page."""
        vendor = self.invoice.vendor
        named = {printed.name for printed in self.printed}
        blocks = []
        if self.layout.foot != "none" or "vendor_name" not in named:
            name = self.value("vendor_name", vendor.name, vendor.name)
            register = escape(f"{self._colon('register')} {self.rng.randrange(1000, 999_999)}")
            if self.rng.random() < 0.15:
                name = f"{name}, {register}"
            if "vendor_address" in named and self.rng.random() < 0.5:
                blocks.append(name)
            else:
                blocks.append(f"{name}<br>{self._address('vendor_address', vendor)}")
            blocks.append("<br>".join(map(escape, self._ways(vendor))))
            legal = []
            if self.rng.random() < 0.8:
                legal.append(f"{escape(self._colon('vendor_tax'))} {self._vendor_tax()}")
            if self.rng.random() < 0.5:
                legal.append(register)
            if self.rng.random() < 0.35:
                legal.insert(0, escape(f"{self._colon('director')} {vendor.contact}"))
            if legal:
                blocks.append("<br>".join(legal))
        if self.layout.payment == "foot":
            blocks.append(self._account("<br>"))
        if not blocks:
            return ""
        if self.layout.foot == "columns":
            cells = "".join(f"<td>{block}</td>" for block in blocks)
            return f'<div class="foot"><table class="wide"><tr>{cells}</tr></table></div>'
        return f'<div class="foot">{" · ".join(blocks).replace("<br>", " · ")}</div>'

    def _stamp(self) -> str:
        if self.layout.stamp == "none":
            return ""
        text = _STAMPS[self.layout.stamp][self.invoice.country.language]
        return f'<div class="stamp">{text}</div>'

    def _style(self) -> str:
        layout = self.layout
        counter = self.rng.choice(self.invoice.words.captions["page"])
        content = (
            '"'
            + counter.replace("{page}", '" counter(page) "').replace(
                "{pages}", '" counter(pages) "'
            )
            + '"'
        )
        side = {"left": "left", "right": "right", "centre": "center"}[layout.title_side]
        head = {
            "plain": "font-weight: bold;",
            "filled": f"background: {layout.colour}; color: white;",
            "capitals": "text-transform: uppercase; font-size: 0.85em;",
        }[layout.head]
        rules = {
            "none": "",
            "rows": ".items td { border-bottom: 0.5pt solid #999; }",
            "grid": ".items td, .items th { border: 0.5pt solid #444; }",
            "head": f".items th {{ border-bottom: 1.2pt solid {layout.colour}; }}",
            "zebra": ".items tbody tr:nth-child(even) td { background: #eee; }",
        }[layout.rulings]
        width = f".description {{ width: {layout.narrow}%; }}" if layout.narrow else ""
        spaced = "th, .cap, .meta td:first-child, .boxes .detail { letter-spacing: 0.13em; }\n"
        tracked = spaced if layout.tracked else ""
        numeric = ", ".join(f".{column}" for column in _NUMERIC)
        return f"""
@page {{ size: {layout.paper}; margin: {layout.margin}mm {layout.margin}mm {layout.margin + 14}mm;
  @bottom-right {{ content: {content}; font: 7pt "{layout.font}"; vertical-align: bottom;
    padding-bottom: 2mm; }} }}
body {{ font: {layout.size}pt "{layout.font}"; line-height: 1.35; margin: 0; }}
a {{ color: inherit; text-decoration: none; }}
h1 {{ font-size: {layout.size * 1.6:.1f}pt; margin: 14pt 0 8pt; text-align: {side}; clear: both; }}
p {{ clear: both; margin: 6pt 0; }}
table {{ border-collapse: collapse; }} td, th {{ vertical-align: top; padding: 2pt 4pt; }}
th {{ text-align: left; }} .wide {{ width: 100%; }}
.head {{ margin-bottom: 12pt; }} .head.right {{ text-align: right; }}
.head.centre {{ text-align: center; }}
.head.band {{ background: {layout.colour}; color: white; padding: 8pt; }}
.head .name {{ font-size: 1.4em; font-weight: bold; }} .logo {{ margin-right: 6pt; }}
.to {{ margin: 14pt 0; width: 55%; }} .to.right {{ margin-left: 55%; width: 45%; }}
.to.boxed {{ border: 0.7pt solid #555; padding: 5pt; }}
.sender {{ font-size: 0.7em; text-decoration: underline; margin-bottom: 4pt; }}
.side {{ font-size: 0.85em; text-align: left; margin-left: 40%; }} .beside {{ width: 48%; }}
.t-spread {{ width: 85%; }} .t-spread td:last-child {{ text-align: right; }}
.banner {{ font-size: 0.8em; color: #444; }}
.margin {{ position: fixed; left: -{layout.margin - 3}mm; top: 60%; font-size: 6pt;
  transform: rotate(-90deg); transform-origin: 0 0; white-space: nowrap; }}
.cap {{ font-weight: bold; color: {layout.colour}; }}
.meta.right {{ float: right; }} .meta td:last-child {{ padding-left: 10pt; }}
.meta.full {{ width: 100%; }}
{tracked}.strip th {{ font-size: 0.8em; }} .boxes td, .boxes th {{ border: 0.5pt solid #666; }}
.items {{ width: 100%; clear: both; margin: 8pt 0; }} thead {{ display: table-header-group; }}
.items th {{ {head} }} {rules} {width}
{numeric} {{ text-align: right; }} .items td {{ break-inside: avoid; }}
.detail {{ font-size: 0.85em; color: #333; }} .section td {{ font-weight: bold; padding-top: 6pt; }}
.carry td {{ font-style: italic; text-align: right; }} .sum td {{ text-align: right; }}
tr.total td {{ font-weight: bold; border-top: 0.8pt solid #222; }}
.totals {{ margin: 6pt 0; }} .t-block {{ margin-left: auto; min-width: 45%; }}
.t-wide {{ width: 100%; }}
.breakdown {{ margin: 8pt 0; font-size: 0.9em; }}
.breakdown td, .breakdown th {{ border: 0.4pt solid #888; }}
.slip {{ border-top: 0.7pt dashed #333; margin-top: 16pt; break-inside: avoid; }}
.foot {{ position: fixed; bottom: -{layout.margin + 6}mm; left: 0; right: 0; font-size: 0.75em;
  color: #222; }}
.stamp {{ position: fixed; top: 38%; left: 18%; font-size: 60pt; color: #c0392b; opacity: 0.22;
  transform: rotate(-24deg); }}
"""
