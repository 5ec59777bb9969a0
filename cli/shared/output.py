"""How answers leave the command line: in one of several forms, to a file or standard output."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, TextIO, cast

from cli.shared.format import Format
from pipeline.errors import FieldwrightError, InvalidOption
from pipeline.formats.azure import azure_result
from pipeline.formats.export import Reply, csv_header, csv_rows, groups_of, json_line
from pipeline.values.schema import FieldSpec


@contextmanager
def writing(
    form: Format, output: Path | None, fields: Sequence[FieldSpec], *, single: bool
) -> Iterator[Callable[[Reply], None]]:
    """Give a function that writes replies as they come.

    A file appears under its name only when all is written. Rows of repeated groups go to tables of
    their own, beside the first: ``answers.items.csv`` for ``answers.csv``; in a workbook to sheets
    of their own. A table on standard output leaves them out, and says so on standard error. An
    e-invoice is of one document; what it lacks is told on standard error.

    Args:
        form: JSON lines and CSV are written row by row, the others at the end.
        output: file to write to, or None for standard output.
        fields: fields of the model: the columns of CSV.
        single: JSON and Azure's are one object then, else an array.

    Raises:
        InvalidOption: the file cannot be written, a workbook would go to a terminal, or several
            documents were to be one e-invoice.
        FieldwrightError: of the document, where it should have become an e-invoice.
    """
    if form in (Format.CII, Format.FACTURX) and not single:
        raise InvalidOption(
            "An e-invoice is written for one document at a time.",
            advice="Name one file, or choose json, jsonl, csv or xlsx.",
        )
    if form in (Format.XLSX, Format.CII, Format.FACTURX):
        with _binary(output) as file, _file(form, file, fields) as write:
            yield write
        return
    if output is None:
        if form is Format.CSV and (groups := groups_of(fields)):
            sys.stderr.write(
                f"The rows of {' and '.join(groups)} are left out: "
                "name a file by --output, and each group gets a table beside it.\n"
            )
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
    with _new_binary(output) as file:
        stream = TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
        yield stream
        stream.detach()


@contextmanager
def _binary(output: Path | None) -> Iterator[BinaryIO]:
    """Give a file whose content goes to `output`, or to standard output, when all is written."""
    if output is not None:
        with _new_binary(output) as file:
            yield file
        return
    if sys.stdout.isatty():
        raise InvalidOption("A terminal shows no such file.", advice="Name a file by --output.")
    with TemporaryFile() as temporary:
        yield cast(BinaryIO, temporary)
        temporary.seek(0)
        shutil.copyfileobj(temporary, sys.stdout.buffer)
        sys.stdout.buffer.flush()


@contextmanager
def _file(
    form: Format, file: BinaryIO, fields: Sequence[FieldSpec]
) -> Iterator[Callable[[Reply], None]]:
    if form is Format.XLSX:
        from pipeline.formats.workbook import workbook

        with workbook(file, fields) as write:
            yield write
        return
    from pipeline.formats.cii import cii_of

    def write_invoice(reply: Reply) -> None:
        if reply.answer is None:
            raise reply.error or FieldwrightError("The document was not processed.")
        made = cii_of(reply.answer)
        file.write(made.xml)
        for text in made.missing:
            sys.stderr.write(f"{reply.document}: EN 16931 asks for {text}\n")

    yield write_invoice


@contextmanager
def _new_binary(output: Path) -> Iterator[BinaryIO]:
    """Give a file that appears under its name when all is written."""
    if output.is_dir():
        raise InvalidOption(f"{output} is a folder.", advice="Name a file by --output.")
    temporary = output.with_name(f".{output.name}.part")
    try:
        stream = temporary.open("wb")
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
