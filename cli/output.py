"""How answers leave the command line: JSON, JSON lines or CSV, to a file or standard output."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO

from pipeline.errors import FieldwrightError, InvalidOption
from pipeline.postprocess.schema import FieldSpec, Kind
from pipeline.result import Extraction, FieldValue


class Format(StrEnum):
    """How the fields are written."""

    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of one document: `answer` or `error`; `document` is its path as named."""

    document: str
    answer: Extraction | None = None
    error: FieldwrightError | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the object that stands for the document in JSON and JSON lines."""
        if self.answer is not None:
            answer = self.answer.model_dump(mode="json")
            # The path takes the place of the facts on the file, which go under `source`.
            return {"document": self.document, "source": answer.pop("document"), **answer}
        error = self.error or FieldwrightError("The document was not processed.")
        fault = {"code": error.code, "detail": error.detail, "advice": error.advice}
        return {"document": self.document, "error": fault}


@contextmanager
def writing(
    form: Format, output: Path | None, fields: Sequence[FieldSpec], *, single: bool
) -> Iterator[Callable[[Reply], None]]:
    """Give a function that writes replies as they come.

    A file appears under its name only when all is written.

    Args:
        form: JSON lines and CSV are written row by row, JSON at the end.
        output: file to write to, or None for standard output.
        fields: fields of the model: the columns of CSV.
        single: JSON is one object then, else an array.

    Raises:
        InvalidOption: the file cannot be written.
    """
    if output is None:
        with _form(form, sys.stdout, fields, single) as write:
            yield write
        return
    temporary = output.with_name(f".{output.name}.part")
    try:
        stream = temporary.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise InvalidOption(
            f"{output} cannot be written: {error.strerror}.", advice="Choose another --output."
        ) from error
    try:
        with stream, _form(form, stream, fields, single) as write:
            yield write
        temporary.replace(output)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _form(
    form: Format, stream: TextIO, fields: Sequence[FieldSpec], single: bool
) -> Iterator[Callable[[Reply], None]]:
    if form is Format.JSON:
        replies: list[Reply] = []
        yield replies.append
        values = [reply.as_json() for reply in replies]
        whole = values[0] if single and values else values
        stream.write(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
    elif form is Format.JSONL:

        def write_line(reply: Reply) -> None:
            stream.write(json.dumps(reply.as_json(), ensure_ascii=False) + "\n")
            stream.flush()

        yield write_line
    else:
        stream.write(_csv_line(_header(fields)))

        def write_row(reply: Reply) -> None:
            stream.write(_csv_line(_row(reply, fields)))
            stream.flush()

        yield write_row


def _header(fields: Sequence[FieldSpec]) -> list[str]:
    names = ["document"]
    for spec in fields:
        names.append(spec.name)
        if spec.kind is Kind.AMOUNT:
            names.append(f"{spec.name}_currency")
        names.append(f"{spec.name}_confidence")
    return [*names, "error", "detail"]


def _row(reply: Reply, fields: Sequence[FieldSpec]) -> list[str]:
    cells = [_safe(reply.document)]
    for spec in fields:
        found = reply.answer.fields.get(spec.name) if reply.answer else None
        values = found if isinstance(found, list) else [found] if found else []
        cells.append("; ".join(_cell(value) for value in values))
        if spec.kind is Kind.AMOUNT:
            cells.append("; ".join(_safe(_part(value, "currency")) for value in values))
        cells.append("; ".join(f"{value.confidence:.4f}" for value in values))
    error = reply.error
    return [*cells, error.code if error else "", _safe(error.detail) if error else ""]


def _cell(value: FieldValue) -> str:
    """Return a value as CSV shows it; the text as written where it could not be normalised."""
    if isinstance(value.value, dict):
        shown = _part(value, "amount") or _part(value, "iso") or value.text
    else:
        shown = value.text if value.value is None else str(value.value)
    # A negative number is a number because of its kind, never because a text looks like one.
    if value.kind == Kind.AMOUNT and re.fullmatch(r"-?\d+(\.\d+)?", shown):
        return shown
    return _safe(shown)


def _part(value: FieldValue, name: str) -> str:
    return str(value.value.get(name) or "") if isinstance(value.value, dict) else ""


def _safe(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else text


def _csv_line(cells: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue()
