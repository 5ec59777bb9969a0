"""Pages are drawn as viewers show them, in confined children that may be in hostile hands."""

from __future__ import annotations

import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from pipeline.errors import CorruptDocument, DocumentError, EncryptedPdf, ReaderCrashed
from pipeline.reading.drawing import Sheet, draw_pages, picture_in
from pipeline.reading.options import ReadOptions
from pipeline.reading.serving import PICTURE
from tests.builders import (
    draw_pdf,
    encrypted_pdf,
    exif_jpeg,
    make_receipt,
    multipage_tiff,
    receipt_pdf,
    rotated_pdf,
)
from tests.pipeline.reading.hostile import OPENER, hostile_document

RED = (255, 0, 0)


def red_corner(canvas: Canvas) -> None:
    """Draw a red square into the upper left quarter of a page."""
    canvas.setFillColorRGB(1, 0, 0)
    canvas.rect(0, A4[1] / 2, A4[0] / 2, A4[1] / 2, stroke=0, fill=1)


def drawn(data: bytes, number: int = 1, width: int = 200) -> Image.Image:
    ((_, outcome),) = draw_pages(data, [Sheet(number, width)], ReadOptions())
    assert isinstance(outcome, bytes), outcome
    return Image.open(BytesIO(outcome))


def colour(image: Image.Image, across: float, down: float) -> object:
    return image.getpixel((int(across * image.width), int(down * image.height)))


def test_page_of_a_pdf_is_drawn_in_colour_at_the_width_wanted() -> None:
    image = drawn(draw_pdf(red_corner))
    assert image.width in (200, 201)  # as the renderer rounds
    assert colour(image, 0.25, 0.25) == RED
    assert colour(image, 0.75, 0.75) == (255, 255, 255)


def test_page_is_turned_as_it_is_shown() -> None:
    image = drawn(rotated_pdf(draw_pdf(red_corner), 90))
    assert image.width > image.height
    assert colour(image, 0.75, 0.25) == RED
    photo = Image.new("RGB", (60, 40), "blue")
    assert drawn(exif_jpeg(photo, 6)).size == photo.size  # which is stored lying; not enlarged


def test_each_page_is_its_own_and_a_missing_one_is_none() -> None:
    tiff = multipage_tiff([Image.new("RGB", (50, 50), name) for name in ("red", "lime")])
    sheets = [Sheet(2, 200), Sheet(3, 200), Sheet(1, 20)]
    outcomes = dict(draw_pages(tiff, sheets, ReadOptions()))
    assert outcomes[sheets[1]] is None
    pictures = [Image.open(BytesIO(bytes(outcomes[sheet]))) for sheet in sheets[::2]]  # type: ignore[arg-type]
    assert [(one.getpixel((5, 5)), one.width) for one in pictures] == [((0, 255, 0), 50), (RED, 20)]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (encrypted_pdf(receipt_pdf(make_receipt(1)), "secret"), EncryptedPdf),
        (b"%PDF-1.7 and no more", CorruptDocument),
    ],
)
def test_document_that_does_not_open_is_refused(data: bytes, error: type[DocumentError]) -> None:
    with pytest.raises(error):
        list(draw_pages(data, [Sheet(1, 200)], ReadOptions()))


def test_child_that_crashes_costs_its_pages_alone() -> None:
    data = hostile_document("segfault", "words")  # which cannot draw at all
    outcomes = draw_pages(data, [Sheet(1, 200), Sheet(2, 200)], ReadOptions(), opener=OPENER)
    assert [type(outcome) for _, outcome in outcomes] == [ReaderCrashed, ReaderCrashed]


def leave_a_link(path: Path) -> None:
    target = path.with_name("secret")
    target.write_bytes(b"\x89PNG\r\n\x1a\n and what only the parent may read")
    path.symlink_to(target)


@pytest.mark.parametrize(
    "leave",
    [
        leave_a_link,
        lambda path: os.mkfifo(path),
        lambda path: path.mkdir(),
        lambda path: path.write_bytes(b"<html>"),
        lambda path: None,
    ],
    ids=["link", "pipe", "folder", "no picture", "nothing"],
)
def test_what_is_no_picture_is_not_taken_for_one(
    tmp_path: Path, leave: Callable[[Path], object]
) -> None:
    leave(tmp_path / PICTURE)
    assert isinstance(picture_in(tmp_path / PICTURE), ReaderCrashed)
