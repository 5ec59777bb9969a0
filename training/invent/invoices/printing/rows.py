"""The positions, as tables or as blocks of lines."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from html import escape

from training.invent.invoices.content import Item
from training.invent.invoices.printing.pen import Part
from training.invent.invoices.printing.totals import Totals

_ROWS_FIRST, _ROWS_LATER = 11, 24  # on a page, where sums are carried over; at nine points


@dataclass(slots=True)
class Rows(Part):
    """Writes the positions."""

    totals: Totals

    def items(self) -> str:
        """Return the positions as tables, with the totals below where they stand there."""
        invoice, layout = self.invoice, self.layout
        currency = f" ({self.pen.sign})" if layout.money == "head" and self.pen.sign else ""
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

    def as_list(self) -> str:
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
        foot = self.totals.rows() if self.layout.totals == "rows" else ""
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
        foot = self.totals.rows() if last and self.layout.totals == "rows" else ""
        name = f"items {self.layout.rulings} h-{self.layout.head}"
        style = ' style="break-after: page"' if breaks else ""
        return f'<table class="{name}"{style}>{head}<tbody>{"".join(rows)}{foot}</tbody></table>'

    def _head(self, column: str) -> str:
        return self.pen.caption({"counted": "quantity"}.get(column, column))

    def _carry(self, amount: Decimal) -> str:
        return self._sum_row("carry", self.pen.caption("carried"), amount)

    def _sum_row(self, kind: str, caption: str, amount: Decimal) -> str:
        """Return a row between the positions that says what some of them come to."""
        span = len(self.layout.columns) - 1
        return (
            f'<tr class="{kind}"><td colspan="{span}">{escape(caption)}</td>'
            f'<td class="amount">{escape(self.pen.money(amount))}</td></tr>'
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
        return self._sum_row("sum", caption, amount)

    def _extra(self, item: Item) -> str:
        """Return the row below a position that says what was added to it, or taken off."""
        if not item.extra:
            return ""
        role = "charge" if (item.extra > 0) == (item.amount > 0) else "total_discount"
        shown = {
            "description": escape(self.pen.caption(role)),
            "amount": escape(self.pen.money(item.extra)),
        }
        cells = (f'<td class="{c}">{shown.get(c, "")}</td>' for c in self.layout.columns)
        return f"<tr>{''.join(cells)}</tr>"

    def _cell(self, column: str, row: int, item: Item) -> str:
        def labelled(name: str, value: str, text: str | None = None) -> str:
            return self.pen.value(name, value, text, "items", row)

        quantity = self.pen.number(item.quantity, self.layout.quantity_places)
        if column == "pos":
            return self._position(row)
        if column == "code":
            return labelled("product_code", item.code) if item.code else ""
        if column == "description":
            return self._described(row, item)
        if column == "day":
            day = self.invoice.service[0] if self.invoice.service else self.invoice.date
            return escape(self.pen.date(day - dt.timedelta(days=row % 5)))
        if column in ("ordered", "open", "weight", "lot"):
            return self._unasked(column, item)
        if column in ("taxed", "gross"):
            tax = (item.amount * item.rate / 100).quantize(Decimal("0.01"))
            return escape(self.pen.money(tax if column == "taxed" else item.amount + tax))
        if column == "quantity":
            return labelled("quantity", f"{item.quantity.normalize():f}", quantity)
        if column == "counted":
            count = labelled("quantity", f"{item.quantity.normalize():f}", quantity)
            return f"{count} {labelled('unit', item.unit)}"
        if column == "unit":
            return labelled("unit", item.unit)
        if column == "price":
            shown = self.pen.money(item.price, places=self._price_places(item.price))
            return labelled("unit_price", f"{item.price.normalize():f}", shown)
        if column == "discount":
            return f"{self.pen.number(item.discount, 0)} %" if item.discount else ""
        if column == "rate":
            return labelled("tax_rate", f"{item.rate.normalize():f}", self.pen.percent(item.rate))
        shown = self.pen.money(item.amount, places=self._price_places(item.amount, 2))
        return labelled("amount", f"{item.amount:.2f}", shown)

    def _unasked(self, column: str, item: Item) -> str:
        """Return a cell of a column that no field asks for."""
        rng, quantity = self.rng, abs(item.quantity)
        if column == "ordered":
            quantity += rng.choice((0, 0, 0, 1, quantity))
            return self.pen.number(quantity, self.layout.quantity_places)
        if column == "open":
            return self.pen.number(Decimal(rng.choice((0, 0, 0, 5))), self.layout.quantity_places)
        if column == "weight":
            return self.pen.number(Decimal(rng.randrange(1, 90_000)) / 100)
        return escape(f"{rng.choice(('', '', 'L', 'W-'))}{rng.randrange(10, 10**8)}")

    def _price_places(self, amount: Decimal, most: int = 4) -> int:
        """Return how many decimals an amount of the items has at least."""
        if self.layout.whole and amount == amount.to_integral_value():
            return 0
        return min(most, self.layout.price_places)

    def _described(self, row: int, item: Item) -> str:
        """Return what is sold, with its code where no column has it, and the lines below."""
        name = self.pen.value("description", item.description, item.description, "items", row)
        details = list(map(escape, item.details))
        if item.code and "code" not in self.layout.columns:
            code = self.pen.value("product_code", item.code, item.code, "items", row)
            if self.layout.code_cell == "before":
                name = f"{code} - {name}"
            elif self.layout.code_cell == "ahead":
                name = f"{code} {name}"
            elif self.layout.code_cell == "behind":
                name = f"{name} ({code})"
            elif self.layout.code_cell == "above":
                name = f"{code}<br>{name}"
            else:
                details.insert(0, f"{escape(self.pen.colon('code'))} {code}")
        if row == 0 and self.layout.period == "item" and self.invoice.service is not None:
            details.append(self.pen.period(*self.invoice.service))
        if self.layout.position_cell == "before":
            name = f"{self._position(row)} {name}"
        below = "".join(f'<div class="detail">{detail}</div>' for detail in details)
        return name + below

    def _position(self, row: int) -> str:
        return self.layout.position.format((row + 1) * self.layout.step)
