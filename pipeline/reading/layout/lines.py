"""Puts the words of a text layer into source lines, which end where a column does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from pipeline.reading.layout.rows import rows
from pipeline.reading.layout.table import Floats, Numbers

# Of the lower of two heights: what the middles of two words of one line may differ by. By the rule
# for rows across a page instead, 33 of 239 pages of business documents are read otherwise.
_SAME_LINE = 0.4
_COLUMN_GAP = 1.5  # of a word's height: a wider space ends a source line


def source_lines(x0: Floats, x1: Floats, middle: Floats, height: Floats) -> tuple[Numbers, Numbers]:
    """Return the words in the order of their lines, and the line of each, from 0: twice (n,).

    A line ends at a gap as wide as between columns.

    Args:
        x0: (n,) where each word begins along its line, once its text is turned upright; the order
            of the words decides ties.
        x1: (n,) where it ends.
        middle: (n,) middle of its height, from the top down.
        height: (n,) its height, in the same unit as all others, such as points.
    """
    from_top = np.argsort(middle, kind="stable")
    middles, heights = middle[from_top].tolist(), height[from_top].tolist()

    def in_line(row: Sequence[int], word: int) -> bool:
        first = row[0]
        lower = min(heights[word], heights[first])
        return middles[word] - middles[first] <= _SAME_LINE * lower  # type: ignore[no-any-return]

    found = rows(x0[from_top].tolist(), middles, in_line)
    row_of = np.repeat(np.arange(len(found)), [len(row) for row in found])
    order = from_top[np.fromiter(chain.from_iterable(found), np.int64, len(from_top))]
    last, word = order[:-1], order[1:]
    gap = x0[word] - x1[last] > _COLUMN_GAP * np.minimum(height[word], height[last])
    return order, np.cumsum(np.concatenate(([0], gap | (np.diff(row_of) > 0))))[: len(order)]
