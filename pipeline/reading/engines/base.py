"""What a recognition engine is, and the picture that it is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from PIL import Image

from pipeline.document import Token


@dataclass(frozen=True, slots=True)
class Raster:
    """A page as pixels.

    Attributes:
        image: 8-bit grey.
        dpi: resolution, None where unknown.
        letters: how high its small letters are, in pixels; 0 where that is not known.
    """

    image: Image.Image
    dpi: int | None = None
    letters: float = 0.0


@dataclass(frozen=True, slots=True)
class Recognised:
    """What an engine read on a page.

    Attributes:
        words: boxes are fractions of the image; `line` and `block` name source lines, in any
            order. Confidences are the engine's own, 0 to 1: within an engine they compare from
            page to page, between engines they do not.
        illegible: share, 0 to 1, of the print on lines that was found and in which no letter was
            read, as in a script that the engine does not know; 0 where the engine cannot tell.
    """

    words: list[Token]
    illegible: float = 0.0


class Engine(Protocol):
    """Recognises the words of a page that stands upright, in dark ink on light paper.

    Attributes:
        doubtful: mean confidence of the letters of a page, 0 to 1, below which the page may be
            upside down: upright pages have more, pages upside down less.
    """

    doubtful: float

    def load(self) -> None:
        """Load now what the first page would have to wait for; leaves no thread behind."""

    def recognise(self, raster: Raster, *, language: str, timeout_s: float) -> Recognised:
        """Return the words on an image.

        Args:
            raster: the page.
            language: ``auto``, or checked language codes in Tesseract's writing, as ``eng+deu``.
            timeout_s: seconds after which the engine gives up.

        Raises:
            InvalidOption: it cannot read a language that was named.
            DependencyMissing: it, or what it needs where none was named, is not installed.
            ReadingTimeout: the time was not enough.
            CorruptDocument: the engine cannot read the image.
        """
