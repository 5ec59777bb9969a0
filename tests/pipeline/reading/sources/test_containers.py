"""What a picture comes in: frames, inks, depths and damage; and what is no document at all."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, TiffImagePlugin

from pipeline.errors import CorruptDocument, EmptyDocument, MemoryExceeded, UnsupportedMedia
from pipeline.reading.media import PNG, TIFF, sniff
from pipeline.reading.options import ReadOptions
from pipeline.reading.reader import read_document
from pipeline.reading.sources.images import ImageSource
from pipeline.reading.sources.tiff import page_frames
from tests.bombs import png_that_claims
from tests.builders import encode, exif_jpeg, make_receipt, multipage_tiff, receipt_image

RECEIPT = make_receipt(3)
INK = receipt_image(RECEIPT)
SMALL = INK.resize((INK.width // 4, INK.height // 4))
WHITE = Image.new("L", (300, 200), "white")


def shown(data: bytes, folder: Path, number: int = 1) -> Image.Image:
    """Return a page as it is handed to the OCR, in this process."""
    source = ImageSource(data, sniff(data), folder, ReadOptions())
    picture, _ = source._load(number)
    source.close()
    return picture


def differ(picture: Image.Image, other: Image.Image) -> float:
    """Return by how many of 255 shades two pictures differ on average."""
    pair = [np.asarray(image, dtype=np.float32) for image in (picture, other)]
    return float(np.abs(pair[0] - pair[1]).mean())


def without_segment(jpeg: bytes, marker: int) -> bytes:
    """Return a JPEG without its first segment of that marker, such as 0xEE for Adobe's."""
    at = jpeg.index(bytes([0xFF, marker]))
    (length,) = struct.unpack_from(">H", jpeg, at + 2)
    return jpeg[:at] + jpeg[at + 2 + length :]


def with_tag(tiff: bytes, tag: int, value: int, directory: int = 0) -> bytes:
    """Return a little-endian TIFF with the value of a tag that it has changed in a directory."""
    data = bytearray(tiff)
    (at,) = struct.unpack_from("<I", data, 4)
    for _ in range(directory):
        (count,) = struct.unpack_from("<H", data, at)
        (at,) = struct.unpack_from("<I", data, at + 2 + 12 * count)
    (count,) = struct.unpack_from("<H", data, at)
    for entry in range(at + 2, at + 2 + 12 * count, 12):
        if struct.unpack_from("<H", data, entry)[0] == tag:
            struct.pack_into("<HII", data, entry + 2, 4, 1, value)
            return bytes(data)
    raise LookupError(tag)


def directories(kinds: Sequence[int], *, big: bool = False) -> bytes:
    """Return a TIFF of directories that hold a subfile type alone, at the end of the chain 0."""
    data = b"II+\x00\x08\x00\x00\x00" if big else b"II*\x00"
    offset, count, entry = ("<Q", "<Q", "<HHQQ") if big else ("<I", "<H", "<HHII")
    for kind in kinds:
        data += struct.pack(offset, len(data) + struct.calcsize(offset))
        data += struct.pack(count, 1) + struct.pack(entry, 254, 4, 1, kind)
    return data + struct.pack(offset, 0)


# Inks and depths

DEEP = np.asarray(SMALL).astype(np.uint16) * 257
LAB = Image.merge("LAB", [SMALL.convert("L"), *[Image.new("L", SMALL.size, 128)] * 2])
FRAMES = {
    "jpeg in cmyk as Adobe stores it": encode(SMALL.convert("CMYK"), "JPEG", quality=95),
    "png of 16 bits": encode(Image.fromarray(DEEP), "PNG"),
    "tiff of 16 bits": encode(Image.fromarray(DEEP), "TIFF"),
    "tiff of 16 bits with 0 for white": with_tag(
        encode(Image.fromarray(65535 - DEEP), "TIFF"), 262, 0
    ),
    "tiff of 8 bits with 0 for white": with_tag(
        encode(Image.fromarray(255 - np.asarray(SMALL)), "TIFF"), 262, 0
    ),
    "tiff of floats": encode(Image.fromarray(np.asarray(SMALL).astype(np.float32)), "TIFF"),
    "tiff of floats up to 1": encode(
        Image.fromarray(np.asarray(SMALL).astype(np.float32) / 255), "TIFF"
    ),
    "png of 12 bits in 16": encode(Image.fromarray(DEEP >> 4), "PNG"),
    "tiff of 10 bits in 16": encode(Image.fromarray(DEEP >> 6), "TIFF"),
    "tiff in cielab": encode(LAB, "TIFF"),
    "tiff in cmyk": encode(SMALL.convert("CMYK"), "TIFF"),
    "tiff with jpeg inside": encode(SMALL, "TIFF", compression="jpeg", quality=95),
    "png with a palette": encode(SMALL.quantize(256), "PNG"),
    "jpeg in colour": encode(SMALL.convert("RGB"), "JPEG", quality=95),
    "jpeg, progressive": encode(SMALL, "JPEG", quality=95, progressive=True),
}


@pytest.mark.parametrize("name", FRAMES)
def test_every_ink_and_depth_gives_the_same_picture(name: str, tmp_path: Path) -> None:
    assert differ(shown(FRAMES[name], tmp_path), SMALL) < 4


def test_inks_of_a_jpeg_that_is_not_adobe_s_are_not_inverted(tmp_path: Path) -> None:
    plain = SMALL.convert("CMYK").point(lambda ink: 255 - ink)  # what the encoder inverts again
    data = without_segment(encode(plain, "JPEG", quality=95), 0xEE)
    assert differ(shown(data, tmp_path), SMALL) < 4


@pytest.mark.parametrize("compression", ["group3", "group4", "packbits", "raw"])
def test_faxes(compression: str, tmp_path: Path) -> None:
    fax = SMALL.convert("1")
    data = encode(fax, "TIFF", compression=compression)
    assert differ(shown(data, tmp_path), fax.convert("L")) == 0
    negative = fax.convert("L").point(lambda shade: 255 - shade).convert("1")
    other = with_tag(encode(negative, "TIFF", compression="raw"), 262, 0)
    assert differ(shown(other, tmp_path), fax.convert("L")) == 0


def test_transparent_paper_is_white(tmp_path: Path) -> None:
    layer = Image.new("RGBA", SMALL.size, (0, 0, 0, 0))
    layer.putalpha(SMALL.point(lambda shade: 255 - shade))
    for data in (encode(layer, "PNG"), encode(layer, "TIFF")):
        assert differ(shown(data, tmp_path), SMALL) < 1
    keyed = Image.new("P", (4, 4), 0)
    keyed.putpalette([0, 0, 0, 255, 255, 255])
    data = encode(keyed, "PNG", transparency=0)
    assert np.asarray(shown(data, tmp_path)).min() == 255


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_orientation_and_its_resolution(orientation: int, tmp_path: Path) -> None:
    data = exif_jpeg(SMALL, orientation)
    source = ImageSource(data, sniff(data), tmp_path, ReadOptions())
    picture, _ = source._load(1)
    assert differ(picture, SMALL) < 4
    fax = multipage_tiff([SMALL.rotate(90, expand=True)], dpi=(98, 204), exif=b"")
    assert ImageSource(fax, TIFF, tmp_path, ReadOptions())._load(1)[1] == (98, 204)


@pytest.mark.parametrize("kind", ["JPEG", "TIFF"])
def test_a_turned_picture_turns_its_resolution(kind: str, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = encode(SMALL, kind, exif=exif, dpi=(200, 100))
    source = ImageSource(data, sniff(data), tmp_path, ReadOptions())
    for _ in range(2):
        picture, resolution = source._load(1)
        assert (picture.size, resolution) == (SMALL.size[::-1], (100, 200))


# Pages


@pytest.mark.ocr
def test_pages_of_every_size_and_compression_in_one_tiff() -> None:
    others = [make_receipt(seed) for seed in (4, 5)]
    frames = [INK.convert("1"), receipt_image(others[0]).convert("RGB"), receipt_image(others[1])]
    frames[1] = frames[1].resize((frames[1].width * 3 // 2, frames[1].height * 3 // 2))
    stream = BytesIO()
    with TiffImagePlugin.AppendingTiffWriter(stream, True) as tiff:
        for frame, compression in zip(frames, ["group4", "jpeg", "tiff_lzw"], strict=True):
            frame.save(tiff, "TIFF", compression=compression)
            tiff.newFrame()
    data = stream.getvalue()
    document = read_document(data)
    for page, receipt in zip(document.pages, (RECEIPT, *others), strict=True):
        assert [token.text for token in page.tokens] == receipt.words
    assert [(page.width, page.height) for page in document.pages] == [f.size for f in frames]


def test_an_animation_is_what_it_shows_first() -> None:
    other = SMALL.resize(WHITE.size)
    data = encode(WHITE, "PNG", save_all=True, append_images=[other], duration=100)
    document = read_document(data)
    assert (document.page_count, document.pages[0].width) == (1, 300)
    assert document.warnings[0].startswith("Page 1: no words were found (blank page")


def test_previews_and_masks_are_no_pages() -> None:
    assert page_frames(directories([0, 1, 4, 2, 0])) == (0, 3, 4)
    assert page_frames(directories([0, 1, 0], big=True)) == (0, 2)
    assert page_frames(directories([1, 1])) == (0, 1)


def test_a_chain_of_pages_that_loops_or_breaks_ends() -> None:
    data = bytearray(directories([0, 0]))
    data[-4:] = struct.pack("<I", 8)  # the last points to the first
    assert page_frames(bytes(data)) == (0, 1)
    data[-4:] = struct.pack("<I", 10**6)  # and now to what was cut off
    assert page_frames(bytes(data)) == (0, 1, 2)
    with pytest.raises(CorruptDocument, match="10,000"):
        page_frames(directories([0] * 10_001))


@pytest.mark.parametrize("big", [False, True])
@given(st.lists(st.sampled_from([0, 2]), min_size=1, max_size=30))
def test_all_pages_are_counted(big: bool, kinds: list[int]) -> None:
    assert page_frames(directories(kinds, big=big)) == tuple(range(len(kinds)))


@given(st.binary(max_size=200))
def test_any_bytes_have_a_number_of_pages(noise: bytes) -> None:
    for head in (b"II*\x00", b"MM\x00*", b"II+\x00\x08\x00\x00\x00"):
        assert len(page_frames(head + noise)) <= 10_000


def test_a_tiff_without_a_picture_is_empty() -> None:
    with pytest.raises(EmptyDocument):
        read_document(b"II*\x00" + bytes(4))


def test_a_page_that_is_cut_off_is_missed() -> None:
    tiff = multipage_tiff([WHITE, SMALL, WHITE])
    document = read_document(tiff[: len(tiff) * 2 // 3])
    assert document.page_count > len([page for page in document.pages if page.width])
    assert document.warnings[-1].startswith(f"Page {document.page_count} was not read. ")


def test_a_page_of_an_unknown_kind_fails_alone() -> None:
    tiff = with_tag(multipage_tiff([WHITE, WHITE, WHITE]), 262, 4711, directory=1)
    document = read_document(tiff)
    assert [page.reason for page in document.pages] == [
        "blank page, image file",
        "not read: document_corrupt",
        "blank page, image file",
    ]


# Bombs


def test_a_picture_that_needs_too_much_memory() -> None:
    bomb = png_that_claims(14_000, 14_000, colour=6, pixels=bytes(1000))
    assert sniff(bomb) == PNG
    with pytest.raises(MemoryExceeded, match="page 1"):
        read_document(bomb, ReadOptions(max_pixels_per_page=10**9, memory_mb=512))


# What is no document


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (encode(WHITE, "JPEG2000"), "JPEG 2000"),
        (encode(WHITE, "EPS"), "PostScript"),
        (b"\x00\x00\x00\x18ftypavif" + bytes(20), "AVIF"),
        (b"\x00\x00\x00\x18ftypisom" + bytes(20), "video"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), "Office"),
        (b"PK\x03\x04" + bytes(30) + b"word/document.xml", "Word"),
        (b"PK\x03\x04" + bytes(30) + b"xl/workbook.xml", "Excel"),
        (b"PK\x03\x04" + bytes(30) + b"invoice.pdf%PDF-1.7", "ZIP"),
        (b"{\\rtf1 hello}", "RTF"),
        (b"\x1f\x8b\x08" + bytes(20), "archive"),
        (b"<!DOCTYPE html><p>", "web page"),
        (b"<?xml version='1.0'?><Invoice/>", "XML"),
        (b"Received: from a\r\n\tby b\r\nSubject: c\r\n\r\nd", "e-mail"),
        (b"From someone\nTo: x", "e-mail"),
    ],
)
def test_what_people_send_instead_is_told_by_name(data: bytes, name: str) -> None:
    with pytest.raises(UnsupportedMedia, match=name) as caught:
        sniff(data)
    assert caught.value.advice != UnsupportedMedia.default_advice


def test_a_message_in_front_of_a_pdf_does_not_hide_it() -> None:
    assert sniff(b"Content-Type: application/pdf\r\nX: y\r\n\r\n%PDF-1.7") == "application/pdf"
