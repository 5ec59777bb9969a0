"""Lays the lines of a photographed page straight: paper bends, and what is nearer looks larger.

A page turned level as a whole still has lines that fall here and rise there. How steeply a line
runs changes little from place to place, so it is a polynomial in both directions, fitted to the
words of each line that the OCR found, and then to the lines that stand beside each other. Words are
moved along it to where they would stand on a flat page. Only their order is told from there: on the
page they stay where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from models.geometry import clamped_box
from pipeline.document import Token
from pipeline.reading.layout.skew import beside
from pipeline.reading.layout.table import grouped

_Floats = npt.NDArray[np.float64]
_Numbers = npt.NDArray[np.int64]

_DEGREE = 2  # of the slope across, and down
_PULL = 1e-4  # towards a level page, in squares of a line as long as the page is wide
_STEEPEST = 0.3  # rise per run, in fractions of the page; more is no line that runs across
_BENT = 0.4  # of a word's height: what words are moved by, beyond what a skew moves, to matter
_STEPS = 16  # in which a line is followed from one edge to the other
_FEWEST = 20  # pairs of neighbours in lines that tell anything
# How far beside each line others are looked for, in turn, in widths of the page.
_REACHES = (0.1, 0.2, 0.4, 1.0)


@dataclass(frozen=True, slots=True)
class Bend:
    """How steeply lines run at each place of a page.

    Attributes:
        slope: (3, 3) rise per run, in fractions of the page, as a polynomial in x and y from the
            middle of the page: the coefficient of x to the i and y to the j at [i, j].
        room: what the flat page is longer by above and below, in heights of the page.
    """

    slope: _Floats
    room: float = 0.0

    @property
    def longer(self) -> float:
        """Height of the flat page over that of the page."""
        return 1 + 2 * self.room

    def flat(self, tokens: Sequence[Token]) -> list[Token]:
        """Return words where they would stand on the flat page, in fractions of that."""
        x, y = _middles(tokens)
        return _moved(tokens, 1.0, self.levelled(x, y) - y + self.room, self.longer)

    def bent(self, tokens: Sequence[Token]) -> list[Token]:
        """Return words of the flat page where they stand on the page."""
        x, y = _middles(tokens)
        level = y * self.longer - self.room
        down = self._followed(np.full(len(x), 0.5), level, x) - level
        return _moved(tokens, self.longer, down - self.room, 1.0)

    def levelled(self, x: _Floats, y: _Floats) -> _Floats:
        """Return how far down the lines through some points, (n,), are in the middle across."""
        return self._followed(x, y, np.full(len(x), 0.5))

    def _followed(self, x: _Floats, y: _Floats, to: _Floats) -> _Floats:
        step = (to - x) / _STEPS
        for number in range(_STEPS):
            half = y + step / 2 * self._at(x + number * step, y)
            y = y + step * self._at(x + (number + 0.5) * step, half)
        return y

    def _at(self, x: _Floats, y: _Floats) -> _Floats:
        return np.asarray(np.polynomial.polynomial.polyval2d(x - 0.5, y - 0.5, self.slope))


def bend_of(tokens: Sequence[Token]) -> Bend | None:
    """Return how the lines of a page bend; None where a skew says all there is to say.

    Args:
        tokens: words of the page; those of a line that the OCR found follow one another from left
            to right, and bear its number.
    """
    if len(tokens) <= _FEWEST:
        return None
    x0, top, x1, bottom = np.array([token.box.as_list() for token in tokens]).T
    x, y = _middles(tokens)
    lines = grouped(np.array([token.line for token in tokens]))
    first, last = lines.starts, lines.starts + lines.sizes - 1
    left = np.setdiff1d(np.arange(len(x)), last)
    bend = _fitted(x, y, left, left + 1)
    for reach in _REACHES:
        if bend is None:
            return None
        # What stands beside a line in a row of the flat page tells of the page in between. The
        # nearest first: farther off, the next row would be taken for this one.
        level = bend.levelled(x, y)[first]
        before, after = beside(x0[first], x1[last], level, (bottom - top)[first])
        near = x0[first][after] - x1[last][before] <= reach
        before, after = before[near], after[near]
        bend = _fitted(x, y, np.append(left, last[before]), np.append(left + 1, first[after]))
    if bend is None:
        return None
    level = bend.levelled(x, y)
    skew = np.polyfit(x, level - y, 1)
    beyond = level - y - np.polyval(skew, x)
    height = float(np.median(bottom - top))
    if float(np.ptp(beyond)) <= _BENT * height:
        return None
    return replace(bend, room=max(0.0, -float(level.min()), float(level.max()) - 1) + height)


def _fitted(x: _Floats, y: _Floats, left: _Numbers, right: _Numbers) -> Bend | None:
    """Return the bend that carries words best to their neighbours; None of too few of them.

    Args:
        x: (n,) middles of words across.
        y: (n,) down.
        left: (m,) numbers of words.
        right: (m,) numbers of the words beside them.
    """
    run, rise = x[right] - x[left], y[right] - y[left]
    tells = np.abs(rise) < _STEEPEST * run
    if tells.sum() < _FEWEST:
        return None
    left, right, rise = left[tells], right[tells], rise[tells]
    powers = np.arange(1, _DEGREE + 2)
    # Integrals of the powers of x from the one to the other.
    across = ((x[right, None] - 0.5) ** powers - (x[left, None] - 0.5) ** powers) / powers
    down = ((y[left] + y[right]) / 2 - 0.5)[:, None] ** (powers - 1)
    rows = (across[:, :, None] * down[:, None, :]).reshape(len(rise), -1)
    found = np.linalg.solve(rows.T @ rows + _PULL * np.eye(rows.shape[1]), rows.T @ rise)
    return Bend(np.asarray(found).reshape(_DEGREE + 1, _DEGREE + 1))


def _middles(tokens: Sequence[Token]) -> tuple[_Floats, _Floats]:
    x0, top, x1, bottom = np.array([token.box.as_list() for token in tokens]).T
    return (x0 + x1) / 2, (top + bottom) / 2


def _moved(tokens: Sequence[Token], times: float, down: _Floats, longer: float) -> list[Token]:
    """Return words with tops and bottoms multiplied, moved down, and divided by a height."""
    found = []
    for token, by in zip(tokens, down.tolist(), strict=True):
        x0, top, x1, bottom = token.box.as_list()
        top, bottom = (top * times + by) / longer, (bottom * times + by) / longer
        found.append(replace(token, box=clamped_box(x0, top, x1, bottom)))
    return found
