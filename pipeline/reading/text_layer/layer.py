"""Reads the text layer of a PDF page: the words that it shows, in reading order, and its verdict.

The steps: characters (`characters`), words (`words`), the words that can be seen (`visible`), the
verdict (`quality`), then lines, blocks and the reading order (`pipeline.reading.layout`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from models.geometry import clamped_box
from pipeline.affine import turned_box
from pipeline.document import Token
from pipeline.reading.layout import Place, clean_word, order_tokens, source_lines, with_blocks
from pipeline.reading.text_layer.characters import (
    UNMAPPED,
    Characters,
    Frame,
    frame_of,
    read_characters,
)
from pipeline.reading.text_layer.quality import HIDDEN, Verdict, judge
from pipeline.reading.text_layer.visible import seen
from pipeline.reading.text_layer.words import Words, in_text_frame, words_of

_ONE_WAY = 0.8  # share of words that run one way


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
    width, height = frame.size
    tokens = _tokens(words, texts, frame)
    if rotation:
        tokens = [replace(token, box=turned_box(token.box, rotation)) for token in tokens]
    aspect = height / width if rotation % 180 == 0 else width / height
    ordered = order_tokens(with_blocks(tokens, aspect), aspect)
    if rotation:
        ordered = tuple(replace(token, box=turned_box(token.box, -rotation)) for token in ordered)
    return LayerPage(width, height, rotation, ordered, verdict)


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


def _tokens(words: Words, texts: list[str], frame: Frame) -> list[Token]:
    """Return the words that can be read, with their source lines."""
    along0, along1, down0, down1 = (
        side.tolist() for side in in_text_frame(words.boxes, words.direction, words.size)
    )
    places: dict[int, list[Place]] = {}
    for number, degrees in enumerate(words.direction.tolist()):
        if texts[number]:
            upper, lower = down0[number], down1[number]
            place = Place(
                number, along0[number], along1[number], (upper + lower) / 2, lower - upper
            )
            places.setdefault(degrees, []).append(place)
    width, height = frame.size
    boxes = (words.boxes / (width, height, width, height)).tolist()
    tokens: list[Token] = []
    for line, numbers in enumerate(
        line for degrees in sorted(places) for line in source_lines(places[degrees])
    ):
        tokens += [Token(texts[n], clamped_box(*boxes[n]), line=line) for n in numbers]
    return tokens
