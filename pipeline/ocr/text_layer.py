"""Reads the text layer of a PDF page with pdfplumber: words, places, source lines and blocks."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pdfplumber.utils.text import dedupe_chars, extract_words

from models.geometry import Box, clamped_box
from pipeline.document import Token
from pipeline.ocr.quality import Verdict, judge
from pipeline.ocr.reading_order import order_tokens
from pipeline.ocr.turning import turned_box
from pipeline.ocr.words import clean_word

_LETTER_GAP = 0.15  # of the font size: wider gaps between letters part words
_SAME_ROW = 0.4  # of the lower height that the middles of two words of a line may differ
_COLUMN_GAP = 1.5  # heights: a wider gap ends a source line
_BLOCK_GAP = 0.8  # heights: a wider gap ends a block
_FONT_RATIO = 1.5  # of heights within a block
_ONE_WAY = 0.8  # share of characters that run one way
_DOUBLED = 0.9  # share of distinct characters below which letters count as drawn twice
_OPEN_BLOCKS = 12  # blocks that can still take a line


@dataclass(frozen=True, slots=True)
class LayerPage:
    """The text layer of one page.

    Attributes:
        width, height: size of the visible page (its crop box) as displayed, in points.
        rotation: degrees clockwise to turn the displayed page by so that its text stands upright.
        tokens: the words in reading order; empty where the verdict is against them.
        verdict: whether the text layer is to be used, and why.
    """

    width: float
    height: float
    rotation: int
    tokens: tuple[Token, ...]
    verdict: Verdict


def read_layer(page: Any) -> LayerPage:
    """Return the text layer of a pdfplumber page.

    pdfplumber has turned the page by its /Rotate already; places are taken relative to the part of
    the crop box that lies on the page, which is what viewers and renderers show. Where most of the
    text then still runs sideways or upside down, it is read turned and its boxes are turned back.

    Raises:
        ValueError: the page has no area.
        Exception: whatever pdfplumber raises for a damaged page.
    """
    frame = _visible(page)
    if not (frame.width > 0 and frame.height > 0):
        raise ValueError("the page has no area")
    characters = [character for character in page.chars if frame.shows(character)]
    rotation = _text_rotation(characters)
    characters = [_turned(character, frame, rotation) for character in characters]
    sides = (frame.width, frame.height) if rotation % 180 == 0 else (frame.height, frame.width)
    upright = _Frame(0.0, 0.0, *sides)
    tokens: list[Token] = []
    for number, line in enumerate(_lines(_words(characters))):
        tokens += [
            Token(text, upright.place(word), line=number)
            for word in line
            if (text := clean_word(word["text"]))
        ]
    pictures = sum(box.width * box.height for box in map(frame.place, page.images))
    verdict = judge(
        [character["text"] for character in characters],
        [token.text for token in tokens],
        picture_share=min(pictures, 1.0),
        reach=max((t.box.bottom for t in tokens), default=0.0)
        - min((t.box.top for t in tokens), default=0.0),
    )
    ordered: tuple[Token, ...] = ()
    if verdict.trusted:
        aspect = upright.height / upright.width
        ordered = tuple(
            replace(token, box=turned_box(token.box, -rotation))
            for token in order_tokens(_with_blocks(tokens, aspect), aspect)
        )
    return LayerPage(
        frame.width,
        frame.height,
        rotation,
        ordered,
        verdict,
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    """A part of the page in pdfplumber's coordinates: points, origin top left."""

    left: float
    top: float
    width: float
    height: float

    def place(self, thing: dict[str, Any]) -> Box:
        """Return where a pdfplumber object lies, in fractions of the frame."""
        return clamped_box(
            (thing["x0"] - self.left) / self.width,
            (thing["top"] - self.top) / self.height,
            (thing["x1"] - self.left) / self.width,
            (thing["bottom"] - self.top) / self.height,
        )

    def shows(self, thing: dict[str, Any]) -> bool:
        """Return whether the middle of a pdfplumber object lies in the frame."""
        across = (thing["x0"] + thing["x1"]) / 2 - self.left
        down = (thing["top"] + thing["bottom"]) / 2 - self.top
        return bool(0 <= across <= self.width and 0 <= down <= self.height)


def _visible(page: Any) -> _Frame:
    """Return the crop box within the media box, turned by /Rotate as pdfminer turns the page.

    pdfplumber's own `cropbox` is not turned about the page, so it is computed from the source.
    """
    x0, y0, x1, y1 = _in_order(page.page_obj.mediabox)
    left, low, right, high = _in_order(page.page_obj.cropbox)
    left, low, right, high = max(left, x0), max(low, y0), min(right, x1), min(high, y1)
    if not (left < right and low < high):
        # A crop box beside the page shows nothing: viewers then show the page.
        left, low, right, high = x0, y0, x1, y1
    width, height = x1 - x0, y1 - y0
    box = (left - x0, y1 - high, right - x0, y1 - low)
    rotation = page.page_obj.rotate
    for _ in range(rotation // 90 if rotation % 90 == 0 else 0):
        box = (height - box[3], box[0], height - box[1], box[2])
        width, height = height, width
    shift_x, shift_y = (float(value) for value in page.mediabox[:2])
    return _Frame(box[0] + shift_x, box[1] + shift_y, box[2] - box[0], box[3] - box[1])


def _in_order(box: Sequence[float]) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = map(float, box)
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _text_rotation(characters: Sequence[dict[str, Any]]) -> int:
    """Return the clockwise turn, in degrees, that makes nearly all text upright; 0 if mixed."""
    turns: Counter[int] = Counter()
    for character in characters:
        along, up = character["matrix"][:2]
        if abs(along) >= abs(up):
            turns[0 if along >= 0 else 180] += 1
        else:
            turns[90 if up > 0 else 270] += 1
    return next((turn for turn, n in turns.items() if n >= _ONE_WAY * len(characters)), 0)


def _turned(character: dict[str, Any], frame: _Frame, degrees: int) -> dict[str, Any]:
    """Return a character relative to the frame, turned clockwise with it; in points."""
    x0, x1 = character["x0"] - frame.left, character["x1"] - frame.left
    top, bottom = character["top"] - frame.top, character["bottom"] - frame.top
    width, height = frame.width, frame.height
    for _ in range(degrees // 90):
        x0, top, x1, bottom = height - bottom, x0, height - top, x1
        width, height = height, width
    upright = character["upright"] if degrees % 180 == 0 else not character["upright"]
    place = {"x0": x0, "x1": x1, "top": top, "bottom": bottom, "doctop": top}
    return {**character, **place, "upright": upright}


def _words(characters: list[dict[str, Any]]) -> list[dict[str, Any]]:
    distinct = {(c["text"], round(c["x0"]), round(c["top"])) for c in characters}
    # Bold by drawing twice: only then is the slow removal of doubles worth its time.
    if len(distinct) < _DOUBLED * len(characters):
        characters = dedupe_chars(characters, tolerance=1)
    words: list[dict[str, Any]] = extract_words(characters, x_tolerance_ratio=_LETTER_GAP)
    return words


def _lines(words: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the words in lines, each ended by a gap as wide as between columns."""
    level = [word for word in words if word["upright"]]
    lines = [[word] for word in words if not word["upright"]]
    rows: list[list[dict[str, Any]]] = []
    for word in sorted(level, key=lambda word: word["top"] + word["bottom"]):
        first = rows[-1][0] if rows else word
        apart = abs(word["top"] + word["bottom"] - first["top"] - first["bottom"]) / 2
        if rows and apart <= _SAME_ROW * min(_height(word), _height(first)):
            rows[-1].append(word)
        else:
            rows.append([word])
    for row in rows:
        row.sort(key=lambda word: word["x0"])
        line = [row[0]]
        for word in row[1:]:
            if word["x0"] - line[-1]["x1"] > _COLUMN_GAP * min(_height(word), _height(line[-1])):
                lines.append(line)
                line = []
            line.append(word)
        lines.append(line)
    return lines


def _height(word: dict[str, Any]) -> float:
    return float(word["bottom"] - word["top"])


@dataclass(slots=True)
class _Block:
    """A block under construction: its last line's place, in page widths."""

    number: int
    x0: float
    x1: float
    bottom: float
    height: float


def _with_blocks(tokens: Sequence[Token], aspect: float) -> list[Token]:
    """Return the tokens with block numbers: close lines of one size are a block."""
    lines: dict[int, list[Token]] = {}
    for token in tokens:
        lines.setdefault(token.line, []).append(token)
    blocks: list[_Block] = []
    result: list[Token] = []
    for words in sorted(lines.values(), key=lambda words: min(word.box.top for word in words)):
        x0, x1 = min(word.box.x0 for word in words), max(word.box.x1 for word in words)
        top = min(word.box.top for word in words) * aspect
        height = statistics.median(word.box.height for word in words) * aspect
        above = None
        for block in blocks[-_OPEN_BLOCKS:]:
            near = -height <= top - block.bottom <= _BLOCK_GAP * height
            beside = block.x0 < x1 and x0 < block.x1
            alike = height <= _FONT_RATIO * block.height and block.height <= _FONT_RATIO * height
            if near and beside and alike:
                above = block
        if above is None:
            above = _Block(len(blocks), x0, x1, top, height)
            blocks.append(above)
        above.x0, above.x1, above.height = x0, x1, height
        above.bottom = max(word.box.bottom for word in words) * aspect
        result += [Token(t.text, t.box, t.confidence, t.line, above.number) for t in words]
    return result
