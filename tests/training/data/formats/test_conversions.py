"""What a dataset keeps on its way to another tool and back, and how the way is kept safe."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from models.geometry import intersection_over_union, union
from pipeline.errors import InvalidOption
from tests.builders import make_receipt, receipt_png
from tests.conversions import bring_in, filled, there_and_back, whole_places, write_invoices
from tests.datasets import write_dataset
from training.data.dataset import Row, load_dataset
from training.data.formats.folder import FORMATS, export_dataset, import_dataset
from training.data.reading import gold_document
from training.errors import DatasetError

PLACED = ["label-studio", "azure", "cord", "docile", "hf"]


@pytest.mark.parametrize("name", PLACED)
def test_values_places_and_rows_come_back(name: str, tmp_path: Path) -> None:
    dataset = write_invoices(tmp_path / "invoices")
    (sent, letter), (rows, report) = dataset.rows, there_and_back(name, dataset, tmp_path)
    row = rows["a"]
    assert filled(row) == filled(sent)
    assert list(row.groups.values()) == list(sent.groups.values())
    renamed = {"docile": ("items.", "line_items.")}.get(name, ("", ""))
    ours, theirs = whole_places(sent), whole_places(row)
    assert len(theirs) == len(ours) == report.placed
    for (field, value, number), place in ours.items():
        back = theirs[field.replace(*renamed), value, number]
        assert back.boxes[0][0] == place.boxes[0][0]
        around, before = (union(box for _, box in one.boxes) for one in (back, place))
        assert intersection_over_union(around, before) > 0.8  # whole pixels at the worst
    assert rows["letter"].places == ()
    assert filled(rows["letter"]) == {}
    assert rows["letter"].split == (letter.split if name != "azure" else "train")
    assert report.skipped == []


@pytest.mark.parametrize("name", ["label-studio", "azure", "docile", "hf"])
def test_places_stay_on_their_pages(name: str, tmp_path: Path) -> None:
    dataset = write_invoices(tmp_path / "invoices", pages=3)
    rows, _ = there_and_back(name, dataset, tmp_path)
    assert whole_places(rows["a"])["total", "10.00", None].boxes[0][0] == 3
    assert rows["a"].document.read_bytes() == dataset.rows[0].document.read_bytes()


@pytest.mark.parametrize("name", ["cord", "sroie"])
def test_long_documents_are_left_out_where_one_page_is_all(name: str, tmp_path: Path) -> None:
    dataset = write_invoices(tmp_path / "invoices", pages=2)
    rows, report = there_and_back(name, dataset, tmp_path)
    assert list(rows) == ["letter"]
    assert [document for document, _ in report.skipped] == ["a"]
    assert "It has 2 pages" in report.skipped[0][1]


@pytest.mark.parametrize("name", ["csv", "kleister", "sroie"])
def test_values_come_back_where_there_are_no_places(name: str, tmp_path: Path) -> None:
    dataset = write_invoices(tmp_path / "invoices")
    (sent, _), (rows, report) = dataset.rows, there_and_back(name, dataset, tmp_path)
    wanted = filled(sent)
    if name == "sroie":
        wanted["party"] = {"Erste AG"}
        assert report.losses["further values of a field"].examples == ["a: party: Zweite KG"]
    assert filled(rows["a"]) == wanted
    assert rows["a"].places is None
    assert report.losses["places"].count == 9
    if name == "csv":
        assert rows["a"].groups == sent.groups
    else:
        assert report.losses["rows of groups"].count == 2


def test_a_table_keeps_values_of_fields_called_like_its_own_columns(tmp_path: Path) -> None:
    dataset = write_invoices(tmp_path / "invoices")
    names = ("invoice_currency", "vat", "vat_confidence", "detail", "error", "row", "id", "id_2")
    fields = {name: (f"the {name}",) for name in names}
    fields |= {"address": ("Main St 1; Berlin",), "party": ("A", "B"), "document": ("Invoice",)}
    groups = {"items": ({"row": "A1", "id": "7", "price": "1", "price_confidence": "2"},)}
    row = Row("a", dataset.rows[0].document, None, fields, groups=groups)
    rows, report = there_and_back("csv", replace(dataset, rows=(row,)), tmp_path)
    renamed = {"document": "document_2", "id": "id_3"}
    assert rows["a"].groups["items"] == (
        {"row_2": "A1", "id": "7", "price": "1", "price_confidence": "2"},
    )
    assert filled(rows["a"]) == {
        renamed.get(name, name): set(values) for name, values in fields.items()
    }
    assert report.renamed == {**renamed, "items.row": "items.row_2"}


def test_a_split_may_be_called_like_the_folder_of_documents(tmp_path: Path) -> None:
    dataset = write_invoices(tmp_path / "invoices")
    splits = ("documents", "documents-2")
    named = tuple(
        replace(row, split=split) for row, split in zip(dataset.rows, splits, strict=True)
    )
    rows, report = there_and_back("kleister", replace(dataset, rows=named), tmp_path)
    assert {row.id: row.split for row in rows.values()} == {
        "a": "documents-3",
        "letter": "documents-2",
    }
    assert report.renamed == {"documents": "documents-3"}


@pytest.mark.parametrize("name", ["sroie", "hf"])
def test_transcriptions_come_back(name: str, tmp_path: Path) -> None:
    dataset = load_dataset(write_dataset(tmp_path / "shop", (1,)))
    rows, _ = there_and_back(name, dataset, tmp_path)
    words, sent = (
        [(token.text, token.box.as_list()) for _, token in gold_document(row).words()]
        for row in (rows["r1"], dataset.rows[0])
    )
    assert [text for text, _ in words] == [text for text, _ in sent]
    for (_, box), (_, before) in zip(words, sent, strict=True):
        assert box == pytest.approx(before, abs=0.01)
    assert filled(rows["r1"]) == filled(dataset.rows[0])


@pytest.mark.parametrize("mark", ["\u2028", "\x85"])
def test_lines_of_receipts_end_at_line_ends_alone(mark: str, tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "shop", (1,))
    path = next((folder / "ocr").iterdir())
    content = json.loads(path.read_text(encoding="utf-8"))
    content["pages"][0]["lines"][0]["text"] = f"KEDAI{mark}KOPI"
    path.write_text(json.dumps(content), encoding="utf-8")
    rows, report = there_and_back("sroie", load_dataset(folder), tmp_path)
    assert report.skipped == []
    words = [token.text for _, token in gold_document(rows["r1"]).words()]
    assert {"KEDAI", "KOPI"} <= set(words)


def test_forms_come_back_with_their_other_words(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "shop", (1,))
    receipt, line = make_receipt(1), json.loads((folder / "labels.jsonl").read_text())
    transcribed = json.loads((folder / line["ocr"]).read_text())["pages"][0]
    company = transcribed["lines"][0]["box"]
    size = [transcribed["width"], transcribed["height"]] * 2
    box = [edge / scale for edge, scale in zip(company, size, strict=True)]
    line["boxes"] = [
        {"name": "company", "value": receipt.company, "places": [{"page": 1, "box": box}]}
    ]
    (folder / "labels.jsonl").write_text(json.dumps(line))
    rows, report = there_and_back("funsd", load_dataset(folder), tmp_path)
    assert filled(rows["r1"]) == {"company": {receipt.company}}
    assert report.losses["values without a place"].count == 3
    words = [token.text for _, token in gold_document(rows["r1"]).words()]
    assert sorted(words) == sorted(receipt.words)


@pytest.mark.parametrize("name", FORMATS)
def test_folder_without_anything_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(DatasetError):
        import_dataset(name, tmp_path / "empty", tmp_path / "data")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty"]


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    dataset = write_invoices(tmp_path / "invoices")
    before = (tmp_path / "invoices" / "labels.jsonl").read_bytes()
    with pytest.raises(InvalidOption, match="is there already"):
        export_dataset("csv", dataset, tmp_path / "invoices")
    assert (tmp_path / "invoices" / "labels.jsonl").read_bytes() == before


@pytest.mark.parametrize("place", ["../secret.png", "link.png", "/etc/hostname", "a\0b.png"])
def test_documents_out_of_the_folder_are_left_out(place: str, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(receipt_png())
    source = tmp_path / "tables"
    source.mkdir()
    (source / "good.png").write_bytes(receipt_png())
    (source / "link.png").symlink_to(tmp_path / "secret.png")
    lines = f"document,total\n{place},1.00\ngood.png,2.00\n"
    (source / "labels.csv").write_text(lines)
    rows, report = bring_in("csv", source, tmp_path / "data")
    assert list(rows) == ["good"]
    assert len(report.skipped) == 1
    copied = [path.name for path in (tmp_path / "data" / "documents").iterdir()]
    assert copied == ["good.png"]


def test_documents_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    source = tmp_path / "tables"
    source.mkdir()
    (source / "good.png").write_bytes(receipt_png())
    (source / "letter.txt").write_text("Dear Sir")
    lines = "document,total\ngone.png,1.00\nletter.txt,2.00\ngood.png,3.00\n"
    (source / "labels.csv").write_text(lines)
    rows, report = bring_in("csv", source, tmp_path / "data")
    assert list(rows) == ["good"]
    reasons = dict(report.skipped)
    assert "is not there" in reasons["gone.png"]
    assert "none of PDF, PNG" in reasons["letter"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param("[" * 100_000, "not valid JSON", id="deep"),
        pytest.param("{", "not valid JSON", id="broken"),
        pytest.param('{"a": 1}', "no project of Label Studio", id="another"),
    ],
)
def test_broken_json_is_named(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "project.json").write_text(content)
    with pytest.raises(DatasetError, match=message):
        import_dataset("label-studio", tmp_path / "project.json", tmp_path / "data")


def test_huge_json_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "project.json"
    path.touch()
    os.truncate(path, 600 << 20)  # a hole: it takes no room
    with pytest.raises(DatasetError, match="600 MB; at most 512"):
        import_dataset("label-studio", path, tmp_path / "data")


def test_names_are_made_usable_and_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(receipt_png())
    header = "document,VendorName,vendor_name,Netto (€),2nd,Größe,Öl,ß,Faktura №\n"
    (tmp_path / "labels.csv").write_text(f"{header}a.png,a,b,c,d,e,f,g,h\n", encoding="utf-8")
    rows, report = bring_in("csv", tmp_path, tmp_path / "data")
    assert rows["a"].fields == {
        "vendor_name": ("a",),
        "vendor_name_2": ("b",),
        "netto": ("c",),
        "field_2nd": ("d",),
        "grosse": ("e",),
        "ol": ("f",),
        "ss": ("g",),
        "faktura_no": ("h",),
    }
    assert report.renamed["vendor_name"] == "vendor_name_2"


def test_same_names_of_documents_become_different_ids(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.png").write_bytes(receipt_png())
    (tmp_path / "labels.csv").write_text("document;total\nx/a.png;1,00\ny/a.png;2,00\n")
    rows, _ = bring_in("csv", tmp_path, tmp_path / "data")
    assert {name: row.value("total") for name, row in rows.items()} == {"a": "1,00", "a-2": "2,00"}


@pytest.mark.parametrize("name", FORMATS)
def test_names_of_a_dataset_lead_to_no_other_folder(name: str, tmp_path: Path) -> None:
    dataset = write_invoices(tmp_path / "inner" / "mine")
    ids, splits = ("../up", "漢" * 120), ("../../escaped", "字" * 120)
    rows = [
        replace(row, id=row_id, split=split)
        for row, row_id, split in zip(dataset.rows, ids, splits, strict=True)
    ]
    target = tmp_path / "inner" / "out" / "there"
    export_dataset(name, replace(dataset, rows=tuple(rows)), target)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert path.is_relative_to(target) or path.is_relative_to(dataset.folder)


def test_report_tells_what_and_how_often(tmp_path: Path) -> None:
    dataset = write_invoices(tmp_path / "invoices")
    bare = [Row(row.id, row.document, None, row.fields, row.split) for row in dataset.rows]
    report = export_dataset("docile", type(dataset)(dataset.folder, tuple(bare)), tmp_path / "out")
    assert json.loads(json.dumps(report.to_json()))["not_carried_over"] == [
        {
            "what": "values without a place",
            "count": 9,
            "examples": [
                "a: vendor: Ästhetik & <Söhne> GmbH",
                "a: address: Musterweg 5, 12345 Berlin",
                "a: party: Erste AG",
                "a: party: Zweite KG",
                "a: total: 10.00",
            ],
        }
    ]
    assert any("values without a place, 9 times" in line for line in report.sentences())
