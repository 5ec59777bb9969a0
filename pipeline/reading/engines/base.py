"""What a recognition engine is, and the picture that it is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from PIL import Image

from pipeline.document import Token


@dataclass(frozen=True, slots=True)
class Raster:
    """A page as pixels on disk, uncompressed, so that opening it costs no decoding.

    Attributes:
        path: a file in TIFF format, 8-bit grey.
        width, height: size in pixels.
        dpi: resolution, None where unknown.
    """

    path: Path
    width: int
    height: int
    dpi: int | None = None


def store(picture: Image.Image, path: Path, dpi: int | None = None) -> Raster:
    """Write a picture for engines to read; return it as a raster.

    Not as PGM: Tesseract reads that pixel by pixel, half its time for an empty page at 300 dpi.

    Args:
        picture: the page, 8-bit grey.
        path: written.
        dpi: resolution, None where unknown.
    """
    plain = Image.fromarray(np.asarray(picture))  # without what the file it is from said of itself
    plain.save(path, format="TIFF", compression="raw")
    return Raster(path, picture.width, picture.height, dpi)


def opened(raster: Raster) -> Image.Image:
    """Return the picture of a raster, in memory; raises OSError or ValueError where it is none."""
    with Image.open(raster.path, formats=["TIFF"]) as file:
        return file.convert("L")


class Engine(Protocol):
    """Recognises the words of a page that stands upright, in dark ink on light paper.

    Attributes:
        doubtful: mean confidence of the letters of a page, 0 to 1, below which the page may stand
            on its head: less than upright pages have, more than pages upside down.
    """

    doubtful: float

    def load(self) -> None:
        """Load now what the first page would have to wait for; leaves no thread behind."""

    def recognise(self, raster: Raster, *, language: str, timeout_s: float) -> list[Token]:
        """Return the words on an image.

        Boxes are fractions of the image; `line` and `block` name source lines, in any order.
        Confidences are the engine's own, 0 to 1: within an engine they compare from page to page,
        between engines they do not.

        Args:
            raster: the page, 8-bit grey.
            language: checked language codes in Tesseract's writing, such as ``eng+deu``.
            timeout_s: seconds after which the engine gives up.

        Raises:
            DependencyMissing: the engine, or what it needs for the language, is not installed.
            ReadingTimeout: the time was not enough.
            CorruptDocument: the engine cannot read the image.
        """
