"""The interchange folder: values-only labels beside documents, and gold transcriptions.

labels.jsonl   {"id", "document", "ocr" (optional), "fields": {name: [values]}, "split"}
documents/     PDF, PNG, JPEG or TIFF
ocr/           {"id", "pages": [{"number", "width", "height", "lines": [{"text", "box"}]}]}
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from models.geometry import clamped_box
from pipeline.document import Document, Page, Token
from pipeline.errors import FieldwrightError
from pipeline.reading.layout import order_tokens, split_line
from pipeline.reading.reader import REVISION, ReadOptions, read_document
from training.errors import DatasetError

Transcription = Literal["gold", "own"]


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled document.

    Attributes:
        id: unique in its dataset.
        document: path of the file.
        ocr: path of the gold transcription, or None.
        fields: the values of each field, as typed; an absent value is an empty tuple.
        split: name of the split that the dataset assigns, such as ``train``.
    """

    id: str
    document: Path
    ocr: Path | None
    fields: dict[str, tuple[str, ...]]
    split: str = "train"

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
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(
            f"{path} cannot be read: {error}.",
            advice="A dataset is a folder with labels.jsonl and documents/.",
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
    return Row(
        str(data["id"]),
        document,
        ocr,
        {name: tuple(values) for name, values in fields.items()},
        str(data.get("split") or "train"),
    )


def _inside(folder: Path, name: Any) -> Path:
    path = folder / str(name)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"{name} lies outside the dataset")
    if not path.is_file():
        raise ValueError(f"{name} is not there")
    return path


def gold_document(row: Row) -> Document:
    """Return a row's gold transcription as a Document.

    Its lines are split into words by numbers of characters and put into reading order by the
    same function that orders words read by OCR.

    Raises:
        DatasetError: the row has none, or it is not as described.
    """
    if row.ocr is None:
        raise DatasetError(
            f"Document {row.id} has no gold transcription.",
            advice="Use --transcription own, or add ocr/ files.",
        )
    try:
        data = json.loads(row.ocr.read_text(encoding="utf-8"))
        pages = tuple(_gold_page(page) for page in data["pages"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as error:
        raise DatasetError(
            f"{row.ocr} is not a transcription: {error!r}.",
            advice="Expected pages with number, width, height and lines of text and box.",
        ) from error
    digest = hashlib.sha256(row.document.read_bytes()).hexdigest()
    return Document(digest, "application/octet-stream", pages, len(pages))


def _gold_page(data: dict[str, Any]) -> Page:
    width, height = float(data["width"]), float(data["height"])
    tokens: list[Token] = []
    for number, line in enumerate(data["lines"]):
        x0, top, x1, bottom = line["box"]
        box = clamped_box(x0 / width, top / height, x1 / width, bottom / height)
        tokens += split_line(line["text"], box, number)
    return Page(
        int(data["number"]),
        width,
        height,
        text_source="gold",
        reason="transcription of the dataset",
        tokens=order_tokens(tokens, height / width),
    )


def read_rows(
    rows: Sequence[Row],
    transcription: Transcription,
    *,
    cache: Path,
    options: ReadOptions | None = None,
    on_row: Callable[[int, int], None] | None = None,
) -> dict[str, Document | FieldwrightError]:
    """Return the Document of each row by id; a document that cannot be read maps to its error.

    Own readings are kept in `cache` by content, options and revision of the reader, so that a
    training reads each scan once; as many documents as there are cores are read at a time, each
    by one process.

    Args:
        rows: which to read.
        transcription: ``gold`` from the dataset's ocr/, ``own`` through the product's reader.
        cache: folder for own readings; made if it is not there.
        options: of the reader.
        on_row: called with (done, total) after each.
    """
    if transcription == "gold":
        return {row.id: gold_document(row) for row in rows}
    options = options or ReadOptions()
    cache.mkdir(parents=True, exist_ok=True)
    found: dict[str, Document | FieldwrightError] = {}

    def read(row: Row) -> Document | FieldwrightError:
        try:
            return _read_cached(row.document, replace(options, processes=1), cache)
        except FieldwrightError as error:
            return error

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for done, (row, result) in enumerate(zip(rows, pool.map(read, rows), strict=True), 1):
            found[row.id] = result
            if on_row is not None:
                on_row(done, len(rows))
    return found


def _read_cached(path: Path, options: ReadOptions, cache: Path) -> Document:
    data = path.read_bytes()
    key = hashlib.sha256(data + f"{REVISION} {options!r}".encode()).hexdigest()
    kept = cache / f"{key}.json"
    if kept.is_file():
        return Document.from_json(json.loads(kept.read_text(encoding="utf-8")))
    document = read_document(data, options)
    if any(page.is_unread for page in document.pages):
        return document  # another time it may come out whole
    draft = kept.with_suffix(f".{os.getpid()}.part")
    draft.write_text(json.dumps(document.to_json()), encoding="utf-8")
    draft.replace(kept)
    return document
