"""What it all comes to: sums, taxes, discounts and payments."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from html import escape

from training.invent.invoices.printing.pen import Part, cells, heads


@dataclass(slots=True)
class Totals(Part):
    """Writes the totals, in one of many forms."""

    def _total_lines(self) -> list[tuple[str, str, str]]:
        """Return caption, value and kind of each line of the totals."""
        invoice, lines = self.invoice, list[tuple[str, str, str]]()

        def add(role: str, name: str, amount: Decimal, kind: str = "", more: str = "") -> None:
            text = self.pen.amount(amount, name, total=kind == "total")
            lines.append((escape(self.pen.colon_of(self.pen.caption(role) + more)), text, kind))

        if invoice.discount or invoice.charge:
            others = [
                w for w in invoice.words.captions["subtotal"] if w != self.pen.caption("subtotal")
            ]
            caption = escape(self.pen.colon_of(self.rng.choice(others)))
            lines.append((caption, escape(self.pen.money(invoice.sum_of_items)), ""))
            if invoice.discount:
                add("total_discount", "total_discount", self._discount(), more=self._share())
            if invoice.charge:
                add("charge", "", invoice.charge)
        # Beside an amount above that is captioned as what it is, what is due would be one more.
        due_total = self.layout.due_total and self.layout.top == "none"
        total_role = "amount_due" if due_total else "total"
        if total_first := invoice.gross and self.rng.random() < 0.6:
            add(total_role, "invoice_total", invoice.total, "total")
        plain = not invoice.taxes and not invoice.discount
        untold = total_first and self.rng.random() < 0.4  # nobody asks what it is without the tax
        if not untold and (not plain or self.layout.zero_tax or self.rng.random() < 0.3):
            add("subtotal", "subtotal", invoice.subtotal)
        if not invoice.taxes and self.layout.zero_tax:
            caption = self.pen.caption("tax", rate=self.pen.percent(Decimal(0)))
            zero = self.pen.value("total_tax", "0.00", self.pen.money(Decimal(0)))
            lines.append((escape(self.pen.colon_of(caption)), zero, ""))
        single = len(invoice.taxes) == 1
        for number, tax in enumerate(invoice.taxes):
            caption = self._tax_caption(number, "tax_within" if total_first else "tax")
            place = ("total_tax",) if single else ("amount", "taxes", number)
            lines.append((caption, self.pen.amount(tax.amount, *place), ""))
        if len(invoice.taxes) > 1 and self.rng.random() < 0.4:
            add("total_tax", "total_tax", invoice.total_tax)
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
        percent = self.pen.percent(abs(share).quantize(Decimal(1)))
        return self.rng.choice((" {p}", " ({p})", " {p} ({c})", " - {c}", ", {p}")).format(
            p=percent, c=self.pen.code()
        )

    def _paid_on(self) -> str:
        """Return when something was paid."""
        if not self.layout.said:
            return ""
        day = self.invoice.date - dt.timedelta(days=self.rng.randint(0, 60))
        form = self.rng.choice((" {day}", " ({day})", " {day} ({code})", ", {day}", " {code}"))
        return form.format(day=self.pen.date(day), code=self.pen.code())

    def _tax_caption(self, row: int, role: str) -> str:
        """Return the caption of a tax; its rate is a value of the group `taxes`."""
        rate = self.pen.percent(self.invoice.taxes[row].rate)
        if name := self.invoice.taxes[row].name:
            wording = self.rng.choice(("{} \0", "{} \0", "{} (\0)", "{} @ \0")).format(name)
        elif self.layout.based:
            of_what = self.pen.caption("of_base", rate="\0", base="\1")
            wording = f"{self.pen.caption('total_tax')} ({of_what})"
        else:
            wording = self.pen.caption(role, rate="\0")
            if "\0" not in wording:
                wording = f"{wording} \0" if self.rng.random() < 0.7 else wording
        before, mark, after = self.pen.colon_of(wording).partition("\0")
        if not mark:
            return escape(before)
        number = f"{self.invoice.taxes[row].rate.normalize():f}"
        shown = escape(before) + self.pen.value("rate", number, rate, "taxes", row)
        after, mark, last = after.partition("\1")
        if mark:
            base = self.pen.amount(self.invoice.taxes[row].base, "base", "taxes", row)
            return shown + escape(after) + base + escape(last)
        return shown + escape(after)

    def adjustments(self) -> str:
        """Return discount and charge as a table: what of, how much per cent, and the amount."""
        invoice = self.invoice
        if not self.layout.adjusted or not (invoice.discount or invoice.charge):
            return ""
        rows = heads(map(self.pen.caption, ("adjustment", "base", "rate", "amount")))
        base = self.pen.money(invoice.sum_of_items)
        for role, amount in (("total_discount", self._discount()), ("charge", invoice.charge)):
            if not amount:
                continue
            name = "total_discount" if role == "total_discount" else ""
            shown = self.pen.amount(amount, name)
            share = abs(100 * amount / invoice.sum_of_items) if invoice.sum_of_items else Decimal(0)
            across = (
                escape(self.pen.caption(role)),
                escape(base if self.rng.random() < 0.7 else "-"),
                escape(f"{self.pen.number(share.quantize(Decimal('0.1')), 0)} %"),
                shown,
            )
            rows += f"<tr>{cells(across)}</tr>"
        style = self.rng.choice(("wide", "wide boxes", "boxes"))
        return f'<table class="totals {style}">{rows}</table>'

    def _discount(self) -> Decimal:
        """Return the discount as it is printed."""
        return -self.invoice.discount if self.layout.taken else self.invoice.discount

    def rows(self) -> str:
        """Return the totals as the last rows of the positions."""
        span = len(self.layout.columns) - 1
        return "".join(
            f'<tr class="sum {kind}"><td colspan="{span}">{caption}</td>'
            f'<td class="amount">{value}</td></tr>'
            for caption, value, kind in self._total_lines()
        )

    def block(self) -> str:
        """Return the totals below the positions."""
        if self.layout.totals == "rows":
            return self._breakdown()
        if self.layout.totals == "sentence":
            first, _, last = self.pen.sentence("total_sentence").partition("{total}")
            shown = self.pen.amount(self.invoice.total, "invoice_total", total=True)
            return f"<p>{escape(first)}<b>{shown}</b>{escape(last)}</p>{self._breakdown()}"
        if self.layout.totals == "summary" and self.invoice.taxes and not self.invoice.prepaid:
            return f"<p>{self.summary('summary')}</p>{self._breakdown()}"
        plain = not (self.invoice.prepaid or self.invoice.discount or self.invoice.charge)
        shared = any(tax.name for tax in self.invoice.taxes)
        if self.layout.totals == "grid" and self.invoice.taxes and plain and not shared:
            return self._grid()
        if self.layout.totals == "lines":
            lines = (f"{caption} {value}" for caption, value, _ in self._total_lines())
            return f"<p>{'<br>'.join(lines)}</p>{self._breakdown()}"
        if self.layout.totals == "heads":
            found = self._total_lines()
            captions = cells((caption for caption, _, _ in found), "th")
            values = "".join(f'<td class="amount">{value}</td>' for _, value, _ in found)
            table = f'<table class="wide boxes"><tr>{captions}</tr><tr>{values}</tr></table>'
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
        head = heads(map(self.pen.caption, roles))
        single, rows = len(invoice.taxes) == 1, list[dict[str, str]]()
        for number, tax in enumerate(invoice.taxes):
            rate = f"{tax.rate.normalize():f}"
            row = {
                "rate": self.pen.value("rate", rate, self.pen.percent(tax.rate), "taxes", number)
            }
            if not single:
                row["base"] = self.pen.amount(tax.base, "base", "taxes", number)
                row["total_tax"] = self.pen.amount(tax.amount, "amount", "taxes", number)
                row["total"] = row["gross"] = escape(self.pen.money(tax.base + tax.amount))
                rows.append(row)
        total = self.pen.amount(invoice.total, "invoice_total")
        rows.append(
            {
                "rate": row["rate"] if single else "",
                "base": self.pen.amount(invoice.subtotal, "subtotal"),
                "total_tax": self.pen.amount(invoice.total_tax, "total_tax"),
                "total": total,
                "gross": total,
            }
        )
        body = "".join(f"<tr>{cells(row[role] for role in roles)}</tr>" for row in rows)
        style = self.rng.choice(("wide", "wide boxes", "t-block", "boxes"))
        table = f'<table class="totals {style}">{head}{body}</table>'
        if self.rng.random() < 0.5:
            again = self.pen.amount(invoice.total, "invoice_total")
            table += f"<p>{escape(self.pen.colon('total'))} <b>{again}</b></p>"
        return table

    def summary(self, role: str) -> str:
        """Return a sentence with amounts and dates in it."""
        invoice = self.invoice
        due = "amount_due" if invoice.prepaid else "invoice_total"
        total = ("invoice_total", invoice.total) if role == "summary" else (due, invoice.amount_due)
        amounts = {
            "subtotal": ("subtotal", invoice.subtotal),
            "tax": ("total_tax", invoice.total_tax),
            "total": total,
        }
        first, *parts = self.pen.sentence(role).split("{")
        shown = escape(first)
        for part in parts:
            name, _, rest = part.partition("}")
            if name == "due":
                shown += self.pen.due()
            else:
                field_name, amount = amounts[name]
                shown += self.pen.amount(amount, field_name, total=True)
            shown += escape(rest)
        return shown

    def _breakdown(self) -> str:
        if not (self.layout.breakdown and self.invoice.taxes):
            return ""
        captions = [self.pen.caption(role) for role in ("rate", "base")]
        rows = heads([*captions, self.pen.caption("tax", rate="")])
        for number, tax in enumerate(self.invoice.taxes):
            across = (
                escape(self.pen.percent(tax.rate)),
                self.pen.amount(tax.base, "base", "taxes", number),
                self.pen.amount(tax.amount, "amount", "taxes", number),
            )
            rows += f"<tr>{cells(across)}</tr>"
        return f'<table class="breakdown">{rows}</table>'
