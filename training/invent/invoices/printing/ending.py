"""What stands below the totals: terms, small print, a slip, the foot and a stamp."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from html import escape

from stdnum import iban

from training.invent.invoices.printing.pen import Part, cells, headed
from training.invent.invoices.printing.totals import Totals

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
_CENT = Decimal("0.01")


@dataclass(slots=True)
class Ending(Part):
    """Writes what stands below the totals."""

    totals: Totals

    def below(self) -> str:
        """Return terms, account, small print, the slip and the foot."""
        invoice, lines = self.invoice, list[str]()
        if not invoice.taxes and not invoice.is_order:
            lines.append(escape(self.pen.sentence("exempt")))
        if invoice.terms is not None:
            days = str(invoice.terms)
            lines.append(escape(self.pen.sentence("terms").format(days=days)))
        elif invoice.due is not None and not any(p.name == "due_date" for p in self.pen.printed):
            first, _, last = self.pen.sentence("due_on").partition("{due}")
            lines.append(f"{escape(first)}{self.pen.due()}{escape(last)}")
        if invoice.due is not None and self.rng.random() < 0.12:
            lines.append(self.totals.summary("pay_all"))
        if self.rng.random() < 0.15:
            said = self.pen.sentence("discount_terms").format(percent="2 %", days="10")
            if self.rng.random() < 0.4:
                said = f"{said} ({self.pen.money(invoice.total * 2 / 100 // _CENT * _CENT)})"
            lines.append(escape(said))
        if self.layout.payment == "body":
            lines.append(self._account("<br>"))
        for _ in range(self.layout.notes):
            lines.append(escape(self._note()))
        if self.rng.random() < 0.6 and not invoice.is_order:
            lines.append(escape(self.pen.sentence("thanks")))
        if self.rng.random() < 0.15:
            contact, brand = invoice.vendor.contact, invoice.vendor.brand
            signed = self.rng.choice((contact, brand or contact))
            lines.append(f"{escape(self.pen.caption('regards'))}<br>{escape(signed)}")
        body = "".join(f"<p>{line}</p>" for line in lines)
        return f"{body}{self._slip()}{self._foot()}"

    def _note(self) -> str:
        """Return a sentence of small print, with a number, a day or an amount here and there."""
        rng = self.rng
        return self.pen.sentence("note").format(
            code=rng.randrange(10_000, 999_999),
            day=self.pen.date(self.invoice.date + dt.timedelta(days=rng.randint(-120, 400))),
            amount=self.pen.money(Decimal(rng.randrange(5_00, 5_000_00)) / 100),
        )

    def _slip(self) -> str:
        """Return a slip to be cut off and sent with the payment: what the invoice says, again."""
        invoice, rng = self.invoice, self.rng
        if not self.layout.slip:
            return ""
        rows = [
            (self.pen.caption("number"), self.pen.number_or_date("number")),
            (self.pen.caption("amount_due"), self.pen.amount(invoice.amount_due, "amount_due")),
        ]
        if invoice.customer_id:
            said = self.pen.value("customer_id", invoice.customer_id)
            rows.insert(rng.randrange(3), (self.pen.caption("customer_id"), said))
        if invoice.due is not None:
            rows.insert(rng.randrange(3), (self.pen.caption("due"), self.pen.due()))
        if rng.random() < 0.5:
            paid = "_" * rng.randrange(8, 20)
            rows.append((self.pen.caption("payment"), f"{escape(self.pen.sign)}{paid}"))
        if rng.random() < 0.5:
            table = f'<table class="boxes wide">{headed(rows)}</table>'
        else:
            table = f'<table class="totals">{self.pen.lines(rows)}</table>'
        parties = ""
        if rng.random() < 0.6:
            name = self.pen.value("vendor_name", invoice.vendor.name)
            parties = f"{name}<br>{self.pen.address('vendor_address', invoice.vendor)}"
        if rng.random() < 0.4:
            labels = (said.value for said in self.pen.printed if said.name == "customer_name")
            customer = next(labels, invoice.customer.name)  # with the salutation that it has above
            again = self.pen.value("customer_name", customer)
            address = self.pen.address("customer_address", invoice.customer)
            beside = cells((f"{again}<br>{address}", parties))
            parties = f'<table class="wide addresses"><tr>{beside}</tr></table>'
        title = f"<p><b>{escape(rng.choice(invoice.words.captions['slip']))}</b></p>"
        body = rng.choice((f"{parties}{table}", f"{table}{parties}"))
        return f'<div class="slip">{title}{body}</div>'

    def _account(self, separator: str) -> str:
        vendor = self.invoice.vendor
        parts: list[str] = []
        if vendor.iban:
            shown = iban.format(vendor.iban) if self.rng.random() < 0.7 else vendor.iban
            account = self.pen.value("iban", vendor.iban, shown)
            parts.append(f"{escape(self.pen.colon('iban'))} {account}")
            code = "".join(self.rng.choice("ABCDEFGHKLMNPRSTUVXZ") for _ in range(4))
            parts.append(escape(f"{self.pen.colon('bic')} {code}{self.invoice.country.code}2L"))
            if self.rng.random() < 0.3:
                parts.insert(0, escape(f"{vendor.contact.split()[-1]} Bank"))
            if self.rng.random() < 0.25:
                holder = self.pen.value("vendor_name", vendor.name)
                parts.append(f"{escape(self.pen.colon('holder'))} {holder}")
        else:
            digits = self.rng.randrange(10**8, 10**9)
            parts.append(escape(f"{self.pen.colon('bank')} {digits}, 0{digits % 90_000:05d}"))
        return separator.join(parts)

    def _foot(self) -> str:
        """Return what stands at the foot of every page."""
        invoice, vendor = self.invoice, self.invoice.vendor
        named = {printed.name for printed in self.pen.printed}
        blocks = []
        if self.layout.foot != "none" or "vendor_name" not in named:
            name = self.pen.value("vendor_name", vendor.name)
            register = escape(f"{self.pen.colon('register')} {self.rng.randrange(1000, 999_999)}")
            if vendor.brand and self.rng.random() < 0.6:
                wording = self.rng.choice(self.pen.apt(invoice.words.captions["trading"]))
                first, _, last = wording.replace("{brand}", vendor.brand).partition("{name}")
                name = f"{escape(first)}{name}{escape(last)}"
            if self.rng.random() < 0.15:
                name = f"{name}, {register}"
            if "vendor_address" in named and self.rng.random() < 0.5:
                blocks.append(name)
            else:
                blocks.append(f"{name}<br>{self.pen.address('vendor_address', vendor)}")
            blocks.append("<br>".join(map(escape, self.pen.ways(vendor))))
            legal = []
            if self.rng.random() < 0.8:
                legal.append(f"{escape(self.pen.colon('vendor_tax'))} {self.pen.vendor_tax()}")
            if self.rng.random() < 0.5:
                legal.append(register)
            if self.rng.random() < 0.35:
                legal.insert(0, escape(f"{self.pen.colon('director')} {vendor.contact}"))
            if legal:
                # A tax payer's number often stands right behind the address.
                blocks.insert(self.rng.choice((1, len(blocks))), "<br>".join(legal))
        if self.layout.payment == "foot":
            blocks.append(self._account("<br>"))
        if not blocks:
            return ""
        if self.layout.foot == "columns":
            return f'<div class="foot"><table class="wide"><tr>{cells(blocks)}</tr></table></div>'
        return f'<div class="foot">{" · ".join(blocks).replace("<br>", " · ")}</div>'

    def stamp(self) -> str:
        """Return a stamp across the page."""
        if self.layout.stamp == "none":
            return ""
        text = _STAMPS[self.layout.stamp][self.invoice.country.language]
        return f'<div class="stamp">{text}</div>'
