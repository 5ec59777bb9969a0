"""Pages of hand-written content, and the text layer of a PDF's first page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

import pikepdf
import pypdfium2
from pikepdf import Dictionary, Name

from pipeline.reading.sources import pdfium
from pipeline.reading.text_layer.layer import LayerPage, read_layer
from tests.builders import change_pdf, draw_pdf


@contextmanager
def first_page(data: bytes) -> Iterator[pypdfium2.PdfPage]:
    """Give the first page of a PDF while it is open."""
    with NamedTemporaryFile(suffix=".pdf") as file:
        file.write(data)
        file.flush()
        with closing(pdfium.open_pdf(Path(file.name))) as pdf:
            yield pdfium.load_page(pdf, 1)


def layer(data: bytes) -> LayerPage:
    """Return the text layer of a PDF's first page."""
    with first_page(data) as page:
        return read_layer(page)


def content(code: bytes, font: str = "/Helvetica") -> bytes:
    """Return a page of hand-written content; /F1 is the font, in WinAnsi encoding."""

    def write(pdf: pikepdf.Pdf) -> None:
        f1 = Dictionary(Type=Name.Font, Subtype=Name.Type1, Encoding=Name.WinAnsiEncoding)
        f1.BaseFont = Name(font)
        pdf.pages[0].obj.Resources = Dictionary(Font=Dictionary(F1=f1))
        pdf.pages[0].obj.Contents = pdf.make_stream(code)

    return change_pdf(draw_pdf(lambda canvas: None), write)


def state_meaning(pdf: pikepdf.Pdf, codes: Mapping[int, str]) -> None:
    """Let the font /F1 of the first page state which letters its codes stand for."""
    rows = " ".join(f"<{code:02X}> <{codes[code].encode('utf-16-be').hex()}>" for code in codes)
    pdf.pages[0].obj.Resources.Font.F1.ToUnicode = pdf.make_stream(
        b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF>"
        b" endcodespacerange %d beginbfchar %s endbfchar endcmap" % (len(codes), rows.encode())
    )
