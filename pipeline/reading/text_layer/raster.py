"""A PDF page as pixels, drawn by PDFium: grey, or what some of its text paints alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
from pypdfium2 import raw

from pipeline.reading.text_layer.calls import INT, VOID, function

Grey = npt.NDArray[np.uint8]

_set_active = function("FPDFPageObj_SetIsActive", INT, VOID, INT)


def raster_of(page: Any, dpi: float) -> Grey:
    """Return a `pypdfium2.PdfPage` as grey pixels, (height, width), as a viewer shows it."""
    # Drawn into grey pixels: asked for grey, PDFium turns pictures grey in full before it scales.
    pixels = _drawn(page, dpi, raw.FPDFBitmap_Gray)
    return pixels if pixels.ndim == 2 else pixels[..., 0]


def paint_of(
    page: Any,
    dpi: float,
    texts: Sequence[list[int]],
    always: list[int],
    area: tuple[int, int, int, int],
) -> Iterator[Grey]:
    """Yield what groups of text objects change in an area of a page: 0 to 255 of a colour.

    Each is drawn without those of the other groups.

    Args:
        page: the `pypdfium2.PdfPage`.
        dpi: resolution.
        texts: addresses of the objects of each group.
        always: of those that are drawn with each group.
        area: left, top, right, bottom in pixels, within the page.
    """
    everything = [*always, *chain.from_iterable(texts)]
    try:
        _activate(everything, active=False)
        ground = _drawn(page, dpi, raw.FPDFBitmap_BGR, area)
        _activate(always, active=True)
        for group in texts:
            _activate(group, active=True)
            drawn = _drawn(page, dpi, raw.FPDFBitmap_BGR, area)
            _activate(group, active=False)
            change = np.maximum(drawn, ground) - np.minimum(drawn, ground)
            yield np.maximum(np.maximum(change[..., 0], change[..., 1]), change[..., 2])
    finally:
        _activate(everything, active=True)


def shape_of(page: Any, dpi: float) -> tuple[int, int]:
    """Return height and width, in pixels, of a `pypdfium2.PdfPage` as drawn."""
    width, height = page.get_size()
    return math.ceil(height * (dpi / 72)), math.ceil(width * (dpi / 72))


def _activate(addresses: Iterable[int], *, active: bool) -> None:
    for address in addresses:
        _set_active(address, active)


def _drawn(
    page: Any, dpi: float, layout: int, area: tuple[int, int, int, int] | None = None
) -> Grey:
    """Return a page, or an area of it in pixels, in one of PDFium's layouts of pixels."""
    crop = (0.0, 0.0, 0.0, 0.0)
    if area is not None:
        rows, columns = shape_of(page, dpi)
        left, top, right, bottom = area
        # They are rounded up to pixels.
        low, beyond = rows - bottom, columns - right
        west, south, east, north = (
            max(cut - 0.5, 0.0) * 72 / dpi for cut in (left, low, beyond, top)
        )
        crop = (west, south, east, north)
    bitmap = page.render(scale=dpi / 72, force_bitmap_format=layout, crop=crop)
    try:
        pixels: Grey = bitmap.to_numpy().copy()
    finally:
        bitmap.close()
    return pixels
