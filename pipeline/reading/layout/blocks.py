"""Puts lines into text blocks, for readers that do not say which lines belong together."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from pipeline.document import Token

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
    blocks: list[_Block] = []
    result: list[Token] = []
    by_line = groupby(sorted(tokens, key=lambda token: token.line), key=lambda token: token.line)
    lines = [list(words) for _, words in by_line]
    for words in sorted(lines, key=lambda words: min(word.box.top for word in words)):
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
        # Not by `replace`, which takes four times as long: this is done for every word.
        result += [
            Token(word.text, word.box, word.confidence, word.line, above.number) for word in words
        ]
    return result
