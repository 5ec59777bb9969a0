"""Words against ink: what belongs together and what does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.reading.text_layer.coverage import compare, legible

PAGE = (200.0, 300.0)  # points
ROWS = [(20.0, 20.0 + 20 * n, 20.0 + 25 * (n % 6 + 1), 30.0 + 20 * n) for n in range(13)]


def page_with(
    boxes: list[tuple[float, float, float, float]], paper: int = 250, ink: int = 40
) -> np.ndarray:
    """Return a raster of twice the points, every other column of each box inked."""
    raster = np.full((600, 400), paper, np.uint8)
    for x0, top, x1, bottom in boxes:
        raster[round(2 * top) : round(2 * bottom), round(2 * x0) : round(2 * x1) : 2] = ink
    return raster


def test_words_on_their_own_print() -> None:
    coverage = compare(page_with(ROWS), np.array(ROWS), PAGE)
    assert coverage.alignment > 0.5
    assert coverage.covered > 0.6
    assert coverage.reach == pytest.approx(1, abs=0.05)


def test_words_of_another_page_stand_between_the_lines() -> None:
    moved = np.array(ROWS) + np.array([0, 10, 0, 10])
    assert compare(page_with(ROWS), moved, PAGE).alignment < 0.1


def test_words_of_a_part_of_the_page_reach_over_a_part() -> None:
    coverage = compare(page_with(ROWS), np.array(ROWS[:3]), PAGE)
    assert coverage.reach < 0.3
    assert coverage.covered < 0.3


@pytest.mark.parametrize("shade", [0, 128, 255])
def test_a_page_of_one_shade_is_no_evidence(shade: int) -> None:
    assert compare(np.full((600, 400), shade, np.uint8), np.array(ROWS), PAGE).alignment == 0


def test_what_differs_from_its_ground_can_be_read() -> None:
    raster = page_with(ROWS[:1], ink=235)
    raster[:, 200:] = 30  # a dark half
    raster[40:60, 300:340:2] = 255
    boxes = np.array([ROWS[0], (20, 100, 60, 110), (150, 20, 170, 30), (150, 100, 170, 110)])
    assert legible(raster, boxes, PAGE).tolist() == [True, False, True, False]


@given(
    st.lists(
        st.tuples(*[st.floats(-500, 500)] * 4), min_size=1, max_size=20
    ),
    st.integers(1, 60),
    st.integers(1, 60),
)  # fmt: skip
def test_any_boxes_on_any_raster_give_finite_figures(
    boxes: list[tuple[float, float, float, float]], rows: int, columns: int
) -> None:
    raster = np.arange(rows * columns, dtype=np.uint8).reshape(rows, columns)
    coverage = compare(raster, np.array(boxes), PAGE)
    assert -1.001 <= coverage.alignment <= 1.001
    assert -1e-9 <= coverage.covered <= 1 + 1e-9
    assert coverage.reach > 0
    assert legible(raster, np.array(boxes), PAGE).shape == (len(boxes),)
