"""E-invoices: the XML that a PDF carries (Factur-X, ZUGFeRD, XRechnung), by our names of fields."""

from pipeline.reading.einvoice.reading import MAX_BYTES, MAX_ROWS, embedded_in, read_xml

__all__ = ["MAX_BYTES", "MAX_ROWS", "embedded_in", "read_xml"]
