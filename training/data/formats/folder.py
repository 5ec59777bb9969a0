"""Datasets from and to other tools: what is the same for every format."""

from __future__ import annotations

import importlib
import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol, cast

from pipeline.errors import DocumentError, InvalidOption
from training.data.dataset import Dataset, Row
from training.data.formats.documents import copy_document
from training.data.formats.labels import Ids, count, file_name, plain_fields, row_json
from training.data.formats.report import Report
from training.errors import DatasetError

FORMATS = ("label-studio", "azure", "cord", "docile", "kleister", "funsd", "sroie", "csv", "hf")
"""Names of the formats; each is a module of this package."""


class Format(Protocol):
    """What a module of a format has."""

    def read(self, source: Path, scratch: Path, report: Report) -> Iterator[Row]:
        """Yield the labelled documents of another tool's folder or file.

        A document that cannot be carried over is noted in the report, and left out.

        Args:
            source: as the other tool wrote it; rows name documents in it.
            scratch: a folder for documents and transcriptions that have to be made.
            report: of what is lost.

        Raises:
            DatasetError: nothing of this format.
        """

    def write(self, rows: Sequence[Row], target: Path, report: Report) -> None:
        """Write labelled documents as the other tool reads them.

        Args:
            rows: with ids that are names of files.
            target: a new folder, which is there.
            report: of what is lost; `carried` counts what is not.

        Raises:
            FieldwrightError: they cannot be written.
        """


def format_named(name: str) -> Format:
    """Return a format's module; it is loaded now.

    Raises:
        InvalidOption: there is none of this name.
    """
    if name not in FORMATS:
        raise InvalidOption(
            f"There is no format {name[:40]!r}.", advice=f"Choose one of {', '.join(FORMATS)}."
        )
    return cast(Format, importlib.import_module(f"{__package__}.{name.replace('-', '_')}"))


def import_dataset(name: str, source: Path, target: Path) -> Report:
    """Make a dataset folder of what another tool labelled; see `Format.read`.

    Args:
        name: of the format.
        source: folder or file of the other tool.
        target: that is made, whole or not at all.

    Raises:
        InvalidOption: no such format, or the target is there.
        DatasetError: nothing of this format, or no document that can be carried over.
        DependencyMissing: the format needs what is not installed.
    """
    form = format_named(name)
    report = Report(name, "import")
    with (
        tempfile.TemporaryDirectory(prefix="fieldwright-") as scratch,
        _new_folder(target) as folder,
    ):
        documents, texts = folder / "documents", folder / "ocr"
        documents.mkdir()
        lines: list[tuple[Row, str, str | None]] = []
        ids = Ids()
        for row in form.read(source, Path(scratch), report):
            row = replace(row, id=ids(row.id))
            try:
                copy = copy_document(row.document, documents, row.id)
            except DocumentError as error:
                report.skip(row.id, str(error))
                continue
            except OSError as error:
                report.skip(row.id, f"its document cannot be read: {error.strerror}")
                continue
            ocr = None
            if row.ocr is not None:
                texts.mkdir(exist_ok=True)
                ocr = f"ocr/{row.id}.json"
                shutil.copyfile(row.ocr, folder / ocr)
            lines.append((row, f"documents/{copy.name}", ocr))
            count(row, report)
        if not lines:
            raise nothing(report, source)
        names = list(dict.fromkeys(field for row, _, _ in lines for field in plain_fields(row)))
        with (folder / "labels.jsonl").open("w", encoding="utf-8") as file:
            for row, document, ocr in lines:
                line = row_json(row, document, ocr, names)
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return report


def export_dataset(name: str, dataset: Dataset, target: Path) -> Report:
    """Write a dataset as another tool reads it; see `Format.write`.

    Args:
        name: of the format.
        dataset: the labelled documents.
        target: folder that is made, whole or not at all.

    Raises:
        InvalidOption: no such format, or the target is there.
        DatasetError: no document that can be carried over.
        DependencyMissing: the format needs what is not installed.
    """
    form = format_named(name)
    report = Report(name, "export")
    ids = Ids()
    with _new_folder(target) as folder:
        rows = [
            replace(row, id=ids(row.id), split=file_name(row.split, "train"))
            for row in dataset.rows
        ]
        form.write(rows, folder, report)
        if not report.documents:
            raise nothing(report, dataset.folder)
    return report


def nothing(report: Report, source: Path) -> DatasetError:
    """Return the error of a dataset of which no document could be carried over."""
    if not report.skipped:
        return DatasetError(f"{source} names no document.", advice="Add documents to it.")
    first = f": {': '.join(report.skipped[0])}"
    return DatasetError(
        f"None of the {len(report.skipped)} documents of {source} can be carried over{first}.",
        advice=f"Check that it is a dataset of the format {report.form}."
        if report.direction == "import"
        else "Check that its documents can be opened.",
    )


@contextmanager
def carried(row: Row, report: Report) -> Iterator[None]:
    """A context for the export of one document: what goes wrong with it is noted, the rest goes on.

    What the context has written of a document that is left out, it must not name anywhere.
    """
    try:
        yield
    except (DocumentError, InvalidOption) as error:
        report.skip(row.id, str(error))
    else:
        count(row, report)


@contextmanager
def _new_folder(target: Path) -> Iterator[Path]:
    """Give a folder that appears under its name when the context has ended without an error."""
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InvalidOption(f"{target} is there already.", advice="Name a new folder with --to.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise InvalidOption(
            f"{target} cannot be made: {error.strerror}.", advice="Name another folder with --to."
        ) from error
    try:
        yield draft
        draft.chmod(0o755)
        draft.replace(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
