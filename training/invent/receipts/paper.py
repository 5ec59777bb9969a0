"""How an invented receipt looks: lines as a till prints them, in columns or in a proportional font.

Every choice (width, font, order of parts, wordings, what is printed beside the sale) is drawn by
itself, so that there are as many tills as receipts.
"""

from __future__ import annotations

import datetime as dt
import html
import random
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from babel.dates import format_date

from training.invent.receipts.content import Receipt, Sold, draw_brand, in_cents
from training.invent.receipts.words import WORDS

_MONO = ("Liberation Mono", "DejaVu Sans Mono", "Noto Sans Mono")
_PROPORTIONAL = (
    *("Liberation Sans", "DejaVu Sans Condensed", "Noto Sans", "Liberation Sans Narrow"),
    *("DejaVu Sans", "Liberation Serif", "Noto Sans Display"),
)
_LETTER = 0.602  # width of a letter of the fixed fonts, of their size
_MM = 72 / 25.4  # points


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the paper.

    Attributes:
        left: its text; of a rule, the sign that it is made of.
        right: what stands at the right edge, mostly an amount.
        manner: where its text stands; a rule is drawn across the paper.
        scale: of the letters.
    """

    left: str
    right: str = ""
    manner: Literal["left", "centre", "rule"] = "left"
    scale: float = 1.0


class Paper:
    """One receipt on paper.

    Args:
        receipt: what it says.
        rng: draws how it looks.
    """

    def __init__(self, receipt: Receipt, rng: random.Random) -> None:
        self.receipt = receipt
        self._rng = rng
        self._words = WORDS[receipt.country.language]
        self._upper = rng.random() < 0.35
        self._centred = rng.random() < 0.7
        self._gap = rng.choice((": ", " ", " : ", ":", "  "))
        self._rule = rng.choice("-=*._ ")
        self._grouping = rng.choice(receipt.country.grouping) if rng.random() < 0.6 else ""
        self._sign = rng.choice(receipt.country.signs) if rng.random() < 0.3 else ""
        self._sign_first = receipt.country.language in ("en", "nl", "pt") or rng.random() < 0.2
        self.date = self._day()
        self.company = self._case(receipt.company)
        self.address = tuple(self._case(line) for line in receipt.address)
        self.total = self._money(receipt.total)

    def html(self, height: float) -> str:
        """Return the page.

        Args:
            height: of the paper, millimetres.
        """
        rng = random.Random(self._rng.getrandbits(48))
        lines = list(self.lines())
        width, columns = rng.choice(((80, 40), (80, 42), (80, 48), (72, 38), (58, 32), (58, 30)))
        if rng.random() < 0.08:
            width, columns = rng.choice(((148, 64), (210, 80)))
        margin = rng.uniform(2, 7)
        size = (width - 2 * margin) * _MM / (columns * _LETTER)
        if rng.random() < 0.6:
            font, body = rng.choice(_MONO), _in_columns(lines, columns)
        else:
            font, body = rng.choice(_PROPORTIONAL), _in_blocks(lines)
        weight = "bold" if rng.random() < 0.15 else "normal"
        return (
            f'<html><head><meta charset="utf-8"><style>@page{{size:{width}mm {height:.0f}mm;'
            f"margin:{rng.uniform(2, 9):.1f}mm {margin:.1f}mm}}"
            f"body{{margin:0;font:{weight} {size:.2f}pt/{rng.uniform(1.05, 1.45):.2f} "
            f"'{font}'}}pre{{margin:0;font:inherit}}.l{{display:flex;"
            f"justify-content:space-between}}.l b{{font-weight:inherit;white-space:nowrap}}"
            f".c{{display:block;text-align:center}}hr{{border:0;"
            f"border-top:.6pt {rng.choice(('solid', 'dashed', 'dotted'))} #000;margin:.4em 0}}"
            f"</style></head><body>{body}</body></html>"
        )

    def lines(self) -> Iterator[Line]:
        """Yield the lines of the paper, from the top."""
        rng = self._rng
        head, facts = list(self._head()), list(self._facts())
        at_foot = rng.random() < 0.07
        if not at_foot:
            yield from head
        if rng.random() < 0.5:
            yield self._centre(rng.choice(self._words["title"]))
        facts_last = rng.random() < 0.25
        if not facts_last:
            yield from facts
        yield from self._divider()
        if rng.random() < 0.12:
            yield from self._slip()
        yield from self._sold()
        yield from self._divider()
        yield from self._sums()
        yield from self._divider()
        if facts_last:
            yield from facts
        if rng.random() < 0.3:
            yield from self._slip()
        yield from self._foot()
        if at_foot:
            yield from head

    def _head(self) -> Iterator[Line]:
        rng, receipt = self._rng, self.receipt
        scale = rng.choice((1.0, 1.0, 1.2, 1.5, 2.0))
        first, last = self._line(self.company), None
        if receipt.brand:
            brand = self._line(receipt.brand.upper() if rng.random() < 0.5 else receipt.brand)
            first, last = (brand, first) if rng.random() < 0.8 else (first, brand)
        yield Line(first.left, "", first.manner, scale)
        if last is not None:
            yield last
        facts = []
        if receipt.phone:
            facts.append(f"{rng.choice(self._words['phone'])}{self._gap}{receipt.phone}")
        if receipt.tax_id:
            facts.append(f"{rng.choice(self._words['tax_id'])}{self._gap}{receipt.tax_id}")
        rng.shuffle(facts)
        before = rng.random() < 0.15
        if before:
            yield from map(self._line, facts)
        yield from map(self._line, self.address)
        if not before:
            yield from map(self._line, facts)
        if rng.random() < 0.15:
            yield self._line(self._filled(rng.choice(self._words["note"])))

    def _facts(self) -> Iterator[Line]:
        rng, words = self._rng, self._words
        time = self.receipt.moment.strftime(rng.choice(("%H:%M", "%H:%M:%S", "%H:%M", "%H.%M")))
        if self.receipt.country.code == "US" and rng.random() < 0.6:
            time = self.receipt.moment.strftime(rng.choice(("%I:%M %p", "%I:%M%p")))
        caption = rng.choice(words["date"])
        date = f"{caption}{self._gap if caption.strip(':') else ''}{self.date}".strip()
        manner = rng.random()
        facts: list[Line] = []
        if manner < 0.35:
            facts.append(Line(f"{date} {time}"))
        elif manner < 0.65:
            facts.append(Line(date, time))
        elif manner < 0.85:
            facts += [Line(date), Line(f"{rng.choice(words['time'])}{self._gap}{time}".strip())]
        else:
            facts.append(Line(caption.strip(" :"), self.date))
        for role, share in (("number", 0.8), ("cashier", 0.5), ("register", 0.4), ("table", 0.2)):
            if rng.random() < share:
                value = self._some_number()
                if role == "cashier" and rng.random() < 0.7:
                    value = draw_brand(rng)
                facts.append(Line(f"{rng.choice(words[role])}{self._gap}{value}"))
        if len(facts) > 1 and rng.random() < 0.3:  # two to a line
            one, other = facts.pop(), facts.pop()
            facts.append(Line(one.left, other.left) if not other.right else other)
        rng.shuffle(facts)
        for line in facts:
            yield self._line(line.left) if not line.right and rng.random() < 0.1 else line

    def _sold(self) -> Iterator[Line]:
        rng = self._rng
        form, letter = rng.randrange(5), rng.random() < 0.3
        codes = rng.random() < 0.2
        for line in self.receipt.sold:
            name = self._case(line.name)
            if codes:
                name = f"{rng.randrange(10**5, 10**8)} {name}"
            amount = self._money(line.amount, bare=True) + (f" {'AB'[line.rate]}" if letter else "")
            count = self._count(line)
            price = self._money(line.price, bare=True)
            if form == 0:
                yield Line(f"{count} {name}", amount)
            elif form == 1:
                yield Line(f"{count} x {name}", amount)
            elif form == 2:
                yield Line(name)
                yield Line(f"  {count} x {price}", amount)
            elif form == 3:
                yield Line(f"{name}  {count}  {price}", amount)
            else:
                yield Line(name, amount)
                if line.count != 1:
                    yield Line(f"   {count} {rng.choice(('x', '@', '*', 'X'))} {price}")
        if rng.random() < 0.25:
            caption = rng.choice(self._words["items"])
            yield Line(f"{caption}{self._gap}{len(self.receipt.sold)}")

    def _sums(self) -> Iterator[Line]:
        rng, receipt, words = self._rng, self.receipt, self._words
        parts = receipt.discount or receipt.tip or receipt.added
        if parts or rng.random() < 0.3:
            yield self._sum("subtotal", receipt.subtotal)
        if receipt.discount:
            yield self._sum("discount", receipt.discount)
        table = list(self._taxes())
        if receipt.added:
            yield from table
        if receipt.tip:
            yield self._sum("tip", receipt.tip)
        if receipt.rounding:
            if rng.random() < 0.5:
                yield self._sum("total", receipt.total - receipt.rounding)
            yield self._sum("rounding", receipt.rounding)
        caption = self._case(rng.choice(words["total"]))
        if self._sign and rng.random() < 0.3 and receipt.country.currency not in caption:
            caption = f"{caption} {self._sign}".strip()
        scale = rng.choice((1.0, 1.0, 1.0, 1.3, 1.6, 2.0))
        yield Line(caption, self.total, "left", scale)
        if not receipt.added and rng.random() < 0.5:
            yield from table
            table = []
        if receipt.paid is None:
            if rng.random() < 0.7:
                yield self._sum("card", receipt.total)
        elif rng.random() < 0.85:
            yield self._sum("cash", receipt.paid)
            yield self._sum("change", receipt.paid - receipt.total)
        if not receipt.added and rng.random() < 0.4:
            yield from table
        if receipt.discount and rng.random() < 0.4:
            yield self._sum("saved", -receipt.discount)

    def _taxes(self) -> Iterator[Line]:
        rng, words = self._rng, self._words
        form = rng.randrange(3)
        caption = rng.choice(words["tax"])
        if form == 1 and not self.receipt.added:
            heads = (rng.choice(words["net"]), rng.choice(words["gross"]))
            yield Line(f"{caption.replace('{rate}', '%')}  {heads[0]}", heads[1])
        for rate, net, tax in self.receipt.taxes:
            shown = f"{self._plain(rate)}{rng.choice(('%', ' %'))}"
            if form == 1 and not self.receipt.added:
                amounts = f"{self._money(net, bare=True)}  {self._money(tax, bare=True)}"
                yield Line(f"{shown}  {amounts}", self._money(net + tax, bare=True))
            else:
                yield Line(caption.format(rate=shown), self._money(tax, bare=True))

    def _foot(self) -> Iterator[Line]:
        rng, words = self._rng, self._words
        found = [rng.choice(words["note"]) for _ in range(rng.choice((0, 0, 1, 1, 2, 3)))]
        if rng.random() < 0.25:
            found.append(rng.choice(words["points"]))
        if rng.random() < 0.3:
            found.append(rng.choice(words["other_date"]))
        if rng.random() < 0.8:
            found.append(rng.choice(words["thanks"]))
        rng.shuffle(found)
        for text in found:
            yield self._line(self._filled(text))

    def _slip(self) -> Iterator[Line]:
        rng = self._rng
        slip = self._words["slip"]
        for text in rng.sample(slip, rng.randrange(2, min(7, len(slip)))):
            yield Line(self._filled(text))
        if rng.random() < 0.5:
            yield Line(f"{self._day()} {self.receipt.moment:%H:%M}")
        yield from self._divider()

    def _sum(self, role: str, amount: Decimal) -> Line:
        return Line(
            self._case(self._filled(self._rng.choice(self._words[role]))), self._money(amount)
        )

    def _divider(self) -> Iterator[Line]:
        if self._rng.random() < 0.6:
            yield Line(self._rule, "", "rule")

    def _line(self, text: str) -> Line:
        return self._centre(text) if self._centred else Line(text)

    def _centre(self, text: str) -> Line:
        return Line(text, "", "centre")

    def _case(self, text: str) -> str:
        return text.upper() if self._upper else text

    def _filled(self, text: str) -> str:
        """Return a wording with its values; numbers are drawn."""
        rng = self._rng
        later = self.receipt.moment + dt.timedelta(days=rng.choice((0, 7, 14, 30, 90, 365)))
        pattern = rng.choice(self._numeric())
        return text.format(
            number=self._some_number(),
            brand=draw_brand(rng),
            amount=self._money(in_cents(Decimal(rng.randrange(10, 400)) / 100)),
            total=self._money(self.receipt.total),
            day=format_date(later, pattern, locale=self.receipt.country.locale),
            percent=f"{rng.choice((10, 12.5, 15, 18))}%",
        )

    def _some_number(self) -> str:
        rng = self._rng
        form = rng.choice(("{:d}", "{:04d}", "{:06d}", "{:04d}-{:02d}", "{:d}/{:d}", "{:08d}"))
        return form.format(rng.randrange(1, 10 ** rng.choice((2, 4, 6))), rng.randrange(1, 99))

    def _numeric(self) -> list[str]:
        """Return the country's patterns of dates without the names of months."""
        return [pattern for pattern in self.receipt.country.dates if "MMM" not in pattern]

    def _day(self) -> str:
        rng, country = self._rng, self.receipt.country
        patterns = self._numeric() if rng.random() < 0.85 else country.dates
        day = format_date(self.receipt.moment, rng.choice(patterns), locale=country.locale)
        return day.upper() if self._upper else day

    def _plain(self, number: Decimal) -> str:
        return f"{number:f}".replace(".", self.receipt.country.decimal)

    def _count(self, line: Sold) -> str:
        whole = line.count == line.count.to_integral_value()
        return f"{line.count:.0f}" if whole else self._plain(line.count) + " kg"

    def _money(self, amount: Decimal, *, bare: bool = False) -> str:
        text = f"{abs(amount):,.2f}".replace(",", "\0").replace(".", self.receipt.country.decimal)
        text = ("-" if amount < 0 else "") + text.replace("\0", self._grouping)
        if bare or not self._sign:
            return text
        glue = "" if self._sign in "$£€" else " "
        return f"{self._sign}{glue}{text}" if self._sign_first else f"{text} {self._sign}"


def _in_columns(lines: list[Line], columns: int) -> str:
    """Return lines in a fixed font, text that is too long in several."""
    found = []
    for line in lines:
        room = int(columns / line.scale)
        if line.manner == "rule":
            found.append(line.left * columns)
            continue
        space = room - len(line.right) - 1 if line.right else room
        parts = textwrap.wrap(line.left, max(space, 8), drop_whitespace=True) or [""]
        indent = " " * (len(line.left) - len(line.left.lstrip()))
        if line.manner == "centre":
            shown = [part.center(room).rstrip() for part in parts]
        else:
            shown = [indent + part for part in parts]
            shown[-1] += line.right.rjust(room - len(shown[-1])) if line.right else ""
        text = html.escape("\n".join(shown))
        if line.scale != 1:
            text = f'<span style="font-size:{line.scale}em">{text}</span>'
        found.append(text)
    return "<pre>" + "\n".join(found) + "</pre>"


def _in_blocks(lines: list[Line]) -> str:
    """Return lines in a proportional font, broken where the paper ends."""
    found = []
    for line in lines:
        if line.manner == "rule":
            found.append("<hr>" if line.left != " " else "<p></p>")
            continue
        style = f' style="font-size:{line.scale * 0.94:.2f}em"' if line.scale != 1 else ""
        right = f"<b>{html.escape(line.right)}</b>" if line.right else ""
        place = " c" if line.manner == "centre" else ""
        found.append(
            f'<div class="l{place}"{style}><span>{html.escape(line.left)}</span>{right}</div>'
        )
    return "".join(found)
