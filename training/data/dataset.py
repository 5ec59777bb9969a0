"""The interchange folder: values-only labels beside documents, and gold transcriptions.

labels.jsonl   {"id", "document", "ocr" (optional), "fields": {name: [values]}, "split"}, and where
               there are any: "groups": {name: [{column: value}]}, the rows of each repeated group;
               "boxes": [{"name", "group", "row", "value", "places": [{"page", "box"}]}], where
               values are printed, so that none of their fields is searched for: pages from 1,
               boxes x0, top, x1, bottom as fractions of the page, one for each line; `group` and
               `row` (from 0, of the group's rows) for columns only. Blank values say nothing, and
               are left out
documents/     PDF or pictures
ocr/           {"id", "pages": [{"number", "width", "height", "lines": [{"text", "box"}]}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from models.geometry import Box, clamped_box
from pipeline.values.schema import column_key
from training.errors import DatasetError

Transcription = Literal["gold", "own"]
TRANSCRIPTIONS: tuple[Transcription, ...] = ("gold", "own")
_OF_A_TABLE = (
    " `fieldwright dataset import --format csv --from FOLDER --to ANOTHER` makes one of a table."
)
_FAR_OUT = 0.5  # of a page: boxes may go a little over its edge, those in pixels lie far beyond


@dataclass(frozen=True, slots=True)
class Place:
    """Where a labelled value is printed, once.

    Attributes:
        field: or column of a group, see `column_key`.
        value: as labelled.
        boxes: page, from 1, and box of each of its lines.
        row: of its group, from 0; None for fields, and where the label does not say.
    """

    field: str
    value: str
    boxes: tuple[tuple[int, Box], ...]
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled document.

    Attributes:
        id: unique in its dataset.
        document: path of the file.
        ocr: path of the gold transcription, or None.
        fields: the values of each field, as typed; an absent value is an empty tuple. Columns of
            groups are among them, with the values of all rows.
        split: name of the split that the dataset assigns, such as ``train``.
        groups: the rows of each group, in the order of the document: column to value.
        places: where values are printed, of some fields or all; None where no label says.
    """

    id: str
    document: Path
    ocr: Path | None
    fields: dict[str, tuple[str, ...]]
    split: str = "train"
    groups: dict[str, tuple[dict[str, str], ...]] = field(default_factory=dict)
    places: tuple[Place, ...] | None = None

    def value(self, field: str) -> str:
        """Return the first value of a field, or an empty string."""
        return next(iter(self.fields.get(field, ())), "")


@dataclass(frozen=True, slots=True)
class Dataset:
    """A folder of labelled documents.

    Attributes:
        folder: where it lies.
        rows: in the order of labels.jsonl.
    """

    folder: Path
    rows: tuple[Row, ...]

    @property
    def name(self) -> str:
        """Name of the folder."""
        return self.folder.resolve().name

    @property
    def field_names(self) -> tuple[str, ...]:
        """Names of all fields that any row has, in order of first appearance."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.fields))

    @property
    def groups(self) -> tuple[str, ...]:
        """Names of all groups that any row has, in order of first appearance."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.groups))

    def need_labels(self) -> None:
        """Refuse a dataset that nothing can be learnt from.

        Raises:
            DatasetError: no document has a value.
        """
        if not any(any(row.fields.values()) for row in self.rows):
            raise DatasetError(
                f"No document of {self.folder} has a value: there is nothing to learn.",
                advice="Write into `fields` and `groups` of labels.jsonl what the documents say.",
            )


def default_transcription(dataset: Dataset) -> Transcription:
    """Return gold where every document has a gold transcription, else own."""
    return "gold" if all(row.ocr is not None for row in dataset.rows) else "own"


def load_dataset(folder: Path) -> Dataset:
    """Return a dataset folder's rows; every fault of labels.jsonl is named with its line.

    Raises:
        DatasetError: no labels.jsonl, a row that is not as described, a file that is not there.
    """
    path = folder / "labels.jsonl"
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DatasetError(
            f"{path} cannot be read: {error.strerror}.",
            advice="A dataset is a folder with labels.jsonl and documents/."
            + (_OF_A_TABLE if any(folder.glob("*.csv")) else ""),
        ) from error
    except UnicodeDecodeError as error:
        at = error.object[: error.start].count(b"\n") + 1
        raise DatasetError(
            f"{path} cannot be read: it is not in UTF-8, see line {at}.", advice="Save it in UTF-8."
        ) from error
    rows: list[Row] = []
    faults: list[str] = []
    seen: set[str] = set()
    # Not splitlines: JSON texts may hold U+2028 and other marks that it takes for line ends.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = _row(folder, json.loads(line))
        except RecursionError:
            faults.append(f"line {number}: it nests too deep")
            continue
        except (ValueError, OSError) as error:
            faults.append(f"line {number}: {error}")
            continue
        if row.id in seen:
            faults.append(f"line {number}: id {row.id!r} is there twice")
        seen.add(row.id)
        rows.append(row)
    if faults:
        raise DatasetError(f"{path}: {'; '.join(faults[:5])}.", advice="Correct these lines.")
    if not rows:
        raise DatasetError(f"{path} holds no documents.", advice="Add one JSON object a document.")
    return Dataset(folder, tuple(rows))


def _row(folder: Path, data: Any) -> Row:
    if not isinstance(data, dict):
        raise ValueError("a row must be a JSON object")
    if missing := [key for key in ("id", "document", "fields") if key not in data]:
        raise ValueError(f"a row must have {' and '.join(missing)}")
    fields = data["fields"]
    if not isinstance(fields, dict) or not all(
        isinstance(values, list) and all(isinstance(value, str) for value in values)
        for values in fields.values()
    ):
        raise ValueError("`fields` must map each name to a list of texts")
    document = _inside(folder, data["document"])
    ocr = _inside(folder, data["ocr"]) if data.get("ocr") else None
    groups = _groups(data.get("groups") or {})
    columns: dict[str, list[str]] = {}
    for group, rows in groups.items():
        for cells in rows:
            for column, value in cells.items():
                columns.setdefault(column_key(group, column), []).append(value)
    labels = {
        name: tuple(value for value in values if value.strip())
        for name, values in (fields | columns).items()
    }
    # Whoever takes a field out of `fields` need not take its boxes out, too.
    places = [place for place in _places(data.get("boxes") or []) if place.field in labels]
    for place in places:
        group = place.field.rpartition(".")[0]
        if group and place.row is not None and not 0 <= place.row < len(groups[group]):
            raise ValueError(f"`boxes` names row {place.row} of {group}, which is not there")
    return Row(
        str(data["id"]),
        document,
        ocr,
        labels,
        str(data.get("split") or "train"),
        groups,
        None if data.get("boxes") is None else tuple(places),
    )


def _groups(data: Any) -> dict[str, tuple[dict[str, str], ...]]:
    if not isinstance(data, dict) or not all(
        isinstance(rows, list)
        and all(
            isinstance(cells, dict) and all(isinstance(value, str) for value in cells.values())
            for cells in rows
        )
        for rows in data.values()
    ):
        raise ValueError("`groups` must map each name to a list of rows, each of texts by column")
    return {
        name: tuple(
            {column: value for column, value in cells.items() if value.strip()} for cells in rows
        )
        for name, rows in data.items()
    }


def _places(data: Any) -> Iterator[Place]:
    try:
        for item in data:
            group, name = item.get("group"), str(item["name"])
            boxes = tuple((int(at["page"]), _box(*at["box"])) for at in item["places"])
            row = None if item.get("row") is None else int(item["row"])
            yield Place(column_key(group, name) if group else name, str(item["value"]), boxes, row)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise ValueError(
            "`boxes` must be a list of name, value and places, each with a page and a box in "
            "fractions of the page"
        ) from error


def _box(x0: float, top: float, x1: float, bottom: float) -> Box:
    if not all(-_FAR_OUT <= edge <= 1 + _FAR_OUT for edge in (x0, top, x1, bottom)):
        raise ValueError("a box is not in fractions of the page")
    return clamped_box(x0, top, x1, bottom)


def _inside(folder: Path, name: Any) -> Path:
    path = folder / str(name)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"{name} lies outside the dataset")
    if not path.is_file():
        raise ValueError(f"{name} is not there")
    return path
