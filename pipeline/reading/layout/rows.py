"""Visual rows: what stands beside each other on a page. The one place where rows are built.

Words of a text layer make source lines this way (`lines`), and source lines make the rows that are
read across the page (`reading_order`). Each has a rule of its own for what joins a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeVar

OPEN_ROWS = 8  # rows that can still take an item; keeps pages made to do harm linear


class Level(Protocol):
    """Something that stands level on a page; all lengths in the same unit."""

    @property
    def x0(self) -> float:
        """Left edge."""
        ...

    @property
    def middle(self) -> float:
        """Distance of its centre from the top of the page."""
        ...

    @property
    def height(self) -> float:
        """Height, 0 or more."""
        ...


LevelT = TypeVar("LevelT", bound=Level)


def rows(
    items: Iterable[LevelT], joins: Callable[[Sequence[LevelT], LevelT], bool]
) -> list[list[LevelT]]:
    """Return the rows that items stand in, top to bottom, each left to right.

    Of several rows that an item may join, it joins the nearest.

    Args:
        items: from the top down; the order of those at one height decides ties.
        joins: tells of a row, whose first item gives it its place, whether an item belongs to it.
    """
    found: list[list[LevelT]] = []
    for item in items:
        candidates = [row for row in found[-OPEN_ROWS:] if joins(row, item)]
        if candidates:
            min(candidates, key=lambda row: abs(row[0].middle - item.middle)).append(item)
        else:
            found.append([item])
    return [sorted(row, key=lambda item: item.x0) for row in found]
