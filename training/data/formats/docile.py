"""DocILE (Simsa et al., 2023): invoices with fields and line items, and the place of each.

    pdfs/ID.pdf
    annotations/ID.json   {"field_extractions": [{"fieldtype", "text", "page", "bbox"}],
                           "line_item_extractions": [{..., "line_item_id"}],
                           "line_item_headers": [...],
                           "metadata": {"page_count", ...}}
    SPLIT.json            [ID, ...]

Pages count from 0, boxes are left, top, right, bottom as fractions of the page. Line items are rows
of the group ``line_items``, their types its columns without ``line_item_``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from models.geometry import Box, union
from training.data.dataset import Row
from training.data.formats.boxes import FRACTIONS, box_of, by_page, edges_of
from training.data.formats.documents import save_pdf
from training.data.formats.folder import carried
from training.data.formats.labels import Names, RowBuilder, placed_values
from training.data.formats.report import Report
from training.data.formats.sources import (
    UNEXPECTED,
    inside,
    json_files,
    read_json,
    some,
    write_json,
)
from training.errors import DatasetError

_GROUP = "line_items"
_PREFIX = "line_item_"
_SPLITS = ("train", "val", "test")


def read(source: Path, scratch: Path, report: Report) -> Iterator[Row]:
    """Yield the annotated documents of the data set; see `folder.Format`."""
    advice = "Give the folder with annotations/ and pdfs/."
    paths = some(json_files(source / "annotations"), source, "annotations/*.json", advice)
    splits = {
        str(name): path.stem
        for path in json_files(source)
        if path.stem in _SPLITS
        for name in _listed(path)
    }
    if (source / "ocr").is_dir():
        report.lost("`ocr/`: words as a machine read them are no transcription")
    names = Names(report)
    for path in paths:
        data = read_json(path)
        try:
            document = inside(source, f"pdfs/{path.stem}.pdf")
            yield _row(data, path.stem, document, splits.get(path.stem, ""), names, report)
        except UNEXPECTED as error:
            report.skip(path.stem, f"not as expected: {error!r}")


def _listed(path: Path) -> list[Any]:
    found = read_json(path)
    if not isinstance(found, list):
        raise DatasetError(f"{path} is no list of documents.", advice="Export it again.")
    return found


def _row(
    data: dict[str, Any], name: str, document: Path, split: str, names: Names, report: Report
) -> Row:
    builder = RowBuilder(has_places=True)
    for found in data["field_extractions"]:
        text, places = _value(found)
        builder.add(names(found["fieldtype"]), text, places)
    for found in data.get("line_item_extractions") or ():
        text, places = _value(found)
        column = names(found["fieldtype"].removeprefix(_PREFIX))
        builder.add_cell(_GROUP, found["line_item_id"], column, text, places)
    if headers := data.get("line_item_headers"):
        report.lost("headers of line items", name, count=len(headers))
    known = {"page_count", "page_sizes_at_200dpi", "original_filename", "source"}
    if data.get("metadata", {}).keys() - known:
        report.lost("metadata (currency, language, type, cluster and table grid)", name)
    return builder.build(name, document, split=split)


def _value(found: dict[str, Any]) -> tuple[str, list[tuple[int, Box]]]:
    return found["text"].strip(), [(int(found["page"]) + 1, box_of(found["bbox"], FRACTIONS))]


def write(rows: Sequence[Row], target: Path, report: Report) -> None:
    """Write the documents as PDFs, and their annotations; see `folder.Format`."""
    for folder in ("pdfs", "annotations"):
        (target / folder).mkdir()
    groups = list(dict.fromkeys(group for row in rows for group in row.groups))
    items = next((name for name in (_GROUP, "items", *groups) if name in groups), "")
    if items not in ("", _GROUP):
        report.renamed[items] = _GROUP
    splits: dict[str, list[str]] = {}
    for row in rows:
        with carried(row, report):
            save_pdf(row, target / "pdfs" / f"{row.id}.pdf")
            content = _annotation(row, items, report)
            write_json(target / "annotations" / f"{row.id}.json", content)
            splits.setdefault(row.split, []).append(row.id)
            if row.ocr is not None:
                report.lost("transcriptions", row.id)
    for split, ids in splits.items():
        write_json(target / f"{split}.json", ids)


def _annotation(row: Row, items: str, report: Report) -> dict[str, Any]:
    fields, cells = [], []
    for place in placed_values(row, report):
        group, _, name = place.field.rpartition(".")
        if group and group != items:
            report.lost("rows of further groups: there are line items alone", row.id, group)
        elif group and place.row is None:
            report.lost("cells without a row", row.id, f"{place.field}: {place.value}")
        else:
            (page, boxes), *others = by_page(place.boxes).items()
            if others:
                report.lost("places on a second page", row.id, f"{place.field}: {place.value}")
            found = {
                "bbox": edges_of(union(boxes), FRACTIONS),
                "page": page - 1,
                "text": place.value,
                "fieldtype": f"{_PREFIX if group else ''}{name}",
            }
            if group:
                cells.append({**found, "line_item_id": (place.row or 0) + 1})
            else:
                fields.append(found)
    return {
        "field_extractions": fields,
        "line_item_extractions": cells,
        "line_item_headers": [],
        "metadata": {},
    }
