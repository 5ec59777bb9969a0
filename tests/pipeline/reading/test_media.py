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
        (receipt_pdf(), "application/pdf"),
        (b"\xef\xbb\xbf\n" * 100 + receipt_pdf(), "application/pdf"),  # junk before the header
    ],
)
def test_readable_types(data: bytes, expected: str) -> None:
    assert sniff(data) == expected


@pytest.mark.parametrize(
    "data",
    [
        encode(GREY, "GIF"),
        encode(GREY, "WEBP"),
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
