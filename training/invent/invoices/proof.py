"""Proves an invented document: its sums hold, and every labelled text is where it should be."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

import pypdfium2 as pdfium

from training.invent.delivery import Place
from training.invent.invoices.content import Invoice
from training.invent.invoices.printing import Printed

_CENT = Decimal("0.01")
_SLACK = 0.2  # points beside a box: letters may reach over its edge
# Of a box's height, at its top and its foot: the tails of letters in the lines around reach in.
_INSET = 0.2
_OVER = 0.005  # of a page's width and height, beyond its edges
_HYPHEN = "\x02"  # what PDFium gives for one at the end of a line


def faults(
    invoice: Invoice, pdf: bytes, printed: Sequence[Printed], places: Sequence[Place]
) -> list[str]:
    """Return what is wrong with a document, nothing where all holds."""
    return [*_sums(invoice), *_texts(pdf, printed, places)]


def _sums(invoice: Invoice) -> list[str]:
    """Return the sums that do not hold."""
    found = []
    for number, item in enumerate(invoice.items, 1):
        amount = item.quantity * item.price * (100 - item.discount) / 100
        if amount.quantize(_CENT, ROUND_HALF_UP) + item.extra != item.amount:
            found.append(f"item {number}: {item.quantity} x {item.price} is not {item.amount}")
    for tax in invoice.taxes:
        exact = tax.base * tax.rate / 100
        # Taken out of a sum that includes it, a tax is rounded twice.
        if abs(exact - tax.amount) > (_CENT if invoice.gross else _CENT / 2):
            found.append(f"{tax.rate} % of {tax.base} is not {tax.amount}")
    shared = any(tax.name for tax in invoice.taxes)
    bases = sum(tax.base for tax in invoice.taxes) / (len(invoice.taxes) if shared else 1)
    if invoice.taxes and bases != invoice.subtotal:
        found.append("the bases do not add up to the subtotal")
    if invoice.due is not None and invoice.due < invoice.date:
        found.append("it is due before it is written")
    return found


def _texts(pdf: bytes, printed: Sequence[Printed], places: Sequence[Place]) -> list[str]:
    """Return the labelled texts that are not where they are said to be."""
    seen: dict[tuple[int, int], str] = {}
    document = pdfium.PdfDocument(pdf)
    try:
        pages = [(page.get_size(), page.get_textpage()) for page in document]
        for place in places:
            (width, height), letters = pages[place.page - 1]
            x0, top, x1, bottom = place.box
            inset = _INSET * (bottom - top)
            text = letters.get_text_bounded(
                left=x0 * width - _SLACK,
                bottom=height - (bottom - inset) * height,
                right=x1 * width + _SLACK,
                top=height - (top + inset) * height,
            )
            key = (place.number, place.page)
            seen[key] = seen.get(key, "") + text
    finally:
        document.close()
    found = [
        f"{printed[place.number].name} runs off page {place.page}"
        for place in places
        if min(place.box) < -_OVER or max(place.box) > 1 + _OVER
    ]
    for number, value in enumerate(printed):
        texts = [_plain(text) for (other, _), text in seen.items() if other == number]
        if not texts or not all(
            _plain(value.text).replace(",", "") in text.replace(",", "") for text in texts
        ):
            found.append(f"{value.group} {value.name}: {value.text!r} is printed as {texts}")
    return found


def _plain(text: str) -> str:
    # A low line lies in the part of its box that is left out.
    return "".join(text.split()).replace("\u00ad", "").replace(_HYPHEN, "-").replace("_", "")
