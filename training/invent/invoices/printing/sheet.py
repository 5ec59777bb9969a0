"""An invoice and a layout to HTML."""

from __future__ import annotations

import datetime as dt
import random
from dataclasses import asdict
from html import escape
from typing import Any

from training.invent.invoices.content import Invoice
from training.invent.invoices.layouts import Layout
from training.invent.invoices.printing.ending import Ending
from training.invent.invoices.printing.facts import Facts
from training.invent.invoices.printing.parties import Parties
from training.invent.invoices.printing.pen import Part, Pen, Printed
from training.invent.invoices.printing.rows import Rows
from training.invent.invoices.printing.style import style
from training.invent.invoices.printing.totals import Totals


class Sheet(Part):
    """Writes one document from its parts."""

    def __init__(self, invoice: Invoice, layout: Layout, rng: random.Random) -> None:
        pen = Pen(invoice, layout, rng)
        super().__init__(pen)
        self.parties, self.facts, self.totals = Parties(pen), Facts(pen), Totals(pen)
        self.rows, self.ending = Rows(pen, self.totals), Ending(pen, self.totals)

    @property
    def printed(self) -> list[Printed]:
        """The labelled values that are printed, by their number."""
        return self.pen.printed

    @property
    def looks(self) -> dict[str, Any]:
        """How it looks."""
        return asdict(self.layout)

    @property
    def group(self) -> dict[str, str]:
        """Nothing: no two documents need to stay on one side of a split."""
        return {}

    def html(self) -> str:
        """Return the document."""
        head, parties = self.parties.letterhead(), self.parties.addresses()
        title, meta, intro = self.facts.title(), self.facts.meta(), self.facts.intro()
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
            self.facts.bill(),
            self.rows.items() if self.layout.table == "table" else self.rows.as_list(),
            self.totals.adjustments(),
            self.totals.block(),
            self.ending.below(),
            self.ending.stamp(),
        ]
        head = f"<head><style>{style(self.pen)}</style></head>"
        return f"<html>{head}<body>{''.join(body)}</body></html>"

    def _beside(self, left: str, right: str) -> str:
        cells = [f"<td>{left}</td>", f'<td class="beside">{right}</td>']
        if self.rng.random() < 0.15:
            cells.reverse()
        return f'<table class="wide addresses"><tr>{"".join(cells)}</tr></table>'

    def _banner(self) -> str:
        """Return lines that programs and scanners add, and a note that runs up the margin."""
        if not self.layout.banner:
            return ""
        rng, lines = self.rng, list[str]()
        for _ in range(rng.choice((1, 1, 2, 4))):
            lines.append(
                rng.choice(self.pen.apt(self.invoice.words.captions["banner"])).format(
                    code=rng.randrange(10**3, 10**7),
                    version=f"{rng.randrange(1, 9)}.{rng.randrange(10)}.{rng.randrange(4)}",
                    day=self.pen.date(
                        self.invoice.date + dt.timedelta(days=rng.randrange(-900, 9))
                    ),
                )
            )
        margin = f'<div class="margin">{escape(lines.pop())}</div>' if rng.random() < 0.4 else ""
        style = rng.choice(("banner", "banner", ""))
        return f'<div class="{style}">{"<br>".join(map(escape, lines))}</div>{margin}'
