"""What a model says of documents that it was not made for, and how much of it goes unmarked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pipeline.profile import FITS
from pipeline.result import Extraction
from training.scoring.report import table


@dataclass(frozen=True, slots=True)
class FalseAccepts:
    """What came of documents that a model cannot read.

    Attributes:
        documents: read.
        fitting: those that are taken for the model's own.
        values: given, all fields and cells of rows together.
        unmarked: those of them that nobody would look at.
    """

    documents: int
    fitting: int
    values: int
    unmarked: int


def false_accepts(answers: Iterable[Extraction]) -> FalseAccepts:
    """Count what a model's answers to foreign documents say without a mark."""
    documents = fitting = values = unmarked = 0
    for answer in answers:
        documents += 1
        fitting += answer.model.fit is None or answer.model.fit >= FITS
        for _, value in answer.named_values():
            values += 1
            unmarked += not value.needs_review
    return FalseAccepts(documents, fitting, values, unmarked)


def foreign_table(found: dict[str, FalseAccepts]) -> str:
    """Return a Markdown table, a row for each folder of documents."""
    rows = []
    for name, row in found.items():
        unmarked = f"{row.unmarked} ({row.unmarked / max(1, row.values):.1%})"
        rows.append([name, f"{row.documents}", f"{row.fitting}", f"{row.values}", unmarked])
    header = ["folder", "documents", "taken for its own", "values", "unmarked"]
    return f"## Documents of other kinds\n\n{table(header, rows)}\n"
