"""Poppler's programs: page counts, page sizes and rasters of PDF pages."""

from __future__ import annotations

import math
import re
from pathlib import Path

from PIL import Image

from pipeline.errors import (
    CorruptDocument,
    EmptyDocument,
    EncryptedPdf,
    PageTooLarge,
)
from pipeline.reading.engines.base import Raster
from pipeline.reading.isolation import programs

_MIN_DPI = 50  # below, no text survives
_MAX_SIDE = 32_000  # pixels; Tesseract takes up to 32,767
_SIZE_KEY = re.compile(r"Page\s+\d+ size")
_TURN_KEY = re.compile(r"Page\s+\d+ rot")
_SIZE = re.compile(r"([\d.]+(?:e[+-]?\d+)?) x ([\d.]+(?:e[+-]?\d+)?) pts")


def count_pages(path: Path, timeout_s: float) -> int:
    """Return the number of pages of a PDF that opens without a password.

    Raises:
        EncryptedPdf: it needs a password.
        EmptyDocument: it has no pages.
        CorruptDocument: it cannot be opened.
        ReadingTimeout: the time was not enough.
        DependencyMissing: poppler is not installed.
    """
    return int(_info(path, timeout_s)["Pages"])


def page_size(path: Path, number: int, timeout_s: float) -> tuple[float, float]:
    """Return width and height in points of a page as displayed: crop box, turned by /Rotate.

    Raises:
        CorruptDocument: the page has no usable size.
        EncryptedPdf, ReadingTimeout, DependencyMissing: as `count_pages`.
    """
    info = _info(path, timeout_s, number)
    sizes = [_SIZE.match(value) for key, value in info.items() if _SIZE_KEY.fullmatch(key)]
    turns = [value for key, value in info.items() if _TURN_KEY.fullmatch(key)]
    if len(sizes) != 1 or sizes[0] is None:
        raise CorruptDocument(f"Page {number} has no size.")
    width, height = float(sizes[0][1]), float(sizes[0][2])
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise CorruptDocument(f"Page {number} has no area.")
    return (height, width) if turns and turns[0] in ("90", "270") else (width, height)


def fitting_dpi(width: float, height: float, dpi: int, max_pixels: int) -> int:
    """Return the resolution at which a page fits the pixel budget, at most `dpi`; 0 if none does.

    Width and height are those of the page in points.
    """
    inches = width / 72, height / 72
    # Renderers round each side up: a pixel a side is kept back.
    by_area = math.sqrt(max_pixels / (inches[0] * inches[1])) - 1 / min(inches)
    by_side = _MAX_SIDE / max(inches)
    fitting = int(min(dpi, by_area, by_side))
    return fitting if fitting >= _MIN_DPI else 0


def render(
    path: Path,
    number: int,
    folder: Path,
    *,
    size: tuple[float, float],
    dpi: int,
    max_pixels: int,
    timeout_s: float,
) -> Raster:
    """Return one page as a raster.

    Args:
        path: a PDF that opens without a password.
        number: page number, from 1.
        folder: where poppler's file lies for a moment.
        size: width and height of the page in points, as displayed.
        dpi: resolution wanted; lowered to fit the budget.
        max_pixels: the most pixels the raster may have, checked before rendering.
        timeout_s: seconds after which the renderer is ended.

    Raises:
        PageTooLarge: the page does not fit the budget at any readable resolution.
        CorruptDocument: the page cannot be rendered.
        ReadingTimeout, DependencyMissing: as `count_pages`.
    """
    fitting = fitting_dpi(*size, dpi, max_pixels)
    if not fitting:
        raise PageTooLarge(
            f"Page {number} measures {size[0]:.0f} x {size[1]:.0f} points: at {_MIN_DPI} dpi it "
            f"exceeds {max_pixels:,} pixels."
        )
    prefix = folder / f"page-{number}"
    command = ["pdftoppm", "-r", str(fitting), "-cropbox", "-gray", "-singlefile"]
    command += ["-f", str(number), "-l", str(number), str(path), str(prefix)]
    programs.run(command, timeout_s=timeout_s, doing=f"Rendering page {number}")
    rendered = prefix.with_suffix(".pgm")
    if not rendered.exists():
        raise CorruptDocument(f"Page {number} cannot be rendered.")
    try:
        with Image.open(rendered, formats=["PPM"]) as file:
            return Raster(file.convert("L"), fitting)
    except MemoryError:  # has an error of its own further up
        raise
    except Exception as error:
        raise CorruptDocument(f"Page {number} cannot be rendered.") from error
    finally:
        rendered.unlink()


def _info(path: Path, timeout_s: float, number: int = 0) -> dict[str, str]:
    """Return what pdfinfo says of the file, and of one page unless `number` is 0."""
    command = ["pdfinfo", *(["-f", str(number), "-l", str(number)] if number else []), str(path)]
    done = programs.run(command, timeout_s=timeout_s, doing="Opening the PDF")
    info: dict[str, str] = {}
    for line in done.output.decode(errors="replace").splitlines():
        key, _, value = line.partition(":")
        info[key] = value.strip()
    if not info.get("Pages", "").isdecimal():
        if "Incorrect password" in done.messages:
            raise EncryptedPdf("The PDF is encrypted.")
        if "the last page (0)" in done.messages:
            raise EmptyDocument("The PDF has no pages.")
        raise CorruptDocument("The PDF cannot be opened.")
    return info
