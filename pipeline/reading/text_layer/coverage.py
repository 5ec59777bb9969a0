"""Compares the words of a text layer with what the page shows, on a raster of few pixels.

The layer under a scan may be what an OCR engine read there, or anything else: a catalogue entry,
the text of another page. Words that belong to the print stand on ink, and most ink lies under
words; other words are spread over ink and paper at random.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipeline.reading.text_layer.raster import Grey
from pipeline.reading.text_layer.text_objects import Flags, Floats

DPI = 50  # enough to tell lines of print from the paper between them
_PAPER = 90  # percentile of the shades of a page that is its paper
_INK = 0.32  # darkness of a pixel, 0 to 1, that shows that something is printed there
_CONTRAST = 12  # of 255 between the shades of a box, below which nothing in it can be read
_UPPER, _LOWER = 0.2, 0.1  # of a box's height: above and below the letters
_EDGE = 0.03  # of the page's sides, where scanners leave their shadows


@dataclass(frozen=True, slots=True)
class Coverage:
    """How the words of a layer and the ink of its page go together.

    Attributes:
        alignment: correlation of the words' boxes with the darkness of the page, over its pixels;
            about 0 for words that have nothing to do with the print, .3 to .6 for its own.
        covered: share of the ink that lies under words; 1 where there is none.
        reach: height from the first to the last word by that from the first to the last ink.
    """

    alignment: float
    covered: float
    reach: float


def compare(raster: Grey, boxes: Floats, size: tuple[float, float]) -> Coverage:
    """Return how words cover the ink of their page.

    Args:
        raster: (height, width), the page as shown.
        boxes: (m, 4) of the words, in points of the page as shown; at least one.
        size: width and height of the page in points.
    """
    rows, columns = raster.shape
    words = np.zeros(raster.shape, np.bool_)
    bounds = _pixels(boxes, size, raster.shape, letters_only=True)
    for x0, top, x1, bottom in bounds.tolist():
        words[top:bottom, x0:x1] = True
    inner = (
        slice(int(_EDGE * rows), rows - int(_EDGE * rows)),
        slice(int(_EDGE * columns), columns - int(_EDGE * columns)),
    )
    darkness = _darkness(raster)
    inside, under = darkness[raster[inner]], words[inner]
    total, covered = float(inside.sum()), float(inside[under].sum())
    # Pearson's correlation of what is 0 or 1 with the darkness; none where one of the two is even.
    share = float(under.mean())
    spread = float(inside.std()) * math.sqrt(share * (1 - share))
    return Coverage(
        (covered - share * total) / inside.size / spread if spread else 0.0,
        covered / total if total else 1.0,
        _reach(bounds, inside.max(axis=1, initial=0.0)),
    )


def legible(raster: Grey, boxes: Floats, size: tuple[float, float]) -> Flags:
    """Return, (m,), for each word whether its box shows more than one even shade.

    Arguments as of `compare`.
    """
    bounds = _pixels(boxes, size, raster.shape, letters_only=False).tolist()
    return np.array(
        [np.ptp(raster[top:bottom, x0:x1]) >= _CONTRAST for x0, top, x1, bottom in bounds],
        np.bool_,
    )


def _pixels(
    boxes: Floats, size: tuple[float, float], shape: tuple[int, ...], *, letters_only: bool
) -> npt.NDArray[np.int64]:
    """Return boxes in whole pixels of a raster, (m, 4), each of a pixel at least."""
    rows, columns = shape
    x0, top, x1, bottom = boxes.T
    if letters_only:
        high = bottom - top
        top, bottom = top + _UPPER * high, bottom - _LOWER * high
    across, down = columns / size[0], rows / size[1]
    left = np.clip(np.floor(x0 * across), 0, columns - 1)
    upper = np.clip(np.floor(top * down), 0, rows - 1)
    right = np.clip(np.ceil(x1 * across), left + 1, columns)
    lower = np.clip(np.ceil(bottom * down), upper + 1, rows)
    return np.stack((left, upper, right, lower), axis=1).astype(np.int64)


def _darkness(raster: Grey) -> Floats:
    """Return how dark each of the 256 shades is, from 0 for the page's paper to 1 for black."""
    paper = max(int(np.percentile(raster, _PAPER, method="inverted_cdf")), 1)
    darkness: Floats = np.clip((paper - np.arange(256.0)) / paper, 0.0, 1.0)
    return darkness


def _reach(bounds: npt.NDArray[np.int64], darkest: Floats) -> float:
    """Return `Coverage.reach` by the places of words and the darkest pixel of each row."""
    inked = np.flatnonzero(darkest > _INK)
    if not len(inked):
        return 1.0
    return float(bounds[:, 3].max() - bounds[:, 1].min()) / float(inked[-1] + 1 - inked[0])
