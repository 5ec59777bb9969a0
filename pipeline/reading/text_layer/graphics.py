"""Measures what a PDF page shows beside its text: pictures and drawn shapes."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from pypdfium2 import raw

from pipeline.reading.text_layer.characters import Frame

_MAX_DEPTH = 4  # forms within forms that are looked into
_MAX_OBJECTS = 200_000  # looked at on one page; beyond, pictures are not counted

# a, b, c, d, e, f of PDF: x' = a x + c y + e, y' = b x + d y + f
_Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Graphics:
    """What a page shows beside its text.

    Attributes:
        pictures: share of the frame that pictures cover, 0 to 1; overlaps count twice.
        shapes: number of drawn paths: rules, charts, and letters turned into outlines.
    """

    pictures: float
    shapes: int


def graphics_of(page: Any, frame: Frame) -> Graphics:
    """Return what a `pypdfium2.PdfPage` shows beside its text.

    Args:
        page: the page.
        frame: its visible part.
    """
    tally = _Tally(frame, _MAX_OBJECTS)
    for index in range(tally.granted(raw.FPDFPage_CountObjects(page.raw))):
        tally.add(raw.FPDFPage_GetObject(page.raw, index), _IDENTITY, 0)
    width, height = frame.size
    return Graphics(min(tally.area / (width * height), 1.0), tally.shapes)


class _Tally:
    """Adds up the objects of a page; looks at `left` more, for forms can use each other endlessly.

    Attributes:
        area: of the pictures in the frame, in square points.
        shapes: number of paths.
    """

    def __init__(self, frame: Frame, left: int) -> None:
        self.area = 0.0
        self.shapes = 0
        self._frame = frame
        self._left = left

    def granted(self, wanted: int) -> int:
        """Return how many of the objects wanted may be looked at, and count them off."""
        granted = max(min(wanted, self._left), 0)
        self._left -= granted
        return granted

    def add(self, item: Any, matrix: _Matrix, depth: int) -> None:
        """Add a page object, placed by `matrix`, with what is in it."""
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_PATH:
            self.shapes += 1
        elif kind == raw.FPDF_PAGEOBJ_IMAGE:
            self.area += _seen(item, matrix, self._frame)
        elif kind == raw.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
            inner = raw.FS_MATRIX()
            if raw.FPDFPageObj_GetMatrix(item, inner):
                placed = _after((inner.a, inner.b, inner.c, inner.d, inner.e, inner.f), matrix)
                for index in range(self.granted(raw.FPDFFormObj_CountObjects(item))):
                    self.add(raw.FPDFFormObj_GetObject(item, index), placed, depth + 1)


def _seen(item: Any, matrix: _Matrix, frame: Frame) -> float:
    """Return the area in the frame, in square points, of a picture."""
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not raw.FPDFPageObj_GetBounds(item, left, bottom, right, top):
        return 0.0
    a, b, c, d, e, f = matrix
    corners = [(x.value, y.value) for x in (left, right) for y in (bottom, top)]
    across = [a * x + c * y + e for x, y in corners]
    up = [b * x + d * y + f for x, y in corners]
    width = min(max(across), frame.right) - max(min(across), frame.left)
    height = min(max(up), frame.top) - max(min(up), frame.bottom)
    return max(width, 0.0) * max(height, 0.0)


def _after(first: _Matrix, then: _Matrix) -> _Matrix:
    """Return the matrix that does `first` and `then` one after the other."""
    a, b, c, d, e, f = first
    p, q, r, s, x, y = then
    return (
        a * p + b * r, a * q + b * s,
        c * p + d * r, c * q + d * s,
        e * p + f * r + x, e * q + f * s + y,
    )  # fmt: skip
