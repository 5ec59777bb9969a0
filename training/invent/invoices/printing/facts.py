"""Title, number, dates and what else an invoice states of itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from itertools import islice

from training.invent.invoices.printing.pen import Part, cells, headed, heads


@dataclass(slots=True)
class Facts(Part):
    """Writes the title, the facts and the sentence before the positions."""

    def title(self) -> str:
        """Return the title, with the number or the date where they stand there."""
        role = "credit_title" if self.invoice.is_credit else "title"
        if self.invoice.is_order:
            role = "order_title"
        title = escape(self.rng.choice(self.invoice.words.captions[role]))
        if self.layout.meta == "title":
            title += f" {self.pen.number_or_date('number')}"
        elif self.layout.meta == "sentence":
            parts = self.pen.sentence("numbered").split("{")
            title = escape(parts[0]) + "".join(
                self.pen.number_or_date(name) + escape(rest)
                for name, _, rest in (part.partition("}") for part in parts[1:])
            )
        if self.layout.letter_date and self.layout.meta != "sentence":
            place = self.invoice.vendor.lines[-1].split()[-1]
            wording = self.rng.choice(self.invoice.words.captions["place_date"])
            first, _, last = wording.format(place=place, date="\0").partition("\0")
            day = f"{escape(first)}{self.pen.number_or_date('date')}{escape(last)}"
            side = self.rng.choice(("left", "right"))
            line = f'<p style="text-align: {side}">{day}</p>'
            heading = f'<h1 class="{self.layout.title_side}">{title}</h1>'
            return line + heading if self.rng.random() < 0.7 else heading + line
        return f'<h1 class="{self.layout.title_side}">{title}</h1>'

    def meta(self) -> str:
        """Return the facts, each with its caption."""
        manner = self.layout.meta
        in_row = manner in ("strip", "boxes")
        # No fact is written that there is no room for: writing it makes it a label.
        rows = list(islice(self._facts(), 6 if in_row else None))
        if self.rng.random() < 0.3:
            self.rng.shuffle(rows)
        if manner == "form":
            boxes = [
                f'<div class="detail">{escape(caption)}</div>{value}' for caption, value in rows
            ]
            width = self.rng.choice((2, 3, 4, 5))
            body = "".join(
                f"<tr>{cells(boxes[at : at + width])}</tr>" for at in range(0, len(boxes), width)
            )
            return f'<table class="wide boxes">{body}</table>'
        if in_row:
            return f'<table class="wide {manner}">{headed(rows)}</table>'
        if manner == "lines":
            between = self.rng.choice(("<br>", "<br>", " | ", " &nbsp; ", ", "))
            lines = (f"{escape(c)}{escape(self.layout.colon)} {v}" for c, v in rows)
            return f'<p class="meta">{between.join(lines)}</p>'
        return f'<table class="meta {self.layout.meta_side}">{self.pen.lines(rows)}</table>'

    def _facts(self) -> Iterable[tuple[str, str]]:
        invoice = self.invoice
        if self.layout.meta not in ("title", "sentence"):
            caption = self.pen.caption("order" if invoice.is_order else "number")
            yield caption, self.pen.number_or_date("number")
        if self.layout.meta != "sentence" and not self.layout.letter_date:
            yield self.pen.caption("date"), self.pen.number_or_date("date")
        if invoice.due is not None and self.rng.random() < 0.8:
            yield self.pen.caption("due"), self.pen.due()
        yield from self._orders()
        if invoice.customer_id:
            customer_id = self.pen.value("customer_id", invoice.customer_id)
            yield self.pen.caption("customer_id"), customer_id
        yield from self._served()
        if self.rng.random() < 0.3:
            yield self.pen.caption("reference"), escape(f"{self.rng.randrange(1000, 99999)}")
        if self.rng.random() < 0.25:
            yield self.pen.caption("contact"), escape(invoice.vendor.contact)
        if self.rng.random() < 0.3:
            yield self.pen.caption("vendor_tax"), self.pen.vendor_tax()
        if self.layout.top == "due":
            due = self.pen.amount(invoice.amount_due, "amount_due", total=True)
            yield self.pen.caption("amount_due"), due
        elif self.layout.top == "total":
            total = self.pen.amount(invoice.total, "invoice_total", total=True)
            yield self.pen.caption("total"), total
        if self.rng.random() < 0.12:
            yield self.pen.caption("currency"), escape(invoice.currency)
        if self.layout.payment == "facts" and invoice.vendor.iban:
            yield self.pen.caption("iban"), self.pen.value("iban", invoice.vendor.iban)
        for _ in range(self.layout.strange):
            yield self.pen.strange()

    def _orders(self) -> Iterable[tuple[str, str]]:
        """Return the customer's order, and the vendor's own number of it."""
        order, captions = self.invoice.order, self.invoice.words.captions
        if order:
            shown = self.pen.value("purchase_order", order)
            if self.rng.random() < 0.06:  # and whose, or for what
                shown += f" {self.rng.choice('/-(')} {escape(self.pen.code())}"
            yield self.pen.caption("order"), shown
        if self.layout.own_order and not self.invoice.is_order:
            # A caption that both may have tells the vendor's only beside one of the customer's own.
            role, others = ("order", "own_order") if order else ("own_order", "order")
            said = self.pen.caption(role).casefold()
            if said not in map(str.casefold, captions[others]):
                yield self.pen.caption("own_order"), escape(self.pen.code())

    def _served(self) -> Iterable[tuple[str, str]]:
        """Return when was delivered."""
        if self.invoice.service is None or self.layout.period == "item":
            return
        begin, end = self.invoice.service
        if begin == end:
            yield self.pen.caption("delivery"), self.pen.period(begin, end)
        elif self.layout.period == "facts":
            yield self.pen.caption("period"), self.pen.period(begin, end)
        else:
            yield self.pen.caption("begin"), self.pen.period(begin, begin)
            yield self.pen.caption("end"), self.pen.day("service_end", end)

    def intro(self) -> str:
        """Return the sentence before the positions."""
        text = ""
        if self.invoice.is_credit:
            text = escape(self.pen.sentence("credit").format(reference=self.invoice.reference))
        elif self.rng.random() < 0.5 and not self.invoice.is_order:
            text = escape(self.pen.sentence("intro"))
        return f"<p>{text}</p>" if text else ""

    def bill(self) -> str:
        """Return what a bill for use says first: the bill before, its payment, and the meters."""
        invoice, rng = self.invoice, self.rng
        if not invoice.previous:
            return ""
        new = self.pen.amount(invoice.total, "invoice_total")
        due = self.pen.amount(invoice.amount_due, "amount_due")
        lines = [
            (self.pen.caption("previous"), escape(self.pen.money(invoice.previous))),
            (self.pen.caption("payment"), escape(self.pen.money(-invoice.previous))),
            (self.pen.caption("new_charges"), new),
            (self.pen.caption("amount_due"), f"<b>{due}</b>"),
        ]
        rows = self.pen.lines(lines, "amount")
        style = rng.choice(("boxes", "wide", "t-block", "boxes wide"))
        summary = f'<table class="totals {style}">{rows}</table>'
        if rng.random() < 0.4:
            return summary
        meters = heads(invoice.words.captions["reading"])
        for _ in range(rng.randrange(1, 4)):
            begin, used = rng.randrange(100, 90_000), rng.randrange(10, 4000)
            read = (rng.randrange(10**6, 10**9), begin, begin + used, used)
            meters += f"<tr>{cells(map(str, read))}</tr>"
        usage = f'<table class="breakdown">{meters}</table>'
        return rng.choice((summary + usage, usage + summary))
