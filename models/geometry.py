"""Boxes on a page: one vocabulary, one unit, origin at the top left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in fractions of the page's width and height as delivered.

    Attributes:
        x0: left edge, 0 to 1.
        top: upper edge, 0 to 1, measured from the top of the page.
        x1: right edge, ``x0 <= x1 <= 1``.
        bottom: lower edge, ``top <= bottom <= 1``.

    Raises:
        ValueError: a coordinate is not finite, lies outside [0, 1], or the edges are swapped.
    """

    x0: float
    top: float
    x1: float
    bottom: float

    def __post_init__(self) -> None:
        # The chained comparison is False for NaN as well, so one test covers all three faults.
        if not (0.0 <= self.x0 <= self.x1 <= 1.0 and 0.0 <= self.top <= self.bottom <= 1.0):
            raise ValueError(
                f"box ({self.x0}, {self.top}, {self.x1}, {self.bottom}) is not inside the page: "
                "expected 0 <= x0 <= x1 <= 1 and 0 <= top <= bottom <= 1"
            )

    @property
    def width(self) -> float:
        """Width as a fraction of the page's width."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Height as a fraction of the page's height."""
        return self.bottom - self.top

    def as_list(self) -> list[float]:
        """Return ``[x0, top, x1, bottom]``."""
        return [self.x0, self.top, self.x1, self.bottom]


def clamped_box(x0: float, top: float, x1: float, bottom: float) -> Box:
    """Return the part of a rectangle that lies on the page; swapped edges are put in order.

    For what comes from OCR and PDF producers, which may go a little over the page's edge.

    Raises:
        ValueError: a coordinate is NaN.
    """
    if 0.0 <= x0 <= x1 <= 1.0 and 0.0 <= top <= bottom <= 1.0:  # as nearly all are
        return Box(x0, top, x1, bottom)
    left, right = sorted((min(max(x0, 0.0), 1.0), min(max(x1, 0.0), 1.0)))
    upper, lower = sorted((min(max(top, 0.0), 1.0), min(max(bottom, 0.0), 1.0)))
    return Box(left, upper, right, lower)


def union(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around all of `boxes` (at least one)."""
    items = list(boxes)
    if not items:
        raise ValueError("union needs at least one box")
    return Box(
        min(box.x0 for box in items),
        min(box.top for box in items),
        max(box.x1 for box in items),
        max(box.bottom for box in items),
    )


def intersection_over_union(a: Box, b: Box) -> float:
    """Return the overlap of two boxes, 0 to 1; two boxes without area overlap 0."""
    width = min(a.x1, b.x1) - max(a.x0, b.x0)
    height = min(a.bottom, b.bottom) - max(a.top, b.top)
    if width <= 0 or height <= 0:
        return 0.0
    common = width * height
    both = a.width * a.height + b.width * b.height - common
    return common / both if both > 0 else 0.0  # areas below the smallest float vanish
