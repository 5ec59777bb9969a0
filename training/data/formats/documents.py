"""Files on their way: documents copied, drawn page by page, put together; transcriptions."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from models.geometry import Box
from pipeline.errors import DocumentError
from pipeline.reading.drawing import Sheet, draw_pages
from pipeline.reading.media import BMP, GIF, HEIC, JPEG, PDF, PNG, TIFF, WEBP, document_bytes, sniff
from pipeline.reading.options import ReadOptions
from training.data.dataset import Row
from training.data.formats.boxes import Size, edges_of
from training.data.formats.sources import write_json

SUFFIXES = {
    PDF: ".pdf", PNG: ".png", JPEG: ".jpg", TIFF: ".tiff", WEBP: ".webp", HEIC: ".heic",
    BMP: ".bmp", GIF: ".gif",
}  # fmt: skip

_PDF_WIDTH = 1654  # pixels: A4 at 200 per inch
_ANY_WIDTH = 100_000  # pictures are drawn in their own
_MOST_PAGES = 1000
_SIGNATURE_BYTES = 64 << 10  # from both ends, enough for `sniff`


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as a picture: its number, from 1, bytes of a PNG, width and height in pixels."""

    number: int
    png: bytes
    size: Size

    def image(self) -> Image.Image:
        """Return it decoded; its bytes are those that a confined child has made anew."""
        return Image.open(io.BytesIO(self.png))


def media_type(path: Path) -> str:
    """Return what a file is by its content.

    Raises:
        DocumentError: nothing that can be read.
        OSError: the file cannot be.
    """
    with path.open("rb") as file:
        return sniff(file.read(_SIGNATURE_BYTES))


def copy_document(path: Path, folder: Path, stem: str) -> Path:
    """Copy a document, under a name with the suffix of what it is, and return the copy.

    Raises:
        DocumentError: nothing that can be read.
    """
    target = folder / f"{stem}{SUFFIXES[media_type(path)]}"
    shutil.copyfile(path, target)
    return target


def pictures_of(row: Row) -> Iterator[Picture]:
    """Yield the pages of a document as viewers show them: pictures in their own size.

    Raises:
        DocumentError: it cannot be opened, a page cannot be drawn, or it has too many.
    """
    data = document_bytes(row.document)
    width = _PDF_WIDTH if sniff(data) == PDF else _ANY_WIDTH
    sheets = [Sheet(number, width) for number in range(1, _MOST_PAGES + 2)]
    for sheet, drawn in draw_pages(data, sheets, ReadOptions()):
        if drawn is None:
            return
        if isinstance(drawn, DocumentError):
            raise drawn
        if sheet.number > _MOST_PAGES:
            raise DocumentError(f"It has more than {_MOST_PAGES} pages.", advice="Split it.")
        with Image.open(io.BytesIO(drawn)) as image:
            yield Picture(sheet.number, drawn, image.size)


def only_page(row: Row, form: str) -> Picture:
    """Return a document's one page, for a format that takes no more; raises DocumentError."""
    first, *others = pictures_of(row)
    if others:
        raise DocumentError(
            f"It has {1 + len(others)} pages, and a receipt of {form} has one.",
            advice="Choose a format of several pages, such as docile.",
        )
    return first


def save_pdf(row: Row, path: Path) -> None:
    """Write a document as a PDF: one as it is, pictures as its pages.

    Raises:
        DocumentError: it cannot be read.
    """
    if media_type(row.document) == PDF:
        shutil.copyfile(row.document, path)
        return
    images = [picture.image().convert("RGB") for picture in pictures_of(row)]
    images[0].save(path, "PDF", save_all=True, append_images=images[1:], quality=95)


def join_pages(paths: Sequence[Path], target: Path) -> Path:
    """Return one document of several pictures, one a page: a TIFF without loss.

    Raises:
        DocumentError: one of them cannot be drawn.
    """
    images = []
    for path in paths:
        row = Row(path.stem, path, None, {})
        images += [picture.image().convert("RGB") for picture in pictures_of(row)]
    images[0].save(
        target, "TIFF", save_all=True, append_images=images[1:], compression="tiff_deflate"
    )
    return target


def write_transcription(
    folder: Path, name: str, pages: Iterable[tuple[Size, Iterable[tuple[str, Box]]]]
) -> Path:
    """Write a file of ocr/: for each page its size, and its lines with their boxes."""
    content = {
        "id": name,
        "pages": [
            {
                "number": number,
                "width": size[0],
                "height": size[1],
                "lines": [{"text": text, "box": edges_of(box, size, 2)} for text, box in lines],
            }
            for number, (size, lines) in enumerate(pages, 1)
        ],
    }
    path = folder / f"{name}.json"
    write_json(path, content)
    return path
