"""Documents that the tests generate: invented receipts as text, picture or PDF, and worse."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal

import pikepdf
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from models.geometry import Box
from pipeline.document import Document, Page, Token
from pipeline.result import FieldValue, Normalisation

_FIRST = ("KEDAI", "PASAR", "RESTORAN", "BENGKEL", "GERAI")
_SECOND = ("CONTOH", "BINTANG KERTAS", "TELUK UJIAN", "SERI LAKARAN", "DELIMA TIRUAN")
_STREETS = ("JALAN RAJAH", "JALAN PENSIL", "LORONG DAKWAT", "PERSIARAN KOTAK")
_TOWNS = ("43300 SERI CONTOH", "81100 BANDAR UJIAN", "53000 KOTA LAKARAN")
_GOODS = ("TEH TARIK", "ROTI BAKAR", "NASI LEMAK", "KOPI AIS", "BUKU TULIS", "PEN BIRU", "SABUN")


@dataclass(frozen=True, slots=True)
class Receipt:
    """An invented receipt: its values, as printed, and its lines of (left text, right text)."""

    company: str
    address: str
    date: str
    total: str
    lines: tuple[tuple[str, str], ...]

    @property
    def words(self) -> list[str]:
        """All words in reading order."""
        return [word for line in self.lines for text in line for word in text.split()]


def make_receipt(seed: int = 0) -> Receipt:
    """Return a receipt of an invented Malaysian shop: day before month, amounts in RM."""
    chance = random.Random(seed)
    company = f"{chance.choice(_FIRST)} {chance.choice(_SECOND)} SDN BHD"
    street = f"NO {chance.randint(1, 99)}, {chance.choice(_STREETS)} {chance.randint(1, 20)},"
    town = f"{chance.choice(_TOWNS)}, SELANGOR"
    date = f"{chance.randint(13, 28)}/{chance.randint(1, 12):02d}/2018"
    goods = chance.sample(_GOODS, chance.randint(2, 4))
    cents = [chance.randrange(105, 2995, 5) for _ in goods]
    total = f"{sum(cents) / 100:.2f}"
    lines = (
        (company, ""),
        (street, ""),
        (town, ""),
        ("TAX INVOICE", ""),
        (f"DATE: {date}", f"{chance.randint(8, 21):02d}:{chance.randint(0, 59):02d}"),
        *((good, f"{price / 100:.2f}") for good, price in zip(goods, cents, strict=True)),
        ("TOTAL RM", total),
        ("CASH", f"{(sum(cents) // 1000 + 1) * 10:.2f}"),
        ("THANK YOU", ""),
    )
    return Receipt(company, f"{street} {town}", date, total, lines)


# Pictures


def receipt_image(receipt: Receipt, width: int = 1000, size: int = 36) -> Image.Image:
    """Return a receipt as a grey picture, letters `size` pixels high."""
    font = ImageFont.load_default(size)
    image = Image.new("L", (width, 60 + 2 * size * len(receipt.lines)), "white")
    draw = ImageDraw.Draw(image)
    for number, (left, right) in enumerate(receipt.lines):
        top = 40 + 2 * size * number
        draw.text((40, top), left, "black", font)
        draw.text((width - 40, top), right, "black", font, anchor="ra")
    return image


def encode(image: Image.Image, kind: str, **options: object) -> bytes:
    """Return a picture as a file of a Pillow format, such as PNG."""
    stream = BytesIO()
    # A copy, for Pillow leaves its encoder's settings on an image that it has saved.
    image.copy().save(stream, kind, **options)
    return stream.getvalue()


def receipt_png(receipt: Receipt | None = None) -> bytes:
    """Return a receipt as a clean PNG."""
    return encode(receipt_image(receipt or make_receipt()), "PNG")


def multipage_tiff(images: Sequence[Image.Image], **options: object) -> bytes:
    """Return the pictures as the frames of one TIFF."""
    return encode(
        images[0],
        "TIFF",
        save_all=True,
        append_images=[image.copy() for image in images[1:]],
        **options,
    )


# One entry turns a stored picture into the picture that viewers show for that EXIF orientation.
_STORED_AS = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,  # shown turned 90 degrees clockwise, so stored turned back
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def exif_jpeg(image: Image.Image, orientation: int) -> bytes:
    """Return a JPEG that viewers show as `image`, stored turned with an EXIF orientation."""
    turn = _STORED_AS[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    stored = image if turn is None else image.transpose(turn)
    return encode(stored, "JPEG", exif=exif, quality=95)


# PDFs

A4 = (595, 842)


def draw_pdf(*draws: Callable[[Canvas], None], size: tuple[float, float] = A4) -> bytes:
    """Return a PDF with one page for each function that draws on a canvas."""
    stream = BytesIO()
    canvas = Canvas(stream, pagesize=size, invariant=True)
    for draw in draws:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def receipt_page(receipt: Receipt) -> Callable[[Canvas], None]:
    """Return a function that writes a receipt as text on an A4 page."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 14)
        for number, (left, right) in enumerate(receipt.lines):
            canvas.drawString(60, 780 - 28 * number, left)
            canvas.drawRightString(530, 780 - 28 * number, right)

    return draw


def scan_page(image: Image.Image) -> Callable[[Canvas], None]:
    """Return a function that fills an A4 page's upper part with a picture, full width."""

    def draw(canvas: Canvas) -> None:
        height = A4[0] * image.height / image.width
        canvas.drawImage(ImageReader(image), 0, A4[1] - height, A4[0], height)

    return draw


def receipt_pdf(receipt: Receipt | None = None, pages: int = 1) -> bytes:
    """Return a PDF with a text layer, the same receipt on each page."""
    return draw_pdf(*[receipt_page(receipt or make_receipt())] * pages)


def scanned_pdf(receipt: Receipt | None = None) -> bytes:
    """Return a PDF that holds only a picture of a receipt."""
    return draw_pdf(scan_page(receipt_image(receipt or make_receipt())))


def change_pdf(
    data: bytes,
    change: Callable[[pikepdf.Pdf], None],
    encryption: pikepdf.Encryption | None = None,
    object_streams: pikepdf.ObjectStreamMode = pikepdf.ObjectStreamMode.preserve,
) -> bytes:
    """Return a PDF after a change made with pikepdf."""
    stream = BytesIO()
    with pikepdf.open(BytesIO(data)) as pdf:
        change(pdf)
        pdf.save(stream, encryption=encryption, object_stream_mode=object_streams)
    return stream.getvalue()


def endless_pdf(data: bytes, page: int, levels: int = 9) -> bytes:
    """Return a PDF with a page that nobody can draw to its end.

    It draws a form that draws another ten times, and so on: a billion rectangles on nine levels.
    """

    def change(pdf: pikepdf.Pdf) -> None:
        drawing = b"0 0 1 1 re f"
        resources = pikepdf.Dictionary()
        for _ in range(levels + 1):
            form = pdf.make_stream(drawing)
            form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
            form.BBox = pikepdf.Array([0, 0, *A4])
            form.Resources = resources
            resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(F=form))
            drawing = b"/F Do " * 10
        pdf.pages[page - 1].Resources = resources
        pdf.pages[page - 1].Contents = pdf.make_stream(b"/F Do")

    return change_pdf(data, change)


def rotated_pdf(data: bytes, degrees: int) -> bytes:
    """Return the PDF with /Rotate on every page: viewers turn the pages clockwise."""

    def turn(pdf: pikepdf.Pdf) -> None:
        for page in pdf.pages:
            page.rotate(degrees, relative=False)

    return change_pdf(data, turn)


def sideways_pdf(data: bytes, degrees: int) -> bytes:
    """Return the PDF with its content turned counter-clockwise: /Rotate by as much rights it."""

    def turn(pdf: pikepdf.Pdf) -> None:
        for page in pdf.pages:
            _, _, width, height = (float(value) for value in page.mediabox)
            matrix, size = {
                90: (f"0 1 -1 0 {height} 0", (height, width)),
                180: (f"-1 0 0 -1 {width} {height}", (width, height)),
                270: (f"0 -1 1 0 0 {width}", (height, width)),
            }[degrees]
            page.contents_add(f"q {matrix} cm".encode(), prepend=True)
            page.contents_add(b"Q")
            page.mediabox = pikepdf.Array([0, 0, *size])

    return change_pdf(data, turn)


def encrypted_pdf(
    data: bytes, user: str, owner: str = "owner", strength: Literal[3, 4, 6] = 6
) -> bytes:
    """Return the PDF encrypted: strength 3 is RC4 of 128 bits, 4 AES of 128, 6 AES of 256."""
    modern = strength > 3
    encryption = pikepdf.Encryption(user=user, owner=owner, R=strength, aes=modern, metadata=modern)
    return change_pdf(data, lambda pdf: None, encryption)


def empty_pdf() -> bytes:
    """Return a whole PDF without pages."""
    stream = BytesIO()
    with pikepdf.new() as pdf:
        pdf.save(stream)
    return stream.getvalue()


def portfolio_pdf(*, compressed: bool = True) -> bytes:
    """Return a PDF portfolio: a cover page around an embedded file."""

    def embed(pdf: pikepdf.Pdf) -> None:
        pdf.attachments["order.txt"] = pikepdf.AttachedFileSpec(pdf, b"the order itself")
        pdf.Root.Collection = pikepdf.Dictionary(View=pikepdf.Name.D)

    mode = pikepdf.ObjectStreamMode
    return change_pdf(
        receipt_pdf(), embed, object_streams=mode.generate if compressed else mode.disable
    )


# Documents as read


def document_of(*pages: str, columns: int = 60, rows: int = 40) -> Document:
    """Return a document laid out on a grid of letters, one text a page.

    ``|`` parts lines: ``document_of("Invoice 42 | Total 10.00")`` has one page of two lines. Wider
    gaps between words are kept, so that ``Total      10.00`` has its amount to the right.
    """
    read = []
    for number, text in enumerate(pages, 1):
        tokens = []
        for line, content in enumerate(text.split("|")):
            # The bar's own spaces are no indentation.
            column = 0
            for piece in content.strip().split(" "):
                if piece:
                    box = Box(
                        min(column / columns, 1.0),
                        min(line / rows, 1.0),
                        min((column + len(piece)) / columns, 1.0),
                        min((line + 0.8) / rows, 1.0),
                    )
                    tokens.append(Token(piece, box, line=line))
                column += len(piece) + 1
        read.append(Page(number, 595.0, 842.0, 0, "gold", "built for a test", tuple(tokens)))
    digest = hashlib.sha256("\f".join(pages).encode()).hexdigest()
    return Document(digest, "application/pdf", tuple(read), len(read))


def texts(page: Page) -> list[str]:
    """Return the words of a page."""
    return [token.text for token in page.tokens]


def lines_of(tokens: Sequence[Token]) -> list[str]:
    """Return the lines of words that are in order."""
    rows: dict[int, list[str]] = {}
    for token in tokens:
        rows.setdefault(token.line, []).append(token.text)
    return [" ".join(words) for words in rows.values()]


def field_value(kind: str, text: str, value: object, **changes: Any) -> FieldValue:
    """Return a value as an answer has it: sure enough, on the first page, for nobody to look at.

    Args:
        kind: of its field.
        text: as printed.
        value: as normalised.
        changes: to its other attributes.
    """
    usual = {
        "confidence": 0.9,
        "page": 1,
        "box": [0.0, 0.0, 1.0, 1.0],
        "words": [0],
        "normalisation": Normalisation(status="ok"),
        "needs_review": False,
    }
    return FieldValue(kind=kind, text=text, value=value, **(usual | changes))
