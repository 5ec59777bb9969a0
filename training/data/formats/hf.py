"""Parquet in the style of Hugging Face datasets: documents, their pages, and labels as JSON.

    data/SPLIT-00000-of-00001.parquet   id, document {bytes, path}, pages [{bytes, path}],
                                        ground_truth, places, ocr

`ground_truth` is ``{"gt_parse": {FIELD: VALUE or [VALUE, ...], GROUP: [{COLUMN: VALUE}]}}``, as
models that write JSON from pictures are trained on; `pages` are pictures for `datasets.Image`.
Files of others are read where they have `image` and `ground_truth`; those of CORD with its places.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import DependencyMissing
from pipeline.reading.media import document_bytes
from training.data.dataset import Place, Row
from training.data.formats.boxes import FRACTIONS, box_of, edges_of
from training.data.formats.cord import row_of
from training.data.formats.documents import SUFFIXES, media_type, pictures_of
from training.data.formats.folder import carried
from training.data.formats.labels import Names, RowBuilder, plain_fields
from training.data.formats.report import Report
from training.data.formats.sources import UNEXPECTED, inside, some
from training.errors import DatasetError

if TYPE_CHECKING:
    import pyarrow.parquet

_AT_A_TIME = 8  # documents in memory


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise DependencyMissing(
            "Parquet files need pyarrow.", advice="Install fieldwright[formats]."
        ) from error
    return pyarrow.parquet


def read(source: Path, scratch: Path, report: Report) -> Iterator[Row]:
    """Yield the documents of all Parquet files of a folder, or of one; see `folder.Format`."""
    parquet = _parquet()
    import pyarrow

    folder = source if source.is_dir() else source.parent
    paths = sorted(source.rglob("*.parquet")) if source.is_dir() else [source]
    paths = some(paths, source, "Parquet files", "Give the folder with data/*.parquet.")
    names = Names(report)
    number = 0
    for path in paths:
        try:
            inside(folder, str(path.relative_to(folder)))
            with parquet.ParquetFile(path) as file:
                columns = file.schema_arrow.names
                wanted = [
                    name
                    for name in ("id", "document", "image", "ground_truth", "places", "ocr")
                    if name in columns
                ]
                if "ground_truth" not in wanted or not {"document", "image"} & set(wanted):
                    raise DatasetError(
                        f"{path} has the columns {', '.join(columns)[:200]}.",
                        advice="Expected ground_truth, and document or image.",
                    )
                if unused := set(columns) - {*wanted, "pages"}:
                    report.lost("columns", detail=", ".join(sorted(unused)), count=len(unused))
                for batch in file.iter_batches(_AT_A_TIME, columns=wanted):
                    for record in batch.to_pylist():
                        number += 1
                        name = str(record.get("id") or f"{path.stem}-{number}")
                        split = path.name.partition("-")[0].removesuffix(".parquet")
                        yield from _rows(record, name, split, scratch, names, report)
        except (OSError, ValueError, pyarrow.ArrowException) as error:
            raise DatasetError(
                f"{path} is no Parquet file that can be read: {error}.", advice="Fetch it again."
            ) from error


def _rows(
    record: dict[str, Any], name: str, split: str, scratch: Path, names: Names, report: Report
) -> Iterator[Row]:
    """Yield the row of a record, if it can be one; its files go when it has been taken."""
    document, ocr = scratch / "document", scratch / "ocr.json"
    try:
        content = (record.get("document") or record["image"])["bytes"]
        if content is None:
            raise ValueError("its bytes are not in the file")
        document.write_bytes(content)
        data = json.loads(record["ground_truth"])
        if "valid_line" in data:
            row = replace(row_of(data, name, document, names, report), split=split)
        else:
            builder = RowBuilder()
            _add(builder, data.get("gt_parse", data), "", names)
            row = builder.build(name, document, split=split)
        if record.get("places") is not None:
            row = replace(row, places=tuple(map(_place, record["places"])))
        if record.get("ocr"):
            ocr.write_text(record["ocr"], encoding="utf-8")
            row = replace(row, ocr=ocr)
    except (RecursionError, *UNEXPECTED) as error:
        report.skip(name, f"not as expected: {error!r}")
        return
    yield row


def _add(builder: RowBuilder, data: Mapping[str, Any], prefix: str, names: Names) -> None:
    """Add the values of a JSON object; those of objects in it have its name in front."""
    for key, value in data.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            _add(builder, value, f"{name}_", names)
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            for number, item in enumerate(value):
                for column, cell in _flat(item if isinstance(item, dict) else {"value": item}):
                    builder.add_cell(names(name), number, names(column), cell)
        else:
            builder.name(names(name))
            for item in value if isinstance(value, list) else [value]:
                if item not in (None, ""):
                    builder.add(names(name), str(item))


def _flat(item: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for column, cell in item.items():
        name = f"{prefix}{column}"
        if isinstance(cell, dict):
            yield from _flat(cell, f"{name}_")
        elif isinstance(cell, list):
            for one in cell:
                yield from _flat({column: one}, prefix)
        elif cell not in (None, ""):
            yield name, str(cell)


def _place(data: Mapping[str, Any]) -> Place:
    boxes = tuple((int(line["page"]), box_of(line["box"], FRACTIONS)) for line in data["lines"])
    return Place(data["field"], data["value"], boxes, data["row"])


def write(rows: Sequence[Row], target: Path, report: Report) -> None:
    """Write a Parquet file for each split; see `folder.Format`."""
    parquet = _parquet()
    import pyarrow

    schema = _schema()
    (target / "data").mkdir()
    with ExitStack() as stack:
        writers: dict[str, pyarrow.parquet.ParquetWriter] = {}
        for row in rows:
            with carried(row, report):
                record = _record(row)
                if row.split not in writers:
                    path = target / "data" / f"{row.split}-00000-of-00001.parquet"
                    writers[row.split] = stack.enter_context(
                        parquet.ParquetWriter(path, schema, compression="zstd")
                    )
                # A group of rows for each document, so that only one is in memory.
                writers[row.split].write_table(pyarrow.Table.from_pylist([record], schema))


def _record(row: Row) -> dict[str, Any]:
    values = plain_fields(row)
    parsed: dict[str, Any] = {
        name: found[0] if len(found) == 1 else list(found) for name, found in values.items()
    }
    parsed |= {group: list(found) for group, found in row.groups.items()}
    return {
        "id": row.id,
        "document": {
            "bytes": document_bytes(row.document),
            "path": f"{row.id}{SUFFIXES[media_type(row.document)]}",
        },
        "pages": [
            {"bytes": picture.png, "path": f"{row.id}-{picture.number}.png"}
            for picture in pictures_of(row)
        ],
        "ground_truth": json.dumps({"gt_parse": parsed}, ensure_ascii=False),
        "places": None
        if row.places is None
        else [
            {
                "field": place.field,
                "value": place.value,
                "row": place.row,
                "lines": [
                    {"page": page, "box": edges_of(box, FRACTIONS)} for page, box in place.boxes
                ],
            }
            for place in row.places
        ],
        "ocr": None if row.ocr is None else row.ocr.read_text(encoding="utf-8"),
    }


def _schema() -> Any:
    """Return the schema, with what `datasets` has to know to decode the pages."""
    import pyarrow as pa

    file = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    line = pa.struct([("page", pa.int32()), ("box", pa.list_(pa.float64()))])
    place = pa.struct(
        [("field", pa.string()), ("value", pa.string()), ("row", pa.int32()),
         ("lines", pa.list_(line))]
    )  # fmt: skip
    schema = pa.schema(
        [
            ("id", pa.string()),
            ("document", file),
            ("pages", pa.list_(file)),
            ("ground_truth", pa.string()),
            ("places", pa.list_(place)),
            ("ocr", pa.string()),
        ]
    )

    def feature(kind: Any) -> Any:
        if pa.types.is_struct(kind):
            return {part.name: feature(part.type) for part in kind}
        if pa.types.is_list(kind):
            inner = feature(kind.value_type)
            return {"feature": inner, "_type": "Sequence"} if "_type" in inner else [inner]
        return {"dtype": {"double": "float64"}.get(str(kind), str(kind)), "_type": "Value"}

    features = {part.name: feature(part.type) for part in schema}
    features["pages"] = {"feature": {"_type": "Image"}, "_type": "Sequence"}
    return schema.with_metadata({"huggingface": json.dumps({"info": {"features": features}})})
