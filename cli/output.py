"""How answers leave the command line: in one of four forms, to a file or standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TextIO

from pipeline.answers.azure import azure_result
from pipeline.answers.export import Reply, csv_header, csv_rows, groups_of, json_line
from pipeline.errors import InvalidOption
from pipeline.values.schema import FieldSpec


class Format(StrEnum):
    """How the fields are written."""

    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    AZURE = "azure"


@contextmanager
def writing(
    form: Format, output: Path | None, fields: Sequence[FieldSpec], *, single: bool
) -> Iterator[Callable[[Reply], None]]:
    """Give a function that writes replies as they come.

    A file appears under its name only when all is written. Rows of repeated groups go to tables of
    their own, beside the first: ``answers.items.csv`` for ``answers.csv``.

    Args:
        form: JSON lines and CSV are written row by row, the others at the end.
        output: file to write to, or None for standard output.
        fields: fields of the model: the columns of CSV.
        single: JSON and Azure's are one object then, else an array.

    Raises:
        InvalidOption: the file cannot be written.
    """
    if output is None:
        with _form(form, sys.stdout, fields, single) as write:
            yield write
        return
    with ExitStack() as files:
        writers = [
            files.enter_context(_form(form, files.enter_context(_new(output)), fields, single))
        ]
        if form is Format.CSV:
            for group in groups_of(fields):
                path = output.with_name(f"{output.stem}.{group}{output.suffix}")
                stream = files.enter_context(_new(path))
                writers.append(files.enter_context(_form(form, stream, fields, single, group)))

        def write_all(reply: Reply) -> None:
            for write in writers:
                write(reply)

        yield write_all


@contextmanager
def _new(output: Path) -> Iterator[TextIO]:
    """Give a stream to a file that appears under its name when all is written."""
    temporary = output.with_name(f".{output.name}.part")
    try:
        stream = temporary.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise InvalidOption(
            f"{output} cannot be written: {error.strerror}.", advice="Choose another --output."
        ) from error
    try:
        with stream:
            yield stream
        temporary.replace(output)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _form(
    form: Format, stream: TextIO, fields: Sequence[FieldSpec], single: bool, group: str = ""
) -> Iterator[Callable[[Reply], None]]:
    if form in (Format.JSON, Format.AZURE):
        replies: list[Reply] = []
        yield replies.append
        shape = azure_result if form is Format.AZURE else Reply.as_json
        values = [shape(reply) for reply in replies]
        whole = values[0] if single and values else values
        stream.write(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
    elif form is Format.JSONL:

        def write_line(reply: Reply) -> None:
            stream.write(json_line(reply))
            stream.flush()

        yield write_line
    else:
        stream.write(csv_header(fields, group))

        def write_row(reply: Reply) -> None:
            stream.write(csv_rows(reply, fields, group))
            stream.flush()

        yield write_row
