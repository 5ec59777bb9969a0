"""Separates the words of a PDF page that people can see from those that are only in the file.

Text may be drawn with no paint (render mode 3), or in the colour of the paper. The first is how
OCR engines put their words under a scan, but also how anything else is hidden. So such words count
where they stand on print that has no other words, and as a whole follow that print.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.reading.text_layer.characters import Frame
from pipeline.reading.text_layer.coverage import DPI, Coverage, compare, legible
from pipeline.reading.text_layer.graphics import graphics_of
from pipeline.reading.text_layer.quality import belongs
from pipeline.reading.text_layer.raster import Grey, raster_of
from pipeline.reading.text_layer.text_objects import Flags, Floats
from pipeline.reading.text_layer.words import Words

_SCAN = 0.5  # a page with at least this share under pictures may be a scan
# Letters may be drawn as shapes, with no text behind them; where shapes are many, and twice as many
# as letters, some may be such. Tables and charts, too, have many: their ink decides.
_SHAPES, _PER_LETTER = 200, 2
_COVERED = 0.5  # of a hidden word's area under visible words: they are what is printed there
_MAX_PAIRS = 200_000_000  # of hidden and visible words; a page of more is made to do harm
# Pixels of the raster that nearly all words are as high as: large pages, on which a pixel of a scan
# is a point, are compared as coarsely as those of usual size.
_HEIGHT, _NEARLY_ALL = 6, 0.1  # the share of words that may be lower
_MAX_PIXELS = 4_000_000  # of the raster; pages of more are compared at a lower resolution


@dataclass(frozen=True, slots=True)
class Seen:
    """The words of a page that count.

    Attributes:
        words: those that can be seen, and hidden ones that belong to what is printed.
        coverage: how they cover the ink; None where all that is printed is bound to be text, or no
            word is left.
        scan: the page is a scan, not drawn.
        hidden: hidden words were left out.
        pictures: the page, no scan, has pictures that may hold text of their own.
    """

    words: Words
    coverage: Coverage | None
    scan: bool
    hidden: bool
    pictures: bool = False


def seen(page: Any, frame: Frame, words: Words) -> Seen:
    """Return the words of a `pypdfium2.PdfPage` that count.

    The page is only rendered where something depends on it: words that may not be seen, or
    pictures and shapes that may be text.

    Args:
        page: the page.
        frame: its visible part.
        words: all words in the frame.
    """
    if not words.texts:
        return Seen(words, None, scan=False, hidden=False)
    hidden = words.invisible.copy()
    doubtful = words.pale & ~hidden
    graphics = graphics_of(page, frame)
    scan = graphics.pictures >= _SCAN
    pictures = not scan and _beside(words, frame.shown(np.array(graphics.large).reshape(-1, 4)))
    letters = sum(map(len, words.texts))
    outlined = graphics.shapes >= max(_SHAPES, _PER_LETTER * letters)
    if not (scan or outlined or hidden.any() or doubtful.any()):
        return Seen(words, None, scan=False, hidden=False, pictures=pictures)
    raster = _raster(page, frame, words)
    keep = np.ones(len(words.texts), np.bool_)
    if doubtful.any():
        keep[doubtful] = legible(raster, words.boxes[doubtful], frame.size)
    keep[hidden] = False
    if hidden.any():
        candidates = hidden.copy()
        candidates[hidden] = ~_under(words, hidden, keep)
        if candidates.any() and belongs(compare(raster, words.boxes[candidates], frame.size)):
            keep |= candidates
            scan = True
    left = words.where(keep)
    compared = (scan or outlined) and left.texts
    coverage = compare(raster, left.boxes, frame.size) if compared else None
    unseen = bool((hidden & ~keep).any())
    return Seen(left, coverage, scan=scan, hidden=unseen, pictures=pictures)


def _beside(words: Words, pictures: Floats) -> bool:
    """Return whether a picture, of (n, 4), has no word on it, as the ground of a page has."""
    x, y = (words.boxes[:, :2] + words.boxes[:, 2:]).T / 2
    return any(
        not ((x > x0) & (x < x1) & (y > top) & (y < bottom)).any()
        for x0, top, x1, bottom in pictures.tolist()
    )


def _raster(page: Any, frame: Frame, words: Words) -> Grey:
    width, height = frame.size
    low = float(np.quantile(words.boxes[:, 3] - words.boxes[:, 1], _NEARLY_ALL))
    scale = min(DPI / 72, (_MAX_PIXELS / (width * height)) ** 0.5)
    return raster_of(page, 72 * (min(scale, _HEIGHT / low) if low > 0 else scale))


def _under(words: Words, hidden: Flags, visible: Flags) -> Flags:
    """Return, for each hidden word, whether visible ones stand where it does.

    Where that takes too long to tell they are said to: hidden words are not believed unseen.
    """
    boxes, others = words.boxes[hidden], words.boxes[visible]
    if not len(others):
        return np.zeros(len(boxes), np.bool_)
    others = others[np.argsort(others[:, 1], kind="stable")]
    # Only those can share its height that begin above its lower edge, and not too far above it.
    tallest = (others[:, 3] - others[:, 1]).max()
    first = np.searchsorted(others[:, 1], boxes[:, 1] - tallest)
    last = np.searchsorted(others[:, 1], boxes[:, 3], side="right")
    if (last - first).sum() > _MAX_PAIRS:
        return np.ones(len(boxes), np.bool_)
    result = []
    for (x0, top, x1, bottom), start, end in zip(
        boxes.tolist(), first.tolist(), last.tolist(), strict=True
    ):
        near = others[start:end]
        across = np.minimum(near[:, 2], x1) - np.maximum(near[:, 0], x0)
        down = np.minimum(near[:, 3], bottom) - np.maximum(near[:, 1], top)
        common = (np.maximum(across, 0) * np.maximum(down, 0)).sum()
        result.append(common > _COVERED * (x1 - x0) * (bottom - top))
    return np.array(result, np.bool_)
