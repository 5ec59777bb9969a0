"""Azure Document Intelligence: the labelled folder of a custom model, as its Studio keeps it.

    fields.json        {"fields": [{"fieldKey", "fieldType", "fieldFormat", "itemType"}],
                        "definitions": {NAME_object: {"fields": [...]}}}
    FILE               the document
    FILE.labels.json   {"document": FILE, "labels": [{"label", "value": [
                            {"page", "text", "boundingBoxes": [[x, y, x, y, x, y, x, y]]}]}]}
    FILE.ocr.json      words as Azure read them; not taken over, and made anew by the Studio

Corners are fractions of the page. A cell of a table is labelled ``table/row/column``. Fields with
many values, which there are none of there, are tables of one column, ``value``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from models.geometry import Box
from pipeline.values.schema import FieldSpec, Kind
from training.data.dataset import Dataset, Row
from training.data.fields import infer_fields
from training.data.formats.boxes import (
    FRACTIONS,
    box_around,
    by_page,
    corners_of,
    edges_of,
    in_lines,
    points_of,
)  # fmt: skip
from training.data.formats.documents import copy_document
from training.data.formats.folder import carried
from training.data.formats.labels import Names, RowBuilder, placed_values
from training.data.formats.report import Report
from training.data.formats.sources import UNEXPECTED, inside, read_json, some, write_json

_LABELS = ".labels.json"
_SCHEMA = "https://schema.cognitiveservices.azure.com/formrecognizer/2021-03-01"
_ONE_COLUMN = "value"
_TYPES = {
    Kind.DATE: "date", Kind.AMOUNT: "number", Kind.NUMBER: "number",
}  # fmt: skip


def read(source: Path, scratch: Path, report: Report) -> Iterator[Row]:
    """Yield the labelled documents of a folder; see `folder.Format`."""
    paths = sorted(source.rglob(f"*{_LABELS}")) if source.is_dir() else []
    advice = "Give the folder of the container that the Studio's project uses."
    paths = some(paths, source, f"files *{_LABELS}", advice)
    if (source / "fields.json").is_file():
        report.lost("types and formats of fields: `dataset check` guesses them", count=1)
    names = Names(report)
    for path in paths:
        name = path.name.removesuffix(_LABELS)
        data = read_json(path)
        try:
            yield _row(data, inside(source, str(path.parent.relative_to(source) / name)), names,
                       report)  # fmt: skip
        except UNEXPECTED as error:
            report.skip(name, f"not as expected: {error!r}")


def _row(data: dict[str, Any], document: Path, names: Names, report: Report) -> Row:
    builder = RowBuilder(has_places=True)
    cells: list[tuple[str, int, str, str, list[tuple[int, Box]]]] = []
    for label in data["labels"]:
        text, boxes = _value(label.get("value") or [])
        table, *cell = label["label"].split("/")
        if not cell:
            if text:
                builder.add(names(table), text, boxes)
            else:
                builder.name(names(table))
            continue
        row, column = cell
        if text and not row.isdecimal():
            # A table whose rows have names is no list of rows: each of its cells is a field.
            builder.add(names(f"{table}_{row}_{column}"), text, boxes)
        elif text:
            cells.append((table, int(row), column, text, boxes))
    columns: dict[str, set[str]] = {}
    for table, _, column, _, _ in cells:
        columns.setdefault(table, set()).add(column)
    for table, number, column, text, boxes in sorted(cells, key=lambda cell: cell[:2]):
        if columns[table] == {_ONE_COLUMN}:
            builder.add(names(table), text, boxes)
        else:
            builder.add_cell(names(table), number, names(column), text, boxes)
    return builder.build(document.stem, document)


def _value(parts: list[dict[str, Any]]) -> tuple[str, list[tuple[int, Box]]]:
    """Return the text of a label, and the places of its lines; its parts are mostly words."""
    boxes: list[tuple[int, Box]] = []
    pages: dict[int, list[tuple[str, Box]]] = {}
    for part in parts:
        for corners in part.get("boundingBoxes") or ():
            box = box_around(points_of(corners), FRACTIONS)
            pages.setdefault(int(part["page"]), []).append((part["text"], box))
    for page, words in pages.items():
        boxes += [(page, box) for _, box in in_lines(words)]
    return " ".join(str(part["text"]) for part in parts).strip(), boxes


def write(rows: Sequence[Row], target: Path, report: Report) -> None:
    """Write documents with their labels, and the fields; see `folder.Format`."""
    dataset = Dataset(target, tuple(rows))
    specs = {spec.name: spec for spec in infer_fields(dataset)}
    taken = set()
    for row in rows:
        with carried(row, report):
            document = copy_document(row.document, target, row.id)
            if row.ocr is not None:
                report.lost("transcriptions: the Studio makes its own", row.id)
            labels = _labels(row, specs, report)
            content = {
                "$schema": f"{_SCHEMA}/labels.json", "document": document.name, "labels": labels,
            }  # fmt: skip
            write_json(target / f"{document.name}{_LABELS}", content, indent=1)
            taken.add(row.split)
    if len(taken) > 1:
        report.lost("splits", detail=", ".join(sorted(taken)), count=len(taken))
    write_json(target / "fields.json", _fields(list(specs.values())), indent=1)


def _labels(row: Row, specs: dict[str, FieldSpec], report: Report) -> list[dict[str, Any]]:
    labels: dict[str, list[dict[str, Any]]] = {}
    numbers: dict[str, list[str]] = {}
    for place in placed_values(row, report):
        spec = specs[place.field]
        if spec.group:
            if place.row is None:
                report.lost("cells without a row", row.id, f"{place.field}: {place.value}")
                continue
            label = f"{spec.group}/{place.row}/{spec.column}"
        elif spec.many:
            values = numbers.setdefault(place.field, [])
            if place.value not in values:
                values.append(place.value)
            label = f"{place.field}/{values.index(place.value)}/{_ONE_COLUMN}"
        else:
            label = place.field
        if label in labels:
            report.lost("further places of a value", row.id, f"{place.field}: {place.value}")
            continue
        # The text stands with the first page; what is printed on which, the labels do not say.
        labels[label] = [
            {
                "page": page,
                "text": "" if number else place.value,
                "boundingBoxes": [corners_of(edges_of(box, FRACTIONS)) for box in boxes],
            }
            for number, (page, boxes) in enumerate(by_page(place.boxes).items())
        ]
    return [{"label": label, "key": None, "value": value} for label, value in labels.items()]


def _fields(specs: Sequence[FieldSpec]) -> dict[str, Any]:
    tables: dict[str, list[FieldSpec]] = {}
    fields = []
    for spec in specs:
        if spec.group:
            tables.setdefault(spec.group, []).append(spec)
        elif spec.many:
            tables.setdefault(spec.name, []).append(FieldSpec(_ONE_COLUMN, spec.kind))
        else:
            fields.append(_field(spec))
    arrays = [_entry(name, "array", itemType=f"{name}_object", fields=None) for name in tables]
    definitions = {
        item: _entry(item, "object", itemType=None, fields=list(map(_field, columns)))
        for name, columns in tables.items()
        for item in [f"{name}_object"]
    }
    schema = f"{_SCHEMA}/fields.json"
    return {"$schema": schema, "fields": fields + arrays, "definitions": definitions}


def _field(spec: FieldSpec) -> dict[str, Any]:
    return _entry(spec.column, _TYPES.get(spec.kind, "string"))


def _entry(key: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"fieldKey": key, "fieldType": kind, "fieldFormat": "not-specified", **more}
