"""Text that is in a PDF and that nobody sees is not read, and what is seen is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from pipeline.reading.text_layer.characters import frame_of, read_characters
from pipeline.reading.text_layer.doubts import doubtful
from pipeline.reading.text_layer.graphics import MAX_DEPTH, graphics_of
from tests.builders import A4, change_pdf, draw_pdf, make_receipt, receipt_image, texts
from tests.pipeline.reading.text_layer.pages import content, first_page, layer

LINE = b"BT /F1 12 Tf 72 700 Td (Amount due) Tj ET\n"
HIDDEN = b"BT /F1 12 Tf 72 600 Td (Pay 999.99 now) Tj ET\n"
COVER = b"1 g 70 590 200 30 re f\n"
SHOWN = ["Amount", "due"]
PAGE = [0, 0, 600, 850]


def written(
    code: bytes, more: Callable[[pikepdf.Pdf, Any], None] = lambda pdf, page: None
) -> bytes:
    """Return a page of hand-written content, changed by `more`; /F1 is Helvetica."""

    def write(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0].obj
        page.Resources.ExtGState = Dictionary(
            Dim=Dictionary(ca=0.02),
            Half=Dictionary(ca=0.5),
            Multiply=Dictionary(BM=Name.Multiply),
            Screen=Dictionary(BM=Name.Screen),
        )
        more(pdf, page)

    return change_pdf(content(code), write)


def group_of(pdf: pikepdf.Pdf, *, off: bool = True) -> Any:
    """Return a group of content of a PDF, which is switched off or on."""
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name="second"))
    shown = Dictionary(OFF=Array([group] * off), Order=Array([group]))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=shown)
    return group


def form_of(pdf: pikepdf.Pdf, code: bytes, box: list[int], resources: Any, **more: Any) -> Any:
    """Return a form of that content, which cuts off what lies outside its box."""
    look = Dictionary(Type=Name.XObject, Subtype=Name.Form, BBox=Array(box), Resources=resources)
    form = pdf.make_stream(code, look)
    for name, value in more.items():
        form[f"/{name}"] = value
    return form


def picture(canvas: Canvas, shade: int, x: float, y: float, width: float, height: float) -> None:
    image = Image.new("L", (40, 40), shade)
    canvas.drawImage(ImageReader(image), x, y, width, height)


@pytest.mark.parametrize(
    "code",
    [
        HIDDEN + b"1 g 60 590 200 30 re f\n",
        HIDDEN + b"0.2 0.5 0.9 rg 60 590 200 30 re f\n",
        HIDDEN + b"1 g 60 590 80 30 re 140 590 120 30 re f\n",
        HIDDEN + b"1 g %s\n" % b" ".join(b"60 %d 200 1.1 re f" % (590 + n) for n in range(30)),
        HIDDEN + b"1 G 30 w 60 605 m 300 605 l S\n",
        HIDDEN + b"1 G 2 w 60 590 m %s S\n"
        % b" ".join(b"%d %d l" % (60 + n, 590 + n % 2 * 30) for n in range(1, 200)),
        b"q 300 500 50 50 re W n " + HIDDEN + b"Q\n",
        b"q 0 0 50 50 re W n 300 300 50 50 re W n " + HIDDEN + b"Q\n",
        b"q 300 500 m 350 550 l 400 500 l h W n " + HIDDEN + b"Q\n",
        b"BT /F1 30 Tf 7 Tr 300 300 Td (x) Tj ET 0 Tr\n" + HIDDEN,
        b"q /Dim gs " + HIDDEN + b"Q\n",
        b"q 1 g 60 590 200 30 re f 0 g /Screen gs " + HIDDEN + b"Q\n",
        b"q 1 Tr 1 G " + HIDDEN + b"Q\n",
        b"q 1 g " + HIDDEN + b"Q\n",
        b"q 0.2 0.3 0.6 rg 60 590 200 30 re f 0.21 0.3 0.6 rg " + HIDDEN + b"Q\n",
        HIDDEN.replace(b"12 Tf", b"0.4 Tf"),
        HIDDEN.replace(b"12 Tf", b"12 Tf 0 Tz"),
    ],
    ids=[
        "under white", "under a colour", "under parts of a path", "under many rules",
        "under a thick line", "under hatching",
        "beside its clip", "nothing left of two clips", "beside a clip that is no rectangle",
        "beside a clip that is text", "nearly clear", "blended away", "white outlines",
        "white", "in the colour of its ground", "too small to read", "without any width",
    ],
)  # fmt: skip
def test_what_nobody_sees_is_not_read(code: bytes) -> None:
    page = layer(written(LINE + code))
    assert texts(page) == SHOWN
    assert page.verdict.trusted


@pytest.mark.parametrize(
    "code",
    [
        b"1 g 60 590 200 30 re f 0 g " + HIDDEN,
        b"0.1 g 60 590 200 30 re f 1 g " + HIDDEN + b"0 g\n",
        HIDDEN + b"/Multiply gs 1 1 0 rg 60 590 200 30 re f\n",
        HIDDEN + b"/Half gs 1 0 0 rg 60 590 200 30 re f\n",
        HIDDEN + b"60 590 200 30 re S\n",
        HIDDEN + b"60 604 m 170 604 l S\n",
        b"q 60 590 200 30 re W n " + HIDDEN + b"Q\n",
        b"q 60 590 m 300 590 l 300 640 l 200 640 l 60 640 l h W n " + HIDDEN + b"Q\n",
        b"q /Half gs " + HIDDEN + b"Q\n",
        b"q 1 Tr " + HIDDEN + b"Q\n",
        b"q 1 0 0 RG 1 Tr 0.2 w 1 1 1 rg " + HIDDEN + b"Q\n",
    ],
    ids=[
        "on white", "white on dark", "marked by a pen", "under a film", "in a frame",
        "struck through", "in its clip", "in a clip that is no rectangle", "half clear",
        "outlines", "red outlines",
    ],
)  # fmt: skip
def test_what_is_seen_is_read(code: bytes) -> None:
    assert texts(layer(written(LINE + code))) == [*SHOWN, "Pay", "999.99", "now"]


def test_text_under_a_picture_is_not_read_and_text_on_one_is() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Amount due")
        canvas.drawString(72, 600, "Pay 999.99 now")
        picture(canvas, 120, 60, 590, 200, 30)
        picture(canvas, 120, 60, 490, 200, 30)
        canvas.drawString(72, 500, "on it")
        canvas.setFillGray(120 / 255)
        canvas.drawString(150, 500, "in its colour")

    assert texts(layer(draw_pdf(draw))) == [*SHOWN, "on", "it"]


def test_of_two_texts_in_one_place_the_one_that_is_seen_is_read() -> None:
    """However alike the two are, and whatever else lies over the place."""
    over = HIDDEN + b"1 g 60 590 200 30 re f 0 g " + HIDDEN.replace(b"999.99", b"999.88")
    film = b"/Half gs 1 1 0 rg 60 590 200 30 re f\n"
    for code in (over, over + film):
        assert texts(layer(written(LINE + code))) == [*SHOWN, "Pay", "999.88", "now"]
    same = HIDDEN + b"1 g 60 590 200 30 re f 0 g " + HIDDEN
    assert texts(layer(written(LINE + same))) == [*SHOWN, "Pay", "999.99", "now"]
    bold = HIDDEN + HIDDEN.replace(b"72 600", b"72.3 600") + film
    assert texts(layer(written(LINE + bold))) == [*SHOWN, "Pay", "999.99", "now"]


def test_of_a_text_that_is_cut_off_the_rest_is_read() -> None:
    """As in a spreadsheet, whose cells cut off what does not fit; of words all is read."""
    cell = b"q 60 590 66.5 30 re W n " + HIDDEN + b"Q BT /F1 12 Tf 127 600 Td (EUR) Tj ET\n"
    assert texts(layer(written(LINE + cell))) == [*SHOWN, "Pay", "999.9", "EUR"]
    name = b"q 60 590 40 30 re W n BT /F1 12 Tf 72 600 Td (Sinclair Broadcast) Tj ET Q\n"
    assert texts(layer(written(LINE + name))) == [*SHOWN, "Sinclair", "Broadcast"]
    covered = HIDDEN + b"1 g 126.5 590 200 30 re f\n"
    assert texts(layer(written(LINE + covered))) == [*SHOWN, "Pay", "999.9"]


@pytest.mark.parametrize("off", [True, False])
def test_layers_are_read_where_they_are_switched_on(off: bool) -> None:
    def switch(pdf: pikepdf.Pdf, page: Any) -> None:
        page.Resources.Properties = Dictionary(MC0=group_of(pdf, off=off))

    hidden = b"/OC /MC0 BDC " + HIDDEN + b"EMC\n"
    expected = SHOWN if off else [*SHOWN, "Pay", "999.99", "now"]
    assert texts(layer(written(LINE + hidden, switch))) == expected


@pytest.mark.parametrize(
    ("box", "switched_off", "seen"),
    [
        ([0, 0, 600, 700], False, True),
        ([0, 0, 90, 700], False, False),
        ([0, 0, 600, 700], True, False),
    ],
    ids=["within its form", "cut off by its form", "in a form that is switched off"],
)
def test_text_in_forms_is_read_where_it_is_seen(
    box: list[int], switched_off: bool, seen: bool
) -> None:
    def form(pdf: pikepdf.Pdf, page: Any) -> None:
        inner = b"BT /F1 12 Tf 100 600 Td (Pay 999.99 now) Tj ET"
        more = {"OC": group_of(pdf)} if switched_off else {}
        page.Resources.XObject = Dictionary(X1=form_of(pdf, inner, box, page.Resources, **more))

    page = layer(written(LINE + b"/X1 Do\n", form))
    assert texts(page) == SHOWN + ["Pay", "999.99", "now"] * seen


@pytest.mark.parametrize(
    ("box", "clip", "seen"),
    [
        ([0, 0, 110, 12], b"", ["Pay", "999.99", "now"]),
        ([0, 0, 110, 12], b"0 -5 22 30 re W n ", ["Pay"]),
        ([0, 0, 22, 12], b"", ["Pay"]),
    ],
    ids=["within the form", "cut off in the form", "cut off by the form"],
)
@pytest.mark.parametrize(
    "move",
    [b"1 0 0 1 72 600", b"1.2 0 0 1.2 300 300", b"0.98 0.17 -0.17 0.98 200 500"],
    ids=["moved", "larger", "aslant"],
)
def test_text_in_a_form_stands_where_the_form_does(
    move: bytes, box: list[int], clip: bytes, seen: list[str]
) -> None:
    def form(pdf: pikepdf.Pdf, page: Any) -> None:
        inner = clip + b"BT /F1 12 Tf (Pay 999.99 now) Tj ET"
        page.Resources.XObject = Dictionary(X1=form_of(pdf, inner, box, page.Resources))

    page = layer(written(LINE + b"q " + move + b" cm /X1 Do Q\n", form))
    assert texts(page) == [*SHOWN, *seen]


@pytest.mark.parametrize("nested", [False, True], ids=["beside each other", "in each other"])
def test_each_form_is_read_where_it_is_switched_on(nested: bool) -> None:
    def forms(pdf: pikepdf.Pdf, page: Any) -> None:
        hidden = form_of(pdf, HIDDEN, PAGE, page.Resources, OC=group_of(pdf))
        shown = b"BT /F1 12 Tf 72 500 Td (Net 90 days) Tj ET" + b" /X2 Do" * nested
        inner = Dictionary(Font=page.Resources.Font, XObject=Dictionary(X2=hidden))
        page.Resources.XObject = Dictionary(X1=form_of(pdf, shown, PAGE, inner), X2=hidden)

    page = layer(written(LINE + b"/X1 Do" + b" /X2 Do" * (not nested), forms))
    assert texts(page) == [*SHOWN, "Net", "90", "days"]


def test_what_lies_deep_in_forms_hides_text() -> None:
    def forms(pdf: pikepdf.Pdf, page: Any) -> None:
        code, resources = COVER, Dictionary()
        for _ in range(MAX_DEPTH + 1):
            form = form_of(pdf, code, PAGE, resources)
            resources = Dictionary(XObject=Dictionary(X1=form))
            code = b"/X1 Do"
        page.Resources.XObject = resources.XObject

    assert texts(layer(written(LINE + HIDDEN + b"/X1 Do\n", forms))) == SHOWN


def test_what_comes_after_all_that_is_looked_at_hides_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.reading.text_layer.graphics._MAX_OBJECTS", 20)
    many = b"1 1 1 1 re f " * 20
    assert texts(layer(written(LINE + HIDDEN + many + COVER))) == SHOWN


@pytest.mark.parametrize(
    "code",
    [
        b"70 590 200 1 re 70 620 200 1 re 70 590 1 30 re 270 590 1 30 re f\n" + HIDDEN,
        HIDDEN + b"70 605 200 0.5 re f 100 590 0.5 30 re f\n",
        HIDDEN.replace(b"72 600 Td", b"0.87 g 72 600 Td"),
        b"q 1 0 0 1 0 0 cm 0 590 600 30 re W n 0.9 g 60 590 200 30 re f 0 g " + HIDDEN + b"Q\n",
    ],
    ids=["in a frame of one path", "under rules", "pale on paper", "on a light ground"],
)
def test_a_page_that_hides_nothing_is_not_rendered(code: bytes) -> None:
    """It would be read as well, but slowly."""
    with first_page(written(LINE + code)) as page:
        frame = frame_of(page)
        doubt, beside, _ = doubtful(read_characters(page, frame), graphics_of(page, frame), frame)
    assert not doubt.any()
    assert not beside.any()


def test_text_under_the_picture_of_a_scan_is_its_layer() -> None:
    """As some engines put it there: drawn in full, and the scan over it."""
    receipt = make_receipt(5)
    image = receipt_image(receipt)
    scale = A4[0] / image.width

    def scan(canvas: Canvas, moved: float) -> None:
        canvas.setFont("Helvetica", 36 * scale)
        for n, (name, value) in enumerate(receipt.lines):
            down = A4[1] - (40 + 72 * (n + moved) + 30) * scale
            canvas.drawString(40 * scale, down, name)
            canvas.drawString((image.width - 40 - 18 * len(value)) * scale, down, value)
        canvas.drawImage(
            ImageReader(image), 0, A4[1] - image.height * scale, A4[0], image.height * scale
        )

    page = layer(draw_pdf(lambda canvas: scan(canvas, 0.0)))
    assert sorted(texts(page)) == sorted(receipt.words)
    assert page.verdict.trusted
    assert not layer(draw_pdf(lambda canvas: scan(canvas, 0.5))).verdict.trusted


def test_a_page_on_which_no_text_is_seen_has_no_layer_to_trust() -> None:
    page = layer(written(HIDDEN + b"1 g 0 0 595 842 re f\n"))
    assert (texts(page), page.verdict.trusted) == ([], False)
    assert page.verdict.reason == "hidden text that is not what is printed"
