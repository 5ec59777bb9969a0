"""Draws pages as two models read them: where one is right and the other is not, and the reverse.

Usage: python -m benchmarks.side_by_side DATASET ONE OTHER OUT [--most 3] [--ids ID ...]

ONE and OTHER are folders of packages; the labels of DATASET name the places of their values, as
those of invented documents do. A place is right where the model gives an equal value at it. Of the
documents in which one model has most places right that the other has not, the page with most of
them is drawn twice, by ONE on the left and by OTHER on the right: right places green, missed ones
red, and values given where no label is yellow. Writes OUT-one.webp and OUT-other.webp.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
from PIL import Image, ImageDraw

from models.geometry import Box
from pipeline.extract import Extractor
from pipeline.reading.reader import read_document
from pipeline.result import Extraction, FieldValue
from pipeline.values.schema import FieldSpec
from training.data import load_dataset
from training.data.dataset import Row
from training.scoring.written import key_as_given, key_of_label, value_text

Spot = tuple[int, Box]
"""A place: the page, from 1, and the box on it."""
_GREEN, _RED, _YELLOW = (30, 132, 73), (192, 57, 43), (214, 137, 16)
_DPI = 60
_PAD = 2  # pixels around a place


@dataclass(frozen=True, slots=True)
class Seen:
    """What one model makes of a document.

    Attributes:
        right, missed: places that are labelled.
        extra: places of values that no label has.
    """

    right: frozenset[Spot]
    missed: frozenset[Spot]
    extra: frozenset[Spot]

    def on(self, page: int) -> Iterator[tuple[Box, tuple[int, int, int]]]:
        """Yield the places on a page with their colours."""
        parts = ((self.extra, _YELLOW), (self.missed, _RED), (self.right, _GREEN))
        for spots, colour in parts:
            for at, box in sorted(spots, key=lambda spot: (spot[0], spot[1].as_list())):
                if at == page:
                    yield box, colour


def judged(row: Row, answer: Extraction, fields: Sequence[FieldSpec]) -> Seen:
    """Return which places of a document's labels an answer has right."""
    specs = {spec.name: spec for spec in fields}
    right, missed, met = set[Spot](), set[Spot](), set[int]()
    values = list(answer.named_values())
    for place in row.places or ():
        spec = specs.get(place.field)
        if spec is None:
            continue
        for spot in place.boxes:
            hits = [
                at
                for at, (name, value) in enumerate(values)
                if name == place.field and _stands_at(value, spot)
            ]
            met.update(hits)
            given = [value_text(values[at][1]) for at in hits]
            wanted = key_of_label(place.value, spec, given)
            equal = wanted in {key_as_given(text, spec) for text in given}
            (right if equal else missed).add(spot)
    extra = {(value.page, Box(*value.box)) for at, (_, value) in enumerate(values) if at not in met}
    return Seen(frozenset(right), frozenset(missed), frozenset(extra))


def _stands_at(value: FieldValue, spot: Spot) -> bool:
    page, box = spot
    across, down = (value.box[0] + value.box[2]) / 2, (value.box[1] + value.box[3]) / 2
    return value.page == page and box.x0 <= across <= box.x1 and box.top <= down <= box.bottom


def drawn(document: Path, page: int, seen: Seen) -> Image.Image:
    """Return a page of a PDF with its places marked."""
    with pypdfium2.PdfDocument(document) as pdf:
        picture: Image.Image = pdf[page - 1].render(scale=_DPI / 72).to_pil().convert("RGB")
    draw = ImageDraw.Draw(picture, "RGBA")
    for box, colour in seen.on(page):
        x0, top, x1, bottom = (
            edge * side for edge, side in zip(box.as_list(), picture.size * 2, strict=True)
        )
        frame = (x0 - _PAD, top - _PAD, x1 + _PAD, bottom + _PAD)
        draw.rectangle(frame, (*colour, 70), colour)
    return picture


def sheet(rows: Sequence[tuple[Image.Image, Image.Image]]) -> Image.Image:
    """Return pairs of pictures below one another."""
    width = max(left.width + right.width for left, right in rows)
    height = sum(max(left.height, right.height) for left, right in rows)
    whole = Image.new("RGB", (width, height), "white")
    top = 0
    for left, right in rows:
        whole.paste(left, (0, top))
        whole.paste(right, (left.width, top))
        top += max(left.height, right.height)
    return whole


def main() -> None:
    """Write both sheets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("one", type=Path, help="folder of a package")
    parser.add_argument("other", type=Path, help="folder of another")
    parser.add_argument("out", type=Path, help="beginning of the pictures' names")
    parser.add_argument("--most", type=int, default=3, help="documents on each sheet")
    parser.add_argument("--ids", nargs="*", help="of the documents to look at; all by default")
    options = parser.parse_args()
    models = [Extractor(path) for path in (options.one, options.other)]
    looked: list[tuple[Row, list[Seen]]] = []
    for row in load_dataset(options.dataset).rows:
        if row.document.suffix == ".pdf" and (options.ids is None or row.id in options.ids):
            read = read_document(row.document.read_bytes())
            answers = [(model, model.answer(read, 0.0)) for model in models]
            looked.append((row, [judged(row, answer, model.fields) for model, answer in answers]))
    for better, name in ((0, "one"), (1, "other")):

        def ahead(seen: list[Seen], better: int = better) -> frozenset[Spot]:
            return seen[better].right - seen[1 - better].right

        best = sorted(looked, key=lambda item: -len(ahead(item[1])))[: options.most]
        pairs = []
        for row, seen in best:
            if not (spots := ahead(seen)):
                continue
            [(page, count)] = Counter(page for page, _ in spots).most_common(1)
            print(f"{name}: {row.id}, page {page}, {count} places, {len(spots)} in all")
            left, right = (drawn(row.document, page, one) for one in seen)
            pairs.append((left, right))
        if pairs:
            sheet(pairs).save(f"{options.out}-{name}.webp", quality=60, method=6)


if __name__ == "__main__":
    main()
