"""Scans as people upload them: turned, skewed, white on black, tiny, in the shade; real engines.

Every page is drawn by the test, which therefore knows where the ink of each word lies.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageOps

from models.geometry import Box
from pipeline.affine import Affine, turned_box
from pipeline.document import Page
from pipeline.errors import ReadingTimeout
from pipeline.reading.engines.base import Raster
from pipeline.reading.options import EngineName
from pipeline.reading.reader import ReadOptions, read_document
from pipeline.reading.scans.ink import find_ink, letter_heights, runs_across, skew
from pipeline.reading.scans.prepare import evenly_lit, prepare
from pipeline.reading.scans.scan import read_scan
from tests.builders import A4, draw_pdf, encode, scan_page

LINES = (
    "Purchase order number 20417 of Contoso Paper Trading",
    "Please deliver the following goods before the end of April",
    "Copy paper, white, 80 grams per square metre",
    "Quantity 250 boxes at the price of 14.50 each",
    "Deliver to the warehouse behind the railway station",
    "The amount payable is 3625.00 including all taxes",
    "Signed for the buyer by Amelia Longwood, manager",
)
WORDS = [word for line in LINES for word in line.split()]
Change = Callable[[Image.Image], Image.Image]


def layers(size: int) -> list[Image.Image]:
    """Return a page for each word, white with that word in black, letters `size` high."""
    font = ImageFont.load_default(size)
    space = font.getlength(" ")
    pages = []
    for number, line in enumerate(LINES):
        x = 2.0 * size
        for word in line.split():
            page = Image.new("L", (31 * size, 22 * size), "white")
            ImageDraw.Draw(page).text((x, (2 + 2.6 * number) * size), word, "black", font)
            x += font.getlength(word) + 1.3 * space
            pages.append(page)
    return pages


def drawn(change: Change, size: int = 28) -> tuple[Image.Image, list[Box]]:
    """Return the page after a change of its geometry, and where the ink of each word is then."""
    whole: Image.Image | None = None
    boxes = []
    for layer in layers(size):
        page = change(layer)
        place = page.point(lambda shade: 255 * (shade < 128)).getbbox()
        assert place is not None
        x0, top, x1, bottom = place
        boxes.append(Box(x0 / page.width, top / page.height, x1 / page.width, bottom / page.height))
        whole = page if whole is None else ImageChops.darker(whole, page)
    assert whole is not None
    return whole, boxes


def turned(degrees: int) -> Change:
    """Return the change that turns a page clockwise by quarters."""
    return lambda page: page.rotate(-degrees, expand=True)


def skewed(degrees: float) -> Change:
    """Return the change that makes lines fall by an angle, on a sheet that holds the page."""
    return lambda page: page.rotate(
        -degrees, Image.Resampling.BICUBIC, expand=True, fillcolor="white"
    )


def assert_reads(page: Page, boxes: list[Box], least: float = 1.0, within: float = 0.01) -> None:
    """Check that words are read where they stand on the page: `least` of them."""
    found = {token.text: token.box for token in page.tokens if WORDS.count(token.text) == 1}
    unique = {word: box for word, box in zip(WORDS, boxes, strict=True) if WORDS.count(word) == 1}
    missed = [
        word
        for word, box in unique.items()
        if word not in found or found[word].as_list() != pytest.approx(box.as_list(), abs=within)
    ]
    assert len(missed) <= (1 - least) * len(unique), missed


def read_image(image: Image.Image, engine: EngineName = "tesseract") -> Page:
    """Return the page as read from a PNG."""
    return read_document(encode(image, "PNG"), ReadOptions(engine=engine)).pages[0]


@pytest.mark.ocr
@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_an_image_turned_by_quarters_is_read(degrees: int) -> None:
    image, boxes = drawn(turned(degrees))
    page = read_image(image)
    assert [token.text for token in page.tokens] == WORDS
    assert page.rotation == -degrees % 360
    assert (page.width, page.height) == image.size
    assert_reads(page, boxes)


@pytest.mark.ocr
@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_scanned_pdf_turned_by_quarters_is_read(degrees: int) -> None:
    image, boxes = drawn(turned(degrees))
    page = read_document(draw_pdf(scan_page(image)), ReadOptions(engine="tesseract")).pages[0]
    share = A4[0] * image.height / image.width / A4[1]  # of the sheet that the picture fills
    placed = [Box(box.x0, box.top * share, box.x1, box.bottom * share) for box in boxes]
    assert [token.text for token in page.tokens] == WORDS
    assert page.rotation == -degrees % 360
    assert_reads(page, placed)


@pytest.mark.ocr
@pytest.mark.parametrize("degrees", [-14, -5, 1, 9])
def test_a_skewed_page_is_read(degrees: float) -> None:
    image, boxes = drawn(skewed(degrees))
    page = read_image(image)
    assert page.rotation == 0
    assert_reads(page, boxes, least=0.95)


@pytest.mark.ocr
@pytest.mark.parametrize("degrees", [90, 180])
def test_a_page_both_turned_and_skewed_is_read(degrees: int) -> None:
    image, boxes = drawn(lambda page: skewed(6)(turned(degrees)(page)))
    page = read_image(image)
    assert page.rotation == -degrees % 360
    assert_reads(page, boxes, least=0.95)


@pytest.mark.ocr
@pytest.mark.parametrize("degrees", [0, 90, 270])
def test_a_few_lines_that_stand_far_apart_are_read_across(degrees: int) -> None:
    image = Image.new("L", (700, 700), "white")
    lines = ("Tax 19% 16.26", "Sum due EUR 101.86", "Pay within 30 days", "DE89 3704 0044 0532 01")
    for number, line in enumerate(lines):
        font = ImageFont.load_default(30)
        ImageDraw.Draw(image).text((40, 140 + 64 * number), line, "black", font)
    page = read_image(image.rotate(-degrees, expand=True), "rapidocr")
    assert page.rotation == -degrees % 360
    assert [token.text for token in page.tokens] == " ".join(lines).split()


@cache
def upright() -> dict[str, Box]:
    """Return where rapidocr, which gives words the height of their line, sees the words."""
    page = read_image(drawn(turned(0))[0], "rapidocr")
    assert [token.text for token in page.tokens] == WORDS
    return {token.text: token.box for token in page.tokens if WORDS.count(token.text) == 1}


@pytest.mark.ocr
@pytest.mark.parametrize(
    "degrees", [90, *(pytest.param(more, marks=pytest.mark.long) for more in (180, 270))]
)
def test_a_turned_page_is_read_by_rapidocr_as_it_is_upright(degrees: int) -> None:
    image, _ = drawn(turned(degrees))
    page = read_image(image, "rapidocr")
    assert page.rotation == -degrees % 360
    boxes = upright()
    for token in page.tokens:
        if token.text in boxes:
            expected = turned_box(boxes[token.text], degrees).as_list()
            assert token.box.as_list() == pytest.approx(expected, abs=0.01)
    assert [token.text for token in page.tokens] == WORDS


@pytest.mark.ocr
def test_a_skewed_page_is_read_by_rapidocr() -> None:
    image, boxes = drawn(skewed(-6))
    assert_reads(read_image(image, "rapidocr"), boxes, least=0.95, within=0.02)


def shaded(image: Image.Image) -> Image.Image:
    """Return the page in a light that falls from full to a quarter, left to right."""
    light = np.linspace(1.0, 0.25, image.width)
    return Image.fromarray((np.asarray(image) * light).astype(np.uint8))


def on_a_table(image: Image.Image) -> Image.Image:
    """Return a photo of the page in the middle of a dark table twice as large each way."""
    table = Image.new("L", (image.width * 2, image.height * 2), 40)
    table.paste(image, (image.width // 2, image.height // 2))
    return table


@pytest.mark.ocr
@pytest.mark.parametrize(
    "change", [ImageOps.invert, shaded], ids=["white on black", "in the shade"]
)
def test_a_page_of_odd_shades_is_read(change: Change) -> None:
    image, boxes = drawn(turned(0))
    assert_reads(read_image(change(image)), boxes, least=0.95)


@pytest.mark.ocr
def test_a_page_on_a_dark_table_is_read() -> None:
    image, boxes = drawn(turned(0))
    middle = Affine(a=0.5, c=0.25, e=0.5, f=0.25)
    page = read_image(on_a_table(image))
    assert_reads(page, [middle.box(box) for box in boxes], least=0.95)


@pytest.mark.ocr
def test_tiny_letters_are_read() -> None:
    image, boxes = drawn(turned(0), size=11)
    assert letter_heights(find_ink(image))[1] < 10
    assert_reads(read_image(image), boxes, least=0.85, within=0.02)  # 1 % is three pixels


@pytest.mark.ocr
def test_huge_letters_are_read() -> None:
    image, boxes = drawn(turned(0), size=130)
    view = prepare(image, 50_000_000)
    assert view.image.width < 0.6 * image.width
    assert_reads(read_image(image), boxes)


def on_a_tablecloth(image: Image.Image) -> Image.Image:
    """Return a photo of the page in the middle of a checked cloth three times as large each way."""
    down, across = np.indices((3 * image.height, 3 * image.width)) // 110
    cloth = Image.fromarray(np.where((across + down) % 2, 225, 100).astype(np.uint8))
    cloth.paste(image, image.size)
    return cloth


def test_what_a_page_lies_on_does_not_shrink_its_letters() -> None:
    photo = on_a_tablecloth(drawn(turned(0))[0])
    small, usual = letter_heights(find_ink(photo))
    assert small < 40 < 64 < usual
    assert prepare(photo, 50_000_000).image.size == photo.size


@pytest.mark.ocr
def test_a_page_of_noise_is_not_turned() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (700, 500), dtype=np.uint8)
    assert read_image(Image.fromarray(noise)).rotation == 0


@pytest.mark.ocr
@pytest.mark.parametrize("seconds", [60.0, 0.01])
def test_no_picture_of_a_page_is_left_behind(
    tmp_path: Path, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    raster = Raster(drawn(skewed(4))[0], 300)
    options = ReadOptions(engine="tesseract", page_timeout_s=seconds)
    if seconds < 1:
        with pytest.raises(ReadingTimeout):
            read_scan(raster, 1, 10, 10, options, reason="")
    else:
        assert read_scan(raster, 1, 10, 10, options, reason="").tokens
    assert not list(tmp_path.iterdir())


def test_a_sound_page_is_given_to_the_engine_as_it_came() -> None:
    image, _ = drawn(turned(0))
    assert prepare(image, 50_000_000).image is image


def test_a_turned_page_is_made_ready_as_the_upright_one_to_the_pixel() -> None:
    # Reduced for measuring, a page of such sides keeps other pixels at each of its edges.
    page = shaded(skewed(3.3)(drawn(turned(0), size=22)[0].resize((2047, 1453))))
    upright = prepare(page, 50_000_000)
    on_its_side = prepare(page.transpose(Image.Transpose.ROTATE_90), 50_000_000)
    on_its_head = prepare(page.transpose(Image.Transpose.ROTATE_180), 50_000_000, rotation=180)
    assert [view.rotation for view in (upright, on_its_side, on_its_head)] == [0, 90, 180]
    assert on_its_side.image.tobytes() == upright.image.tobytes()
    assert on_its_head.image.tobytes() == upright.image.tobytes()


@pytest.mark.parametrize("size", [(1, 1), (2, 900), (900, 2), (12, 12)])
def test_pages_too_small_for_letters_stay_as_they_are(size: tuple[int, int]) -> None:
    image = Image.new("L", size, "white")
    image.putpixel((0, 0), 0)
    view = prepare(image, 1000)
    assert view.image.size == size
    assert view.rotation == 0


def test_enlarging_keeps_to_the_budget_of_pixels() -> None:
    image, _ = drawn(turned(0), size=11)
    budget = image.width * image.height * 3 // 2
    view = prepare(image, budget)
    assert image.width < view.image.width
    assert view.image.width * view.image.height <= budget


def test_even_paper_is_left_alone_and_uneven_evened() -> None:
    image, _ = drawn(turned(0))
    assert evenly_lit(image) is image
    evened = np.asarray(evenly_lit(shaded(image)))
    right, left = evened[:, -image.width // 8 :], evened[:, : image.width // 8]
    assert abs(float(np.median(right)) - float(np.median(left))) <= 12


PAGE = drawn(turned(0), size=22)[0]


@settings(max_examples=25, deadline=None)
@given(st.floats(-29.0, 29.0))
def test_the_skew_is_measured(degrees: float) -> None:
    ink = find_ink(skewed(degrees)(PAGE))
    assert skew(ink) == pytest.approx(degrees, abs=0.25)
    assert runs_across(ink) > 0.1


@pytest.mark.parametrize("degrees", [-30, -22, 22, 30])
def test_a_stamp_across_a_page_is_no_skew(degrees: float) -> None:
    page = Image.new("L", (1200, 1600), 255)
    font = ImageFont.load_default(32)
    for line in range(3):
        text = "Three chairs, one table for"
        ImageDraw.Draw(page).text((80, 80 + 60 * line), text, 0, font)
    stamp = Image.new("L", (500, 320), 255)
    ImageDraw.Draw(stamp).rectangle((2, 2, 497, 317), outline=0, width=5)
    for line in range(4):
        ImageDraw.Draw(stamp).text((30, 20 + 70 * line), "PAID IN FULL", 0, font)
    page.paste(stamp.rotate(degrees, expand=True, fillcolor=255), (450, 900))
    assert skew(find_ink(page)) == 0


@settings(max_examples=15, deadline=None)
@given(st.floats(-14.5, 14.5))
def test_a_page_on_its_side_runs_down_as_surely(degrees: float) -> None:
    image = skewed(degrees)(PAGE)
    down = find_ink(image.transpose(Image.Transpose.ROTATE_90))
    assert runs_across(down) == pytest.approx(-runs_across(find_ink(image)), abs=0.02)


@pytest.mark.parametrize("size", [16, 24, 40, 80])
def test_the_height_of_letters_grows_with_them(size: int) -> None:
    image, _ = drawn(turned(0), size=size)
    small, usual = letter_heights(find_ink(image))
    assert 0.45 * size <= usual <= 0.9 * size
    assert 0.3 * size <= small <= usual


def test_a_strip_is_measured_as_a_page_of_its_width() -> None:
    """Reduced by its length, its letters would be specks that run any way."""
    page = PAGE.resize((PAGE.width // 2, PAGE.height // 2)).crop((0, 0, 340, 240))
    strip = Image.new("L", (340, 40 * 240), "white")
    for number in range(40):
        strip.paste(page, (0, 240 * number))
    assert runs_across(find_ink(strip)) > 0.1
    assert letter_heights(find_ink(strip)) == letter_heights(find_ink(strip.crop((0, 0, 340, 960))))


def test_ink_may_be_lighter_than_its_ground() -> None:
    assert find_ink(ImageOps.invert(PAGE)).light
    assert not find_ink(PAGE).light
    assert not find_ink(on_a_table(PAGE)).light
