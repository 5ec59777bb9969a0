"""Reads the text layer of a PDF page: the words that it shows, in reading order, and its verdict.

The steps: characters (`characters`), words (`words`), the words that can be seen (`visible`), the
verdict (`quality`), then lines, blocks and the reading order (`pipeline.reading.layout`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pipeline.affine import Affine
from pipeline.document import Token
from pipeline.reading.layout import WordTable, clean_word, in_blocks, in_order, source_lines
from pipeline.reading.text_layer.characters import (
    UNMAPPED,
    Characters,
    Frame,
    frame_of,
    read_characters,
)
from pipeline.reading.text_layer.quality import HIDDEN, Verdict, judge
from pipeline.reading.text_layer.text_objects import Floats, Numbers
from pipeline.reading.text_layer.visible import seen
from pipeline.reading.text_layer.words import Words, in_text_frame, words_of

_ONE_WAY = 0.8  # share of words that run one way
_ALIKE = 0.25  # degrees that the skews of one page may differ by; on 500 points, two


@dataclass(frozen=True, slots=True)
class LayerPage:
    """The text layer of one page.

    Attributes:
        width, height: size of the visible page (its crop box) as displayed, in points.
        rotation: degrees clockwise to turn the displayed page by so that its text stands upright.
        tokens: the words that can be seen, in reading order, whatever the verdict.
        verdict: whether the text layer is to be used, and why.
    """

    width: float
    height: float
    rotation: int
    tokens: tuple[Token, ...]
    verdict: Verdict


def read_layer(page: Any) -> LayerPage:
    """Return the text layer of a `pypdfium2.PdfPage`.

    Places are taken relative to the part of the crop box that lies on the page, turned by /Rotate,
    which is what viewers and renderers show; what lies outside is not read. Where most of the text
    then still runs sideways or upside down, it is read turned and its boxes are turned back.

    Raises:
        ValueError: the page has no area, or its text cannot be read.
    """
    frame = frame_of(page)
    characters = _within(read_characters(page, frame), frame)
    seen_words = seen(page, frame, words_of(characters))
    words = seen_words.words
    texts = [_readable(text) for text in words.texts]
    shown = characters.codes > 0x20
    unmapped = float(characters.unmapped[shown].mean()) if shown.any() else 0.0
    verdict = judge(
        [text for text in texts if text],
        unmapped=unmapped,
        coverage=seen_words.coverage,
        scan=seen_words.scan,
    )
    if seen_words.hidden and not any(texts):
        verdict = Verdict(False, HIDDEN)
    rotation = _rotation(words)
    skew = _skew(words, rotation)
    width, height = frame.size
    sheet = (width, height) if rotation % 180 == 0 else (height, width)
    aspect = sheet[1] / sheet[0]
    if skew:
        table = _table(_levelled(words, skew - rotation, frame.size, sheet), texts, sheet)
        turned = Affine.rotation(skew - rotation, sheet, frame.size)
        back = Affine.scaling(*sheet).then(turned).then(Affine.scaling(1 / width, 1 / height))
    else:
        table = _table(words, texts, frame.size)
        table = replace(table, boxes=_clamped(table.boxes))
        back = Affine.quarter_turn(-rotation)
        if rotation:
            table = replace(table, boxes=back.inverse().boxes(table.boxes))
    table = in_order(in_blocks(table, aspect), aspect)
    if skew or rotation:
        table = replace(table, boxes=back.boxes(table.boxes))
    return LayerPage(width, height, rotation, table.tokens(), verdict)


def _within(characters: Characters, frame: Frame) -> Characters:
    """Return the characters whose middle lies in the frame."""
    x0, top, x1, bottom = characters.boxes.T
    width, height = frame.size
    across, down = (x0 + x1) / 2, (top + bottom) / 2
    inside = (across >= 0) & (across <= width) & (down >= 0) & (down <= height)
    return characters if inside.all() else characters.where(inside)


def _readable(text: str) -> str:
    """Return a word cleaned; nothing of one that has no character with a meaning."""
    cleaned = clean_word(text)
    return cleaned if cleaned.strip(chr(UNMAPPED)) else ""


def _rotation(words: Words) -> int:
    """Return the clockwise turn, in degrees, that makes nearly all text upright; 0 if mixed."""
    letters = np.array([len(text) for text in words.texts])
    for degrees in (90, 180, 270):
        if letters[words.direction == degrees].sum() >= _ONE_WAY * max(letters.sum(), 1):
            return 360 - degrees
    return 0


def _skew(words: Words, rotation: int) -> float:
    """Return the degrees clockwise that nearly all text is askew by once it is turned; 0 if mixed.

    Args:
        words: of the page.
        rotation: the turn that makes nearly all of them upright, but for the skew.
    """
    letters = np.array([len(text) for text in words.texts])
    upright = np.flatnonzero((words.direction + rotation) % 360 == 0)
    if not len(upright):
        return 0.0
    order = upright[np.argsort(words.skew[upright])]
    reached = np.cumsum(letters[order])
    skew = float(words.skew[order][np.searchsorted(reached, reached[-1] / 2)])
    alike = upright[np.abs(words.skew[upright] - skew) <= _ALIKE]
    common = letters[alike].sum() >= _ONE_WAY * letters.sum()
    return skew if common and abs(skew) > _ALIKE else 0.0


def _levelled(
    words: Words, degrees: float, page: tuple[float, float], sheet: tuple[float, float]
) -> Words:
    """Return the words of a page that is turned back, so that they stand upright and level.

    Args:
        words: of the page.
        degrees: clockwise turn of their text.
        page: width and height of the page in points.
        sheet: those of the page turned back; its middle shows the same point.
    """
    turn = np.full(len(words.texts), degrees)
    along0, along1, down0, down1 = in_text_frame(words.boxes, turn, words.size)
    back = Affine.rotation(-degrees, page, sheet)
    boxes = np.stack((along0 + back.c, down0 + back.f, along1 + back.c, down1 + back.f), axis=1)
    return replace(words, boxes=boxes, direction=np.zeros(len(turn), np.int64))


def _table(words: Words, texts: list[str], size: tuple[float, float]) -> WordTable:
    """Return the words that can be read, in the order of their source lines.

    Args:
        words: of the page, or of the page turned back.
        texts: of the words, cleaned.
        size: width and height of that page in points, which boxes become fractions of.
    """
    along0, along1, down0, down1 = in_text_frame(words.boxes, words.direction, words.size)
    middle, high = (down0 + down1) / 2, down1 - down0
    read = np.array([bool(text) for text in texts], np.bool_)
    orders: list[Numbers] = []
    lines: list[Numbers] = []
    count = 0
    for degrees in np.unique(words.direction).tolist():
        chosen = np.flatnonzero(read & (words.direction == degrees))
        if not len(chosen):
            continue
        order, line = source_lines(along0[chosen], along1[chosen], middle[chosen], high[chosen])
        orders.append(chosen[order])
        lines.append(line + count)
        count += int(line[-1]) + 1
    order = np.concatenate(orders) if orders else np.zeros(0, np.int64)
    return WordTable(
        [texts[word] for word in order.tolist()],
        words.boxes[order] / (size * 2),
        np.concatenate(lines) if lines else order,
        np.zeros(len(order), np.int64),
        order,
    )


def _clamped(boxes: Floats) -> Floats:
    """Return boxes, (n, 4), as `clamped_box` does."""
    x0, top, x1, bottom = np.clip(boxes, 0.0, 1.0).T
    sides = np.minimum(x0, x1), np.minimum(top, bottom), np.maximum(x0, x1), np.maximum(top, bottom)
    return np.stack(sides, axis=1)
