"""Finds the text of a PDF page that may not be seen as it is drawn.

Only rendering shows whether text is seen. Here are the cheap signs that it may not be, so that
ordinary pages are not rendered: something drawn over it, a ground of its own colour or a picture
under it, a clipping path that it leaves, a layer that may be switched off, transparency. Of forms
PDFium does not tell some of these, so all text in them is in doubt.
"""

from __future__ import annotations

import ctypes
import math
from itertools import chain, repeat

import numpy as np
from pypdfium2 import raw

from pipeline.reading.layout.table import Groups, grouped
from pipeline.reading.text_layer.calls import function
from pipeline.reading.text_layer.characters import Characters, Frame
from pipeline.reading.text_layer.graphics import Graphics
from pipeline.reading.text_layer.text_objects import (
    Addresses,
    Codes,
    Flags,
    Floats,
    Numbers,
    rows_of,
    run,
)

_MARGIN = 0.4  # of the font size: beside the middle of letters, which all have ink there
_MAX_PAIRS = 20_000_000  # of text and other objects; a page of more is all in doubt
_MAX_SEGMENTS = 200_000  # of clipping paths; the same
_MAX_MARKS = 1_000_000  # of text, one in the other; the same
_LIKE = 48  # of 255, in red, green and blue: nearer to its ground, text is hard to see
_RECTANGLE = 5  # segments, with the one that closes it
# Outlines of few and thin lines, such as frames, hide nothing within; hatching does.
_FEW, _THIN = 10, 2.0  # segments; points

_void, _int = ctypes.c_void_p, ctypes.c_int
_address = ctypes.c_size_t  # as an answer: 0 where c_void_p would answer None
_transparent = function("FPDFPageObj_HasTransparency", _int, _void)
_mark_count = function("FPDFPageObj_CountMarks", _int, _void)
_mark = function("FPDFPageObj_GetMark", _address, _void, ctypes.c_ulong)
_clip = function("FPDFPageObj_GetClipPath", _address, _void)
_clip_paths = function("FPDFClipPath_CountPaths", _int, _void)
_clip_segments = function("FPDFClipPath_CountPathSegments", _int, _void, _int)
_clip_segment = function("FPDFClipPath_GetPathSegment", _address, _void, _int, _int)
_point = function("FPDFPathSegment_GetPoint", _int, _void, _void, _void)
_colour = function("FPDFPageObj_GetFillColor", _int, _void, _void, _void, _void, _void)
_draw_mode = function("FPDFPath_GetDrawMode", _int, _void, _void, _void)
_segments = function("FPDFPath_CountSegments", _int, _void)
_stroke_width = function("FPDFPageObj_GetStrokeWidth", _int, _void, _void)
_object_matrix = function("FPDFPageObj_GetMatrix", _int, _void, _void)


def doubtful(characters: Characters, graphics: Graphics, frame: Frame) -> tuple[Flags, Flags]:
    """Return, twice (n,), which characters may not be seen as they are drawn, and which are not.

    The latter stand beside the rectangle that their text is clipped to. Where it cuts off the end
    of a text, as cells of tables do, the rest is read, too, unless there are figures in it: those
    would be others than the reader of the page sees. Text that is drawn with no paint at all is
    neither: it is known not to be seen.

    Args:
        characters: those of the page in its frame.
        graphics: of the page.
        frame: its visible part.
    """
    objects = characters.objects
    pieces = grouped(characters.piece)
    numbers = characters.piece[pieces.starts]
    addresses = np.array(objects.addresses, np.uint64)[numbers]
    asked = addresses.tolist()
    of, painted = pieces.numbers(), ~characters.invisible
    clips = _clips(asked, frame)
    beside = np.zeros(len(characters), np.bool_)
    if not np.isinf(clips).all():
        middle, clip = (characters.boxes[:, :2] + characters.boxes[:, 2:]) / 2, clips[of]
        beside = ((middle < clip[:, :2]) | (middle > clip[:, 2:])).any(axis=1) & painted
        beside &= ~_continued(characters.codes, beside, pieces)
    if objects.clips.any():  # PDFium does not tell which text a text clips
        return painted, beside
    place = _places(addresses, graphics)
    found = objects.faint[numbers] | (place < 0) | np.isnan(clips[:, 0])
    found |= np.fromiter(map(_transparent, asked), np.int64, len(asked)) > 0
    found |= _layered(asked)
    found |= _on_others(_middles(characters, pieces), place, objects.colour[numbers], graphics)
    return found[of] & painted, beside


def _continued(codes: Codes, cut: Flags, pieces: Groups) -> Flags:
    """Return which characters, (n,), are of a text that is seen in part and has no figure cut off.

    Args:
        codes: (n,) of the characters.
        cut: (n,) which of them are cut off.
        pieces: the text objects.
    """
    figures = cut & (codes >= ord("0")) & (codes <= ord("9"))
    seen = np.logical_or.reduceat(~cut & (codes > 0x20), pieces.starts)
    found: Flags = seen & ~np.logical_or.reduceat(figures, pieces.starts)
    return found[pieces.numbers()]


def _middles(characters: Characters, pieces: Groups) -> Floats:
    """Return where text objects stand, (k, 4), but for what lies beside the middle of letters."""
    x0, top, x1, bottom = characters.boxes.T
    boxes = np.stack((pieces.least(x0), pieces.least(top), pieces.most(x1), pieces.most(bottom)), 1)
    sides, size = boxes[:, 2:] - boxes[:, :2], characters.size[pieces.starts, None]
    margin = _MARGIN * np.minimum(sides, size)
    return boxes + np.concatenate((margin, -margin), axis=1)


def _places(addresses: Addresses, graphics: Graphics) -> Numbers:
    """Return which objects of the page text objects are, (k,); -1 for those in forms."""
    if not len(graphics.texts):
        return np.full(len(addresses), -1)
    by_address = np.argsort(graphics.texts)
    known = graphics.texts[by_address]
    at = np.minimum(np.searchsorted(known, addresses), len(known) - 1)
    return np.where(known[at] == addresses, graphics.text_places[by_address][at], -1)


def _layered(addresses: list[int]) -> Flags:
    """Return which objects, (k,), are marked as those of a layer (optional content)."""
    count = np.fromiter(map(_mark_count, addresses), np.int64, len(addresses))
    result = np.zeros(len(addresses), np.bool_)
    if count.sum() > _MAX_MARKS:
        return ~result
    layers: dict[int, bool] = {}
    for index in np.flatnonzero(count > 0).tolist():
        for mark in map(_mark, repeat(addresses[index]), range(count[index])):
            if mark not in layers:
                layers[mark] = _name(mark) == "OC"
            result[index] |= layers[mark]
    return result


def _name(mark: int) -> str:
    """Return the name of a mark, the first few letters of it."""
    name, size = ctypes.create_string_buffer(16), ctypes.c_ulong()
    handle = ctypes.cast(mark, raw.FPDF_PAGEOBJECTMARK)
    units = ctypes.cast(name, ctypes.POINTER(ctypes.c_ushort))
    raw.FPDFPageObjMark_GetName(handle, units, len(name), ctypes.byref(size))
    return name.raw[: max(min(size.value, len(name)) - 2, 0)].decode("utf-16-le", "replace")


def _clips(addresses: list[int], frame: Frame) -> Floats:
    """Return the rectangles that text objects are clipped to, (k, 4) as shown.

    They are infinite where nothing is clipped, and not a number where it is to no rectangle.

    Args:
        addresses: of the objects.
        frame: of the page.
    """
    result = np.tile((-np.inf, -np.inf, np.inf, np.inf), (len(addresses), 1))
    clips = list(map(_clip, addresses))
    count = np.fromiter(map(_clip_paths, clips), np.int64, len(clips))
    clipped = np.flatnonzero(count > 0)
    if len(clipped):
        # Objects in sequence share their path, known by the address of the last one's first point.
        last = [
            _clip_segment(clips[at], paths - 1, 0)
            for at, paths in zip(clipped.tolist(), count[clipped].tolist(), strict=True)
        ]
        _, first, same = np.unique(
            np.array(last, np.uint64), return_index=True, return_inverse=True
        )
        at = clipped[first]
        result[clipped] = frame.shown(_rectangles([clips[n] for n in at.tolist()], count[at]))[same]
    return result


def _rectangles(clips: list[int], paths: Numbers) -> Floats:
    """Return what clipping paths leave, (c, 4): left, bottom, right, top in PDF units.

    All four are not a number where a path is no upright rectangle.

    Args:
        clips: addresses of the clips.
        paths: (c,) number of their paths, 1 at least.
    """
    holders = list(chain.from_iterable(map(repeat, clips, paths.tolist())))
    numbers = list(chain.from_iterable(map(range, paths.tolist())))
    sizes = np.fromiter(map(_clip_segments, holders, numbers), np.int64, len(holders))
    result = np.full((len(clips), 4), np.nan)
    if (sizes <= 0).any() or sizes.sum() > _MAX_SEGMENTS:
        return result
    counts = sizes.tolist()
    segments = map(
        _clip_segment,
        chain.from_iterable(map(repeat, holders, counts)),
        chain.from_iterable(map(repeat, numbers, counts)),
        chain.from_iterable(map(range, counts)),
    )
    points = np.full((sizes.sum(), 2), np.nan, np.float32)
    rows = rows_of(points)
    run(_point, segments, rows, range(rows.start + 4, rows.stop + 4, rows.step))
    starts = np.cumsum(sizes) - sizes
    low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    of = np.repeat(np.arange(len(sizes)), sizes)
    corner = ((points == low[of]) | (points == high[of])).all(axis=1)
    plain = np.logical_and.reduceat(corner, starts) & (sizes <= _RECTANGLE)
    low[~plain] = np.nan
    firsts = np.cumsum(paths) - paths
    result[:, :2] = np.maximum.reduceat(low, firsts)
    result[:, 2:] = np.minimum.reduceat(high, firsts)
    result[np.isnan(result[:, 0])] = np.nan
    return result


def _on_others(inner: Floats, place: Numbers, colour: Numbers, graphics: Graphics) -> Flags:
    """Return which text objects, (k,), stand on or under what may make them hard to see.

    Args:
        inner: (k, 4) where the middle of the text stands, as shown.
        place: (k,) which objects of the page it is.
        colour: (k, 3) its colour.
        graphics: of the page.
    """
    result = np.zeros(len(inner), np.bool_)
    boxes = graphics.boxes
    if len(inner) * len(boxes) > _MAX_PAIRS:
        return ~result
    apart = boxes[:, 0, None] > inner[:, 2]
    apart |= boxes[:, 2, None] < inner[:, 0]
    apart |= boxes[:, 1, None] > inner[:, 3]
    apart |= boxes[:, 3, None] < inner[:, 1]
    other, text = np.nonzero(~apart)
    if not len(other):
        return result
    which, pair = np.unique(other, return_inverse=True)
    picture = graphics.kinds[which] != raw.FPDF_PAGEOBJ_PATH
    covers = picture.copy()
    ground = np.full((len(which), 3), np.inf)
    for at in np.flatnonzero(~picture).tolist():
        covers[at], ground[at] = _painted(int(graphics.others[which[at]]))
    over = graphics.other_places[which][pair] > place[text]
    like = ~(np.abs(ground[pair] - colour[text]).max(axis=1) > _LIKE)
    result[text[picture[pair] | np.where(over, covers[pair], like)]] = True
    return result


def _painted(path: int) -> tuple[bool, tuple[float, float, float]]:
    """Return whether a path covers what lies within its bounds, and its colour, 0 to 255.

    The colour is not a number where it is not known, and infinite where there is none.
    """
    fill, stroke, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
    _draw_mode(path, ctypes.addressof(fill), ctypes.addressof(stroke))
    if fill.value:
        rgba = (ctypes.c_uint * 4)()
        start = ctypes.addressof(rgba)
        if _colour(path, *range(start, start + 16, 4)):
            return True, (rgba[0], rgba[1], rgba[2])
        return True, (math.nan,) * 3
    matrix = raw.FS_MATRIX()
    _object_matrix(path, ctypes.addressof(matrix))
    _stroke_width(path, ctypes.addressof(width))
    across = width.value * max(abs(matrix.a) + abs(matrix.c), abs(matrix.b) + abs(matrix.d))
    covers = bool(stroke.value) and (across > _THIN or _segments(path) > _FEW)
    return covers, (math.inf,) * 3
