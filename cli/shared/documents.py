"""The files that a command line names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import typer

from pipeline.errors import InvalidOption
from pipeline.values.schema import FieldSpec

# In a folder the name decides what is a document; a file named outright is always tried.
_SUFFIXES = {
    *(".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff"),
    *(".webp", ".heic", ".heif", ".bmp", ".gif", ".xml"),
}
_NAMED = 3  # files that are left out, by their names


def documents_in(paths: list[Path]) -> list[Path]:
    """Return the documents that `paths` name: files as given, folders as what is in them, sorted.

    What is left out of the folders is told on standard error.

    Raises:
        InvalidOption: a path does not exist, or there is no document at all.
    """
    found: list[Path] = []
    left_out: list[Path] = []
    for path in paths:
        if path.is_dir():
            for inner in _files_in(path):
                (found if inner.suffix.lower() in _SUFFIXES else left_out).append(inner)
        elif path.exists():
            found.append(path)
        else:
            raise InvalidOption(f"{path} does not exist.", advice="Check the path.")
    _tell_left_out(left_out)
    if not found:
        raise InvalidOption(
            "There is no document in the folders given.",
            advice=f"Documents are files that end in {', '.join(sorted(_SUFFIXES))}.",
        )
    return found


def _files_in(folder: Path) -> list[Path]:
    """Return the files in a folder, sorted; hidden ones are not looked at."""
    return sorted(
        inner
        for inner in folder.rglob("*")
        if (inner.is_file() or not inner.exists())  # a link that leads nowhere is told
        and not any(part.startswith(".") for part in inner.relative_to(folder).parts)
    )


def _tell_left_out(paths: Sequence[Path]) -> None:
    """Say how many files are no documents by their names, and name the first few."""
    if not paths:
        return
    names = ", ".join(document_name(path) for path in paths[:_NAMED])
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    what = (
        "1 file left out, which is no document by its name"
        if len(paths) == 1
        else f"{len(paths)} files left out, which are no documents by their names"
    )
    typer.echo(f"{what}: {names}{more}.", err=True)


def document_name(path: Path) -> str:
    """Return the name of a document as output has it, in UTF-8: a file's may be any bytes."""
    return os.fsencode(path).decode("utf-8", "replace")


def with_e_invoices(fields: Sequence[FieldSpec], paths: Iterable[Path]) -> list[FieldSpec]:
    """Return fields, and where e-invoices in XML are among the documents theirs, each name once."""
    found = list(fields)
    if any(path.suffix.lower() == ".xml" for path in paths):
        from pipeline.answers.e_invoices.fields import FIELDS

        names = {spec.name for spec in found}
        found += [spec for spec in FIELDS if spec.name not in names]
    return found


def text_in(path: Path) -> str:
    """Return the text of a small file without its last line break; raises InvalidOption."""
    try:
        return path.read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidOption(f"{path} cannot be read.", advice="Give a text file.") from error
