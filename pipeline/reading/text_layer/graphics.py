"""Measures what a PDF page shows beside its text: pictures and drawn shapes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from pypdfium2 import raw

from pipeline.reading.text_layer.calls import address_of, function
from pipeline.reading.text_layer.characters import Frame

_MAX_DEPTH = 4  # forms within forms that are looked into
LARGE = 0.15  # of the frame: a picture of this size is more than a logo
_MAX_LARGE = 20
_MAX_OBJECTS = 200_000  # looked at on one page; beyond, pictures are not counted

_void, _int = ctypes.c_void_p, ctypes.c_int
_address = ctypes.c_size_t  # as an answer: 0 where c_void_p would answer None
_page_object = function("FPDFPage_GetObject", _address, _void, _int)
_form_object = function("FPDFFormObj_GetObject", _address, _void, ctypes.c_ulong)
_form_count = function("FPDFFormObj_CountObjects", _int, _void)
_form_matrix = function("FPDFPageObj_GetMatrix", _int, _void, _void)
_kind = function("FPDFPageObj_GetType", _int, _void)
_bounds = function("FPDFPageObj_GetBounds", _int, _void, _void, _void, _void, _void)

# a, b, c, d, e, f of PDF: x' = a x + c y + e, y' = b x + d y + f
_Matrix = tuple[float, float, float, float, float, float]
_Place = tuple[float, float, float, float]  # left, bottom, right, top
_IDENTITY: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Graphics:
    """What a page shows beside its text.

    Attributes:
        pictures: share of the frame that pictures cover, 0 to 1; overlaps count twice.
        shapes: number of drawn paths: rules, charts, and letters turned into outlines.
        large: where in the frame pictures lie that cover at least `LARGE` of it, as left, bottom,
            right, top in PDF units; of more than a few the first ones.
    """

    pictures: float
    shapes: int
    large: tuple[_Place, ...] = ()


def graphics_of(page: Any, frame: Frame) -> Graphics:
    """Return what a `pypdfium2.PdfPage` shows beside its text.

    Args:
        page: the page.
        frame: its visible part.
    """
    tally = _Tally(frame, _MAX_OBJECTS)
    count = raw.FPDFPage_CountObjects(page.raw)
    tally.add(_page_object, address_of(page.raw), count, _IDENTITY)
    width, height = frame.size
    return Graphics(min(tally.area / (width * height), 1.0), tally.shapes, tuple(tally.large))


class _Tally:
    """Adds up the objects of a page; looks at `left` more, for forms can use each other endlessly.

    Attributes:
        area: of the pictures in the frame, in square points.
        shapes: number of paths.
        large: places of the first large pictures.
    """

    def __init__(self, frame: Frame, left: int) -> None:
        self.area = 0.0
        self.shapes = 0
        self.large: list[_Place] = []
        self._least = LARGE * frame.size[0] * frame.size[1]
        self._frame = frame
        self._left = left

    def add(
        self,
        object_of: Callable[[int, int], int],
        holder: int,
        count: int,
        matrix: _Matrix,
        depth: int = 0,
    ) -> None:
        """Add the objects of a page or form, with what is in them.

        Args:
            object_of: gives the address of an object by the address of its holder and its number.
            holder: address of the page or form.
            count: number of its objects.
            matrix: where it lies on the page.
            depth: how many forms it lies in.
        """
        count = max(min(count, self._left), 0)
        self._left -= count
        items = list(map(object_of, repeat(holder), range(count)))
        kinds = list(map(_kind, items))
        self.shapes += kinds.count(raw.FPDF_PAGEOBJ_PATH)
        for item, kind in zip(items, kinds, strict=True):
            if kind == raw.FPDF_PAGEOBJ_IMAGE:
                self._add_picture(_seen(item, matrix, self._frame))
            elif kind == raw.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
                inner = raw.FS_MATRIX()
                if _form_matrix(item, ctypes.addressof(inner)):
                    placed = _after((inner.a, inner.b, inner.c, inner.d, inner.e, inner.f), matrix)
                    self.add(_form_object, item, _form_count(item), placed, depth + 1)

    def _add_picture(self, place: _Place) -> None:
        left, bottom, right, top = place
        area = max(right - left, 0.0) * max(top - bottom, 0.0)
        self.area += area
        if area >= self._least and len(self.large) < _MAX_LARGE:
            self.large.append(place)


def _seen(item: int, matrix: _Matrix, frame: Frame) -> _Place:
    """Return where in the frame a picture lies; of no size where it does not."""
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not _bounds(item, *map(ctypes.addressof, (left, bottom, right, top))):
        return 0.0, 0.0, 0.0, 0.0
    a, b, c, d, e, f = matrix
    corners = [(x.value, y.value) for x in (left, right) for y in (bottom, top)]
    across = [a * x + c * y + e for x, y in corners]
    up = [b * x + d * y + f for x, y in corners]
    return (
        max(min(across), frame.left),
        max(min(up), frame.bottom),
        min(max(across), frame.right),
        min(max(up), frame.top),
    )


def _after(first: _Matrix, then: _Matrix) -> _Matrix:
    """Return the matrix that does `first` and `then` one after the other."""
    a, b, c, d, e, f = first
    p, q, r, s, x, y = then
    return (
        a * p + b * r, a * q + b * s,
        c * p + d * r, c * q + d * s,
        e * p + f * r + x, e * q + f * s + y,
    )  # fmt: skip
