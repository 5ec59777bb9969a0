"""Resampling agrees with Pillow's, to which the places of pixels were measured."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageFilter

from pipeline.affine import Affine
from pipeline.reading.scans.pixels import mapped, scaled

Values = npt.NDArray[np.int16]


@pytest.fixture
def picture() -> Image.Image:
    """Smooth dark blots on light paper: where nothing is sharp, all kernels agree."""
    noise = np.random.default_rng(5).integers(0, 256, (97, 143)).astype(np.uint8)
    return Image.fromarray(noise).filter(ImageFilter.GaussianBlur(4))


def values(image: Image.Image) -> Values:
    return np.asarray(image, np.int16)


def test_a_map_onto_itself_changes_nothing(picture: Image.Image) -> None:
    assert mapped(picture, Affine(), picture.size, fill=0).tobytes() == picture.tobytes()


def test_a_shift_moves_whole_pixels_and_fills(picture: Image.Image) -> None:
    moved = values(mapped(picture, Affine.shift(3, 5), picture.size, fill=200))
    assert (moved[:-5, :-3] == values(picture)[5:, 3:]).all()
    assert (moved[-3:] == 200).all()


@pytest.mark.parametrize("degrees", [-12.5, 0.4, 7.0, 90.0])
def test_turning_agrees_with_pillow(picture: Image.Image, degrees: float) -> None:
    size = 171, 171
    back = Affine.rotation(degrees, size, picture.size)
    ours = mapped(picture, back, size, fill=255)
    coefficients = back.a, back.b, back.c, back.d, back.e, back.f
    kernel = Image.Resampling.BICUBIC
    theirs = picture.transform(size, Image.Transform.AFFINE, coefficients, kernel, fillcolor=255)
    apart = np.abs(values(ours) - values(theirs))
    assert np.median(apart) <= 1
    assert np.mean(apart > 4) < 0.04  # along the edge, where Pillow does not mix in what fills


@pytest.mark.parametrize("size", [(286, 194), (200, 150), (90, 60), (143, 97)])
def test_scaling_agrees_with_pillow(picture: Image.Image, size: tuple[int, int]) -> None:
    ours, theirs = scaled(picture, size), picture.resize(size, Image.Resampling.BICUBIC)
    assert ours.size == size
    assert np.abs(values(ours) - values(theirs)).max() <= 6
