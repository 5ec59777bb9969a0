"""Puts words into reading order: one function for text layers, OCR and gold transcriptions.

A line is a visual row: a caption and its amount at the other edge of a receipt are one line, even
where the OCR put them into different blocks. The steps:

1.  Words that are several things at once are cut apart (`words`).
2.  The words of one source line form a segment, levelled by the skew of the page (`segments`).
3.  Columns of running text part the page into regions (`columns`).
4.  In a region, segments beside each other are a row (`rows`). Rows go top to bottom, the segments
    of a row left to right; on a page of a script that runs leftwards, right to left, as columns do.
    The words of a segment are read as their script runs (`direction`).

The result does not depend on the order of the input, only on places and source lines.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.document import Token
from pipeline.reading.layout.columns import regions
from pipeline.reading.layout.direction import any_leftwards, in_reading_order, way_of
from pipeline.reading.layout.segments import rows_of, segments_of
from pipeline.reading.layout.table import WordTable
from pipeline.reading.layout.words import cut_glued


def order_tokens(tokens: Sequence[Token], aspect: float) -> tuple[Token, ...]:
    """Return the tokens in reading order, `line` numbered from 0 by visual row, `block` kept.

    A bracketed number glued to letters becomes a token of its own, see `cut_glued`.

    Args:
        tokens: words of one page, in any order; `block` and `line` name their source lines.
        aspect: height of the page divided by its width, in the same unit.

    Raises:
        ValueError: `aspect` is not a positive finite number.
    """
    words = in_order(WordTable.of(tokens), aspect)
    return words.tokens([token.confidence for token in tokens])


def in_order(words: WordTable, aspect: float, *, level: bool = False) -> WordTable:
    """Return words in reading order, `line` numbered by visual row; see `order_tokens`.

    Where the page is known to be `level`, no skew is looked for: lines of two sizes beside each
    other would be taken for it.

    Raises:
        ValueError: `aspect` is not a positive finite number.
    """
    if not 0 < aspect < float("inf"):
        raise ValueError(f"aspect is {aspect}, expected a positive number")
    words = cut_glued(words)
    if not len(words):
        return words
    both = any_leftwards(words.texts)
    way = way_of(words.texts) if both else 1
    parts = regions(segments_of(words, aspect, level=level), leftwards=way == -1)
    lines = [row for region in parts for row in rows_of(region)]
    order: list[int] = []
    numbers: list[int] = []
    for number, line in enumerate(lines):
        for segment in line if way != -1 else reversed(line):
            if both:
                base = way_of(segment.texts) or way
                order += in_reading_order(segment.words, segment.texts, base)
            else:
                order += segment.words
            numbers += [number] * len(segment.words)
    return WordTable(
        [words.texts[word] for word in order],
        words.boxes[order],
        np.array(numbers, np.int64),
        words.block[order],
        words.source[order],
    )
