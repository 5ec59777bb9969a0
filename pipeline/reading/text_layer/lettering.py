"""Finds rows of shapes on a PDF page that may be letters: text turned into outlines."""

from __future__ import annotations

from itertools import chain, repeat

import numpy as np
from pypdfium2 import raw

from pipeline.reading.layout.lines import source_lines
from pipeline.reading.text_layer.calls import ADDRESS, INT, VOID, function
from pipeline.reading.text_layer.graphics import Graphics
from pipeline.reading.text_layer.text_objects import Floats

_LOWEST, _HIGHEST = 4.0, 60.0  # points, of letters
_CORNERS = 7  # segments that most letters have more of, frames and bars not
_LONG, _FILLED = 3.0, 0.6  # times its height that a row is long; of that, what its shapes fill
_DENSE = 8.0  # segments of a row on each of its heights; letters have twice that, ornaments less
_CURVED = 0.2  # of the segments of a row; barcodes, grids and polygons have none
# Looked at on one page; a page of more is made to do harm, or a drawing.
_MAX_SHAPES, _MAX_PAIRS, _MAX_SEGMENTS = 5_000, 10_000_000, 50_000

_segments = function("FPDFPath_CountSegments", INT, VOID)
_segment = function("FPDFPath_GetPathSegment", ADDRESS, VOID, INT)
_segment_kind = function("FPDFPathSegment_GetType", INT, VOID)


def has_lettering(graphics: Graphics, words: Floats, page_height: float) -> bool:
    """Return whether a page shows shapes in rows, as letters stand, where it has no words.

    Args:
        graphics: of the page.
        words: (m, 4) boxes of the words that can be seen, as shown.
        page_height: of the visible page, in points.
    """
    height = graphics.boxes[:, 3] - graphics.boxes[:, 1]
    likely = (graphics.kinds == raw.FPDF_PAGEOBJ_PATH) & (height >= _LOWEST) & (height <= _HIGHEST)
    likely &= (graphics.boxes[:, 3] > 0) & (graphics.boxes[:, 1] < page_height)
    shapes = np.flatnonzero(likely)[:_MAX_SHAPES]
    count = np.fromiter(map(_segments, graphics.others[shapes].tolist()), np.int64, len(shapes))
    shapes, count = shapes[count > _CORNERS], count[count > _CORNERS]
    if not 0 < len(shapes) * (len(words) + 1) <= _MAX_PAIRS:
        return False
    x, y = (graphics.boxes[shapes, :2] + graphics.boxes[shapes, 2:]).T[..., None] / 2
    on = (x > words[:, 0]) & (x < words[:, 2]) & (y > words[:, 1]) & (y < words[:, 3])
    shapes, count = shapes[~on.any(axis=1)], count[~on.any(axis=1)]
    x0, top, x1, bottom = graphics.boxes[shapes].T
    order, line = source_lines(x0, x1, (top + bottom) / 2, bottom - top)
    for row in np.split(order, np.flatnonzero(np.diff(line)) + 1):
        if not len(row):
            continue
        long, high = float(np.ptp([x0[row].min(), x1[row].max()])), float(height[shapes[row]].max())
        if (
            long >= _LONG * high
            and (x1 - x0)[row].sum() >= _FILLED * long
            and count[row].sum() * high >= _DENSE * long
            and _are_curved(graphics.others[shapes[row]].tolist())
        ):
            return True
    return False


def _are_curved(paths: list[int]) -> bool:
    """Return whether enough of the segments of paths, by their addresses, are curves."""
    counts = list(map(_segments, paths))
    if sum(counts) > _MAX_SEGMENTS:
        return False
    numbers = chain.from_iterable(map(range, counts))
    segments = map(_segment, chain.from_iterable(map(repeat, paths, counts)), numbers)
    kinds: list[int] = list(map(_segment_kind, segments))
    return kinds.count(raw.FPDF_SEGMENT_BEZIERTO) >= _CURVED * len(kinds)
