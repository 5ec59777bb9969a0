"""Reads a document: bytes in, pages of words in reading order out.

PDFs give their text layer page by page where it holds real text; all other pages, and images, are
read by Tesseract. Boxes are fractions of the page as delivered, which is the page as a viewer
shows it: a PDF's crop box turned by /Rotate, an image turned by its EXIF orientation.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

from pipeline.document import Document, Page
from pipeline.errors import TooManyPages
from pipeline.ocr.images import ImageSource
from pipeline.ocr.media import PDF, sniff
from pipeline.ocr.options import ReadOptions
from pipeline.ocr.pages import select_pages
from pipeline.ocr.pdf import PdfSource

__all__ = ["ReadOptions", "read_document"]

_DEFAULTS = ReadOptions()


class Source(Protocol):
    """An opened document that reads its pages one at a time."""

    page_count: int

    def read_page(self, number: int) -> Page:
        """Return one page, from 1."""

    def close(self) -> None:
        """Release the file."""


def read_document(
    data: bytes,
    options: ReadOptions = _DEFAULTS,
    on_page: Callable[[int, int], None] | None = None,
) -> Document:
    """Return a document as read.

    Args:
        data: the file as delivered.
        options: pages, password, language and limits.
        on_page: called after each page with the pages done and the pages chosen; what it raises
            ends the reading.

    Raises:
        UnsupportedMedia, EmptyDocument, EncryptedPdf, WrongPassword, CorruptDocument,
        TooManyPages, PageTooLarge, ReadingTimeout: the document cannot be read.
        BadPageRange: `options.pages` cannot be parsed or names no page.
        DependencyMissing: Tesseract, its language or poppler is not installed.
    """
    media_type = sniff(data)
    with (
        tempfile.TemporaryDirectory(prefix="fieldwright-") as folder,
        closing(_open(data, media_type, Path(folder), options)) as source,
    ):
        numbers = _chosen(source.page_count, options)
        pages: list[Page] = []
        for number in numbers:
            pages.append(source.read_page(number))
            if on_page is not None:
                on_page(len(pages), len(numbers))
        return Document(
            hashlib.sha256(data).hexdigest(),
            media_type,
            tuple(pages),
            source.page_count,
            tuple(_warnings(pages)),
        )


def _open(data: bytes, media_type: str, folder: Path, options: ReadOptions) -> Source:
    if media_type == PDF:
        return PdfSource(data, folder, options)
    return ImageSource(data, media_type, folder, options)


def _chosen(page_count: int, options: ReadOptions) -> tuple[int, ...]:
    if options.pages is None:
        numbers = tuple(range(1, page_count + 1))
    else:
        numbers = select_pages(options.pages, page_count)
    if len(numbers) > options.max_pages:
        raise TooManyPages(
            f"{len(numbers)} pages were to be read; {options.max_pages} are allowed."
        )
    return numbers


def _warnings(pages: list[Page]) -> list[str]:
    return [
        f"Page {page.number}: no words were found ({page.reason})."
        for page in pages
        if not page.tokens
    ]
