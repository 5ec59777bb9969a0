"""Finds the text of a PDF page that may not be seen as it is drawn.

Only rendering shows whether text is seen. Here are the cheap signs that it may not be, so that
ordinary pages are not rendered: something drawn over it, a ground of its own colour or a picture
under it, a clipping path that it leaves, a layer that may be switched off, transparency.
"""

from __future__ import annotations

import ctypes
import math
from itertools import chain, repeat

import numpy as np
from pypdfium2 import raw

from pipeline.reading.layout.table import Groups, grouped
from pipeline.reading.text_layer.calls import ADDRESS, INT, VOID, function, written
from pipeline.reading.text_layer.characters import Characters, Frame
from pipeline.reading.text_layer.graphics import MAX_DEPTH, Graphics, placed
from pipeline.reading.text_layer.text_objects import (
    NO_COLOUR,
    Codes,
    Flags,
    Floats,
    Numbers,
    fill_colours,
)

_MARGIN = 0.4  # of the font size: beside the middle of letters, which all have ink there
_MAX_PAIRS = 20_000_000  # of text and other objects; a page of more is all in doubt
_MAX_SEGMENTS = 200_000  # of clipping paths; the same
_MAX_MARKS = 1_000_000  # of text, one in the other; the same
_LIKE = 48  # of 255, in red, green and blue: nearer to its ground, text is hard to see
_TINT = 231  # of 255, in each of these: what is not lighter can still be seen on bare paper
_RECTANGLE = 5  # segments, with the one that closes it
# Outlines of few and thin lines, such as frames, hide nothing within; hatching does.
_FEW, _THIN = 10, 2.0  # segments; points
# A rule of a table hides nothing of a text: how thin it is, of the font size, and how much of the
# middle of the text all of them may cover.
_RULE, _RULES = 0.1, 0.5
_DOT = 1e-6  # square points, less than the middle of any letter
_SLANT = 1e-4  # of its sides that a rectangle may slant by
_EXACT = 0.01  # points by which corners may be off, as those of turned pages are

_transparent = function("FPDFPageObj_HasTransparency", INT, VOID)
_mark_count = function("FPDFPageObj_CountMarks", INT, VOID)
_mark = function("FPDFPageObj_GetMark", ADDRESS, VOID, ctypes.c_ulong)
_clip = function("FPDFPageObj_GetClipPath", ADDRESS, VOID)
_clip_paths = function("FPDFClipPath_CountPaths", INT, VOID)
_clip_segments = function("FPDFClipPath_CountPathSegments", INT, VOID, INT)
_clip_segment = function("FPDFClipPath_GetPathSegment", ADDRESS, VOID, INT, INT)
_point = function("FPDFPathSegment_GetPoint", INT)
_draw_mode = function("FPDFPath_GetDrawMode", INT)
_segments = function("FPDFPath_CountSegments", INT, VOID)
_segment = function("FPDFPath_GetPathSegment", ADDRESS, VOID, INT)
_segment_kind = function("FPDFPathSegment_GetType", INT, VOID)
_stroke_width = function("FPDFPageObj_GetStrokeWidth", INT)
_matrix = function("FPDFPageObj_GetMatrix", INT)
_MOVE = raw.FPDF_SEGMENT_MOVETO


def doubtful(
    characters: Characters, graphics: Graphics, frame: Frame
) -> tuple[Flags, Flags, Numbers]:
    """Return which characters may not be seen as they are drawn, which are not, and their form.

    Three arrays, (n,). Those that are not seen stand beside the rectangle that their text is
    clipped to. Where it cuts off the end of a text, as cells of tables do, the rest is read, too,
    unless there are figures in it: those would be others than the reader of the page sees. Text
    that is drawn with no paint at all is neither: it is known not to be seen. The form is its
    number in `graphics`, 0 for the page. PDFium does not tell of a form whether it is switched off.

    Args:
        characters: those of the page in its frame.
        graphics: of the page.
        frame: its visible part.
    """
    objects = characters.objects
    pieces = grouped(characters.piece)
    numbers = characters.piece[pieces.starts]
    addresses = [objects.addresses[number] for number in numbers.tolist()]
    of, painted = pieces.numbers, ~characters.invisible
    place, form = _places(addresses, graphics)
    clips, found = _inherited(addresses, form, graphics)
    beside = np.zeros(len(characters), np.bool_)
    if not np.isinf(clips).all():
        middle = (characters.boxes[:, :2] + characters.boxes[:, 2:]) / 2
        clip = frame.shown(clips)[of]
        beside = ((middle < clip[:, :2]) | (middle > clip[:, 2:])).any(axis=1) & painted
        beside &= ~_continued(characters.codes, beside, pieces)
    if objects.clips.any():  # PDFium does not tell which text a text clips
        return painted, beside, form[of]
    found |= objects.faint[numbers] | (place < 0)
    inner, size = _middles(characters, pieces), characters.size[pieces.starts]
    found |= _on_others(
        inner, size, place, objects.colour[numbers], objects.pale[numbers], graphics, frame
    )
    return found[of] & painted, beside, form[of]


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
    return found[pieces.numbers]


def _middles(characters: Characters, pieces: Groups) -> Floats:
    """Return where text objects stand, (k, 4), but for what lies beside the middle of letters."""
    x0, top, x1, bottom = characters.boxes.T
    boxes = np.stack((pieces.least(x0), pieces.least(top), pieces.most(x1), pieces.most(bottom)), 1)
    sides, size = boxes[:, 2:] - boxes[:, :2], characters.size[pieces.starts, None]
    margin = _MARGIN * np.minimum(sides, size)
    return boxes + np.concatenate((margin, -margin), axis=1)


def _places(addresses: list[int], graphics: Graphics) -> tuple[Numbers, Numbers]:
    """Return, twice (k,), the place of text objects in the order of drawing, and their form.

    Those of forms that are not looked into have the place -1 and the form 0.
    """
    columns = graphics.texts, graphics.text_places, graphics.text_forms
    known = {text: found for text, *found in zip(*map(np.ndarray.tolist, columns), strict=True)}
    found = [known.get(address, (-1, 0)) for address in addresses]
    place, form = np.array(found, np.int64).reshape(-1, 2).T
    return place, form


def _inherited(addresses: list[int], form: Numbers, graphics: Graphics) -> tuple[Floats, Flags]:
    """Return what text objects are clipped to, and whether they may not be seen for other reasons.

    What holds for a form holds for all in it: clip, marks of layers, transparency.

    Args:
        addresses: of the text objects, k.
        form: (k,) number of the form of each.
        graphics: of the page.

    Returns:
        (k, 4): left, bottom, right, top in PDF units of the page, infinite where nothing is
        clipped, not a number where it is to no upright rectangle; and (k,).
    """
    asked = graphics.forms + addresses
    holder = np.concatenate((graphics.holders, form))
    clips = _clips(asked)
    inside = holder > 0
    if inside.any():
        inside &= np.isfinite(clips[:, 0])
        clips[inside] = _moved(clips[inside], graphics.matrices[holder[inside]])
    found = _layered(asked) | np.fromiter(map(_transparent, asked), np.bool_, len(asked))
    for _ in range(min(len(graphics.forms) - 1, MAX_DEPTH)):
        found |= found[holder]
        clips[:, :2] = np.maximum(clips[:, :2], clips[holder, :2])
        clips[:, 2:] = np.minimum(clips[:, 2:], clips[holder, 2:])
    clips, found = clips[len(graphics.forms) :], found[len(graphics.forms) :]
    return clips, found | np.isnan(clips[:, 0])


def _moved(clips: Floats, matrices: Floats) -> Floats:
    """Return rectangles, (c, 4), as matrices, (c, 6), move them; not a number where they slant."""
    moved = placed(clips, matrices)
    along, across = np.abs(matrices[:, [0, 3]]).max(axis=1), np.abs(matrices[:, 1:3]).max(axis=1)
    moved[np.minimum(along, across) > _SLANT * np.maximum(along, across)] = np.nan
    return moved


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


def _clips(addresses: list[int]) -> Floats:
    """Return the rectangles that objects are clipped to, (k, 4): left, bottom, right, top.

    They are in units of the page or form that the objects lie in; infinite where nothing is
    clipped, and not a number where it is to no rectangle.

    Args:
        addresses: of the objects; that of the page is 0.
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
        result[clipped] = _rectangles([clips[n] for n in at.tolist()], count[at])[same]
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
    points = _corners(list(segments))
    starts = np.cumsum(sizes) - sizes
    low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    of = np.repeat(np.arange(len(sizes)), sizes)
    off = np.minimum(points - low[of], high[of] - points)
    corner = (off <= _EXACT).all(axis=1)
    plain = np.logical_and.reduceat(corner, starts) & (sizes <= _RECTANGLE)
    low[~plain] = np.nan
    firsts = np.cumsum(paths) - paths
    result[:, :2] = np.maximum.reduceat(low, firsts)
    result[:, 2:] = np.minimum.reduceat(high, firsts)
    result[np.isnan(result[:, 0])] = np.nan
    return result


def _on_others(
    inner: Floats,
    size: Floats,
    place: Numbers,
    colour: Numbers,
    pale: Flags,
    graphics: Graphics,
    frame: Frame,
) -> Flags:
    """Return which text objects, (k,), stand on or under what may make them hard to see.

    Args:
        inner: (k, 4) where the middle of the text stands, as shown.
        size: (k,) font size.
        place: (k,) where it stands in the order of drawing.
        colour: (k, 3) its colour.
        pale: (k,) the colour is one that may not be seen on paper.
        graphics: of the page.
        frame: its visible part.
    """
    near = _meeting(graphics.boxes, inner)
    if near is None:
        return np.ones(len(inner), np.bool_)
    which, other = np.unique(near[0], return_inverse=True)
    result: Flags = pale & (colour.min(axis=1) > _TINT)
    result[near[1]] |= pale[near[1]]
    if not len(which):
        return result
    covers, ground, parted = _painted(which, graphics)

    def hides(other: Numbers, text: Numbers) -> Flags:
        over = graphics.other_places[which[other]] > place[text]
        like = ~(np.abs(ground[other] - colour[text]).max(axis=1) > _LIKE)
        hiding: Flags = np.where(over, covers[other], like)
        return hiding

    other = np.unique(other[hides(other, near[1])])
    if not len(other):
        return result
    boxes, of = _parts(which[other], parted[other], graphics, frame)
    near = _meeting(boxes, inner)
    if near is None:
        return np.ones(len(inner), np.bool_)
    part, text = near
    chosen = hides(other[of[part]], text)
    part, text = part[chosen], text[chosen]
    box, middle = boxes[part], inner[text]
    thin = (box[:, 2:] - box[:, :2]).min(axis=1) <= _RULE * size[text]
    low, high = np.maximum(box[:, :2], middle[:, :2]), np.minimum(box[:, 2:], middle[:, 2:])
    share = (high - low).prod(axis=1) / np.maximum(
        (middle[:, 2:] - middle[:, :2]).prod(axis=1), _DOT
    )
    result |= np.bincount(text, np.where(thin, share, np.inf), len(inner)) > _RULES
    return result


def _meeting(boxes: Floats, inner: Floats) -> tuple[Numbers, Numbers] | None:
    """Return the pairs of boxes, (s, 4), and texts, (k, 4), that meet.

    None where it takes too long to tell.
    """
    if len(inner) * len(boxes) > _MAX_PAIRS:
        return None
    apart = boxes[:, 0, None] > inner[:, 2]
    apart |= boxes[:, 2, None] < inner[:, 0]
    apart |= boxes[:, 1, None] > inner[:, 3]
    apart |= boxes[:, 3, None] < inner[:, 1]
    other, text = np.nonzero(~apart)
    return other, text


def _painted(which: Numbers, graphics: Graphics) -> tuple[Flags, Floats, Flags]:
    """Return how objects that are no text are painted; of paths, and as any else of pictures.

    Args:
        which: (s,) their numbers.
        graphics: of the page.

    Returns:
        (s,) they cover what lies within their bounds; (s, 3) their colour, 0 to 255, not a number
        where it is not known, infinite where there is none; (s,) they are filled alone, and in
        parts.
    """
    count, addresses = len(which), graphics.others[which].tolist()
    fill, stroke = written(
        _draw_mode, map(VOID, addresses), count=count, columns=2, kind=np.uint32, apart=True
    ).T.astype(np.bool_)
    rgba = fill_colours(addresses)
    width = written(_stroke_width, map(VOID, addresses), count=count, columns=1)[:, 0]
    a, b, c, d, *_ = np.abs(written(_matrix, map(VOID, addresses), count=count, columns=6)).T
    segments = np.fromiter(map(_segments, addresses), np.int64, count)
    covers = stroke & ((width * np.maximum(a + c, b + d) > _THIN) | (segments > _FEW)) | fill
    ground = np.where(fill[:, None], rgba[:, :3], np.inf)
    picture = graphics.kinds[which] != raw.FPDF_PAGEOBJ_PATH
    ground[picture | (fill & (rgba[:, 3] == NO_COLOUR))] = np.nan
    return covers | picture, ground, fill & ~stroke & (segments > _RECTANGLE)


def _parts(
    which: Numbers, parted: Flags, graphics: Graphics, frame: Frame
) -> tuple[Floats, Numbers]:
    """Return where the parts of objects lie, (p, 4) as shown, and the object, (p,), of each.

    A frame or a grid that is one path of many lines covers nothing between them.

    Args:
        which: (s,) numbers of the objects.
        parted: (s,) which of them are paths to be taken apart.
        graphics: of the page.
        frame: its visible part.
    """
    paths = np.flatnonzero(parted)
    addresses = graphics.others[which[paths]].tolist()
    sizes = np.fromiter(map(_segments, addresses), np.int64, len(addresses))
    if not 0 < sizes.sum() <= _MAX_SEGMENTS:
        return graphics.boxes[which], np.arange(len(which))
    segments = list(
        map(
            _segment,
            chain.from_iterable(map(repeat, addresses, sizes.tolist())),
            chain.from_iterable(map(range, sizes.tolist())),
        )
    )
    points = _corners(segments)
    begins = np.fromiter(map(_segment_kind, segments), np.int64, len(segments)) == _MOVE
    begins[np.cumsum(sizes) - sizes] = True
    starts = np.flatnonzero(begins)
    of = np.repeat(paths, sizes)[starts]
    low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    own = written(_matrix, map(VOID, addresses), count=len(addresses), columns=6)
    boxes = placed(np.concatenate((low, high), axis=1), np.repeat(own, sizes, axis=0)[starts])
    boxes = placed(boxes, graphics.matrices[graphics.other_forms[which[of]]])
    whole = np.flatnonzero(~parted)
    return (
        np.concatenate((frame.shown(boxes), graphics.boxes[which[whole]])),
        np.concatenate((of, whole)),
    )


def _corners(segments: list[int]) -> Floats:
    """Return the points of segments of paths, (s, 2), by their addresses."""
    count = len(segments)
    return written(_point, map(VOID, segments), count=count, columns=2, before=math.nan, apart=True)
