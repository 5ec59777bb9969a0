"""Tables: a line a document, and a table for each group with a line a row.

    labels.csv         document, id, split, and a column a field; several values of one in lines
                       of the cell
    labels.GROUP.csv   document, row, and a column for each of the group's
    documents/

Documents are named by their path from the table's folder, each on one line. Fields that are called
like one of the table's own columns are renamed on their way out. A table that `fieldwright extract
--format csv` wrote, and somebody has corrected, can be read as well: its columns of confidences,
currencies, doubts and errors are passed over.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.formats.export import GROUP_HEAD, GROUP_TAIL, TAIL, headings, safe_cell
from pipeline.values.schema import column_key
from training.data.dataset import Row
from training.data.formats.documents import copy_document
from training.data.formats.folder import carried
from training.data.formats.labels import Names, RowBuilder, plain_fields
from training.data.formats.report import Report
from training.data.formats.sources import inside, read_text
from training.errors import DatasetError

_NAME = "labels.csv"
_WORKBOOK = "Save a workbook, such as .xlsx, as CSV in UTF-8 first."
_LOST_LETTER = "a ? may be a letter that its encoding lacks: save the table as CSV in UTF-8"
_HEAD = ("document", "id", "split")
_TOLD = {*TAIL, *GROUP_TAIL}  # by `extract`, behind the columns of fields
_NUMBER = re.compile(r"[-+]?[\d.,]+")  # no formula, whatever it begins with
_EXTRA = ("_confidence", "_currency")


def read(source: Path, scratch: Path, report: Report) -> Iterator[Row]:
    """Yield the documents of a table, or of labels.csv in a folder; see `folder.Format`."""
    path = source / _NAME if source.is_dir() else source
    if not path.is_file():
        tables = ", ".join(other.name for other in sorted(path.parent.glob("*.csv"))[:5])
        raise DatasetError(
            f"{path.name} is not there.",
            advice=f"Name the table itself with --from: {path.parent} has {tables}."
            if tables
            else f"Name a table with --from, or a folder with a {_NAME}. {_WORKBOOK}",
        )
    table = _table(path)
    names = Names(report)
    groups = {
        other.name.removeprefix(f"{path.stem}.").removesuffix(path.suffix): _table(other)
        for other in sorted(path.parent.glob(f"{path.stem}.*{path.suffix}"))
    }
    answered = _answered(table, *groups.values())
    rows: dict[str, list[tuple[str, dict[str, str]]]] = {}
    for group, lines in groups.items():
        for cells in lines:
            rows.setdefault(cells["document"], []).append((group, cells))
    seen: set[str] = set()
    for number, cells in enumerate(table, 2):
        name = cells["document"]
        try:
            if name in seen:  # its rows are those of the first line
                raise ValueError(f"line {number} names it again")
            seen.add(name)
            document = inside(path.parent, cells["document"])
        except ValueError as error:
            report.skip(name[:200], f"{error}; {_LOST_LETTER}" if "?" in name else str(error))
            continue
        builder = RowBuilder()
        for column, cell in _values(cells, answered, report).items():
            builder.name(names(column))
            for value in cell.split("; ") if answered else cell.split("\n"):
                if value.strip():
                    builder.add(names(column), _plain(value.strip()))
        for row, (group, found) in enumerate(rows.pop(cells["document"], [])):
            for column, cell in _values(found, answered, report, GROUP_HEAD).items():
                if cell.strip():
                    builder.add_cell(names(group), row, names(column), _plain(cell.strip()))
        yield builder.build(
            cells.get("id") or document.stem, document, split=cells.get("split", "")
        )
    for name, left in rows.items():
        report.lost("rows of documents that the first table does not have", name, count=len(left))


def _table(path: Path) -> list[dict[str, str]]:
    """Return the lines of a table as cells by column; commas, semicolons or tabs part them.

    Lines without a value are left out, and so are columns without a name: spreadsheets write both
    where somebody has been.
    """
    text = read_text(path)
    head = text.partition("\n")[0]
    if "\0" in head:
        raise DatasetError(f"{path} is no table of text.", advice=_WORKBOOK)
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [
            (number, line) for number, line in enumerate(reader, 1) if any(map(str.strip, line))
        ]
    except csv.Error as error:
        raise DatasetError(
            f"{path} is no table: {error}, in what ends in line {reader.line_num}.",
            advice="Look for a quotation mark that is not closed, or save it as CSV anew.",
        ) from error
    columns = _columns(rows[0][1] if rows else (), path)
    found = []
    for number, line in rows[1:]:
        if len(line) != len(columns):
            raise DatasetError(
                f"{path}: row {number} has not as many cells as there are columns: {len(line)} for "
                f"{len(columns)}.",
                advice="Put cells that hold the delimiter, or a line end, in quotation marks.",
            )
        cells = list(zip(columns, line, strict=True))
        if lost := [cell for column, cell in cells if cell.strip() and not column]:
            raise DatasetError(
                f"{path}: row {number} has {lost[0][:40]!r} in a column without a name.",
                advice="Name the column in the first line, or delete it.",
            )
        row = {column: cell for column, cell in cells if column}
        row["document"] = row["document"].strip().replace("\\", "/")  # as Windows writes paths
        if not row["document"]:
            raise DatasetError(
                f"{path}: row {number} names no document.",
                advice="Write its path into each row, also where one cell stood for several rows; "
                "delete rows of sums.",
            )
        found.append(row)
    return found


def _columns(head: Sequence[str], path: Path) -> list[str]:
    """Return the names of the columns; `document` may begin with a capital, as headings do."""
    names = [name.strip() for name in head]
    columns = ["document" if name.lower() == "document" else name for name in names]
    advice = "Its first line names the columns; document is the path of a file."
    if "document" not in columns:
        shown = f": it has {', '.join(filter(None, columns))[:200]}" if any(columns) else ""
        raise DatasetError(f"{path} has no column `document`{shown}.", advice=advice)
    twice = [name for name, count in Counter(filter(None, columns)).items() if count > 1]
    if twice:
        raise DatasetError(f"{path} has the column `{twice[0]}` twice.", advice=advice)
    return columns


def _answered(table: Sequence[Mapping[str, str]], *groups: Sequence[Mapping[str, str]]) -> bool:
    """Return whether `extract` wrote a table and those of its groups."""
    if table and [*table[0]][: len(_HEAD)] == [*_HEAD]:
        return False  # `write` did, and its fields may have any name
    return any(_extras(lines[0]) for lines in (table, *groups) if lines)


def _extras(columns: Collection[str]) -> set[str]:
    """Return the columns that `extract` adds to those of fields: confidences and currencies."""
    confident = {column for column in columns if f"{column}_confidence" in columns}
    return {base + end for base in confident for end in _EXTRA if base + end in columns}


def _values(
    cells: Mapping[str, str], answered: bool, report: Report, head: Sequence[str] = _HEAD
) -> dict[str, str]:
    """Return the cells that are values; a table that `extract` wrote has others, too."""
    extras = _extras(cells) if answered else set()
    for _ in filter(cells.get, extras):
        report.lost("confidences and currencies of answers")
    own = {*head, *(_TOLD if answered else ())}
    return {
        column: cell
        for column, cell in cells.items()
        # A field that is called like one of the table's own columns has its confidence beside it.
        if column not in extras and (column not in own or f"{column}_confidence" in extras)
    }


def _plain(cell: str) -> str:
    """Return a cell without the mark that keeps spreadsheets from taking it for a formula."""
    return cell[1:] if cell.startswith("'") and safe_cell(cell[1:]) == cell else cell


def write(rows: Sequence[Row], target: Path, report: Report) -> None:
    """Write the tables, and the documents beside them; see `folder.Format`."""
    (target / "documents").mkdir()
    fields = list(dict.fromkeys(name for row in rows for name in plain_fields(row)))
    columns: dict[str, dict[str, None]] = {}
    for row in rows:
        for group, found in row.groups.items():
            for cells in found:
                columns.setdefault(group, {}).update(dict.fromkeys(cells))
    lines: list[list[str]] = []
    tables: dict[str, list[list[str]]] = {group: [] for group in columns}
    for row in rows:
        with carried(row, report):
            name = f"documents/{copy_document(row.document, target / 'documents', row.id).name}"
            values = plain_fields(row)
            labels = ["\n".join(map(_cell, values.get(field, ()))) for field in fields]
            lines.append([name, row.id, row.split, *labels])
            for group, table in row.groups.items():
                for number, line in enumerate(table, 1):
                    texts = [_cell(line.get(column, "")) for column in columns[group]]
                    tables[group].append([name, str(number), *texts])
            if row.places:
                report.lost("places", row.id, count=len(row.places))
            if row.ocr is not None:
                report.lost("transcriptions", row.id)
    _save(target / _NAME, [*_HEAD, *_headings(fields, _HEAD, report)], lines)
    for group, written in tables.items():
        path = target / f"{Path(_NAME).stem}.{group}.csv"
        shown = _headings([*columns[group]], GROUP_HEAD, report, group)
        _save(path, [*GROUP_HEAD, *shown], written)


def _headings(
    names: Sequence[str], head: Sequence[str], report: Report, group: str = ""
) -> list[str]:
    """Return what columns are called: as fields are, numbered where the table has such a column."""
    shown = headings(names, head)
    for name, heading in zip(names, shown, strict=True):
        if name != heading:
            old, new = (column_key(group, one) if group else one for one in (name, heading))
            report.renamed[old] = new
    return shown


def _cell(value: str) -> str:
    folded = " ".join(value.split())
    return folded if _NUMBER.fullmatch(folded) else safe_cell(folded)


def _save(path: Path, header: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    # With a mark, for spreadsheets take a file without one for Latin-1.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([header, *lines])
