"""Reads pictures: their pages, made ready for the OCR without changing their frame.

"As delivered" is the picture as a viewer shows it: turned as its EXIF orientation says. The pages
of a TIFF are its directories. Any other file is one page: what an animation shows first, and a
JPEG without the further pictures it may carry (depth maps, previews).
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageChops

from pipeline.document import EmbeddedInvoice, Page
from pipeline.errors import CorruptDocument, EmptyDocument, PageTooLarge
from pipeline.reading.engines.base import Raster
from pipeline.reading.media import HEIC, TIFF
from pipeline.reading.options import ReadOptions
from pipeline.reading.scans import read_scan
from pipeline.reading.scans.pixels import clearest, is_blank
from pipeline.reading.sources.tiff import page_frames

_ORIENTATION = 0x0112  # EXIF tag
# How a stored picture is turned to be shown, by its orientation.
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_SIDEWAYS = {_TURNS[orientation] for orientation in (5, 6, 7, 8)}
# What the OCR is told, whatever the file says: measured best on receipts, whose stated resolutions
# are missing or wrong; without one Tesseract guesses from the image and fares worse.
_READING_DPI = 300
_CREDIBLE_DPI = (50.0, 2400.0)  # anything else that a file states is taken for a mistake
_MAX_SIDE = 32_000  # pixels; Tesseract takes up to 32,767
_SQUARE = 1.1  # ratio of resolutions up to which pixels count as square
_PHOTOMETRIC, _WHITE_IS_ZERO = 262, 0  # TIFF tag
# What white may be in a deep grey picture: floats from 0 to 1, then 8 to 16 bits. The file tells
# how many bits a value is stored in, not how many its scanner filled.
_WHITES = (1.0, 255.0, 1023.0, 4095.0, 16383.0, 65535.0)


class ImageSource:
    """An image file, opened: only its headers have been read.

    Raises:
        CorruptDocument: the file cannot be decoded.
        EmptyDocument: it has no picture.
    """

    embedded: EmbeddedInvoice | None = None  # images carry none
    warnings: tuple[str, ...] = ()

    def __init__(self, data: bytes, media_type: str, folder: Path, options: ReadOptions) -> None:
        self._options = options
        self._frames = page_frames(data) if media_type == TIFF else (0,)
        if not self._frames:
            raise EmptyDocument("The TIFF has no picture.")
        self.page_count = len(self._frames)
        self._image = _open(data, media_type)
        self._orientations: dict[int, int] = {}  # by page: a TIFF forgets its own when loaded

    def close(self) -> None:
        """Release the file."""
        self._image.close()

    def read_page(self, number: int) -> Page:
        """Return one page, from 1, read by OCR.

        Raises:
            CorruptDocument: it cannot be decoded.
            PageTooLarge: it exceeds the pixel budget, found from its header alone.
            DependencyMissing, ReadingTimeout: as `read_scan`.
        """
        picture, resolution = self._load(number)
        if is_blank(picture):
            picture = clearest(self._load(number, "RGB")[0])
        across, down = resolution or (72.0, 72.0)
        width, height = picture.width * 72 / across, picture.height * 72 / down
        if self._options.ocr == "never":
            return Page(number, width, height, reason="image file, and OCR is turned off")
        raster = Raster(_squared(picture, resolution), _READING_DPI)
        return read_scan(raster, number, width, height, self._options, reason="image file")

    def draw_page(self, number: int, width: int) -> Image.Image:
        """Return one page, from 1, in colour; raises CorruptDocument, PageTooLarge."""
        picture = _squared(*self._load(number, "RGB"))
        if picture.width <= width:
            return picture
        height = max(1, round(picture.height * width / picture.width))
        return picture.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)

    def _load(self, number: int, mode: str = "L") -> tuple[Image.Image, tuple[float, float] | None]:
        """Return a page as viewers show it, and its pixels per inch if credible.

        Args:
            number: of the page.
            mode: 8-bit grey, ``L``, or colour, ``RGB``.
        """
        try:
            self._image.seek(self._frames[number - 1])
            _check_size(self._image, number, self._options.max_pixels_per_page)
            orientation = self._orientations.setdefault(number, _orientation(self._image))
            self._image.load()
            picture = _flattened(self._image, mode)
        except (PageTooLarge, MemoryError):
            raise
        except Exception as error:  # Pillow's decoders raise almost anything on damaged files
            raise CorruptDocument(f"Page {number} of the image cannot be decoded.") from error
        resolution = _resolution(self._image)
        if resolution is not None and _TURNS.get(orientation) in _SIDEWAYS:
            resolution = resolution[1], resolution[0]
        # Asked again: Pillow turns a TIFF as it loads it.
        turn = _TURNS.get(_orientation(self._image))
        return (picture if turn is None else picture.transpose(turn)), resolution


def _open(data: bytes, media_type: str) -> Image.Image:
    """Return the image with only its header read."""
    try:
        if media_type == HEIC:
            return _open_heic(data)
        return Image.open(BytesIO(data), formats=[media_type.removeprefix("image/").upper()])
    except MemoryError:
        raise
    except Exception as error:  # Pillow raises almost anything on damaged files
        raise CorruptDocument("The image cannot be decoded.") from error


def _open_heic(data: bytes) -> Image.Image:
    """Return a photo of a telephone; its decoder is loaded only where there is one."""
    from pi_heif import HeifImageFile, options

    options.DECODE_THREADS = 1
    image: Image.Image = HeifImageFile(BytesIO(data))
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


def _orientation(image: Image.Image) -> int:
    """Return the EXIF orientation; a damaged EXIF block turns nothing."""
    try:
        return int(image.getexif().get(_ORIENTATION, 1))
    except Exception:  # the picture is whole: only its description is damaged
        return 1


def _resolution(image: Image.Image) -> tuple[float, float] | None:
    """Return pixels per inch across and down where the file states credible ones."""
    try:
        across, down = (float(value) for value in image.info["dpi"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None
    low, high = _CREDIBLE_DPI
    return (across, down) if low <= across <= high and low <= down <= high else None


def _flattened(image: Image.Image, mode: str) -> Image.Image:
    """Return the image in grey or colour of 8 bits.

    Alpha is laid on white, 16 bits are scaled, CMYK and 1 bit are converted. Of CIELAB the
    lightness stays: Pillow converts it to nothing else.
    """
    if image.mode == "LAB":
        image = image.getchannel("L")
    if image.mode.startswith(("I", "F")):
        grey = _scaled_to_8_bits(image)
        return (ImageChops.invert(grey) if _negative(image) else grey).convert(mode)
    if image.mode == "CMYK" and image.format == "JPEG" and "adobe" not in image.info:
        # Pillow takes the inks of all JPEGs as Adobe stores them, inverted.
        return ImageChops.invert(image).convert(mode)
    if image.mode in ("LA", "La", "PA", "RGBA", "RGBa") or "transparency" in image.info:
        layer = image.convert("RGBA")
        paper = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(paper, layer).convert(mode)
    return image.convert(mode)


def _negative(image: Image.Image) -> bool:
    """Return whether a deep grey picture has 0 for white, which Pillow only heeds in 8 bits."""
    tags: Any = getattr(image, "tag_v2", {})
    return bool(tags.get(_PHOTOMETRIC) == _WHITE_IS_ZERO)


def _scaled_to_8_bits(image: Image.Image) -> Image.Image:
    """Return a deep grey image in 8 bits: by the least white that holds it, or by what occurs."""
    values: Any = np.asarray(image, dtype=np.float32)
    values = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= _WHITES[-1]:
        low, high = 0.0, next(white for white in _WHITES if high <= white)
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
