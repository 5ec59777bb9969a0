"""Turns a PDF page upright and level, for as long as its text is read.

PDFium takes text for upright: on a page that is shown sideways or askew it sees other spaces, boxes
of slanting letters overlap, and clipping paths are no rectangles. Turned back in PDFium itself, a
page is read as the upright one is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from pypdfium2 import raw

from pipeline.reading.text_layer.characters import Characters, Frame
from pipeline.reading.text_layer.text_objects import Floats

_LEAST = 0.25  # degrees; on 500 points, two: less parts no line
# Share of the letters that lie askew by about the same angle, and by how many degrees they may
# differ: OCR engines state one for each line of a scan.
_MOST, _ALIKE = 0.8, 1.0
_MAX_POINTS = 1_000_000  # of clipping paths; a page of more is made to do harm
_CLIPS = raw.FPDF_TEXTRENDERMODE_FILL_CLIP  # modes from here on make a clip of a text


def turn_of(characters: Characters) -> tuple[int, float]:
    """Return what nearly all text of a page is turned by, as shown.

    Returns:
        Quarter turns clockwise, 0 to 3, and degrees clockwise beyond, -45 to 45; 0 if mixed.
    """
    turns = characters.direction + characters.skew
    skew = skew_of((turns + 45) % 90 - 45)
    count = np.bincount(np.round((turns - skew) / 90).astype(np.int64) % 4, minlength=4)
    quarters = int(count.argmax())
    return quarters if count[quarters] >= _MOST * len(turns) else 0, skew


def skew_of(turns: Floats) -> float:
    """Return the degrees clockwise that nearly all letters are askew by; 0 if mixed.

    Args:
        turns: (n,) of each letter, -45 to 45: what it lacks of a quarter turn.
    """
    if not turns.any():  # as on most pages
        return 0.0
    skew = float(np.sort(turns)[len(turns) // 2])
    alike = np.abs((turns - skew + 45) % 90 - 45) <= _ALIKE
    return skew if alike.mean() >= _MOST and abs(skew) > _LEAST else 0.0


def can_be_turned(page: Any) -> bool:
    """Return whether a `pypdfium2.PdfPage` can be turned by degrees in little time and memory.

    PDFium turns a copy of what clips an object, for each object. It does not tell which texts do.
    """
    points = 0
    for item in _objects(page):
        if raw.FPDFTextObj_GetTextRenderMode(item) >= _CLIPS:
            return False
        clip = raw.FPDFPageObj_GetClipPath(item)
        for number in range(raw.FPDFClipPath_CountPaths(clip)):
            points += raw.FPDFClipPath_CountPathSegments(clip, number)
            if points > _MAX_POINTS:
                return False
    return True


def _objects(page: Any) -> Iterator[Any]:
    for number in range(raw.FPDFPage_CountObjects(page.raw)):
        yield raw.FPDFPage_GetObject(page.raw, number)


@contextmanager
def turned_back(page: Any, frame: Frame, quarters: int, degrees: float) -> Iterator[Frame]:
    """Turn a `pypdfium2.PdfPage` about the middle of what it shows, and then back.

    Yields:
        What it then shows: a sheet that holds all of the frame, with the same middle.

    Args:
        page: the page.
        frame: its visible part.
        quarters: turns clockwise that its text is shown with.
        degrees: clockwise that it is askew by beyond.
    """
    angle = math.radians(degrees)
    cosine, sine = math.cos(angle), abs(math.sin(angle))
    width, height = frame.right - frame.left, frame.top - frame.bottom
    across = (width * cosine + height * sine - width) / 2
    down = (height * cosine + width * sine - height) / 2
    sheet = replace(
        frame,
        left=frame.left - across,
        bottom=frame.bottom - down,
        right=frame.right + across,
        top=frame.top + down,
        turns=(frame.turns - quarters) % 4,
    )
    try:
        _turn(page, frame, angle)
        _show(page, sheet)
        yield sheet
    finally:
        _turn(page, frame, -angle)
        _show(page, frame)


def _show(page: Any, frame: Frame) -> None:
    """Make a frame what a page shows: its boxes may be those of all pages, which are not told."""
    for show in (page.set_mediabox, page.set_cropbox):
        show(frame.left, frame.bottom, frame.right, frame.top)
    page.set_rotation(90 * frame.turns)


def _turn(page: Any, frame: Frame, angle: float) -> None:
    """Turn the objects of a page counter-clockwise, in radians, with what clips them."""
    if not angle:
        return
    x, y = (frame.left + frame.right) / 2, (frame.bottom + frame.top) / 2
    cosine, sine = math.cos(angle), math.sin(angle)
    turn = (
        cosine, sine, -sine, cosine,
        x - cosine * x + sine * y, y - sine * x - cosine * y,
    )  # fmt: skip
    for item in _objects(page):
        raw.FPDFPageObj_Transform(item, *turn)
        raw.FPDFPageObj_TransformClipPath(item, *turn)
