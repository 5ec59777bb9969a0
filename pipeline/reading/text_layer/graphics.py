"""Measures what a PDF page shows beside its text: pictures and drawn shapes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from pypdfium2 import raw

from pipeline.affine import Affine
from pipeline.reading.text_layer.calls import ADDRESS, INT, VOID, function, written
from pipeline.reading.text_layer.characters import Frame
from pipeline.reading.text_layer.text_objects import Addresses, Floats, Numbers

MAX_DEPTH = 4  # forms within forms that are looked into
LARGE = 0.15  # of the frame: a picture of this size is more than a logo
_MAX_LARGE = 20
_MAX_OBJECTS = 200_000  # looked at on one page; beyond, pictures are not counted

_page_object = function("FPDFPage_GetObject", ADDRESS)
_form_object = function("FPDFFormObj_GetObject", ADDRESS, VOID, ctypes.c_ulong)
_form_count = function("FPDFFormObj_CountObjects", INT, VOID)
_form_matrix = function("FPDFPageObj_GetMatrix", INT, VOID, VOID)
_kind = function("FPDFPageObj_GetType", INT, VOID)
_bounds = function("FPDFPageObj_GetBounds", INT)


@dataclass(frozen=True, slots=True)
class Graphics:
    """What a page shows, beside its text and with it, in the order of the content.

    Attributes:
        pictures: share of the frame that pictures cover, 0 to 1; overlaps count twice.
        shapes: number of drawn paths: rules, charts, and letters turned into outlines.
        large: (l, 4) where in the frame pictures lie that cover at least `LARGE` of it, as shown;
            of more than a few the first ones.
        texts: (t,) addresses of the text objects.
        text_places: (t,) where each stands in the order in which all is drawn; -1 where there is
            more than is looked at, and anything may lie over it.
        text_forms: (t,) number of the form that each lies in; 0 is the page.
        others: (s,) addresses of the objects that are no text.
        other_places, other_forms: (s,) the same of these.
        kinds: (s,) PDFium's numbers for pictures, paths, shadings, and forms not looked into.
        boxes: (s, 4) where they lie, as shown, be it beyond the frame.
        forms: (f,) addresses of the forms; 0 for the page.
        holders: (f,) number of the form that each form lies in; that of the page is its own.
        matrices: (f, 6) where they lie on the page: a, b, c, d, e, f of PDF.
    """

    pictures: float
    shapes: int
    large: Floats
    texts: Addresses
    text_places: Numbers
    text_forms: Numbers
    others: Addresses
    other_places: Numbers
    other_forms: Numbers
    kinds: Numbers
    boxes: Floats
    forms: list[int]
    holders: Numbers
    matrices: Floats


def graphics_of(page: Any, frame: Frame) -> Graphics:
    """Return what a `pypdfium2.PdfPage` shows; the frame is its visible part."""
    walk = _Walk(_MAX_OBJECTS)
    count = raw.FPDFPage_CountObjects(page.raw)
    walk.add(_page_object, ctypes.byref(page.raw.contents), count)
    addresses = np.array(walk.addresses, np.uint64)
    kinds = np.array(walk.kinds, np.int64)
    forms = np.array(walk.inside, np.int64)
    # As PDF has them: x' = a x + c y + e, y' = b x + d y + f.
    matrices = np.array([(m.a, m.d, m.b, m.e, m.c, m.f) for m in walk.matrices])
    texts = np.flatnonzero(kinds == raw.FPDF_PAGEOBJ_TEXT)
    # A form that is not looked into may hold anything: it counts as a picture.
    closed = ~np.isin(addresses, np.array(walk.forms, np.uint64))
    others = np.flatnonzero(
        (kinds != raw.FPDF_PAGEOBJ_TEXT) & ((kinds != raw.FPDF_PAGEOBJ_FORM) | closed)
    )
    bounds = written(
        _bounds, map(VOID, addresses[others].tolist()), count=len(others), columns=4, apart=True
    )
    boxes = frame.shown(placed(bounds, matrices[forms[others]]))
    width, height = frame.size
    pictures = boxes[kinds[others] == raw.FPDF_PAGEOBJ_IMAGE]
    seen = np.clip(pictures, 0.0, (width, height) * 2)
    areas = (seen[:, 2] - seen[:, 0]) * (seen[:, 3] - seen[:, 1])
    return Graphics(
        min(float(areas.sum()) / (width * height), 1.0),
        walk.kinds.count(raw.FPDF_PAGEOBJ_PATH),
        seen[areas >= LARGE * width * height][:_MAX_LARGE],
        addresses[texts],
        texts if walk.left else np.full(len(texts), -1),
        forms[texts],
        addresses[others],
        others,
        forms[others],
        kinds[others],
        boxes,
        walk.forms,
        np.array(walk.holders),
        matrices,
    )


class _Walk:
    """Goes through the objects of a page; at most `left`, for forms can use each other endlessly.

    Attributes:
        left: how many more it may look at.
        addresses: of the objects, in the order of the content; those of a form follow it.
        kinds: of the objects.
        inside: number of the form that each is in, 0 for the page.
        forms: addresses of the forms whose objects are among them; 0, the first, for the page.
        holders: number of the form that each lies in.
        matrices: where each lies on the page.
    """

    def __init__(self, left: int) -> None:
        self.addresses: list[int] = []
        self.kinds: list[int] = []
        self.inside: list[int] = []
        self.forms = [0]
        self.holders = [0]
        self.matrices = [Affine()]
        self.left = left

    def add(
        self, object_of: Callable[[Any, int], int], holder: Any, count: int, depth: int = 0
    ) -> None:
        """Add the objects of the page, or of the last form, with what is in them.

        Args:
            object_of: gives the address of an object by its holder and its number.
            holder: the page by reference, or the address of a form.
            count: number of its objects.
            depth: how many forms it lies in.
        """
        count = max(min(count, self.left), 0)
        self.left -= count
        number = len(self.forms) - 1
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
            self.inside += [number] * (end - start)
            if end == start or kinds[end - 1] != raw.FPDF_PAGEOBJ_FORM:
                break
            start, form = end, items[end - 1]
            inner = raw.FS_MATRIX()
            if depth < MAX_DEPTH and _form_matrix(form, ctypes.byref(inner)):
                place = Affine(inner.a, inner.c, inner.e, inner.b, inner.d, inner.f)
                self.forms.append(form)
                self.holders.append(number)
                self.matrices.append(place.then(self.matrices[number]))
                self.add(_form_object, form, _form_count(form), depth + 1)


def placed(boxes: Floats, matrices: Floats) -> Floats:
    """Return the bounds of boxes, (s, 4): left, bottom, right, top, that matrices, (s, 6), move."""
    corners = boxes.astype(np.float64)
    x, y = corners[:, [0, 2, 0, 2]], corners[:, [1, 1, 3, 3]]
    a, b, c, d, e, f = matrices.T[..., None]
    across, up = a * x + c * y + e, b * x + d * y + f
    return np.stack((across.min(1), up.min(1), across.max(1), up.max(1)), axis=1)
