"""Opens PDFs with PDFium: passwords, repair, portfolios, pages with their annotations, rasters.

PDFium holds no lock: a process reads with it from one thread at a time.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image
from pypdfium2 import raw

from pipeline.errors import CorruptDocument, EncryptedPdf, PdfPortfolio, WrongPassword
from pipeline.reading.engines.base import Raster
from pipeline.reading.text_layer import Comb, raster_of

_MAX_ATTACHMENTS = 50  # of a PDF, those after are not looked at
_MAX_PICTURES = 20  # of a page that shows nothing, those after are not looked at
_MAX_PIXELS = 100_000_000  # of one that is decoded: PDFium ends the process where memory lacks
_TOO_MANY_PIXELS = 2**31  # PDFium does not draw more
_MAX_ANNOTATIONS = 10_000  # of one page; none that is meant to be read has more
# Links show nothing and pop-ups only when pointed at; all others belong to what the page shows.
_UNSEEN = (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP)
_COMB = 1 << 24  # of the flags of a field
_EMPTY = 2  # bytes of a text without letters: its end
_HIDDEN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
# For the copy that PDFium has written: one object after the other, dictionaries in plain text.
_OBJECT = re.compile(rb"\bobj\b(.*?)\bendobj\b", re.DOTALL)
_CATALOG = re.compile(rb"/Type\s*/Catalog\b")
_COLLECTION = re.compile(rb"/Collection\b")


def open_pdf(path: Path, password: str | None = None) -> Any:
    """Return a PDF as a `pypdfium2.PdfDocument`, its form fields filled in as a viewer does.

    Raises:
        EncryptedPdf: it needs a password and none was given.
        WrongPassword: the password given does not open it.
        CorruptDocument: it cannot be opened, not even after repair.
    """
    try:
        pdf = _opened(path, None) or _opened(path, password)
    except pypdfium2.PdfiumError as error:
        raise CorruptDocument("The PDF cannot be opened.") from error
    if pdf is None and password:
        raise WrongPassword("The password does not open the PDF.")
    if pdf is None:
        raise EncryptedPdf("The PDF is encrypted and opens only with a password.")
    if pdf.get_formtype() != raw.FORMTYPE_NONE:
        # A form that PDFium cannot run is still a page to read.
        with suppress(pypdfium2.PdfiumError):
            pdf.init_forms()
    return pdf


def _opened(path: Path, password: str | None) -> Any | None:
    """Return a PDF, None where it takes another password; raises PdfiumError."""
    try:
        return pypdfium2.PdfDocument(path, password=password)
    except pypdfium2.PdfiumError as error:
        if error.err_code != raw.FPDF_ERR_PASSWORD:
            raise
        return None


def is_encrypted(pdf: Any) -> bool:
    """Return whether an open PDF is stored encrypted, be it with an empty password."""
    return int(raw.FPDF_GetSecurityHandlerRevision(pdf.raw)) >= 0


def save_plain(pdf: Any, path: Path) -> None:
    """Write an open PDF anew: without encryption, its index and structure repaired."""
    path.unlink(missing_ok=True)
    pdf.save(path, flags=raw.FPDF_REMOVE_SECURITY)


def refuse_portfolio(pdf: Any, folder: Path) -> None:
    """Raise `PdfPortfolio` where an open PDF is a portfolio: a cover page around other files.

    PDFium has no function for it, but a copy that it writes holds the catalog in plain text. A
    document that merely carries attachments, such as an invoice with its XML, is not a portfolio.

    Args:
        pdf: the document.
        folder: where a copy may lie for a moment; written only where files are embedded.
    """
    if raw.FPDFDoc_GetAttachmentCount(pdf.raw) < 1:
        return
    copy = folder / "portfolio.pdf"
    try:
        save_plain(pdf, copy)
        objects = _OBJECT.findall(copy.read_bytes())
    finally:
        copy.unlink(missing_ok=True)
    catalogs = [entry for entry in objects if _CATALOG.search(entry)]
    if any(_COLLECTION.search(catalog) for catalog in catalogs):
        raise PdfPortfolio("The PDF is a portfolio: its content lies in the files embedded in it.")


def xml_files(pdf: Any, limit: int) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of the XML files that an open PDF carries, the first few of them.

    Args:
        pdf: the document.
        limit: bytes; of a larger file one byte more than that is given.
    """
    for index in range(min(pdf.count_attachments(), _MAX_ATTACHMENTS)):
        with suppress(pypdfium2.PdfiumError, ValueError):
            attachment = pdf.get_attachment(index)
            name = " ".join(attachment.get_name().replace("\0", "").split())
            if name.lower().endswith(".xml"):
                yield name, bytes(attachment.get_data()[: limit + 1])


def load_page(pdf: Any, number: int) -> Any:
    """Return a page, from 1, as a `pypdfium2.PdfPage` with its annotations as part of its content.

    Form fields, stamps and text boxes lie over the page as annotations; viewers show them, and so
    they are read. Hidden ones are left out, as viewers do.

    Raises:
        pypdfium2.PdfiumError: the page cannot be loaded.
    """
    return load_whole_page(pdf, number)[0]


def load_whole_page(pdf: Any, number: int) -> tuple[Any, bool]:
    """Return a page as `load_page` does, and whether it lacks text that other viewers show."""
    page = pdf[number - 1]
    shown, undrawn = _annotated(page)
    if not shown:
        return page, False
    # Where nothing can be flattened the page stays what it was.
    raw.FPDFPage_Flatten(page.raw, raw.FLAT_NORMALDISPLAY)
    page.close()
    return pdf[number - 1], undrawn


def refuse_lost_pictures(pdf: Any, number: int) -> None:
    """Raise `CorruptDocument` where a page, from 1, is blank because its picture is not decoded."""
    with suppress(pypdfium2.PdfiumError), closing(pdf[number - 1]) as page:
        for picture in islice(page.get_objects([raw.FPDF_PAGEOBJ_IMAGE]), _MAX_PICTURES):
            width, height = picture.get_px_size()
            if _MAX_PIXELS < width * height < _TOO_MANY_PIXELS:
                continue  # most likely an empty page, scanned finely
            if width * height <= _MAX_PIXELS and (
                bitmap := raw.FPDFImageObj_GetBitmap(picture.raw)
            ):
                raw.FPDFBitmap_Destroy(bitmap)
                continue
            raise CorruptDocument(
                f"Page {number} shows nothing but a picture that cannot be drawn: it is damaged, "
                "or too large.",
                advice="Save the page as a JPEG or PNG of at most 300 dpi, and send that.",
            )


def is_dynamic_form(pdf: Any) -> bool:
    """Return whether the pages of an open PDF are made by its XFA form, which PDFium leaves out."""
    return bool(pdf.get_formtype() == raw.FORMTYPE_XFA_FULL)


def combs_of(pdf: Any, number: int) -> list[Comb]:
    """Return the comb fields of a page, from 1, of an open PDF; none once `load_page` has had it.

    Raises:
        pypdfium2.PdfiumError: the page cannot be loaded.
    """
    if pdf.formenv is None:
        return []
    found = []
    with closing(pdf[number - 1]) as page:
        for _, annotation in _annotations(page):
            rect, cells = raw.FS_RECTF(), ctypes.c_float()
            if raw.FPDFAnnot_GetFormFieldFlags(pdf.formenv.raw, annotation) & _COMB:
                raw.FPDFAnnot_GetRect(annotation, rect)
                raw.FPDFAnnot_GetNumberValue(annotation, b"MaxLen", cells)
                place = (rect.left, rect.bottom, rect.right, rect.top)
                found.append(Comb(place, int(max(0.0, min(1000.0, cells.value)))))
    return found


def _annotated(page: Any) -> tuple[bool, bool]:
    """Return whether a page has annotations that viewers show, and text that PDFium does not.

    Text may leave its look to the viewer. Annotations that viewers hide are removed.
    """
    shown = undrawn = False
    for index, annotation in _annotations(page):
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        if raw.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
            raw.FPDFPage_RemoveAnnot(page.raw, index)
        elif kind not in _UNSEEN:
            shown = True
            undrawn |= (
                kind == raw.FPDF_ANNOT_FREETEXT
                and not raw.FPDFAnnot_HasKey(annotation, b"AP")
                and raw.FPDFAnnot_GetStringValue(annotation, b"Contents", None, 0) > _EMPTY
            )
    return shown, undrawn


def _annotations(page: Any) -> Iterator[tuple[int, Any]]:
    """Yield number and handle of the annotations of a page, the last first: they may be removed."""
    count = min(raw.FPDFPage_GetAnnotCount(page.raw), _MAX_ANNOTATIONS)
    for index in reversed(range(count)):
        if annotation := raw.FPDFPage_GetAnnot(page.raw, index):
            try:
                yield index, annotation
            finally:
                raw.FPDFPage_CloseAnnot(annotation)


def draw(page: Any, scale: float) -> Image.Image:
    """Return a `pypdfium2.PdfPage` in colour, at so many pixels a point."""
    bitmap = page.render(scale=scale)
    try:
        return Image.fromarray(bitmap.to_numpy()[..., 2::-1].copy())
    finally:
        bitmap.close()


def render(page: Any, dpi: int) -> Raster:
    """Return a `pypdfium2.PdfPage` as a raster for the OCR; the dpi keep the pixel budget."""
    return Raster(Image.fromarray(raster_of(page, dpi)), dpi)
