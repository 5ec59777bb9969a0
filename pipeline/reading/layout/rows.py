"""Visual rows: what stands beside each other on a page. The one place where rows are built.

Words of a text layer make source lines this way (`lines`), and source lines make the rows that are
read across the page (`reading_order`). Each has a rule of its own for what joins a row.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

OPEN_ROWS = 8  # rows that can still take an item; keeps pages made to do harm linear


def rows(
    x0: Sequence[float], middle: Sequence[float], joins: Callable[[Sequence[int], int], bool]
) -> list[list[int]]:
    """Return the rows that items stand in, top to bottom, each left to right, by their numbers.

    Of several rows that an item may join, it joins the nearest, and of two as near the upper.

    Args:
        x0: left edge of each item; the items come from the top down.
        middle: distance of the centre of each item from the top of the page, in ascending order.
        joins: tells of a row, whose first item gives it its place, whether an item belongs to it.
    """
    found: list[list[int]] = []
    last: deque[list[int]] = deque(maxlen=OPEN_ROWS)
    for item in range(len(middle)):
        nearest = None
        # Rows begin one below the other, so the last is the nearest.
        for row in reversed(last):
            if nearest is not None and middle[row[0]] < middle[nearest[0]]:
                break
            if joins(row, item):
                nearest = row
        if nearest is None:
            found.append([item])
            last.append(found[-1])
        else:
            nearest.append(item)
    return [sorted(row, key=x0.__getitem__) for row in found]
