"""Measures how much of a PDF page is covered by pictures."""

from __future__ import annotations

import ctypes
from typing import Any

from pypdfium2 import raw

from pipeline.ocr.characters import Frame

_MAX_DEPTH = 4  # forms within forms that are looked into
_MAX_OBJECTS = 200_000  # looked at on one page; beyond, pictures are not counted

# a, b, c, d, e, f of PDF: x' = a x + c y + e, y' = b x + d y + f
_Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def picture_share(page: Any, frame: Frame) -> float:
    """Return the share of the frame that pictures cover, 0 to 1; overlaps count twice.

    Args:
        page: a `pypdfium2.PdfPage`.
        frame: its visible part.
    """
    budget = _Budget(_MAX_OBJECTS)
    area = 0.0
    for index in range(budget.taken(raw.FPDFPage_CountObjects(page.raw))):
        area += _area(raw.FPDFPage_GetObject(page.raw, index), _IDENTITY, frame, budget, 0)
    width, height = frame.size
    return min(area / (width * height), 1.0)


class _Budget:
    """How many objects may still be looked at: forms can use each other without end."""

    def __init__(self, left: int) -> None:
        self._left = left

    def taken(self, wanted: int) -> int:
        """Return how many of the objects wanted may be looked at, and count them off."""
        granted = max(min(wanted, self._left), 0)
        self._left -= granted
        return granted


def _area(item: Any, matrix: _Matrix, frame: Frame, budget: _Budget, depth: int) -> float:
    """Return the area in the frame, in square points, of the pictures in a page object."""
    kind = raw.FPDFPageObj_GetType(item)
    if kind == raw.FPDF_PAGEOBJ_IMAGE:
        return _seen(item, matrix, frame)
    if kind != raw.FPDF_PAGEOBJ_FORM or depth >= _MAX_DEPTH:
        return 0.0
    inner = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(item, inner):
        return 0.0
    placed = _after((inner.a, inner.b, inner.c, inner.d, inner.e, inner.f), matrix)
    return sum(
        _area(raw.FPDFFormObj_GetObject(item, index), placed, frame, budget, depth + 1)
        for index in range(budget.taken(raw.FPDFFormObj_CountObjects(item)))
    )


def _seen(item: Any, matrix: _Matrix, frame: Frame) -> float:
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
