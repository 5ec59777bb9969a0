"""Photographed pages, whose lines bend and fan out: their words, and the order of these."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from models.geometry import Box
from pipeline.document import Page, Token
from pipeline.reading.engines.base import Raster
from pipeline.reading.options import ReadOptions
from pipeline.reading.scans.bend import Bend, bend_of
from pipeline.reading.scans.scan import read_scan
from tests.builders import lines_of

ROWS = (
    ("Description of the goods", "Quantity", "Amount"),
    ("Copy paper, white, 80 grams", "250", "3,625.00"),
    ("Envelopes with a window, 500 each", "12", "118.80"),
    ("Staples, galvanised, in small boxes", "40", "62.00"),
    ("Delivery to the warehouse by the station", "1", "35.00"),
    ("Sum of all goods before the tax", "", "3,840.80"),
    ("Tax of twenty per cent on all goods", "", "768.16"),
    ("Please pay the whole amount within a month", "", "4,608.96"),
)
SIZE = (1400, 1000)
Change = Callable[[Image.Image], Image.Image]


def page() -> Image.Image:
    image, font = Image.new("L", SIZE, "white"), ImageFont.load_default(28)
    for row, cells in enumerate(ROWS):
        for x, text in zip((120, 820, 1100), cells, strict=True):
            ImageDraw.Draw(image).text((x, 220 + 62 * row), text, "black", font)
    return image


def bowed(image: Image.Image) -> Image.Image:
    """Return a page whose lines sink by more than their height towards the middle."""
    shown = np.asarray(image)
    by = 38 * np.sin(np.linspace(0, np.pi, shown.shape[1]))
    columns = [np.roll(shown[:, x], round(by[x])) for x in range(shown.shape[1])]
    return Image.fromarray(np.stack(columns, axis=1))


def from_the_side(image: Image.Image) -> Image.Image:
    """Return a page whose right edge is farther away than its left one."""
    width, height = image.size
    # From the new picture to the old: x and y over 1 + k x, y away from the middle of the page.
    k = 0.35 / width
    return image.transform(
        image.size,
        Image.Transform.PERSPECTIVE,
        (1 - k * width, 0, 0, -k * height / 2, 1, 0, -k, 0),
        Image.Resampling.BICUBIC,
        fillcolor="white",
    )


def read(image: Image.Image) -> Page:
    return read_scan(Raster(image, None), 1, *SIZE, ReadOptions(), reason="a photo")


@pytest.mark.ocr
@pytest.mark.parametrize("change", [bowed, from_the_side])
def test_lines_of_a_photographed_page_are_read_as_lines(change: Change) -> None:
    expected = [" ".join(filter(None, row)) for row in ROWS]
    assert lines_of(read(page()).tokens) == expected
    assert lines_of(read(change(page())).tokens) == expected


@pytest.mark.ocr
def test_words_of_a_bent_line_have_their_places_on_the_page() -> None:
    image = bowed(page())
    ink = np.asarray(image) < 128
    found = np.zeros_like(ink)
    for token in read(image).tokens:
        x0, top, x1, bottom = token.box.as_list()
        place = (
            slice(round(top * SIZE[1]), round(bottom * SIZE[1])),
            slice(round(x0 * SIZE[0]), round(x1 * SIZE[0])),
        )
        assert ink[place].any()
        found[place] = True
    assert (ink & found).sum() > 0.97 * ink.sum()


def words(sunk: Callable[[float, float], float]) -> list[Token]:
    """Return words of ten lines, each as far below its place as a function of that says."""
    return [
        Token(
            "word",
            Box(x, y + sunk(x + 0.02, y), x + 0.04, y + sunk(x + 0.02, y) + 0.012),
            line=number,
        )
        for number, y in enumerate(np.linspace(0.05, 0.9, 10).tolist())
        for x in np.linspace(0.05, 0.9, 12).tolist()
    ]


def test_a_skew_is_no_bend() -> None:
    assert bend_of(words(lambda x, y: 0.05 * x)) is None
    assert bend_of(words(lambda x, y: 0.0)) is None
    assert bend_of([]) is None
    assert bend_of(words(lambda x, y: 0.03 * np.sin(3 * x))[:20]) is None


@pytest.mark.parametrize(
    "sunk",
    [
        pytest.param(lambda x, y: 0.03 * np.sin(3 * x), id="bowed"),
        pytest.param(lambda x, y: 0.08 * (x - 0.5) * (y - 0.5), id="fanned out"),
    ],
)
def test_lines_of_a_flat_page_are_level(sunk: Callable[[float, float], float]) -> None:
    tokens = words(sunk)
    bend = bend_of(tokens)
    assert bend is not None
    flat = bend.flat(tokens)
    for line in range(10):
        tops = [token.box.top for token in flat if token.line == line]
        assert max(tops) - min(tops) < 0.004
    for before, after in zip(tokens, bend.bent(flat), strict=True):
        assert np.allclose(before.box.as_list(), after.box.as_list(), atol=1e-5)


def test_what_leaves_the_page_as_it_is_laid_flat_comes_back() -> None:
    tokens = words(lambda x, y: 0.05 * (x - 0.5) ** 2 * 4 * (0.5 - y))
    slope = np.zeros((3, 3))
    slope[0, 0] = 0.25
    steep = Bend(slope, 0.13)
    for before, after in zip(tokens, steep.bent(steep.flat(tokens)), strict=True):
        assert np.allclose(before.box.as_list(), after.box.as_list(), atol=1e-9)
