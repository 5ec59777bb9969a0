"""Text layers: what is read, what is left out, and where words stand, however they are drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from models.geometry import Box
from pipeline.reading.text_layer.layer import LayerPage
from pipeline.reading.text_layer.quality import HIDDEN, NO_TEXT
from tests.builders import (
    A4,
    change_pdf,
    draw_pdf,
    make_receipt,
    receipt_image,
    receipt_page,
    receipt_pdf,
    rotated_pdf,
    scan_page,
    texts,
)
from tests.pipeline.reading.text_layer.pages import content, layer, state_meaning

RECEIPT = make_receipt(5)


def drawn(*steps: Callable[[Canvas], Any]) -> bytes:
    """Return a page on which the steps draw one after the other, in 12 point Helvetica."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 12)
        for step in steps:
            step(canvas)

    return draw_pdf(draw)


def at(x: float, y: float, text: str) -> Callable[[Canvas], None]:
    """Return a step that writes a text."""
    return lambda canvas: canvas.drawString(x, y, text)


def turned(degrees: float, x: float, y: float, text: str) -> Callable[[Canvas], None]:
    """Return a step that writes a text turned counter-clockwise about its start."""

    def draw(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.translate(x, y)
        canvas.rotate(degrees)
        canvas.drawString(0, 0, text)
        canvas.restoreState()

    return draw


# Words


def test_letters_that_belong_together_are_a_word_however_they_are_drawn() -> None:
    by_letter = b"".join(
        b"BT /F1 20 Tf %.2f 700 Td (%c) Tj ET\n" % (100 + 20 * offset, letter)
        for letter, offset in sorted(zip(b"TOTAL", (0, 0.61, 1.39, 2.0, 2.67), strict=True))
    )
    kerned = b"BT /F1 20 Tf 100 600 Td [(A) 120 (W) 80 (AY) -900 (now)] TJ ET\n"
    spaced = b"BT /F1 20 Tf 100 500 Td 12 Tw (two words) Tj ET\n"
    alone = b"BT /F1 20 Tf 100 400 Td 30 Tz (tight) Tj ( ) Tj (set) Tj ET\n"
    page = layer(content(by_letter + kerned + spaced + alone))
    assert texts(page) == ["TOTAL", "AWAY", "now", "two", "words", "tight", "set"]


def test_figures_raised_beside_a_figure_are_a_word_of_their_own() -> None:
    """Cents and marks of footnotes share the upper edge of what they stand beside."""
    raised = b"BT /F1 20 Tf 100 %d Td (%s) Tj /F1 12 Tf 7 Ts (%s) Tj 0 Ts ET\n"
    page = layer(
        content(
            raised % (700, b"12", b"99")
            + raised % (600, b"1,234.56", b"2\\)")
            + raised % (500, b"No. 4711", b"3")
            + raised % (400, b"35 m", b"2")
            + b"BT /F1 20 Tf 100 300 Td (47) Tj /F1 17 Tf (11) Tj ET\n"
        )
    )
    assert texts(page) == ["12", "99", "1,234.56", "2)", "No.", "4711", "3", "35", "m2", "4711"]


def test_a_word_box_is_as_wide_as_its_letters_and_as_high_as_its_font() -> None:
    (token,) = layer(drawn(at(100, 700, "Total"))).tokens
    width = 12 * (0.611 + 0.556 + 0.278 + 0.556 + 0.222)  # Helvetica's advances
    assert token.box.x0 * 595 == pytest.approx(100, abs=0.01)
    assert token.box.x1 * 595 == pytest.approx(100 + width, abs=0.05)
    assert token.box.height * 842 == pytest.approx(12, abs=0.01)
    assert token.box.top * 842 < 842 - 700 - 8  # above the x-height
    assert token.box.bottom * 842 > 842 - 700  # below the base line


@pytest.mark.parametrize(
    ("code", "words"),
    [
        pytest.param(rb"(caf\351 na\357ve) Tj", ["café", "naïve"], id="accents"),
        pytest.param(rb"(18\25512\2552024) Tj", ["18-12-2024"], id="soft_hyphens_are_seen"),
        pytest.param(rb"(no\240break) Tj", ["no", "break"], id="no_break_space"),
        pytest.param(rb"(5\200) Tj", ["5€"], id="euro"),
    ],
)
def test_characters(code: bytes, words: list[str]) -> None:
    assert texts(layer(content(b"BT /F1 20 Tf 100 700 Td " + code + b" ET"))) == words


def test_a_hyphen_at_the_end_of_a_line_stays() -> None:
    page = layer(drawn(at(100, 700, "a long agree-"), at(100, 686, "ment of two")))
    assert texts(page) == ["a", "long", "agree-", "ment", "of", "two"]


@pytest.mark.parametrize(
    ("mapped", "word"),
    [
        *(("fi", "find"), ("\ufb01", "find"), ("ffi", "ffind"), ("\ufb03", "ffind")),
        ("\U00020bb7", "\U00020bb7nd"),  # one letter, of Japanese names, in two units of UTF-16
    ],
)
def test_ligatures_are_letters(mapped: str, word: str) -> None:
    """Of the letters Wnd the font shows the first, a wide one, as a ligature."""
    codes = {ord("W"): mapped, ord("n"): "n", ord("d"): "d"}
    base = content(b"BT /F1 20 Tf 100 700 Td (Wnd) Tj ET")
    assert texts(layer(change_pdf(base, lambda pdf: state_meaning(pdf, codes)))) == [word]


def test_a_font_that_maps_nothing_is_known() -> None:
    base = content(b"BT /F1 20 Tf 9 700 Td (TOTAL of all) Tj ET")
    private = {code: chr(0xE000 + code) for code in range(97, 123)}
    page = layer(change_pdf(base, lambda pdf: state_meaning(pdf, private)))
    assert page.verdict.reason == "text layer has 50% unmapped characters"


def test_a_word_that_its_font_gives_no_meaning_is_not_lost_unsaid() -> None:
    def own_letters(pdf: pikepdf.Pdf) -> None:
        square = pdf.make_stream(b"600 0 0 0 500 700 d1 0 0 500 700 re f")
        pdf.pages[0].obj.Resources.Font.F3 = Dictionary(
            Type=Name.Font,
            Subtype=Name.Type3,
            FontBBox=[0, 0, 600, 700],
            FontMatrix=[0.001, 0, 0, 0.001, 0, 0],
            CharProcs=Dictionary(a=square),
            Encoding=Dictionary(Differences=[65, *[Name.a] * 26]),
            FirstChar=65,
            LastChar=90,
            Widths=[600] * 26,
        )

    sentence = b"BT /F1 20 Tf 9 700 Td (The amount that is due within thirty days is) Tj ET "
    (word, sign) = (b"BT /F3 20 Tf 9 600 Td (%s) Tj ET" % code for code in (b"TOT", b"T"))
    lost = layer(change_pdf(content(sentence + word), own_letters))
    assert lost.verdict.reason == "text layer has words without a meaning outside their font"
    assert layer(change_pdf(content(sentence + sign), own_letters)).verdict.trusted


def test_a_page_without_text_has_no_layer() -> None:
    page = layer(drawn(lambda canvas: canvas.rect(100, 100, 200, 200)))
    assert (page.tokens, page.verdict.reason) == ((), NO_TEXT)
    spaces = layer(drawn(at(100, 100, "   ")))
    assert (spaces.tokens, spaces.verdict.reason) == ((), NO_TEXT)


# Directions


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_text_of_one_direction_is_read_upright(degrees: int, rotate: int) -> None:
    lines = ["The first line of three", "the second line", "and the last"]
    down = {0: (0, -14), 90: (14, 0), 180: (0, 14), 270: (-14, 0)}[degrees]
    steps = [
        turned(degrees, 300 + n * down[0], 400 + n * down[1], line) for n, line in enumerate(lines)
    ]
    page = layer(rotated_pdf(drawn(*steps), rotate))
    assert texts(page) == " ".join(lines).split()
    assert [token.line for token in page.tokens] == [0] * 5 + [1] * 3 + [2] * 3
    assert page.rotation == (degrees - rotate) % 360
    assert (page.width, page.height) == (A4 if rotate % 180 == 0 else A4[::-1])


@pytest.mark.parametrize("rotate", [0, 90])
@pytest.mark.parametrize("degrees", [0.5, 3, -7, 14, 93])
def test_a_skewed_page_has_the_lines_of_a_level_one(degrees: float, rotate: int) -> None:
    rows = [(f"Caption {n}", f"{n}00.00") for n in range(20)]
    angle = math.radians(degrees)

    def place(x: float, y: float) -> tuple[float, float]:
        """Return where a point goes that is turned about the middle of the page, in points."""
        x, y = x - A4[0] / 2, y - A4[1] / 2
        across, up = math.cos(angle), math.sin(angle)
        return A4[0] / 2 + x * across - y * up, A4[1] / 2 + x * up + y * across

    steps = [
        turned(degrees, *place(x, 560 - 14 * n), text)
        for n, row in enumerate(rows)
        for x, text in zip((100, 440), row, strict=True)
    ]
    page = layer(rotated_pdf(drawn(*steps), rotate))
    assert texts(page) == " ".join(" ".join(row) for row in rows).split()
    assert [token.line for token in page.tokens] == [n for n in range(20) for _ in range(3)]
    assert page.rotation == (90 * round(degrees / 90) - rotate) % 360
    if rotate == 0:
        x, y = place(443, 560 - 14 * 3 + 4)  # within the first digit
        box = page.tokens[3 * 3 + 2].box
        assert box.x0 < x / A4[0] < box.x1
        assert box.top < 1 - y / A4[1] < box.bottom


def test_text_of_several_directions_keeps_its_words() -> None:
    page = layer(
        drawn(
            *(at(100, 700 - 14 * n, "upright text in the body") for n in range(6)),
            turned(90, 40, 300, "up the margin"),
            turned(-90, 560, 500, "down the other"),
            turned(45, 250, 250, "aslant over it"),
            turned(180, 400, 100, "upside down"),
        )
    )
    sideways = {"up", "the", "margin", "down", "other", "aslant", "over", "it", "upside", "upright"}
    assert sideways <= {*texts(page)}
    assert page.rotation == 0
    (margin,) = (token.box for token in page.tokens if token.text == "margin")
    assert margin.x0 * 595 < 40 < margin.x1 * 595 + 1
    assert margin.height * 842 > 3 * margin.width * 595


def test_a_note_up_the_margin_stands_in_no_line_of_the_page() -> None:
    rows = [f"Caption {n} {n}00.00" for n in range(10)]
    steps = [at(60, 600 - 14 * n, row) for n, row in enumerate(rows)]
    page = layer(drawn(turned(90, 40, 480, "printed by somebody else"), *steps))
    assert texts(page) == [*" ".join(rows).split(), "printed", "by", "somebody", "else"]
    assert [token.line for token in page.tokens] == [n for n in range(10) for _ in range(3)] + (
        [10] * 4
    )


def test_a_negative_font_size_turns_nothing_twice() -> None:
    page = layer(content(b"BT /F1 -20 Tf -1 0 0 -1 100 700 Tm (upright words) Tj ET"))
    assert (texts(page), page.rotation) == (["upright", "words"], 0)


# What is not shown


def test_text_outside_the_page_is_not_read() -> None:
    page = layer(drawn(at(100, 700, "inside"), at(700, 100, "beside"), at(100, -50, "below")))
    assert texts(page) == ["inside"]


@pytest.mark.parametrize("shift", [0.0, 0.3, 0.9])
def test_letters_drawn_twice_are_read_once(shift: float) -> None:
    by_word = drawn(at(100, 700, "Total hull ff"), at(100 + shift, 700, "Total hull ff"))
    assert texts(layer(by_word)) == ["Total", "hull", "ff"]
    by_letter = b"".join(
        b"BT /F1 20 Tf %.2f 700 Td (%c) Tj ET\n" % (100 + 20 * offset + twice * shift, letter)
        for letter, offset in zip(b"TOTAL", (0, 0.61, 1.39, 2.0, 2.67), strict=True)
        for twice in (0, 1)
    )
    assert texts(layer(content(by_letter))) == ["TOTAL"]


def test_letters_drawn_three_times_are_read_once() -> None:
    # So many lines that PDFium no longer knows those that it has had.
    steps = [
        at(72 + right, 700 - 20 * line + up, f"Amount due 1,284.5{line}")
        for right, up in ((0, 0), (0.3, 0), (0.2, 0.3))
        for line in range(10)
    ]
    words = [word for line in range(10) for word in ("Amount", "due", f"1,284.5{line}")]
    assert texts(layer(drawn(*steps))) == words


@pytest.mark.parametrize(
    ("code", "words"),
    [
        # As TeX draws them: the accent, a step back, the letter; those of capitals at the end.
        (b"[(caf) (\\264) 446 (e no)]TJ", ["café", "no"]),
        (b"[(Uber uns)]TJ 1.5 2.5 Td (\\250) Tj", ["Über", "uns"]),
        (b"[(Fran) (c) 416 (\\270) (ois)]TJ", ["François"]),
        (b"(a`b 5^2 ~4 \\264n) Tj", ["a`b", "5^2", "~4", "´n"]),
    ],
    ids=["before its letter", "over a capital", "under its letter", "beside letters"],
)
def test_accents_set_over_letters_are_a_part_of_them(code: bytes, words: list[str]) -> None:
    page = layer(content(b"BT /F1 12 Tf 72 700 Td " + code + b" ET"))
    assert texts(page) == words


def test_white_text_counts_where_it_can_be_seen() -> None:
    def white(canvas: Canvas) -> None:
        canvas.setFillGray(1)

    def bar(canvas: Canvas) -> None:
        canvas.setFillGray(0.1)
        canvas.rect(90, 590, 300, 30, fill=1)

    page = layer(
        drawn(at(100, 700, "black"), white, at(100, 650, "nothing"), bar, white,
              at(100, 600, "heading"))
    )  # fmt: skip
    assert texts(page) == ["black", "heading"]
    assert page.verdict.trusted


def test_transparent_text_is_hidden_text() -> None:
    def clear(canvas: Canvas) -> None:
        canvas.setFillAlpha(0)

    assert texts(layer(drawn(at(100, 700, "shown"), clear, at(100, 600, "clear")))) == ["shown"]


def invisible(*lines: tuple[float, float, str], size: float = 12) -> Callable[[Canvas], None]:
    """Return a step that writes with no paint, as OCR engines do under a scan."""

    def draw(canvas: Canvas) -> None:
        for x, y, line in lines:
            text = canvas.beginText(x, y)
            text.setFont("Helvetica", size)
            text.setTextRenderMode(3)
            text.textOut(line)
            canvas.drawText(text)

    return draw


def test_hidden_text_over_print_is_not_read() -> None:
    hidden = [(60.0, 780.0 - 28 * n, "Ignore what is printed here") for n in range(12)]
    page = layer(drawn(receipt_page(RECEIPT), invisible(*hidden)))
    assert texts(page) == RECEIPT.words
    assert page.verdict.trusted


def scan_with_layer(move: float = 0.0) -> bytes:
    """Return a scan of a receipt with its words under it, moved down by a share of a line."""
    image = receipt_image(RECEIPT)
    scale = A4[0] / image.width
    lines = [
        (left * scale, A4[1] - (40 + 72 * (n + move) + 30) * scale, text)
        for n, (name, value) in enumerate(RECEIPT.lines)
        for left, text in ((40, name), (image.width - 40 - 18 * len(value), value))
        if text
    ]
    return drawn(scan_page(image), invisible(*lines, size=36 * scale))


def test_the_layer_of_a_scan_is_read_where_it_follows_the_print() -> None:
    page = layer(scan_with_layer())
    assert sorted(texts(page)) == sorted(RECEIPT.words)
    assert page.verdict.trusted
    assert layer(scan_with_layer(move=0.5)).verdict.reason == HIDDEN


def test_a_scan_with_a_printed_stamp_is_still_a_scan() -> None:
    page = layer(drawn(scan_page(receipt_image(RECEIPT)), at(30, 815, "RECEIVED 2 May 2018")))
    assert page.verdict.reason == "scan with a text layer that covers little of it"


def test_letters_drawn_as_shapes_are_seen_to_be_missing() -> None:
    def outlines(canvas: Canvas) -> None:
        for n in range(600):
            canvas.rect(60 + 12 * (n % 40), 700 - 30 * (n // 40), 7, 10, fill=n % 2, stroke=1)

    page = layer(drawn(outlines, at(290, 60, "Page 1")))
    assert page.verdict.reason == "text layer that covers little of what is drawn"
    labelled = [at(60, 690 - 30 * row, "a label under the row of the chart") for row in range(15)]
    assert layer(drawn(outlines, *labelled)).verdict.trusted


def test_a_logo_makes_no_scan() -> None:
    def logo(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(Image.new("L", (50, 50), "grey")), 400, 600, 100, 100)

    page = layer(drawn(logo, at(60, 780, "TOTAL 9.10")))
    assert page.verdict.trusted


# What lies over the page


def test_form_values_are_read() -> None:
    def form(canvas: Canvas) -> None:
        canvas.drawString(50, 800, "Name:")
        fields = canvas.acroForm
        fields.textfield(name="name", x=100, y=790, width=200, height=20, value="Jane Doe")
        fields.choice(name="plan", x=100, y=600, width=100, height=20,
                      options=["Alpha", "Beta"], value="Beta")  # fmt: skip

    def without_looks(pdf: pikepdf.Pdf) -> None:
        for annotation in pdf.pages[0].Annots:
            del annotation["/AP"]
        pdf.Root.AcroForm.NeedAppearances = True

    for data in (draw_pdf(form), change_pdf(draw_pdf(form), without_looks)):
        assert texts(layer(data)) == ["Name:", "Jane", "Doe", "Beta"]


@pytest.mark.parametrize("spacing", [0.11, 0.15, 0.2, 0.3, 0.45])
def test_letters_set_far_apart_are_one_word(spacing: float) -> None:
    """Headings are: a gap between letters is as wide as one between words elsewhere."""
    heading = b"BT /F1 20 Tf %.1f Tc 50 700 Td (TOTAL AMOUNT) Tj 0 Tc ET\n" % (20 * spacing)
    steps = b" ".join(b"(%c) %d" % (letter, -1000 * spacing) for letter in b"NUMMER")
    kerned = b"BT /F1 20 Tf 50 600 Td [(T) %d (O) %d (T) %d (A) %d (L)] TJ ET\n" % tuple(
        kerning - 1000 * spacing for kerning in (0, 0, 120, 0)
    )
    days = b"BT /F1 20 Tf 50 500 Td [(1) -300 (2) -300 (3) -300 (4) -300 (5)] TJ ET\n"
    page = layer(
        content(heading + b"BT /F1 20 Tf 50 650 Td [" + steps + b"] TJ ET " + kerned + days)
    )
    assert texts(page) == ["TOTAL", "AMOUNT", "NUMMER", "TOTAL", *"12345"]


@pytest.mark.parametrize(("flags", "shown"), [(4, True), (2, False), (32, False)])
def test_stamps_are_read_unless_hidden(flags: int, shown: bool) -> None:
    def stamp(pdf: pikepdf.Pdf) -> None:
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        look = pdf.make_stream(
            b"BT /F1 20 Tf 5 10 Td (PAID) Tj ET",
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=[0, 0, 100, 30],
            Resources=Dictionary(Font=Dictionary(F1=font)),
        )
        annotation = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Stamp,
            Rect=[300, 100, 400, 130],
            F=flags,
            AP=Dictionary(N=look),
        )
        pdf.pages[0].obj.Annots = Array([pdf.make_indirect(annotation)])

    page = layer(change_pdf(receipt_pdf(RECEIPT), stamp))
    assert texts(page) == RECEIPT.words + ["PAID"] * shown
    if shown:
        assert page.tokens[-1].box.x0 * 595 == pytest.approx(305, abs=0.1)


def test_sizes_are_as_written() -> None:
    def odd(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].mediabox = Array([0, 0, Decimal("610.55"), Decimal("792.1")])

    page = layer(change_pdf(receipt_pdf(RECEIPT), odd))
    assert (page.width, page.height) == (610.55, 792.1)


def test_a_user_unit_changes_no_place() -> None:
    def enlarge(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].obj.UserUnit = 3

    page = layer(change_pdf(receipt_pdf(RECEIPT), enlarge))
    assert (page.tokens, page.width) == (layer(receipt_pdf(RECEIPT)).tokens, A4[0])


# What other producers do


def test_spaced_letters_are_one_word() -> None:
    """WeasyPrint spaces letters by steps within a text object, where PDFium makes up spaces."""
    steps = b"[(P)-143(a)-148(y)-145(m)-143(e)-148(n)-145(t)-620(d)-145(u)-143(e)]"
    page = layer(content(b"BT /F1 20 Tf 100 700 Td " + steps + b" TJ ET"))
    assert texts(page) == ["Payment", "due"]


@pytest.mark.parametrize("spacing", [0.16, 0.2, 0.3, 0.34])
def test_letters_drawn_one_by_one_far_apart_are_words(spacing: float) -> None:
    """Chromium draws each letter of a spaced heading by itself, and no spaces."""

    def one_by_one(text: str, y: float, gap: float) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            x = 50.0
            for letter in text:
                if letter != " ":
                    canvas.drawString(x, y, letter)
                x += canvas.stringWidth(letter, "Helvetica", 12) + 12 * gap

        return draw

    page = layer(
        drawn(
            one_by_one("PAYMENT DUE", 700, spacing),
            one_by_one("12345", 650, spacing),
            one_by_one("MTWTFSS", 600, 0.45),
        )
    )
    assert texts(page) == ["PAYMENT", "DUE", *"12345", *"MTWTFSS"]


def test_a_large_letter_beside_small_ones_is_no_skew() -> None:
    """The line beside an initial was cut into pieces, which stood in rows of their own."""

    def initial(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 40)
        canvas.drawString(50, 684, "T")
        canvas.setFont("Helvetica", 12)

    beside = at(80, 700, "wo copies of this form are sent to the office"), at(80, 680, "in Hamburg")
    page = layer(drawn(initial, *beside, at(50, 660, "and one is kept by the driver for a year")))
    assert " ".join(texts(page)) == (
        "T wo copies of this form are sent to the office in Hamburg "
        "and one is kept by the driver for a year"
    )


@pytest.mark.parametrize(("ascent", "descent"), [(-512, 452), (0, 0), (905, -212)])
def test_letters_stand_on_their_line_whatever_the_font_states(ascent: int, descent: int) -> None:
    """Some producers state heights upside down, or none; words are not parted by descenders."""

    def stated(pdf: pikepdf.Pdf) -> None:
        font = pdf.pages[0].obj.Resources.Font.F1
        font.FirstChar, font.LastChar = 32, 126
        font.Widths = Array([600] * 95)
        font.BaseFont = Name("/Unknown")
        font.FontDescriptor = Dictionary(
            Type=Name.FontDescriptor,
            FontName=Name("/Unknown"),
            Flags=32,
            FontBBox=[-500, -492, 2500, 1039],
            ItalicAngle=0,
            StemV=80,
            CapHeight=700,
            Ascent=ascent,
            Descent=descent,
        )

    page = layer(change_pdf(content(b"BT /F1 30 Tf 100 700 Td (Payment by July) Tj ET"), stated))
    assert texts(page) == ["Payment", "by", "July"]
    base_line = (842 - 700) / 842
    for token in page.tokens:
        assert token.box.height * 842 == pytest.approx(30, abs=0.01)
        assert token.box.top < base_line - 20 / 842
        assert base_line < token.box.bottom < base_line + 10 / 842


def test_print_that_is_spelt_out_has_the_height_of_its_line() -> None:
    """Chromium states the letters of a ligature, or of small capitals, beside what it draws."""
    code = (
        b"BT /F1 20 Tf 1 0 0 1 100 700 Tm (o) Tj"
        b" /Span <</ActualText <FEFF006600660069>>> BDC 1 0 0 1 111.12 700 Tm (W) Tj EMC"
        b" 1 0 0 1 130 700 Tm (ce) Tj ET"
    )
    (token,) = layer(content(code)).tokens
    assert token.text == "office"
    assert token.box.height * 842 == pytest.approx(20, abs=0.01)


def test_a_page_by_weasyprint() -> None:
    weasyprint = pytest.importorskip("weasyprint")
    html = """<style>h2 { letter-spacing: .12em } td { border: 1px solid; padding: 0 1pt }
        p { width: 150pt; text-align: justify }</style>
        <h2>Payment Summary</h2><p>The office of final affairs, re&shy;presentatives
        and a self-explanatory agreement.</p><table><tr><td>Cable</td><td>10</td><td>42.00</td></tr>
        </table>"""
    words = "Payment Summary The office of final affairs, representatives and a"
    words += " self-explanatory agreement. Cable 10 42.00"
    assert texts(layer(weasyprint.HTML(string=html).write_pdf())) == words.split()


# Laws


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.integers(0, 30),
            st.text("abcdeXYZ019.,", min_size=1, max_size=9),
        ),
        min_size=1,
        unique_by=lambda word: word[:2],
    ),
    st.sampled_from([0, 90, 180, 270]),
)  # fmt: skip
def test_every_word_is_read_once_in_its_place(
    words: list[tuple[int, int, str]], rotate: int
) -> None:
    """Words on a grid come back whatever their order, each where it was drawn."""
    steps = [at(40 + 100 * x, 30 + 25 * y, text) for x, y, text in words]
    page = layer(rotated_pdf(drawn(*steps), rotate))
    found = {(token.text, _corner(token.box, page, rotate)) for token in page.tokens}
    assert found == {(text, (40 + 100 * x, 30 + 25 * y)) for x, y, text in words}
    assert len(page.tokens) == len(words)


def _corner(box: Box, page: LayerPage, rotate: int) -> tuple[int, int]:
    """Return where a word starts on the page before its turn, on the grid of the law above."""
    x, y = {
        0: (box.x0, 1 - box.bottom),
        90: (box.top, box.x0),
        180: (1 - box.x1, box.top),
        270: (1 - box.bottom, 1 - box.x1),
    }[rotate]
    across, up = x * A4[0], y * A4[1]
    return 40 + 100 * round((across - 40) / 100), 30 + 25 * round((up - 30) / 25)
