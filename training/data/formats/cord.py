"""CORD (Park et al., 2019): receipts whose lines are labelled, word by word.

    json/ID.json   {"valid_line": [{"category": "menu.nm", "group_id", "sub_group_id",
                        "words": [{"text", "is_key", "row_id", "quad": {"x1", "y1", ... "y4"}}]}],
                    "meta": {"split", "image_size": {"width", "height"}}, ...}, in pixels
    image/ID.png

A part of the data set (train, dev, test) is such a folder; a folder of parts is read whole.
Categories of menu and void_menu are columns of a group, with a row for each `group_id`; those of
sub_total, total and void_total are fields, ``total_cash_price``. Words that are keys, such as the
caption of a total, are no part of a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count as numbers
from pathlib import Path
from typing import Any

from models.geometry import Box
from pipeline.reading.layout import split_line
from training.data.dataset import Place, Row
from training.data.formats.boxes import (
    Size,
    box_around,
    corners_of,
    in_lines,
    pixels_of,
    points_of,
)
from training.data.formats.documents import only_page
from training.data.formats.folder import carried
from training.data.formats.labels import Names, RowBuilder, placed_values, shared_out
from training.data.formats.report import Report
from training.data.formats.sources import UNEXPECTED, first_inside, read_json, some, write_json

_FIELDS = ("sub_total", "void_total", "total")  # superclasses that no row of a group has
_QUAD = ("x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4")


def read(source: Path, scratch: Path, report: Report) -> Iterator[Row]:
    """Yield the receipts of a part of the data set, or of all; see `folder.Format`."""
    paths = sorted(source.rglob("json/*.json"))
    paths = some(paths, source, "json/*.json", "Give the folder with json/ and image/.")
    names = Names(report)
    for path in paths:
        data = read_json(path)
        try:
            part = path.parents[1]
            pictures = (f"{folder}/{path.stem}{suffix}" for folder in ("image", "images")
                        for suffix in (".png", ".jpg", ".jpeg"))  # fmt: skip
            document = first_inside(part, *pictures)
            yield row_of(data, path.stem, document, names, report)
        except UNEXPECTED as error:
            report.skip(path.stem, f"not as expected: {error!r}")


def row_of(data: dict[str, Any], name: str, document: Path, names: Names, report: Report) -> Row:
    """Return a receipt as a row, of its JSON; what is not as described raises one of many errors.

    Raises:
        ValueError, KeyError, TypeError, AttributeError, ArithmeticError: another kind of JSON.
    """
    size = data["meta"]["image_size"]
    page = float(size["width"]), float(size["height"])
    builder = RowBuilder(has_places=True)
    values: dict[tuple[str, Any], list[tuple[str, Box]]] = {}
    parts: dict[tuple[str, Any], Any] = {}
    for line in data["valid_line"]:
        words = [
            (str(word["text"]), box_around(points_of([word["quad"][end] for end in _QUAD]), page))
            for word in line["words"]
            if not word.get("is_key")
        ]
        key = line["category"], line.get("group_id")
        if parts.setdefault(key, line.get("sub_group_id")) != line.get("sub_group_id"):
            report.lost("the parting of several values of a cell, which are joined", name, key[0])
        values.setdefault(key, []).extend(words)
    for (category, group_id), words in values.items():
        if not words:
            continue
        lines = in_lines(words)
        text, boxes = " ".join(line for line, _ in lines), [(1, box) for _, box in lines]
        group, _, column = category.partition(".")
        if not column or group in _FIELDS:
            builder.add(names(category.replace(".", "_")), text, boxes)
        else:
            builder.add_cell(names(group), group_id, names(column.replace(".", "_")), text, boxes)
    for unused in ("roi", "dontcare", "repeating_symbol"):
        if data.get(unused):
            report.lost(f"`{unused}`", name)
    return builder.build(name, document, split=str(data["meta"].get("split") or ""))


def write(rows: Sequence[Row], target: Path, report: Report) -> None:
    """Write a folder for each split, pages as pictures; see `folder.Format`."""
    for row in rows:
        part = target / row.split
        for folder in ("json", "image"):
            (part / folder).mkdir(parents=True, exist_ok=True)
        with carried(row, report):
            picture = only_page(row, "CORD")
            if row.ocr is not None:
                report.lost("transcriptions, but for the words of values", row.id)
            content = {
                "valid_line": _lines(row, picture.size, report),
                "meta": {
                    "version": "2.0",
                    "split": row.split,
                    "image_size": dict(zip(("width", "height"), picture.size, strict=True)),
                },
                "roi": {},
                "repeating_symbol": [],
                "dontcare": [],
            }
            (part / "image" / f"{row.id}.png").write_bytes(picture.png)
            write_json(part / "json" / f"{row.id}.json", content)


def _lines(row: Row, size: Size, report: Report) -> list[dict[str, Any]]:
    lines = []
    ids = numbers(1)
    rows: dict[tuple[str, int], int] = {}
    for place in placed_values(row, report):
        group = place.field.rpartition(".")[0]
        new = next(ids)
        known = rows.setdefault((group, place.row), new) if group and place.row is not None else new
        for words in _words(place):
            lines.append(
                {
                    "category": _category(place.field),
                    "group_id": known,
                    "sub_group_id": 0,
                    "words": [
                        {
                            "text": text,
                            "is_key": 0,
                            "row_id": new,
                            "quad": dict(
                                zip(_QUAD, map(int, corners_of(pixels_of(box, size))), strict=True)
                            ),
                        }
                        for text, box in words
                    ],
                }
            )
    return lines


def _words(place: Place) -> Iterator[list[tuple[str, Box]]]:
    """Yield the words of each line of a value: its text shared out by the widths of the lines."""
    texts = shared_out(place.value, [box for _, box in place.boxes])
    for (_, box), text in zip(place.boxes, texts, strict=True):
        yield [(token.text, token.box) for token in split_line(text, box, 0)]


def _category(field: str) -> str:
    for prefix in _FIELDS:
        if field.startswith(f"{prefix}_"):
            return f"{prefix}.{field.removeprefix(f'{prefix}_')}"
    return field
