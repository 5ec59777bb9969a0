"""The same documents turned, skewed and scaled: how many values differ from those as delivered.

Usage: python -m benchmarks.turned FOLDER [--model NAME] [--every 20] [--as delivered|pictures]
       [--way "left" ...]

Documents of a dataset folder are read as they are and in other ways. The pages of a PDF are turned
and skewed as such, so that their text layers are read; `--as pictures` draws the first page of each
and goes on with that, as with a scan. A value differs where it is another one, is missing, or is
new; a field without a value in either counts as one that is the same. Texts, names and addresses
are compared as scores compare them, case and punctuation left out.
Prints a row for each way, and every difference on standard error; exits with 1 where more than one
value in 200 differs.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image
from pypdfium2 import raw

from models.packages import Registry
from pipeline.extract import Extractor
from pipeline.result import Extraction
from pipeline.values.texts.strings import lenient
from store.settings import Settings
from training.data import load_dataset

_MOST = 1 / 200
_DELIVERED = "as delivered"
_DPI = 200  # of drawn pages, as office scanners have it
Way = Callable[[Image.Image], Image.Image]
PdfWay = Callable[[pypdfium2.PdfPage], None]


def _rotated(degrees: float) -> Way:
    return lambda image: image.rotate(
        degrees, resample=Image.Resampling.BICUBIC, expand=True, fillcolor="white"
    )


def _scaled(factor: float) -> Way:
    return lambda image: image.resize(
        (round(image.width * factor), round(image.height * factor)), Image.Resampling.LANCZOS
    )


WAYS: dict[str, Way] = {
    "left": lambda image: image.transpose(Image.Transpose.ROTATE_90),
    "right": lambda image: image.transpose(Image.Transpose.ROTATE_270),
    "upside down": lambda image: image.transpose(Image.Transpose.ROTATE_180),
    "skewed by 3 degrees": _rotated(3),
    "skewed by -7 degrees": _rotated(-7),
    "scaled by 1.5": _scaled(1.5),
}


def _turned(degrees: int) -> PdfWay:
    return lambda page: page.set_rotation((page.get_rotation() + degrees) % 360)


def _mapped(degrees: float, factor: float = 1.0) -> PdfWay:
    """Return what turns a page's contents anticlockwise about its middle, on a larger sheet."""

    def change(page: pypdfium2.PdfPage) -> None:
        left, bottom, right, top = page.get_mediabox()
        angle = math.radians(degrees)
        cosine, sine = factor * math.cos(angle), factor * math.sin(angle)
        x, y = (left + right) / 2, (bottom + top) / 2
        shift = x - cosine * x + sine * y, y - sine * x - cosine * y
        matrix = raw.FS_MATRIX(cosine, sine, -sine, cosine, *shift)
        # In front of the whole content: moved one by one, objects leave their clipping paths.
        raw.FPDFPage_TransFormWithClip(page.raw, matrix, None)
        width, height = right - left, top - bottom
        across = (width * cosine + height * abs(sine) - width) / 2
        down = (height * cosine + width * abs(sine) - height) / 2
        sheet = left - across, bottom - down, right + across, top + down
        page.set_mediabox(*sheet)
        page.set_cropbox(*sheet)

    return change


PDF_WAYS: dict[str, PdfWay] = {
    "left": _turned(270),
    "right": _turned(90),
    "upside down": _turned(180),
    "skewed by 3 degrees": _mapped(3),
    "skewed by -7 degrees": _mapped(-7),
    "scaled by 1.5": _mapped(0, 1.5),
}


def _png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def _changed_pdf(data: bytes, way: PdfWay) -> bytes:
    document = pypdfium2.PdfDocument(data)
    document.init_forms()  # values of forms are print, too
    for number in range(len(document)):
        way(document[number])
    buffer = io.BytesIO()
    document.save(buffer)
    document.close()
    return buffer.getvalue()


def _drawn(data: bytes) -> Image.Image:
    if data[:1024].find(b"%PDF-") < 0:
        with Image.open(io.BytesIO(data)) as image:
            return image.convert("RGB")
    document = pypdfium2.PdfDocument(data)
    document.init_forms()
    picture: Image.Image = document[0].render(scale=_DPI / 72).to_pil().convert("RGB")
    document.close()
    return picture


def copy_of(data: bytes, way: str, *, pictures: bool) -> bytes:
    """Return a document changed in a way.

    Args:
        data: a PDF or a picture.
        way: its name among `WAYS`, or that of the document as delivered.
        pictures: a PDF becomes the picture of its first page.
    """
    is_pdf = b"%PDF-" in data[:1024]
    if is_pdf and not pictures:
        return data if way == _DELIVERED else _changed_pdf(data, PDF_WAYS[way])
    if way == _DELIVERED:
        return _png(_drawn(data)) if is_pdf else data
    return _png(WAYS[way](_drawn(data)))


def values(answer: Extraction) -> dict[str, list[Any]]:
    """Return the values of each field as JSON has them, in no order that means anything."""
    found = {}
    for name, given in answer.fields.items():
        items = given if isinstance(given, list) else [given] if given else []
        found[name] = [item.text if item.value is None else item.value for item in items]
    return found


def keys(values: list[Any]) -> list[str]:
    """Return what values are compared by."""
    return sorted(map(_key, values))


def _key(value: Any) -> str:
    if isinstance(value, dict):
        return lenient(value["formatted"]) if "formatted" in value else json.dumps(value)
    return lenient(str(value))


def main() -> None:
    """Print a row for each way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="dataset folder of pictures or PDFs")
    parser.add_argument("--model", help="the one that fits by default")
    parser.add_argument("--every", type=int, default=20, help="take each so-manieth document")
    parser.add_argument("--as", dest="form", choices=("delivered", "pictures"), default="delivered")
    parser.add_argument("--way", action="append", choices=WAYS, help="all by default")
    arguments = parser.parse_args()
    ways = arguments.way or list(WAYS)
    registry = Registry(Settings.load().home / "models")
    extractor = Extractor(registry.resolve(arguments.model).path)
    counts, wrong = dict.fromkeys(ways, 0), dict.fromkeys(ways, 0)
    for row in load_dataset(arguments.folder).rows[:: arguments.every]:
        data = row.document.read_bytes()
        plain: dict[str, list[Any]] = {}
        for way in (_DELIVERED, *ways):
            copy = copy_of(data, way, pictures=arguments.form == "pictures")
            found = values(extractor.extract(copy))
            if way == _DELIVERED:
                plain = found
                continue
            for field, value in plain.items():
                counts[way] += 1
                if keys(found[field]) != keys(value):
                    wrong[way] += 1
                    print(f"{row.id}, {way}, {field}: {value!r}, {found[field]!r}", file=sys.stderr)
    print("| way | values | different |\n| --- | --- | --- |")
    for way in ways:
        print(f"| {way} | {counts[way]} | {wrong[way]} |")
    share = sum(wrong.values()) / max(1, sum(counts.values()))
    print(f"\n{share:.2%} of the values differ (at most {_MOST:.2%}).")
    sys.exit(share > _MOST)


if __name__ == "__main__":
    main()
