"""Fills the blanks of a design; whatever a blank prints is labelled."""

from __future__ import annotations

import datetime as dt
import random
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape
from stdnum import iban

from pipeline.errors import InvalidOption
from training.invent.invoices.content import Invoice, Item, Party, Tax
from training.invent.invoices.designs.design import Design
from training.invent.invoices.designs.pattern import Pattern
from training.invent.invoices.layouts import FONTS, draw_layout
from training.invent.invoices.printing.pen import Pen, Printed

# What is labelled is a link while it is laid out: it must not look like one.
_STYLE = "<style>a { color: inherit; text-decoration: none }</style>"
_ENVIRONMENT = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
_TEMPLATE = "<template>"  # what Jinja calls the file of a page


def _line_of(error: Exception) -> int | None:
    """Return the line of a page on which its expression failed; None where it is another's.

    Jinja puts a frame into the traceback that says the line of the template.
    """
    frames = traceback.extract_tb(error.__traceback__)
    return next((at.lineno for at in reversed(frames) if at.filename == _TEMPLATE), None)


class Blank:
    """A blank of a page: prints its value where it stands, false where there is none.

    ``{{ total }}`` prints it in the usual form, ``{{ total(4) }}`` in another one: decimals of a
    number, or a pattern of a date.
    """

    def __init__(self, write: Callable[..., str] | None, form: Any = None) -> None:
        self._write, self._form = write, form

    def __bool__(self) -> bool:
        return self._write is not None

    def __call__(self, form: Any) -> Blank:
        """Return it in another form."""
        return Blank(self._write, form)

    def __html__(self) -> str:
        if self._write is None:
            return ""
        return self._write() if self._form is None else self._write(self._form)

    def __str__(self) -> str:  # as text it would lose its label
        raise TypeError("A blank can only be printed.")


@dataclass(frozen=True)
class _Writer:
    """What prints the values of an invoice in the manner of its page."""

    pen: Pen

    def text(self, name: str, value: str | None) -> Blank:
        return Blank(lambda: self.pen.value(name, value)) if value else Blank(None)

    def date(self, name: str, day: dt.date | None) -> Blank:
        if day is None:
            return Blank(None)

        def write(pattern: str | None = None) -> str:
            return self.pen.day(name, day, pattern)

        return Blank(write)

    def amount(self, name: str, amount: Decimal, group: str = "", row: int = 0) -> Blank:
        """Return a blank for a number; it is no label where it has no name."""

        def write(places: int = 2) -> str:
            shown = self.pen.number(amount, places)
            if not name:
                return str(escape(shown))
            plain = f"{amount.normalize():f}" if name in _NUMBERS else f"{amount:.2f}"
            return self.pen.value(name, plain, shown, group, row)

        return Blank(write)

    def number(self, name: str, number: Decimal, group: str, row: int) -> Blank:
        """Return a blank for a number with only the decimals it has."""
        return self.amount(name, number, group, row)(0)


_NUMBERS = ("quantity", "unit_price", "rate", "tax_rate")


class _Party:
    """A party: its parts are blanks, labelled as those of its role where it has one."""

    def __init__(self, writer: _Writer, party: Party, role: str) -> None:
        self._writer, self._party, self._role = writer, party, role
        self.phone, self.email, self.contact = party.phone, party.email, party.contact
        self.brand = party.brand
        self.iban = self._account(party.iban if role == "vendor" else "")

    @cached_property
    def name(self) -> Blank:
        """Its name."""
        return self._labelled("name", self._party.name)

    @cached_property
    def tax_id(self) -> Blank:
        """Its number as a tax payer."""
        pen, number = self._writer.pen, self._party.tax_id
        if self._role == "vendor":
            return Blank(pen.vendor_tax)
        return Blank(lambda: pen.value(f"{self._role}_tax_id", number, pen.spaced(number)))

    def address(self, separator: str = "<br>") -> Markup:
        """Return the lines of its address."""
        if self._role == "recipient":
            sign = Markup("<br>") if separator == "<br>" else escape(separator)
            return sign.join(self._party.lines)
        name = f"{self._role}_address"
        return Markup(self._writer.pen.address(name, self._party, separator))

    def _account(self, number: str) -> Blank:
        """Return its account, in groups of four as a rule."""
        if not number:
            return Blank(None)
        pen = self._writer.pen
        shown = iban.format(number) if pen.rng.random() < 0.8 else number
        return Blank(lambda: pen.value("iban", number, shown))

    def _labelled(self, part: str, value: str) -> Blank:
        if self._role == "recipient":
            return Blank(lambda: str(escape(value)))
        return self._writer.text(f"{self._role}_{part}", value)


class _Row:
    """A position: its columns are blanks."""

    def __init__(self, writer: _Writer, items: tuple[Item, ...], row: int) -> None:
        item = items[row]
        pen = writer.pen
        self.n, self.details, self.section = row + 1, item.details, item.section

        def labelled(name: str, text: str) -> Blank:
            if not text:
                return Blank(None)
            return Blank(lambda: pen.value(name, text, text, "items", row))

        self.description = labelled("description", item.description)
        self.code, self.unit = labelled("product_code", item.code), labelled("unit", item.unit)
        self.quantity = writer.number("quantity", item.quantity, "items", row)
        self.price = writer.amount("unit_price", item.price, "items", row)
        self.rate = writer.number("tax_rate", item.rate, "items", row)
        self.amount = writer.amount("amount", item.amount, "items", row)
        self.discount = pen.number(item.discount, 0) if item.discount else ""
        taxed = (item.amount * (100 + item.rate) / 100).quantize(Decimal("0.01"))
        first = next((n for n in range(row, -1, -1) if items[n].section), None)
        ends = row + 1 == len(items) or bool(items[row + 1].section)
        self.section_sum = Blank(None)
        if first is not None and ends:
            section = sum((other.amount for other in items[first : row + 1]), Decimal(0))
            self.section_sum = writer.amount("", section)
        self.with_tax, self.tax = writer.amount("", taxed), writer.amount("", taxed - item.amount)


class _TaxRow:
    """A tax: its parts are blanks."""

    def __init__(self, writer: _Writer, tax: Tax, row: int, *, single: bool) -> None:
        self.name = tax.name
        self.rate = writer.number("rate", tax.rate, "taxes", row)
        self.base = writer.amount("base", tax.base, "taxes", row)
        place = ("total_tax", "", 0) if single else ("amount", "taxes", row)
        self.amount = writer.amount(place[0], tax.amount, place[1], place[2])
        self.gross = writer.amount("", tax.base + tax.amount)


class Page:
    """Writes one document of a design."""

    def __init__(self, design: Design, invoice: Invoice, rng: random.Random) -> None:
        self.design, self.invoice, self.rng = design, invoice, rng
        layout = draw_layout(rng, invoice)
        # Numbers without signs, words as they stand: the page has its own.
        plain = replace(layout, money="none", minus="-5", shouts=False, second=False, brief=False)
        self._pen = Pen(invoice, plain, rng)

    @property
    def printed(self) -> list[Printed]:
        """The labelled values that are printed, by their number."""
        return self._pen.printed

    @property
    def looks(self) -> dict[str, Any]:
        """How it looks."""
        return {"design": self.design.name}

    @property
    def group(self) -> dict[str, str]:
        """What keeps all documents of a design on one side of a split."""
        return {"issuer_group": self.design.name}

    def html(self) -> str:
        """Return the document.

        Raises:
            InvalidOption: the design is wrong; the text says where.
        """
        try:
            template = _ENVIRONMENT.from_string(self.design.body)
            return _STYLE + template.render({**self._blanks(), **self._chance()})
        except Exception as error:  # the expressions of a template raise anything
            line = getattr(error, "lineno", None) or _line_of(error)
            where = f", line {line} below the head" if line else ""
            said = str(error).replace(f"{__name__}._", "").rstrip(".")
            raise InvalidOption(
                f"The design {self.design.name}{where}: {said}.", advice="Mend the design."
            ) from error

    def _blanks(self) -> dict[str, Any]:
        invoice, writer = self.invoice, _Writer(self._pen)
        recipient, service = invoice.recipient, invoice.service or (None, None)
        whole = invoice.sum_of_items
        single = len(invoice.taxes) == 1
        nothing = Blank(None)

        def if_any(name: str, amount: Decimal) -> Blank:
            return writer.amount(name, amount) if amount else nothing

        return {
            "vendor": _Party(writer, invoice.vendor, "vendor"),
            "customer": _Party(writer, invoice.customer, "customer"),
            "recipient": recipient and _Party(writer, recipient, "recipient"),
            "number": writer.text("invoice_number", invoice.number),
            "order": writer.text("purchase_order", invoice.order),
            "customer_id": writer.text("customer_id", invoice.customer_id),
            "date": writer.date("invoice_date", invoice.date),
            "due": writer.date("due_date", invoice.due),
            "start": writer.date("service_start", service[0]),
            "end": writer.date("service_end", service[1]),
            "terms": invoice.terms or 30,
            "reference": invoice.reference,
            "items": [_Row(writer, invoice.items, row) for row in range(len(invoice.items))],
            "goods": writer.amount("subtotal" if whole == invoice.subtotal else "", whole),
            "discount": if_any("total_discount", abs(invoice.discount)),
            "charge": if_any("", invoice.charge),
            "subtotal": writer.amount("subtotal", invoice.subtotal),
            "taxes": [
                _TaxRow(writer, tax, row, single=single) for row, tax in enumerate(invoice.taxes)
            ],
            "tax": writer.amount("total_tax", invoice.total_tax),
            "levies": [(name, writer.amount("", amount)) for name, amount in invoice.levies],
            "total": writer.amount("invoice_total", invoice.total),
            "paid": if_any("", invoice.prepaid),
            "left": writer.amount("amount_due", invoice.amount_due) if invoice.prepaid else nothing,
            "credit": invoice.is_credit,
        }

    def _chance(self) -> dict[str, Any]:
        """Return what prints anything else: none of it is labelled."""
        rng, pen, day = self.rng, self._pen, self.invoice.date
        fill = Pattern(rng, self.invoice.country, day)

        def amount(low: float, high: float, places: int = 2) -> str:
            return pen.number(Decimal(round(rng.uniform(low, high) * 100)) / 100, places)

        def other_day(days: int = 0, pattern: str | None = None) -> str:
            return pen.date(day + dt.timedelta(days=days), pattern)

        def code(pattern: str | None = None) -> str:
            return pen.code() if pattern is None else fill.fill(pattern)

        return {
            "pick": lambda *wordings: rng.choice(wordings),
            "chance": lambda odds: rng.random() < odds,
            "integer": rng.randint,
            "some": amount,
            "day": other_day,
            "code": code,
            "font": rng.choice(FONTS),
        }
