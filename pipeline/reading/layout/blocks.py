"""Puts lines into text blocks, for readers that do not say which lines belong together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.document import Token
from pipeline.reading.layout.table import WordTable, grouped

_BLOCK_GAP = 0.8  # of a line's height: a wider space between two lines ends a block
_FONT_RATIO = 1.5  # between the heights of two lines of one block; a heading is higher
_OPEN_BLOCKS = 12  # blocks that can still take a line; keeps pages made to do harm linear


@dataclass(slots=True)
class _Block:
    """A block under construction: its last line's place, in page widths."""

    number: int
    x0: float
    x1: float
    bottom: float
    height: float


def with_blocks(tokens: Sequence[Token], aspect: float) -> list[Token]:
    """Return the tokens with block numbers: close lines of one size are a block.

    Args:
        tokens: words with their source lines, in any order.
        aspect: height of the page divided by its width.
    """
    table = in_blocks(WordTable.of(tokens), aspect)
    places = zip(table.source.tolist(), table.block.tolist(), strict=True)
    return [
        Token(word.text, word.box, word.confidence, word.line, block)
        for word, block in ((tokens[source], block) for source, block in places)
    ]


def in_blocks(words: WordTable, aspect: float) -> WordTable:
    """Return words with block numbers, from the uppermost line down; see `with_blocks`."""
    if not len(words):
        return words
    by_line = np.argsort(words.line, kind="stable")
    lines = grouped(words.line[by_line])
    x0, top, x1, bottom = words.boxes[by_line].T
    upper = lines.least(top)
    from_top = np.argsort(upper, kind="stable")
    sides = (
        lines.least(x0),
        lines.most(x1),
        upper * aspect,
        lines.most(bottom) * aspect,
        lines.medians(bottom - top) * aspect,
    )
    blocks = _blocks(zip(*(side[from_top].tolist() for side in sides), strict=True))
    sizes = lines.sizes[from_top]
    shift = lines.starts[from_top] - np.concatenate(([0], np.cumsum(sizes)[:-1]))
    order = by_line[np.arange(len(words)) + np.repeat(shift, sizes)]
    return WordTable(
        [words.texts[word] for word in order.tolist()],
        words.boxes[order],
        words.line[order],
        np.repeat(np.array(blocks, np.int64), sizes),
        words.source[order],
    )


def _blocks(lines: Iterable[tuple[float, ...]]) -> list[int]:
    """Return the number of the block of each line.

    Args:
        lines: left, right, top, bottom and usual height of each, from the top down, in page widths.
    """
    blocks: list[_Block] = []
    numbers: list[int] = []
    for x0, x1, top, bottom, height in lines:
        for block in reversed(blocks[-_OPEN_BLOCKS:]):
            near = -height <= top - block.bottom <= _BLOCK_GAP * height
            if (
                near
                and block.x0 < x1
                and x0 < block.x1
                and height <= _FONT_RATIO * block.height
                and block.height <= _FONT_RATIO * height
            ):
                break
        else:
            block = _Block(len(blocks), x0, x1, top, height)
            blocks.append(block)
        block.x0, block.x1, block.bottom, block.height = x0, x1, bottom, height
        numbers.append(block.number)
    return numbers
