"""Boxes: what is a box, and the laws of clamping, union and overlap."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.geometry import Box, clamped_box, intersection_over_union, union

anything = st.floats(allow_nan=False)
fractions = st.floats(0, 1)
boxes = st.builds(clamped_box, fractions, fractions, fractions, fractions)


@pytest.mark.parametrize(
    "edges",
    [
        (-0.01, 0, 1, 1),  # left of the page
        (0, 0, 1, 1.01),  # below the page
        (0.6, 0, 0.5, 1),  # swapped across
        (0, 0.6, 1, 0.5),  # swapped down
        (math.nan, 0, 1, 1),
        (0, 0, 1, math.inf),
    ],
)
def test_a_box_that_is_not_on_the_page_is_refused(edges: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="not inside the page"):
        Box(*edges)


def test_size_and_list() -> None:
    box = Box(0.1, 0.2, 0.4, 0.8)
    assert (box.width, box.height) == pytest.approx((0.3, 0.6))
    assert box.as_list() == [0.1, 0.2, 0.4, 0.8]


@given(anything, anything, anything, anything)
def test_anything_but_nan_can_be_clamped(x0: float, top: float, x1: float, bottom: float) -> None:
    box = clamped_box(x0, top, x1, bottom)
    assert clamped_box(*box.as_list()) == box


def test_nan_cannot_be_clamped() -> None:
    with pytest.raises(ValueError, match="not inside the page"):
        clamped_box(math.nan, 0, 1, 1)


@given(st.lists(boxes, min_size=1, max_size=6))
def test_union_is_the_smallest_box_around_all(items: list[Box]) -> None:
    around = union(items)
    for box in items:
        assert around.x0 <= box.x0
        assert around.top <= box.top
        assert around.x1 >= box.x1
        assert around.bottom >= box.bottom
    assert around.x0 in [box.x0 for box in items]
    assert around.bottom in [box.bottom for box in items]


def test_union_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        union([])


@given(boxes, boxes)
def test_overlap_is_symmetric_and_a_fraction(a: Box, b: Box) -> None:
    overlap = intersection_over_union(a, b)
    assert overlap == pytest.approx(intersection_over_union(b, a))
    assert 0 <= overlap <= 1 + 1e-9


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (Box(0, 0, 0.5, 0.5), Box(0, 0, 0.5, 0.5), 1.0),  # equal
        (Box(0, 0, 0.5, 1), Box(0.25, 0, 0.75, 1), 1 / 3),  # half over each other
        (Box(0, 0, 0.5, 0.5), Box(0.5, 0, 1, 0.5), 0.0),  # share an edge
        (Box(0.3, 0.3, 0.3, 0.6), Box(0.3, 0.3, 0.3, 0.6), 0.0),  # without area: 0, not NaN
    ],
)
def test_overlap_of_known_boxes(a: Box, b: Box, expected: float) -> None:
    assert intersection_over_union(a, b) == pytest.approx(expected)
