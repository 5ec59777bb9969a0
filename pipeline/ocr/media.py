"""Finds what a document is by its content; names and declared types do not count."""

from __future__ import annotations

from pipeline.errors import EmptyDocument, UnsupportedMedia

PDF = "application/pdf"
PNG = "image/png"
JPEG = "image/jpeg"
TIFF = "image/tiff"

_PDF_SEARCH_BYTES = 1024  # readers accept junk before the header up to here
_IMAGE_SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": PNG,
    b"\xff\xd8\xff": JPEG,
    b"II*\x00": TIFF,
    b"MM\x00*": TIFF,
    b"II+\x00": TIFF,  # BigTIFF
    b"MM\x00+": TIFF,
}


def sniff(data: bytes) -> str:
    """Return the media type of a document from its first bytes.

    Raises:
        EmptyDocument: there are no bytes.
        UnsupportedMedia: neither PDF nor PNG, JPEG or TIFF.
    """
    if not data:
        raise EmptyDocument("The document has no bytes.")
    for signature, media_type in _IMAGE_SIGNATURES.items():
        if data.startswith(signature):
            return media_type
    if b"%PDF-" in data[:_PDF_SEARCH_BYTES]:
        return PDF
    raise UnsupportedMedia("The content is not a PDF, PNG, JPEG or TIFF.")
