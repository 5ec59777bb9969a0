"""Turns, scales and shifts places with their page, and back to the page as delivered."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from models.geometry import Box, clamped_box

# The quarter turns, clockwise, of a point in fractions of its page: exact, unlike sines.
_COSINES = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}


Number = TypeVar("Number", float, npt.NDArray[np.float64])


@dataclass(frozen=True, slots=True)
class Affine:
    """The map ``x' = a x + b y + c``, ``y' = d x + e y + f``.

    Axes run right and down, in pixels (pixel i covers i to i + 1) or in fractions of a side.
    """

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 0.0
    e: float = 1.0
    f: float = 0.0

    @classmethod
    def scaling(cls, across: float, down: float) -> Affine:
        """Return the map that multiplies x and y."""
        return cls(a=across, e=down)

    @classmethod
    def shift(cls, across: float, down: float) -> Affine:
        """Return the map that adds to x and y."""
        return cls(c=across, f=down)

    @classmethod
    def quarter_turn(cls, degrees: int) -> Affine:
        """Return the clockwise turn of a whole page, in fractions of the page before and after.

        Raises:
            ValueError: `degrees` is no multiple of 90.
        """
        if degrees % 90:
            raise ValueError(f"a page cannot be turned by {degrees} degrees")
        cosine, sine = _COSINES[degrees % 360]
        # About the middle of the page, which is (1/2, 1/2) before and after.
        return cls.shift(-0.5, -0.5).then(cls(cosine, -sine, 0.5, sine, cosine, 0.5))

    @classmethod
    def rotation(
        cls, degrees: float, size: tuple[float, float], new_size: tuple[float, float]
    ) -> Affine:
        """Return the clockwise turn of a picture about its middle, in pixels.

        Args:
            degrees: angle, of any size and sign.
            size: width and height of the picture.
            new_size: width and height of the turned picture, whose middle shows the same point.
        """
        angle = math.radians(degrees)
        cosine, sine = math.cos(angle), math.sin(angle)
        turn = cls(cosine, -sine, new_size[0] / 2, sine, cosine, new_size[1] / 2)
        return cls.shift(-size[0] / 2, -size[1] / 2).then(turn)

    def then(self, after: Affine) -> Affine:
        """Return the map that applies this one first and `after` second."""
        return Affine(
            after.a * self.a + after.b * self.d,
            after.a * self.b + after.b * self.e,
            after.a * self.c + after.b * self.f + after.c,
            after.d * self.a + after.e * self.d,
            after.d * self.b + after.e * self.e,
            after.d * self.c + after.e * self.f + after.f,
        )

    def point(self, x: Number, y: Number) -> tuple[Number, Number]:
        """Return where a point goes, or where each of an array of points does."""
        return self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f

    def box(self, box: Box) -> Box:
        """Return the smallest upright box around where a box goes, cut at the page's edge.

        The result is in fractions of the page: the map has to end there.
        """
        corners = [self.point(x, y) for x in (box.x0, box.x1) for y in (box.top, box.bottom)]
        across, down = zip(*corners, strict=True)
        return clamped_box(min(across), min(down), max(across), max(down))

    def boxes(self, boxes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return where boxes, (n, 4) x0, top, x1, bottom, go: as `box`, for many at once."""
        x, y = self.point(boxes[:, [0, 2, 0, 2]], boxes[:, [1, 1, 3, 3]])
        sides = np.stack((x.min(axis=1), y.min(axis=1), x.max(axis=1), y.max(axis=1)), axis=1)
        clamped: npt.NDArray[np.float64] = np.clip(sides, 0.0, 1.0)
        return clamped


def turned_box(box: Box, degrees: int) -> Box:
    """Return where a box lies once its page has been turned clockwise.

    Args:
        box: fractions of the page before the turn.
        degrees: a multiple of 90; turning by ``-degrees`` (or ``360 - degrees``) goes back.

    Raises:
        ValueError: `degrees` is no multiple of 90.
    """
    return Affine.quarter_turn(degrees).box(box)
