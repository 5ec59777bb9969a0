"""Measures what a PDF page shows beside its text: pictures and drawn shapes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from pypdfium2 import raw

from pipeline.reading.text_layer.calls import address_of, function
from pipeline.reading.text_layer.characters import Frame
from pipeline.reading.text_layer.text_objects import Addresses, Floats, Numbers, rows_of, run

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
_IDENTITY: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Graphics:
    """What a page shows, beside its text and with it, in the order of the content.

    Attributes:
        pictures: share of the frame that pictures cover, 0 to 1; overlaps count twice.
        shapes: number of drawn paths: rules, charts, and letters turned into outlines.
        large: (l, 4) where in the frame pictures lie that cover at least `LARGE` of it, as shown;
            of more than a few the first ones.
        texts: (t,) addresses of the text objects.
        text_places: (t,) which objects of the page they are, in the order of the content; -1 for
            those in forms.
        others: (s,) addresses of the objects that are no text, be it in forms.
        other_places: (s,) which objects of the page they are.
        kinds: (s,) PDFium's numbers for pictures, paths and shadings.
        boxes: (s, 4) where they lie, as shown, be it beyond the frame.
    """

    pictures: float
    shapes: int
    large: Floats
    texts: Addresses
    text_places: Numbers
    others: Addresses
    other_places: Numbers
    kinds: Numbers
    boxes: Floats


def graphics_of(page: Any, frame: Frame) -> Graphics:
    """Return what a `pypdfium2.PdfPage` shows.

    Args:
        page: the page.
        frame: its visible part.
    """
    walk = _Walk(_MAX_OBJECTS)
    count = raw.FPDFPage_CountObjects(page.raw)
    walk.add(_page_object, address_of(page.raw), count, _IDENTITY)
    addresses = np.array(walk.addresses, np.uint64)
    kinds = np.array(walk.kinds, np.int64)
    matrix = np.repeat(np.arange(len(walk.stretches)), walk.stretches)
    texts = np.flatnonzero(kinds == raw.FPDF_PAGEOBJ_TEXT)
    others = np.flatnonzero((kinds != raw.FPDF_PAGEOBJ_TEXT) & (kinds != raw.FPDF_PAGEOBJ_FORM))
    boxes = frame.shown(_placed(addresses[others], np.array(walk.matrices)[matrix[others]]))
    width, height = frame.size
    pictures = boxes[kinds[others] == raw.FPDF_PAGEOBJ_IMAGE]
    seen = np.clip(pictures, 0.0, (width, height) * 2)
    areas = (seen[:, 2] - seen[:, 0]) * (seen[:, 3] - seen[:, 1])
    return Graphics(
        min(float(areas.sum()) / (width * height), 1.0),
        walk.kinds.count(raw.FPDF_PAGEOBJ_PATH),
        seen[areas >= LARGE * width * height][:_MAX_LARGE],
        addresses[texts],
        np.where(np.array(walk.in_form)[matrix[texts]], -1, texts),
        addresses[others],
        others,
        kinds[others],
        boxes,
    )


class _Walk:
    """Goes through the objects of a page; at most `left`, for forms can use each other endlessly.

    Attributes:
        addresses: of the objects, in the order of the content; those of a form follow it.
        kinds: of the objects.
        stretches: how many objects in sequence are of one page or form.
        matrices: of the form of each stretch.
        in_form: whether it is of a form.
    """

    def __init__(self, left: int) -> None:
        self.addresses: list[int] = []
        self.kinds: list[int] = []
        self.stretches: list[int] = []
        self.matrices: list[_Matrix] = []
        self.in_form: list[bool] = []
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
        start = 0
        while start <= count:
            try:
                end = kinds.index(raw.FPDF_PAGEOBJ_FORM, start) + 1
            except ValueError:
                end = count
            self.addresses += items[start:end]
            self.kinds += kinds[start:end]
            self.stretches.append(end - start)
            self.matrices.append(matrix)
            self.in_form.append(depth > 0)
            if end == start or kinds[end - 1] != raw.FPDF_PAGEOBJ_FORM:
                break
            start, form = end, items[end - 1]
            inner = raw.FS_MATRIX()
            if depth < _MAX_DEPTH and _form_matrix(form, ctypes.addressof(inner)):
                placed = _after((inner.a, inner.b, inner.c, inner.d, inner.e, inner.f), matrix)
                self.add(_form_object, form, _form_count(form), placed, depth + 1)


def _placed(addresses: Addresses, matrices: Floats) -> Floats:
    """Return where objects lie, (s, 4): left, bottom, right, top in PDF units of the page.

    Args:
        addresses: (s,) of the objects.
        matrices: (s, 6) of the forms that they lie in.
    """
    sides = np.zeros((len(addresses), 4), np.float32)
    start = rows_of(sides)
    columns = [range(start.start + 4 * n, start.stop + 4 * n, start.step) for n in range(4)]
    run(_bounds, addresses.tolist(), *columns)
    corners = sides.astype(np.float64)
    x, y = corners[:, [0, 2, 0, 2]], corners[:, [1, 1, 3, 3]]
    a, b, c, d, e, f = matrices.T[..., None]
    across, up = a * x + c * y + e, b * x + d * y + f
    return np.stack((across.min(1), up.min(1), across.max(1), up.max(1)), axis=1)


def _after(first: _Matrix, then: _Matrix) -> _Matrix:
    """Return the matrix that does `first` and `then` one after the other."""
    a, b, c, d, e, f = first
    p, q, r, s, x, y = then
    return (
        a * p + b * r, a * q + b * s,
        c * p + d * r, c * q + d * s,
        e * p + f * r + x, e * q + f * s + y,
    )  # fmt: skip
