"""How answers leave the command line: JSON, JSON lines or CSV, to a file or standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TextIO

from pipeline.answers.export import Reply, csv_header, csv_row, json_line
from pipeline.errors import InvalidOption
from pipeline.values.schema import FieldSpec


class Format(StrEnum):
    """How the fields are written."""

    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"


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
            stream.write(json_line(reply))
            stream.flush()

        yield write_line
    else:
        stream.write(csv_header(fields))

        def write_row(reply: Reply) -> None:
            stream.write(csv_row(reply, fields))
            stream.flush()

        yield write_row
