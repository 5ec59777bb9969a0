"""Makes a scan ready for the OCR: upright, level, dark on even paper, letters of a readable size.

Whatever is done to the picture, a `View` knows the way back to the page as delivered.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageFilter, ImageOps

from models.geometry import Box, clamped_box
from pipeline.affine import Affine
from pipeline.reading.scans.ink import find_ink, letter_heights, runs_across, skew
from pipeline.reading.scans.pixels import mapped, median_shade, page_side, scaled

_UNSURE = 0.1  # of `runs_across`; of 775 upright pages the least was 0.13
_MIN_SKEW = 0.3  # degrees; less makes no difference to the recognition, and a rotation blurs
# Heights of letters in pixels. Tesseract finds 43 % of the words of forms whose letters are 9 high,
# 66 % once they are enlarged to 20, no more at 30; receipts at 18 gain nothing.
_SMALL, _GOOD, _LARGE = 14.0, 20.0, 64.0
_MAX_ENLARGEMENT = 4.0  # letters of fewer than 5 pixels stay below the good height
# Of light: the paper's shade in its darkest parts over that in its lightest. With shadows drawn on
# receipts, Tesseract finds 11 to 23 % of the words, 41 to 58 % once the light is evened, of 61 %
# without shadows.
_UNEVEN = 0.6
_LIGHT_SIDE = (
    125  # pixels (`page_side`) of the picture that light is measured on, at most twice that
)
_DARKEST_PAPER = 24  # of 255; darker grounds are no paper
_WHITE = 245  # what paper becomes
_MAX_SIDE = 32_000  # pixels; Tesseract takes up to 32,767
_QUARTER_TURNS = {
    90: Image.Transpose.ROTATE_270,
    180: Image.Transpose.ROTATE_180,
    270: Image.Transpose.ROTATE_90,
}


@dataclass(frozen=True, slots=True)
class View:
    """A page as the OCR is to see it.

    Attributes:
        image: 8-bit grey.
        to_page: map from fractions of this picture to fractions of the page as delivered.
        rotation: degrees clockwise that the page was turned by: 0, 90, 180 or 270.
        sure: whether lines surely run across; not whether they stand on their feet.
        letters: how high the small ones are, in pixels; 0 where it cannot be told.
    """

    image: Image.Image
    to_page: Affine
    rotation: int
    sure: bool = True
    letters: float = 0.0

    @property
    def aspect(self) -> float:
        """Height over width."""
        return self.image.height / self.image.width

    def turned(self, degrees: int) -> View:
        """Return the view turned clockwise by a multiple of 90 degrees."""
        degrees %= 360
        if not degrees:
            return self
        back = Affine.quarter_turn(-degrees)
        return replace(
            self,
            image=self.image.transpose(_QUARTER_TURNS[degrees]),
            to_page=back.then(self.to_page),
            rotation=(self.rotation + degrees) % 360,
        )

    def band(self, top: int, bottom: int) -> View:
        """Return the rows from `top` up to `bottom`, in pixels."""
        height = self.image.height
        part = Affine(e=(bottom - top) / height, f=top / height)
        image = self.image.crop((0, top, self.image.width, bottom))
        return replace(self, image=image, to_page=part.then(self.to_page))

    def place(self, box: Box) -> Box:
        """Return where on the page as delivered lies what is in a box of the view.

        A word that is slanted on the page leaves corners of its box empty. There the result is the
        box of its ink, with the margins that the box has in the view, as it would be for a level
        word, rather than the wider one around the slanted box.
        """
        if 0 in (self.to_page.a, self.to_page.b):
            return self.to_page.box(box)
        width, height = self.image.size
        left, top = math.floor(box.x0 * width), math.floor(box.top * height)
        right, bottom = math.ceil(box.x1 * width), math.ceil(box.bottom * height)
        part = np.asarray(self.image.crop((left, top, right, bottom)))
        if not part.size:
            return self.to_page.box(box)
        down, across = np.nonzero(part <= (int(part.min()) + int(part.max())) / 2)
        x, y = self.to_page.point((left + across + 0.5) / width, (top + down + 0.5) / height)
        # Ink is known by the middles of its pixels: the margins begin there.
        margins = Affine(a=1 / width, e=1 / height).then(replace(self.to_page, c=0.0, f=0.0))
        corners = [
            margins.point(dx, dy)
            for dx in (-float(across.min()) - 0.5, right - left - float(across.max()) - 0.5)
            for dy in (-float(down.min()) - 0.5, bottom - top - float(down.max()) - 0.5)
        ]
        dx, dy = zip(*corners, strict=True)
        return clamped_box(
            float(x.min()) + min(dx),
            float(y.min()) + min(dy),
            float(x.max()) + max(dx),
            float(y.max()) + max(dy),
        )


def prepare(image: Image.Image, max_pixels: int, *, rotation: int | None = None) -> View:
    """Return a page made ready to be read; the picture itself where nothing is to be done.

    Everything is measured on the page once it stands upright: the same page is the same picture to
    the pixel, however it was delivered.

    Args:
        image: the page as delivered, 8-bit grey.
        max_pixels: the most pixels that the result may have.
        rotation: degrees clockwise to turn it by, a multiple of 90; by default its lines tell
            whether it lies sideways.
    """
    ink, sure = find_ink(image), True
    if rotation is None:
        direction = runs_across(ink)
        sure, rotation = abs(direction) >= _UNSURE, 90 if direction <= -_UNSURE else 0
    view = replace(View(image, Affine(), 0).turned(rotation), sure=sure)
    if rotation:
        ink = find_ink(view.image)
    lit = evenly_lit(ImageOps.invert(view.image) if ink.light else view.image)
    view = replace(view, image=lit)
    angle = skew(ink)
    if abs(angle) >= _MIN_SKEW:
        view = _levelled(view, angle)
    small, usual = letter_heights(ink)
    return _scaled(replace(view, letters=small), usual, max_pixels)


def evenly_lit(image: Image.Image) -> Image.Image:
    """Return a picture divided by the shade of its paper, itself where that is even.

    The paper is the lightest of each neighbourhood wider than a stroke, blurred.
    """
    small = image.reduce(max(1, page_side(image.size) // _LIGHT_SIDE))
    paper = small.filter(ImageFilter.MaxFilter(5)).filter(ImageFilter.BoxBlur(2))
    darkest, lightest = np.percentile(np.asarray(paper), (5, 95))
    if darkest >= _UNEVEN * lightest:
        return image
    paper = paper.resize(image.size, Image.Resampling.BILINEAR)
    shades = np.asarray(image, np.float32)
    shades *= _WHITE / np.maximum(np.asarray(paper, np.float32), _DARKEST_PAPER)
    return Image.fromarray(np.minimum(shades, 255).astype(np.uint8))


def _levelled(view: View, angle: float) -> View:
    """Return the view turned back by its skew in degrees, on a sheet that holds all of it."""
    width, height = view.image.size
    cosine, sine = math.cos(math.radians(angle)), abs(math.sin(math.radians(angle)))
    size = math.ceil(width * cosine + height * sine), math.ceil(width * sine + height * cosine)
    # From the new picture to the old: the lines fall by the angle again.
    back = Affine.rotation(angle, size, (width, height))
    image = mapped(view.image, back, size, fill=median_shade(view.image))
    fractions = Affine.scaling(*size).then(back).then(Affine.scaling(1 / width, 1 / height))
    return replace(view, image=image, to_page=fractions.then(view.to_page))


def _scaled(view: View, letters: float, max_pixels: int) -> View:
    """Return the view with letters, now most `letters` pixels high, of a readable size."""
    if 0 < letters < _SMALL:
        factor = min(_GOOD / letters, _MAX_ENLARGEMENT)
    elif letters > _LARGE and view.letters >= 2 * _GOOD:
        # Never where small ones are no larger: most of the ink may be a tablecloth's.
        factor = 2 * _GOOD / letters
    else:
        return view
    width, height = view.image.size
    room = min(math.sqrt(max_pixels / (width * height)), _MAX_SIDE / max(width, height))
    factor = min(factor, room)
    size = max(1, math.floor(width * factor)), max(1, math.floor(height * factor))
    return replace(view, image=scaled(view.image, size), letters=view.letters * factor)
