"""Labels on their way: rows of a dataset put together from single values, and taken apart."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from models.geometry import Box
from pipeline.values.schema import column_key, is_field_name
from pipeline.values.texts.strings import in_ascii
from training.data.dataset import Place, Row
from training.data.formats.boxes import FRACTIONS, edges_of
from training.data.formats.report import Report

UNPLACED = "values without a place"
"""What an export to a format of places loses; `placed_values` reports it."""
_LONGEST = 64
_FILE_BYTES = 150  # of a name; suffixes follow, and 255 are allowed


class Names:
    """Turns names of other tools into names that fields may have, no two of them into one."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._names: dict[str, str] = {}

    def __call__(self, name: str) -> str:
        """Return the name here: `VendorName` is ``vendor_name``."""
        if name not in self._names:
            base = new = name if is_field_name(name) else _plain(name)
            number = 2
            while new in self._names.values():
                new = f"{base[: _LONGEST - 4]}_{number}"
                number += 1
            self._names[name] = new
            if new != name:
                self._report.renamed[name] = new
        return self._names[name]


def _plain(name: str) -> str:
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    plain = re.sub(r"[^a-z0-9]+", "_", in_ascii(parted)).strip("_")
    if not plain[:1].isalpha():
        plain = f"field_{plain}".rstrip("_")
    return plain[:_LONGEST].rstrip("_")


def file_name(name: str, otherwise: str) -> str:
    """Return a name that files can have and leads to no other folder, like `name`."""
    kept = re.sub(r"[^\w.-]+", "-", name).strip(".-").encode()[:_FILE_BYTES]
    return kept.decode(errors="ignore") or otherwise


class Ids:
    """Gives documents ids that are names of files, too; no two the same."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def __call__(self, name: str) -> str:
        """Return the id of a document that is called so elsewhere."""
        base = new = file_name(name, "document")
        number = 2
        while new.lower() in self._taken:  # some file systems do not tell A from a
            new, number = f"{base}-{number}", number + 1
        self._taken.add(new.lower())
        return new


class RowBuilder:
    """Collects the labels of one document.

    Args:
        has_places: the format says where values are printed, even if this document has none.
    """

    def __init__(self, *, has_places: bool = False) -> None:
        self._fields: dict[str, list[str]] = {}
        self._rows: dict[str, dict[Hashable, dict[str, str]]] = {}
        self._places: list[tuple[str, str, Hashable, str, list[tuple[int, Box]]]] = []
        self._has_places = has_places

    def name(self, field: str) -> None:
        """Note that the dataset has a field, whether or not this document has a value."""
        self._fields.setdefault(field, [])

    def add(self, field: str, value: str, boxes: Iterable[tuple[int, Box]] = ()) -> None:
        """Add a value of a field, with the page, from 1, and box of each of its lines."""
        values = self._fields.setdefault(field, [])
        if value not in values:
            values.append(value)
        if boxes := list(boxes):
            self._places.append(("", field, None, value, boxes))

    def add_cell(
        self,
        group: str,
        row: Hashable,
        column: str,
        value: str,
        boxes: Iterable[tuple[int, Box]] = (),
    ) -> None:
        """Add a cell of a group's row; what a cell is given twice is joined.

        Args:
            group: of the columns.
            row: any key; rows stand in the order in which their keys come first.
            column: of the cell.
            value: of the cell.
            boxes: as in `add`.
        """
        cells = self._rows.setdefault(group, {}).setdefault(row, {})
        boxes = list(boxes)
        if column in cells:
            value = f"{cells[column]} {value}"
            for place in self._places:
                if place[:3] == (group, column, row):
                    boxes = place[4] + boxes
                    self._places.remove(place)
                    break
        cells[column] = value
        if boxes:
            self._places.append((group, column, row, value, boxes))

    def build(self, name: str, document: Path, ocr: Path | None = None, split: str = "") -> Row:
        """Return the labelled document."""
        groups = {group: tuple(rows.values()) for group, rows in self._rows.items()}
        numbers = {
            (group, key): number
            for group, rows in self._rows.items()
            for number, key in enumerate(rows)
        }
        places = tuple(
            Place(
                column_key(group, field) if group else field,
                value,
                tuple(boxes),
                numbers[group, row] if group else None,
            )
            for group, field, row, value, boxes in self._places
        )
        return Row(
            name,
            document,
            ocr,
            {field: tuple(values) for field, values in self._fields.items()},
            split or "train",
            groups,
            places if places or self._has_places else None,
        )


def plain_fields(row: Row) -> dict[str, tuple[str, ...]]:
    """Return the fields of a row without the columns of its groups."""
    return {
        name: values
        for name, values in row.fields.items()
        if name.rpartition(".")[0] not in row.groups
    }


def values_alone(row: Row, report: Report) -> dict[str, tuple[str, ...]]:
    """Return `plain_fields`, for a format that has no places and no rows; report what is lost."""
    if row.places:
        report.lost("places", row.id, count=len(row.places))
    if rows := sum(map(len, row.groups.values())):
        report.lost("rows of groups", row.id, count=rows)
    return plain_fields(row)


def values_of(row: Row) -> list[Place]:
    """Return every labelled value: those with a place, as often as they have one; then the others.

    Those without a place have no boxes. Cells have the number of their row, where it is known.
    """
    placed = list(row.places or ())
    known = {(place.field, place.value, place.row) for place in placed}
    whole: list[Place] = [
        Place(name, value, ()) for name, values in plain_fields(row).items() for value in values
    ]
    whole += [
        Place(column_key(group, column), value, (), number)
        for group, rows in row.groups.items()
        for number, cells in enumerate(rows)
        for column, value in cells.items()
    ]
    return placed + [
        place
        for place in whole
        if not known & {(place.field, place.value, place.row), (place.field, place.value, None)}
    ]


def placed_values(row: Row, report: Report) -> Iterator[Place]:
    """Yield the values that have a place, for a format that keeps no others; report those."""
    for place in values_of(row):
        if place.boxes:
            yield place
        else:
            report.lost(UNPLACED, row.id, f"{place.field}: {place.value}")


def shared_out(text: str, boxes: Sequence[Box]) -> list[str]:
    """Return the part of a text that each of its lines holds, by their widths; words stay whole."""
    if len(boxes) == 1:
        return [text]
    words = text.split()
    letters = sum(map(len, words)) or 1
    width = sum(box.width for box in boxes) or 1.0
    parts: list[list[str]] = [[] for _ in boxes]
    line, done, room = 0, 0, boxes[0].width
    for word in words:
        middle = (done + len(word) / 2) / letters * width
        while middle > room and line + 1 < len(boxes):
            line += 1
            room += boxes[line].width
        parts[line].append(word)
        done += len(word)
    return [" ".join(part) for part in parts]


def count(row: Row, report: Report) -> None:
    """Add a document that was carried over to a report."""
    values = values_of(row)
    report.documents += 1
    report.values += len(values)
    report.placed += sum(bool(place.boxes) for place in values)
    report.rows += sum(len(rows) for rows in row.groups.values())


def row_json(row: Row, document: str, ocr: str | None, fields: Sequence[str] = ()) -> Any:
    """Return the line of labels.jsonl that `load_dataset` turns back into an equal row.

    Args:
        row: the labelled document.
        document: path within the dataset's folder.
        ocr: likewise, None where it has no transcription.
        fields: of the whole dataset; those without a value are listed so.
    """
    line: dict[str, Any] = {"id": row.id, "document": document}
    if ocr is not None:
        line["ocr"] = ocr
    values = plain_fields(row)
    line["fields"] = {name: list(values.get(name, ())) for name in (*values, *fields)}
    line["split"] = row.split
    if row.groups:
        line["groups"] = {group: list(rows) for group, rows in row.groups.items()}
    if row.places is not None:
        line["boxes"] = [_place_json(place) for place in row.places]
    return line


def _place_json(place: Place) -> dict[str, Any]:
    group, _, name = place.field.rpartition(".")
    return {
        "name": name,
        **({"group": group} if group else {}),
        **({} if place.row is None else {"row": place.row}),
        "value": place.value,
        "places": [{"page": page, "box": edges_of(box, FRACTIONS)} for page, box in place.boxes],
    }
