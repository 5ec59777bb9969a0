"""Invented receipts and orders: their values can be found, and a seed always gives the same."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline.values.schema import load_fields
from tests.commands import run
from training.data import build_corpus, load_dataset
from training.invent import Inventor, write_dataset
from training.invent.orders import Orders
from training.invent.receipts import Receipts, draw_receipt
from training.scoring import oracle, score, texts_of

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    ("invent", "fields"),
    [
        pytest.param(Orders(seed=1, issuers=24), "orders.toml", id="orders"),
        pytest.param(Receipts(seed=1), "receipts.toml", id="receipts"),
    ],
)
def test_all_values_are_found_on_the_pages(invent: Inventor, fields: str, tmp_path: Path) -> None:
    """Orders: two dozen forms with dates in five ways, ranges, captions all round."""
    write_dataset(tmp_path / "invented", 24, invent)
    dataset = load_dataset(tmp_path / "invented")
    specs = load_fields(EXAMPLES / fields)
    corpus = build_corpus(dataset, specs, "own", cache=tmp_path / "readings")
    assert not corpus.unread
    ids = [row.id for row in dataset.rows]
    styles = corpus.styles(ids)
    found = score(texts_of(oracle(corpus, ids, styles), styles), corpus.labels(ids), specs)
    assert found.total("normalised").f1 == 1


def test_what_a_receipt_lists_adds_up() -> None:
    for seed in range(50):
        receipt = draw_receipt(random.Random(seed))
        amounts = {
            line.rsplit(" ", 1)[0].strip(): line.rsplit(" ", 1)[-1] for line in receipt.lines
        }
        if "CASH" in amounts:
            assert Decimal(amounts["CASH"]) - Decimal(amounts["CHANGE"]) == Decimal(receipt.total)
        if "SUBTOTAL" in amounts:
            extra = sum(Decimal(amounts.get(name, "0")) for name in ("GST 6%", "ROUNDING"))
            assert Decimal(amounts["SUBTOTAL"]) + extra == Decimal(receipt.total)


def test_the_command_writes_the_same_documents_for_the_same_seed(tmp_path: Path) -> None:
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        for kind in ("orders", "receipts"):
            out = tmp_path / kind / name
            done = run("invent", kind, out, "--count", 3, "--seed", seed, "--processes", 1)
            assert done.returncode == 0, done.stderr
    for kind in ("orders", "receipts"):
        labels = [(tmp_path / kind / name / "labels.jsonl").read_text() for name in "abc"]
        assert labels[0] == labels[1] != labels[2]
        for document in (json.loads(line)["document"] for line in labels[0].splitlines()):
            same = [(tmp_path / kind / name / document).read_bytes() for name in "ab"]
            assert same[0] == same[1]


def test_the_command_names_the_languages_that_there_are(tmp_path: Path) -> None:
    done = run("invent", "invoices", tmp_path / "out", "--languages", "de,klingon")
    assert done.returncode == 2
    assert "'klingon'. Choose among de, en," in done.stderr
    assert not (tmp_path / "out").exists()
