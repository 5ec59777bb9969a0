"""What befalls a page on its way to the reader: printer, scanner, camera, folds, poor light.

Parameters are drawn first and kept beside the document; applying them rolls no dice. Whatever
moves the picture moves the boxes with it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Damage:
    """How one page suffers.

    Attributes:
        dpi: at which it is scanned or taken.
        turn: degrees, clockwise.
        corners: shift of each corner inwards, as fractions of width and height, from the top left
            one clockwise; zeros for a flat scan.
        ink: pixels by which strokes grow.
        blur: standard deviation, pixels.
        light: darkening from one side to the other, as a share of white.
        light_from: where the light comes from, degrees.
        paper: shade of the paper, 255 is white.
        contrast: of the ink against the paper, 1 is black.
        noise: standard deviation, shades of 255.
        fold: where the page was folded, as a fraction of its height; 0 for nowhere.
        grain: seed of the noise.
        quality: of the JPEG file, 1 to 100.
        colour: whether the picture keeps its colours.
    """

    dpi: int
    turn: float
    corners: tuple[float, ...]
    ink: int
    blur: float
    light: float
    light_from: float
    paper: int
    contrast: float
    noise: float
    fold: float
    grain: int
    quality: int
    colour: bool


def draw_scan(rng: random.Random) -> Damage:
    """Return what an office scanner does."""
    return Damage(
        dpi=rng.choice((150, 150, 200, 200, 240)),
        turn=rng.gauss(0, 0.7),
        corners=(0.0,) * 8,
        ink=rng.choice((0, 0, 0, 0, 1)),
        blur=rng.uniform(0, 0.9),
        light=0.0,
        light_from=0.0,
        paper=rng.randrange(236, 256),
        contrast=rng.uniform(0.6, 1.0),
        noise=rng.uniform(0, 9),
        fold=rng.choice((0.0, 0.0, 0.0, rng.uniform(0.3, 0.7))),
        grain=rng.getrandbits(31),
        quality=rng.randrange(45, 92),
        colour=rng.random() < 0.35,
    )


def draw_photo(rng: random.Random) -> Damage:
    """Return what a telephone's camera does."""
    return Damage(
        dpi=rng.choice((130, 150, 170, 200)),
        turn=rng.gauss(0, 1.8),
        corners=tuple(rng.uniform(0, 0.05) for _ in range(8)),
        ink=0,
        blur=rng.uniform(0.3, 1.3),
        light=rng.uniform(0.05, 0.4),
        light_from=rng.uniform(0, 360),
        paper=rng.randrange(205, 250),
        contrast=rng.uniform(0.6, 0.95),
        noise=rng.uniform(2, 11),
        fold=rng.choice((0.0, rng.uniform(0.25, 0.75))),
        grain=rng.getrandbits(31),
        quality=rng.randrange(50, 90),
        colour=rng.random() < 0.85,
    )


def damaged(picture: Picture, damage: Damage) -> tuple[Picture, NDArray[np.float64]]:
    """Return the picture as it arrives, and the 3 x 3 map of its points.

    Args:
        picture: of a clean page, (height, width, 3).
        damage: what befalls it.
    """
    height, width = picture.shape[:2]
    matrix = _matrix(width, height, damage)
    edge = (damage.paper,) * 3 if not any(damage.corners) else (90, 84, 78)  # the table beneath
    inked = picture
    if damage.ink:
        kernel = np.ones((damage.ink + 1, damage.ink + 1), np.uint8)
        inked = cv2.erode(picture, kernel).astype(np.uint8)
    tone = damage.paper - (255 - inked.astype(np.float32)) * damage.contrast * damage.paper / 255
    if damage.fold:
        rows = np.arange(height, dtype=np.float32) / height
        shadow = 1 - 0.22 * np.exp(-(((rows - damage.fold) / 0.006) ** 2))
        tone *= shadow[:, None, None]
    flat = cv2.warpPerspective(tone, matrix, (width, height), borderValue=edge)
    if damage.light:
        angle = np.deg2rad(damage.light_from)
        across = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None, :] * np.cos(angle)
        down = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None] * np.sin(angle)
        flat *= (1 - damage.light * (0.5 + across + down))[:, :, None]
    if damage.blur > 0.2:
        flat = cv2.GaussianBlur(flat, (0, 0), damage.blur)
    if damage.noise:
        grain = np.random.default_rng(damage.grain)
        flat = flat + grain.normal(0, damage.noise, (height, width, 1)).astype(np.float32)
    result = np.clip(flat, 0, 255).astype(np.uint8)
    if not damage.colour:
        grey = cv2.cvtColor(result, cv2.COLOR_BGR2GRAY)
        result = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR).astype(np.uint8)
    return result, matrix


def moved(box: Box, matrix: NDArray[np.float64], width: int, height: int) -> Box:
    """Return the box around where a box's corners went; all as fractions of the page."""
    x0, top, x1, bottom = box
    corners = np.array([[x0, top], [x1, top], [x1, bottom], [x0, bottom]]) * (width, height)
    found = cv2.perspectiveTransform(corners[None].astype(np.float64), matrix)[0] / (width, height)
    low, high = found.min(axis=0).clip(0, 1), found.max(axis=0).clip(0, 1)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _matrix(width: int, height: int, damage: Damage) -> NDArray[np.float64]:
    """Return the map of points: turned about the middle, then the corners drawn inwards."""
    turn = np.vstack(
        [cv2.getRotationMatrix2D((width / 2, height / 2), -damage.turn, 1.0), [0, 0, 1]]
    )
    inward = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]])
    shifts = np.array(damage.corners).reshape(4, 2) * inward * (width, height)
    start = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    warp = cv2.getPerspectiveTransform(start, (start + shifts).astype(np.float32))
    return np.asarray(warp @ turn, np.float64)
