"""Reads PDFs page by page: the text layer where it holds real text, else a raster and OCR."""

from __future__ import annotations

import logging
import math
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image

from pipeline.document import EmbeddedInvoice, Page
from pipeline.errors import CorruptDocument, EmptyDocument
from pipeline.reading.einvoice import MAX_BYTES, embedded_in
from pipeline.reading.engines.base import Raster
from pipeline.reading.options import ReadOptions
from pipeline.reading.scans import read_scan
from pipeline.reading.scans.pixels import clearest, is_blank
from pipeline.reading.sources import pdfium, poppler
from pipeline.reading.text_layer.characters import frame_of
from pipeline.reading.text_layer.layer import LayerPage, read_layer
from pipeline.reading.text_layer.quality import Verdict

_log = logging.getLogger(__name__)

_DYNAMIC_FORM = (
    "The PDF is a dynamic form (XFA), whose values most viewers do not show: what is read may be "
    "the page that asks for another viewer. Print the form to a PDF and send that one."
)
_LACKING = Verdict(False, "text layer without the text of annotations")
_GLANCE = 1000  # pixels across that show whether a page has colours: most that look blank are
_MAX_SIDE = 16_000  # pixels of a picture; browsers show no longer ones


class PdfSource:
    """A PDF on disk, opened.

    Poppler counts the pages, for it renders them; PDFium, which reads the text layers, is only
    believed where it sees the same number of pages. Where the two differ, or poppler cannot open
    the file, PDFium's repaired copy is what both then read.

    Raises:
        EncryptedPdf: it needs a password and none was given.
        WrongPassword: the password given does not open it.
        PdfPortfolio: its content lies in files embedded in it.
        CorruptDocument: it cannot be opened.
        EmptyDocument: it has no pages.
        ReadingTimeout, DependencyMissing: as `pipeline.reading.sources.poppler.count_pages`.
    """

    def __init__(self, data: bytes, folder: Path, options: ReadOptions) -> None:
        self._folder = folder
        self._options = options
        self._path = folder / "document.pdf"
        self._path.write_bytes(data)
        self._pdf: Any | None = None
        try:
            self._pdf = pdfium.open_pdf(self._path, options.password)
        except CorruptDocument as error:  # poppler may still make something of it
            _log.info("text layers: %s", type(error).__name__)
        self.embedded: EmbeddedInvoice | None = None
        self.warnings: tuple[str, ...] = ()
        if self._pdf is not None:
            self.embedded, self.warnings = embedded_in(pdfium.xml_files(self._pdf, MAX_BYTES))
            if pdfium.is_dynamic_form(self._pdf):
                self.warnings += (_DYNAMIC_FORM,)
        try:
            self.page_count = self._opened()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Release the file."""
        if self._pdf is not None:
            self._pdf.close()
            self._pdf = None

    def read_page(self, number: int) -> Page:
        """Return one page, from 1.

        Raises:
            PageTooLarge: the page does not fit the pixel budget at any readable resolution.
            CorruptDocument, ReadingTimeout, DependencyMissing: as rendering and OCR.
        """
        choice = self._options.ocr
        layer = self._layer(number) if choice != "always" else None
        if layer is not None and (layer.verdict.trusted or (choice == "never" and layer.tokens)):
            return Page(
                number,
                layer.width,
                layer.height,
                layer.rotation,
                text_source="text_layer",
                reason=layer.verdict.reason
                if layer.verdict.trusted
                else f"{layer.verdict.reason}, but OCR is turned off",
                tokens=layer.tokens,
            )
        if layer is not None:
            size, reason = (layer.width, layer.height), layer.verdict.reason
        else:
            size = self._size(number)
            reason = "OCR asked for" if choice == "always" else "text layer cannot be parsed"
        if choice == "never":
            return Page(number, *size, reason=f"{reason}, and OCR is turned off")
        raster = self._raster(number, size)
        if blank := is_blank(raster.image):
            raster = self._coloured(number, raster)
        page = read_scan(raster, number, *size, self._options, reason=reason)
        if blank and not page.tokens and self._pdf is not None:
            pdfium.refuse_lost_pictures(self._pdf, number)
        return page

    def _coloured(self, number: int, grey: Raster) -> Raster:
        """Return a page that is blank in grey by the colour that shows most, if any does."""
        glance = clearest(self.draw_page(number, min(grey.image.width, _GLANCE)))
        if is_blank(glance):
            return grey
        return Raster(clearest(self.draw_page(number, grey.image.width)), grey.dpi)

    def draw_page(self, number: int, width: int) -> Image.Image:
        """Return one page, from 1, in colour; in grey where only poppler can draw it.

        Raises:
            CorruptDocument, PageTooLarge, ReadingTimeout, DependencyMissing: as `read_page`.
        """
        size = self._size(number)
        if self._pdf is not None:
            scale = _fitting_scale(*size, width, self._options.max_pixels_per_page)
            with (
                suppress(pypdfium2.PdfiumError, ValueError),
                closing(pdfium.load_page(self._pdf, number)) as page,
            ):
                return pdfium.draw(page, scale)
        image = self._raster(number, size).image
        image.thumbnail((width, image.height))
        return image

    def _opened(self) -> int:
        """Return the number of pages, with `_path` a file that poppler opens."""
        timeout_s = self._options.page_timeout_s
        if self._pdf is None:
            return poppler.count_pages(self._path, timeout_s)
        pdfium.refuse_portfolio(self._pdf, self._folder)
        if self._options.password and pdfium.is_encrypted(self._pdf):
            # Poppler would take the password on its command line, where every user of the
            # machine can see it; so it gets a copy that needs none.
            self._path = self._copy(self._pdf)
        expected = len(self._pdf)
        try:
            count = poppler.count_pages(self._path, timeout_s)
        except (CorruptDocument, EmptyDocument):
            if not expected:
                raise
            count = 0
        if count != expected:
            copy = self._copy(self._pdf)
            with suppress(CorruptDocument, EmptyDocument):
                if poppler.count_pages(copy, timeout_s) == expected:
                    self._path = copy
                    return expected
            if not count:
                raise CorruptDocument("The PDF cannot be opened.")
            _log.info("text layers: %d pages, of %d", expected, count)
            self.close()
        return count

    def _copy(self, pdf: Any) -> Path:
        path = self._folder / "plain.pdf"
        pdfium.save_plain(pdf, path)
        return path

    def _layer(self, number: int) -> LayerPage | None:
        """Return the text layer of a page, None where it cannot be read."""
        if self._pdf is None:
            return None
        try:
            combs = pdfium.combs_of(self._pdf, number)
            whole, lacks = pdfium.load_whole_page(self._pdf, number)
            with closing(whole) as page:
                layer = read_layer(page, combs)
            return replace(layer, verdict=_LACKING) if lacks and layer.verdict.trusted else layer
        except (pypdfium2.PdfiumError, ValueError) as error:  # OCR reads it instead
            _log.info("text layer of page %d: %s", number, error)
            return None

    def _size(self, number: int) -> tuple[float, float]:
        """Return width and height of a page as shown, in points."""
        if self._pdf is not None:
            with (
                suppress(pypdfium2.PdfiumError, ValueError),
                closing(self._pdf[number - 1]) as page,
            ):
                return frame_of(page).size
        return poppler.page_size(self._path, number, self._options.page_timeout_s)

    def _raster(self, number: int, size: tuple[float, float]) -> Raster:
        """Return a page rendered by poppler, or by PDFium where poppler cannot."""
        options = self._options
        try:
            return poppler.render(
                self._path,
                number,
                self._folder,
                size=size,
                dpi=options.dpi,
                max_pixels=options.max_pixels_per_page,
                timeout_s=options.page_timeout_s,
            )
        except CorruptDocument:
            if self._pdf is None:
                raise
            dpi = poppler.fitting_dpi(*size, options.dpi, options.max_pixels_per_page)
            try:
                with closing(self._pdf[number - 1]) as page:
                    return pdfium.render(page, dpi)
            except pypdfium2.PdfiumError:
                _log.info("page %d can be rendered neither way", number)
            raise


def _fitting_scale(across: float, down: float, width: int, max_pixels: int) -> float:
    """Return the pixels a point at which a page is so wide, or less where it is a long one.

    `across` and `down` are the sides of the page in points, `width` is that of the picture.
    """
    return min(width / across, math.sqrt(max_pixels / (across * down)), _MAX_SIDE / down)
