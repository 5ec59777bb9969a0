"""The type of a document comes from its content."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from PIL import Image

from pipeline.errors import EmptyDocument, FileTooLarge, InvalidOption, UnsupportedMedia
from pipeline.reading import media
from pipeline.reading.media import document_bytes, sniff
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


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_texts_are_told_in_every_encoding(encoding: str) -> None:
    root = '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>'
    assert sniff(f'<?xml version="1.0"?>{root}'.encode(encoding)) == "application/xml"
    with pytest.raises(UnsupportedMedia, match="an XML file"):
        sniff('<?xml version="1.0"?><letter/>'.encode(encoding))
    with pytest.raises(UnsupportedMedia, match="a web page"):
        sniff("<!DOCTYPE html><title>A</title>".encode(encoding))


def test_no_bytes() -> None:
    with pytest.raises(EmptyDocument):
        sniff(b"")


def test_a_file_is_read_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(media, "MOST_BYTES", 3 << 20)
    (tmp_path / "full.pdf").write_bytes(bytes(3 << 20))
    assert document_bytes(tmp_path / "full.pdf") == bytes(3 << 20)
    with pytest.raises(FileTooLarge, match="more than 3145728 bytes"):
        document_bytes(Path("/dev/zero"))


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.pdf", tmp_path):
        with pytest.raises(InvalidOption, match="The file cannot be read: "):
            document_bytes(path)


def test_a_pipe_is_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(b"%PDF-1.7",))
    writer.start()
    assert document_bytes(tmp_path / "pipe") == b"%PDF-1.7"
    writer.join()
