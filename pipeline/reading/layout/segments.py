"""Source lines as the reading order sees them: levelled, each standing in one row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pipeline.reading.layout.rows import rows
from pipeline.reading.layout.skew import page_slope
from pipeline.reading.layout.table import Groups, Numbers, WordTable, grouped

# Of the lower of two heights. Neighbouring rows of print overlap by less than a quarter.
_ROW_OVERLAP = 0.5
_DIGITS = 5  # of page widths: what turning a page leaves of rounding puts no line above another
_SIDE_OVERLAP = 0.3  # of the narrower width; more, and one of the two stands on top of the other


class Segment(NamedTuple):
    """Words that stand in one row; lengths in page widths, skew taken out.

    Attributes:
        words: their numbers, from left to right.
        texts: of the words.
        block: number of their text block.
        x0, x1: left and right edge.
        middle: of the usual word's height, from the top of the page down.
        height: of the usual word.
    """

    words: list[int]
    texts: tuple[str, ...]
    block: int
    x0: float
    x1: float
    middle: float
    height: float


def segments_of(words: WordTable, aspect: float, *, level: bool) -> list[Segment]:
    """Return the segments of a page, in the order in which their source lines first occur.

    The words of one source line (same block and line number) form a segment. Where they do not
    stand in one row after all, each is a segment of its own.

    Args:
        words: of one page, in any order; at least one.
        aspect: height of the page divided by its width.
        level: no line of the page is skewed.
    """
    source = _source_lines(words)
    order = _by_place(words, source)
    boxes, lines = words.boxes[order], grouped(source[order])
    slope = 0.0 if level else page_slope(boxes, lines, aspect)
    x0, top, x1, bottom = boxes.T
    skewed = (top + bottom) / 2 * aspect
    middles = np.round(skewed - slope * (x0 + x1) / 2, _DIGITS)
    heights = bottom - top
    in_one_row = lines.most(middles) - lines.least(middles) <= lines.most(heights) * aspect
    if not in_one_row.all():
        apart = ~in_one_row[lines.numbers]
        apart[lines.starts] = True
        lines = Groups(np.flatnonzero(apart), lines.count)
    texts = [words.texts[word] for word in order.tolist()]
    bounds = pairwise([*lines.starts.tolist(), lines.count])
    numbers = order.tolist()
    return [
        Segment(numbers[start:end], tuple(texts[start:end]), *place)
        for (start, end), place in zip(
            bounds,
            zip(
                words.block[order[lines.starts]].tolist(),
                lines.least(x0).tolist(),
                lines.most(x1).tolist(),
                # Medians, so that one stray box (a rule read as a bar) does not move the segment.
                lines.middles(middles)[1].tolist(),
                lines.middles(heights * aspect)[1].tolist(),
                strict=True,
            ),
            strict=True,
        )
    ]


def _source_lines(words: WordTable) -> Numbers:
    """Return the number of the source line of each word, in the order of their first words."""
    key = words.block * (np.ptp(words.line) + 1) + words.line
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


def _by_place(words: WordTable, source: Numbers) -> Numbers:
    """Return the words line by line, each from left to right, whatever their order was."""
    by_text = np.array(sorted(range(len(words)), key=words.texts.__getitem__), np.int64)
    x0, top, x1, bottom = words.boxes[by_text].T
    return by_text[np.lexsort((bottom, x1, top, x0, source[by_text]))]


def from_top(segment: Segment) -> tuple[float, float, float, tuple[str, ...]]:
    """Return what segments are sorted by from the top down; ties do not depend on the input."""
    return segment.middle, segment.x0, segment.x1, segment.texts


def rows_of(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Return the rows that segments stand in, top to bottom, each left to right.

    A segment stands in a row if it overlaps the row's first one by at least half of the lower of
    the two heights, and does not stand on top of any in it.
    """
    ordered = sorted(segments, key=from_top)

    def beside(row: Sequence[int], number: int) -> bool:
        first, segment = ordered[row[0]], ordered[number]
        shared = (first.height + segment.height) / 2 - abs(first.middle - segment.middle)
        # Both heights can be zero (degenerate boxes): then only an equal middle makes one row.
        if shared < _ROW_OVERLAP * min(first.height, segment.height):
            return False
        return not any(_on_top(segment, ordered[other]) for other in row)

    found = rows([one.x0 for one in ordered], [one.middle for one in ordered], beside)
    return [[ordered[number] for number in row] for row in found]


def _on_top(one: Segment, other: Segment) -> bool:
    """Return whether two segments cover the same stretch of a row, so that they cannot share it."""
    shared = min(one.x1, other.x1) - max(one.x0, other.x0)
    return shared > _SIDE_OVERLAP * min(one.x1 - one.x0, other.x1 - other.x0)
