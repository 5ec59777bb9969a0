"""Workbooks: the same cells as the tables, no formula, nothing lost in silence."""

from __future__ import annotations

import io
import zipfile
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

from pipeline.errors import UnsupportedMedia
from pipeline.formats.export import Reply, table_header
from pipeline.formats.workbook import workbook
from pipeline.result import FieldValue
from pipeline.values.schema import FieldSpec, Kind
from tests.pipeline.formats.test_cii import ITEMS, answer

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
SPECS = [
    FieldSpec("vendor_name", Kind.NAME),
    FieldSpec("document_kind"),
    FieldSpec("invoice_total", Kind.AMOUNT),
    FieldSpec("items.description", many=True),
    FieldSpec("items.amount", Kind.AMOUNT, many=True),
]


def written(*replies: Reply) -> dict[str, list[Element]]:
    """Return the rows of each sheet."""
    file = io.BytesIO()
    with workbook(file, SPECS) as write:
        for reply in replies:
            write(reply)
    with zipfile.ZipFile(file) as archive:
        book = fromstring(archive.read("xl/workbook.xml"))
        names = [sheet.attrib["name"] for sheet in book.iter(f"{_MAIN}sheet")]
        return {
            name: list(fromstring(archive.read(f"xl/worksheets/sheet{at}.xml")).iter(f"{_MAIN}row"))
            for at, name in enumerate(names, 1)
        }


def cells(row: Element) -> dict[str, tuple[str, str]]:
    """Return type and content of each cell by the letter of its column."""
    return {
        cell.attrib["r"].rstrip("0123456789"): (cell.get("t", "n"), "".join(cell.itertext()))
        for cell in row
    }


def test_fields_and_groups_have_sheets_with_the_columns_of_the_tables() -> None:
    failed = Reply("b.pdf", error=UnsupportedMedia("It is a video."))
    sheets = written(Reply("a.xml", answer=answer(*ITEMS)), failed)
    assert list(sheets) == ["fields", "items"]
    header, first, second = map(cells, sheets["fields"])
    assert [text for _, text in header.values()] == table_header(SPECS)
    assert first["A"] == ("inlineStr", "a.xml")
    assert first["B"][1] == "Schrauben & Söhne GmbH"
    assert first["F"] == ("n", "129.65")
    assert first["G"] == ("inlineStr", "EUR")
    assert [second[letter][1] for letter in "AKL"] == [
        "b.pdf", "unsupported_media_type", "It is a video.",
    ]  # fmt: skip
    rows = [cells(row) for row in sheets["items"][1:]]
    assert [(row["B"], row["E"]) for row in rows] == [
        (("n", "1"), ("n", "100.00")),
        (("n", "2"), ("n", "10.00")),
    ]


@pytest.mark.parametrize(
    "evil", ['=HYPERLINK("http://127.0.0.1","x")', "http://127.0.0.1/a", "@SUM(A1)", "+1+1"]
)
def test_no_text_is_a_formula_or_a_link(evil: str) -> None:
    given = answer(document_kind="invoice")
    kind = given.fields["document_kind"]
    assert isinstance(kind, FieldValue)
    given.fields["document_kind"] = kind.model_copy(update={"value": evil, "text": evil})
    _, first = map(cells, written(Reply(evil, answer=given))["fields"])
    assert first["A"] == ("inlineStr", evil)
    assert first["D"] == ("inlineStr", evil)


def test_nothing_is_cut_in_silence() -> None:
    _, row = map(cells, written(Reply("a" * 40_000, answer=answer()))["fields"])
    assert row["A"][1].endswith("(cut: 40000 characters)")
    assert len(row["A"][1]) == 32_767


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("2026-08-04", ("n", "46238")),
        ("1899-12-30", ("inlineStr", "1899-12-30")),  # before a spreadsheet's days begin
        ("2026-08", ("inlineStr", "2026-08")),
        (None, ("inlineStr", "2026-08-04")),  # as printed, where it is no value
    ],
)
def test_days_are_days(value: str | None, shown: tuple[str, str]) -> None:
    given = answer(invoice_date="2026-08-04")
    found = given.fields["invoice_date"]
    assert isinstance(found, FieldValue)
    given.fields["invoice_date"] = found.model_copy(update={"value": value, "text": "2026-08-04"})
    file = io.BytesIO()
    with workbook(file, [FieldSpec("invoice_date", Kind.DATE)]) as write:
        write(Reply("a.pdf", answer=given))
    with zipfile.ZipFile(file) as archive:
        rows = list(fromstring(archive.read("xl/worksheets/sheet1.xml")).iter(f"{_MAIN}row"))
        styles = archive.read("xl/styles.xml").decode()
    assert cells(rows[1])["B"] == shown
    assert ("yyyy-mm-dd" in styles) == (shown[0] == "n")
