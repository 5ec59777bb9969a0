"""Label Studio: tasks with rectangles on pictures, each with a label and the text in it.

    project.json   [{"data": {"image": URL} or {"pages": [URL, ...]},
                     "annotations": [{"result": [
                        {"id", "type": "rectanglelabels", "item_index", "original_width", ...,
                         "value": {"x", "y", "width", "height", "rotation",
                                   "rectanglelabels": [LABEL]}},
                        {"id": the same, "type": "textarea", "value": {..., "text": [TEXT]}},
                        {"type": "relation", "from_id", "to_id"}]}]}]
    config.xml     the labelling interface
    images/        the pages, served by Label Studio's local files

Positions are per cent of the picture. A row of a group is a rectangle with the group's label; its
cells, labelled ``group.column``, lie in it in the tree of regions (`parentID`) or are related to
it. Cells that lie in, or are related to, each other are a row, too; others are put into rows by the
lines that they stand in.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count as numbers
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import quoteattr

from models.geometry import Box, union
from pipeline.errors import DocumentError
from training.data.dataset import Row
from training.data.formats.boxes import (
    PER_CENT,
    Size,
    box_around,
    box_of,
    by_page,
    edges_of,
    same_line,
)  # fmt: skip
from training.data.formats.documents import SUFFIXES, copy_document, join_pages, pictures_of
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

_ROOT = "images"  # of the files that are exported, in the root of Label Studio's local files
_SHAPES = ("rectanglelabels", "polygonlabels", "ellipselabels", "labels")
_BARE_SHAPES = ("rectangle", "polygon", "ellipse")  # of the same region without its label
_UPLOADED = re.compile(r"[0-9a-f]{8}-(?=.)")  # what Label Studio puts in front of a file's name


@dataclass(slots=True)
class _Region:
    page: int
    box: Box
    label: str = ""
    text: str = ""
    related: list[str] = field(default_factory=list)


def read(source: Path, scratch: Path, report: Report) -> Iterator[Row]:
    """Yield the annotated tasks of a project; see `folder.Format`."""
    paths = json_files(source) if source.is_dir() else [source]
    folder = source if source.is_dir() else source.parent
    advice = "Export the project as JSON, not JSON-MIN."
    paths = some(paths, source, "JSON file", advice)
    names = Names(report)
    files = _Files(folder)
    for path in paths:
        tasks = read_json(path)
        if not isinstance(tasks, list) or not all(
            isinstance(task, dict) and isinstance(task.get("data"), dict) for task in tasks
        ):
            raise DatasetError(
                f"{path} is no project of Label Studio: expected a list of tasks with data.",
                advice=advice,
            )
        for number, task in enumerate(tasks, 1):
            name = f"task-{task.get('id', number)}"
            try:
                yield _row(task, name, files, scratch, names, report)
            except UNEXPECTED as error:
                report.skip(name, f"not as expected: {error}")
            except DocumentError as error:
                report.skip(name, str(error))


class _Files:
    """Finds the files that tasks name by address in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_name: dict[str, list[Path]] | None = None

    def find(self, address: str) -> Path:
        """Return the file of an address; nothing is fetched.

        Raises:
            ValueError: it is not there, or there are several.
        """
        parts = urlsplit(address)
        query = parse_qs(parts.query).get("d")
        path = query[0] if query else unquote(parts.path)
        if not parts.scheme:
            with suppress(ValueError):
                return inside(self._folder, path.lstrip("/"))
        if self._by_name is None:
            self._by_name = {}
            for file in sorted(self._folder.rglob("*")):
                if file.suffix != ".json" and file.is_file():
                    self._by_name.setdefault(file.name, []).append(file)
        name = path.rpartition("/")[2]
        for wanted in (name, _UPLOADED.sub("", name)):
            found = self._by_name.get(wanted, [])
            if len(found) > 1:
                raise ValueError(f"{wanted[:80]} is there {len(found)} times")
            if found:
                return inside(self._folder, str(found[0].relative_to(self._folder)))
        raise ValueError(f"{address[:200]} is not there: put its file beside the project")


def _row(
    task: dict[str, Any], name: str, files: _Files, scratch: Path, names: Names, report: Report
) -> Row:
    data = task["data"]
    document, pages = _document(data, name, files, scratch)
    annotations = [
        found for found in task.get("annotations") or [] if not found.get("was_cancelled")
    ]
    if not annotations:
        raise ValueError("it has no annotation")
    # One that a reviewer has marked as true goes before the last one.
    *others, annotation = sorted(annotations, key=lambda found: bool(found.get("ground_truth")))
    if others:
        report.lost("annotations of one task beside the true, or last, one", name)
    if task.get("predictions"):
        report.lost("predictions", name, count=len(task["predictions"]))
    regions = _regions(annotation["result"], name, report)
    builder = RowBuilder(has_places=True)
    groups = {region.label.partition(".")[0] for region in regions.values() if "." in region.label}
    cells: dict[str, _Region] = {}
    for key, region in regions.items():
        if region.label in groups:
            continue  # the frame of a row
        if not region.label:
            if region.text:
                report.lost("texts without a label", name, region.text)
        elif not region.text:
            report.lost("rectangles without a text", name, region.label)
        elif "." in region.label:
            cells[key] = region
        else:
            builder.add(names(region.label), region.text, [(region.page, region.box)])
    for row, region in _in_rows(cells, _rows_of(regions), name, report):
        group, _, column = region.label.partition(".")
        builder.add_cell(names(group), row, names(column), region.text, [(region.page, region.box)])
    if not 0 < max([region.page for region in regions.values()], default=1) <= pages:
        raise ValueError("a region lies on a page that the document does not have")
    stem = data.get("id") or _UPLOADED.sub("", document.stem)
    return builder.build(str(stem), document, split=str(data.get("split") or ""))


def _document(data: dict[str, Any], name: str, files: _Files, scratch: Path) -> tuple[Path, float]:
    """Return the document of a task, and how many pages are known: those of its pictures."""
    listed = next((value for value in data.values() if isinstance(value, list)), None)
    if listed is not None:
        addresses = [at if isinstance(at, str) else str(at["page"]) for at in listed]
    else:
        addresses = [
            value
            for key, value in data.items()
            if isinstance(value, str) and key not in ("id", "split", "document")
            and (key in ("image", "pdf", "ocr") or value.lower().endswith(tuple(SUFFIXES.values()))
                 or "?d=" in value)
        ][:1]  # fmt: skip
    if not addresses:
        raise ValueError("its data names no picture")
    if isinstance(data.get("document"), str):
        with suppress(ValueError):
            return files.find(data["document"]), len(addresses)
    paths = [files.find(address) for address in addresses]
    if len(paths) == 1:
        return paths[0], math.inf
    return join_pages(paths, scratch / f"{name}.tiff"), len(paths)


def _regions(result: list[dict[str, Any]], name: str, report: Report) -> dict[str, _Region]:
    """Return the regions of an annotation by id: results of one id are parts of one region."""
    regions: dict[str, _Region] = {}
    relations: list[tuple[str, str]] = []
    pictures: dict[str, None] = {}
    for item in result:
        kind, value = str(item.get("type")), item.get("value", {})
        if kind == "relation":
            relations.append((str(item["from_id"]), str(item["to_id"])))
            continue
        key = str(item.get("id"))
        # What the SDK makes says the place of a region once, and its text without.
        placed = "x" in value or "points" in value or key in regions
        if kind not in (*_SHAPES, *_BARE_SHAPES, "textarea") or not placed:
            report.lost(f"results of the type {kind}", name)
            continue
        if item.get("image_rotation"):
            raise ValueError("its picture was turned in Label Studio: turn the file in its place")
        if picture := item.get("to_name"):
            pictures[str(picture)] = None
        page = int(item.get("item_index") or 0) + 1
        if key not in regions:
            regions[key] = _Region(page, _box(item, value))
        region = regions[key]
        if parent := item.get("parentID"):
            relations.append((key, str(parent)))
        if kind == "textarea":
            region.text = " ".join(
                value["text"] if isinstance(value["text"], list) else [value["text"]]
            ).strip()
        elif kind in _SHAPES:
            labels = value.get(kind) or []
            if len(labels) > 1:
                report.lost("further labels of one rectangle", name, ", ".join(labels[1:]))
            region.label = str(labels[0]) if labels else ""
            if kind not in ("rectanglelabels", "labels") or value.get("rotation"):
                report.lost("shapes other than upright rectangles: the box around is kept", name)
        meta = item.get("meta") or {}
        if not region.text and isinstance(meta.get("text"), list):
            region.text = " ".join(map(str, meta["text"])).strip()
    if len(pictures) > 1:
        raise ValueError(
            f"its regions lie on several pictures, {', '.join(pictures)}: list them in one Image "
            "with a valueList, as an export has it"
        )
    for start, end in relations:
        if start in regions and end in regions:
            regions[start].related.append(end)
            regions[end].related.append(start)
    return regions


def _box(item: dict[str, Any], value: dict[str, Any]) -> Box:
    if "points" in value:
        return box_around(value["points"], PER_CENT)
    x, y = float(value["x"]), float(value["y"])
    if "radiusX" in value:
        across, down = float(value["radiusX"]), float(value["radiusY"])
        return box_of((x - across, y - down, x + across, y + down), PER_CENT)
    width, height = float(value["width"]), float(value["height"])
    turn = math.radians(float(value.get("rotation") or 0))
    # It is turned around its upper left corner, in pixels: not in per cent, unless it is square.
    wide = float(item.get("original_width") or 1)
    high = float(item.get("original_height") or 1)
    corners = [
        (
            x + (dx * wide * math.cos(turn) - dy * high * math.sin(turn)) / wide,
            y + (dx * wide * math.sin(turn) + dy * high * math.cos(turn)) / high,
        )
        for dx, dy in ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    ]
    return box_around(corners, PER_CENT)


def _rows_of(regions: dict[str, _Region]) -> dict[str, str]:
    """Return the row of each region that is related to others of its group, by their ids.

    A row is called like the nearest frame, where it has none like the first of its cells.
    """
    groups = {key: region.label.partition(".")[0] for key, region in regions.items()}
    frames = [key for key, region in regions.items() if region.label == groups[key]]
    rows: dict[str, str] = {}
    for starts in (frames, *([key] for key in sorted(regions))):
        reached = [key for key in starts if key not in rows]
        rows |= {key: key for key in reached}
        for key in reached:
            for other in regions[key].related:
                if other not in rows and groups[other] == groups[key]:
                    rows[other] = rows[key]
                    reached.append(other)
    sizes = Counter(rows.values())
    return {key: row for key, row in rows.items() if sizes[row] > 1}


def _in_rows(
    cells: dict[str, _Region], rows: dict[str, str], name: str, report: Report
) -> Iterator[tuple[tuple[str, str], _Region]]:
    """Yield cells with the key of their row, in the order of the document."""
    loose: list[tuple[str, _Region]] = []
    found: list[tuple[tuple[str, str], _Region]] = []
    for key, cell in cells.items():
        group, named = cell.label.partition(".")[0], rows.get(key)
        if named is None:
            report.lost("cells without a row: they are in one by the line that they stand in", name)
            beside = (
                line
                for line, other in loose
                if other.label.partition(".")[0] == group
                and other.page == cell.page
                and same_line(other.box, cell.box)
            )
            named = next(beside, f"line {len(loose)}")
            loose.append((named, cell))
        found.append(((group, named), cell))
    tops: dict[tuple[str, str], tuple[int, float]] = {}
    for row, cell in found:
        at = (cell.page, cell.box.top)
        tops[row] = min(tops.get(row, at), at)
    yield from sorted(found, key=lambda pair: tops[pair[0]])


def write(rows: Sequence[Row], target: Path, report: Report) -> None:
    """Write a project, its labelling interface, and its pages as pictures; see `folder.Format`."""
    (target / _ROOT).mkdir()
    tasks: list[dict[str, Any]] = []
    labels: dict[str, None] = {}
    for row in rows:
        with carried(row, report):
            task = _task(row, target, report)
            tasks.append(task | {"id": len(tasks) + 1})
            labels |= dict.fromkeys(row.fields) | dict.fromkeys(row.groups)
    (target / "config.xml").write_text(_config(list(labels)), encoding="utf-8")
    write_json(target / "project.json", tasks, indent=1)


def _task(row: Row, target: Path, report: Report) -> dict[str, Any]:
    sizes: list[Size] = []
    addresses = []
    for picture in pictures_of(row):
        path = target / _ROOT / f"{row.id}-{picture.number}.png"
        path.write_bytes(picture.png)
        sizes.append(picture.size)
        addresses.append(f"/data/local-files/?d={_ROOT}/{path.name}")
    document = copy_document(row.document, target / _ROOT, f"{row.id}-document")
    if row.ocr is not None:
        report.lost("transcriptions", row.id)
    result: list[dict[str, Any]] = []
    ids = (f"r{number}" for number in numbers(1))
    frames: dict[tuple[str, int], list[tuple[int, Box]]] = {}
    cells: list[tuple[str, tuple[str, int]]] = []
    for place in placed_values(row, report):
        (page, boxes), *others = by_page(place.boxes).items()
        if others:
            report.lost("places on a second page", row.id, f"{place.field}: {place.value}")
        if len(boxes) > 1:
            report.lost("lines of a value: the box around all is kept", row.id, place.field)
        region = next(ids)
        result += _results(region, place.field, place.value, page, union(boxes), sizes)
        group = place.field.rpartition(".")[0]
        if group and place.row is not None:
            frames.setdefault((group, place.row), []).append((page, union(boxes)))
            cells.append((region, (group, place.row)))
    frame_ids = {}
    for key, found in frames.items():
        page = found[0][0]
        frame_ids[key] = next(ids)
        around = union(box for at, box in found if at == page)
        result += _results(frame_ids[key], key[0], "", page, around, sizes)
    result += [
        {"type": "relation", "from_id": cell, "to_id": frame_ids[key], "direction": "right"}
        for cell, key in cells
    ]
    return {
        "data": {
            "id": row.id,
            "pages": addresses,
            "document": f"/data/local-files/?d={_ROOT}/{document.name}",
            "split": row.split,
        },
        "annotations": [{"result": result, "was_cancelled": False}],
    }


def _results(
    region: str, label: str, text: str, page: int, box: Box, sizes: list[Size]
) -> Iterator[dict[str, Any]]:
    """Yield a rectangle with its label and, where it has one, its text."""
    if not 0 < page <= len(sizes):
        raise DocumentError(f"A place lies on page {page} of {len(sizes)}.", advice="Correct it.")
    x0, top, x1, bottom = edges_of(box, PER_CENT)
    width, height = sizes[page - 1]
    common = {
        "id": region,
        "to_name": "page",
        "item_index": page - 1,
        "original_width": width,
        "original_height": height,
        "image_rotation": 0,
    }
    at = {
        "x": x0,
        "y": top,
        "width": round(x1 - x0, 5),
        "height": round(bottom - top, 5),
        "rotation": 0,
    }
    yield {
        **common,
        "type": "rectanglelabels",
        "from_name": "label",
        "value": {**at, "rectanglelabels": [label]},
    }
    if text:
        yield {**common, "type": "textarea", "from_name": "text", "value": {**at, "text": [text]}}


def _config(labels: Sequence[str]) -> str:
    """Return the labelling interface, for Settings > Labeling Interface > Code."""
    choices = "\n".join(f"    <Label value={quoteattr(label)}/>" for label in labels)
    return f"""<View>
  <Image name="page" valueList="$pages"/>
  <RectangleLabels name="label" toName="page">
{choices}
  </RectangleLabels>
  <TextArea name="text" toName="page" perRegion="true" editable="true" displayMode="region-list"/>
</View>
"""
