"""Answers as a workbook (XLSX): a sheet of fields, and one for the rows of each repeated group."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

from pipeline.errors import InvalidOption
from pipeline.formats.export import Cell, Reply, groups_of, plain, table_header, table_rows
from pipeline.values.schema import FieldSpec

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FIELDS_SHEET = "fields"

_MOST_ROWS = 1_048_576  # of a sheet, as Excel has it
_MOST_CHARACTERS = 32_767  # of a cell
_FIRST_YEAR = 1900  # of a spreadsheet's days
_MOST_DIGITS = 15  # that a spreadsheet's numbers keep
_SHEET_NAME = 31  # most characters
_CUT = " (cut: {} characters)"


@contextmanager
def workbook(
    file: BinaryIO, fields: Sequence[FieldSpec], folder: Path | None = None
) -> Iterator[Callable[[Reply], None]]:
    """Give a function that writes replies to a workbook as they come; memory stays the same.

    Columns are those of the CSV tables. A cell with one number is a number, where the spreadsheet
    keeps all of its digits, and one with a day from 1900 on a day; every other is text, and none a
    formula or a link.

    Args:
        file: where the workbook goes when all is written.
        fields: of the model: the columns.
        folder: for the temporary files of the sheets; the system's where None.

    Raises:
        InvalidOption: more rows than a sheet holds.
        OSError: no room for it.
    """
    from xlsxwriter import Workbook
    from xlsxwriter.exceptions import FileCreateError

    options: dict[str, Any] = {"constant_memory": True, "in_memory": False}
    if folder is not None:
        options["tmpdir"] = str(folder)
    book = Workbook(file, options)
    bold, day = book.add_format({"bold": True}), book.add_format({"num_format": "yyyy-mm-dd"})
    sheets: list[tuple[str, _Sheet]] = []
    for group in ("", *groups_of(fields)):
        sheet = _Sheet(book.add_worksheet(_sheet_name(group, len(sheets))), day)
        header = table_header(fields, group)
        sheet.write([[name] for name in header], bold)
        sheet.sheet.freeze_panes(1, 1)
        sheets.append((group, sheet))

    def write(reply: Reply) -> None:
        for group, sheet in sheets:
            for row in table_rows(reply, fields, group):
                sheet.write(row)

    try:
        yield write
    finally:
        try:
            book.close()
        except FileCreateError as error:
            raise error.args[0] from error  # the system's own


class _Sheet:
    """A sheet that is written row by row."""

    def __init__(self, sheet: Any, day: Any) -> None:
        self.sheet = sheet
        self._day = day  # the format of days
        self._rows = 0

    def write(self, cells: Sequence[Cell], form: Any = None) -> None:
        if self._rows == _MOST_ROWS:
            raise InvalidOption(
                f"A sheet has at most {_MOST_ROWS} rows.", advice="Ask for csv or jsonl instead."
            )
        for column, cell in enumerate(cells):
            if len(cell) == 1 and isinstance(number := cell[0], Decimal) and _is_kept(number):
                self.sheet.write_number(self._rows, column, number, form)
            elif len(cell) == 1 and isinstance(day := cell[0], date) and day.year >= _FIRST_YEAR:
                self.sheet.write_datetime(self._rows, column, day, self._day)
            elif text := "; ".join(map(plain, cell)):
                self.sheet.write_string(self._rows, column, _fitting(text), form)
        self._rows += 1


def _is_kept(number: Decimal) -> bool:
    return len(number.as_tuple().digits) <= _MOST_DIGITS


def _fitting(text: str) -> str:
    """Return a text as it fits into a cell; one that was cut says so."""
    if len(text) <= _MOST_CHARACTERS:
        return text
    mark = _CUT.format(len(text))
    return text[: _MOST_CHARACTERS - len(mark)] + mark


def _sheet_name(group: str, number: int) -> str:
    """Return a sheet's name; numbered where it had to be cut or is taken."""
    if not group:
        return FIELDS_SHEET
    plain = re.sub(r"[\[\]:*?/\\']", "_", group)
    if len(plain) <= _SHEET_NAME and plain.casefold() not in (FIELDS_SHEET, "history"):
        return plain
    mark = f"_{number}"
    return plain[: _SHEET_NAME - len(mark)] + mark
