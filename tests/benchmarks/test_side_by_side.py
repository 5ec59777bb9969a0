"""What is drawn of two models: places that one has right and the other has not."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from benchmarks.side_by_side import judged, main
from models.geometry import Box
from models.packages import BUNDLED
from pipeline.extract import Extractor
from pipeline.reading.reader import read_document
from pipeline.values.schema import FieldSpec, Kind
from tests.commands import run
from training.data.dataset import Place, Row
from training.invent import write_dataset

FIELDS = [
    FieldSpec("invoice_number", Kind.IDENTIFIER),
    FieldSpec("invoice_date", Kind.DATE),
    FieldSpec("invoice_total", Kind.AMOUNT),
]


@pytest.fixture(scope="module")
def invented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("weasyprint", reason="Pango is not installed", exc_type=OSError)
    from training.invent.invoices import Invoices

    folder = tmp_path_factory.mktemp("invented")
    write_dataset(folder / "data", 1, Invoices(seed=4242, languages=("en",)), processes=1)
    return folder


def test_places_are_right_where_the_value_stands_there(invented: Path) -> None:
    answer = Extractor(BUNDLED / "invoices").answer(
        read_document((invented / "data/documents/000001.pdf").read_bytes()), 0.0
    )
    number, date, total = (answer.fields[spec.name] for spec in FIELDS)
    places = {
        spec.name: (value.page, Box(*value.box))
        for spec, value in zip(FIELDS, (number, date, total), strict=True)
    }
    elsewhere = (1, Box(0.0, 0.0, 0.01, 0.01))
    row = Row(
        "1",
        invented / "data/documents/000001.pdf",
        None,
        {},
        places=(
            Place("invoice_number", number.text, (places["invoice_number"],)),
            Place("invoice_date", "1999-01-01", (places["invoice_date"],)),  # another value
            Place("invoice_total", str(total.value["amount"]), (elsewhere,)),  # another place
        ),
    )
    seen = judged(row, answer, FIELDS)
    assert seen.right == {places["invoice_number"]}
    assert seen.missed == {places["invoice_date"], elsewhere}
    assert places["invoice_total"] in seen.extra
    assert places["invoice_number"] not in seen.extra


def test_a_sheet_shows_where_the_better_one_is_right(invented: Path) -> None:
    packages = (BUNDLED / "invoices", BUNDLED / "orders")
    done = run(invented / "data", *packages, invented / "sheet", main=main)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("one: 000001, page 1, ")
    with Image.open(invented / "sheet-one.webp") as picture:
        assert picture.width > picture.height / 2
    assert not (invented / "sheet-other.webp").exists()
