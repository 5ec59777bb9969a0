"""SROIE (Huang et al., 2019): scanned receipts with their lines, and four fields as values.

    img/ID.jpg
    box/ID.txt        a line each: x, y, x, y, x, y, x, y, TEXT in pixels
    entities/ID.txt   {"company", "date", "address", "total"}

Folders go by many names in the copies that there are; files are told by what is in them, and
belong together by their names. A file whose path says test is of the split test.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from models.geometry import Box
from training.data.dataset import Row
from training.data.formats.boxes import box_around, corners_of, pixels_of, points_of
from training.data.formats.documents import only_page, write_transcription
from training.data.formats.folder import carried
from training.data.formats.labels import Names, RowBuilder, values_alone
from training.data.formats.report import Report
from training.data.formats.sources import inside, picture_size, read_text, write_json
from training.data.reading import transcribed_pages
from training.errors import DatasetError

_PICTURES = (".jpg", ".jpeg", ".png")
_TEXTS = (".txt", ".json", ".csv")
_LARGEST_MB = 8


def read(source: Path, scratch: Path, report: Report) -> Iterator[Row]:
    """Yield the receipts with labels; see `folder.Format`."""
    pictures: dict[str, Path] = {}
    labels: dict[str, dict[str, Any]] = {}
    texts: dict[str, str] = {}
    for path in sorted(source.rglob("*")):
        suffix = path.suffix.lower()
        if suffix in _PICTURES:
            pictures[path.stem] = path
        elif suffix in _TEXTS and path.is_file():
            inside(source, str(path.relative_to(source)))
            text = read_text(path, _LARGEST_MB)
            if text.lstrip().startswith("{"):
                try:
                    labels[path.stem] = json.loads(text)
                except (ValueError, RecursionError) as error:
                    report.skip(path.stem, f"{path.name} is not valid JSON: {error}")
            else:
                texts[path.stem] = text
    if not labels and not report.skipped:
        raise DatasetError(
            f"{source} holds no labels of receipts.",
            advice="Give the folder with img/, box/ and entities/.",
        )
    names = Names(report)
    for name, data in labels.items():
        try:
            if name not in pictures:
                raise ValueError("its picture is not there")
            document = inside(source, str(pictures[name].relative_to(source)))
            yield _row(name, data, document, texts.get(name), scratch, names, report)
        except (OSError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
            report.skip(name, f"not as expected: {error}")


def _row(
    name: str,
    data: dict[str, Any],
    document: Path,
    text: str | None,
    scratch: Path,
    names: Names,
    report: Report,
) -> Row:
    builder = RowBuilder()
    for key, value in data.items():
        builder.name(names(key))
        if value:
            builder.add(names(key), str(value))
    ocr = None
    if text is None:
        report.lost("transcriptions: there are none", name)
    else:
        size = picture_size(document)
        # Not splitlines: texts may hold U+2028 and other marks that it takes for line ends.
        lines = [_line(line, size) for line in text.split("\n") if line.strip()]
        ocr = write_transcription(scratch, name, [(size, lines)])
    is_test = any("test" in part.lower() for part in document.parts[-3:-1])
    return builder.build(name, document, ocr, "test" if is_test else "train")


def _line(line: str, size: tuple[int, int]) -> tuple[str, Box]:
    *edges, text = line.split(",", 8)
    if len(edges) != 8:
        raise ValueError(f"{line[:80]!r} is no line with eight numbers and a text")
    return text.strip(), box_around(points_of([float(edge) for edge in edges]), size)


def write(rows: Sequence[Row], target: Path, report: Report) -> None:
    """Write a folder for each split, pages as JPEGs; see `folder.Format`."""
    for row in rows:
        part = target / row.split
        for folder in ("img", "box", "entities"):
            (part / folder).mkdir(parents=True, exist_ok=True)
        with carried(row, report):
            picture = only_page(row, "SROIE")
            write_json(part / "entities" / f"{row.id}.txt", _entities(row, report), indent=4)
            if row.ocr is not None:
                lines = [line for page in transcribed_pages(row.ocr) for line in page.lines]
                (part / "box" / f"{row.id}.txt").write_text(
                    "".join(
                        f"{','.join(map(str, corners_of(pixels_of(box, picture.size))))},{text}\n"
                        for text, box in lines
                    ),
                    encoding="utf-8",
                )
            else:
                report.lost("lines of text: it has no transcription", row.id)
            with picture.image() as image:
                image.convert("RGB").save(part / "img" / f"{row.id}.jpg", "JPEG", quality=95)


def _entities(row: Row, report: Report) -> dict[str, str]:
    entities = {}
    for name, values in values_alone(row, report).items():
        if len(values) > 1:
            report.lost("further values of a field", row.id, f"{name}: {values[1]}")
        entities[name] = values[0] if values else ""
    return entities
