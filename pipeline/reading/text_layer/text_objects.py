"""Asks PDFium for characters and their text objects."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.reading.text_layer.calls import ADDRESS, INT, VOID, function, written

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Addresses = npt.NDArray[np.uint64]

_INVISIBLE_MODES = (3, 7)  # neither filled nor stroked; 7 only clips what is painted after it
_OUTLINED_MODES = (1, 5)  # stroked alone: the colour asked for is not the one seen
_CLIPPING_MODE = 4  # from here on, text also clips what is painted after it
_OPAQUE = 255  # of 255
NO_COLOUR = 256
"""Alpha of an object whose colour is not known: it is filled with a pattern."""
_DESCENDER = -0.2  # font sizes; Helvetica's is -.21, that of Times -.22
_PALE = 200  # of 255, in each of red, green and blue: cannot be read on white paper

_loose_box = function("FPDFText_GetLooseCharBox", INT)
_text_object = function("FPDFText_GetTextObject", ADDRESS)
_unicode = function("FPDFText_GetUnicode", ctypes.c_uint)
_all_text = function("FPDFText_GetText", INT)
_map_error = function("FPDFText_HasUnicodeMapError", INT)
_matrix = function("FPDFText_GetMatrix", INT)
_font_size = function("FPDFText_GetFontSize", ctypes.c_double)
_render_mode = function("FPDFTextObj_GetTextRenderMode", INT, VOID)
_colour = function("FPDFPageObj_GetFillColor", INT)
_font = function("FPDFTextObj_GetFont", ADDRESS, VOID)
_ascent = function("FPDFFont_GetAscent", INT, VOID, ctypes.c_float, VOID)
_descent = function("FPDFFont_GetDescent", INT, VOID, ctypes.c_float, VOID)
_glyph_width = function("FPDFFont_GetGlyphWidth", INT)


def boxes_of(text: Any, count: int) -> Floats:
    """Return, (count, 4), left, bottom, right and top of characters, in PDF units.

    They hold the advance and the glyph, and the height of the font's ascender and descender.

    Args:
        text: PDFium's text page, by reference.
        count: its number of characters.
    """
    sides = written(_loose_box, repeat(text), range(count), count=count, columns=4)
    # As PDFium has them: left, top, right, bottom.
    return sides[:, [0, 3, 2, 1]].astype(np.float64)


def owners_of(text: Any, count: int) -> Addresses:
    """Return, (count,), the addresses of the text objects; 0 for what PDFium made up itself."""
    return np.fromiter(map(_text_object, repeat(text), range(count)), np.uint64, count)


def codes_of(text: Any, count: int) -> Codes:
    """Return, (count,), the Unicode code points of characters."""
    units = np.zeros(count + 1, np.uint16)
    # In one call where each character is one UTF-16 unit; else one by one.
    if count and _all_text(text, 0, count, units.ctypes) == count + 1:
        return units[:count].astype(np.uint32)
    return np.fromiter(map(_unicode, repeat(text), range(count)), np.uint32, count)


def fill_colours(addresses: list[int]) -> Codes:
    """Return red, green, blue and alpha, (k, 4), 0 to 255 or `NO_COLOUR`, that objects have."""
    return written(
        _colour,
        map(VOID, addresses),
        count=len(addresses),
        columns=4,
        kind=np.uint32,
        before=NO_COLOUR,
        apart=True,
    )


@dataclass(frozen=True, slots=True)
class TextObjects:
    """What the characters of a text object share; arrays by object, (k,).

    Attributes:
        addresses: of the objects.
        degrees: clockwise turn of the text on the page before /Rotate, -180 to 180.
        size: font size across the text, in PDF units.
        stretch: font size along the text, in PDF units.
        foot: (k, 2) where the text starts on the line that its descenders reach to, in PDF units.
        head: (k, 2) the same place, the font size further up.
        font: number of its font in `fonts`.
        fonts: addresses.
        height: by font, from the lowest descender to the highest ascender, in font sizes; 0 where
            the font does not tell.
        invisible: drawn with no paint at all.
        colour: (k, 3) what it is filled with: red, green, blue, 0 to 255.
        pale: of a colour that may not be seen on white paper.
        faint: drawn so that the colour is not all that is seen: half clear, in a pattern, or as
            outlines.
        clips: clips what is painted after it.
    """

    addresses: list[int]
    degrees: Floats
    size: Floats
    stretch: Floats
    foot: Floats
    head: Floats
    font: Numbers
    fonts: list[int]
    height: Floats
    invisible: Flags
    colour: Numbers
    pale: Flags
    faint: Flags
    clips: Flags


def text_objects(text: Any, addresses: list[int], characters: list[int]) -> TextObjects:
    """Return the properties of text objects.

    Args:
        text: PDFium's text page, by reference.
        addresses: of the objects.
        characters: the number of a character of each.
    """
    count = len(addresses)
    matrices = written(_matrix, repeat(text), characters, count=count, columns=6)
    sizes = np.fromiter(map(_font_size, repeat(text), characters), np.float64, count)
    fonts, font = np.unique(
        np.fromiter(map(_font, addresses), np.uint64, count), return_inverse=True
    )
    modes = np.fromiter(map(_render_mode, addresses), np.int64, count)
    rgba = fill_colours(addresses)
    a, b, c, d, x, y = matrices.T.astype(np.float64)
    # A negative font size turns the letters round.
    sign = np.where(sizes < 0, -1.0, 1.0)
    heights = np.array([_height(address) for address in fonts.tolist()], np.float64).reshape(-1, 2)
    up = np.stack((sizes * c, sizes * d), axis=1)
    foot = np.stack((x, y), axis=1) + heights[font, 1:] * up
    colour = rgba[:, :3].astype(np.int64)
    return TextObjects(
        addresses,
        -np.degrees(np.arctan2(sign * b, sign * a)),
        np.abs(sizes) * np.hypot(c, d),
        np.abs(sizes) * np.hypot(a, b),
        foot,
        foot + up,
        font,
        fonts.tolist(),
        heights[:, 0],
        np.isin(modes, _INVISIBLE_MODES) | (rgba[:, 3] == 0),
        colour,
        colour.min(axis=1) >= _PALE,
        (rgba[:, 3] != _OPAQUE) | np.isin(modes, _OUTLINED_MODES),
        modes >= _CLIPPING_MODE,
    )


def _height(font: int) -> tuple[float, float]:
    """Return the height of a font and, below 0, its lowest descender, in font sizes.

    A font that does not tell has the height 0 and the descender of most.
    """
    up, down = ctypes.c_float(), ctypes.c_float()
    if (
        font
        and _ascent(font, 1.0, ctypes.byref(up))
        and _descent(font, 1.0, ctypes.byref(down))
        and up.value > down.value
    ):
        return up.value - down.value, down.value
    return 0.0, _DESCENDER


def glyphs(
    text: Any, fonts: list[int], font: Numbers, codes: Codes, places: Numbers
) -> tuple[Flags, Floats]:
    """Return, (n,), which characters their fonts do not map, and advances in font sizes.

    An advance is 0 where the font does not tell. Each code of each font is asked for once.

    Args:
        text: PDFium's text page, by reference.
        fonts: addresses of the fonts.
        font: (n,) number of the font of each character.
        codes: (n,) code points.
        places: (n,) numbers of the characters on the text page.
    """
    keys = font.astype(np.uint64) << np.uint64(32) | codes
    distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    unmapped = np.fromiter(
        map(_map_error, repeat(text), places[first].tolist()), np.int64, len(distinct)
    )
    advance = written(
        _glyph_width,
        (VOID(fonts[number]) for number in font[first].tolist()),
        codes[first].tolist(),
        repeat(ctypes.c_float(1.0)),
        count=len(distinct),
        columns=1,
    )
    return unmapped[inverse] > 0, advance[inverse, 0].astype(np.float64)
