"""FUNSD (Jaume et al., 2019): scanned forms whose words are labelled block by block.

    annotations/ID.json   {"form": [{"label", "words": [{"text", "box"}], ...}]}, boxes in pixels
    images/ID.png

For measurements (`load_funsd`) a block of label question, answer or header is one span, and words
come in the order of the annotation, as every published figure takes them, a block as a line. As a
dataset, the labels are fields with many values, each with its place, and the words of all blocks
are the transcription. What is written of other datasets has their names of fields as labels.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.example import Example
from models.geometry import Box, union
from models.labels import Span
from pipeline.document import Document
from pipeline.reading.layout import split_line
from training.data.autotag.placed import find_placed
from training.data.dataset import Row
from training.data.formats.boxes import box_of, by_page, in_lines, pixels_of
from training.data.formats.documents import Picture, pictures_of, write_transcription
from training.data.formats.folder import carried
from training.data.formats.labels import Names, RowBuilder, placed_values, shared_out
from training.data.formats.report import Report
from training.data.formats.sources import (
    UNEXPECTED,
    first_inside,
    picture_size,
    read_json,
    some,
    write_json,
)
from training.data.reading import gold_document
from training.errors import DatasetError

FIELDS = ("question", "answer", "header")
_OTHER = "other"


def load_funsd(folder: Path) -> list[Example]:
    """Return the forms of a FUNSD folder, by id; spans are the entities.

    Raises:
        DatasetError: no forms, or one that is not as described.
    """
    paths = sorted((folder / "annotations").glob("*.json"))
    paths = some(paths, folder, "annotations/*.json", "Give the folder of a part of FUNSD.")
    examples = []
    for path in paths:
        picture = folder / "images" / f"{path.stem}.png"
        try:
            form = json.loads(path.read_text(encoding="utf-8"))["form"]
            examples.append(_example(path.stem, form, picture_size(picture)))
        except (OSError, ValueError, KeyError, TypeError, ArithmeticError) as error:
            raise DatasetError(
                f"{path} is not a form of FUNSD: {error!r}.",
                advice="Expected blocks with label and words, and a picture in images/.",
            ) from error
    return examples


def _example(name: str, form: list[dict[str, Any]], size: tuple[int, int]) -> Example:
    width, height = size
    words: list[str] = []
    boxes: list[Box] = []
    lines: list[int] = []
    spans: list[Span] = []
    for number, block in enumerate(form):
        if block["label"] not in (*FIELDS, _OTHER):
            raise ValueError(f"a block has the label {block['label']!r}")
        start = len(words)
        for word in block["words"]:
            if text := "".join(word["text"].split()):
                words.append(text)
                boxes.append(box_of(word["box"], size))
                lines.append(number)
        if block["label"] != _OTHER and len(words) > start:
            spans.append(Span(block["label"], start, len(words)))
    count = len(words)
    return Example(
        name,
        tuple(words),
        np.array([box.as_list() for box in boxes], np.float32).reshape(-1, 4),
        np.zeros(count, np.int64),
        np.array(lines, np.int64),
        np.full(count, width / height, np.float32),
        tuple(spans),
    )


def read(source: Path, scratch: Path, report: Report) -> Iterator[Row]:
    """Yield the forms of a part of the data set, or of all parts; see `folder.Format`."""
    paths = sorted(source.rglob("annotations/*.json"))
    advice = "Give the folder with annotations/ and images/."
    paths = some(paths, source, "annotations/*.json", advice)
    names = Names(report)
    for path in paths:
        data = read_json(path)
        try:
            yield _row(data["form"], path, scratch, names, report)
        except (OSError, *UNEXPECTED) as error:
            report.skip(path.stem, f"not as expected: {error!r}")


def _row(
    form: list[dict[str, Any]], path: Path, scratch: Path, names: Names, report: Report
) -> Row:
    part = path.parents[1]
    document = first_inside(part, f"images/{path.stem}.jpg", f"images/{path.stem}.png")
    size = picture_size(document)
    builder = RowBuilder(has_places=True)
    transcribed: list[tuple[str, Box]] = []
    for block in form:
        words = [
            (text, box_of(word["box"], size))
            for word in block["words"]
            if (text := " ".join(word["text"].split()))
        ]
        lines = in_lines(words)
        transcribed += lines
        if block["label"] != _OTHER and lines:
            value = " ".join(text for text, _ in lines)
            builder.add(names(block["label"]), value, [(1, box) for _, box in lines])
        if block.get("linking"):
            report.lost("links between blocks", path.stem, count=len(block["linking"]))
    ocr = write_transcription(scratch, path.stem, [(size, transcribed)])
    return builder.build(path.stem, document, ocr, "test" if "test" in part.name else "train")


def write(rows: Sequence[Row], target: Path, report: Report) -> None:
    """Write every page as a form, in a folder for each split; see `folder.Format`."""
    for row in rows:
        part = target / row.split
        for folder in ("annotations", "images"):
            (part / folder).mkdir(parents=True, exist_ok=True)
        with carried(row, report):
            pictures = list(pictures_of(row))
            forms = _forms(row, pictures, report)
            if len(pictures) > 1:
                report.lost("which pages are one document: each is a form", row.id)
            for picture, form in zip(pictures, forms, strict=True):
                name = row.id if len(pictures) == 1 else f"{row.id}-{picture.number}"
                (part / "images" / f"{name}.png").write_bytes(picture.png)
                write_json(part / "annotations" / f"{name}.json", {"form": form})


def _forms(row: Row, pictures: Sequence[Picture], report: Report) -> list[list[dict[str, Any]]]:
    """Return the blocks of each page: the values, then the lines of what is left."""
    if row.groups:
        report.lost("rows of groups: their cells are labelled by column", row.id)
    if row.ocr is None:
        report.lost("words that are no value: it has no transcription", row.id)
    document = gold_document(row) if row.ocr is not None else Document("", "", (), 0)
    words = list(document.words())
    free = set(range(len(words)))
    blocks: list[list[tuple[str, list[tuple[str, Box]]]]] = [[] for _ in pictures]
    for place in placed_values(row, report):
        pages: dict[int, list[tuple[str, Box]]] = {}
        for match in find_placed(document, [place], {place.field}):
            for index in sorted(free & set(range(match.start, match.end))):
                page, token = words[index]
                free.discard(index)
                pages.setdefault(page.number, []).append((token.text, token.box))
        if not pages:  # nothing is transcribed there
            texts = iter(shared_out(place.value, [box for _, box in place.boxes]))
            for number, boxes in by_page(place.boxes).items():
                for box in boxes:
                    tokens = split_line(next(texts), box, 0)
                    pages.setdefault(number, []).extend((one.text, one.box) for one in tokens)
        for number, found in pages.items():
            if 0 < number <= len(blocks):
                blocks[number - 1].append((place.field, found))
    left: dict[tuple[int, int], list[tuple[str, Box]]] = {}
    for index in sorted(free):
        page, token = words[index]
        left.setdefault((page.number, token.line), []).append((token.text, token.box))
    for (number, _), line in left.items():
        if 0 < number <= len(blocks):
            blocks[number - 1].append((_OTHER, line))
    return [
        [
            _block(number, label, found, picture)
            for number, (label, found) in enumerate(one)
            if found
        ]
        for picture, one in zip(pictures, blocks, strict=True)
    ]


def _block(
    number: int, label: str, words: list[tuple[str, Box]], picture: Picture
) -> dict[str, Any]:
    return {
        "id": number,
        "label": label,
        "text": " ".join(text for text, _ in words),
        "box": pixels_of(union(box for _, box in words), picture.size),
        "words": [{"text": text, "box": pixels_of(box, picture.size)} for text, box in words],
        "linking": [],
    }
