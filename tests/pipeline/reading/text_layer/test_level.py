"""Turned and skewed pages: read as the same page set upright, and left as they were."""

from __future__ import annotations

import math
import time

import pikepdf
import pypdfium2
import pytest

from pipeline.affine import Affine
from pipeline.reading.text_layer.characters import frame_of
from pipeline.reading.text_layer.layer import read_layer
from pipeline.reading.text_layer.level import can_be_turned, turned_back
from tests.builders import A4, change_pdf, rotated_pdf, texts
from tests.pipeline.reading.text_layer.pages import content, first_page, layer

_CELL = b"q 300 %d 60 14 re W n BT /F1 12 Tf 302 %d Td (DC-Millennium) Tj ET Q\n"
_KERNED = b"BT /F1 12 Tf 60 %d Td (N) Tj ET BT /F1 12 Tf 70.2 %d Td (10) Tj ET\n"
_TEXT = b"BT /F1 12 Tf 100 %d Td (Morning News) Tj ET BT /F1 12 Tf 500 %d Td (%d.00) Tj ET\n"
_ROWS = b"".join(
    _KERNED % (y, y) + _TEXT % (y, y, number) + _CELL % (y - 3, y)
    for number, y in enumerate(range(720, 480, -16))
)
_OUTSIDE = b"BT /F1 12 Tf -26 600 Td (Pay) Tj ET\n"


def askew(data: bytes, degrees: float) -> tuple[bytes, tuple[float, float]]:
    """Return an A4 page turned counter-clockwise on a sheet that holds it, and the sheet's size."""
    angle = math.radians(degrees)
    cosine, sine = math.cos(angle), math.sin(angle)
    width = A4[0] * abs(cosine) + A4[1] * abs(sine)
    height = A4[0] * abs(sine) + A4[1] * abs(cosine)
    x = width / 2 - cosine * A4[0] / 2 + sine * A4[1] / 2
    y = height / 2 - sine * A4[0] / 2 - cosine * A4[1] / 2
    matrix = f"q {cosine:.6f} {sine:.6f} {-sine:.6f} {cosine:.6f} {x:.4f} {y:.4f} cm\n"

    def turn(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        page.contents_add(matrix.encode(), prepend=True)
        page.contents_add(b"Q")
        page.mediabox = pikepdf.Array([0, 0, width, height])

    return change_pdf(data, turn), (width, height)


@pytest.mark.parametrize("shown", [0, 90, 180, 270])
@pytest.mark.parametrize("degrees", [0, 3, -7, 20, -40, 90, 180, 263])
def test_words_and_places_of_a_turned_page_are_those_of_the_upright_one(
    degrees: float, shown: int
) -> None:
    level = layer(content(_ROWS))
    data, sheet = askew(content(_ROWS), degrees)
    page = layer(rotated_pdf(data, shown))
    assert page.rotation == (90 * round(degrees / 90) - shown) % 360
    assert texts(page) == texts(level)
    assert [token.line for token in page.tokens] == [token.line for token in level.tokens]
    turn = Affine.scaling(*A4).then(Affine.rotation(-degrees, A4, sheet))
    turn = turn.then(Affine.scaling(1 / sheet[0], 1 / sheet[1]))
    turn = turn.then(Affine.quarter_turn(shown))
    for token, other in zip(page.tokens, level.tokens, strict=True):
        assert token.box.as_list() == pytest.approx(turn.box(other.box).as_list(), abs=1e-4)


def test_what_stands_beside_a_skewed_page_is_not_read() -> None:
    """Set level, the page is cut out of a larger sheet, which may hold more."""
    data, _ = askew(content(_ROWS), 5)
    page = layer(change_pdf(data, lambda pdf: pdf.pages[0].contents_add(_OUTSIDE)))
    assert "Pay" not in texts(page)
    assert len(page.tokens) == len(layer(content(_ROWS)).tokens)


def test_a_layer_whose_lines_lie_a_little_differently_is_askew_as_a_whole() -> None:
    """OCR engines state an angle for each line of a scan."""

    def line(number: int) -> bytes:
        turn = Affine.rotation(5, A4, A4)
        angle = math.radians(-5 + 0.3 * (number % 3))
        matrix = math.cos(angle), math.sin(angle), -math.sin(angle), math.cos(angle)
        text = b"BT /F1 9 Tf %.5f %.5f %.5f %.5f %.2f %.2f Tm (%s %d) Tj ET\n"
        places = [(x, turn.point(x, 150.0 + 12 * number)) for x in (100.0, 450.0)]
        return b"".join(
            text % (*matrix, x, A4[1] - y, b"Caption" if at < 200 else b"Value", number)
            for at, (x, y) in places
        )

    page = layer(content(b"".join(map(line, range(30)))))
    rows = [f"Caption {number} Value {number}" for number in range(30)]
    assert texts(page) == " ".join(rows).split()
    assert [token.line for token in page.tokens] == [n for n in range(30) for _ in range(4)]


def test_a_page_is_left_as_it_was() -> None:
    with first_page(askew(content(_ROWS), 5)[0]) as page:
        frame, drawn = frame_of(page), _pixels(page)
        first = read_layer(page)
        assert frame_of(page) == frame
        assert _pixels(page) == drawn
        assert texts(read_layer(page)) == texts(first)
        with turned_back(page, frame, 1, -5) as sheet:
            assert sheet.size > frame.size
            assert frame_of(page).size == pytest.approx(sheet.size, abs=0.01)


@pytest.mark.parametrize("shown", [0, 90])
def test_a_page_that_has_its_boxes_from_its_parent_is_left_as_it_was(shown: int) -> None:
    """PDFium tells of no others than those of the page itself."""
    data, sheet = askew(content(_ROWS), 5)

    def inherit(pdf: pikepdf.Pdf) -> None:
        parent = pdf.Root.Pages
        parent.MediaBox, parent.Rotate = pikepdf.Array([0, 0, *sheet]), shown
        parent.CropBox = pikepdf.Array([20, 20, *sheet])
        del pdf.pages[0].obj.MediaBox

    with first_page(change_pdf(data, inherit)) as page:
        frame, drawn = frame_of(page), _pixels(page)
        assert read_layer(page).tokens
        assert frame_of(page) == frame
        assert _pixels(page) == drawn


def test_a_clip_of_many_points_is_not_copied_for_each_word() -> None:
    """That would be 100 million points, turned and turned back."""
    points = b" ".join(b"%d %d l" % (n % 600, 848 + n % 2) for n in range(50_000))
    clip = b"0 0 m 0 850 l " + points + b" 600 850 l 600 0 l h W n\n"
    words = [(30 * (n % 20), 20 + 8 * (n // 20), n) for n in range(2000)]
    text = b"".join(b"BT /F1 5 Tf %d %d Td (Item%d) Tj ET\n" % word for word in words)
    data, _ = askew(content(clip + text), 5)
    start = time.process_time()
    assert len(layer(data).tokens) == len(words)
    assert time.process_time() - start < 2


@pytest.mark.parametrize("mode", [0, 3, 4, 7])
def test_a_page_that_a_text_clips_is_not_turned_by_degrees(mode: int) -> None:
    """Each object behind 1,000 such texts has all of them copied with it."""
    code = _ROWS + b"BT %d Tr /F1 12 Tf 60 100 Td (Clip) Tj ET\n" % mode
    with first_page(content(code)) as page:
        assert can_be_turned(page) is (mode < 4)


def _pixels(page: pypdfium2.PdfPage) -> bytes:
    bitmap = page.render(scale=1)
    return bytes(bitmap.buffer)
