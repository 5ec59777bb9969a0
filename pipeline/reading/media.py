"""Takes documents from files, and finds what they are by their content, not by their names."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from pipeline.errors import EmptyDocument, FileTooLarge, InvalidOption, UnsupportedMedia

PDF = "application/pdf"
PNG = "image/png"
JPEG = "image/jpeg"
TIFF = "image/tiff"
WEBP = "image/webp"
HEIC = "image/heic"
BMP = "image/bmp"
GIF = "image/gif"
XML = "application/xml"
MEDIA_TYPES = (PDF, PNG, JPEG, TIFF, WEBP, HEIC, BMP, GIF, XML)
"""What can be read."""
NAMES = "PDF, PNG, JPEG, TIFF, WebP, HEIC, BMP, GIF and e-invoices in XML"
"""The same, as people call it."""
HEAD_BYTES = 64 << 10
"""So many first bytes tell what a document is; e-invoices may begin with a licence."""

MOST_BYTES = 1 << 30
"""Of a document that is taken into memory; services take less, see `FIELDWRIGHT_MAX_BYTES`."""

_PIECE = 1 << 20  # bytes
_HEADER = b"%PDF-"
# Readers accept junk before a header that begins within the first 1,024 bytes.
_PDF_SEARCH_BYTES = 1024 + len(_HEADER) - 1
_IMAGES = (
    (rb"\x89PNG\r\n\x1a\n", PNG),
    (rb"\xff\xd8\xff", JPEG),
    (rb"II[*+]\x00|MM\x00[*+]", TIFF),  # + for BigTIFF
    (rb"RIFF.{4}WEBP", WEBP),
    (rb".{4}ftyp(?!.{0,60}avi[fs])(hei|hev|mif1|msf1)", HEIC),
    (rb"BM.{4}\x00{4}", BMP),
    (rb"GIF8[79]a", GIF),
)

# What people send by mistake, named so that they know what to do.
_PICTURE = "Save it as a JPEG or PNG, or as a PDF, and send that."
_OFFICE = "Save it as a PDF in the program that made it, and send that."
_ARCHIVE = "Unpack it and send the documents one by one."
_ZIP_ARCHIVE = "Unpack it, or send it to POST /batches, which takes archives of documents."
_MAIL = "Send the attachments one by one, or print the message to a PDF."
_SIGNED = "Take the document out of its signature (.p7m), and send that."
_PRINT = "Print it to a PDF and send that."
_E_INVOICES = (
    "Of XML, only invoices in UBL, CII, FatturaPA or KSeF can be read; print others to a PDF."
)
_OTHERS = (
    (rb".{4}ftyp.{0,60}avi[fs]", "an AVIF picture", _PICTURE),
    (rb".{4}ftyp", "a video", "Send a PDF, or a photo as JPEG."),
    (rb"\x00{3}\x0cjP  |\xff\x4f\xff\x51", "a JPEG 2000 picture", _PICTURE),
    (rb"\x00{3}\x0cJXL |\xff\x0a", "a JPEG XL picture", _PICTURE),
    (
        rb"\x30[\x80-\x84].{0,4}\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02",
        "a signed file",
        _SIGNED,
    ),
    (rb"8BPS", "a Photoshop picture", _PICTURE),
    (rb"AT&TFORM", "a DjVu document", _PRINT),
    (rb"%!PS|\xc5\xd0\xd3\xc6", "a PostScript file", _PRINT),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document or an Outlook message", _OFFICE),
    (rb"\{\\rtf", "an RTF document", _OFFICE),
    (rb"\x1f\x8b|BZh|\xfd7zXZ\x00|7z\xbc\xaf'\x1c|Rar!|.{257}ustar", "an archive", _ARCHIVE),
)
# Archives that are documents, by the names of the files in them.
_ZIPS = (
    (b"word/", "a Word document", _OFFICE),
    (b"xl/", "an Excel workbook", _OFFICE),
    (b"ppt/", "a PowerPoint presentation", _OFFICE),
    (b"application/vnd.oasis.opendocument", "an OpenDocument file", _OFFICE),
    (b"application/epub", "an e-book", _PRINT),
    (b"FixedDocSeq", "an XPS document", _PRINT),
)
# Texts come last: whatever stands before its header, a PDF is a PDF.
_TEXTS = (
    (r"\s*(<!doctype\s+html|<html)", "a web page", _PRINT),
    (r"\s*(<\?xml|<!--|<!doctype|<svg|<[\w.:-]+\s[^>]*\bxmlns)", "an XML file", _E_INVOICES),
    (r"(From |[A-Z][\w-]+:[ \t].*\r?\n([A-Z][\w-]+:|[ \t]))", "an e-mail message", _MAIL),
)
# What stands before the root element of an XML file, and the root's tag.
_ROOT = re.compile(
    r"\s*+(?>(?>(?><\?.*?\?>)|(?><!--.*?-->))\s*+)*+<(?:[\w.-]+:)?"
    r"(CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote|FatturaElettronica|Faktura)\s"
    r"([^>]*)",
    re.DOTALL,
)
_NAMESPACES = (
    "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:",
    "urn:ferd:CrossIndustryDocument:",  # ZUGFeRD 1
    "urn:oasis:names:specification:ubl:schema:xsd:Invoice-",
    "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-",
    "http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/",  # FatturaPA 1.2
    "http://www.fatturapa.gov.it/sdi/fatturapa/",  # and those before it
    "http://crd.gov.pl/wzor/",  # FA of the KSeF
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_ZIP = b"PK\x03\x04"
_ZIP_SEARCH_BYTES = 64 << 10  # from both ends: its list of files stands last


def document_bytes(path: Path) -> bytes:
    """Return the content of a document's file, which may be a pipe.

    Raises:
        FileTooLarge: it has more than `MOST_BYTES`; no more are in memory by then.
        InvalidOption: it cannot be read.
    """
    data = bytearray()
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                data += piece
                if len(data) > MOST_BYTES:
                    raise FileTooLarge(f"The document has more than {MOST_BYTES} bytes.")
    except OSError as error:
        raise unreadable(error) from error
    return bytes(data)


def unreadable(error: OSError) -> InvalidOption:
    """Return what is said of a document whose file cannot be read."""
    return InvalidOption(
        f"The file cannot be read: {error.strerror or type(error).__name__}.",
        advice="Check where it lies, and its permissions.",
    )


def sniff(data: bytes) -> str:
    """Return the media type of a document from its first bytes.

    Raises:
        EmptyDocument: there are no bytes.
        UnsupportedMedia: none of `MEDIA_TYPES`; says what it is where that is known.
    """
    if not data:
        raise EmptyDocument("The document has no bytes.", advice="Check the file: it is empty.")
    head = data[:_PDF_SEARCH_BYTES]
    for pattern, media_type in _IMAGES:
        if re.match(pattern, head, re.DOTALL):
            return media_type
    # An archive may begin with a PDF that is stored as it is: that is still an archive.
    if head.startswith(_ZIP):
        raise _zipped(data)
    for pattern, name, advice in _OTHERS:
        if re.match(pattern, head, re.DOTALL):
            raise _unsupported(name, advice)
    if _HEADER in head:
        return PDF
    text = _text(data[:HEAD_BYTES])
    if _is_e_invoice(text):
        return XML
    for beginning, name, advice in _TEXTS:
        if re.match(beginning, text[:_PDF_SEARCH_BYTES], re.IGNORECASE | re.ASCII):
            raise _unsupported(name, advice)
    raise UnsupportedMedia(f"The content is none of {NAMES}.")


def _text(head: bytes) -> str:
    """Return what a text begins with; what tells its kind is ASCII in all encodings but UTF-16."""
    encodings = (encoding for mark, encoding in _MARKS if head.startswith(mark))
    return head.decode(next(encodings, "latin-1"), "ignore").removeprefix("\ufeff")


def _is_e_invoice(text: str) -> bool:
    """Return whether an XML file's root element is that of an e-invoice.

    One with a document type is none: it is refused unread.
    """
    found = _ROOT.match(text)
    return found is not None and any(name in found.group(2) for name in _NAMESPACES)


def _zipped(data: bytes) -> UnsupportedMedia:
    names = data[:_ZIP_SEARCH_BYTES] + data[-_ZIP_SEARCH_BYTES:]
    for part, name, advice in _ZIPS:
        if part in names:
            return _unsupported(name, advice)
    return _unsupported("a ZIP archive", _ZIP_ARCHIVE)


def _unsupported(name: str, advice: str) -> UnsupportedMedia:
    return UnsupportedMedia(f"The content is {name}; {NAMES} can be read.", advice=advice)
