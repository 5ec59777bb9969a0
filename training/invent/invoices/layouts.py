"""How an invented invoice looks: independent choices, drawn first, and applied by `printing` after.

The choices multiply: a layout is one of many millions, though each choice has few ways. Layouts
of a held-out part are kept apart by their seeds, see `dataset`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from training.invent.invoices.content import Invoice

FONTS = (
    "DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "Liberation Sans", "Liberation Serif",
    "Liberation Mono", "Liberation Sans Narrow", "Noto Sans", "Noto Serif",
)  # fmt: skip
"""Families of Debian's packages fonts-dejavu-core, fonts-liberation and fonts-noto-core."""

_COLOURS = ("#1b4f72", "#7b241c", "#145a32", "#4a235a", "#333333", "#b9770e", "#00695c", "#0b5394")

_LETTERHEADS = (
    "left", "right", "right", "centre", "band", "columns", "none", "none", "side", "side",
    "party", "party", "party", "party", "line", "name",
)  # fmt: skip
_FACTS = (
    "table", "table", "table", "table", "table", "strip", "strip", "boxes", "form", "lines",
    "title", "title", "sentence", "sentence",
)  # fmt: skip

_TOTALS = (
    *("block", "block", "block", "rows", "rows", "left", "wide", "spread", "summary", "grid"),
    *("lines", "heads", "sentence"),
)


@dataclass(frozen=True, slots=True)
class Layout:
    """One look; every attribute is a choice that depends on no other.

    Attributes:
        paper: ``A4`` or ``Letter``.
        margin: of the page, mm.
        font, size: family, and size of the text in points.
        colour: of rules, heads and logos.
        letterhead: where the vendor stands: ``left``, ``right``, ``centre``, ``band``, ``columns``,
            ``side`` (a narrow block beside the customer), ``party`` (captioned, beside the
            customer), ``line`` (name and address in one line), ``name`` (the name alone) or
            ``none``: in the foot alone.
        logo: ``none``, ``round``, ``square``, ``word`` or ``stripe``.
        address: of the customer: ``window`` (left, below the head), ``right``, ``boxed``, ``pair``
            (beside the recipient of the goods), ``row`` (vendor and customer side by side) or
            ``facts`` (beside the facts).
        sender: whether vendor and address stand in small print above the customer.
        captioned: whether a caption stands above the customer.
        fielded: whether the parts of an address stand behind captions, as viewers of data show it.
        banner: whether lines of a program or a scanner stand above all, and a note up the margin.
        stacked: whether all parties stand one below the other, with facts about each.
        meta: the document's number, dates and so on: ``table`` (caption and value in a row),
            ``strip`` (captions above values), ``boxes``, ``form`` (cells, each with its caption,
            in several rows), ``lines`` (running text), ``title`` (the number in the title),
            ``sentence`` (number and date in a sentence).
        meta_side: ``left``, ``right`` or ``full``.
        colon: sign behind captions.
        rulings: of the items: ``none``, ``rows``, ``grid``, ``head``, ``zebra``.
        order: of what stands above the items: ``usual`` (letterhead, addressees, title, facts),
            ``facts`` (facts and title first), ``title`` (the title first) or ``mixed`` (drawn).
        table: how items are shown: ``table``, ``list`` (a block of lines for each) or ``sums``
            (what is sold, and below it quantity, price and amount in a line).
        own_order: whether the vendor's number of the order stands beside the customer's.
        period: where first and last day of what was delivered stand: among the ``facts``, there
            behind a caption each (``apart``), or below the first ``item``.
        strange: how many facts stand there that no field asks for, each captioned.
        columns: of the items, in their order; see `training.invent.invoices.printing`.
        head: of the items: ``plain``, ``filled``, ``capitals``.
        totals: ``block`` (right), ``left``, ``rows`` (last rows of the items), ``wide``, ``lines``
            (running text), ``heads`` (captions above values), ``spread`` (amounts far from their
            captions), ``summary`` (all in a sentence), ``grid`` (a row for each rate, with net, tax
            and gross) or ``sentence``.
        adjusted: whether discount and charge stand in a table of their own below the items.
        based: whether captions of taxes say of what.
        narrow: width of the descriptions in per cent of the table's, 0 for what they need.
        said: whether discounts and payments say of how much per cent, of what, or when.
        minus: how amounts below zero are written: ``-5``, ``- 5`` or ``5-``.
        taken: whether a discount is printed as what is taken off, without its minus.
        breakdown: whether taxes stand in a table of their own.
        quantity_places, price_places: decimals of quantities and unit prices, at least.
        whole: whether whole amounts of the items are printed without decimals.
        code_cell: where the article's code stands: ``column``, or with the description: ``before``,
            ``ahead`` (with nothing between), ``behind`` (in brackets), ``below`` or ``above``.
        section_sums: whether what a section comes to stands below it.
        position: how positions are numbered: ``{}``, ``{}.``, ``{:03d}`` and the like, from 1 or by
            tens; `step` is what they go up by.
        position_cell: ``column``, or ``before`` the description where no column has it.
        headless: whether the items have no heads.
        empty: rows of the items that hold nothing.
        due_total: whether the total is captioned as what is due.
        top: an amount among the facts: ``none``, ``due`` or ``total``.
        zero_tax: whether a tax of nothing is printed.
        letter_date: whether the date stands with a place, as on letters.
        other: whether one more party is named, which no field asks for.
        money: currency sign: ``before``, ``after``, ``none``, ``head`` (in the head of the column).
        grouped: whether thousands are grouped.
        title_side: where the title stands.
        brief: whether the first day of a period is written without its year.
        notes: how many sentences of small print stand below all.
        payment: where the account stands: ``body``, ``foot``, ``none``, ``facts``.
        foot: ``columns``, ``line`` or ``none``.
        carries: whether long tables are broken with sums carried over.
        stamp: ``none``, ``paid``, ``draft`` or ``copy``.
        shouts: whether captions are written in capitals.
        tracked: whether captions are spaced out.
        second: whether captions stand in English too.
        slip: whether a slip to pay with stands below all, with number and amounts once more.
    """

    paper: str
    margin: int
    font: str
    size: float
    colour: str
    letterhead: str
    logo: str
    address: str
    sender: bool
    captioned: bool
    fielded: bool
    banner: bool
    stacked: bool
    meta: str
    meta_side: str
    colon: str
    order: str
    table: str
    own_order: bool
    period: str
    strange: int
    rulings: str
    columns: tuple[str, ...]
    head: str
    totals: str
    adjusted: bool
    based: bool
    narrow: int
    said: bool
    minus: str
    taken: bool
    breakdown: bool
    quantity_places: int
    price_places: int
    whole: bool
    code_cell: str
    section_sums: bool
    position: str
    step: int
    position_cell: str
    headless: bool
    empty: int
    due_total: bool
    top: str
    zero_tax: bool
    letter_date: bool
    other: bool
    money: str
    grouped: bool
    title_side: str
    brief: bool
    notes: int
    payment: str
    foot: str
    carries: bool
    stamp: str
    shouts: bool
    tracked: bool
    second: bool
    slip: bool


def draw_layout(rng: random.Random, invoice: Invoice) -> Layout:
    """Return a look in which the invoice can be shown."""
    american = invoice.country.code in ("US", "MX")
    return Layout(
        paper="Letter" if american else "A4",
        margin=rng.choice((12, 15, 18, 20, 25)),
        font=rng.choice(FONTS),
        size=rng.choice((7.5, 8, 8.5, 9, 9, 9.5, 10, 11)),
        colour=rng.choice(_COLOURS),
        letterhead=rng.choice(_LETTERHEADS),
        logo=rng.choice(("none", "none", "round", "square", "word", "stripe")),
        address=rng.choice(
            ("window", "window", "right", "boxed", "pair", "row", "facts", "facts", "facts")
        ),
        sender=rng.random() < 0.3,
        captioned=rng.random() < 0.55,
        fielded=rng.random() < 0.12,
        banner=rng.random() < 0.12,
        stacked=rng.random() < 0.15,
        meta=rng.choice(_FACTS),
        meta_side=rng.choice(("right", "right", "left", "full")),
        colon=rng.choice(("", "", ":", ":", ":", " :")),
        order=rng.choice(("usual", "usual", "usual", "facts", "title", "mixed")),
        table=rng.choice(("table",) * 13 + ("list", "list", "sums")),
        own_order=rng.random() < 0.2,
        period=rng.choice(("facts",) * 6 + ("apart",) * 2 + ("item",) * 2),
        strange=rng.choice((0, 0, 0, 0, 1, 1, 2, 4)),
        rulings=rng.choice(("none", "rows", "grid", "head", "zebra")),
        columns=(columns := _columns(rng, invoice)),
        head=rng.choice(("plain", "filled", "capitals", "plain")),
        totals=rng.choice(_TOTALS),
        adjusted=rng.random() < 0.35,
        based=rng.random() < 0.12,
        narrow=rng.choice((0, 0, 0, 15, 20, 28)),
        said=rng.random() < 0.35,
        minus=rng.choice(("-5", "-5", "-5", "- 5", "5-")),
        taken=rng.random() < 0.3,
        breakdown=rng.random() < 0.25,
        quantity_places=rng.choice((0, 0, 0, 0, 2, 2, 3, 4)),
        price_places=rng.choice((2, 2, 2, 2, 2, 2, 2, 4, 3)),
        whole=rng.random() < 0.06,
        code_cell="column"
        if "code" in columns
        else rng.choice(("before", "ahead", "behind", "below", "above")),
        section_sums=rng.random() < 0.5,
        position=rng.choice(
            ("{}",) * 6 + ("{}.", "{:02d}", "{:03d}", "LINE-{:03d}", "P{}", "{}.0")
        ),
        step=rng.choice((1, 1, 1, 1, 1, 10)),
        position_cell="column" if "pos" in columns or rng.random() < 0.85 else "before",
        headless=rng.random() < 0.03,
        empty=rng.choice((0,) * 15 + (2, 4, 8)) if len(invoice.items) < 12 else 0,
        due_total=not invoice.prepaid and rng.random() < 0.1,
        top=rng.choice(("none",) * 7 + ("due", "due", "total")),
        zero_tax=rng.random() < 0.5,
        letter_date=rng.random() < 0.1,
        other=rng.random() < 0.12,
        money=rng.choice(("before", "after", "none", "head", "none")),
        grouped=rng.random() < 0.85,
        title_side=rng.choice(("left", "right", "centre")),
        brief=rng.random() < 0.2,
        notes=rng.choice((0, 0, 1, 1, 2, 3, 5)),
        payment=rng.choice(("body", "body", "foot", "foot", "foot", "none", "facts")),
        foot=rng.choice(("columns", "line", "none", "columns")),
        carries=len(invoice.items) > 14 and rng.random() < 0.4,
        stamp=rng.choice(("none",) * 21 + ("paid", "draft", "copy")),
        shouts=rng.random() < 0.1,
        tracked=rng.random() < 0.07,
        second=rng.random() < 0.05 and invoice.country.language != "en",
        slip=not invoice.is_order and not invoice.is_credit and rng.random() < 0.1,
    )


def _columns(rng: random.Random, invoice: Invoice) -> tuple[str, ...]:
    """Return the columns of the items: description, amount, and others here and there."""
    chosen = ["description"]
    quantity, unit, price = "quantity", "unit", "price"
    together = rng.random()
    if invoice.previous and together < 0.5:
        pass  # bills say what was used elsewhere
    elif together < 0.78:
        chosen += [quantity, unit, price] if rng.random() < 0.45 else [quantity, price]
    elif together < 0.9:
        chosen += ["counted", price]  # quantity and unit in one cell
    elif together < 0.95:
        chosen += [quantity]
    if any(item.code for item in invoice.items) and rng.random() < 0.7:
        chosen.insert(rng.choice((0, 0, 1)), "code")
    if any(item.discount for item in invoice.items) and price in chosen:
        chosen.append("discount")
    if invoice.taxes and (len(invoice.taxes) > 1 or rng.random() < 0.35):
        chosen.insert(rng.choice((len(chosen), len(chosen), 1, 2)), "rate")
    if rng.random() < 0.12:
        chosen.insert(rng.choice((0, 1)), "day")
    if rng.random() < 0.15 and quantity in chosen:  # the quantity stands first
        chosen.remove(quantity)
        chosen.insert(0, quantity)
    if quantity in chosen and rng.random() < 0.1:  # what was ordered, and what is still to come
        at = chosen.index(quantity)
        chosen[at : at + 1] = rng.choice((["ordered", quantity], ["ordered", quantity, "open"]))
    if rng.random() < 0.12:  # columns that no field asks for
        for more in rng.choice((["lot"], ["lot"], ["weight"], ["lot", "weight"])):
            chosen.insert(rng.randrange(len(chosen) + 1), more)
    if rng.random() < 0.4:
        chosen.insert(0, "pos")
    if rng.random() < 0.12:  # any order
        rng.shuffle(chosen)
    chosen.append("amount")
    if rng.random() < 0.06:
        chosen.insert(rng.randrange(len(chosen)), chosen.pop())
    if invoice.taxes and not invoice.gross and rng.random() < 0.12:
        chosen += rng.choice((["taxed"], ["taxed", "gross"], ["gross"]))
    return tuple(chosen)
