"""Files as other tools write them, by the examples in their documentation, made anew here."""

from __future__ import annotations

import io
import json
import lzma
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from PIL import Image

from models.geometry import Box
from tests.builders import encode
from tests.conversions import bring_in, filled, write_invoices
from training.data.dataset import Place, Row, load_dataset
from training.data.formats.folder import export_dataset
from training.data.formats.report import Report
from training.data.reading import gold_document
from training.errors import DatasetError


def _picture(path: Path, size: tuple[int, int] = (200, 100)) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", size, "white").save(path)
    return path


def _write(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


# Label Studio


def _rectangle(
    name: str, label: str, text: str | None, x: float, y: float, **more: Any
) -> list[dict[str, Any]]:
    """Return the two results of a labelled and transcribed rectangle, as its OCR template makes."""
    at = {"x": x, "y": y, "width": 20.0, "height": 10.0, "rotation": 0}
    common = {
        "id": name,
        "to_name": "image",
        "original_width": 200,
        "original_height": 100,
        "image_rotation": 0,
        "origin": "manual",
        **more,
    }
    results = [
        {**common, "from_name": "bbox", "type": "rectangle", "value": at},
        {
            **common,
            "from_name": "label",
            "type": "rectanglelabels",
            "value": {**at, "rectanglelabels": [label]},
        },
    ]
    if text is not None:
        results.append(
            {
                **common,
                "from_name": "transcription",
                "type": "textarea",
                "value": {**at, "text": [text]},
            }
        )
    return results


def _task(result: list[dict[str, Any]], **data: Any) -> dict[str, Any]:
    annotation = {
        "id": 11,
        "completed_by": 1,
        "result": result,
        "was_cancelled": False,
        "ground_truth": False,
        "lead_time": 9.3,
    }
    return {
        "id": 7,
        "annotations": [annotation],
        "file_upload": "1f2e3d4c-shop.png",
        "predictions": [],
        "data": data or {"ocr": "/data/upload/3/1f2e3d4c-shop.png"},
        "project": 3,
    }


def _project(
    folder: Path, *tasks: dict[str, Any], pictures: tuple[str, ...] = ("shop.png",)
) -> tuple[dict[str, Row], Report]:
    """Import a project of tasks, with pictures beside it; return its rows, and the report."""
    for name in pictures:
        _picture(folder / name)
    _write(folder / "p.json", tasks)
    return bring_in("label-studio", folder, folder / "data")


def _table(folder: Path, text: str, items: str = "") -> tuple[dict[str, Row], Report]:
    """Import a table of labels, and one of items, beside the picture that it names a.png."""
    _picture(folder / "a.png")
    (folder / "labels.csv").write_text(text)
    if items:
        (folder / "labels.items.csv").write_text(items)
    return bring_in("csv", folder, folder / "data")


def test_label_studio_uploads_are_found_by_name(tmp_path: Path) -> None:
    task = _task(_rectangle("a", "Total", "9.00", 10, 20))
    rows, report = _project(tmp_path, task, pictures=("files/shop.png",))
    assert rows["shop"].fields == {"total": ("9.00",)}
    assert rows["shop"].places == (Place("total", "9.00", ((1, Box(0.1, 0.2, 0.3, 0.3)),)),)
    assert report.renamed == {"Total": "total"}
    assert report.losses == {}


def test_label_studio_rows_by_tree_by_relation_and_by_line(tmp_path: Path) -> None:
    relation = {"type": "relation", "from_id": "c", "to_id": "R2", "direction": "right"}
    result = [
        *_rectangle("R1", "items", None, 0, 40),
        *_rectangle("a", "items.name", "Tea", 0, 40, parentID="R1"),
        *_rectangle("b", "items.amount", "5.00", 50, 60, parentID="R1"),  # in another line
        *_rectangle("R2", "items", None, 0, 20),
        *_rectangle("c", "items.name", "Cake", 0, 20),
        relation,
        *_rectangle("d", "items.amount", "6.00", 50, 71),
        *_rectangle("e", "items.name", "Ham", 0, 70),
    ]
    rows, report = _project(tmp_path, _task(result))
    assert rows["shop"].groups["items"] == (
        {"name": "Cake"},
        {"name": "Tea", "amount": "5.00"},
        {"amount": "6.00", "name": "Ham"},
    )
    assert [place.row for place in rows["shop"].places or ()] == [0, 1, 1, 2, 2]
    (loss,) = report.losses.values()
    assert (loss.what[:19], loss.count) == ("cells without a row", 2)


def test_label_studio_cells_that_are_related_are_a_row_without_a_frame(tmp_path: Path) -> None:
    result = [
        *_rectangle("d", "items.amount", "6.00", 50, 40),  # beside the name of the next row
        *_rectangle("a", "items.name", "Tea", 0, 20),
        *_rectangle("b", "items.amount", "5.00", 50, 20),
        *_rectangle("c", "items.name", "Cake", 0, 30),
        *_rectangle("e", "items.unit", "kg", 70, 50, parentID="c"),
        *_rectangle("f", "total", "11.00", 0, 90),
        *_rectangle("g", "items.name", "Ham", 0, 40),
    ]
    pairs = (("c", "d"), ("b", "a"), ("f", "b"), ("f", "d"))
    result += [{"type": "relation", "from_id": one, "to_id": other} for one, other in pairs]
    rows, report = _project(tmp_path, _task(result))
    assert rows["shop"].groups["items"] == (
        {"name": "Tea", "amount": "5.00"},
        {"amount": "6.00", "name": "Cake", "unit": "kg"},
        {"name": "Ham"},
    )
    assert rows["shop"].fields["total"] == ("11.00",)
    (loss,) = report.losses.values()
    assert (loss.what[:19], loss.count) == ("cells without a row", 1)


def test_label_studio_takes_many_related_cells_in_a_moment(tmp_path: Path) -> None:
    """A table of which each cell is related to the next; and a cell goes to its nearest frame."""
    cells = [f"c{number}" for number in range(6000)]
    result = [
        result
        for number, key in enumerate(cells)
        for result in _rectangle(key, f"items.n{number}", "Tea", 0, 20)
    ]
    result += [
        {"type": "relation", "from_id": one, "to_id": other} for one, other in pairwise(cells)
    ]
    result += _rectangle("R1", "lines", None, 0, 60) + _rectangle("R2", "lines", None, 0, 80)
    for key, frame, row in (("a", "R1", "first"), ("b", "R2", "second")):
        result += _rectangle(key, "lines.name", row, 0, 60)
        result.append({"type": "relation", "from_id": key, "to_id": frame})
    result.append({"type": "relation", "from_id": "a", "to_id": "b"})
    began = time.process_time()
    rows, report = _project(tmp_path, _task(result))
    assert time.process_time() - began < 10
    assert len(rows["shop"].groups["items"][0]) == len(cells)
    assert rows["shop"].groups["lines"] == ({"name": "first"}, {"name": "second"})
    assert not report.losses


def test_label_studio_takes_what_a_reviewer_calls_true(tmp_path: Path) -> None:
    task = _task(_rectangle("a", "total", "9.00", 10, 20))
    task["annotations"][0]["ground_truth"] = True
    task["annotations"] += _task(_rectangle("a", "total", "8.00", 10, 20))["annotations"]
    rows, report = _project(tmp_path, task)
    assert rows["shop"].fields == {"total": ("9.00",)}
    assert [*report.losses] == ["annotations of one task beside the true, or last, one"]


def test_label_studio_leaves_out_what_it_would_put_in_the_wrong_place(tmp_path: Path) -> None:
    """Regions of a second picture, and of one that was turned, lie elsewhere in the document."""
    first = _rectangle("a", "total", "9.00", 10, 20, to_name="first")
    second = _rectangle("b", "date", "1 May", 10, 20, to_name="second")
    turned = _rectangle("c", "total", "9.00", 10, 20, image_rotation=90)
    nameless = _rectangle("d", "total", "7.00", 10, 20)
    del nameless[1]  # the label
    kept = _rectangle("e", "total", "9.00", 50, 50)
    rows, report = _project(
        tmp_path,
        _task([*first, *second], one="p1.png", two="p2.png"),
        _task(turned, image="p1.png"),
        _task([*nameless, *kept]),
        pictures=("shop.png", "p1.png", "p2.png"),
    )
    assert rows["shop"].fields == {"total": ("9.00",)}
    assert [*rows] == ["shop"]
    several, turn = (reason for _, reason in report.skipped)
    assert "its regions lie on several pictures, first, second: " in several
    assert "its picture was turned in Label Studio" in turn
    (loss,) = report.losses.values()
    assert (loss.what, loss.count) == ("texts without a label", 1)


def test_label_studio_says_what_it_leaves(tmp_path: Path) -> None:
    _picture(tmp_path / "shop.png")
    turned = _rectangle("a", "total", "9.00", 50, 50)
    for item in turned:
        item["value"]["rotation"] = 90
    choice = {"id": "k", "type": "choices", "from_name": "kind", "value": {"choices": ["bill"]}}
    empty = _rectangle("b", "date", None, 0, 0)
    tasks = [
        _task([*turned, choice, *empty]),
        _task([], image="https://example.org/elsewhere.png"),
        _task([], image="../../etc/passwd"),
        {"id": 9, "data": {"image": "shop.png"}, "annotations": []},
        {"id": 10, "data": {"image": "shop.png"}, "annotations": [{"result": [3]}]},
    ]
    _write(tmp_path / "p.json", tasks)
    rows, report = bring_in("label-studio", tmp_path / "p.json", tmp_path / "data")
    (place,) = rows["shop"].places or ()
    # Turned by a right angle around (100, 50) pixels, 40 by 10 become 10 by 40, to the left.
    assert place.boxes[0][1].as_list() == pytest.approx([0.45, 0.5, 0.5, 0.9])
    assert set(report.losses) == {
        "results of the type choices",
        "rectangles without a text",
        "shapes other than upright rectangles: the box around is kept",
    }
    reasons = [reason for _, reason in report.skipped]
    assert "elsewhere.png is not there" in reasons[0]
    assert "is not there" in reasons[1]
    assert reasons[2] == "not as expected: it has no annotation"
    assert len(reasons) == 4


def test_label_studio_pages_become_one_document(tmp_path: Path) -> None:
    _picture(tmp_path / "p1.png")
    _picture(tmp_path / "p2.png", (300, 400))
    result = _rectangle("a", "total", "9.00", 10, 20, item_index=1)
    task = _task(result, pages=["/data/local-files/?d=p1.png", "/data/local-files/?d=p2.png"])
    _write(tmp_path / "p.json", [task])
    rows, _ = bring_in("label-studio", tmp_path / "p.json", tmp_path / "data")
    (row,) = rows.values()
    assert [page for place in row.places or () for page, _ in place.boxes] == [2]
    with Image.open(row.document) as image:
        assert (image.n_frames, image.size) == (2, (200, 100))


# Azure Document Intelligence


def test_azure_words_are_joined_to_values(tmp_path: Path) -> None:
    _picture(tmp_path / "scan.jpg")

    def word(text: str, x: float, y: float, page: int = 1) -> dict[str, Any]:
        corners = [x, y, x + 0.1, y, x + 0.1, y + 0.05, x, y + 0.05]
        return {"page": page, "text": text, "boundingBoxes": [corners]}

    labels = [
        {"label": "Vendor", "value": [word("ACME", 0.1, 0.1), word("Ltd", 0.21, 0.1)]},
        {"label": "Address", "value": [word("1 Road,", 0.1, 0.2), word("Town", 0.1, 0.3)]},
        {"label": "DueDate", "key": None, "value": []},
        {"label": "Items/1/Name", "value": [word("Cake", 0.1, 0.6)]},
        {"label": "Items/0/Name", "value": [word("Tea", 0.1, 0.5)]},
        {"label": "Parties/0/value", "value": [word("A", 0.5, 0.1)]},
        {"label": "Parties/1/value", "value": [word("B", 0.5, 0.2)]},
        {"label": "Taxes/Net/Amount", "value": [word("9.00", 0.5, 0.5)]},
    ]
    _write(tmp_path / "scan.jpg.labels.json", {"document": "scan.jpg", "labels": labels})
    _write(tmp_path / "scan.jpg.ocr.json", {"analyzeResult": {"pages": []}})
    _write(tmp_path / "fields.json", {"fields": []})
    rows, report = bring_in("azure", tmp_path, tmp_path / "data")
    row = rows["scan"]
    assert filled(row) == {
        "vendor": {"ACME Ltd"},
        "address": {"1 Road, Town"},
        "parties": {"A", "B"},
        "taxes_net_amount": {"9.00"},
    }
    assert row.fields["due_date"] == ()
    assert row.groups == {"items": ({"name": "Tea"}, {"name": "Cake"})}
    places = {place.field: place.boxes for place in row.places or ()}
    ((page, vendor),) = places["vendor"]
    assert (page, vendor.as_list()) == (1, pytest.approx([0.1, 0.1, 0.31, 0.15]))
    assert len(places["address"]) == 2
    assert list(report.losses) == ["types and formats of fields: `dataset check` guesses them"]


def test_azure_fields_are_declared_as_the_studio_does(tmp_path: Path) -> None:
    export_dataset("azure", write_invoices(tmp_path / "invoices"), tmp_path / "out")
    declared = json.loads((tmp_path / "out" / "fields.json").read_text())
    kinds = {field["fieldKey"]: field["fieldType"] for field in declared["fields"]}
    assert kinds == {
        "date": "string",
        "vendor": "string",
        "address": "string",
        "total": "number",
        "party": "array",
        "items": "array",
    }
    columns = declared["definitions"]["items_object"]["fields"]
    assert [column["fieldKey"] for column in columns] == ["description", "amount"]
    labels = json.loads((tmp_path / "out" / "a.pdf.labels.json").read_text())
    assert labels["document"] == "a.pdf"
    assert {label["label"] for label in labels["labels"]} >= {"party/1/value", "items/0/amount"}
    assert all(
        len(corners) == 8 and all(0 <= edge <= 1 for edge in corners)
        for label in labels["labels"]
        for value in label["value"]
        for corners in value["boundingBoxes"]
    )


# CORD


def _cord() -> dict[str, Any]:
    def line(category: str, group: int, *words: tuple[str, int, int]) -> dict[str, Any]:
        return {
            "category": category,
            "group_id": group,
            "sub_group_id": 0,
            "words": [
                {
                    "text": text,
                    "is_key": is_key,
                    "row_id": 5,
                    "quad": {
                        "x1": x, "y1": 10, "x2": x + 20, "y2": 10,
                        "x3": x + 20, "y3": 20, "x4": x, "y4": 20,
                    },
                }
                for text, x, is_key in words
            ],
        }  # fmt: skip

    return {
        "valid_line": [
            line("menu.nm", 3, ("Nasi", 0, 0), ("Putih", 25, 0)),
            line("menu.price", 3, ("10.000", 150, 0)),
            line("menu.nm", 4, ("Teh", 0, 0)),
            line("total.total_price", 8, ("TOTAL", 0, 1), ("10.000", 150, 0)),
        ],
        "meta": {"split": "dev", "image_id": 0, "image_size": {"width": 200, "height": 100}},
        "roi": {"x1": 1},
        "dontcare": [],
    }


def test_cord_lines_are_rows_and_fields(tmp_path: Path) -> None:
    _picture(tmp_path / "dev" / "image" / "receipt_00000.png")
    _write(tmp_path / "dev" / "json" / "receipt_00000.json", _cord())
    rows, report = bring_in("cord", tmp_path, tmp_path / "data")
    row = rows["receipt_00000"]
    assert row.groups == {"menu": ({"nm": "Nasi Putih", "price": "10.000"}, {"nm": "Teh"})}
    assert filled(row) == {"total_total_price": {"10.000"}}
    assert row.split == "dev"
    assert (row.places or ())[0].boxes == ((1, Box(0.0, 0.1, 0.225, 0.2)),)
    assert list(report.losses) == ["`roi`"]


# DocILE


def test_docile_pages_count_from_zero(tmp_path: Path) -> None:
    document = write_invoices(tmp_path / "invoices", pages=2).rows[0].document
    (tmp_path / "docile" / "pdfs").mkdir(parents=True)
    (tmp_path / "docile" / "pdfs" / "0a1b.pdf").write_bytes(document.read_bytes())
    item = {"bbox": [0.1, 0.2, 0.3, 0.25], "page": 1, "text": "Advertising\nspot"}
    annotation = {
        "field_extractions": [
            {"bbox": [0.5, 0.5, 0.6, 0.52], "page": 0, "text": "9.00", "fieldtype": "amount_due"}
        ],
        "line_item_extractions": [
            {**item, "fieldtype": "line_item_description", "line_item_id": 4},
            {**item, "text": "9.00", "fieldtype": "line_item_amount_gross", "line_item_id": 4},
        ],
        "line_item_headers": [{**item, "fieldtype": "line_item_description", "line_item_id": 0}],
        "metadata": {"page_count": 2, "currency": "usd", "document_type": "tax_invoice"},
    }
    _write(tmp_path / "docile" / "annotations" / "0a1b.json", annotation)
    _write(tmp_path / "docile" / "val.json", ["0a1b"])
    rows, report = bring_in("docile", tmp_path / "docile", tmp_path / "data")
    row = rows["0a1b"]
    assert row.groups == {
        "line_items": ({"description": "Advertising\nspot", "amount_gross": "9.00"},)
    }
    assert row.split == "val"
    assert [place.boxes[0][0] for place in row.places or ()] == [1, 2, 2]
    assert len(report.losses) == 2


# Kleister


@pytest.mark.parametrize("content", [True, 3, None, {"a": 1}])
def test_docile_splits_that_are_no_lists_are_named(content: Any, tmp_path: Path) -> None:
    export_dataset("docile", write_invoices(tmp_path / "mine"), tmp_path / "there")
    _write(tmp_path / "there" / "train.json", content)
    with pytest.raises(DatasetError, match=r"train\.json is no list"):
        bring_in("docile", tmp_path / "there", tmp_path / "back")


def test_kleister_values_lose_their_underscores(tmp_path: Path) -> None:
    document = write_invoices(tmp_path / "invoices").rows[0].document
    source = tmp_path / "kleister"
    (source / "documents").mkdir(parents=True)
    (source / "documents" / "ab.pdf").write_bytes(document.read_bytes())
    (source / "train").mkdir()
    keys = "effective_date jurisdiction party term"
    with lzma.open(source / "train" / "in.tsv.xz", "wt", encoding="utf-8") as file:
        file.write(f"ab.pdf\t{keys}\tLine one\\nand two\t\t\t\n")
        file.write(f"gone.pdf\t{keys}\t\t\t\t\n../ab.pdf\t{keys}\t\t\t\t\n")
    (source / "train" / "expected.tsv").write_text(
        "effective_date=2014-05-30 party=Eric_Dean_Sprunk party=Nike_Inc.\nterm=1_years\n\n"
    )
    rows, report = bring_in("kleister", source, tmp_path / "data")
    assert rows["ab"].fields == {
        "effective_date": ("2014-05-30",),
        "jurisdiction": (),
        "party": ("Eric Dean Sprunk", "Nike Inc."),
        "term": (),
    }
    assert [name for name, _ in report.skipped] == ["gone.pdf", "../ab.pdf"]


def test_kleister_files_of_different_lengths_are_refused(tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    with lzma.open(tmp_path / "train" / "in.tsv.xz", "wt") as file:
        file.write("a.pdf\tterm\n")
    (tmp_path / "train" / "expected.tsv").write_text("term=1_years\nterm=2_years\n")
    with pytest.raises(DatasetError, match=r"has 2 lines, and in\.tsv\.xz beside it 1"):
        bring_in("kleister", tmp_path, tmp_path / "data")


# FUNSD and SROIE


def test_funsd_blocks_are_values_with_places(tmp_path: Path) -> None:
    _picture(tmp_path / "testing_data" / "images" / "f.png")

    def block(label: str, y: int, *words: tuple[str, int], linking: Any = ()) -> dict[str, Any]:
        found = [{"text": text, "box": [x, y, x + 20, y + 10]} for text, x in words]
        return {"label": label, "words": found, "linking": linking, "id": y}

    form = [
        block("question", 10, ("Date:", 0), linking=[[10, 20]]),
        block("answer", 20, ("5", 40), ("May", 62), linking=[[10, 20]]),
        block("other", 40, ("R&D", 0)),
    ]
    _write(tmp_path / "testing_data" / "annotations" / "f.json", {"form": form})
    rows, report = bring_in("funsd", tmp_path, tmp_path / "data")
    row = rows["f"]
    assert (filled(row), row.split) == ({"question": {"Date:"}, "answer": {"5 May"}}, "test")
    assert (row.places or ())[1].boxes == ((1, Box(0.2, 0.2, 0.41, 0.3)),)
    words = [token.text for _, token in gold_document(row).words()]
    assert words == ["Date:", "5", "May", "R&D"]
    assert report.losses["links between blocks"].count == 2


@pytest.mark.parametrize(
    ("picture", "box", "key"),
    [("img/x.jpg", "box/x.txt", "key/x.json"), ("task1/x.jpg", "task1/x.txt", "task2/x.txt")],
)
def test_sroie_files_are_told_by_their_content(
    picture: str, box: str, key: str, tmp_path: Path
) -> None:
    source = tmp_path / "sroie"
    _picture(source / picture)
    _write(source / key, {"company": "KEDAI", "date": "", "total": "9.00"})
    (source / box).parent.mkdir(exist_ok=True)
    # Commas in a text are its own; some files are not UTF-8.
    (source / box).write_bytes(b"10,10,60,10,60,20,10,20,KEDAI, CAF\xc9\r\n")
    rows, report = bring_in("sroie", source, tmp_path / "data")
    assert rows["x"].fields == {"company": ("KEDAI",), "date": (), "total": ("9.00",)}
    assert rows["x"].places is None
    words = [token.text for _, token in gold_document(rows["x"]).words()]
    assert words == ["KEDAI,", "CAFÉ"]
    assert report.losses == {}


# Tables


def test_corrected_answers_are_labels(tmp_path: Path) -> None:
    _picture(tmp_path / "a.png")
    (tmp_path / "answers.csv").write_text(
        "document,party,party_confidence,total,total_currency,total_confidence,"
        "needs_review,model,error,detail\n"
        "a.png,A; B,0.9; 0.8,-9.00,MYR,0.91,party,m@1,,\n"
    )
    (tmp_path / "answers.items.csv").write_text(
        "document,row,name,name_confidence,needs_review\n"
        "a.png,1,'=Tea,0.9,name\na.png,2,'Cake,0.9,\n"
    )
    rows, report = bring_in("csv", tmp_path / "answers.csv", tmp_path / "data")
    assert filled(rows["a"]) == {"party": {"A", "B"}, "total": {"-9.00"}}
    assert rows["a"].groups == {"items": ({"name": "=Tea"}, {"name": "'Cake"})}
    assert list(report.losses) == ["confidences and currencies of answers"]


def test_only_tables_with_confidences_are_answers(tmp_path: Path) -> None:
    rows, _ = _table(
        tmp_path,
        "document,invoice_currency,address,detail,error\na.png,EUR,Main St 1; Berlin,late,none\n",
    )
    assert filled(rows["a"]) == {
        "invoice_currency": {"EUR"},
        "address": {"Main St 1; Berlin"},
        "detail": {"late"},
        "error": {"none"},
    }


def test_a_document_that_a_table_has_twice_is_taken_once(tmp_path: Path) -> None:
    twice, items = "document,total\na.png,9.00\na.png,8.00\n", "document,row,name\na.png,1,Tea\n"
    rows, report = _table(tmp_path, twice, items)
    assert filled(rows["a"]) == {"total": {"9.00"}}
    assert rows["a"].groups == {"items": ({"name": "Tea"},)}
    assert report.skipped == [("a.png", "line 3 names it again")]
    assert list(rows) == ["a"]


def test_rows_of_a_merged_cell_are_not_lost(tmp_path: Path) -> None:
    """A spreadsheet saves such a cell once: the other rows would be no rows of the document."""
    with pytest.raises(DatasetError, match=r"labels\.items\.csv: row 3 names no document"):
        _table(tmp_path, "document,total\na.png,9.00\n", "document,name\na.png,Tea\n,Cake\n")


def test_paths_may_be_written_as_windows_does(tmp_path: Path) -> None:
    _picture(tmp_path / "pages" / "a.png")
    table, items = "document,total\npages\\a.png ,9.00\n", "document,name\npages/a.png,Tea\n"
    rows, _ = _table(tmp_path, table, items)
    assert rows["a"].groups == {"items": ({"name": "Tea"},)}


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"PK\x03\x04\x14\x00\x08\x00[Content_Types].xml", id="workbook"),
        pytest.param(
            "document,total\na.png,9.00\n".encode("utf-16-le"), id="utf_16_without_a_mark"
        ),
    ],
)
def test_what_is_no_table_of_text_is_refused_as_such(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_bytes(content)
    with pytest.raises(DatasetError, match=r"labels\.csv is no table of text") as refused:
        bring_in("csv", tmp_path, tmp_path / "data")
    assert "as CSV in UTF-8" in refused.value.advice


def test_a_folder_without_its_table_is_told_which_it_has(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"labels\.csv is not there") as none:
        bring_in("csv", tmp_path, tmp_path / "data")
    assert "a folder with a labels.csv" in none.value.advice
    (tmp_path / "notes.csv").write_text("document\na.png\n")
    with pytest.raises(DatasetError, match=r"labels\.csv is not there") as other:
        bring_in("csv", tmp_path, tmp_path / "data")
    assert "has notes.csv" in other.value.advice


def test_letters_that_a_table_has_lost_are_guessed_at(tmp_path: Path) -> None:
    """As a spreadsheet writes them that saves in the encoding of Western Europe."""
    _picture(tmp_path / "Ayşe.png")
    _picture(tmp_path / "Uwe.png")
    text = "document;total\nAyşe.png;9,00\nBob.png;7,00\nUwe.png;8,00\n"
    (tmp_path / "labels.csv").write_bytes(text.encode("cp1252", errors="replace"))
    rows, report = bring_in("csv", tmp_path, tmp_path / "data")
    assert set(rows) == {"Uwe"}
    (_, lost), (_, missing) = report.skipped
    assert "save the table as CSV in UTF-8" in lost
    assert missing == "Bob.png is not there"


def test_a_folder_of_a_table_is_told_how_to_become_a_dataset(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read") as nothing:
        load_dataset(tmp_path)
    assert "import" not in nothing.value.advice
    (tmp_path / "labels.csv").write_text("document;total\n")
    with pytest.raises(DatasetError, match="cannot be read") as table:
        load_dataset(tmp_path)
    assert "dataset import --format csv" in table.value.advice


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_tables_are_read_as_spreadsheets_write_them(encoding: str, tmp_path: Path) -> None:
    _picture(tmp_path / "a.png")
    text = " Document ;Party;Total; \r\na.png;“L’Été”;€ 9,00;\r\n;;;\r\n"
    (tmp_path / "labels.csv").write_bytes(text.encode(encoding))
    rows, report = bring_in("csv", tmp_path, tmp_path / "data")
    assert filled(rows["a"]) == {"party": {"“L’Été”"}, "total": {"€ 9,00"}}
    assert set(rows["a"].fields) == {"party", "total"}
    assert not report.skipped


def test_tables_hold_no_formulas(tmp_path: Path) -> None:
    _table(tmp_path, "document,x,y\na.png,=1+1,-5.00\n")
    export_dataset("csv", load_dataset(tmp_path / "data"), tmp_path / "out")
    text = (tmp_path / "out" / "labels.csv").read_text(encoding="utf-8-sig")
    assert text.splitlines()[1] == "documents/a.png,a,train,'=1+1,-5.00"
    rows, _ = bring_in("csv", tmp_path / "out", tmp_path / "again")
    assert filled(rows["a"]) == {"x": {"=1+1"}, "y": {"-5.00"}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("file,total\na.png,1\n", "no column `document`"),
        ("document,total\na.png,1,2\n", "row 2 has not as many cells as .*: 3 for 2"),
        ("document,total\na.png,1\n,\n\nb.png,1,2\n", "row 5 has not as many cells"),
        ('document,total\na.png,"1\n', r"is no table: .* ends in line 2\."),
        ("document|total\na.png|1\n", r"no column `document`: it has document\|total"),
        ("document,total,total\na.png,1,2\n", "has the column `total` twice"),
        ("document,total,\na.png,1,2\n", "row 2 has '2' in a column without a name"),
        ("document,total\na.png,1\n ,2\n", "row 3 names no document"),
    ],
)
def test_tables_that_are_none_are_named(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=message):
        _table(tmp_path, text)


# Hugging Face


def _parquet(path: Path, records: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pa.parquet.write_table(pa.Table.from_pylist(records), path)


def _png() -> dict[str, Any]:
    return {"bytes": encode(Image.new("L", (200, 100), "white"), "PNG"), "path": None}


def test_parquet_of_donut_and_of_cord(tmp_path: Path) -> None:
    parsed = {
        "total": {"total_price": "9.00"},
        "menu": [{"nm": "Tea", "sub": {"nm": ["hot", "sweet"]}}],
        "party": ["A", "B"],
        "pages": 2,
        "date": None,
    }
    records = [
        {"image": _png(), "ground_truth": json.dumps({"gt_parse": parsed}), "more": 1},
        {"image": _png(), "ground_truth": json.dumps({"gt_parse": {}, **_cord()}), "more": 1},
        {"image": {"bytes": None, "path": "/x"}, "ground_truth": "{}", "more": 1},
        {"image": _png(), "ground_truth": "[", "more": 1},
    ]
    _parquet(tmp_path / "data" / "validation-00000-of-00001.parquet", records)
    rows, report = bring_in("hf", tmp_path, tmp_path / "out")
    donut, cord = rows.values()
    assert filled(donut) == {"total_total_price": {"9.00"}, "party": {"A", "B"}, "pages": {"2"}}
    assert donut.groups == {"menu": ({"nm": "Tea", "sub_nm": "hot sweet"},)}
    assert (donut.split, donut.places) == ("validation", None)
    assert cord.groups["menu"][0] == {"nm": "Nasi Putih", "price": "10.000"}
    assert cord.places
    assert [reason[:60] for _, reason in report.skipped] == [
        "not as expected: ValueError('its bytes are not in the file')",
        "not as expected: JSONDecodeError('Expecting value: line 1 co"[:60],
    ]
    assert report.losses["columns"].examples == ["more"]


def test_parquet_says_that_its_pages_are_pictures(tmp_path: Path) -> None:
    export_dataset("hf", write_invoices(tmp_path / "invoices"), tmp_path / "out")
    table = pa.parquet.read_table(tmp_path / "out" / "data" / "train-00000-of-00001.parquet")
    features = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    assert list(features) == table.column_names
    assert features["pages"]["feature"] == {"_type": "Image"}
    (record,) = table.to_pylist()
    with Image.open(io.BytesIO(record["pages"][0]["bytes"])) as page:
        assert page.width == 1654
    assert json.loads(record["ground_truth"])["gt_parse"]["party"] == ["Erste AG", "Zweite KG"]


def test_parquet_of_another_kind_is_refused(tmp_path: Path) -> None:
    _parquet(tmp_path / "a.parquet", [{"text": "x"}])
    with pytest.raises(DatasetError, match="has the columns text"):
        bring_in("hf", tmp_path, tmp_path / "out")
    (tmp_path / "a.parquet").write_bytes(b"PAR1 but not really PAR1")
    with pytest.raises(DatasetError, match="no Parquet file that can be read"):
        bring_in("hf", tmp_path, tmp_path / "out")
