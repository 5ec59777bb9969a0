"""What an invoice says: who bills whom, for what, and what it adds up to.

Every amount is as a bookkeeper would have it: lines are rounded to cents, taxes once for each rate,
and the totals are sums of what is printed.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from training.invent.invoices.countries import Country
from training.invent.invoices.words import WORDS, Words


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
