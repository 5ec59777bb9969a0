"""Laws of the maps between a picture made ready for the OCR and the page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.geometry import Box, clamped_box
from pipeline.affine import Affine, turned_box

FRACTIONS = st.floats(0, 1)
SIDES = st.floats(10, 5000)
ANGLES = st.floats(-180, 180)
BOXES = st.builds(clamped_box, FRACTIONS, FRACTIONS, FRACTIONS, FRACTIONS)
TURNS = st.sampled_from([-270, -180, -90, 0, 90, 180, 270, 360, 450])


@st.composite
def maps(draw: st.DrawFn) -> Affine:
    """Return a map as scans need them: scaled, turned by any angle and shifted, in pixels."""
    size = draw(SIDES), draw(SIDES)
    turned = Affine.rotation(draw(ANGLES), size, (draw(SIDES), draw(SIDES)))
    scaled = Affine.scaling(draw(st.floats(0.1, 10)), draw(st.floats(0.1, 10)))
    return turned.then(scaled).then(Affine.shift(draw(ANGLES), draw(ANGLES)))


@given(maps(), maps(), st.floats(-5000, 5000), st.floats(-5000, 5000))
def test_two_maps_are_one(first: Affine, second: Affine, x: float, y: float) -> None:
    both = second.point(*first.point(x, y))
    assert first.then(second).point(x, y) == pytest.approx(both, rel=1e-9, abs=1e-5)


@given(BOXES, TURNS)
def test_a_box_turned_back_is_the_box(box: Box, degrees: int) -> None:
    back = turned_box(turned_box(box, degrees), -degrees)
    assert back.as_list() == pytest.approx(box.as_list(), abs=1e-12)


@given(BOXES, TURNS, TURNS)
def test_turns_add_up(box: Box, first: int, second: int) -> None:
    twice = turned_box(turned_box(box, first), second)
    assert twice.as_list() == pytest.approx(turned_box(box, first + second).as_list(), abs=1e-12)


def test_a_page_turned_clockwise_has_its_upper_left_corner_at_the_upper_right() -> None:
    corner = Box(0.0, 0.0, 0.2, 0.1)
    assert turned_box(corner, 90).as_list() == pytest.approx([0.9, 0.0, 1.0, 0.2])
    assert turned_box(corner, 180).as_list() == pytest.approx([0.8, 0.9, 1.0, 1.0])
    assert turned_box(corner, 270).as_list() == pytest.approx([0.0, 0.8, 0.1, 1.0])


def test_pages_turn_by_quarters_only() -> None:
    with pytest.raises(ValueError, match="45 degrees"):
        turned_box(Box(0, 0, 1, 1), 45)


@given(BOXES, ANGLES, SIDES, SIDES)
def test_a_turned_box_holds_its_corners_and_touches_them(
    box: Box, degrees: float, width: float, height: float
) -> None:
    size = width, height
    sheet = (width + height) * 1.5  # holds the page at any angle
    turn = Affine.scaling(*size).then(Affine.rotation(degrees, size, (sheet, sheet)))
    turn = turn.then(Affine.scaling(1 / sheet, 1 / sheet))
    turned = turn.box(box)
    corners = [turn.point(x, y) for x in (box.x0, box.x1) for y in (box.top, box.bottom)]
    across, down = zip(*corners, strict=True)
    expected = [min(across), min(down), max(across), max(down)]
    assert turned.as_list() == pytest.approx(expected, abs=1e-9)
