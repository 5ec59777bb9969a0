"""How a till writes amounts, days, and wordings; drawn once for a receipt."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from functools import cached_property

from babel.dates import format_date

from training.invent.receipts.content import Receipt
from training.invent.receipts.countries import SCALES
from training.invent.receipts.lines import Line
from training.invent.receipts.names import draw_brand
from training.invent.receipts.sold import Sold, rounded, unit
from training.invent.receipts.words import WORDS


class Till:
    """What prints one receipt.

    Args:
        receipt: what it says.
        rng: draws how it writes.
    """

    def __init__(self, receipt: Receipt, rng: random.Random) -> None:
        self.receipt = receipt
        self.rng = rng
        self.words = WORDS[receipt.country.language]
        self.upper = rng.random() < 0.35
        self.centred = rng.random() < 0.7
        self.gap = rng.choice((": ", " ", " : ", ":", "  "))
        self.rule = rng.choice("-=*._ ")
        self._digits = 2 if unit(receipt.country) < 1 else 0
        grouped = 0.6 if self._digits else 0.85
        self._grouping = rng.choice(receipt.country.grouping) if rng.random() < grouped else ""
        self.sign = rng.choice(receipt.country.signs) if rng.random() < 0.3 else ""
        self._sign_first = receipt.country.language in ("en", "nl", "pt") or rng.random() < 0.2
        patterns = self.numeric if rng.random() < 0.85 else receipt.country.dates
        self._pattern = rng.choice(patterns)
        self.date = self.day(receipt.moment)
        self.total = self.money(receipt.total)

    @cached_property
    def numeric(self) -> list[str]:
        """The country's patterns of dates without the names of months."""
        return [pattern for pattern in self.receipt.country.dates if "MMM" not in pattern]

    def one(self, role: str) -> str:
        """Return a wording of a role."""
        return self.rng.choice(self.words[role])

    def fact(self, role: str, value: str) -> str:
        """Return a value behind its caption."""
        return self.captioned(self.one(role), value)

    def captioned(self, caption: str, value: str) -> str:
        """Return a value behind a caption, which may be empty or have its colon."""
        gap = " " if caption.endswith(":") or not caption else self.gap
        return f"{caption}{gap}{value}".strip()

    def case(self, text: str) -> str:
        """Return a text in capitals where the till has nothing else."""
        return self.capitals(text) if self.upper else text

    def capitals(self, text: str) -> str:
        """Return a text in the capitals of the language."""
        if self.receipt.country.language == "tr":
            text = text.replace("i", "İ")
        return text.upper()

    def line(self, text: str) -> Line:
        """Return a line of the head or the foot."""
        return self.centre(text) if self.centred else Line(text)

    def centre(self, text: str, scale: float = 1.0) -> Line:
        """Return a line in the middle."""
        return Line(text, "", "centre", scale)

    def day(self, moment: dt.datetime) -> str:
        """Return a day as the receipt's date is written."""
        day = format_date(moment, self._pattern, locale=self.receipt.country.locale)
        return self.case(day)

    def filled(self, text: str) -> str:
        """Return a wording with its values; numbers are drawn."""
        rng, country = self.rng, self.receipt.country
        later = self.receipt.moment + dt.timedelta(days=rng.choice((0, 7, 14, 30, 90, 365)))
        pattern = rng.choice(self.numeric)
        some = Decimal(rng.randrange(10, 400)) / 100 * SCALES.get(country.currency, 1)
        return text.format(
            number=self.number(),
            brand=draw_brand(rng),
            place=self.receipt.place,
            amount=self.money(rounded(some, unit(country))),
            total=self.money(self.receipt.total),
            day=format_date(later, pattern, locale=country.locale),
            percent=f"{rng.choice((10, 12.5, 15, 18))}%",
        )

    def number(self) -> str:
        """Return a number of anything."""
        rng = self.rng
        form = rng.choice(("{:d}", "{:04d}", "{:06d}", "{:04d}-{:02d}", "{:d}/{:d}", "{:08d}"))
        return form.format(rng.randrange(1, 10 ** rng.choice((2, 4, 6))), rng.randrange(1, 99))

    def plain(self, number: Decimal) -> str:
        """Return a number in the country's digits, without groups."""
        return f"{number:f}".replace(".", self.receipt.country.decimal)

    def count(self, line: Sold) -> str:
        """Return how much was sold."""
        if line.measure:
            return f"{self.plain(line.count)} {line.measure}"
        return f"{line.count:.0f}"

    def price(self, line: Sold) -> str:
        """Return the price of one, with as many decimals as it has."""
        return self._number(line.price, max(self._digits, -int(line.price.as_tuple().exponent)))

    def money(self, amount: Decimal, *, bare: bool = False) -> str:
        """Return an amount, with the currency's sign where the till prints one.

        Args:
            amount: of money.
            bare: without the sign.
        """
        text = self._number(amount, self._digits)
        if bare or not self.sign:
            return text
        glue = "" if self.sign in "$£€" else " "
        first = self._sign_first or self.sign == "$"
        return f"{self.sign}{glue}{text}" if first else f"{text} {self.sign}"

    def _number(self, number: Decimal, digits: int) -> str:
        text = f"{abs(number):,.{digits}f}".replace(",", "\0")
        text = text.replace(".", self.receipt.country.decimal).replace("\0", self._grouping)
        return f"-{text}" if number < 0 else text
