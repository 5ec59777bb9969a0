"""Answers as rows: one JSON object or one line of CSV a document, for files and streams."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import chain
from typing import Any

from pipeline.errors import FieldwrightError, error_from
from pipeline.result import Answer, Extraction, FieldValue, listed
from pipeline.values.schema import FieldSpec, Kind

# What begins a formula in some spreadsheet (OWASP, CSV injection); the last four are wide forms.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")

_DAY = re.compile(r"\d{4}-\d\d-\d\d")  # some dates are a month or a year

Part = str | Decimal | date
"""One value of a table: days and numbers apart from texts."""

Cell = Sequence[Part]
"""What stands in one cell of a table: the values of a field."""

HEAD, TAIL = ("document",), ("needs_review", "model", "error", "detail")
"""A table's own columns before and behind those of the fields."""

GROUP_HEAD, GROUP_TAIL = ("document", "row"), ("needs_review",)
"""The same of the table of a repeated group."""

_Given = Mapping[str, Answer]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of one document: `answer` or `error`; `document` is its path or name.

    Attributes:
        sha256: of the document, shown where it is known; the answer has it too, under `source`.
    """

    document: str
    answer: Extraction | None = None
    error: FieldwrightError | None = None
    sha256: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the object that stands for the document in JSON and JSON lines."""
        head = {"document": self.document}
        if self.sha256 is not None:
            head["sha256"] = self.sha256
        if self.answer is not None:
            answer = self.answer.model_dump(mode="json")
            # The path takes the place of the facts on the file, which go under `source`.
            return {**head, "source": answer.pop("document"), **answer}
        error = self.error or FieldwrightError("The document was not processed.")
        fault = {"code": error.code, "detail": error.detail, "advice": error.advice}
        return {**head, "error": fault}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Reply:
        """Return the reply that `as_json` made `value` of.

        Raises:
            ValueError: no reply makes such an object.
        """
        rest = dict(value)
        try:
            document, sha256 = str(rest.pop("document")), rest.pop("sha256", None)
            if (fault := rest.get("error")) is not None:
                error = error_from(fault["code"], fault["detail"], fault.get("advice"))
                return cls(document, error=error, sha256=sha256)
            answer = Extraction.model_validate({"document": rest.pop("source"), **rest})
        except (KeyError, TypeError) as error:
            raise ValueError("no row of answers") from error
        return cls(document, answer=answer, sha256=sha256)


def json_line(reply: Reply) -> str:
    """Return a reply as a line of JSON lines."""
    return json.dumps(reply.as_json(), ensure_ascii=False) + "\n"


def groups_of(fields: Sequence[FieldSpec]) -> list[str]:
    """Return the repeated groups whose columns are among some fields, in their order."""
    return list(dict.fromkeys(spec.group for spec in fields if spec.group))


def csv_header(fields: Sequence[FieldSpec], group: str = "") -> str:
    """Return the first line of a table: a column a field, and one for its confidence.

    Behind them `needs_review` names the fields with a value that somebody shall look at.

    Args:
        fields: of the model.
        group: whose rows the table has; without one, it has a line a document and no group's
            columns.
    """
    return _csv_line(table_header(fields, group))


def csv_rows(reply: Reply, fields: Sequence[FieldSpec], group: str = "") -> str:
    """Return a reply's lines of the table that `csv_header` begins; no cell is a formula.

    Rows of a group are numbered from 1 in each document; a document without any has no line.
    """
    return "".join(
        _csv_line(["; ".join(map(_shown, cell)) for cell in row])
        for row in table_rows(reply, fields, group)
    )


def table_header(fields: Sequence[FieldSpec], group: str = "") -> list[str]:
    """Return the names of a table's columns; arguments as `csv_header`.

    A field that is called like one of the table's own columns is numbered: `document_2`.
    """
    first, last = (GROUP_HEAD, GROUP_TAIL) if group else (HEAD, TAIL)
    columns = _columns(fields, group)
    beside = [name for spec in columns for name in _beside(spec, spec.column)]
    shown = headings([spec.column for spec in columns], (*first, *last, *beside))
    told = ((name, *_beside(spec, name)) for spec, name in zip(columns, shown, strict=True))
    return [*first, *chain.from_iterable(told), *last]


def _beside(spec: FieldSpec, name: str) -> list[str]:
    """Return the names of the columns that follow that of a field."""
    currency = [f"{name}_currency"] if spec.kind is Kind.AMOUNT else []
    return [*currency, f"{name}_confidence"]


def headings(names: Sequence[str], own: Collection[str]) -> list[str]:
    """Return what the columns of fields are called beside a table's own: numbered where taken."""
    taken = {*names, *own}
    shown = []
    for name in names:
        heading, number = name, 2
        while name in own and heading in taken:
            heading, number = f"{name}_{number}", number + 1
        taken.add(heading)
        shown.append(heading)
    return shown


def table_rows(
    reply: Reply, fields: Sequence[FieldSpec], group: str = ""
) -> Iterator[Sequence[Cell]]:
    """Yield a reply's rows of a table, cell by cell, unguarded; arguments as `csv_rows`."""
    columns = _columns(fields, group)
    answer = reply.answer
    if group:
        rows = answer.groups.get(group, []) if answer else []
        for number, row in enumerate(rows, 1):
            yield [[reply.document], [Decimal(number)], *_cells(row, columns), _doubted(row)]
        return
    given = answer.fields if answer else {}
    model = [f"{answer.model.name}@{answer.model.version}"] if answer else []
    fault = reply.error
    told = [[fault.code], [fault.detail]] if fault else [[], []]
    yield [[reply.document], *_cells(given, columns), _doubted(given), model, *told]


def _doubted(given: _Given) -> list[str]:
    """Return the names of the fields with a value that somebody shall look at."""
    return [name for name, found in given.items() if any(v.needs_review for v in listed(found))]


def _columns(fields: Sequence[FieldSpec], group: str) -> list[FieldSpec]:
    return [spec for spec in fields if spec.group == group]


def _cells(given: _Given, columns: Sequence[FieldSpec]) -> list[Cell]:
    cells: list[Cell] = []
    for spec in columns:
        values = listed(given.get(spec.column))
        cells.append([_cell(value) for value in values])
        if spec.kind is Kind.AMOUNT:
            cells.append([_part(value, "currency") for value in values])
        cells.append([Decimal(f"{value.confidence:.4f}") for value in values])
    return cells


def _cell(value: FieldValue) -> Part:
    """Return a value as tables show it; the text as written where it could not be normalised."""
    if isinstance(value.value, dict):
        parts = (_part(value, name) for name in ("amount", "iso", "formatted"))
        shown = next(filter(None, parts), value.text)
    else:
        shown = value.text if value.value is None else str(value.value)
    # A negative number is a number because of its kind, never because a text looks like one.
    if value.kind in (Kind.AMOUNT, Kind.NUMBER, Kind.PERCENT) and re.fullmatch(
        r"-?\d+(\.\d+)?", shown
    ):
        return Decimal(shown)
    if value.kind == Kind.DATE and value.value is not None and _DAY.fullmatch(shown):
        return date.fromisoformat(shown)
    return shown


def plain(part: Part) -> str:
    """Return a part of a cell as text, of which a spreadsheet may still make a formula."""
    return part if isinstance(part, str) else str(part) if isinstance(part, date) else f"{part:f}"


def _shown(part: Part) -> str:
    """Return a part of a cell as CSV has it."""
    return safe_cell(part) if isinstance(part, str) else plain(part)


def _part(value: FieldValue, name: str) -> str:
    return str(value.value.get(name) or "") if isinstance(value.value, dict) else ""


def safe_cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _csv_line(cells: Sequence[str]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(cells)
    return line.getvalue()
