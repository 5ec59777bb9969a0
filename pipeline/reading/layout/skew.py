"""How far the lines of a page are skewed, told by the places of its words."""

from __future__ import annotations

import numpy as np

from pipeline.reading.layout.rows import OPEN_ROWS
from pipeline.reading.layout.table import Floats, Groups, Numbers

_MIN_RUN = 0.1  # of the page's width; shorter lines say little about the skew
_MAX_SLOPE = 0.2  # rise per run; steeper "lines" are noise, not skew
_SAME_ROW = 0.8  # of the lower height that the middles of two lines in a row may differ


def page_slope(boxes: Floats, lines: Groups, aspect: float) -> float:
    """Return the skew of the page as rise per run, 0 where nothing is long enough to tell.

    The slopes along the lines vote first, each by its run. Lines whose words share one box height,
    as those of gold transcriptions do, carry no slope in themselves; so, in a second vote, every
    line also tells its slope to the line that stands nearest to its right.

    Args:
        boxes: (n, 4) of the words, in the order of their lines.
        lines: the lines.
        aspect: height of the page divided by its width.
    """
    x0, top, x1, bottom = boxes.T
    across, down = (x0 + x1) / 2, (top + bottom) / 2 * aspect
    run = lines.most(across) - lines.least(across)
    tells = (run >= _MIN_RUN) & (lines.most(down) > lines.least(down))
    number, sizes = lines.numbers, lines.sizes
    centred = across - (lines.sums(across) / sizes)[number]
    rise = lines.sums(centred * (down - (lines.sums(down) / sizes)[number]))
    slopes = rise[tells] / lines.sums(centred * centred)[tells]
    first = _weighted_median(slopes, run[tells])
    places = (
        lines.least(x0),
        lines.most(x1),
        lines.medians(down),
        lines.medians(bottom - top) * aspect,
    )
    beside, runs = _neighbour_votes(*places, first)
    return _weighted_median(np.append(slopes, beside), np.append(run[tells], runs))


def _weighted_median(slopes: Floats, weights: Floats) -> float:
    """Return the slope in the middle of the votes, 0 without any credible one."""
    credible = np.abs(slopes) <= _MAX_SLOPE
    if not credible.any():
        return 0.0
    slopes, weights = slopes[credible], weights[credible]
    order = np.lexsort((weights, slopes))
    reached = np.cumsum(weights[order])
    return float(slopes[order][np.searchsorted(reached, reached[-1] / 2)])


def _neighbour_votes(
    x0: Floats, x1: Floats, middle: Floats, height: Floats, slope: float
) -> tuple[Floats, Floats]:
    """Return slope and run from lines to the nearest one on their right, in about the same row.

    Args:
        x0: (g,) left edge of each line, in page widths like all of these.
        x1: (g,) right edge.
        middle: (g,) middle of its height, from the top down.
        height: (g,) its height.
        slope: the skew as known so far.
    """
    level = middle - slope * (x0 + x1) / 2
    left, right = beside(x0, x1, level, height)
    run = (x0[right] + x1[right] - x0[left] - x1[left]) / 2
    tells = run >= _MIN_RUN
    rise = level[right] - level[left]
    return slope + rise[tells] / run[tells], run[tells]


def beside(x0: Floats, x1: Floats, level: Floats, height: Floats) -> tuple[Numbers, Numbers]:
    """Return the numbers of lines that have others on their right, and of the nearest of those.

    Args:
        x0: (g,) left edge of each line.
        x1: (g,) right edge.
        level: (g,) middle of its height, from the top down, once the page is laid level.
        height: (g,) its height, in the unit of `level`.
    """
    order = np.lexsort((x0, level))
    x0, x1, level, height = x0[order], x1[order], level[order], height[order]
    count = len(order)
    # Rows are short: what stands beside a line is near it when sorted by height.
    lines = np.arange(count)
    near = lines[:, None] + np.arange(-OPEN_ROWS, OPEN_ROWS + 1)  # (g, near)
    there = (near >= 0) & (near < count)
    near = np.clip(near, 0, count - 1)
    gap = x0[near] - x1[:, None]
    lower = np.minimum(height[near], height[:, None])
    same = np.abs(level[near] - level[:, None]) <= _SAME_ROW * lower
    gap[~(there & (gap >= 0) & same)] = np.inf
    column = gap.argmin(axis=1)
    found = np.isfinite(gap[lines, column])
    return order[found], order[near[lines, column][found]]
