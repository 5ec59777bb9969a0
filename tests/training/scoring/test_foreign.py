"""What a model says of documents of other kinds is counted, and what of it nobody would look at."""

from __future__ import annotations

from pathlib import Path

from pipeline.extract import Extractor
from pipeline.result import Extraction
from tests.builders import make_receipt, receipt_pdf
from tests.packages import tiny_package
from training.scoring.foreign import FalseAccepts, false_accepts, foreign_table


def _answer(tmp_path: Path) -> Extraction:
    return Extractor(tiny_package(tmp_path / "tiny")).extract(receipt_pdf(make_receipt(3)))


def _with(answer: Extraction, *, fit: float | None, unmarked: int) -> Extraction:
    """Return a copy with so many values unmarked, all fields given."""
    value = next(given for given in answer.fields.values() if given and not isinstance(given, list))
    fields = {
        name: value.model_copy(update={"needs_review": number >= unmarked})
        for number, name in enumerate(answer.fields)
    }
    model = answer.model.model_copy(update={"fit": fit})
    return answer.model_copy(update={"fields": fields, "model": model})


def test_unmarked_values_and_documents_taken_for_own_are_counted(tmp_path: Path) -> None:
    answer = _answer(tmp_path)
    of_it = len(answer.fields)
    found = false_accepts(
        [
            _with(answer, fit=0.9, unmarked=2),
            _with(answer, fit=0.1, unmarked=0),
            _with(answer, fit=None, unmarked=1),
        ]
    )
    assert found == FalseAccepts(documents=3, fitting=2, values=3 * of_it, unmarked=3)


def test_fields_without_a_value_and_lists_count_as_what_they_hold(tmp_path: Path) -> None:
    answer = _with(_answer(tmp_path), fit=0.1, unmarked=1)
    first, second, *rest = answer.fields
    fields = dict.fromkeys(rest) | {
        first: None,
        second: [answer.fields[first], answer.fields[second]],
    }
    found = false_accepts([answer.model_copy(update={"fields": fields})])
    assert (found.values, found.unmarked) == (2, 1)


def test_the_table_has_a_row_for_each_folder() -> None:
    table = foreign_table(
        {"forms": FalseAccepts(10, 1, 40, 2), "empty": FalseAccepts(0, 0, 0, 0)}
    ).splitlines()
    assert table[-2:] == ["| forms | 10 | 1 | 40 | 2 (5.0%) |", "| empty | 0 | 0 | 0 | 0 (0.0%) |"]


def test_cells_of_rows_count_too(tmp_path: Path) -> None:
    answer = _with(_answer(tmp_path), fit=0.1, unmarked=1)
    cell = next(iter(answer.fields.values()))
    rows = {"items": [{"amount": cell, "text": None}, {"amount": cell}]}
    before = false_accepts([answer])
    after = false_accepts([answer.model_copy(update={"groups": rows})])
    assert (after.values - before.values, after.unmarked - before.unmarked) == (2, 2)
