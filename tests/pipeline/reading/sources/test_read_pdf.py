"""PDFs: text layers in every frame, scans, protection, damage and limits."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import pikepdf
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from matplotlib.textpath import TextPath
from pikepdf import Dictionary, Name
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from pipeline.affine import turned_box
from pipeline.document import Page
from pipeline.errors import (
    BadPageRange,
    CorruptDocument,
    DependencyMissing,
    DocumentError,
    EmptyDocument,
    EncryptedPdf,
    FieldwrightError,
    InvalidOption,
    PageTooLarge,
    PdfPortfolio,
    TooManyPages,
    WrongPassword,
)
from pipeline.reading.reader import ReadOptions, read_document
from pipeline.reading.sources.pdf import PdfSource
from pipeline.reading.sources.poppler import fitting_dpi
from tests.builders import (
    A4,
    change_pdf,
    draw_pdf,
    empty_pdf,
    encode,
    encrypted_pdf,
    make_receipt,
    portfolio_pdf,
    receipt_image,
    receipt_page,
    receipt_pdf,
    rotated_pdf,
    scan_page,
    scanned_pdf,
    sideways_pdf,
    texts,
)
from tests.patience import tidied

RECEIPT = make_receipt(3)
PDF = receipt_pdf(RECEIPT)


def boxes_differ(page: Page, other: Page) -> float:
    """Return the largest distance between edges of the words of two equal pages."""
    return max(
        abs(a - b)
        for token, twin in zip(page.tokens, other.tokens, strict=True)
        for a, b in zip(token.box.as_list(), twin.box.as_list(), strict=True)
    )


def test_a_text_layer_is_read_in_rows() -> None:
    document = read_document(PDF)
    (page,) = document.pages
    assert texts(page) == RECEIPT.words
    assert (page.text_source, page.reason) == ("text_layer", "text layer holds text")
    assert (page.width, page.height, page.rotation) == (*A4, 0)
    assert page.tokens[-1].line == len(RECEIPT.lines) - 1
    assert {token.confidence for token in page.tokens} == {1.0}
    assert document.warnings == ()


def test_a_word_stands_where_it_was_drawn() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 20)
        canvas.drawString(100, 642, "Total")

    (token,) = read_document(draw_pdf(draw)).pages[0].tokens
    assert token.box.x0 == pytest.approx(100 / 595, abs=0.001)
    assert token.box.x1 == pytest.approx((100 + 43.3) / 595, abs=0.002)
    assert token.box.top < (842 - 642 - 7) / 842 < token.box.bottom  # the middle of the letters


def no_change(pdf: pikepdf.Pdf) -> None:
    del pdf


def move_page(pdf: pikepdf.Pdf) -> None:
    for page in pdf.pages:
        page.mediabox = pikepdf.Array([-50, -100, 545, 842])


def crop_page(pdf: pikepdf.Pdf) -> None:
    for page in pdf.pages:
        page.mediabox = pikepdf.Array([20, 30, 620, 900])
        page.cropbox = pikepdf.Array([40, 400, 560, 2000])  # reaches beyond the page


def crop_beside_the_page(pdf: pikepdf.Pdf) -> None:
    for page in pdf.pages:
        page.cropbox = pikepdf.Array([5000, 5000, 6000, 6000])


@pytest.mark.parametrize("frame", [no_change, move_page, crop_page, crop_beside_the_page])
@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_page_turned_by_its_viewer_keeps_words_and_places(
    frame: Callable[[pikepdf.Pdf], None], degrees: int
) -> None:
    """/Rotate turns an upright page: it is delivered sideways, and read all the same."""
    base = read_document(change_pdf(PDF, frame)).pages[0]
    page = read_document(rotated_pdf(change_pdf(PDF, frame), degrees)).pages[0]
    assert texts(page) == texts(base)
    assert [token.line for token in page.tokens] == [token.line for token in base.tokens]
    assert page.rotation == 360 - degrees
    sides = (base.width, base.height)
    assert (page.width, page.height) == (sides if degrees == 180 else sides[::-1])
    for token, upright in zip(page.tokens, base.tokens, strict=True):
        assert token.box.as_list() == pytest.approx(turned_box(upright.box, degrees).as_list())


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_sideways_page_righted_by_its_rotation_is_upright(degrees: int) -> None:
    page = read_document(rotated_pdf(sideways_pdf(PDF, degrees), degrees)).pages[0]
    upright = read_document(PDF).pages[0]
    assert texts(page) == texts(upright)
    assert [(t.line, t.block) for t in page.tokens] == [(t.line, t.block) for t in upright.tokens]
    assert (page.width, page.height, page.rotation) == (*A4, 0)
    assert boxes_differ(page, upright) < 1e-5


def test_words_outside_the_crop_box_are_not_read() -> None:
    def crop(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].cropbox = pikepdf.Array([0, 710, 595, 842])

    page = read_document(change_pdf(PDF, crop)).pages[0]
    assert texts(page) == [word for line in RECEIPT.lines[:3] for word in line[0].split()]
    assert page.height == 132


def test_letters_drawn_twice_are_read_once() -> None:
    def draw(canvas: Canvas) -> None:
        receipt_page(RECEIPT)(canvas)
        canvas.translate(0.3, 0)
        receipt_page(RECEIPT)(canvas)

    assert texts(read_document(draw_pdf(draw)).pages[0]) == RECEIPT.words


def test_columns_are_read_one_after_the_other() -> None:
    left = [f"The first column tells its own story L{n}" for n in range(5)]
    right = [f"The second column goes on from there R{n}" for n in range(5)]

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for n in range(5):
            canvas.drawString(50, 700 - 13 * n, left[n])
            canvas.drawString(320, 700 - 13 * n, right[n])

    assert texts(read_document(draw_pdf(draw)).pages[0]) == " ".join(left + right).split()


def test_a_blank_page_is_known_as_blank() -> None:
    document = read_document(draw_pdf(receipt_page(RECEIPT), lambda canvas: None))
    page = document.pages[1]
    assert (page.text_source, page.reason, page.tokens) == ("none", "blank page, no text layer", ())
    assert document.warnings == ("Page 2: no words were found (blank page, no text layer).",)


@pytest.mark.parametrize("side", [64, 50_000], ids=["damaged", "too large"])
def test_a_page_whose_picture_cannot_be_drawn_is_not_blank(side: int) -> None:
    stream = BytesIO()
    Image.new("L", (64, 64), "black").save(stream, "JPEG", progressive=True)
    jpeg = stream.getvalue() if side > 64 else stream.getvalue()[:40]
    start = jpeg.find(b"\xff\xc2") + 5
    jpeg = jpeg.replace(jpeg[start : start + 4], side.to_bytes(2, "big") * 2, 1)

    def show(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[1]
        picture = pdf.make_stream(
            jpeg, Type=Name.XObject, Subtype=Name.Image, Width=side, Height=side,
            BitsPerComponent=8, ColorSpace=Name.DeviceGray, Filter=Name.DCTDecode,
        )  # fmt: skip
        page.obj.Resources = Dictionary(XObject=Dictionary(I=picture))
        page.obj.Contents = pdf.make_stream(b"q 500 0 0 700 20 20 cm /I Do Q")

    document = read_document(change_pdf(draw_pdf(receipt_page(RECEIPT), lambda canvas: None), show))
    assert texts(document.pages[0]) == RECEIPT.words
    assert document.warnings == (
        "Page 2 was not read. Page 2 shows nothing but a picture that cannot be drawn: it is "
        "damaged, or too large. Save the page as a JPEG or PNG of at most 300 dpi, and send that.",
    )


def test_an_empty_page_that_is_scanned_finely_is_blank() -> None:
    width, height = 9_921, 14_031  # A4 at 1200 dpi

    def show(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[1]
        picture = pdf.make_stream(
            zlib.compress(b"\xff" * ((width + 7) // 8 * height)), Type=Name.XObject,
            Subtype=Name.Image, Width=width, Height=height, BitsPerComponent=1,
            ColorSpace=Name.DeviceGray, Filter=Name.FlateDecode,
        )  # fmt: skip
        page.obj.Resources = Dictionary(XObject=Dictionary(I=picture))
        page.obj.Contents = pdf.make_stream(b"q 500 0 0 700 20 20 cm /I Do Q")

    document = read_document(change_pdf(draw_pdf(receipt_page(RECEIPT), lambda canvas: None), show))
    assert document.warnings == ("Page 2: no words were found (blank page, no text layer).",)


def test_page_ranges_keep_the_numbers_of_the_document() -> None:
    calls: list[tuple[int, int]] = []
    pdf = receipt_pdf(RECEIPT, pages=5)
    document = read_document(
        pdf, ReadOptions(pages="-1,2-3"), lambda done, total: calls.append((done, total))
    )
    assert [page.number for page in document.pages] == [2, 3, 5]
    assert document.page_count == 5
    assert calls == [(1, 3), (2, 3), (3, 3)]
    with pytest.raises(BadPageRange):
        read_document(pdf, ReadOptions(pages="6"))


def test_what_the_progress_raises_ends_the_reading() -> None:
    class Cancelled(Exception):
        pass

    def cancel(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        read_document(PDF, on_page=cancel)


def test_only_the_chosen_pages_count_towards_the_limit() -> None:
    pdf = receipt_pdf(RECEIPT, pages=3)
    with pytest.raises(TooManyPages, match=r"3 pages.*2 are allowed"):
        read_document(pdf, ReadOptions(max_pages=2))
    assert len(read_document(pdf, ReadOptions(max_pages=2, pages="2-3")).pages) == 2


@pytest.mark.parametrize("strength", [3, 4, 6])
def test_encrypted(strength: Literal[3, 4, 6]) -> None:
    password = "gehéim" if strength == 6 else "geheim"  # the old ciphers know ASCII alone
    locked = encrypted_pdf(PDF, user=password, strength=strength)
    with pytest.raises(EncryptedPdf):
        read_document(locked)
    with pytest.raises(WrongPassword):
        read_document(locked, ReadOptions(password="no"))
    opened = read_document(locked, ReadOptions(password=password)).pages[0]
    assert texts(opened) == RECEIPT.words


def test_an_owner_password_alone_protects_nothing_from_reading() -> None:
    page = read_document(encrypted_pdf(PDF, user="", owner="boss")).pages[0]
    assert texts(page) == RECEIPT.words


def test_the_owner_password_opens_too() -> None:
    locked = encrypted_pdf(PDF, user="u", owner="boss")
    assert texts(read_document(locked, ReadOptions(password="boss")).pages[0]) == RECEIPT.words


@pytest.mark.parametrize("data", [PDF, encrypted_pdf(PDF, user="", owner="boss")])
def test_a_password_for_an_open_document_does_no_harm(data: bytes) -> None:
    page = read_document(data, ReadOptions(password="needless")).pages[0]
    assert texts(page) == RECEIPT.words


@pytest.mark.parametrize("compressed", [True, False])
def test_portfolios_are_refused_with_advice(compressed: bool) -> None:
    with pytest.raises(PdfPortfolio, match="Save the files in it"):
        read_document(portfolio_pdf(compressed=compressed))


def test_attachments_make_no_portfolio() -> None:
    def attach(pdf: pikepdf.Pdf) -> None:
        pdf.attachments["invoice.xml"] = pikepdf.AttachedFileSpec(
            pdf, b"/Type /Catalog /Collection"
        )

    assert texts(read_document(change_pdf(PDF, attach)).pages[0]) == RECEIPT.words


def test_a_password_is_never_shown() -> None:
    assert "s3cret" not in repr(ReadOptions(password="s3cret"))


def test_no_pages() -> None:
    with pytest.raises(EmptyDocument):
        read_document(empty_pdf())


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7\n", b"%PDF-1.7\n" + random.Random(1).randbytes(5000), PDF[:200]]
)
def test_corrupt(data: bytes) -> None:
    with pytest.raises(CorruptDocument):
        read_document(data)


def test_junk_around_a_document_and_a_lost_index_do_no_harm() -> None:
    index = PDF.rindex(b"startxref")
    damaged = b"\n\njunk\n" + PDF[:index] + b"startxref\n99999999\n%%EOF\n" + bytes(500)
    assert texts(read_document(damaged).pages[0]) == RECEIPT.words


def test_what_poppler_cannot_open_is_repaired_first() -> None:
    """Poppler believes a page tree that counts no pages; PDFium counts what is there."""
    whole = receipt_pdf(RECEIPT, pages=2)
    assert b"/Count 2" in whole
    document = read_document(whole.replace(b"/Count 2", b"/Count 0"))
    assert [texts(page) for page in document.pages] == [RECEIPT.words] * 2


@pytest.mark.ocr
def test_a_page_whose_text_fails_is_read_by_ocr_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """More characters than a page may have stand for whatever a parser cannot read."""
    monkeypatch.setattr("pipeline.reading.text_layer.characters._MAX_CHARACTERS", 300)
    crowded = receipt_page(make_receipt(3))

    def twice(canvas: Canvas) -> None:
        crowded(canvas)
        canvas.translate(0, -400)
        crowded(canvas)

    pages = _read_here(draw_pdf(receipt_page(RECEIPT), twice), ReadOptions(dpi=150))
    assert [page.text_source for page in pages] == ["text_layer", "ocr"]
    assert pages[1].reason == "text layer cannot be parsed"
    # Processors differ in the spaces that recognition sees, not in the letters.
    assert all(word in "".join(texts(pages[1])) for word in texts(pages[0]))


@pytest.mark.ocr
def test_what_poppler_cannot_render_pdfium_renders(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise CorruptDocument("Page 1 cannot be rendered.")

    monkeypatch.setattr("pipeline.reading.sources.poppler.render", fail)
    (page,) = _read_here(scanned_pdf(RECEIPT), ReadOptions(dpi=150))
    assert (page.text_source, texts(page)) == ("ocr", RECEIPT.words)


@pytest.mark.ocr
def test_a_page_beyond_the_memory_is_not_called_corrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise MemoryError

    monkeypatch.setattr("PIL.Image.Image.convert", fail)
    with pytest.raises(MemoryError):
        _read_here(scanned_pdf(RECEIPT), ReadOptions(dpi=150))


def _read_here(data: bytes, options: ReadOptions) -> list[Page]:
    """Return the pages read in this process, where a test can reach into the reader."""
    with TemporaryDirectory() as folder, closing(PdfSource(data, Path(folder), options)) as source:
        return [source.read_page(number) for number in range(1, source.page_count + 1)]


@pytest.mark.ocr
def test_ocr_may_be_asked_for_always() -> None:
    (page,) = read_document(PDF, ReadOptions(ocr="always", dpi=150)).pages
    assert (page.text_source, page.reason) == ("ocr", "OCR asked for")
    assert "".join(texts(page)) == "".join(RECEIPT.words)


def test_without_ocr_a_page_without_text_is_empty_and_says_why() -> None:
    mixed = draw_pdf(receipt_page(RECEIPT), scan_page(receipt_image(RECEIPT)))
    document = read_document(mixed, ReadOptions(ocr="never"))
    assert [page.text_source for page in document.pages] == ["text_layer", "none"]
    reason = "no text layer, and OCR is turned off"
    assert document.pages[1].reason == reason
    assert document.warnings == (f"Page 2: no words were found ({reason}).",)


def test_without_ocr_a_doubtful_layer_is_read_and_says_so() -> None:
    def draw(canvas: Canvas) -> None:
        scan_page(receipt_image(RECEIPT))(canvas)
        canvas.drawString(30, 815, "RECEIVED 2018")

    (page,) = read_document(draw_pdf(draw), ReadOptions(ocr="never")).pages
    assert (page.text_source, texts(page)) == ("text_layer", ["RECEIVED", "2018"])
    assert page.reason == ("scan with a text layer that covers little of it, but OCR is turned off")


def test_the_choice_of_ocr_is_checked() -> None:
    with pytest.raises(InvalidOption, match="auto, always, never"):
        ReadOptions(ocr="perhaps")  # type: ignore[arg-type]


@pytest.mark.ocr
def test_a_scan_is_read_by_ocr() -> None:
    document = read_document(scanned_pdf(RECEIPT), ReadOptions(dpi=150))
    (page,) = document.pages
    assert (page.text_source, page.reason) == ("ocr", "no text layer")
    assert texts(page) == RECEIPT.words
    assert all(0.3 < token.confidence <= 1 for token in page.tokens)
    assert (page.width, page.height) == A4


@pytest.mark.ocr
@pytest.mark.parametrize("degrees", [90, 270])
def test_a_scan_righted_by_its_rotation_is_read_in_the_frame_displayed(degrees: int) -> None:
    """With an offset crop box as well: renderer and text layer must agree on the frame."""

    def crop(pdf: pikepdf.Pdf) -> None:
        right, top = pdf.pages[0].mediabox[2:]
        pdf.pages[0].cropbox = pikepdf.Array([0, 10, right, top])

    scan = rotated_pdf(change_pdf(sideways_pdf(scanned_pdf(RECEIPT), degrees), crop), degrees)
    upright = read_document(scanned_pdf(RECEIPT), ReadOptions(dpi=150)).pages[0]
    page = read_document(scan, ReadOptions(dpi=150)).pages[0]
    assert texts(page) == texts(upright)
    assert (page.width, page.height) == (585, 842)
    # 10 of 595 points are cut off at one side; which one depends on the turn.
    cut = 10 if degrees == 90 else 0
    for token, twin in zip(page.tokens, upright.tokens, strict=True):
        assert token.box.x0 * 585 + cut == pytest.approx(twin.box.x0 * 595, abs=3)
        assert token.box.top == pytest.approx(twin.box.top, abs=0.005)


@pytest.mark.ocr
def test_mixed_documents_use_each_page_as_it_is() -> None:
    mixed = draw_pdf(receipt_page(RECEIPT), scan_page(receipt_image(RECEIPT)))
    pages = read_document(mixed, ReadOptions(dpi=150)).pages
    assert [page.text_source for page in pages] == ["text_layer", "ocr"]
    assert texts(pages[0]) == texts(pages[1])


@pytest.mark.ocr
def test_a_false_text_layer_over_a_scan_is_not_believed() -> None:
    def draw(canvas: Canvas) -> None:
        scan_page(receipt_image(RECEIPT))(canvas)
        text = canvas.beginText(20, 820)
        text.setTextRenderMode(3)  # invisible
        for n in range(5):
            text.textLine(f"Document Metadata CATALOGUE NUMBER={n} TITLE=N/A SERIES=N/A")
        canvas.drawText(text)

    tall = draw_pdf(draw, size=(A4[0], A4[0] * receipt_image(RECEIPT).height / 1000))
    page = read_document(tall, ReadOptions(dpi=150)).pages[0]
    assert page.text_source == "ocr"
    assert "Metadata" not in texts(page)


MORE = (
    "Page 1: its pictures, or shapes in rows, may hold text that was not read; with ocr=always it "
    "is.",
)


def page_with_picture(picture: Image.Image, side: int, bottom: int = 60) -> bytes:
    """Return a page of a line of text at its head, and a picture of so many points a side."""

    def draw(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(picture), 60, bottom, side, side)
        canvas.drawString(60, 800, "Expense report of October with a receipt")

    return draw_pdf(draw)


def test_a_picture_beside_the_text_may_hold_more_and_that_is_said() -> None:
    receipt, even = receipt_image(RECEIPT), Image.new("L", (50, 50), "grey")
    document = read_document(page_with_picture(receipt, 300))
    assert document.pages[0].text_source == "text_layer"
    assert document.warnings == MORE
    assert read_document(page_with_picture(receipt, 200)).warnings == ()  # a logo
    assert read_document(page_with_picture(even, 300)).warnings == ()
    assert read_document(page_with_picture(even, 500, bottom=320)).warnings == ()  # its ground
    shades = Image.linear_gradient("L").rotate(90).point(lambda shade: 128 + shade // 2)
    assert read_document(page_with_picture(shades, 500, bottom=320)).warnings == ()


def test_a_title_in_the_ground_of_text_is_not_lost_unsaid() -> None:
    def ground(draw: Callable[[ImageDraw.ImageDraw], None]) -> bytes:
        picture = Image.new("L", (1000, 1000), 230)
        draw(ImageDraw.Draw(picture))
        return page_with_picture(picture, 500, bottom=320)

    font = ImageFont.load_default(60)
    document = read_document(ground(lambda on: on.text((100, 400), "Orchard & Sons", 40, font)))
    assert document.pages[0].text_source == "text_layer"
    assert document.warnings == MORE
    assert read_document(page_with_picture(receipt_image(RECEIPT), 500, 320)).warnings == MORE
    for ornament in (
        lambda on: on.line((100, 400, 900, 400), 40, 4),
        lambda on: [on.ellipse((700 + k, 400 + k, 900 - k, 600 - k), None, 40, 6) for k in (0, 40)],
    ):
        assert read_document(ground(ornament)).warnings == ()


@pytest.mark.parametrize("apart", [True, False])
def test_words_drawn_as_curves_beside_text_are_not_lost_unsaid(apart: bool) -> None:
    def curves(canvas: Canvas) -> None:
        canvas.drawString(60, 700, "Net amount and everything else is text")
        whole = canvas.beginPath()
        for at, letter in enumerate("Sageber 2503"):
            if letter == " ":
                continue
            path = canvas.beginPath() if apart else whole
            for points, code in TextPath((60 + 10 * at, 600), letter, 14).iter_segments():
                if code == TextPath.MOVETO:
                    path.moveTo(*points)
                elif code == TextPath.LINETO:
                    path.lineTo(*points)
                elif code == TextPath.CURVE3:
                    path.curveTo(*points[:2], *points[:2], *points[2:])
                else:
                    path.close()
            if apart:
                canvas.drawPath(path, fill=1, stroke=0)
        canvas.drawPath(whole, fill=1, stroke=0)

    assert read_document(draw_pdf(curves)).warnings == MORE

    def ornaments(canvas: Canvas) -> None:
        canvas.drawString(60, 700, "Net amount and everything else is text")
        for at in range(12):
            canvas.roundRect(60 + 60 * (at % 6), 600 - 20 * (at // 6), 58, 16, 3)
            canvas.circle(70 + 25 * at, 500, 5, fill=1)

    assert read_document(draw_pdf(ornaments)).warnings == ()


@pytest.mark.ocr
def test_annotations_whose_look_is_left_to_the_viewer_are_read() -> None:
    def note(flags: int, text: str = "Settled on Monday") -> bytes:
        def annotate(pdf: pikepdf.Pdf) -> None:
            annotation = Dictionary(
                Type=Name.Annot,
                Subtype=Name.FreeText,
                Rect=[60, 100, 300, 130],
                F=flags,
                DA="/Helv 16 Tf 0 g",
                Contents=text,
            )
            pdf.pages[0].obj.Annots = pikepdf.Array([pdf.make_indirect(annotation)])

        return change_pdf(PDF, annotate)

    (page,) = read_document(note(4)).pages
    assert (page.text_source, page.reason) == ("ocr", "text layer without the text of annotations")
    assert texts(page)[-3:] == ["Settled", "on", "Monday"]
    for unseen in (note(2), note(4, "")):  # hidden; without text
        assert read_document(unseen).pages[0].text_source == "text_layer"


@pytest.mark.ocr
def test_print_as_bright_as_its_paper_is_no_blank_page() -> None:
    paper, ink = Image.new("RGB", (1000, 500), (90, 110, 255)), (255, 64, 64)
    font = ImageFont.load_default(60)
    ImageDraw.Draw(paper).text((100, 200), "RECEIVED 4 JUNE", ink, font)
    scan = draw_pdf(lambda canvas: canvas.drawInlineImage(paper, 0, 0, 500, 250), size=(500, 250))
    for data in (scan, encode(paper, "PNG")):
        assert texts(read_document(data).pages[0]) == ["RECEIVED", "4", "JUNE"]


def test_a_giant_page_is_rendered_within_the_budget() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.rect(100, 100, 5000, 5000)

    options = ReadOptions(max_pixels_per_page=20_000_000)
    page = read_document(draw_pdf(draw, size=(5400, 5400)), options).pages[0]
    assert (page.width, page.height, page.text_source) == (5400, 5400, "ocr")
    with pytest.raises(PageTooLarge, match="Page 1 measures 5400 x 5400 points"):
        read_document(draw_pdf(draw, size=(5400, 5400)), ReadOptions(max_pixels_per_page=10**6))


@given(st.floats(1, 20_000), st.floats(1, 20_000), st.integers(50, 1200), st.integers(10**4, 10**8))
def test_a_raster_never_exceeds_the_budget(
    width: float, height: float, dpi: int, max_pixels: int
) -> None:
    fitting = fitting_dpi(width, height, dpi, max_pixels)
    assert fitting <= dpi
    across, down = (-(-side * fitting // 72) for side in (width, height))
    assert across * down <= max_pixels
    assert max(across, down) <= 32_767


def test_missing_programs_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DependencyMissing, match="pdfinfo"):
        read_document(PDF)


SCAN_OF_A_WORD = draw_pdf(scan_page(Image.new("L", (40, 40), "white")), receipt_page(RECEIPT))


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_damaged_pdfs_raise_nothing_but_our_errors(data: st.DataObject) -> None:
    damaged = bytearray(SCAN_OF_A_WORD)
    for _ in range(data.draw(st.integers(1, 6))):
        damaged[data.draw(st.integers(9, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    # Most cuts leave nothing to open, which is soon tested: whole files go deeper.
    cut = data.draw(st.just(len(damaged)) | st.integers(len(damaged) // 2, len(damaged)))
    options = ReadOptions(max_pixels_per_page=2_000_000, dpi=72, page_timeout_s=20)
    try:
        document = read_document(bytes(damaged[:cut]), options)
    except DocumentError:
        return
    assert document.pages


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=300), st.sampled_from([b"", b"%PDF-1.4\n", b"\x89PNG\r\n\x1a\n",
       b"\xff\xd8\xff\xe0", b"II*\x00", b"MM\x00*"]))  # fmt: skip
def test_random_bytes_raise_nothing_but_our_errors(noise: bytes, signature: bytes) -> None:
    with pytest.raises(FieldwrightError):
        read_document(signature + noise)


def test_reading_leaves_no_files_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    read_document(PDF)
    with pytest.raises(CorruptDocument):
        read_document(b"%PDF-1.7 nothing")
    tidied()
    assert list(tmp_path.iterdir()) == []
