"""Kleister (Stanislawek et al., 2021): long documents with the values of their fields, no places.

    documents/FILE            PDFs
    in-header.tsv             names of the columns of in.tsv.xz
    SPLIT/in.tsv.xz           FILE, names of the fields, texts of several readers
    SPLIT/expected.tsv        NAME=VALUE NAME=VALUE, white space and colons of values as underscores

Splits are folders (train, dev-0, test-A); one without expected.tsv has no labels. A split that is
called like what lies beside them is renamed on its way out.
"""

from __future__ import annotations

import lzma
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from training.data.dataset import Row
from training.data.formats.documents import save_pdf
from training.data.formats.folder import carried
from training.data.formats.labels import Names, RowBuilder, plain_fields, values_alone
from training.data.formats.report import Report
from training.data.formats.sources import inside, read_text, some
from training.data.reading import transcribed_pages
from training.errors import DatasetError

_COLUMNS = ("filename", "keys", "text_djvu", "text_tesseract", "text_textract", "text_best")
_DOCUMENTS, _HEADER = "documents", "in-header.tsv"
_LONGEST = 64 << 20  # characters of a line, which holds a document's text several times


def read(source: Path, scratch: Path, report: Report) -> Iterator[Row]:
    """Yield the documents of all splits with labels; see `folder.Format`."""
    expected = sorted(source.glob("*/expected.tsv"))
    advice = "Give the folder with documents/ and train/."
    expected = some(expected, source, "*/expected.tsv", advice)
    names = Names(report)
    for path in expected:
        labels = read_text(path).split("\n")
        listed = list(_listed(path.parent))
        while labels and not labels[-1].strip():
            labels.pop()
        # A document without any value has an empty line.
        labels += [""] * (len(listed) - len(labels))
        if len(labels) != len(listed):
            raise DatasetError(
                f"{path} has {len(labels)} lines, and in.tsv.xz beside it {len(listed)}.",
                advice="Take both from the same version of the data set.",
            )
        for (file, keys), line in zip(listed, labels, strict=True):
            builder = RowBuilder()
            for name in keys.split():
                builder.name(names(name))
            try:
                document = inside(source / _DOCUMENTS, file)
                for pair in line.split():
                    name, equals, value = pair.partition("=")
                    if not equals:
                        raise ValueError(f"{pair[:80]!r} is no name=value")
                    builder.add(names(name), value.replace("_", " "))
                yield builder.build(document.stem, document, split=path.parent.name)
            except ValueError as error:
                report.skip(file[:200], str(error))


def _listed(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield name and fields of each document of a split; texts are passed over."""
    packed, plain = folder / "in.tsv.xz", folder / "in.tsv"
    try:
        with (
            lzma.open(packed, "rt", encoding="utf-8", newline="\n")
            if packed.is_file()
            else plain.open(encoding="utf-8", newline="\n")
        ) as lines:
            while line := lines.readline(_LONGEST):
                if len(line) == _LONGEST:
                    raise ValueError("a line without end")
                file, _, rest = line.rstrip("\n").partition("\t")
                yield file, rest.partition("\t")[0]
    except (OSError, ValueError, EOFError, lzma.LZMAError) as error:
        raise DatasetError(
            f"{folder} has no readable in.tsv.xz: {error}.", advice="Fetch it again."
        ) from error


def write(rows: Sequence[Row], target: Path, report: Report) -> None:
    """Write a folder for each split, documents as PDFs; see `folder.Format`."""
    (target / _DOCUMENTS).mkdir()
    (target / _HEADER).write_text("\t".join(_COLUMNS) + "\n", encoding="utf-8")
    keys = " ".join(sorted({name for row in rows for name in plain_fields(row)}))
    splits: dict[str, list[tuple[str, str, str]]] = {}
    for row in rows:
        with carried(row, report):
            save_pdf(row, target / _DOCUMENTS / f"{row.id}.pdf")
            lines = splits.setdefault(row.split, [])
            lines.append((f"{row.id}.pdf", _expected(row, report), _text(row, report)))
    for split, found in splits.items():
        folder = target / _folder_name(split, splits, report)
        folder.mkdir()
        with lzma.open(folder / "in.tsv.xz", "wt", encoding="utf-8", newline="\n") as file:
            for name, _, text in found:
                file.write("\t".join((name, keys, *[text] * (len(_COLUMNS) - 2))) + "\n")
        (folder / "expected.tsv").write_text(
            "".join(f"{labels}\n" for _, labels, _ in found), encoding="utf-8"
        )


def _folder_name(split: str, splits: Collection[str], report: Report) -> str:
    """Return the name of a split's folder: another one where something else is called so."""
    if split.lower() not in (_DOCUMENTS, _HEADER):  # some file systems do not tell A from a
        return split
    number = 2
    while (name := f"{split}-{number}") in splits:
        number += 1
    report.renamed[split] = name
    return name


def _expected(row: Row, report: Report) -> str:
    pairs = []
    for name, values in sorted(values_alone(row, report).items()):
        for value in values:
            if "_" in value or ":" in value:
                report.lost("underscores and colons, which become spaces", row.id, value)
            pairs.append(f"{name}={'_'.join(value.replace(':', ' ').split())}")
    return " ".join(pairs)


def _text(row: Row, report: Report) -> str:
    """Return the transcription in one line, as the columns of texts have it; empty without one."""
    if row.ocr is None:
        report.lost("texts of the columns text_*: it has no transcription", row.id)
        return ""
    pages = transcribed_pages(row.ocr)
    return "\\f".join(
        "\\n".join(" ".join(text.split()) for text, _ in page.lines) for page in pages
    )
