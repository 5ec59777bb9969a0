"""Invented documents for measuring: one-page PDFs with a text layer, and pictures of receipts."""

from __future__ import annotations

import random
from io import BytesIO

_SHOPS = ("KEDAI CONTOH", "PASAR TELUK UJIAN", "RESTORAN SERI LAKARAN", "GERAI DELIMA TIRUAN")
_GOODS = ("TEH TARIK", "ROTI BAKAR", "NASI LEMAK", "KOPI AIS", "BUKU TULIS", "PEN BIRU", "SABUN")


def receipt_lines(seed: int) -> list[tuple[str, str]]:
    """Return the lines of an invented receipt, each with its left and its right part."""
    chance = random.Random(seed)
    prices = [(chance.choice(_GOODS), chance.randrange(105, 2995, 5)) for _ in range(12)]
    return [
        (f"{chance.choice(_SHOPS)} SDN BHD", f"NO {seed}"),
        (f"NO {chance.randint(1, 99)}, JALAN PENSIL {chance.randint(1, 20)},", ""),
        ("43300 SERI CONTOH, SELANGOR", ""),
        ("TAX INVOICE", ""),
        (f"DATE: {chance.randint(13, 28)}/{chance.randint(1, 12):02d}/2018", "10:42"),
        *((name, f"{cents / 100:.2f}") for name, cents in prices),
        ("TOTAL RM", f"{sum(cents for _, cents in prices) / 100:.2f}"),
        ("THANK YOU, PLEASE COME AGAIN", ""),
    ]


def text_pdf(seed: int) -> bytes:
    """Return a receipt as a PDF of one page with a text layer; each seed gives other bytes."""
    shown = []
    for number, (left, right) in enumerate(receipt_lines(seed)):
        top = 780 - 22 * number
        for x, text in ((60, left), (420, right)):
            shown.append(f"BT /F1 12 Tf {x} {top} Td ({text}) Tj ET")
    stream = "\n".join(shown)
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    )
    body, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return f"{body}{end}startxref\n{len(body)}\n%%EOF\n".encode("ascii")


def scan_png(seed: int) -> bytes:
    """Return a receipt as a grey picture of 1000 x 1440 pixels, as from a scanner."""
    from PIL import Image, ImageDraw, ImageFont

    lines = receipt_lines(seed)
    font = ImageFont.load_default(36)
    image = Image.new("L", (1000, 60 + 72 * len(lines)), 250)
    draw = ImageDraw.Draw(image)
    for number, (left, right) in enumerate(lines):
        top = 40 + 72 * number
        draw.text((40, top), left, 20, font)
        draw.text((960, top), right, 20, font, anchor="ra")
    stream = BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()
