"""How far the lines of a page are skewed, told by the places of its words."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pipeline.document import Token
from pipeline.reading.layout.rows import OPEN_ROWS

_MIN_RUN = 0.1  # of the page's width; shorter lines say little about the skew
_MAX_SLOPE = 0.2  # rise per run; steeper "lines" are noise, not skew
_SAME_ROW = 0.8  # of the lower height that the middles of two lines in a row may differ


def page_slope(lines: Sequence[Sequence[Token]], aspect: float) -> float:
    """Return the skew of the page as rise per run, 0 where nothing is long enough to tell.

    The slopes along the lines vote first, each by its run. Lines whose words share one box height,
    as those of gold transcriptions do, carry no slope in themselves; so, in a second vote, every
    line also tells its slope to the line that stands nearest to its right.
    """
    votes: list[tuple[float, float]] = []
    places = np.empty((len(lines), 4))  # x0, x1, middle, height; heights in page widths
    for place, words in zip(places, lines, strict=True):
        # Lines are short: plain numbers are faster here than arrays.
        middles = [(word.box.x0 + word.box.x1) / 2 for word in words]
        heights = [(word.box.top + word.box.bottom) / 2 * aspect for word in words]
        place[:] = (
            min(word.box.x0 for word in words),
            max(word.box.x1 for word in words),
            statistics.median(heights),
            statistics.median(word.box.height for word in words) * aspect,
        )
        run = max(middles) - min(middles)
        if run >= _MIN_RUN and max(heights) > min(heights):
            across, down = np.array(middles), np.array(heights)
            centred = across - across.mean()
            votes.append((float(centred @ (down - down.mean()) / (centred @ centred)), run))
    first = _weighted_median(votes)
    return _weighted_median([*votes, *_neighbour_votes(places, first)])


def _weighted_median(votes: Sequence[tuple[float, float]]) -> float:
    """Return the slope in the middle of (slope, weight) votes, 0 without any credible one."""
    credible = sorted(vote for vote in votes if abs(vote[0]) <= _MAX_SLOPE)
    if not credible:
        return 0.0
    reached = np.cumsum([weight for _, weight in credible])
    return credible[int(np.searchsorted(reached, reached[-1] / 2))][0]


def _neighbour_votes(
    places: npt.NDArray[np.float64], slope: float
) -> Iterator[tuple[float, float]]:
    """Yield slope and run from each line to the nearest one on its right, in about the same row.

    Args:
        places: (n, 4): x0, x1, middle and height of each line, in page widths.
        slope: the skew as known so far.
    """
    level = places[:, 2] - slope * (places[:, 0] + places[:, 1]) / 2
    order = np.lexsort((places[:, 0], level))
    level = level[order]
    x0, x1, _, height = places[order].T
    for index in range(len(places)):
        # Rows are short: what stands beside a line is near it when sorted by height.
        near = slice(max(index - OPEN_ROWS, 0), index + OPEN_ROWS + 1)
        rise = level[near] - level[index]
        gap = x0[near] - x1[index]
        beside = (gap >= 0) & (np.abs(rise) <= _SAME_ROW * np.minimum(height[near], height[index]))
        if not beside.any():
            continue
        nearest = int(np.argmin(np.where(beside, gap, np.inf)))
        run = float(x0[near][nearest] + x1[near][nearest] - x0[index] - x1[index]) / 2
        if run >= _MIN_RUN:
            yield slope + float(rise[nearest]) / run, run
