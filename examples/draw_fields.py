"""Draws the fields of an answer over the picture of its page: boxes, names, confidences.

Usage: python examples/draw_fields.py receipt.png answer.json fields.png [--page 1]

`answer.json` is what `POST /extract` answers, or one document of `fieldwright extract`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image, ImageColor, ImageDraw, ImageFont, ImageOps

_COLOURS = ("#c0392b", "#2471a3", "#1e8449", "#a04000", "#7d3c98", "#117a65")
_PADDING = 0.004  # of the page's width, between a box and its words


def fields_on(answer: dict[str, Any], page: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield name and value of every field found on a page, each value of a list by itself."""
    for name, found in answer["fields"].items():
        for value in found if isinstance(found, list) else [found]:
            if value is not None and value["page"] == page:
                yield name, value


def draw_fields(image: Image.Image, answer: dict[str, Any], page: int = 1) -> Image.Image:
    """Return the picture in colour with a labelled box around each field of one page.

    Args:
        image: the page as a viewer shows it.
        answer: the answer of the service; boxes are fractions of the page.
        page: page number, from 1.
    """
    picture = image.convert("RGB")
    draw = ImageDraw.Draw(picture, "RGBA")
    size = max(picture.width // 42, 11)
    font = ImageFont.load_default(size)
    pad = _PADDING * picture.width
    names = sorted(answer["fields"])
    for name, value in fields_on(answer, page):
        colour = ImageColor.getrgb(_COLOURS[names.index(name) % len(_COLOURS)])
        x0, top, x1, bottom = (
            edge * side for edge, side in zip(value["box"], picture.size * 2, strict=True)
        )
        frame = (x0 - pad, top - pad, x1 + pad, bottom + pad)
        draw.rectangle(frame, (*colour, 28), colour, max(picture.width // 350, 2))
        label = f" {name} {value['confidence']:.2f} "
        width = draw.textlength(label, font)
        height = size * 1.25
        # Beside the box, where lines leave room, rather than over the line above it.
        if frame[2] + width <= picture.width:
            left, upper = frame[2], (frame[1] + frame[3] - height) / 2
        elif frame[0] - width >= 0:
            left, upper = frame[0] - width, (frame[1] + frame[3] - height) / 2
        else:
            left, upper = max(picture.width - width, 0), max(frame[1] - height, 0)
        draw.rectangle((left, upper, left + width, upper + height), colour)
        draw.text((left, upper + height / 2), label, "white", font, anchor="lm")
    return picture


def main() -> None:
    """Write the picture with its fields."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("image", type=Path, help="picture of the page")
    parser.add_argument("answer", type=Path, help="JSON answer of the service")
    parser.add_argument("output", type=Path, help="where the picture with the boxes is written")
    parser.add_argument("--page", type=int, default=1, help="page of the document, from 1")
    arguments = parser.parse_args()
    answer = json.loads(arguments.answer.read_text(encoding="utf-8"))
    with Image.open(arguments.image) as image:
        shown = ImageOps.exif_transpose(image)
    draw_fields(shown, answer, arguments.page).save(arguments.output, optimize=True)


if __name__ == "__main__":
    main()
