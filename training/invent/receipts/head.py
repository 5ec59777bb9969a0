"""The head of a receipt: names, address, and whatever stands beside them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from babel import Locale

from training.invent.receipts.lines import Line
from training.invent.receipts.names import COMPANY
from training.invent.receipts.till import Till

_RUNNING = (" · ", ", ", " - ", " | ", " / ", "  ")  # between parts of a line at the foot


class Head:
    """Names and address of a shop on its paper.

    Args:
        till: that prints them.
        title: of the document, right below the address or beside a name; empty for neither.

    Attributes:
        company, address: as they are printed: the labels.
        is_running: whether the address stands in a line with the company, at the foot.
    """

    def __init__(self, till: Till, title: str) -> None:
        rng, receipt = till.rng, till.receipt
        self._till = till
        self._title = title
        name = receipt.names.company
        self.company = till.capitals(name) if till.upper or rng.random() < 0.3 else name
        self.address = tuple(till.case(line) for line in receipt.address)
        self.is_running = bool(self.address) and rng.random() < 0.05
        self._between = rng.choice(_RUNNING)
        if self.is_running:
            self.address = (self._between.join(line.strip(",") for line in self.address),)

    def lines(self) -> Iterator[Line]:
        """Yield the head."""
        rng, till = self._till.rng, self._till
        yield from self._names()
        facts = self._facts()
        address = list(self.address)
        if self.is_running:
            address = []
        if facts and address and rng.random() < 0.3:
            between = rng.choice((" ", "  ", " - ", ", ", " · ", " | "))
            if rng.random() < 0.8:
                address[-1] = f"{address[-1]}{between}{facts.pop()}"
            else:
                address[0] = f"{facts.pop()}{between}{address[0]}"
        before = len(facts) if rng.random() < 0.12 else rng.choice((0, 0, 0, 0, 1))
        if rng.random() < 0.08:
            yield till.line(till.fact("register", str(rng.randrange(1, 2000))))
        yield from map(till.line, facts[:before])
        yield from map(till.line, address)
        if address and rng.random() < 0.08:
            country = till.receipt.country
            named = Locale.parse(country.locale).territories[country.code]
            yield till.line(till.case(str(named)))
        if self._title and rng.random() < 0.5:
            yield till.centre(self._title)
            self._title = ""
        yield from map(till.line, facts[before:])
        if rng.random() < 0.15:
            yield till.line(till.filled(till.one("note")))
        if self._title:
            yield till.centre(self._title)

    def foot(self) -> Iterator[Line]:
        """Yield the company and its address in a line."""
        rng, till = self._till.rng, self._till
        parts = [self.company, *self.address]
        if till.receipt.phone and rng.random() < 0.6:
            parts.append(till.fact("phone", till.receipt.phone))
        if rng.random() < 0.3:
            parts.append(till.filled(till.one("registry")))
        yield till.line(self._between.join(parts))

    def _names(self) -> Iterator[Line]:
        rng, till = self._till.rng, self._till
        scale = rng.choice((1.0, 1.0, 1.2, 1.5, 2.0))
        for place, template in enumerate(till.receipt.names.lines):
            if template == COMPANY:
                text = self.company
            else:
                beside = template.replace(COMPANY, "\0")
                beside = till.capitals(beside) if rng.random() < 0.3 else till.case(beside)
                text = beside.replace("\0", self.company)
            size = scale if not place else 1.0
            if self._title and not place and rng.random() < 0.3:
                yield Line(text, self._title)
                self._title = ""
                continue
            for part in self._parts(text) if template == COMPANY else (text,):
                line = till.line(part)
                yield Line(line.left, "", line.manner, size)

    def _parts(self, name: str) -> tuple[str, ...]:
        """Return a name, a tenth of the long ones in two lines."""
        words = name.split()
        if len(words) < 2 or self._till.rng.random() > 0.12:
            return (name,)
        cut = self._till.rng.randrange(1, len(words))
        return (" ".join(words[:cut]), " ".join(words[cut:]))

    def _facts(self) -> list[str]:
        """Return what stands round the address."""
        rng, till = self._till.rng, self._till
        facts = []
        if till.receipt.phone:
            facts.append(till.fact("phone", till.receipt.phone))
        if till.receipt.tax_id:
            facts.append(till.fact("tax_id", till.receipt.tax_id))
        if rng.random() < 0.25:
            facts.append(till.case(till.filled(till.one("registry"))))
        if rng.random() < 0.15:
            slug = unicodedata.normalize("NFKD", till.receipt.names.company.lower())
            slug = slug.encode("ascii", "ignore").decode()
            slug = re.sub(r"[^a-z0-9]+", rng.choice(("", "-")), slug).strip("-")[:24]
            end = rng.choice(("com", till.receipt.country.code.lower(), "example"))
            facts.append(
                rng.choice(("www.{}.{}", "{}.{}", "info@{}.{}", "E-Mail: kontakt@{}.{}")).format(
                    slug, end
                )
            )
        rng.shuffle(facts)
        return facts
