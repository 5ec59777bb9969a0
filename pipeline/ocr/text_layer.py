"""Reads the text layer of a PDF page with pdfplumber: words, places, source lines and blocks."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from models.geometry import Box, clamped_box
from pipeline.document import Token
from pipeline.ocr.quality import Verdict, judge
from pipeline.ocr.reading_order import order_tokens
from pipeline.ocr.words import clean_word

_LETTER_GAP = 0.15  # of the font size: wider gaps between letters part words
_SAME_ROW = 0.4  # of the lower height that the middles of two words of a line may differ
_COLUMN_GAP = 1.5  # heights: a wider gap ends a source line
_BLOCK_GAP = 0.8  # heights: a wider gap ends a block
_FONT_RATIO = 1.5  # of heights within a block
_DOUBLED = 0.9  # share of distinct characters below which letters count as drawn twice
_OPEN_BLOCKS = 12  # blocks that can still take a line


@dataclass(frozen=True, slots=True)
class LayerPage:
    """The text layer of one page.

    Attributes:
        width, height: size of the visible page (its crop box) as displayed, in points.
        tokens: the words in reading order; empty where the verdict is against them.
        verdict: whether the text layer is to be used, and why.
        paints: whether the page shows anything besides text: pictures, lines, form fields.
    """

    width: float
    height: float
    tokens: tuple[Token, ...]
    verdict: Verdict
    paints: bool


def read_layer(page: Any) -> LayerPage:
    """Return the text layer of a pdfplumber page.

    pdfplumber has turned the page by its /Rotate already; places are taken relative to the part of
    the crop box that lies on the page, which is what viewers and renderers show.

    Raises:
        ValueError: the page has no area.
        Exception: whatever pdfplumber raises for a damaged page.
    """
    left, top, right, bottom = _visible(page)
    width, height = right - left, bottom - top
    if not (width > 0 and height > 0):
        raise ValueError("the page has no area")

    def place(thing: dict[str, Any]) -> Box:
        return clamped_box(
            (thing["x0"] - left) / width,
            (thing["top"] - top) / height,
            (thing["x1"] - left) / width,
            (thing["bottom"] - top) / height,
        )

    def visible(thing: dict[str, Any]) -> bool:
        across, down = (thing["x0"] + thing["x1"]) / 2, (thing["top"] + thing["bottom"]) / 2
        return bool(left <= across <= right and top <= down <= bottom)

    characters = [character for character in page.chars if visible(character)]
    tokens: list[Token] = []
    for number, line in enumerate(_lines(_words(page, characters, visible))):
        tokens += [
            Token(text, place(word), line=number)
            for word in line
            if (text := clean_word(word["text"]))
        ]
    pictures = sum(box.width * box.height for box in map(place, page.images))
    verdict = judge(
        [character["text"] for character in characters],
        [token.text for token in tokens],
        picture_share=min(pictures, 1.0),
        reach=max((t.box.bottom for t in tokens), default=0.0)
        - min((t.box.top for t in tokens), default=0.0),
    )
    paints = any((page.images, page.lines, page.curves, page.rects, page.annots))
    aspect = height / width
    ordered = order_tokens(_with_blocks(tokens, aspect), aspect) if verdict.trusted else ()
    return LayerPage(float(width), float(height), ordered, verdict, paints)


def _visible(page: Any) -> tuple[float, float, float, float]:
    """Return the crop box within the media box as left, top, right, bottom, in points."""
    crop, media = page.cropbox, page.mediabox
    left, top = max(crop[0], media[0]), max(crop[1], media[1])
    right, bottom = min(crop[2], media[2]), min(crop[3], media[3])
    # A crop box beside the page shows nothing: viewers then show the page.
    return (left, top, right, bottom) if left < right and top < bottom else tuple(media)


def _words(page: Any, characters: Sequence[dict[str, Any]], visible: Any) -> list[dict[str, Any]]:
    distinct = {(c["text"], round(c["x0"]), round(c["top"])) for c in characters}
    # Bold by drawing twice: only then is the slow removal of doubles worth its time.
    if len(distinct) < _DOUBLED * len(characters):
        page = page.dedupe_chars()
    words = page.extract_words(x_tolerance_ratio=_LETTER_GAP)
    return [word for word in words if visible(word)]


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
