"""The documents of a dataset as words on pages: transcribed by its makers, or read by the product.

ocr/           {"id", "pages": [{"number", "width", "height", "lines": [{"text", "box"}]}]}
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from models.geometry import Box, clamped_box
from pipeline.document import Document, Page, Token
from pipeline.errors import FieldwrightError
from pipeline.reading.layout import order_tokens, split_line
from pipeline.reading.media import document_bytes
from pipeline.reading.reader import REVISION, ReadOptions, read_document
from training.data.dataset import Row, Transcription
from training.errors import DatasetError


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
    pages = tuple(map(_gold_page, transcribed_pages(row.ocr)))
    digest = hashlib.sha256(row.document.read_bytes()).hexdigest()
    return Document(digest, "application/octet-stream", pages, len(pages))


@dataclass(frozen=True, slots=True)
class TranscribedPage:
    """A page of a gold transcription.

    Attributes:
        number: from 1.
        width, height: in the unit of the transcription.
        lines: text and place of each line, in the order of the file.
    """

    number: int
    width: float
    height: float
    lines: tuple[tuple[str, Box], ...]


def transcribed_pages(path: Path) -> list[TranscribedPage]:
    """Return the pages of a file of ocr/.

    Raises:
        DatasetError: it is not as described.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return [_transcribed(page) for page in data["pages"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as error:
        raise DatasetError(
            f"{path} is not a transcription: {error!r}.",
            advice="Expected pages with number, width, height and lines of text and box.",
        ) from error


def _transcribed(data: dict[str, Any]) -> TranscribedPage:
    width, height = float(data["width"]), float(data["height"])
    if not (width > 0 and height > 0):
        raise ValueError("a page without size")
    lines = []
    for line in data["lines"]:
        x0, top, x1, bottom = line["box"]
        box = clamped_box(x0 / width, top / height, x1 / width, bottom / height)
        lines.append((line["text"].strip(), box))
    return TranscribedPage(int(data["number"]), width, height, tuple(lines))


def _gold_page(page: TranscribedPage) -> Page:
    tokens: list[Token] = []
    for number, (text, box) in enumerate(page.lines):
        tokens += split_line(text, box, number)
    return Page(
        page.number,
        page.width,
        page.height,
        text_source="gold",
        reason="transcription of the dataset",
        tokens=order_tokens(tokens, page.height / page.width),
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
    data = document_bytes(path)
    key = hashlib.sha256(data + f"{REVISION} {options!r}".encode()).hexdigest()
    kept = cache / f"{key}.json"
    if (known := _kept(kept)) is not None:
        return known
    document = read_document(data, options)
    if any(page.is_unread for page in document.pages):
        return document  # another time it may come out whole
    draft = cache / f"{uuid.uuid4().hex}.part"  # equal documents may be read at the same time
    draft.write_text(json.dumps(document.to_json()), encoding="utf-8")
    draft.replace(kept)
    return document


def _kept(path: Path) -> Document | None:
    """Return an earlier reading; None where there is none, or its file is damaged."""
    try:
        return Document.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
