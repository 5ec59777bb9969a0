"""Opens a document of any kind that can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from PIL import Image

from pipeline.document import EmbeddedInvoice, Page
from pipeline.reading.media import PDF, XML
from pipeline.reading.options import ReadOptions
from pipeline.reading.sources.images import ImageSource
from pipeline.reading.sources.pdf import PdfSource
from pipeline.reading.sources.xml import XmlSource


class Source(Protocol):
    """An opened document that reads its pages one at a time.

    Attributes:
        page_count: pages in the document, at least 1.
        embedded: the e-invoice that it carries, if any.
        warnings: sentences on what it carries that could not be read.
    """

    page_count: int
    embedded: EmbeddedInvoice | None
    warnings: tuple[str, ...]

    def read_page(self, number: int) -> Page:
        """Return one page, from 1; raises a DocumentError where it cannot be read."""

    def draw_page(self, number: int, width: int) -> Image.Image:
        """Return one page, from 1, in colour as a viewer shows it.

        Args:
            number: of the page.
            width: of the picture in pixels, at most: nothing is enlarged beyond what is there.

        Raises:
            DocumentError: it cannot be drawn.
        """

    def close(self) -> None:
        """Release the file."""


def open_source(data: bytes, media_type: str, folder: Path, options: ReadOptions) -> Source:
    """Return the document opened; for the confined children, see `pipeline.reading.serving`.

    Args:
        data: the file as delivered.
        media_type: as `sniff` found it.
        folder: for the files that reading needs; removed by the caller.
        options: password and limits.

    Raises:
        DocumentError: it cannot be opened.
    """
    if media_type == PDF:
        return PdfSource(data, folder, options)
    if media_type == XML:
        return XmlSource(data)
    return ImageSource(data, media_type, folder, options)
