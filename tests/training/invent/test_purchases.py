"""Invented purchase orders: what is labelled of them, and how long they are."""

from __future__ import annotations

import re
from pathlib import Path

import pypdfium2 as pdfium
import pytest

pytest.importorskip("weasyprint", reason="Pango is not installed", exc_type=OSError)

from pipeline.errors import InvalidOption
from training.data import load_dataset
from training.invent import write_dataset
from training.invent.purchases import Purchases


def test_header_and_positions_are_labelled_by_the_names_of_the_paper(tmp_path: Path) -> None:
    write_dataset(tmp_path / "orders", 3, Purchases(seed=3, most_items=30))
    for row in load_dataset(tmp_path / "orders").rows:
        header = {name for name in row.fields if "." not in name}
        assert "order_number" in header
        assert header <= {"order_number", "order_date", "total"}
        assert all(item.keys() <= {"item_id", "quantity"} for item in row.groups["items"])
        assert any("item_id" in item for item in row.groups["items"])


def test_long_orders_have_many_pages_and_every_position() -> None:
    found = Purchases(seed=9, languages=("en",), most_items=300)(1)
    pdf = pdfium.PdfDocument(found.data)
    assert len(pdf) == found.labels["pages"] >= 4
    ids = [item["item_id"] for item in found.labels["groups"]["items"]]
    assert len(ids) > 100
    text = "".join(page.get_textpage().get_text_bounded() for page in pdf)
    assert all(item_id in " ".join(text.split()) for item_id in ids[:: len(ids) // 20])


def test_an_order_speaks_of_no_invoice() -> None:
    for number in range(1, 6):
        found = Purchases(seed=4, languages=("en",), most_items=5)(number)
        text = pdfium.PdfDocument(found.data)[0].get_textpage().get_text_bounded()
        assert not re.search("invoice|bill ", text, re.IGNORECASE), text


def test_an_unknown_language_is_named() -> None:
    with pytest.raises(InvalidOption, match="'xx'"):
        Purchases(languages=("xx",))
