"""`fieldwright dataset import` and `export`: folders and archives, reports and exit codes."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.builders import make_receipt, receipt_png
from tests.commands import run
from tests.datasets import write_dataset
from training.data.dataset import load_dataset


def _pack(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_archive_is_imported_and_what_is_left_out_is_told(tmp_path: Path) -> None:
    table = b"document,total\na.png,9.00\ngone.png,8.00\n"
    files = {"tables/labels.csv": table, "tables/a.png": receipt_png()}
    archive = _pack(tmp_path / "tables.zip", files)
    done = run(
        "dataset", "import", "--format", "csv", "--from", archive, "--to", tmp_path / "data", code=3
    )
    report = json.loads(done.stdout)
    assert (report["documents"], report["values"]) == (1, 1)
    assert report["skipped"] == [{"document": "gone.png", "reason": "gone.png is not there"}]
    assert "left out: gone.png: gone.png is not there" in done.stderr
    assert [row.fields for row in load_dataset(tmp_path / "data").rows] == [{"total": ("9.00",)}]


def test_archive_that_leads_out_is_refused(tmp_path: Path) -> None:
    files = {"labels.csv": b"document\na.png\n", "../a.png": receipt_png()}
    archive = _pack(tmp_path / "tables.zip", files)
    target = tmp_path / "x" / "data"
    done = run("dataset", "import", "--format", "csv", "--from", archive, "--to", target)
    assert (done.returncode, done.stdout) == (3, "")
    assert "A path in the archive leads out of it." in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tables.zip"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "coco", "--from", ".", "--to", "x"], "'coco' is not one of"),
        (["--format", "csv", "--from", "gone", "--to", "x"], "gone is not there"),
    ],
)
def test_wrong_options_are_one_line(arguments: list[str], message: str) -> None:
    done = run("dataset", "import", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in " ".join(done.stderr.split())


def test_places_are_found_for_labels_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIELDWRIGHT_HOME", str(tmp_path / "home"))
    shop = write_dataset(tmp_path / "shop", (1,))
    out, back = tmp_path / "out", tmp_path / "back"
    arguments = ["--format", "azure", "--from", shop, "--to", out, "--find-places"]
    done = run("dataset", "export", *arguments, code=0)
    assert "With --find-places" not in done.stderr
    report = json.loads(done.stdout)
    assert report["values_with_a_place"] == report["values"] >= 4
    run("dataset", "import", "--format", "azure", "--from", out, "--to", back)
    (row,) = load_dataset(back).rows
    receipt = make_receipt(1)
    assert (row.value("company"), row.value("total")) == (receipt.company, receipt.total)
    (total,) = [place for place in row.places or () if place.field == "total"][:1]
    assert 0.3 < total.boxes[0][1].x0 < 1
    plain = run("dataset", "export", *arguments[:-2], tmp_path / "plain", code=0)
    assert "With --find-places values without a place are looked for." in plain.stderr


def test_documents_that_cannot_be_opened_are_no_fault_of_the_format(tmp_path: Path) -> None:
    data = write_dataset(tmp_path / "data", (1,))
    (data / "documents" / "r1.pdf").write_bytes(b"no document")
    done = run("dataset", "export", "--format", "csv", "--from", data, "--to", tmp_path / "csv")
    assert done.returncode == 3
    assert "None of the 1 documents" in done.stderr
    assert "Check that its documents can be opened." in done.stderr


def test_a_table_of_columns_alone_names_no_document(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("document,company,total\n", encoding="utf-8")
    made = tmp_path / "made"
    done = run("dataset", "import", "--format", "csv", "--from", tmp_path, "--to", made)
    assert done.returncode == 3
    assert f"{tmp_path} names no document. Add documents to it." in done.stderr
    assert not made.exists()
