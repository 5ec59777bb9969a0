"""Reads PNG, JPEG and TIFF: frames as pages, made ready for the OCR without changing their frame.

"As delivered" is the picture as a viewer shows it: turned as its EXIF orientation says.
"""

from __future__ import annotations

import warnings
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageOps

from pipeline.document import Page
from pipeline.errors import CorruptDocument, EmptyDocument, PageTooLarge
from pipeline.ocr.media import JPEG
from pipeline.ocr.options import ReadOptions
from pipeline.ocr.scan import read_scan
from pipeline.ocr.tesseract import Raster

_ORIENTATION = 0x0112  # EXIF tag
_CREDIBLE_DPI = (50.0, 2400.0)
_MAX_SIDE = 32_000  # pixels; Tesseract takes up to 32,767
_SQUARE = 1.1  # ratio of resolutions up to which pixels count as square
_MAX_FRAMES = 10_000  # a file of more is an attack on the count itself


class ImageSource:
    """An image file with one page, or a TIFF with one page a frame.

    Raises:
        CorruptDocument: the file cannot be decoded.
        EmptyDocument: it has no frame.
        PageTooLarge: a page exceeds the pixel budget, found from the header alone.
    """

    def __init__(self, data: bytes, media_type: str, folder: Path, options: ReadOptions) -> None:
        self._folder = folder
        self._options = options
        self._image = _open(data, media_type, options.max_pixels_per_page)
        # A JPEG may carry further pictures (depth maps, previews); they are no pages.
        self.page_count = 1 if media_type == JPEG else _frames(self._image)
        if self.page_count < 1:
            raise EmptyDocument("The image has no frame.")

    def close(self) -> None:
        """Release the file."""
        self._image.close()

    def read_page(self, number: int) -> Page:
        """Return one page, from 1, read by OCR; errors as the class."""
        frame = self._load(number)
        resolution = _resolution(frame)
        picture = _flattened(frame)
        if resolution is not None:
            across, down = resolution
            width, height = frame.width * 72 / across, frame.height * 72 / down
        else:
            width, height = float(frame.width), float(frame.height)
        raster = self._store(_squared(picture, resolution), number)
        return read_scan(raster, number, width, height, self._options, reason="image file")

    def _load(self, number: int) -> Image.Image:
        """Return a decoded frame, turned as its EXIF orientation says."""
        try:
            if self.page_count > 1:
                self._image.seek(number - 1)
            _check_size(self._image, number, self._options.max_pixels_per_page)
            self._image.load()
            return _turned(self._image)
        except PageTooLarge:
            raise
        except Exception as error:  # Pillow's decoders raise almost anything on damaged files
            raise CorruptDocument(f"Page {number} of the image cannot be decoded.") from error

    def _store(self, picture: Image.Image, number: int) -> Raster:
        """Write a page uncompressed, for Tesseract to open without another decoding."""
        path = self._folder / f"page-{number}.pgm"
        picture.save(path)
        # 300 whatever the file says: measured best on receipts, whose stated resolutions are
        # missing or wrong; without one Tesseract guesses from the image and fares worse.
        return Raster(path, picture.width, picture.height, dpi=300)


def _open(data: bytes, media_type: str, max_pixels: int) -> Image.Image:
    """Return the image with only its header read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            image = Image.open(BytesIO(data), formats=[media_type.removeprefix("image/").upper()])
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PageTooLarge(f"The image has more than {max_pixels:,} pixels.") from error
    except Exception as error:
        raise CorruptDocument("The image cannot be decoded.") from error
    _check_size(image, 1, max_pixels)
    return image


def _check_size(image: Image.Image, number: int, max_pixels: int) -> None:
    if image.width * image.height > max_pixels:
        raise PageTooLarge(
            f"Page {number} has {image.width} x {image.height} pixels; {max_pixels:,} are allowed."
        )
    if max(image.size) > _MAX_SIDE:
        raise PageTooLarge(
            f"Page {number} has {image.width} x {image.height} pixels; "
            f"{_MAX_SIDE:,} are allowed a side."
        )


def _frames(image: Image.Image) -> int:
    """Return the number of frames, counted by the reader one by one so that loops end."""
    try:
        count = 0
        while count <= _MAX_FRAMES:
            image.seek(count)
            count += 1
    except EOFError:
        image.seek(0)
        return count
    except Exception as error:
        raise CorruptDocument("The frames of the image cannot be counted.") from error
    raise CorruptDocument(f"The image claims more than {_MAX_FRAMES:,} frames.")


def _turned(image: Image.Image) -> Image.Image:
    """Return the image as viewers show it; a damaged EXIF block turns nothing."""
    try:
        orientation = image.getexif().get(_ORIENTATION, 1)
    except Exception:  # the picture is whole: only its description is damaged
        return image
    return ImageOps.exif_transpose(image) if orientation in range(2, 9) else image


def _resolution(image: Image.Image) -> tuple[float, float] | None:
    """Return pixels per inch across and down where the file states credible ones."""
    try:
        across, down = (float(value) for value in image.info["dpi"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None
    low, high = _CREDIBLE_DPI
    return (across, down) if low <= across <= high and low <= down <= high else None


def _flattened(image: Image.Image) -> Image.Image:
    """Return the image in 8-bit grey: alpha on white, 16 bits scaled, CMYK and 1 bit converted."""
    if image.mode.startswith(("I", "F")):
        return _scaled_to_8_bits(image)
    if image.mode in ("LA", "La", "PA", "RGBA", "RGBa") or "transparency" in image.info:
        layer = image.convert("RGBA")
        paper = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(paper, layer).convert("L")
    return image.convert("L")


def _scaled_to_8_bits(image: Image.Image) -> Image.Image:
    """Return a deep grey image in 8 bits: 16-bit values by their range, others by what occurs."""
    values: Any = np.asarray(image, dtype=np.float32)
    values = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    low, high = float(values.min()), float(values.max())
    if low >= 0 and 255 < high <= 65535:
        low, high = 0.0, 65535.0
    elif low >= 0 and high <= 255:
        low, high = 0.0, 255.0
    scaled = (values - low) * (255.0 / (high - low or 1.0))
    return Image.fromarray(scaled.astype(np.uint8))


def _squared(image: Image.Image, resolution: tuple[float, float] | None) -> Image.Image:
    """Return the image with square pixels: faxes have half the resolution down the page."""
    if resolution is None:
        return image
    across, down = resolution
    if max(across, down) <= _SQUARE * min(across, down):
        return image
    finer = max(across, down)
    size = round(image.width * finer / across), round(image.height * finer / down)
    if max(size) > _MAX_SIDE or size[0] * size[1] > 4 * image.width * image.height:
        return image
    return image.resize(size, Image.Resampling.BILINEAR)
