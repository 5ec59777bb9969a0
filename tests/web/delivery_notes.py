"""Delivery notes of an invented haulier: a kind of document that no included model knows."""

from __future__ import annotations

import random
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from tests.builders import draw_pdf

_CUSTOMERS = ("Papierhaus", "Lampenwerk", "Gartenmarkt", "Fahrradhof", "Teekontor", "Druckerei")
_NAMES = ("Sandberg", "Kolkmann", "Testorf", "Musterau", "Beispielen", "Probst", "Lindholm")
_FORMS = ("GmbH", "AG", "KG", "Ltd", "& Sons")
_DRIVERS = ("A. Feder", "B. Stein", "C. Wolke", "D. Anker", "E. Brandt", "F. Tinte")
_GOODS = (
    "Shelves, oak",
    "Desk lamps",
    "Paper A4, white",
    "Bicycle chains",
    "Tea, loose",
    "Ink, blue",
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_CAPTIONS = {
    "note_number": ("Delivery note no.", "Note number", "Our note"),
    "customer": ("Deliver to", "Consignee", "Customer"),
    "delivery_date": ("Delivered on", "Date of delivery", "Delivery date"),
    "driver": ("Driver", "Driven by", "Carried by"),
    "weight": ("Gross weight", "Weight, gross", "Total weight"),
}


@dataclass(frozen=True, slots=True)
class Note:
    """An invented delivery note: its values as printed, and the captions before them."""

    values: dict[str, str]
    captions: dict[str, str]
    goods: tuple[tuple[str, int], ...]
    layout: int


def make_note(seed: int) -> Note:
    """Return a delivery note; seeds differ in values, captions and layout."""
    chance = random.Random(seed)
    customer = f"{chance.choice(_CUSTOMERS)} {chance.choice(_NAMES)} {chance.choice(_FORMS)}"
    day, year = chance.randint(1, 28), chance.randint(2021, 2026)
    values = {
        "note_number": f"DN-{chance.randint(10000, 99999)}/{chance.randint(10, 99)}",
        "customer": customer,
        "delivery_date": f"{day} {chance.choice(_MONTHS)} {year}",
        "driver": chance.choice(_DRIVERS),
        "weight": f"{chance.randint(12, 980)}.{chance.randint(0, 9)} kg",
    }
    captions = {name: chance.choice(all_of) for name, all_of in _CAPTIONS.items()}
    goods = tuple(
        (good, chance.randint(1, 40)) for good in chance.sample(_GOODS, chance.randint(1, 4))
    )
    return Note(values, captions, goods, chance.randrange(3))


def note_pdf(note: Note) -> bytes:
    """Return a delivery note as a PDF with a text layer."""
    return draw_pdf(lambda canvas: _draw(canvas, note))


def _draw(canvas: Canvas, note: Note) -> None:
    left, right = (60, 350) if note.layout != 1 else (350, 60)
    canvas.setFont("Helvetica-Bold", 20)
    canvas.drawString(60, 770, "Feder & Stein Haulage")
    canvas.setFont("Helvetica", 10)
    canvas.drawString(60, 752, "Quay 4, 20457 Musterhafen")
    canvas.setFont("Helvetica-Bold", 15)
    canvas.drawString(60, 700, "DELIVERY NOTE")
    gap = 100 if note.layout == 0 else 0  # captions beside their values, or above them
    for x, names in ((left, ("note_number", "customer")), (right, ("delivery_date", "driver"))):
        for number, name in enumerate(names):
            y = 660 - 44 * number
            canvas.setFont("Helvetica", 10)
            canvas.drawString(x, y, note.captions[name])
            canvas.setFont("Helvetica", 12)
            canvas.drawString(x + gap, y if gap else y - 16, note.values[name])
    canvas.line(60, 560, 535, 560)
    for number, (good, count) in enumerate(note.goods):
        canvas.drawString(60, 535 - 22 * number, good)
        canvas.drawRightString(535, 535 - 22 * number, f"{count} pcs")
    foot = 500 - 22 * len(note.goods)
    canvas.line(60, foot + 22, 535, foot + 22)
    canvas.drawString(60, foot, note.captions["weight"])
    canvas.drawRightString(535, foot, note.values["weight"])
    canvas.setFont("Helvetica", 10)
    canvas.drawString(60, foot - 60, "Received in good order: ______________________")
