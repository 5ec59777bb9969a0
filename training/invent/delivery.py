"""How a document reaches the reader: as the PDF it was made, or as scans or photos of its pages."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pypdfium2 as pdfium
from PIL import Image

from pipeline.errors import InvalidOption
from training.invent.damage import Damage, damaged, draw_photo, draw_scan, moved


@dataclass(frozen=True, slots=True)
class Place:
    """Where a labelled text stands.

    Attributes:
        number: of the value among those that are printed.
        page: from 1.
        box: x0, top, x1, bottom, as fractions of the page's width and height.
    """

    number: int
    page: int
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Delivery:
    """How documents arrive; those neither scanned nor photographed are PDFs with a text layer.

    Attributes:
        scans, photos: share of documents that are scanned or photographed, 0 to 1.

    Raises:
        InvalidOption: a share, or their sum, lies outside of 0 to 1.
    """

    scans: float = 0.0
    photos: float = 0.0

    def __post_init__(self) -> None:
        if min(self.scans, self.photos) < 0 or self.scans + self.photos > 1:
            raise InvalidOption(
                "The shares of scans and photos are above 1 together, or below 0.",
                advice="Choose shares such as --scans 0.25 --photos 0.15.",
            )

    def draw(self, rng: random.Random, pages: int) -> tuple[Damage, ...]:
        """Return what befalls each page, nothing for a document that stays a PDF."""
        drawn = rng.random()
        if drawn >= self.scans + self.photos:
            return ()
        draw = draw_scan if drawn < self.scans else draw_photo
        damages = [draw(rng) for _ in range(pages)]
        # One device takes all pages.
        return tuple(replace(damage, dpi=damages[0].dpi) for damage in damages)


@dataclass(frozen=True, slots=True)
class Delivered:
    """A document as it arrives.

    Attributes:
        data: bytes of the file.
        suffix: of its name.
        places: of what is labelled, moved with the pages.
    """

    data: bytes
    suffix: str
    places: tuple[Place, ...]


def deliver(pdf: bytes, damages: Sequence[Damage], places: Sequence[Place] = ()) -> Delivered:
    """Return a PDF as it is, or as pictures: a JPEG for one page, a PDF of JPEGs for several.

    Args:
        pdf: with a text layer.
        damages: one a page, all of the same resolution, or none at all.
        places: in the PDF.
    """
    if not damages:
        return Delivered(pdf, ".pdf", tuple(places))
    pictures: list[bytes] = []
    found: list[Place] = []
    with pdfium.PdfDocument(pdf) as document:
        for number, (page, damage) in enumerate(zip(document, damages, strict=True), 1):
            clean = page.render(scale=damage.dpi / 72).to_numpy()[:, :, :3]
            picture, matrix = damaged(np.ascontiguousarray(clean), damage)
            height, width = picture.shape[:2]
            found += [
                Place(place.number, number, moved(place.box, matrix, width, height))
                for place in places
                if place.page == number
            ]
            stream = io.BytesIO()
            Image.fromarray(picture[:, :, ::-1]).save(
                stream, "JPEG", quality=damage.quality, dpi=(damage.dpi, damage.dpi)
            )
            pictures.append(stream.getvalue())
    if len(pictures) == 1:
        return Delivered(pictures[0], ".jpg", tuple(found))
    first, *others = (Image.open(io.BytesIO(picture)) for picture in pictures)
    joined = io.BytesIO()
    # Without the time of day, so that the same seed gives the same bytes.
    options = {"resolution": damages[0].dpi, "creationDate": None, "modDate": None}
    first.save(joined, "PDF", save_all=True, append_images=others, **options)
    return Delivered(joined.getvalue(), ".pdf", tuple(found))
