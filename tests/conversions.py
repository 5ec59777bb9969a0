"""A dataset with places, groups and several pages, to be converted; and conversions made short."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from tests.builders import A4
from training.data.dataset import Dataset, Place, Row, load_dataset
from training.data.formats.folder import export_dataset, import_dataset
from training.data.formats.labels import plain_fields
from training.data.formats.report import Report

# Field, group and row, what is printed there, and where: page, left edge, lines' heights on it.
_PRINTED = (
    ("vendor", "", None, "Ästhetik & <Söhne> GmbH", 1, 60, (40,)),
    ("address", "", None, "Musterweg 5, 12345 Berlin", 1, 60, (60, 75)),
    ("party", "", None, "Erste AG", 1, 60, (100,)),
    ("party", "", None, "Zweite KG", 1, 60, (120,)),
    ("description", "items", 0, "Tea", 1, 60, (200,)),
    ("amount", "items", 0, "5.00", 1, 400, (200,)),
    ("description", "items", 1, "Cake with cream", 1, 60, (230,)),
    ("amount", "items", 1, "5.00", 1, 400, (230,)),
    ("total", "", None, "10.00", -1, 400, (300,)),
)


def write_invoices(folder: Path, pages: int = 1) -> Dataset:
    """Write a dataset of an invoice with places and items, and of an empty letter; return it.

    Args:
        folder: that is made.
        pages: of the invoice; its total stands on the last.
    """
    (folder / "documents").mkdir(parents=True)
    boxes = []
    for name, group, row, value, page, x, tops in _PRINTED:
        places = [
            {"page": pages if page < 0 else page, "box": _box(x, top, value, len(tops))}
            for top in tops
        ]
        where = {"group": group, "row": row} if group else {}
        boxes.append({"name": name, **where, "value": value, "places": places})
    groups = [
        {name: value for name, group, at, value, *_ in _PRINTED if group and at == row}
        for row in (0, 1)
    ]
    fields: dict[str, list[str]] = {"date": []}
    for name, group, _, value, *_ in _PRINTED:
        if not group:
            fields.setdefault(name, []).append(value)
    _draw(folder / "documents" / "a.pdf", pages)
    _draw(folder / "documents" / "letter.pdf", 0)
    rows: list[dict[str, Any]] = [
        {
            "id": "a",
            "document": "documents/a.pdf",
            "fields": fields,
            "groups": {"items": groups},
            "boxes": boxes,
            "split": "train",
        },
        {
            "id": "letter",
            "document": "documents/letter.pdf",
            "fields": {name: [] for name in fields},
            "boxes": [],
            "split": "test",
        },
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "labels.jsonl").write_text(text, encoding="utf-8")
    return load_dataset(folder)


def _box(x: float, top: float, value: str, lines: int) -> list[float]:
    width = 6 * len(value) / lines
    return [x / A4[0], top / A4[1], (x + width) / A4[0], (top + 12) / A4[1]]


def _draw(path: Path, pages: int) -> None:
    canvas = Canvas(str(path), pagesize=A4)
    for number in range(1, max(pages, 1) + 1):
        canvas.drawString(60, 20, f"page {number}")
        for *_, value, page, x, tops in _PRINTED:
            if pages and number == (pages if page < 0 else page):
                canvas.drawString(x, A4[1] - tops[0] - 10, value)
        canvas.showPage()
    canvas.save()


def bring_in(name: str, source: Path, target: Path) -> tuple[dict[str, Row], Report]:
    """Import a folder; return its rows by id, and the report."""
    report = import_dataset(name, source, target)
    rows = {row.id: row for row in load_dataset(target).rows}
    assert report.documents == len(rows)
    return rows, report


def there_and_back(name: str, dataset: Dataset, folder: Path) -> tuple[dict[str, Row], Report]:
    """Export a dataset and import it again; return its rows by id, and the export's report."""
    report = export_dataset(name, dataset, folder / "there")
    rows, _ = bring_in(name, folder / "there", folder / "back")
    return rows, report


def filled(row: Row) -> dict[str, set[str]]:
    """Return the values of a row's fields that have any, columns left out."""
    return {name: set(values) for name, values in plain_fields(row).items() if values}


def whole_places(row: Row) -> dict[tuple[str, str, int | None], Place]:
    """Return the places of a row by field, value and row."""
    return {(place.field, place.value, place.row): place for place in row.places or ()}
