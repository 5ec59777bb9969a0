"""Who bills whom: the letterhead, and the addresses below it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from training.invent.invoices.content import Party
from training.invent.invoices.drawing.parties import OF_FIRMS
from training.invent.invoices.printing.pen import Part, cells


@dataclass(slots=True)
class Parties(Part):
    """Writes vendor and customer, and who else is named."""

    def letterhead(self) -> str:
        """Return the vendor above all, as far as it stands there."""
        vendor = self.invoice.vendor
        if self.layout.letterhead in ("none", "party"):
            logo = self._logo()
            if vendor.brand and self.rng.random() < 0.7:
                logo += f'<span class="name">{self._brand()}</span>'
            return f'<div class="head">{logo}</div>' if logo else ""
        if self.layout.letterhead in ("line", "name"):
            name = f"<b>{self._known_as()}</b>"
            if self.layout.letterhead == "line":
                sign = self.rng.choice((" · ", " | ", ", ", " - ", " • "))
                name += sign + self.pen.address("vendor_address", vendor, sign)
            return f'<div class="head">{self._logo()}{name}</div>'
        if self.layout.letterhead == "side":
            lines = "<br>".join(self._party("vendor", vendor))
            return f'<div class="side">{self._logo()}{lines}</div>'
        name = self._known_as()
        address = self.pen.address("vendor_address", vendor)
        ways = "<br>".join(map(escape, self.pen.ways(vendor)))
        if self.layout.letterhead == "columns":
            across = cells((f"{self._logo()}<b>{name}</b>", address, ways))
            return f'<table class="head wide"><tr>{across}</tr></table>'
        more = f"<br>{ways}" if self.rng.random() < 0.6 else ""
        return (
            f'<div class="head {self.layout.letterhead}">{self._logo()}'
            f'<div class="name">{name}</div>'
            f"<div>{address}{more}</div></div>"
        )

    def _known_as(self) -> str:
        """Return what stands out in the letterhead: the vendor's name, or what it is known by."""
        vendor = self.invoice.vendor
        if vendor.brand and self.rng.random() < 0.6:
            return self._brand()
        name = self.pen.value("vendor_name", vendor.name)
        if not vendor.brand:
            return name
        return f'{self._brand()}<br><span class="detail">{name}</span>'

    def _brand(self) -> str:
        """Return what the vendor is known by, and what it does."""
        brand = escape(self.invoice.vendor.brand)
        if self.rng.random() < 0.35:
            trades = self.rng.sample(self.invoice.words.articles, self.rng.randint(1, 3))
            sign = self.rng.choice((" · ", " | ", ", ", " & "))
            said = escape(sign.join(article.name for article in trades))
            return f'{brand}<br><span class="detail">{said}</span>'
        return brand

    def _logo(self) -> str:
        mark = escape("".join(word[0] for word in self.invoice.vendor.name.split()[:2]).upper())
        colour = self.layout.colour
        letters = (
            f'<text x="30" y="39" font-size="26" text-anchor="middle" fill="{{}}">{mark}</text>'
        )
        shapes = {
            "round": f'<circle cx="30" cy="30" r="28" fill="{colour}"/>{letters.format("#fff")}',
            "square": f'<rect x="4" y="4" width="52" height="52" fill="none" stroke="{colour}" '
            f'stroke-width="5"/>{letters.format(colour)}',
            "word": f'<path d="M2 50 L30 6 L58 50 Z" fill="{colour}"/>'
            '<circle cx="30" cy="36" r="9" fill="#fff"/>',
            "stripe": f'<path d="M0 12 H60 V22 H0 Z M0 30 H44 V40 H0 Z" fill="{colour}"/>',
        }
        if self.layout.logo not in shapes:
            return ""
        drawn = shapes[self.layout.logo]
        return f'<svg class="logo" width="44" height="44" viewBox="0 0 60 60">{drawn}</svg>'

    def addresses(self) -> str:
        """Return the customer, and other parties beside or below it."""
        customer, recipient = self.invoice.customer, self.invoice.recipient
        layout = self.layout
        both = layout.letterhead == "party" or (layout.stacked and layout.letterhead == "none")
        captioned = both or layout.captioned or layout.address in ("pair", "row")
        lines = "<br>".join(self._party("customer", customer))
        if captioned:
            lines = self.pen.capped("seller" if self.invoice.is_order else "bill_to", lines)
        blocks = []
        if both:
            vendor = "<br>".join(self._party("vendor", self.invoice.vendor))
            blocks.append(self.pen.capped("bill_to" if self.invoice.is_order else "seller", vendor))
        elif layout.address == "row" and layout.letterhead == "none":
            blocks.append("<br>".join(self._party("vendor", self.invoice.vendor)))
        blocks.append(self._sender() + lines)
        if recipient is not None:
            there = "<br>".join(map(escape, (recipient.name, *recipient.lines)))
            blocks.append(self.pen.capped("ship_to", there))
        if self.layout.other:
            other = (self.invoice.vendor.contact, *self.invoice.vendor.lines[-1:])
            blocks.append(self.pen.capped("other", "<br>".join(map(escape, other))))
        if len(blocks) > 1:
            if self.rng.random() < 0.3:
                self.rng.shuffle(blocks)
            if layout.stacked or self.rng.random() < 0.2 or len(blocks) > 3:  # one below another
                return "".join(f'<div class="to">{block}</div>' for block in blocks)
            boxed = self.rng.choice(("", "", "boxes"))
            return f'<table class="wide addresses {boxed}"><tr>{cells(blocks)}</tr></table>'
        return f'<div class="to {self.layout.address}">{blocks[0]}</div>'

    def _sender(self) -> str:
        """Return the vendor in small print, as it shows in the window of an envelope."""
        if not self.layout.sender:
            return ""
        vendor, sign = self.invoice.vendor, self.rng.choice((" · ", " | ", ", ", " - ", " • "))
        name = self.pen.value("vendor_name", vendor.name)
        address = self.pen.address("vendor_address", vendor, sign)
        return f'<div class="sender">{name}{escape(sign)}{address}</div>'

    def _party(self, role: str, party: Party) -> list[str]:
        """Return the lines of a party: name and address, and what else stands with them."""
        rng, lines = self.rng, list[str]()
        before = rng.random() < (0.35 if self.layout.stacked else 0.06)
        counts = (0, 1, 2, 3) if self.layout.stacked else (0, 0, 0, 0, 1, 2)
        more = [self._plain_fact() for _ in range(rng.choice(counts))]
        addressed = party.name
        if party.salutation and party.salutation not in OF_FIRMS and rng.random() < 0.3:
            addressed = f"{party.salutation} {party.name}"
        elif party.salutation:
            lines.append(escape(party.salutation))
        name = self.pen.value(f"{role}_name", addressed)
        if party.brand and self.rng.random() < 0.4:
            lines.append(f"<b>{self._brand()}</b>")
        if self.layout.fielded:
            name = f"{escape(self.pen.colon('named'))} {name}"
        lines.append(f"<b>{name}</b>" if rng.random() < 0.25 else name)
        if party.attention:
            lines.insert(0 if party.before else len(lines), escape(party.attention))
        address = self.pen.address(f"{role}_address", party, fielded=self.layout.fielded)
        lines.append(address)
        if role == "vendor":
            more += map(escape, self.pen.ways(party)[: rng.randrange(3)])
            if rng.random() < 0.4:
                more.append(f"{escape(self.pen.colon('vendor_tax'))} {self.pen.vendor_tax()}")
        elif rng.random() < 0.15:
            tax_id = self.pen.value("customer_tax_id", party.tax_id, self.pen.spaced(party.tax_id))
            more.append(f"{escape(self.pen.colon('customer_tax'))} {tax_id}")
        elif rng.random() < 0.2:
            more += rng.choice(([escape(party.email)], [escape(party.phone)]))
        return [*more, *lines] if before else [*lines, *more]

    def _plain_fact(self) -> str:
        caption, value = self.pen.strange()
        return f"{escape(self.pen.colon_of(caption))} {value}"
