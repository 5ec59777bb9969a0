"""Turns a raster of a page into the page: made ready, read, its words put in order and back.

The page is recognised once. Lines that run sideways are found before (`ink.runs_across`); a few
lines alone may mislead it, and the lines that were read tell. Whether the page is upside down shows
in what was recognised: letters upside down give words of little confidence. Only in that case a
band of the page is tried turned.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from pipeline.document import Page, Token
from pipeline.errors import ReadingTimeout
from pipeline.reading.engines.base import Raster, Recognised
from pipeline.reading.engines.lookup import engine_named
from pipeline.reading.layout import order_tokens
from pipeline.reading.options import ReadOptions
from pipeline.reading.scans.bend import bend_of
from pipeline.reading.scans.ink import find_ink
from pipeline.reading.scans.pixels import is_blank
from pipeline.reading.scans.prepare import View, prepare

_BAND = 0.25  # of the page's height, tried turned
_BETTER = 1.2  # times the confidence in what was read of the page as it stood
_SOUND = 0.8  # of `Engine.doubtful`: a poor scan may stay doubtful however it is turned
_ENOUGH = 12  # letters


def read_scan(
    raster: Raster, number: int, width: float, height: float, options: ReadOptions, *, reason: str
) -> Page:
    """Return a page read by OCR from a raster that shows the page as delivered.

    A page without ink is not given to the OCR: its text source is "none" and its reason says so.

    Args:
        raster: the page as pixels.
        number: page number, from 1.
        width: width of the page as delivered, in the unit of `height`.
        height: height of the page as delivered.
        options: engine, language, time limit and pixel budget.
        reason: why the page is read by OCR.

    Raises:
        InvalidOption, DependencyMissing, ReadingTimeout, CorruptDocument: as `Engine.recognise`.
    """
    reader = _Reader(raster.dpi, options)
    if is_blank(raster.image):
        return Page(number, width, height, reason=f"blank page, {reason}")
    view = prepare(raster.image, options.max_pixels_per_page)
    read = reader.read(view)
    if _sideways(read.words, view.aspect):
        rotation = (view.rotation + 90) % 180
        turned = prepare(raster.image, options.max_pixels_per_page, rotation=rotation)
        across = reader.read(turned)
        if _read(across.words) > _read(read.words):  # some scripts run down a page
            view, read = turned, across
    doubtful = _confidence(read.words) < reader.engine.doubtful
    if doubtful and (turn := _better_turn(view, read.words, reader)):
        rotation = (view.rotation + turn) % 360
        view = prepare(raster.image, options.max_pixels_per_page, rotation=rotation)
        read = reader.read(view)
    if bend := bend_of(read.words):
        words = bend.bent(order_tokens(bend.flat(read.words), view.aspect * bend.longer))
    else:
        words = list(order_tokens(read.words, view.aspect))
    tokens = tuple(replace(token, box=view.place(token.box)) for token in words)
    return Page(number, width, height, view.rotation, "ocr", reason, tokens, read.illegible)


class _Reader:
    """Recognises views of one page with its engine and within its time limit."""

    def __init__(self, dpi: int | None, options: ReadOptions) -> None:
        self._dpi = dpi
        self._options = options
        self.engine = engine_named(options.engine)
        self._end = time.monotonic() + options.page_timeout_s

    def read(self, view: View) -> Recognised:
        """Return what a view says, boxes in fractions of it; errors as `Engine.recognise`."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise ReadingTimeout(
                f"Recognising a page took longer than {self._options.page_timeout_s:g} seconds."
            )
        raster = Raster(view.image, self._dpi, view.letters)
        return self.engine.recognise(raster, language=self._options.language, timeout_s=left)


def _sideways(words: list[Token], aspect: float) -> bool:
    """Return whether most of what was read of a view runs up or down it."""
    tall = [
        word
        for word in words
        if len(word.text) > 1
        and (word.box.bottom - word.box.top) * aspect > word.box.x1 - word.box.x0
    ]
    return 2 * _letters(tall) > _letters(words) >= _ENOUGH


def _better_turn(view: View, words: list[Token], reader: _Reader) -> int:
    """Return by how many degrees clockwise the view reads clearly better; 0 for as it stands."""
    rows = find_ink(view.image)
    height = view.image.height
    top = _busiest(rows.mask.sum(axis=1)) * rows.scale
    bottom = min(height, top + max(1, round(height * _BAND)))
    band = view.band(top, bottom)
    turns = (180,) if view.sure else (180, 90, 270)
    trials = {turn: reader.read(band.turned(turn)).words for turn in turns}
    best = max(trials, key=lambda turn: _read(trials[turn]))
    confidence = _confidence(trials[best])
    # Noise must not turn a page that cannot be read either way.
    sound = _letters(trials[best]) >= _ENOUGH and confidence > _SOUND * reader.engine.doubtful
    return best if sound and confidence > _BETTER * _confidence(words) else 0


def _busiest(ink: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    """Return the first row of the band with the most ink."""
    rows = max(1, round(len(ink) * _BAND))
    sums = np.concatenate([[0], np.cumsum(ink)])
    return int(np.argmax(sums[rows:] - sums[:-rows]))


def _read(words: list[Token]) -> float:
    """Return how much was read: letters, each as much as it is trusted."""
    return sum(len(word.text) * word.confidence for word in words)


def _confidence(words: list[Token]) -> float:
    """Return the mean confidence of the letters, 0 without any."""
    return _read(words) / max(1, _letters(words))


def _letters(words: list[Token]) -> int:
    return sum(len(word.text) for word in words)
