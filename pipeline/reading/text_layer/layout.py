"""Puts the words of a text layer into source lines and blocks, for the reading order."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from pipeline.document import Token

_SAME_ROW = 0.4  # of the lower height that the middles of two words of a line may differ
_COLUMN_GAP = 1.5  # heights: a wider gap ends a source line
_BLOCK_GAP = 0.8  # heights: a wider gap ends a block
_FONT_RATIO = 1.5  # of heights within a block
_OPEN_BLOCKS = 12  # blocks that can still take a line

# x0, top, x1, bottom in points, in the frame of the text; the word's number
Place = tuple[float, float, float, float, int]


def source_lines(places: Sequence[Place]) -> list[list[int]]:
    """Return the numbers of words in lines, each ended by a gap as wide as between columns.

    Args:
        places: words that run in one direction, where they stand when it is turned upright.
    """
    rows: list[list[Place]] = []
    for word in sorted(places, key=lambda place: place[1] + place[3]):
        first = rows[-1][0] if rows else word
        apart = abs(word[1] + word[3] - first[1] - first[3]) / 2
        if rows and apart <= _SAME_ROW * min(_height(word), _height(first)):
            rows[-1].append(word)
        else:
            rows.append([word])
    lines: list[list[int]] = []
    for row in rows:
        row.sort()
        line = [row[0][4]]
        for last, word in pairwise(row):
            if word[0] - last[2] > _COLUMN_GAP * min(_height(word), _height(last)):
                lines.append(line)
                line = []
            line.append(word[4])
        lines.append(line)
    return lines


def _height(place: Place) -> float:
    return place[3] - place[1]


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
        result += [replace(word, block=above.number) for word in words]
    return result
