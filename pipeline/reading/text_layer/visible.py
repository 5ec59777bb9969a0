"""Separates the words of a PDF page that people can see from those that are only in the file.

Text may be drawn with no paint (render mode 3), in the colour of its ground, or where something
lies over it, cuts it off or switches it off. Which of it is seen shows when the page is drawn with
and without it. No paint, or a picture over all text, is how OCR engines put their words under a
scan, but also how anything else is hidden. So words that are not seen count where they stand on
print that has no other words, and as a whole follow that print.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from pipeline.reading.layout.table import Groups, grouped
from pipeline.reading.text_layer.characters import Characters, Frame
from pipeline.reading.text_layer.coverage import DPI, Coverage, compare, legible
from pipeline.reading.text_layer.doubts import doubtful
from pipeline.reading.text_layer.graphics import LARGE, Graphics, graphics_of
from pipeline.reading.text_layer.lettering import has_lettering
from pipeline.reading.text_layer.quality import belongs
from pipeline.reading.text_layer.raster import Grey, paint_of, raster_of, shape_of
from pipeline.reading.text_layer.text_objects import Flags, Floats, Numbers
from pipeline.reading.text_layer.words import Words, is_blank, words_of

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
# Pixels of the raster that letters in doubt are as high as; smaller ones are not, beyond the DPI.
_LETTER, _LETTER_DPI = 10, 150
# Letters that are smaller cannot be read: points, or of the shorter side of a page that is small.
_LEAST, _LEAST_SHARE = 1.0, 0.002
_TRACE = 2  # of 255: a letter that changes its pixels by less is not there
_OVER = 0.25  # of a letter's box that may lie over another text
# Pixels of the raster at the edges of a picture, and what neighbours in print differ by, of 255:
# slow changes of shade are none.
_RIM, _EDGE = 2, 40
_LONG = 3  # times its height that a row of print is long, a logo not
_GROUPS = 4  # of text that lies over each other; what lies deeper is not seen


@dataclass(frozen=True, slots=True)
class Seen:
    """The words of a page that count.

    Attributes:
        words: those that can be seen, and hidden ones that belong to what is printed.
        coverage: how they cover the ink; None where all that is printed is bound to be text, or no
            word is left.
        scan: the page is a scan, not drawn.
        hidden: hidden words were left out.
        unread: pictures or shapes have parts without words that may be text.
    """

    words: Words
    coverage: Coverage | None
    scan: bool
    hidden: bool
    unread: bool = False


def seen(page: Any, frame: Frame, characters: Characters) -> Seen:
    """Return the words of a `pypdfium2.PdfPage` that count.

    The page is only rendered where something depends on it: text that may not be seen, or
    pictures and shapes that may be text.

    Args:
        page: the page.
        frame: its visible part.
        characters: all of them in the frame.
    """
    graphics = graphics_of(page, frame)
    scan = graphics.pictures >= _SCAN
    doubt, unseen, form = doubtful(characters, graphics, frame)
    unseen |= (
        characters.size < min(_LEAST, _LEAST_SHARE * min(frame.size))
    ) & ~characters.invisible
    blank = is_blank(characters.codes)
    unseen &= ~blank
    doubt &= ~(unseen | blank)
    paint: Grey | None = None
    sure = ~(doubt | unseen | blank | characters.invisible)
    asked = doubt | _telling(characters.piece, np.where(sure, form, 0)) if form.any() else doubt
    if asked.any():
        paint, unpainted = _painted(page, frame, characters, asked, graphics)
        off = _switched_off(form, asked & sure, unpainted) & sure
        if off.any():
            doubt |= off
            paint, unpainted = _painted(page, frame, characters, asked | off, graphics)
        unseen |= unpainted
    if unseen.any():
        doubt &= ~unseen
        # Those of a scan may be its layer; of a page that is drawn only that they part words.
        characters = replace(
            characters,
            codes=np.where(unseen & (not scan), 0x20, characters.codes),
            invisible=characters.invisible | unseen,
        )
    characters = replace(characters, doubtful=doubt)
    words = words_of(characters)
    if not words.texts:
        return Seen(words, None, scan=False, hidden=bool(unseen.any()))
    hidden = words.invisible
    keep = ~hidden
    if paint is not None and words.doubtful.any():
        keep[words.doubtful] = legible(paint, words.boxes[words.doubtful], frame.size)
    outlined = graphics.shapes >= max(_SHAPES, _PER_LETTER * sum(map(len, words.texts)))
    layer = scan and bool(hidden.any())
    shown = words.boxes[keep]
    least = LARGE * math.prod(frame.size)
    bare = [] if layer else _bare(shown, graphics.large, least)
    raster = _raster(page, frame, words) if scan or outlined or hidden.any() or bare else None
    unread = raster is not None and any(_has_print(raster, part, frame, least) for part in bare)
    unread = unread or (not layer and has_lettering(graphics, shown, frame.size[1]))
    if raster is not None and hidden.any():
        candidates = hidden.copy()
        candidates[hidden] = ~_under(words, hidden, keep)
        if candidates.any() and belongs(compare(raster, words.boxes[candidates], frame.size)):
            keep |= candidates
            scan = True
    left = words.where(keep)
    coverage = None
    if raster is not None and (scan or outlined) and left.texts:
        coverage = compare(raster, left.boxes, frame.size)
    return Seen(
        left,
        coverage,
        scan=scan,
        hidden=bool(unseen.any() or (hidden & ~keep).any()),
        unread=unread,
    )


def _telling(piece: Numbers, form: Numbers) -> Flags:
    """Return the characters, (n,), that tell of their forms whether they are switched off.

    Args:
        piece: (n,) number of the text object of each character, in ascending order.
        form: (n,) number of its form; 0 for what has none, or does not tell.
    """
    forms, first = np.unique(form, return_index=True)
    return np.isin(piece, piece[first[forms > 0]]) & (form > 0)


def _switched_off(form: Numbers, telling: Flags, unpainted: Flags) -> Flags:
    """Return the characters, (n,), of forms of which nothing is painted that tells.

    Args:
        form: (n,) number of the form of each.
        telling: (n,) which of them tell.
        unpainted: (n,) which of these paint nothing.
    """
    off = np.setdiff1d(form[telling], form[telling & ~unpainted])
    return np.isin(form, off) if len(off) else np.zeros(len(form), np.bool_)


def _painted(
    page: Any, frame: Frame, characters: Characters, doubt: Flags, graphics: Graphics
) -> tuple[Grey, Flags]:
    """Return what characters in doubt paint, and, (n,), which of them paint nothing that is seen.

    Text over other text does not hide it: it is drawn in groups, in each of which none lies over
    another, and what is painted is the most of what the groups do.

    Args:
        page: the page.
        frame: its visible part.
        characters: of the page.
        doubt: (n,) which are in doubt; at least one.
        graphics: of the page.
    """
    low = max(float(np.quantile(characters.size[doubt], _NEARLY_ALL)), 72 * _LETTER / _LETTER_DPI)
    width, height = frame.size
    dpi = min(72 * _LETTER / low, 72 * (_MAX_PIXELS / (width * height)) ** 0.5)
    rows, columns = shape_of(page, dpi)
    boxes = np.clip(_inner(characters.boxes[doubt] * (dpi / 72)), 0, (columns, rows) * 2)
    pieces = grouped(characters.piece[doubt])
    west, north = boxes[:, :2].min(axis=0).tolist()
    east, south = boxes[:, 2:].max(axis=0).tolist()
    boxes -= (west, north, west, north)
    group = _groups(boxes, pieces, (south - north, east - west))
    addresses = np.array(characters.objects.addresses, np.uint64)
    # PDFium gives no characters of a text that repeats one in its place: it is drawn with that one.
    repeats = graphics.texts[~np.isin(graphics.texts, addresses)].tolist()
    addresses = addresses[characters.piece[doubt][pieces.starts]]
    chosen = [addresses[group == number].tolist() for number in range(group.max() + 1)]
    paints = list(paint_of(page, dpi, chosen, repeats, (west, north, east, south)))
    traces = [paint >= _TRACE for paint in paints]
    unseen = doubt.copy()
    unseen[doubt] = [
        at < 0 or not traces[at][top:bottom, left:right].any()
        for at, (left, top, right, bottom) in zip(
            group[pieces.numbers].tolist(), boxes.tolist(), strict=True
        )
    ]
    paint = np.zeros((rows, columns), np.uint8)
    paint[north:south, west:east] = np.maximum.reduce(paints)
    return paint, unseen


def _inner(boxes: Floats) -> Numbers:
    """Return the pixels, (n, 4), that lie within boxes in full; the middle one where none does."""
    low, high = np.ceil(boxes[:, :2]), np.floor(boxes[:, 2:])
    middle = np.floor((boxes[:, :2] + boxes[:, 2:]) / 2)
    narrow = low >= high
    low, high = np.where(narrow, middle, low), np.where(narrow, middle + 1, high)
    return np.concatenate((low, high), axis=1).astype(np.int64)


def _groups(boxes: Numbers, pieces: Groups, shape: tuple[int, int]) -> Numbers:
    """Return, (p,), the group of each piece, so that none lies over another of its group.

    The number is -1 where a piece lies over so many that there is no group for it.

    Args:
        boxes: (n, 4) of the characters, in pixels.
        pieces: the text objects.
        shape: height and width of the area that they lie in, in pixels.
    """
    group = []
    taken: list[Flags] = []
    corners = boxes.tolist()
    for start, end in pairwise([*pieces.starts.tolist(), pieces.count]):
        letters = corners[start:end]
        at = 0
        while at < len(taken) and any(
            np.count_nonzero(taken[at][top:bottom, left:right])
            > _OVER * (bottom - top) * (right - left)
            for left, top, right, bottom in letters
        ):
            at += 1
        if at == len(taken) < _GROUPS:
            taken.append(np.zeros(shape, np.bool_))
        if at < len(taken):
            for left, top, right, bottom in letters:
                taken[at][top:bottom, left:right] = True
        group.append(at if at < len(taken) else -1)
    return np.array(group)


def _bare(words: Floats, pictures: Floats, least: float) -> list[list[float]]:
    """Return the parts of pictures that have no word and are so large that they may hold text.

    These are whole pictures, and what is above, below and between the words of others, such as a
    ground with a title.

    Args:
        words: (m, 4) boxes, as shown.
        pictures: (l, 4) as shown.
        least: area in square points.
    """
    x, y = (words[:, :2] + words[:, 2:]).T / 2
    found = []
    for x0, top, x1, bottom in pictures.tolist():
        on = words[(x > x0) & (x < x1) & (y > top) & (y < bottom)]
        on = on[np.argsort(on[:, 1])]
        starts = [top, *np.maximum.accumulate(on[:, 3]).tolist()]
        ends = [*on[:, 1].tolist(), bottom]
        found += [
            [x0, start, x1, end]
            for start, end in zip(starts, ends, strict=True)
            if end > start and (x1 - x0) * (end - start) >= least
        ]
    return found


def _has_print(raster: Grey, part: list[float], frame: Frame, least: float) -> bool:
    """Return whether a part of a picture, in points as shown, shows a row that may be print.

    Rows of pixels with edges, up to one without, are such a row where they are long and full of
    edges, or where they cover the `least` area, in square points, of which a picture is no logo.
    """
    scale = raster.shape[1] / frame.size[0]
    left, top = (round(side * scale) + _RIM for side in part[:2])
    right, bottom = (max(round(side * scale) - _RIM, 0) for side in part[2:])
    shades = raster[top:bottom, left:right].astype(np.int16)
    edges = np.abs(np.diff(shades, axis=1)) >= _EDGE
    rows = np.flatnonzero(edges.any(axis=1))
    for row in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1) if len(rows) else ():
        long, high = int(np.ptp(np.flatnonzero(edges[row].any(axis=0)))) + 1, len(row)
        # A line has only its ends; letters have an edge on each height of a row, and more.
        if long * high >= least * scale**2 or (
            long >= _LONG * high and np.count_nonzero(edges[row]) >= long
        ):
            return True
    return False


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
