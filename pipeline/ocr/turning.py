"""Turns boxes with their page by quarter turns, and back to the page as delivered."""

from __future__ import annotations

from models.geometry import Box


def turned_box(box: Box, degrees: int) -> Box:
    """Return where a box lies once its page has been turned clockwise.

    Args:
        box: fractions of the page before the turn.
        degrees: a multiple of 90; turning by ``-degrees`` (or ``360 - degrees``) goes back.

    Raises:
        ValueError: `degrees` is no multiple of 90.
    """
    turns, rest = divmod(degrees, 90)
    if rest:
        raise ValueError(f"a page cannot be turned by {degrees} degrees")
    for _ in range(turns % 4):
        # The left edge of the page becomes its upper edge.
        box = Box(1 - box.bottom, box.x0, 1 - box.top, box.x1)
    return box
