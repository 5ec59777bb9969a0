"""Reads PDFs page by page: the text layer where it holds real text, else a raster and OCR."""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path
from typing import Any

import pdfplumber
import pypdfium2

from pipeline.document import Page
from pipeline.errors import CorruptDocument, EncryptedPdf, WrongPassword
from pipeline.ocr import poppler
from pipeline.ocr.options import ReadOptions
from pipeline.ocr.scan import read_scan
from pipeline.ocr.text_layer import LayerPage, read_layer

_log = logging.getLogger(__name__)
# It complains of each damaged object by itself, with pieces of the document in its messages.
logging.getLogger("pdfminer").setLevel(logging.ERROR)


class PdfSource:
    """A PDF on disk, opened.

    Poppler counts the pages, for it renders them in the end; pdfplumber, which reads the text
    layers, is only believed where it sees the same number of pages.

    Raises:
        EncryptedPdf: it needs a password and none was given.
        WrongPassword: the password given does not open it.
        CorruptDocument: it cannot be opened.
        EmptyDocument: it has no pages.
        ReadingTimeout, DependencyMissing: as `pipeline.ocr.poppler.count_pages`.
    """

    def __init__(self, data: bytes, folder: Path, options: ReadOptions) -> None:
        self._folder = folder
        self._options = options
        self._path = folder / "document.pdf"
        self._path.write_bytes(data)
        try:
            self.page_count = poppler.count_pages(self._path, options.page_timeout_s)
        except EncryptedPdf:
            self._path = _unlocked(self._path, folder, options.password)
            self.page_count = poppler.count_pages(self._path, options.page_timeout_s)
        self._layers = _open_layers(self._path, self.page_count)

    def close(self) -> None:
        """Release the file."""
        if self._layers is not None:
            _close_layers(self._layers)

    def read_page(self, number: int) -> Page:
        """Return one page, from 1.

        Raises:
            PageTooLarge: the page does not fit the pixel budget at any readable resolution.
            CorruptDocument, ReadingTimeout, DependencyMissing: as rendering and OCR.
        """
        layer = self._layer(number)
        if layer is None:
            reason = "text layer cannot be parsed"
        elif layer.verdict.trusted:
            return Page(
                number,
                layer.width,
                layer.height,
                layer.rotation,
                text_source="text_layer",
                reason=layer.verdict.reason,
                tokens=layer.tokens,
            )
        else:
            reason = layer.verdict.reason
        size = poppler.page_size(self._path, number, self._options.page_timeout_s)
        raster = poppler.render(
            self._path,
            number,
            self._folder,
            size=size,
            dpi=self._options.dpi,
            max_pixels=self._options.max_pixels_per_page,
            timeout_s=self._options.page_timeout_s,
        )
        return read_scan(raster, number, *size, self._options, reason=reason)

    def _layer(self, number: int) -> LayerPage | None:
        """Return the text layer of a page, None where the parser fails on it."""
        if self._layers is None:
            return None
        try:
            page = self._layers.pages[number - 1]
            try:
                return read_layer(page)
            finally:
                page.close()
        except Exception as error:  # damaged pages raise almost anything: OCR reads them instead
            _log.info("text layer of page %d: %s", number, type(error).__name__)
            return None


def _open_layers(path: Path, page_count: int) -> Any | None:
    """Return the PDF opened by pdfplumber, None where that fails or sees other pages."""
    try:
        layers = pdfplumber.open(path)
    except Exception as error:
        _log.info("text layers: %s", type(error).__name__)
        return None
    try:
        if len(layers.pages) == page_count:
            return layers
    except Exception as error:
        _log.info("text layers: %s", type(error).__name__)
    _close_layers(layers)
    return None


def _close_layers(layers: Any) -> None:
    """Close pdfplumber's file, whose `close` goes over the pages and can fail on damaged ones."""
    try:
        layers.close()
    except Exception as error:  # nothing is lost: all pages have been read
        _log.info("closing text layers: %s", type(error).__name__)
        layers.stream.close()


def _unlocked(path: Path, folder: Path, password: str | None) -> Path:
    """Return a copy of an encrypted PDF without its protection.

    Poppler would take the password on its command line, where every user of the machine can see
    it; so the file is decrypted here and read without a password afterwards.
    """
    if not password:
        raise EncryptedPdf("The PDF is encrypted and opens only with a password.")
    copy = folder / "unlocked.pdf"
    try:
        pdf = pypdfium2.PdfDocument(path, password=password)
    except pypdfium2.PdfiumError as error:
        if error.err_code == pypdfium2.raw.FPDF_ERR_PASSWORD:
            raise WrongPassword("The password does not open the PDF.") from error
        raise CorruptDocument("The encrypted PDF cannot be opened.") from error
    try:
        with suppress(FileNotFoundError):
            copy.unlink()
        pdf.save(copy, flags=pypdfium2.raw.FPDF_REMOVE_SECURITY)
    finally:
        pdf.close()
    return copy
