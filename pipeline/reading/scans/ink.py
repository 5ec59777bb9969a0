"""Measures how a scan lies: which way its lines run, how far they are skewed, what is paper.

All of it is seen on a reduced picture, in about 20 ms a page, before any letter is read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from pipeline.reading.scans.pixels import median_shade, page_side

Mask = npt.NDArray[np.bool_]

_SIDE = 1000  # pixels of the reduced picture's longer side (`page_side`), at most twice that
_NEIGHBOURHOOD = 1 / 40  # of that side: what a pixel is compared with to be ink
_MIN_STEP, _MAX_STEP = 20, 48  # of 255; a smaller difference is paper, a larger one ink
_DARK = 128  # of 255; the median of paper is lighter
_STRONG = 0.01  # share of the pixels that are strong print, on any page with words
_MIN_INK = 50  # pixels; fewer say nothing about lines
_WIDE_GAP = 1 / 40  # of that side; wider gaps are no longer told apart
_MAX_POINTS = 40_000  # pixels of ink that the angle is measured on
_MAX_SKEW = 32.0  # degrees
# Pages are seldom photographed so steeply, and what they lie on has angles of its own, too: beyond
# so many degrees, rows have to stand so many times as sharp as at other angles.
_STEEP, _STEEPLY = 18.0, 1.5
# Nor is a page steep that has lines at less than so many degrees: a stamp on it may be. With such
# lines rows are so many times as sharp as at most of these angles (receipts: 4 to 44, else 1 to 2).
_GENTLE, _LINES = 15.0, 2.5
_CLEARLY = 1.05  # times as sharp as without a turn: less is no skew
_FEW = 0.2  # of the ink; letters smaller than those are few
_TALLEST = 1 / 12  # of the page's height; what is taller is no row of letters


@dataclass(frozen=True, slots=True)
class Ink:
    """What is drawn on a picture, reduced.

    Attributes:
        mask: (H, W), True where the picture differs from its neighbourhood.
        scale: pixels of the picture for one of the mask.
        light: True where ink is lighter than what surrounds it.
    """

    mask: Mask
    scale: int
    light: bool


def find_ink(image: Image.Image) -> Ink:
    """Return what is drawn on a grey picture; even light is not needed, nor dark on light."""
    scale = max(1, page_side(image.size) // _SIDE)
    small = image.reduce(scale) if scale > 1 else image
    radius = max(2, round(page_side(small.size) * _NEIGHBOURHOOD))
    shades = np.asarray(small)
    sides = 2 * radius + 1, 2 * radius + 1
    around = cv2.blur(shades, sides, borderType=cv2.BORDER_REPLICATE).astype(np.int16)
    step = shades - around
    steps = cv2.calcHist([(step + 255).view(np.uint16)], [0], None, [511], [0, 511])
    counts = np.cumsum(steps, dtype=np.int64)
    darkest, lightest = np.searchsorted(counts, counts[-1] * np.array([_STRONG, 1 - _STRONG])) - 255
    # Paper is lighter than its neighbourhood wherever print is dense or the scan has a black rim:
    # only where most of the picture is dark may what is light be the ink.
    light = bool(lightest > -darkest) and median_shade(small) < _DARK
    # Half of the strong steps: thin print counts, the texture of the paper does not.
    least = min(max((lightest if light else -darkest) / 2, _MIN_STEP), _MAX_STEP)
    mask = step > least if light else step < -least
    return Ink(mask, scale, light)


def runs_across(ink: Ink) -> float:
    """Return how surely lines run across: positive across, negative down, 0 without any evidence.

    Letters stand closer to each other than lines do, in every script, in proportional and in
    fixed pitch, also where columns of figures or rules mislead projection profiles: the gaps from
    ink to ink are shorter along the lines. The figure is the logarithm of the ratio of mean gaps
    down to mean gaps across, averaged over two means in which short gaps weigh most.
    """
    cap = max(2, round(page_side(ink.mask.shape) * _WIDE_GAP))
    across, down = _gaps(ink.mask), _gaps(np.ascontiguousarray(ink.mask.T))
    if min(len(across), len(down)) < _MIN_INK:
        return 0.0
    capped = np.minimum(down, cap).mean() / np.minimum(across, cap).mean()
    harmonic = (1 / across).mean() / (1 / down).mean()
    return 0.5 * math.log(capped * harmonic)


def skew(ink: Ink) -> float:
    """Return by how many degrees the lines fall to the right, within 32 either way.

    The angle at which the rows of ink stand sharpest against the gaps between them (Postl): the
    sum of squared differences of neighbouring rows, over sheared rows. 0 where no angle is clearly
    sharper than none, or the sharpest is beyond what is searched.
    """
    down, across = (axis.astype(np.float32) for axis in np.nonzero(ink.mask))
    if len(across) < _MIN_INK:
        return 0.0
    every = -(-len(across) // _MAX_POINTS)
    if every > 1:
        # Not every n-th: that would follow the grid.
        chosen = np.random.default_rng(0).permutation(len(across))[:_MAX_POINTS]
        down, across = down[chosen], across[chosen]
    across -= across.mean()
    coarse = np.arange(-_MAX_SKEW - 1, _MAX_SKEW + 1.25, 0.5)
    sharpness = np.array([_sharpness(across, down, angle) for angle in coarse])
    gentle = sharpness[np.abs(coarse) <= _GENTLE]
    has_lines = gentle.max() > _LINES * np.median(gentle)
    sharpness[np.abs(coarse) > _STEEP + 1] *= 0 if has_lines else 1 / _STEEPLY
    best = float(coarse[int(np.argmax(sharpness))])
    fine = best + np.arange(-0.5, 0.55, 0.1)
    sharpness = np.array([_sharpness(across, down, angle) for angle in fine])
    best = float(fine[int(np.argmax(sharpness))])
    least = _STEEPLY if abs(best) > _STEEP else _CLEARLY
    clear = sharpness.max() > least * _sharpness(across, down, 0.0)
    return best if clear and abs(best) <= _MAX_SKEW else 0.0


def letter_heights(ink: Ink) -> tuple[float, float]:
    """Return how high small and usual letters are on level lines, in pixels of the picture.

    Rows of letters, smeared along, become bars; a fifth of what the bars cover belongs to bars of
    at most the first height, half to bars of at most the second. Capitals, figures and letters with
    ascenders outweigh the low letters. Both are 0 where nothing can be told.
    """
    bars = ink.mask
    for step in (1, 2, 4):  # smears by seven pixels: letters of up to twice that height join
        smeared = bars.copy()
        smeared[:, step:] |= bars[:, :-step]
        bars = smeared
    heights = _lengths(np.ascontiguousarray(bars.T))
    heights = heights[(heights > 2) & (heights < _TALLEST * min(len(bars), page_side(bars.shape)))]
    if len(heights) < _MIN_INK:
        return 0.0, 0.0
    covered = np.cumsum(np.bincount(heights) * np.arange(heights.max() + 1))
    small, usual = np.searchsorted(covered, covered[-1] * np.array([_FEW, 0.5])) * ink.scale
    return float(small), float(usual)


def _edges(mask: Mask) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return where runs of ink along the rows start and end (past the last pixel).

    Places count through all rows, each one pixel longer than the mask's, so that no run or gap
    goes on from row to row.
    """
    height, width = mask.shape
    framed = np.zeros((height, width + 2), np.bool_)
    framed[:, 1:-1] = mask
    # Every run begins and ends within its row: beginnings and ends take turns.
    edges = np.flatnonzero(framed[:, 1:] != framed[:, :-1])
    return edges[::2], edges[1::2]


def _lengths(mask: Mask) -> npt.NDArray[np.int64]:
    """Return the lengths of the runs of ink along the rows, in pixels."""
    starts, ends = _edges(mask)
    lengths: npt.NDArray[np.int64] = ends - starts
    return lengths


def _gaps(mask: Mask) -> npt.NDArray[np.int64]:
    """Return the lengths of the gaps between ink and ink along the rows, in pixels."""
    starts, ends = _edges(mask)
    row = mask.shape[1] + 1
    same_row = starts[1:] // row == (ends[:-1] - 1) // row
    gaps: npt.NDArray[np.int64] = (starts[1:] - ends[:-1])[same_row]
    return gaps


def _sharpness(
    across: npt.NDArray[np.float32], down: npt.NDArray[np.float32], angle: float
) -> float:
    """Return how sharply rows of ink, sheared level by an angle in degrees, stand apart."""
    rows = down - across * math.tan(math.radians(angle))
    profile = np.bincount((rows - rows.min()).astype(np.int32)).astype(np.float64)
    return float(np.square(np.diff(profile)).sum())
