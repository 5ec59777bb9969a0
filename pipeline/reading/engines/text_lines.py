"""Runs PP-OCR's two networks: finds the lines of text on a picture, and reads a line's letters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime

from pipeline.reading.engines.onnx_model import without_subnormals

Picture = npt.NDArray[np.uint8]  # (height, width), grey
_Floats = npt.NDArray[np.float32]
_Doubles = npt.NDArray[np.float64]

cv2.setNumThreads(1)  # as for the networks, see `_session`

# Detection works on a picture of at most about this size: letters of 10 points on a page of A4 are
# 14 pixels high there. Where even small letters are higher than they need be, less suffices.
_AREA = 1_000_000
_LEAST_AREA = 200_000
_HIGH_ENOUGH = 9.0  # pixels of that picture; at 8, pages of one small size lose words
_MAX_ENLARGEMENT = 2.0  # of a picture smaller than that
# Pictures that are so many times as high as wide, or have so many pixels (A4 at 300 dpi has 9
# million), are searched in bands where all at once would take so many times `_AREA`.
_STRIP, _LARGE, _TOO_MUCH = 4.0, 12_000_000, 2.0
_BAND_LETTERS, _OVERLAP_LETTERS = 20.0, 6.0  # of letters: the least height of a band; its overlaps
_STEP = 32  # sides of the network's input are multiples of it
# What the network says of a pixel, 0 to 1; the thresholds of RapidOCR's configuration.
_INK = 0.3  # a pixel with more is text
_LINE = 0.5  # a region with a lower mean is not a line
_MIN_SIDE = 3.0  # pixels of the map
# The map shows the cores of lines. Grown by so much of area over circumference, they hold their
# letters whole, as reading wants them; grown by less, they keep clear of other lines.
_GROWN, _TIGHT = 1.9, 1.2
# A line bends where paper does. It is followed where its core fills little of the rectangle around
# it, is much thinner than that, and is one band about a curve.
_FILLED, _THIN, _ONE_BAND, _CURVE = 0.7, 0.8, 1.25, 3  # the last: degree of the curve
_HEIGHT = 48  # of the recognition's input
_MAX_ASPECT = 80.0  # a longer line is read in parts: its input would take too much memory
# Languages in plain letters are not given others: what looks like an accent is mostly dirt.
_SIGNS = frozenset("£€¥₱₹₽°©®™§±½¼¾×–—‘’“”•…")
_PLAIN = frozenset(map(chr, range(0x20, 0x7F))) | _SIGNS | frozenset("éÉ")
_LATIN = frozenset(map(chr, range(0x20, 0x180))) | _SIGNS | frozenset("ȘșȚț‚„†‡‰‹›ƒΩ₤")
Script = Literal["plain", "latin", "any"]


@dataclass(frozen=True, slots=True)
class Quad:
    """A line's place: a rectangle at any angle, in pixels, that holds its letters whole.

    Attributes:
        corners: (4, 2) x and y, from the upper left corner clockwise.
        margins: fractions of width and height that it has at either end, more than the letters
            are likely to need.
        bend: of a line that is not straight, by how many heights it lies below the rectangle: the
            coefficients, highest first, of a polynomial in the fraction of the width.
    """

    corners: _Floats
    margins: tuple[float, float]
    bend: tuple[float, ...] = ()

    @property
    def width(self) -> float:
        """Length of the upper edge."""
        return float(np.linalg.norm(self.corners[1] - self.corners[0]))

    @property
    def height(self) -> float:
        """Length of the left edge."""
        return float(np.linalg.norm(self.corners[3] - self.corners[0]))

    def turned(self, quarters: int) -> Quad:
        """Return the place for text turned by so many quarters clockwise."""
        across, down = self.margins
        margins = (down, across) if quarters % 2 else (across, down)
        return Quad(np.roll(self.corners, -quarters, 0), margins)

    def around(self, place: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        """Return x0, top, x1, bottom in pixels around a part of the line.

        Args:
            place: the same as fractions of the line's width and height.
        """
        x0, top, x1, bottom = place
        across = np.linspace(x0, x1, 5 if self.bend else 2)
        sunk = np.polyval(self.bend, across)
        points = self.at(np.tile(across, 2), np.append(top + sunk, bottom + sunk))
        (left, high), (right, low) = points.min(0).tolist(), points.max(0).tolist()
        return left, high, right, low

    def at(self, across: _Doubles, down: _Doubles) -> _Doubles:
        """Return x and y in pixels, (..., 2), of points given as fractions of the rectangle."""
        across, down = across[..., None], down[..., None]
        upper_left, upper_right, lower_right, lower_left = self.corners
        upper = upper_left + (upper_right - upper_left) * across
        lower = lower_left + (lower_right - lower_left) * across
        return np.asarray(upper + (lower - upper) * down)


@dataclass(frozen=True, slots=True)
class Line:
    """A line cut out of its page and laid level.

    Attributes:
        picture: at least one pixel each way.
        margin: fraction of the height, above and below, that belongs to other lines.
    """

    picture: Picture
    margin: float


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter of a line.

    Attributes:
        text: the letter, or white space.
        middle: where it is, as a fraction of the line's width.
        confidence: 0 to 1.
    """

    text: str
    middle: float
    confidence: float


class LineFinder:
    """The detection network: where lines of text are on a picture."""

    def __init__(self, model: Path) -> None:
        self._session = _session(model)
        self._input = self._session.get_inputs()[0].name

    def find(self, picture: Picture, letters: float = 0.0) -> Iterator[Quad]:
        """Yield the places of the lines, in no order that means anything.

        Strips and very large pictures are searched in bands across, one after the other as the
        places are asked for: as a whole their letters would be too low to be found.

        Args:
            picture: the page.
            letters: how high its small letters are, in pixels; 0 where that is not known.
        """
        height, width = picture.shape
        enough = height * width * (_HIGH_ENOUGH / letters) ** 2 if letters else _AREA
        strip = height > _STRIP * width or height * width > _LARGE
        if strip and enough > _TOO_MUCH * _AREA:
            bands = min(math.ceil(enough / _AREA), int(height / (_BAND_LETTERS * letters)))
            yield from self._in_bands(picture, max(bands, 1), letters)
            return
        yield from self._quads(picture, min(max(enough, _LEAST_AREA), _AREA))

    def _in_bands(self, picture: Picture, bands: int, letters: float) -> Iterator[Quad]:
        """Yield the places of the lines of a picture, searched in so many bands from the top.

        Bands end where there is least ink nearby, and overlap by some lines. A line is taken from
        the band that its middle lies in, from the upper one where both bands may say so.
        """
        height = len(picture)
        around = math.ceil(_OVERLAP_LETTERS * letters)
        edges = [
            0,
            *(_quiet_row(picture, height * band // bands, around) for band in range(1, bands)),
            height,
        ]
        above: list[Quad] = []  # near the edge between the band before and this one
        for start, end in pairwise(edges):
            top = max(start - around, 0)
            band = picture[top : end + around]
            near_edge = []
            for quad in self._quads(band, _AREA * len(band) / max(end - start, 1)):
                placed = replace(quad, corners=quad.corners + np.array([0, top], np.float32))
                middle = float(placed.corners[:, 1].mean())
                if not start - letters <= middle < end + letters:
                    continue
                if middle < start + letters and any(_same(placed, other) for other in above):
                    continue
                if middle >= end - letters:
                    near_edge.append(placed)
                yield placed
            above = near_edge

    def _quads(self, picture: Picture, area: float) -> list[Quad]:
        """Return the places of the lines, searched on a picture of about so many pixels."""
        height, width = picture.shape
        factor = min(math.sqrt(area / (height * width)), _MAX_ENLARGEMENT)
        sides = [max(_STEP, round(side * factor / _STEP) * _STEP) for side in (width, height)]
        shrinks = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
        small = _picture(cv2.resize(picture, sides, interpolation=shrinks))
        output: _Floats = self._session.run(None, {self._input: _as_input(small)})[0][0, 0]
        scale = np.array([width / sides[0], height / sides[1]], np.float32)
        return list(_quads(output, scale, np.array([width, height], np.float32)))


class LineReader:
    """The recognition network: what a line says, letter by letter."""

    def __init__(self, model: Path) -> None:
        self._session = _session(model)
        self._input = self._session.get_inputs()[0].name
        known = self._session.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._letters = ["", *known, " "]  # the first output is "no letter"
        self._allowed: dict[Script, npt.NDArray[np.int64]] = {
            "plain": _subset(self._letters, _PLAIN),
            "latin": _subset(self._letters, _LATIN),
            "any": np.arange(len(self._letters)),
        }

    def read(self, picture: Picture, scripts: Sequence[Script]) -> list[list[Letter]]:
        """Return the letters of a line from left to right, once for each script.

        Args:
            picture: the line, level.
            scripts: which letters may be answered, beside digits and signs: ``plain`` without
                accents, all ``latin`` ones, or ``any`` that the network knows. Several cost hardly
                more than one: the network runs once.
        """
        height, width = picture.shape
        if width > _MAX_ASPECT * height:
            cut = _blank_in_the_middle(picture)
            share = cut / width
            return [
                [
                    *(replace(letter, middle=letter.middle * share) for letter in left),
                    Letter(" ", share, 1.0),
                    *(
                        replace(letter, middle=share + letter.middle * (1 - share))
                        for letter in right
                    ),
                ]
                for left, right in zip(
                    self.read(picture[:, :cut], scripts),
                    self.read(picture[:, cut:], scripts),
                    strict=True,
                )
            ]
        shown = max(8, math.ceil(_HEIGHT * width / height))
        line = _picture(cv2.resize(picture, (shown, _HEIGHT), interpolation=cv2.INTER_LINEAR))
        columns = -(-shown // 8) * 8  # the network halves the width three times
        line = np.pad(line, ((0, 0), (0, columns - shown)), mode="edge")
        output: _Floats = self._session.run(None, {self._input: _as_input(line)})[0][0]
        return [self._letters_of(output, columns / shown, script) for script in scripts]

    def _letters_of(self, output: _Floats, padded: float, script: Script) -> list[Letter]:
        """Return the letters that an output of the network says.

        Args:
            output: (T, letters) probabilities.
            padded: width of the network's input over that of the line.
            script: which letters count.
        """
        allowed = self._allowed[script]
        scores = output if script == "any" else output[:, allowed]
        best = scores.argmax(1)
        confidence = scores[np.arange(len(best)), best]
        # Neighbouring columns that say the same say it once.
        starts = np.flatnonzero(np.diff(best, prepend=-1))
        ends = np.append(starts[1:], len(best))
        step = padded / len(best)
        return [
            Letter(
                self._letters[allowed[best[start]]],
                min((start + end) / 2 * step, 1.0),
                float(confidence[start:end].max()),
            )
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
            if best[start]
        ]


def is_plain(letter: str) -> bool:
    """Tell whether a language that is written in plain letters has a letter."""
    return letter in _PLAIN


def inked_columns(picture: Picture) -> list[bool]:
    """Return which columns of a line's picture hold ink."""
    _, mask = cv2.threshold(picture, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    return [bool(column) for column in cv2.reduce(mask, 0, cv2.REDUCE_MAX)[0]]


def widest_blank(inked: Sequence[bool], start: int, stop: int) -> tuple[int, int]:
    """Return where the widest run of columns without ink begins and ends; an empty one if none.

    Args:
        inked: which columns hold ink.
        start: the first column that counts.
        stop: the first one that counts no more.
    """
    run, best, end = 0, 0, start
    for column in range(start, stop):
        run = 0 if inked[column] else run + 1
        if run > best:
            best, end = run, column + 1
    return end - best, end


def _blank_in_the_middle(picture: Picture) -> int:
    """Return a column in the middle third of a line at which it is best cut: between words."""
    width = picture.shape[1]
    start, end = widest_blank(inked_columns(picture), width // 3, 2 * width // 3)
    return (start + end) // 2 if end > start else width // 2


def _session(model: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    # One thread, which is the caller's: pages are spread over processes, and such a session may
    # be loaded before a fork.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        without_subnormals(model.read_bytes()), options, providers=["CPUExecutionProvider"]
    )


def _as_input(picture: Picture) -> _Floats:
    """Return a grey picture as the networks take it: (1, 3, height, width), -1 to 1."""
    values = picture.astype(np.float32) / 127.5 - 1.0
    return np.ascontiguousarray(np.broadcast_to(values, (1, 3, *values.shape)))


def _subset(letters: Sequence[str], allowed: frozenset[str]) -> npt.NDArray[np.int64]:
    """Return the numbers of the outputs that are allowed; the first one always is."""
    return np.array([n for n, text in enumerate(letters) if allowed.issuperset(text)])


def _quads(text: _Floats, scale: _Floats, size: _Floats) -> Iterator[Quad]:
    """Yield the places of lines on a map of text.

    Args:
        text: (rows, columns) how surely each pixel of the map belongs to the core of a line.
        scale: pixels of the picture a pixel of the map, across and down.
        size: width and height of the picture.
    """
    contours, _ = cv2.findContours(
        (text > _INK).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE
    )
    for contour in contours:
        middle, sides, angle = cv2.minAreaRect(contour)
        if min(sides) < _MIN_SIDE or _mean_within(text, contour) < _LINE:
            continue
        if bent := _bent(contour, middle, sides, angle, scale):
            yield bent
            continue
        grown = _grown(sides, _GROWN)
        corners = _corners(cv2.boxPoints((middle, grown, angle)) * scale)
        spare = (grown[0] - _grown(sides, _TIGHT)[0]) / 2
        across, down = spare / max(grown), spare / min(grown)
        quad = Quad(np.clip(corners, 0, size - 1), (across, down))
        if quad.height > quad.width:
            quad = Quad(quad.corners, (down, across))
        if min(quad.width, quad.height) > _MIN_SIDE:
            yield quad


def _bent(
    contour: cv2.typing.MatLike,
    middle: Sequence[float],
    sides: Sequence[float],
    angle: float,
    scale: _Floats,
) -> Quad | None:
    """Return the place of a line that bends; None where it is straight or runs up the page.

    Args:
        contour: of the line's core, on the map.
        middle: x and y of the rectangle around it.
        sides: of that rectangle.
        angle: of its first side, in degrees.
        scale: pixels of the picture a pixel of the map, across and down.
    """
    length, around = max(sides), min(sides)
    if length < 2 * around or cv2.contourArea(contour) > _FILLED * length * around:
        return None
    along = math.radians(angle if sides[0] > sides[1] else angle - 90)
    across = np.array([math.cos(along), math.sin(along)]) * (1 if math.cos(along) > 0 else -1)
    if across[0] < abs(across[1]):
        return None
    down = np.array([-across[1], across[0]])
    mask, corner = _mask(contour)
    # Sides of rectangles end in the middles of pixels.
    high = (float(np.percentile(mask.sum(axis=0), 95)) - 1) * float(across[0])
    if not 0 < high <= _THIN * around:
        return None
    rows, columns = np.nonzero(mask)
    core = np.column_stack((columns, rows)) + corner - middle
    at, below = core @ across / length, core @ down
    curve = np.polynomial.Polynomial.fit(at, below, _CURVE).convert()
    if math.sqrt(12) * float(np.std(below - curve(at))) > _ONE_BAND * high:
        return None  # several lines that touch, or no line
    width, height = _grown((length, high), _GROWN)
    tight, _ = _grown((length, high), _TIGHT)
    corners = [
        middle + x * width / 2 * across + y * height / 2 * down
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    share = np.polynomial.Polynomial([-0.5, 1.0]) * (width / length)  # of the width to `at`
    bend = tuple((curve(share) / height).coef[::-1].tolist())
    spare = (width - tight) / 2
    return Quad(np.array(corners, np.float32) * scale, (spare / width, spare / height), bend)


def _mask(contour: cv2.typing.MatLike) -> tuple[Picture, tuple[int, int]]:
    """Return what a contour encloses as ones, and x and y of the upper left corner."""
    x, y, width, height = cv2.boundingRect(contour)
    mask = np.zeros((height, width), np.uint8)
    cv2.drawContours(mask, [contour], -1, 1, cv2.FILLED, offset=(-x, -y))
    return mask, (x, y)


def _mean_within(text: _Floats, contour: cv2.typing.MatLike) -> float:
    mask, (x, y) = _mask(contour)
    height, width = mask.shape
    return float(cv2.mean(text[y : y + height, x : x + width], mask)[0])


def _grown(sides: Sequence[float], ratio: float) -> tuple[float, float]:
    """Return the sides of a rectangle moved out by `ratio` of its area over circumference."""
    width, height = sides
    margin = ratio * width * height / (width + height)  # both ends together
    return width + margin, height + margin


def _quiet_row(picture: Picture, row: int, around: int) -> int:
    """Return the row with the fewest edges of letters, at most so far from a row."""
    first = max(row - around, 1)
    near = picture[first : min(row + around, len(picture) - 1)].astype(np.int16)
    return first + int(np.abs(np.diff(near, axis=1)).sum(axis=1).argmin())


def _same(one: Quad, other: Quad) -> bool:
    """Return whether two places are those of one line: the smaller lies mostly in the other."""
    (low, high), (other_low, other_high) = (
        (quad.corners.min(axis=0), quad.corners.max(axis=0)) for quad in (one, other)
    )
    shared = np.maximum(np.minimum(high, other_high) - np.maximum(low, other_low), 0).prod()
    return bool(shared > 0.5 * min((high - low).prod(), (other_high - other_low).prod()))


def _corners(points: _Floats) -> _Floats:
    """Return the corners of a rectangle from the upper left one clockwise, (4, 2)."""
    left, right = np.split(points[np.argsort(points[:, 0], kind="stable")], 2)
    left, right = (pair[np.argsort(pair[:, 1], kind="stable")] for pair in (left, right))
    return np.array([left[0], right[0], right[1], left[1]], np.float32)


def cut_out(picture: Picture, quad: Quad) -> Line:
    """Return a line of the page, laid level."""
    width, height = max(1, int(quad.width)), max(1, int(quad.height))
    if quad.bend:
        across, down = (np.arange(side) / side for side in (width, height))
        sunk = down[:, None] + np.polyval(quad.bend, across)
        x, y = np.moveaxis(quad.at(np.broadcast_to(across, sunk.shape), sunk), -1, 0)
        cut = cv2.remap(
            picture,
            x.astype(np.float32),
            y.astype(np.float32),
            cv2.INTER_CUBIC,
            borderMode=cv2.BORDER_REPLICATE,
        )
        return Line(_picture(cut), quad.margins[1])
    level = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    cut = cv2.warpPerspective(
        picture,
        cv2.getPerspectiveTransform(quad.corners, level),
        (width, height),
        borderMode=cv2.BORDER_REPLICATE,
        flags=cv2.INTER_CUBIC,
    )
    return Line(_picture(cut), quad.margins[1])


def _picture(values: cv2.typing.MatLike) -> Picture:
    """Return what OpenCV made of a picture under its own type again."""
    return values.astype(np.uint8, copy=False)
