"""Rows of answers: what is written can be read back, and no cell of a table is a formula."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import EncryptedPdf
from pipeline.formats.export import (
    Reply,
    csv_header,
    csv_rows,
    groups_of,
    json_line,
    table_header,
)
from pipeline.result import DocumentInfo, Extraction, FieldValue, ModelInfo
from pipeline.values.schema import FieldSpec, Kind
from tests.builders import field_value

SPECS = (FieldSpec("party", Kind.NAME, many=True), FieldSpec("total", Kind.AMOUNT))

texts = st.text(st.characters(blacklist_categories=["Cs"]), max_size=20)
starts = st.sampled_from(["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "", "'"])
hostile = st.builds(lambda start, rest: start + rest, starts, texts)
amounts = st.one_of(
    st.decimals(-(10**6), 10**6, places=2).map(
        lambda number: {"amount": str(number), "currency": "EUR"}
    ),
    st.builds(lambda a, c: {"amount": a, "currency": c}, hostile, hostile),
    hostile,
    st.none(),
)


def value_of(kind: Kind, text: str, value: object) -> FieldValue:
    return field_value(kind, text, value, confidence=0.5)


def answer_of(parties: list[FieldValue], total: FieldValue | None) -> Extraction:
    return Extraction(
        id="1",
        document=DocumentInfo(sha256="ab", media_type="", page_count=1, word_count=1, pages=[]),
        model=ModelInfo(name="m", version="1", sha256=""),
        fields={"party": list(parties), "total": total},
        timings={},
    )


replies = st.one_of(
    st.builds(
        lambda document, sha256, parties, total: Reply(
            document, answer=answer_of(parties, total), sha256=sha256
        ),
        hostile,
        st.none() | st.just("ab"),
        st.lists(st.builds(lambda t: value_of(Kind.NAME, t, t or None), hostile), max_size=3),
        st.none() | st.builds(lambda t, v: value_of(Kind.AMOUNT, t, v), hostile, amounts),
    ),
    st.builds(
        lambda document, detail: Reply(document, error=EncryptedPdf(detail)), hostile, hostile
    ),
)


@given(replies)
def test_lines_are_read_back_as_they_were(reply: Reply) -> None:
    line = json_line(reply)
    assert line.endswith("\n")
    again = Reply.from_json(json.loads(line))
    assert json_line(again) == line
    assert (again.document, again.sha256, again.answer) == (
        reply.document,
        reply.sha256,
        reply.answer,
    )
    assert type(again.error) is type(reply.error)


@given(replies)
def test_no_cell_is_a_formula_and_every_row_has_the_columns(reply: Reply) -> None:
    table = csv_header(SPECS) + csv_rows(reply, SPECS)
    header, row = csv.reader(io.StringIO(table, newline=""))
    assert len(row) == len(header)
    assert header[0] == "document"
    for name, cell in zip(header, row, strict=True):
        numeric = name == "total" and re.fullmatch(r"-?\d+(\.\d+)?", cell)
        assert numeric or not cell.startswith(tuple("=+-@\t\r\n＝＋－＠"))


def cells(reply: Reply) -> list[str]:
    """Return the row of a reply in a table of totals."""
    (row,) = csv.reader(io.StringIO(csv_rows(reply, SPECS[1:]), newline=""))
    return row


@pytest.mark.parametrize(
    ("kind", "text", "value", "shown"),
    [
        pytest.param(Kind.NAME, "", "=1+1", "'=1+1", id="formula"),
        pytest.param(Kind.NAME, "", "@SUM(A1)", "'@SUM(A1)", id="at"),
        pytest.param(Kind.TEXT, "", "-5", "'-5", id="text_that_looks_negative"),
        pytest.param(Kind.TEXT, "", "a\nb", "a\nb", id="line_break_inside"),
        pytest.param(Kind.TEXT, "\tx", None, "'\tx", id="tab_in_a_failed_value"),
        pytest.param(
            Kind.AMOUNT, "", {"amount": "-5.00", "currency": None}, "-5.00", id="negative_amount"
        ),
        pytest.param(
            Kind.AMOUNT, "", {"amount": "-5+1", "currency": None}, "'-5+1", id="sum_of_amounts"
        ),
        pytest.param(Kind.AMOUNT, "-x", None, "'-x", id="amount_that_is_none"),
        pytest.param(Kind.DATE, "", "2018-12-25", "2018-12-25", id="date"),
    ],
)
def test_table_is_safe_to_open(kind: Kind, text: str, value: object, shown: str) -> None:
    reply = Reply("a", answer=answer_of([], value_of(kind, text, value)))
    assert cells(reply)[1] == shown


def test_file_names_are_no_formulas_either() -> None:
    assert cells(Reply("=cmd.pdf"))[0] == "'=cmd.pdf"


def test_error_is_a_fieldwright_error_in_the_reply() -> None:
    error = EncryptedPdf("It is locked.")
    assert Reply("a", error=error).as_json()["error"]["advice"] == error.advice


@pytest.mark.parametrize("value", [{}, {"document": "a"}, {"document": "a", "error": 1}])
def test_other_objects_are_no_rows(value: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"no row|validation"):
        Reply.from_json(value)


def test_rows_of_a_group_have_a_table_of_their_own() -> None:
    specs = [*SPECS, FieldSpec("items.amount", Kind.AMOUNT, many=True)]
    answer = answer_of([], None)
    cell = value_of(Kind.AMOUNT, "1.00", {"amount": "-1.00", "currency": "EUR"})
    rows: list[dict[str, FieldValue | None]] = [{"amount": cell}, {"amount": None}]
    reply = Reply("=a.pdf", answer=answer.model_copy(update={"groups": {"items": rows}}))
    assert groups_of(specs) == ["items"]
    table = csv_header(specs, "items") + csv_rows(reply, specs, "items")
    assert list(csv.reader(io.StringIO(table, newline=""))) == [
        ["document", "row", "amount", "amount_currency", "amount_confidence", "needs_review"],
        ["'=a.pdf", "1", "-1.00", "EUR", "0.5000", ""],
        ["'=a.pdf", "2", "", "", "", ""],
    ]
    assert "items" not in csv_header(specs)
    assert csv_rows(Reply("b", error=EncryptedPdf("locked")), specs, "items") == ""


def test_tables_name_what_asks_for_review_and_who_answered() -> None:
    doubted = value_of(Kind.NAME, "Tea", "Tea").model_copy(update={"needs_review": True})
    answer = answer_of([value_of(Kind.NAME, "A", "A"), doubted], value_of(Kind.AMOUNT, "5", None))
    answer = answer.model_copy(update={"groups": {"items": [{"name": doubted}, {"name": None}]}})
    line = table_of(Reply("a.pdf", answer=answer), SPECS)[0]
    assert (line["needs_review"], line["model"], line["error"]) == ("party", "m@1", "")
    names = (FieldSpec("items.name", Kind.NAME),)
    rows = table_of(Reply("a.pdf", answer=answer), names, "items")
    assert [row["needs_review"] for row in rows] == ["name", ""]


def test_every_column_has_a_name_of_its_own() -> None:
    names = (
        "document",
        "model",
        "error",
        "error_2",
        "total",
        "total_currency",
        "x_confidence",
        "x",
    )
    specs = [FieldSpec(name, Kind.AMOUNT if name == "total" else Kind.TEXT) for name in names]
    header = table_header(specs)
    assert len(set(header)) == len(header)
    values = {name: value_of(Kind.TEXT, name, name) for name in names}
    answer = answer_of([], None).model_copy(update={"fields": values})
    (line,) = table_of(Reply("a.pdf", answer=answer), specs)
    assert (line["document"], line["document_2"], line["error"], line["error_3"]) == (
        "a.pdf",
        "document",
        "",
        "error",
    )
    assert line["total_currency_2"] == "total_currency"


def table_of(reply: Reply, specs: Sequence[FieldSpec], group: str = "") -> list[dict[str, str]]:
    """Return the lines of a reply's table, cells by column."""
    table = csv_header(specs, group) + csv_rows(reply, specs, group)
    return list(csv.DictReader(io.StringIO(table, newline="")))
