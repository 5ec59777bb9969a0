"""Invents receipts of Malaysian shops: fixed-width lines, as a till prints them.

The PDF is written by hand, for it needs no more than one font that every reader has: measuring a
service takes receipts too, and has none of the generator's libraries.
"""

from __future__ import annotations

import datetime as dt
import io
import random
from dataclasses import dataclass

_SHOPS = ("KEDAI", "PASAR MINI", "RESTORAN", "BENGKEL", "GERAI", "FARMASI", "KLINIK", "BUTIK")
_NAMES = (
    *("CONTOH", "TELUK UJIAN", "SERI LAKARAN", "DELIMA TIRUAN", "BINTANG KERTAS", "DAKWAT BIRU"),
    *("MELOR PUTIH", "TANJUNG REKA", "WARISAN KOTAK", "CAHAYA PENSIL"),
)
_FORMS = ("SDN BHD", "SDN. BHD.", "ENTERPRISE", "TRADING", "")
_STREETS = ("JALAN PENSIL", "JALAN RAJAH", "LORONG DAKWAT", "PERSIARAN KOTAK", "JALAN KERTAS")
_PARKS = ("TAMAN CONTOH", "BANDAR BARU UJIAN", "TAMAN SERI REKA", "PUSAT NIAGA LAKARAN")
_TOWNS = (
    *("43300 SERI CONTOH, SELANGOR", "81100 BANDAR UJIAN, JOHOR", "53000 KUALA LAKARAN"),
    *("10450 TANJUNG KERTAS, PULAU PINANG", "75200 KOTA REKA, MELAKA"),
)
_GOODS = (
    *("TEH TARIK", "ROTI BAKAR", "NASI LEMAK", "KOPI AIS", "BUKU TULIS", "PEN BIRU", "SABUN"),
    *("MEE GORENG", "AIR MINERAL 1.5L", "KERTAS A4 500S", "BATERI AA 4S", "TISU KOTAK", "GULA 1KG"),
    *("MINYAK MASAK 2KG", "UBAT GIGI", "LAMPU LED 9W", "PAKU 2IN", "CAT PUTIH 1L"),
)
_DATES = ("%d/%m/%Y", "%d-%m-%Y", "%d/%m/%y", "%d.%m.%Y", "%d %b %Y", "%Y-%m-%d")
_TOTALS = ("TOTAL RM", "TOTAL", "GRAND TOTAL", "NET TOTAL (RM)", "AMOUNT DUE", "TOTAL INCL. GST")
_ENDS = ("THANK YOU, PLEASE COME AGAIN", "TERIMA KASIH", "GOODS SOLD ARE NOT RETURNABLE")
_COLUMNS = 42
_SIZE, _STEP, _MARGIN = 10, 14, 24  # points
_LETTER = 0.6 * _SIZE  # width of every letter of Courier, points
_WIDTH = _COLUMNS * _LETTER + 2 * _MARGIN


@dataclass(frozen=True, slots=True)
class Receipt:
    """A receipt; its values are as printed.

    Attributes:
        company, address, date, total: what is labelled; lines of the address joined by blanks.
        lines: of the paper, from the top.
    """

    company: str
    address: str
    date: str
    total: str
    lines: tuple[str, ...]


def draw_receipt(rng: random.Random) -> Receipt:
    """Return a receipt whose goods, tax and rounding add up to its total."""
    company = f"{rng.choice(_SHOPS)} {rng.choice(_NAMES)} {rng.choice(_FORMS)}".strip()
    street = f"NO {rng.randint(1, 99)}, {rng.choice(_STREETS)} {rng.randint(1, 20)},"
    park = (f"{rng.choice(_PARKS)},",) if rng.random() < 0.6 else ()
    address = (street, *park, rng.choice(_TOWNS))
    moment = dt.datetime(2016, 1, 1) + dt.timedelta(minutes=rng.randrange(3 * 365 * 24 * 60))
    date = moment.strftime(rng.choice(_DATES)).upper()
    sold = [
        (name, rng.choice((1, 1, 1, 2, 3, 5)), rng.randrange(105, 4995, 5))
        for name in rng.sample(_GOODS, rng.randint(1, 12))
    ]
    cents = sum(count * price for _, count, price in sold)
    tax = (cents * 6 + 50) // 100 if rng.random() < 0.5 else 0
    beyond = (cents + tax + 2) % 5 - 2 if rng.random() < 0.5 else 0  # the nearest five sen
    rounding = -beyond
    due = cents + tax + rounding
    paid = (due // 1000 + 1) * 1000
    place = str.center if rng.random() < 0.7 else str.ljust
    gap = rng.choice((": ", " : ", " "))
    head = [place(line, _COLUMNS) for line in (company, *address)]
    if rng.random() < 0.5:
        head.insert(1, place(f"({rng.randrange(10**6, 10**7)}-{rng.choice('KXVAT')})", _COLUMNS))
    if rng.random() < 0.6:
        head.append(place(f"TEL: 0{rng.randint(3, 9)}-{rng.randrange(10**7, 10**8)}", _COLUMNS))
    facts = [
        _sides(f"DATE{gap}{date}", f"{moment:%H:%M}"),
        _sides(f"{rng.choice(('INVOICE NO', 'BILL NO', 'RECEIPT'))}{gap}{rng.randrange(10**6)}"),
    ]
    rng.shuffle(facts)
    sums = [_sides("SUBTOTAL", _money(cents))] if tax or rng.random() < 0.5 else []
    sums += [_sides("GST 6%", _money(tax))] if tax else []
    sums += [_sides("ROUNDING", _money(rounding))] if rounding else []
    sums.append(_sides(rng.choice(_TOTALS), _money(due)))
    if rng.random() < 0.7:
        sums += [_sides("CASH", _money(paid)), _sides("CHANGE", _money(paid - due))]
    rule = rng.choice("-=*") * _COLUMNS if rng.random() < 0.7 else ""
    lines = [
        *head,
        "",
        rng.choice(("TAX INVOICE", "RECEIPT", "INVOIS CUKAI")).center(_COLUMNS),
        *facts,
        rule,
        *(_sides(f"{count} {name}", _money(count * price)) for name, count, price in sold),
        rule,
        *sums,
        "",
        rng.choice(_ENDS).center(_COLUMNS),
    ]
    return Receipt(company, " ".join(address), date, _money(due), tuple(map(str.rstrip, lines)))


def _sides(left: str, right: str = "") -> str:
    return f"{left}{right:>{_COLUMNS - len(left)}}"


def _money(cents: int) -> str:
    return f"{cents / 100:.2f}"


def receipt_pdf(receipt: Receipt) -> bytes:
    """Return a receipt as a PDF of one page with a text layer."""
    height = 2 * _MARGIN + _STEP * len(receipt.lines)
    shown = []
    for number, line in enumerate(receipt.lines):
        text = line.lstrip()
        left = _MARGIN + _LETTER * (len(line) - len(text))
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        top = height - _MARGIN - _STEP * (number + 1)
        shown.append(f"BT /F1 {_SIZE} Tf {left:.1f} {top} Td ({escaped}) Tj ET")
    stream = "\n".join(shown)
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_WIDTH:.0f} {height}] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
    )
    body, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return f"{body}{end}startxref\n{len(body)}\n%%EOF\n".encode("ascii")


def text_pdf(seed: int) -> bytes:
    """Return a receipt as a PDF of one page with a text layer; each seed gives other bytes."""
    return receipt_pdf(draw_receipt(random.Random(seed)))


def scan_png(seed: int) -> bytes:
    """Return a receipt as a clean grey picture 1,000 pixels wide, as from a scanner."""
    import pypdfium2 as pdfium

    with pdfium.PdfDocument(text_pdf(seed)) as document:
        image = document[0].render(scale=1000 / _WIDTH, grayscale=True).to_pil()
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()
