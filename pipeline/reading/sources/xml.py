"""Reads e-invoices that come by themselves, as XML files: values without a page to look at."""

from __future__ import annotations

from PIL import Image

from pipeline.document import EmbeddedInvoice, Page
from pipeline.errors import CorruptDocument
from pipeline.reading.einvoice import read_xml

FILE = "The XML file"


class XmlSource:
    """An e-invoice; it counts as one page, which has no words and no picture.

    Raises:
        CorruptDocument: it is not well-formed, declares a document type, is too large or holds
            several invoices.
    """

    page_count = 1
    warnings: tuple[str, ...] = ()

    def __init__(self, data: bytes) -> None:
        invoice = read_xml(data, FILE)
        if invoice is None:
            raise CorruptDocument(f"{FILE} is no e-invoice in a syntax that is known.")
        self.embedded: EmbeddedInvoice | None = invoice

    def close(self) -> None:
        """Release nothing: all was read."""

    def read_page(self, number: int) -> Page:
        """Return the one page."""
        return Page(number, 0.0, 0.0, text_source="embedded", reason="an e-invoice by itself")

    def draw_page(self, number: int, width: int) -> Image.Image:
        """Refuse: nobody has laid it out.

        Raises:
            CorruptDocument: always.
        """
        raise CorruptDocument(
            "An e-invoice in XML has no pages to see.", advice="Its values are in the answer."
        )
