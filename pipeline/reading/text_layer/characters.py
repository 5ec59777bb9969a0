"""The characters of a PDF page as columns: what they are, where they stand, how they are drawn."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from pypdfium2 import raw

from pipeline.reading.text_layer.text_objects import (
    Codes,
    Flags,
    Floats,
    Numbers,
    TextObjects,
    boxes_of,
    codes_of,
    glyphs,
    owners_of,
    text_objects,
)

UNMAPPED = 0xFFFD  # stands for a character that the PDF gives no meaning outside its font
_SPACE = 0x20
# What is seen as a hyphen: PDFium's two marks for one at the end of a line, and soft hyphens,
# for in a PDF they are drawn.
_HYPHENS, _HYPHEN = (0x02, 0xFFFE, 0xAD), 0x2D
_QUARTER = 15.0  # degrees from a quarter turn up to which text counts as set straight
_LEVEL = 0.05  # degrees from a quarter turn; on a line of 500 points, half a point
_LOW = 0.95  # of a font's height: boxes of characters are not lower
_STEP = 5  # degrees; text set aslant is sorted by its direction in such steps
_MAX_CHARACTERS = 1_000_000  # of one page; none that is meant to be read has more


@dataclass(frozen=True, slots=True)
class Frame:
    """The visible part of a page: its crop box in PDF units, and the turn it is shown with.

    Attributes:
        left, bottom, right, top: the crop box within the media box; origin bottom left.
        turns: quarter turns clockwise (/Rotate).
    """

    left: float
    bottom: float
    right: float
    top: float
    turns: int

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as shown, in points (a /UserUnit is left out, as renderers do)."""
        sides = self.right - self.left, self.top - self.bottom
        return sides if self.turns % 2 == 0 else sides[::-1]

    def shown(self, boxes: Floats) -> Floats:
        """Return boxes as shown: points from the frame's upper left corner.

        Args:
            boxes: (n, 4): left, bottom, right, top in PDF units.

        Returns:
            (n, 4): x0, top, x1, bottom.
        """
        left, bottom, right, top = boxes.T
        sides = {
            0: (left - self.left, self.top - top, right - self.left, self.top - bottom),
            1: (bottom - self.bottom, left - self.left, top - self.bottom, right - self.left),
            2: (self.right - right, bottom - self.bottom, self.right - left, top - self.bottom),
            3: (self.top - top, self.right - right, self.top - bottom, self.right - left),
        }[self.turns]
        return np.stack(sides, axis=1)


@dataclass(frozen=True, slots=True)
class Characters:
    """The characters of a page in the order of its content; the columns share their length n.

    Attributes:
        codes: (n,) Unicode code points; `UNMAPPED` where the PDF states none.
        boxes: (n, 4) x0, top, x1, bottom in points as shown: as wide as the advance, as high as
            the font size, from its descender line up.
        direction: (n,) degrees clockwise that the text is turned by, as shown: 0, 90, 180 or 270
            for text set straight, else a multiple of 5.
        skew: (n,) degrees clockwise that text set straight is turned by beyond its direction.
        size: (n,) font size in points.
        piece: (n,) number of the text object, from 0, in the order of the content.
        spaced: (n,) PDFium sees a space before the character.
        stepped: (n,) it does within a text object, where letters may be spaced out.
        invisible: (n,) drawn with no paint at all.
        doubtful: (n,) may not be seen as it is drawn; `visible` finds which.
        objects: the text objects, by the numbers in `piece`; no column.
    """

    codes: Codes
    boxes: Floats
    direction: Numbers
    skew: Floats
    size: Floats
    piece: Numbers
    spaced: Flags
    stepped: Flags
    invisible: Flags
    doubtful: Flags
    objects: TextObjects

    def __len__(self) -> int:
        return len(self.codes)

    def where(self, chosen: Flags) -> Characters:
        """Return the characters for which `chosen`, (n,), is True."""
        columns = [column.name for column in fields(self) if column.name != "objects"]
        return replace(self, **{name: getattr(self, name)[chosen] for name in columns})


def frame_of(page: Any) -> Frame:
    """Return what a viewer shows of a `pypdfium2.PdfPage`.

    Raises:
        ValueError: the page has no area.
    """
    turns = raw.FPDFPage_GetRotation(page.raw) % 4
    # A crop box beside the page shows nothing: viewers then show the page.
    for box in (page.get_bbox(), page.get_mediabox()):
        # PDFium holds single precision: what it adds to a number as written is cut off.
        left, bottom, right, top = (round(side, 3) for side in box)
        frame = Frame(left, bottom, right, top, turns)
        if all(0 < side < float("inf") for side in frame.size):
            return frame
    raise ValueError("the page has no area")


def read_characters(page: Any, frame: Frame) -> Characters:
    """Return the characters of a `pypdfium2.PdfPage`, also those drawn outside the frame.

    White space that the PDF draws is kept, for it parts words; what PDFium makes up is left out
    but for `spaced`, since it drops spaces that are drawn by themselves and makes up others.

    Raises:
        ValueError: PDFium cannot read the text, or there is more than any page meant to be read
            has (a million characters).
    """
    text = raw.FPDFText_LoadPage(page.raw)
    if not text:
        raise ValueError("the text cannot be read")
    try:
        count = raw.FPDFText_CountChars(text)
        if count > _MAX_CHARACTERS:
            raise ValueError(f"the page has {count} characters")
        return _columns(ctypes.byref(text.contents), max(count, 0), frame)
    finally:
        raw.FPDFText_ClosePage(text)


def _columns(text: Any, count: int, frame: Frame) -> Characters:
    """Return the characters of PDFium's text page, given by reference."""
    all_codes = codes_of(text, count)
    owners = owners_of(text, count)
    all_boxes = boxes_of(text, count)
    space = all_codes == _SPACE
    # Within a text object, too, PDFium makes up spaces: they have no width.
    step = space & (owners != 0) & (all_boxes[:, 0] == all_boxes[:, 2])
    places = np.flatnonzero((owners != 0) & ~step)
    pieces = owners[places]
    begins = np.diff(pieces, prepend=np.uint64(0)) != 0
    piece = np.cumsum(begins) - 1
    objects = text_objects(text, pieces[begins].tolist(), places[begins].tolist())
    codes = all_codes[places]
    for hyphen in _HYPHENS:
        codes[codes == hyphen] = _HYPHEN
    unmapped, advance = glyphs(text, objects.fonts, objects.font[piece], codes, places)
    codes[unmapped] = UNMAPPED
    turn = objects.degrees + 90.0 * frame.turns
    directions = _directions(turn)
    direction, size = directions[piece], objects.size[piece]
    boxes = frame.shown(all_boxes[places])
    height = objects.height[objects.font[piece]] * size
    advance[_shared(boxes, piece) | _as_printed(boxes, direction, height)] = 0.0
    ends = np.sort(np.stack((_shown(frame, objects.foot), _shown(frame, objects.head))), axis=0)
    level = np.abs((objects.degrees + 45) % 90 - 45) <= _LEVEL
    return Characters(
        codes,
        _fitted(
            boxes,
            direction,
            np.where(level[piece, None], np.concatenate(ends, axis=1)[piece], np.nan),
            np.where(height > 0, size, 0.0),
            advance * objects.stretch[piece],
        ),
        direction,
        ((turn - directions + 180) % 360 - 180)[piece],
        size,
        piece,
        _behind(space & (owners == 0))[places],
        _behind(step)[places],
        objects.invisible[piece],
        np.zeros(len(codes), np.bool_),
        objects,
    )


def _behind(chosen: Flags) -> Flags:
    """Return which characters, (n,), follow one that is chosen."""
    return np.concatenate(([False], chosen))[:-1]


def _shared(boxes: Floats, piece: Numbers) -> Flags:
    """Return which characters share their box with the one before or after: letters of a ligature.

    The font's advances of those letters say nothing about the width of the ligature.
    """
    same = piece[1:] == piece[:-1]
    for side in boxes.T:
        same &= side[1:] == side[:-1]
    shared = np.zeros(len(boxes), np.bool_)
    shared[1:] |= same
    shared[:-1] |= same
    return shared


def _as_printed(boxes: Floats, direction: Numbers, height: Floats) -> Flags:
    """Return which characters have a box that is lower than their font.

    It is that of the print: the characters are a replacement that the PDF states for it, such as
    the letters of a ligature, and the font's advances are not theirs.

    Args:
        boxes: (n, 4) x0, top, x1, bottom.
        direction: (n,) as of `Characters`.
        height: (n,) from the font's lowest descender to its highest ascender, in points.
    """
    x0, top, x1, bottom = boxes.T
    across: Floats = np.where(direction % 180 == 0, bottom - top, x1 - x0)
    return across < _LOW * height


def _shown(frame: Frame, points: Floats) -> Floats:
    """Return points, (k, 2) in PDF units, as shown."""
    return frame.shown(points[:, [0, 1, 0, 1]])[:, :2]


def _directions(turned: Floats) -> Numbers:
    """Return the directions of text as shown, by the degrees clockwise that it is turned by."""
    quarters = np.round(turned / 90) * 90
    straight = np.abs(turned - quarters) <= _QUARTER
    return (np.where(straight, quarters, np.round(turned / _STEP) * _STEP) % 360).astype(np.int64)


def _fitted(
    boxes: Floats, direction: Numbers, lines: Floats, high: Floats, advance: Floats
) -> Floats:
    """Return the boxes of straight text, as high as the font size and no wider than the advance.

    PDFium's boxes reach from the font's lowest descender to its highest ascender, which in some
    fonts is far more than a line, and as far as the glyph, which may reach further. Text is set by
    the font size, from the line of the descenders up, and by advances.

    Args:
        boxes: (n, 4) x0, top, x1, bottom.
        direction: (n,) as of `Characters`.
        lines: (n, 4) as boxes, across the text: from its line of descenders to the font size above
            it; not a number where the text is not quite level.
        high: (n,) font size; 0 leaves the height where no line tells it.
        advance: (n,) 0 leaves the width.
    """
    straight = direction % 90 == 0
    along0, along1, down0, down1 = _turned(boxes, direction)
    along1 = np.where(straight & (advance > 0), np.minimum(along1, along0 + advance), along1)
    down0 = np.where(straight & (high > 0), down1 - high, down0)
    _, _, first, last = _turned(lines, direction)
    # Text that is set downwards stands beside the line of its first letter.
    middle, reach = (down0 + down1) / 2, (last - first) / 4
    on_line = straight & (middle >= first - reach) & (middle <= last + reach)
    down0, down1 = np.where(on_line, first, down0), np.where(on_line, last, down1)
    x0, x1, top, bottom = _turned(
        np.stack((along0, down0, along1, down1), axis=1), -direction % 360
    )
    return np.stack((x0, top, x1, bottom), axis=1)


def in_text_frame(
    boxes: Floats, direction: Numbers | Floats, size: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return where boxes begin and end along their text, and across it from above: four (n,).

    Args:
        boxes: (n, 4) x0, top, x1, bottom in points.
        direction: (n,) degrees clockwise that the text is turned by.
        size: (n,) font size in points, which is the height of slanting text.
    """
    sides = _turned(boxes, direction)
    aslant = direction % 90 != 0
    if aslant.any():
        sides[:, aslant] = _aslant(boxes[aslant], direction[aslant], size[aslant])
    along0, along1, down0, down1 = sides
    return along0, along1, down0, down1


def _turned(boxes: Floats, direction: Numbers | Floats) -> Floats:
    """Return `in_text_frame` of text set straight, (4, n); slanting text stays as it is."""
    x0, top, x1, bottom = boxes.T
    sides = np.stack((x0, x1, top, bottom))
    for degrees, turned in (
        (90, (top, bottom, -x1, -x0)),
        (180, (-x1, -x0, -bottom, -top)),
        (270, (-bottom, -top, x0, x1)),
    ):
        chosen = direction == degrees
        if chosen.any():
            sides[:, chosen] = np.stack(turned)[:, chosen]
    return sides


def _aslant(boxes: Floats, direction: Numbers | Floats, size: Floats) -> Floats:
    """Return `in_text_frame` of slanting text, (4, n), from the upright boxes around it."""
    x0, top, x1, bottom = boxes.T
    turn = np.radians(direction)
    cos, sin = np.cos(turn), np.sin(turn)
    across, deep = (x0 + x1) / 2, (top + bottom) / 2
    # The box around text of length w is w |cos| + size |sin| wide, and w |sin| + size |cos| high.
    side = np.where(np.abs(cos) >= np.abs(sin), x1 - x0, bottom - top)
    steep, flat = np.minimum(abs(cos), abs(sin)), np.maximum(abs(cos), abs(sin))
    half = np.maximum(side - size * steep, 0.0) / flat / 2
    along, down = across * cos + deep * sin, deep * cos - across * sin
    return np.stack((along - half, along + half, down - size / 2, down + size / 2))
