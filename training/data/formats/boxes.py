"""The one door for units: boxes of other tools, in pixels, per cent or fractions, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from models.geometry import Box, clamped_box, union

Size = tuple[float, float]
"""Width and height of a page in the other tool's unit."""

PER_CENT: Size = (100.0, 100.0)
FRACTIONS: Size = (1.0, 1.0)

_DIGITS = 5  # of a fraction: a tenth of a pixel at 10,000 of them


def box_of(edges: Sequence[float], size: Size) -> Box:
    """Return the box of left, upper, right and lower edges.

    Raises:
        ValueError, TypeError, ArithmeticError: not four numbers, or a page without size.
    """
    width, height = size
    x0, top, x1, bottom = (float(edge) for edge in edges)
    return clamped_box(x0 / width, top / height, x1 / width, bottom / height)


def box_around(corners: Iterable[Sequence[float]], size: Size) -> Box:
    """Return the box around points (x, y); errors as `box_of`, and ValueError without points."""
    points = [(float(x), float(y)) for x, y in corners]
    across, down = [x for x, _ in points], [y for _, y in points]
    return box_of((min(across), min(down), max(across), max(down)), size)


def points_of(flat: Sequence[float]) -> list[tuple[float, float]]:
    """Return the points of a list x, y, x, y, and so on."""
    return list(zip(flat[::2], flat[1::2], strict=True))


def edges_of(box: Box, size: Size, digits: int = _DIGITS) -> list[float]:
    """Return left, upper, right and lower edge in the other tool's unit."""
    width, height = size
    return [
        round(edge * scale, digits)
        for edge, scale in zip(box.as_list(), (width, height) * 2, strict=True)
    ]


def pixels_of(box: Box, size: Size) -> list[int]:
    """Return the edges in whole pixels."""
    return [int(edge) for edge in edges_of(box, size, 0)]


def corners_of(edges: Sequence[float]) -> list[float]:
    """Return x and y of the corners, from the upper left, clockwise."""
    x0, top, x1, bottom = edges
    return [x0, top, x1, top, x1, bottom, x0, bottom]


def in_lines(words: Iterable[tuple[str, Box]]) -> list[tuple[str, Box]]:
    """Return words, in their order, joined to lines: while each stands beside the one before it."""
    lines: list[tuple[str, Box]] = []
    for text, box in words:
        if lines and same_line(lines[-1][1], box) and box.x1 > lines[-1][1].x1:
            before, around = lines[-1]
            lines[-1] = (f"{before} {text}", union((around, box)))
        else:
            lines.append((text, box))
    return lines


def same_line(one: Box, other: Box) -> bool:
    """Return whether boxes share at least half of the lower one's height."""
    common = min(one.bottom, other.bottom) - max(one.top, other.top)
    return common > 0 and common >= min(one.height, other.height) / 2


def by_page(boxes: Iterable[tuple[int, Box]]) -> dict[int, list[Box]]:
    """Return the boxes of a place by their pages, in their order."""
    pages: dict[int, list[Box]] = {}
    for page, box in boxes:
        pages.setdefault(page, []).append(box)
    return pages
