"""Purchase orders of many pages: the documents of the long-range paper (Douzon et al., 2023).

Theirs are not public: business orders of up to dozens of pages, whose number, date and total are
asked for, and the article and the quantity of every position. Ours are drawn and laid out as
invoices are; an article's number may look like a date, a price or a quantity.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field, replace
from decimal import Decimal

from training.invent.dataset import Invented
from training.invent.delivery import Delivery
from training.invent.invoices.drawing import draw_invoice
from training.invent.invoices.inventor import check_languages, proven
from training.invent.invoices.layouts import draw_layout
from training.invent.invoices.printing import Sheet
from training.invent.invoices.words import WORDS

_NAMES = {
    "invoice_number": "order_number",
    "invoice_date": "order_date",
    "invoice_total": "total",
    "product_code": "item_id",
    "quantity": "quantity",
}
_FORMS = (
    "{0:05d}", "{0:08d}", "{1:02d}.{2:02d}.{3:02d}", "{1:02d}-{2:02d}-20{3:02d}", "{0}.{3:02d}",
    "{4}{0:04d}", "{4}{3:02d}-{0:04d}/{1}", "{0:04d} {3:02d}", "{5:013d}", "{1}/{3}", "{4}-{0}-{4}",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Purchases:
    """Invents purchase orders.

    Attributes:
        seed: from which everything follows.
        languages: of the documents, keys of `WORDS`.
        most_items: of an order; numbers of items are drawn evenly in their logarithm from 1 on.
            About 25 fill a page.
        delivery: how they arrive.

    Raises:
        InvalidOption: there are no words for a language.
    """

    seed: int = 0
    languages: tuple[str, ...] = tuple(WORDS)
    most_items: int = 400
    delivery: Delivery = field(default_factory=Delivery)

    def __post_init__(self) -> None:
        check_languages(self.languages)

    def __call__(self, number: int) -> Invented:
        """Return the order of a number; raises as `Invoices` does."""
        name = f"purchase:{self.seed}:{number}"
        return proven(name, self._draw, self.delivery, _NAMES)

    def _draw(self, rng: random.Random) -> Sheet:
        form = rng.choice(_FORMS)
        count = round(math.exp(rng.uniform(0, math.log(self.most_items))))
        credit = True
        while credit:  # nobody orders what is less than nothing
            drawn = draw_invoice(rng, self.languages, count=count, code=lambda: _item_id(rng, form))
            credit = drawn.is_credit
        order = replace(
            drawn,
            due=None,
            terms=None,
            order=None,
            prepaid=Decimal(0),
            previous=Decimal(0),
            is_order=True,
        )
        layout = draw_layout(rng, order)
        layout = replace(
            layout,
            columns=_with_quantity(rng, layout.columns),
            # No sentence that speaks of an invoice.
            meta="table" if layout.meta == "sentence" else layout.meta,
            totals="block" if layout.totals in ("sentence", "summary") else layout.totals,
            payment="none",
            stamp="none",
            top="none",
            due_total=False,
        )
        return Sheet(order, layout, rng)


def _item_id(rng: random.Random, form: str) -> str:
    """Return an article's number in the form of its order, or now and then in another one."""
    if rng.random() < 0.03:
        form = rng.choice(_FORMS)
    day, month, year = rng.randrange(1, 29), rng.randrange(1, 13), rng.randrange(10, 30)
    letters = "".join(rng.choice("ABCDEFGHKLMNPRSTX") for _ in range(rng.randrange(1, 4)))
    return form.format(
        rng.randrange(10, 10_000), day, month, year, letters, rng.randrange(10**12, 10**13)
    )


def _with_quantity(rng: random.Random, columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of the items with one that has the quantity."""
    if {"quantity", "counted"} & set(columns):
        return columns
    place = rng.randrange(len(columns))
    return (*columns[:place], "quantity", *columns[place:])
