"""How an invented receipt looks: lines as a till prints them, in columns or in a proportional font.

Every choice (width, font, order of parts, wordings, what is printed beside the sale) is drawn by
itself, so that there are as many tills as receipts.
"""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from training.invent.receipts.content import Receipt
from training.invent.receipts.head import Head
from training.invent.receipts.lines import Line, in_blocks, in_columns
from training.invent.receipts.names import draw_brand
from training.invent.receipts.sold import ONE_FEE, Sold
from training.invent.receipts.till import Till

_MONO = ("Liberation Mono", "DejaVu Sans Mono", "Noto Sans Mono")
_PROPORTIONAL = (
    *("Liberation Sans", "DejaVu Sans Condensed", "Noto Sans", "Liberation Sans Narrow"),
    *("DejaVu Sans", "Liberation Serif", "Noto Sans Display"),
)
_LETTER = 0.602  # width of a letter of the fixed fonts, of their size
_MM = 72 / 25.4  # points
_PUMPS = {
    **{"cs": "Stojan", "da": "Stander", "de": "Zapfsäule", "es": "Surtidor", "fi": "Mittari"},
    **{"fr": "Pompe", "hr": "Točionik", "hu": "Kút", "it": "Pompa", "nb": "Pumpe", "nl": "Pomp"},
    **{"pl": "Dystrybutor", "pt": "Bomba", "ro": "Pompa", "tr": "Pompa"},
}
_CASH_BACK = {
    **{"de": "Barauszahlung", "sv": "Kontantuttag", "da": "Hævet", "nb": "Kontantuttak"},
    **{"fi": "Käteisnosto", "nl": "Geldopname", "en": "CASH BACK"},
}
_MONEY = re.compile(r"€|EUR|CHF|PLN|R\$|SEK|NOK|DKK|CZK|HUF|RON")  # in captions
_AMOUNT = re.compile(r"-?[\d., ]*\d,\d\d\b.*")


class Paper:
    """One receipt on paper.

    Args:
        receipt: what it says.
        rng: draws how it looks.

    Attributes:
        company, date, address, total: as they are printed: the labels.
    """

    def __init__(self, receipt: Receipt, rng: random.Random) -> None:
        self.receipt = receipt
        self._rng = rng
        self._till = Till(receipt, rng)
        title = self._till.one("title") if rng.random() < 0.5 else ""
        beside = title and rng.random() < 0.4
        self._title = "" if beside else title
        self._head = Head(self._till, title if beside else "")
        self.date = self._till.date
        self.total = self._till.total
        self.company = self._head.company
        self.address = self._head.address
        self._starred = receipt.country.language == "tr" and rng.random() < 0.8
        self._total_manner = self._draw_total_manner()

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
            font, body = rng.choice(_MONO), in_columns(lines, columns)
        else:
            font, body = rng.choice(_PROPORTIONAL), in_blocks(lines)
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
        for line in self._lines():
            starred = self._starred and _AMOUNT.fullmatch(line.right)
            yield replace(line, right=f"*{line.right}") if starred else line

    def _lines(self) -> Iterator[Line]:
        rng, kind = self._rng, self.receipt.kind
        head, facts = list(self._head.lines()), list(self._facts())
        at_foot = rng.random() < 0.05 and not self._head.is_running
        if not at_foot:
            yield from head
        if self._title:
            yield self._till.centre(self._title)
        facts_last = rng.random() < 0.25
        if not facts_last:
            yield from facts
        yield from self._divider()
        # Terminals print their slip above or below the sale; of a slip alone there is no sale.
        if kind == "slip" or rng.random() < (0.25 if kind == "fuel" else 0.12):
            yield from self._slip()
        if kind != "slip":
            yield from self._sold()
            yield from self._divider()
        yield from self._sums()
        yield from self._divider()
        if facts_last:
            yield from facts
        if kind != "slip" and rng.random() < (0.5 if kind == "fuel" else 0.3):
            yield from self._slip()
        yield from self._foot()
        if at_foot:
            yield from head
        if self._head.is_running:
            yield from self._head.foot()

    def _draw_total_manner(self) -> str:
        """Return how the total stands: captioned, alone, or only as the amount of what is sold."""
        rng, receipt = self._rng, self.receipt
        drawn = rng.random()
        alone = 0.2 if receipt.kind in (*ONE_FEE, "slip") else 0.04
        if drawn < alone:
            return "alone"
        # The one amount is the total, or a stay's charges are paid without a sum of them.
        unsummed = receipt.kind in (*ONE_FEE, "fuel") and len(receipt.sold) == 1
        if unsummed and receipt.total == receipt.subtotal and drawn < alone + 0.25:
            return "sold"
        if receipt.kind == "folio" and receipt.paid is None and drawn < alone + 0.2:
            return "paid"
        return "captioned"

    def _facts(self) -> Iterator[Line]:
        rng, till, kind = self._rng, self._till, self.receipt.kind
        facts: list[Line] = []
        form = rng.choice(("%H:%M", "%H:%M:%S", "%H:%M", "%H.%M"))
        if self.receipt.country.code == "US" and rng.random() < 0.6:
            form = rng.choice(("%I:%M %p", "%I:%M%p"))
        dated = kind != "parking" or rng.random() < 0.5
        if kind == "parking" or (kind == "ride" and rng.random() < 0.5):
            facts += self._stay(form, dated=dated and rng.random() < 0.5)
        if dated:
            facts += self._moment(self.receipt.moment.strftime(form))
        for role, share in (("number", 0.8), ("cashier", 0.5), ("register", 0.4), ("table", 0.2)):
            if rng.random() < share * (1 if kind == "sale" or role == "number" else 0.4):
                value = till.number()
                if role == "cashier" and rng.random() < 0.7:
                    value = draw_brand(rng)
                facts.append(Line(till.fact(role, value)))
        if kind == "fuel" and rng.random() < 0.7:
            pump = _PUMPS.get(self.receipt.country.language, "Pump")
            facts.append(Line(till.captioned(till.case(pump), str(rng.randrange(1, 17)))))
        if kind == "ride" and rng.random() < 0.6:
            distance = till.plain(Decimal(rng.randrange(8, 640)) / 10)
            facts.append(Line(f"{distance} {rng.choice(('km', 'KM', 'Km'))}"))
        if len(facts) > 1 and rng.random() < 0.3:  # two to a line
            one, other = facts.pop(), facts.pop()
            facts += [Line(one.left, other.left)] if not one.right + other.right else [other, one]
        if kind != "parking":
            rng.shuffle(facts)
        for line in facts:
            yield till.line(line.left) if not line.right and rng.random() < 0.1 else line

    def _moment(self, time: str) -> list[Line]:
        """Return the lines of the date and the time."""
        rng, till = self._rng, self._till
        caption = till.one("date")
        date = till.captioned(caption, till.date)
        manner = rng.random()
        if manner < 0.35:
            return [Line(f"{date} {time}")]
        if manner < 0.65:
            return [Line(date, time)]
        if manner < 0.85:
            return [Line(date), Line(till.fact("time", time))]
        return [Line(caption.strip(" :"), till.date)]

    def _stay(self, form: str, *, dated: bool) -> list[Line]:
        """Return when parking or a ride began and ended, without days where they are dated."""
        rng, till, receipt = self._rng, self._till, self.receipt
        at_edge = rng.random() < 0.5
        found = []
        for role, moment in (("entry", receipt.since), ("exit", receipt.moment)):
            caption, time = till.case(till.one(role)).strip(": "), moment.strftime(form)
            value = time if dated else f"{till.day(moment)} {time}"
            found.append(Line(caption, value) if at_edge else Line(till.captioned(caption, value)))
        minutes = int((receipt.moment - receipt.since).total_seconds()) // 60
        hours, minutes = divmod(minutes, 60)
        if rng.random() < 0.5:
            lasted = rng.choice(("{:02d}:{:02d}", "{}h {:02d}min", "{} h {} min", "{:d}:{:02d} h"))
            found.append(Line(lasted.format(hours, minutes)))
        return found

    def _sold(self) -> Iterator[Line]:
        rng, till = self._rng, self._till
        form, letter = rng.randrange(5), rng.random() < 0.3
        codes = rng.random() < 0.2
        days = self.receipt.kind == "folio" and rng.random() < 0.7
        for line in self.receipt.sold:
            name = till.case(line.name)
            if codes and self.receipt.kind == "sale":
                name = f"{rng.randrange(10**5, 10**8)} {name}"
            if days:
                name = f"{self._night(line)} {name}"
            amount = till.money(line.amount, bare=True) + (f" {'AB'[line.rate]}" if letter else "")
            if self._total_manner == "sold":
                amount = self.total
            count, price = till.count(line), till.price(line)
            measured = line.measure and line.measure != "kg"
            if measured and form in (0, 1, 4):
                yield Line(name, amount)
                yield Line(f"{count} x {price}")
            elif form == 0 and not days:
                yield Line(f"{count} {name}", amount)
            elif form == 1 and not days:
                yield Line(f"{count} x {name}", amount)
            elif form == 2 and self.receipt.kind not in ONE_FEE:
                yield Line(name)
                yield Line(f"  {count} x {price}", amount)
            elif form == 3 and self.receipt.kind not in ONE_FEE:
                yield Line(f"{name}  {count}  {price}", amount)
            else:
                yield Line(name, amount)
                if line.count != 1:
                    yield Line(f"   {count} {rng.choice(('x', '@', '*', 'X'))} {price}")
        if rng.random() < 0.25 and self.receipt.kind == "sale":
            yield Line(till.fact("items", str(len(self.receipt.sold))))

    def _night(self, line: Sold) -> str:
        """Return the day of a charge as hotels put it in front, the year left out by most."""
        day = self.receipt.moment - dt.timedelta(days=line.days)
        if self._rng.random() < 0.1:
            return self._till.day(day)
        american = self.receipt.country.code == "US"
        between = next((sign for sign in "./-" if sign in self.date), ".")
        parts = (f"{day.month:02d}", f"{day.day:02d}")
        return between.join(parts if american else parts[::-1])

    def _sums(self) -> Iterator[Line]:
        rng, till, receipt = self._rng, self._till, self.receipt
        captioned = self._total_manner == "captioned"
        table = list(self._taxes())
        if captioned:
            parts = receipt.discount or receipt.tip or receipt.added
            if (parts or rng.random() < 0.3) and receipt.kind != "slip":
                yield self._sum("subtotal", receipt.subtotal)
        if receipt.discount:
            yield self._sum("discount", receipt.discount)
        if receipt.added and receipt.kind != "slip":
            yield from table
        if receipt.tip:
            yield self._sum("tip", receipt.tip)
        if receipt.rounding:
            if captioned and rng.random() < 0.5:
                yield self._sum("total", receipt.total - receipt.rounding)
            yield self._sum("rounding", receipt.rounding)
        if self._total_manner == "alone":
            scale = rng.choice((1.6, 2.0, 2.4))
            centred = rng.random() < 0.6
            yield till.centre(self.total, scale) if centred else Line("", self.total, "left", scale)
        elif captioned:
            yield self._captioned_total()
        if receipt.kind == "slip":
            return
        if not receipt.added and rng.random() < 0.5:
            yield from table
            table = []
        yield from self._payment()
        if not receipt.added and rng.random() < 0.4:
            yield from table
        if receipt.discount and rng.random() < 0.4:
            yield self._sum("saved", -receipt.discount)

    def _captioned_total(self) -> Line:
        rng, till = self._rng, self._till
        country = self.receipt.country
        own = (country.currency, *country.signs)
        captions = [
            caption
            for caption in till.words["total"]
            if all(money in own for money in _MONEY.findall(caption))
        ]
        caption = till.case(rng.choice(captions))
        if till.sign and rng.random() < 0.3 and country.currency not in caption:
            caption = f"{caption} {till.sign}".strip()
        return Line(caption, self.total, "left", rng.choice((1.0, 1.0, 1.0, 1.3, 1.6, 2.0)))

    def _payment(self) -> Iterator[Line]:
        """Yield how it was paid: what is left of a stay, tips to be written, cash given out."""
        rng, till, receipt = self._rng, self._till, self.receipt
        if receipt.paid is not None:
            if rng.random() < 0.85:
                yield self._sum("cash", receipt.paid)
                yield self._sum("change", receipt.paid - receipt.total)
        elif receipt.cash_back:
            back = _CASH_BACK.get(receipt.country.language, "Cashback")
            yield Line(till.case(back), till.money(receipt.cash_back))
            yield self._sum("card", receipt.total + receipt.cash_back)
        elif self._total_manner == "paid" or rng.random() < 0.7:
            yield self._sum("card", receipt.total)
        if receipt.kind == "folio" and rng.random() < 0.8:
            yield self._sum("balance", Decimal(0))
        to_write = receipt.country.language == "en" and receipt.paid is None and not receipt.tip
        if receipt.kind == "sale" and to_write and rng.random() < 0.12:
            yield Line(f"{till.case(till.one('tip')).format(percent='')} {'_' * 14}")
            yield Line(f"{till.case(till.one('total'))} {'_' * 14}")

    def _taxes(self) -> Iterator[Line]:
        rng, till = self._rng, self._till
        form = rng.randrange(3)
        caption = till.one("tax")
        if form == 1 and not self.receipt.added:
            heads = (till.one("net"), till.one("gross"))
            yield Line(f"{caption.replace('{rate}', '%')}  {heads[0]}", heads[1])
        for rate, net, tax in self.receipt.taxes:
            shown = f"{till.plain(rate)}{rng.choice(('%', ' %'))}"
            if self.receipt.country.language == "tr":
                shown = f"%{till.plain(rate)}"
            if form == 1 and not self.receipt.added:
                amounts = f"{till.money(net, bare=True)}  {till.money(tax, bare=True)}"
                yield Line(f"{shown}  {amounts}", till.money(net + tax, bare=True))
            else:
                yield Line(caption.format(rate=shown), till.money(tax, bare=True))

    def _foot(self) -> Iterator[Line]:
        rng, till = self._rng, self._till
        found = [till.one("note") for _ in range(rng.choice((0, 0, 1, 1, 2, 3)))]
        if rng.random() < 0.25:
            found.append(till.one("points"))
        if rng.random() < 0.3:
            found.append(till.one("other_date"))
        if rng.random() < 0.8:
            found.append(till.one("thanks"))
        rng.shuffle(found)
        for text in found:
            yield till.line(till.filled(text))

    def _slip(self) -> Iterator[Line]:
        rng, till = self._rng, self._till
        slip = till.words["slip"]
        texts = rng.sample(slip, rng.randrange(2, min(7, len(slip))))
        if self.receipt.kind == "slip":  # its amount stands below
            unsummed = [text for text in texts if "{total}" not in text]
            texts = [till.case(till.one("card")), *unsummed]
        for text in texts:
            yield Line(till.filled(text))
        if rng.random() < 0.5:
            yield Line(f"{till.date} {self.receipt.moment:%H:%M}")
        yield from self._divider()

    def _sum(self, role: str, amount: Decimal) -> Line:
        till = self._till
        return Line(till.case(till.filled(till.one(role))), till.money(amount))

    def _divider(self) -> Iterator[Line]:
        if self._rng.random() < 0.6:
            yield Line(self._till.rule, "", "rule")
