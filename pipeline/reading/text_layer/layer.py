"""Reads the text layer of a PDF page: the words that it shows, in reading order, and its verdict.

The steps: characters (`characters`), words (`words`), the words that can be seen (`visible`), the
verdict (`quality`), then lines, blocks and the reading order (`pipeline.reading.layout`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pipeline.affine import Affine
from pipeline.document import Token
from pipeline.reading.layout import (
    WordTable,
    clean_word,
    in_blocks,
    in_order,
    joined,
    source_lines,
)
from pipeline.reading.text_layer.characters import (
    UNMAPPED,
    Characters,
    Frame,
    frame_of,
    in_text_frame,
    read_characters,
)
from pipeline.reading.text_layer.combs import Comb, in_cells
from pipeline.reading.text_layer.level import can_be_turned, skew_of, turn_of, turned_back
from pipeline.reading.text_layer.quality import HIDDEN, Verdict, judge
from pipeline.reading.text_layer.text_objects import Codes
from pipeline.reading.text_layer.visible import seen
from pipeline.reading.text_layer.words import Words


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


def read_layer(page: Any, combs: Sequence[Comb] = ()) -> LayerPage:
    """Return the text layer of a `pypdfium2.PdfPage`.

    Places are taken relative to the part of the crop box that lies on the page, turned by /Rotate,
    which is what viewers and renderers show; what lies outside is not read. Where nearly all text
    then still runs sideways, upside down or askew, the page is turned while it is read (`level`).

    Args:
        page: the page.
        combs: its form fields that are divided into cells, one a letter.

    Raises:
        ValueError: the page has no area, or its text cannot be read.
    """
    frame = frame_of(page)
    characters = read_characters(page, frame)
    quarters, skew = turn_of(characters)
    # Cells of combs stand level, whatever lies askew under them.
    if skew and (combs or not can_be_turned(page)):
        skew = 0.0
    if not quarters and not skew:
        return _read(page, frame, in_cells(_within(characters, frame), combs, frame))
    with turned_back(page, frame, quarters, skew) as sheet:
        back = Affine.rotation(90 * quarters + skew, sheet.size, frame.size)
        characters = _within(read_characters(page, sheet), frame, back)
        layer = _read(page, sheet, in_cells(characters, combs, sheet))
    back = Affine.scaling(*sheet.size).then(back)
    back = back.then(Affine.scaling(1 / frame.size[0], 1 / frame.size[1]))
    return LayerPage(
        *frame.size,
        -90 * quarters % 360,
        tuple(replace(token, box=back.box(token.box)) for token in layer.tokens),
        layer.verdict,
    )


def _read(page: Any, frame: Frame, characters: Characters) -> LayerPage:
    """Return the text layer of a page that has been turned as nearly all of its text wants it."""
    seen_words = seen(page, frame, characters)
    words = seen_words.words
    texts = _readable(words.texts)
    unmapped = _unmapped(characters.codes)
    verdict = judge(
        [text for text in texts if text],
        unmapped=unmapped,
        coverage=seen_words.coverage,
        scan=seen_words.scan,
        lost=unmapped > 0 and any(map(_is_lost, words.texts)),
        unread=seen_words.unread,
    )
    if seen_words.hidden and not any(texts):
        verdict = Verdict(False, HIDDEN)
    parts = _by_direction(replace(words, texts=texts))
    table = joined([_in_order(part, frame.size, level=not seen_words.scan) for part in parts])
    return LayerPage(*frame.size, 0, table.tokens(), verdict)


def _within(characters: Characters, frame: Frame, back: Affine | None = None) -> Characters:
    """Return the characters whose middle lies in the frame, once it is brought back to it."""
    x0, top, x1, bottom = characters.boxes.T
    width, height = frame.size
    across, down = (x0 + x1) / 2, (top + bottom) / 2
    if back is not None:
        across, down = back.point(across, down)
    inside = (across >= 0) & (across <= width) & (down >= 0) & (down <= height)
    return characters if inside.all() else characters.where(inside)


def _unmapped(codes: Codes) -> float:
    """Return the share of what is shown that means nothing outside its font.

    That is what has no code, a private or a control code.
    """
    shown = codes[codes > 0x20]
    private = (shown >= 0xE000) & (shown <= 0xF8FF) | (shown >= 0xF0000)
    control = (shown >= 0x7F) & (shown < 0xA0)
    return float((private | control | (shown == UNMAPPED)).mean()) if len(shown) else 0.0


def _readable(texts: list[str]) -> list[str]:
    """Return words cleaned; nothing of one that has no character with a meaning."""
    everything = "".join(texts)
    if everything.isprintable() and chr(UNMAPPED) not in everything:  # as on nearly all pages
        return texts
    cleaned = map(clean_word, map(_paired, texts))
    return [text if text.strip(chr(UNMAPPED)) else "" for text in cleaned]


def _paired(text: str) -> str:
    """Return a word with one character for each pair of surrogates, as which PDFium gives some."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def _is_lost(text: str) -> bool:
    """Return whether none of a word's letters has a meaning; a sign alone may be a picture."""
    return len(text) > 1 and not text.strip(chr(UNMAPPED))


def _by_direction(words: Words) -> list[Words]:
    """Return the words that can be read in parts that run one way, upright ones first.

    What runs another way, such as a note up the margin, stands in no line of the page.
    """
    words = words.where(np.array([bool(text) for text in words.texts], np.bool_))
    return [words.where(words.direction == degrees) for degrees in np.unique(words.direction)]


def _in_order(words: Words, size: tuple[float, float], *, level: bool) -> WordTable:
    """Return words that run one way in reading order, with their places on the page.

    They are put in order on a page that is turned so that they stand upright and level.

    Args:
        words: at least one.
        size: width and height of the page in points.
        level: what is drawn is level once it is turned; the print under a layer of OCR may not be.
    """
    degrees = int(words.direction[0])
    quarters = round(degrees / 90)
    sheet = size[::-1] if quarters % 2 else size
    aspect = sheet[1] / sheet[0]
    turn = degrees + skew_of(np.repeat(words.skew, list(map(len, words.texts))))
    if turn == 90 * quarters:  # exactly
        table = _turned(_table(words, size), -90 * quarters)
        return _turned(in_order(in_blocks(table, aspect), aspect, level=level), 90 * quarters)
    table = _table(_levelled(words, turn, size, sheet), sheet)
    table = in_order(in_blocks(table, aspect), aspect, level=level)
    back = Affine.scaling(*sheet).then(Affine.rotation(turn, sheet, size))
    back = back.then(Affine.scaling(1 / size[0], 1 / size[1]))
    return replace(table, boxes=back.boxes(table.boxes))


def _turned(table: WordTable, degrees: int) -> WordTable:
    """Return words where they stand once their page is turned by quarters, cut at its edges."""
    return replace(table, boxes=Affine.quarter_turn(degrees).boxes(table.boxes))


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


def _table(words: Words, size: tuple[float, float]) -> WordTable:
    """Return words that run one way in the order of their source lines.

    Args:
        words: of the page, or of the page turned back.
        size: width and height of that page in points, which boxes become fractions of.
    """
    along0, along1, down0, down1 = in_text_frame(words.boxes, words.direction, words.size)
    order, line = source_lines(along0, along1, (down0 + down1) / 2, down1 - down0)
    return WordTable(
        [words.texts[word] for word in order.tolist()],
        words.boxes[order] / (size * 2),
        line,
        np.zeros(len(order), np.int64),
        order,
    )
