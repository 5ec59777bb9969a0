"""Resamples and measures grey pictures, by OpenCV, in a fraction of the time of Pillow."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image, ImageStat

from pipeline.affine import Affine

cv2.setNumThreads(1)  # pages are spread over the cores already

_LONGEST = 4  # times the shorter side; till receipts that are longer are no wider for it
_MIN_CONTRAST = 16  # of 255; a page of fewer shades apart is blank paper


def page_side(size: tuple[int, ...]) -> int:
    """Return the side, in pixels, that tells how coarse the lines of a page of that size are.

    It is the longer one, but not of strips: their letters go by how wide they are.
    """
    return min(max(size), _LONGEST * min(size))


def scaled(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return a picture of another size: cubic where it grows, means of areas where it shrinks."""
    grows = size[0] * size[1] > image.width * image.height
    method = cv2.INTER_CUBIC if grows else cv2.INTER_AREA
    return Image.fromarray(cv2.resize(np.asarray(image), size, interpolation=method))


def mapped(image: Image.Image, back: Affine, size: tuple[int, int], fill: int) -> Image.Image:
    """Return a picture that shows at each point what lies elsewhere in another; cubic.

    Args:
        image: 8-bit grey, less than 32,768 pixels a side.
        back: map from points of the new picture to points of the old, in pixels.
        size: width and height of the new picture.
        fill: grey of what lies outside of the old picture.
    """
    # OpenCV counts from the middle of the first pixel, a map from its corner.
    middles = Affine.shift(0.5, 0.5).then(back).then(Affine.shift(-0.5, -0.5))
    matrix = np.array([[middles.a, middles.b, middles.c], [middles.d, middles.e, middles.f]])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return Image.fromarray(
        cv2.warpAffine(np.asarray(image), matrix, size, flags=flags, borderValue=fill)
    )


def is_blank(image: Image.Image) -> bool:
    """Return whether an 8-bit grey picture shows nothing."""
    return _contrast(image) < _MIN_CONTRAST


def clearest(image: Image.Image) -> Image.Image:
    """Return the channel of a picture that shows most: colours may all look alike in grey."""
    return max(map(image.getchannel, image.getbands()), key=_contrast)


def _contrast(image: Image.Image) -> int:
    return int(np.ptp(np.asarray(image)))


def median_shade(image: Image.Image) -> int:
    """Return the middle of the shades of an 8-bit grey picture."""
    return ImageStat.Stat(image).median[0]
