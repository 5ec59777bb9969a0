"""The type of a document comes from its content."""

from __future__ import annotations

import pytest
from PIL import Image

from pipeline.errors import EmptyDocument, UnsupportedMedia
from pipeline.reading.media import sniff
from tests.builders import encode, receipt_pdf

GREY = Image.new("L", (4, 4))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (encode(GREY, "PNG"), "image/png"),
        (encode(GREY, "JPEG"), "image/jpeg"),
        (encode(GREY, "TIFF"), "image/tiff"),
        (encode(GREY, "TIFF", big_tiff=True), "image/tiff"),
        (encode(GREY, "GIF"), "image/gif"),
        (encode(GREY, "WEBP"), "image/webp"),
        (encode(GREY, "BMP"), "image/bmp"),
        (b"\x00\x00\x00\x24ftypheic\x00\x00\x00\x00mif1heic", "image/heic"),
        (receipt_pdf(), "application/pdf"),
        (b"\xef\xbb\xbf\n" * 100 + receipt_pdf(), "application/pdf"),  # junk before the header
        (b" " * 1023 + b"%PDF-1.7", "application/pdf"),
    ],
)
def test_readable_types(data: bytes, expected: str) -> None:
    assert sniff(data) == expected


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\x00\x00\x20ftypmif1\x00\x00\x00\x00avifmif1",
        b"PK\x03\x04" + bytes(100),
        b"<html><body>%PDF</body></html>",
        b" " * 1024 + b"%PDF-1.7",  # too late to be a header
        b"\x00",
    ],
)
def test_other_types_are_refused(data: bytes) -> None:
    with pytest.raises(UnsupportedMedia):
        sniff(data)


def test_no_bytes() -> None:
    with pytest.raises(EmptyDocument):
        sniff(b"")
