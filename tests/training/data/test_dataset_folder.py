"""Dataset folders: every fault is named with its line, and readings are made once."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from models.geometry import Box
from pipeline.document import Document
from pipeline.errors import CorruptDocument
from tests.builders import make_receipt, multipage_tiff
from tests.datasets import labels_of, write_dataset
from training.data import Row, gold_document, load_dataset, read_rows
from training.data.dataset import Place
from training.data.formats.folder import export_dataset
from training.errors import DatasetError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_dataset(tmp_path / "shop", seeds=(1, 2))


def test_rows_are_read_in_order(folder: Path) -> None:
    data = load_dataset(folder)
    assert data.name == "shop"
    assert [row.id for row in data.rows] == ["r1", "r2"]
    assert data.field_names == ("company", "date", "address", "total")
    row = data.rows[0]
    assert row.fields == {k: tuple(v) for k, v in labels_of(make_receipt(1)).items()}
    assert row.value("total") == make_receipt(1).total
    assert row.value("nothing") == ""
    assert row.split == "train"


def test_rows_and_places_of_values_are_read(folder: Path) -> None:
    amount = {"name": "amount", "group": "items", "value": "2.00", "places": []}
    row = _only(
        folder,
        groups={"items": [{"amount": "1.00"}, {"amount": "2.00"}]},
        boxes=[_boxed([0, 0, 0.5, 1]), amount],
    )
    assert row.fields == {"total": ("1.00",), "items.amount": ("1.00", "2.00")}
    assert row.groups == {"items": ({"amount": "1.00"}, {"amount": "2.00"})}
    assert row.places == (
        Place("total", "1.00", ((1, Box(0, 0, 0.5, 1)),)),
        Place("items.amount", "2.00", ()),
    )


def _row(**changes: Any) -> str:
    row = {"id": "x", "document": "documents/r1.pdf", "fields": {"total": ["1.00"]}}
    return json.dumps({key: value for key, value in {**row, **changes}.items() if value != "GONE"})


def _boxed(box: list[float]) -> dict[str, Any]:
    return {"name": "total", "value": "1.00", "places": [{"page": 1, "box": box}]}


def _only(folder: Path, **changes: Any) -> Row:
    """Make a row the only one of the dataset, and return it as it is read."""
    (folder / "labels.jsonl").write_text(_row(**changes), encoding="utf-8")
    [row] = load_dataset(folder).rows
    return row


def test_blank_values_say_nothing(folder: Path) -> None:
    row = _only(
        folder,
        fields={"total": ["", "1.00", " "], "tip": [""]},
        groups={"items": [{"amount": "", "text": "tea"}, {"amount": "2.00"}]},
    )
    assert row.fields == {
        "total": ("1.00",), "tip": (), "items.text": ("tea",), "items.amount": ("2.00",)
    }  # fmt: skip
    assert row.groups == {"items": ({"text": "tea"}, {"amount": "2.00"})}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        pytest.param("{", "Expecting", id="not_json"),
        pytest.param("[1, 2]", "a row must be a JSON object", id="not_an_object"),
        pytest.param(_row(groups={"items": [1]}), "`groups` must map", id="groups"),
        pytest.param(_row(boxes=[{"name": "total"}]), "`boxes` must be a list", id="boxes"),
        pytest.param(_row(boxes=[_boxed([90, 40, 160, 52])]), "fractions of the page", id="pixels"),
        pytest.param(
            _row(
                groups={"items": [{"amount": "1"}]},
                boxes=[{**_boxed([0, 0, 1, 1]), "name": "amount", "group": "items", "row": 1}],
            ),
            "row 1 of items, which is not there",
            id="row",
        ),
        pytest.param("[" * 100_000, "nests too deep", id="nested"),
        pytest.param(_row(fields="GONE"), "a row must have fields", id="no_fields"),
        pytest.param(_row(id="GONE", document="GONE"), "must have id and document", id="no_id"),
        pytest.param(_row(fields=["total"]), "must map each name to a list", id="fields_a_list"),
        pytest.param(_row(fields={"total": "1.00"}), "to a list of texts", id="value_not_a_list"),
        pytest.param(_row(fields={"total": [1.0]}), "to a list of texts", id="value_a_number"),
        pytest.param(_row(document="documents/no.pdf"), "no.pdf is not there", id="no_document"),
        pytest.param(_row(document="documents"), "documents is not there", id="document_a_folder"),
        pytest.param(_row(document="../x.pdf"), "lies outside", id="document_outside"),
        pytest.param(_row(document="/etc/passwd"), "lies outside", id="document_absolute"),
        pytest.param(_row(document="a\u0000b"), "", id="path_with_nul"),
        pytest.param(_row(document="a" * 5000), "", id="path_too_long"),
        pytest.param(_row(ocr="ocr/no.json"), "no.json is not there", id="no_transcription"),
        pytest.param(_row(id="r1"), "id 'r1' is there twice", id="twice"),
    ],
)
def test_faults_are_named_with_their_line(folder: Path, line: str, fault: str) -> None:
    labels = folder / "labels.jsonl"
    labels.write_text(labels.read_text() + "\n" + line + "\n")
    with pytest.raises(DatasetError) as caught:
        load_dataset(folder)
    assert "line 4: " in caught.value.detail
    assert fault in caught.value.detail
    assert caught.value.advice


def test_several_faults_are_named_at_once(folder: Path) -> None:
    (folder / "labels.jsonl").write_text(f"{{\n{_row()}\n{_row(fields=1)}\n")
    with pytest.raises(DatasetError, match=r"line 1: .*; line 3: "):
        load_dataset(folder)


@pytest.mark.parametrize("content", [None, b"", b"\n\n", b"\xff\xfe"])
def test_labels_must_be_there_and_text(folder: Path, content: bytes | None) -> None:
    labels = folder / "labels.jsonl"
    if content is None:
        labels.unlink()
    else:
        labels.write_bytes(content)
    with pytest.raises(DatasetError, match=r"labels.jsonl (cannot be read|holds no documents)"):
        load_dataset(folder)


def test_a_mark_before_the_labels_is_passed_over(folder: Path) -> None:
    labels, rows = folder / "labels.jsonl", load_dataset(folder).rows
    labels.write_text(labels.read_text(), encoding="utf-8-sig")
    assert load_dataset(folder).rows == rows


def test_labels_in_another_encoding_are_named_with_their_line(folder: Path) -> None:
    labels = folder / "labels.jsonl"
    row = json.dumps(
        {**json.loads(_row(id="r9")), "fields": {"total": ["9 €"]}}, ensure_ascii=False
    )
    labels.write_bytes(labels.read_bytes().rstrip() + f"\n{row}\n".encode("cp1252"))
    with pytest.raises(DatasetError, match="not in UTF-8, see line 3"):
        load_dataset(folder)


@pytest.mark.parametrize("mark", ["\u2028", "\x85", "\x1c"])
def test_marks_inside_a_value_end_no_line(folder: Path, mark: str) -> None:
    row = json.dumps(json.loads(_row(fields={"total": [f"1{mark}2"]})), ensure_ascii=False)
    (folder / "labels.jsonl").write_text(row.replace("\\u001c", mark) + "\r\n")
    if mark == "\x1c":  # a bare control character is a fault of that line, and of no other
        with pytest.raises(DatasetError, match=r"line 1: Invalid control character"):
            load_dataset(folder)
        return
    assert load_dataset(folder).rows[0].value("total") == f"1{mark}2"


def test_gold_transcription_has_words_in_their_places(folder: Path) -> None:
    document = gold_document(load_dataset(folder).rows[0])
    receipt = make_receipt(1)
    words = list(document.words())
    assert [token.text for _, token in words] == receipt.words
    [page] = document.pages
    assert (page.width, page.height, page.text_source) == (595, 842, "gold")
    first = words[0][1].box
    assert first.x0 == pytest.approx(60 / 595)
    assert first.width == pytest.approx(8 * len(words[0][1].text) / 595)
    assert first.top == pytest.approx(51 / 842)


def _page(*lines: dict[str, Any], width: int = 10, height: int = 10) -> dict[str, Any]:
    return {"number": 1, "width": width, "height": height, "lines": list(lines)}


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(_page(width=0), id="no_width"),
        pytest.param(_page(height=0), id="no_height"),
        pytest.param({"number": 1, "height": 10, "lines": []}, id="width_missing"),
        pytest.param([], id="not_an_object"),
        pytest.param(_page({"text": "a", "box": [1, 2, 3]}), id="half_a_box"),
        pytest.param(_page({"text": None, "box": [1, 2, 3, 4]}), id="text_missing"),
        pytest.param(_page({"text": "a", "box": [1, 2, float("nan"), 4]}), id="not_a_number"),
    ],
)
def test_transcription_that_is_none_is_named(folder: Path, page: Any) -> None:
    (folder / "ocr" / "r1.json").write_text(json.dumps({"id": "r1", "pages": [page]}))
    with pytest.raises(DatasetError, match=r"r1.json is not a transcription"):
        gold_document(load_dataset(folder).rows[0])


def test_boxes_of_what_is_not_labelled_are_left_out(folder: Path) -> None:
    place = {"page": 1, "box": [0, 0, 1, 1]}
    boxes = [{"name": name, "value": "1", "places": [place]} for name in ("total", "tip")]
    row = _only(folder, fields={"total": ["1"]}, boxes=boxes)
    assert [found.field for found in row.places or ()] == ["total"]
    export_dataset("azure", load_dataset(folder), folder.parent / "azure")


def test_boxes_over_the_edge_are_clipped(folder: Path) -> None:
    page = _page({"text": "word", "box": [-5, 0, 20, 5]})
    (folder / "ocr" / "r1.json").write_text(json.dumps({"id": "r1", "pages": [page]}))
    [(_, token)] = gold_document(load_dataset(folder).rows[0]).words()
    assert token.box == Box(0, 0, 1, 0.5)


def test_row_without_transcription_says_so(folder: Path) -> None:
    row = load_dataset(folder).rows[0]
    with pytest.raises(DatasetError, match="r1 has no gold transcription"):
        gold_document(Row(row.id, row.document, None, row.fields))


def _texts(document: object) -> list[str]:
    assert isinstance(document, Document)
    return [token.text for _, token in document.words()]


def test_own_readings_are_kept_by_content(folder: Path, tmp_path: Path) -> None:
    rows, cache = load_dataset(folder).rows, tmp_path / "cache"
    seen: list[tuple[int, int]] = []
    first = read_rows(rows, "own", cache=cache, on_row=lambda *at: seen.append(at))
    assert seen == [(1, 2), (2, 2)]
    assert sorted(_texts(first["r1"])) == sorted(make_receipt(1).words)
    assert len(list(cache.iterdir())) == 2
    [kept, _] = cache.iterdir()
    kept.write_text(kept.read_text().replace("THANK", "CACHED"))
    again = read_rows(rows, "own", cache=cache)
    assert sum("CACHED" in _texts(document) for document in again.values()) == 1
    # Another content is another reading.
    rows[0].document.write_bytes(rows[1].document.read_bytes() + b"\n")
    assert _texts(read_rows(rows, "own", cache=cache)["r1"])[0] == make_receipt(2).words[0]


@pytest.mark.parametrize("damaged", [b"{", b"[]", b"\xff", b'{"pages": [{}]}', b""])
def test_a_damaged_reading_is_made_anew(damaged: bytes, folder: Path, tmp_path: Path) -> None:
    rows, cache = load_dataset(folder).rows[:1], tmp_path / "cache"
    first = read_rows(rows, "own", cache=cache)
    [kept] = cache.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(damaged)
    assert read_rows(rows, "own", cache=cache) == first
    assert kept.read_bytes() == whole


def test_equal_documents_are_read_at_the_same_time(folder: Path, tmp_path: Path) -> None:
    row, cache = load_dataset(folder).rows[0], tmp_path / "cache"
    for turn in range(20):
        row.document.write_bytes(row.document.read_bytes() + b"\n")
        rows = [replace(row, id=f"{turn}-{copy}") for copy in range(2)]
        first, second = map(_texts, read_rows(rows, "own", cache=cache).values())
        assert first == second
    assert len(list(cache.glob("*.json"))) == len(list(cache.iterdir())) == 20


def test_unreadable_document_is_an_answer_not_an_end(folder: Path, tmp_path: Path) -> None:
    rows = load_dataset(folder).rows
    rows[0].document.write_bytes(b"%PDF-1.7 and nothing more")
    found = read_rows(rows, "own", cache=tmp_path / "cache")
    assert isinstance(found["r1"], CorruptDocument)
    assert isinstance(found["r2"], Document)


def test_a_reading_that_misses_a_page_is_not_kept(folder: Path, tmp_path: Path) -> None:
    rows, cache = load_dataset(folder).rows[:1], tmp_path / "cache"
    white = Image.new("L", (300, 200), "white")
    tiff = multipage_tiff([white, white])
    rows[0].document.write_bytes(tiff[: len(tiff) * 2 // 3])
    document = read_rows(rows, "own", cache=cache)["r1"]
    assert isinstance(document, Document)
    assert [page.is_unread for page in document.pages] == [False, True]
    assert list(cache.iterdir()) == []


def test_gold_and_own_readings_agree_on_clean_documents(folder: Path, tmp_path: Path) -> None:
    rows = load_dataset(folder).rows
    gold, own = (read_rows(rows, kind, cache=tmp_path / "cache") for kind in ("gold", "own"))
    for row in rows:
        assert _texts(gold[row.id]) == _texts(own[row.id])
