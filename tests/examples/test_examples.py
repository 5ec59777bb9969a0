"""The examples run as the README says, and the receipt they make can be read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pipeline.reading.reader import read_document
from pipeline.values.schema import load_fields
from training.data import build_corpus, load_dataset
from training.scoring import oracle, score, texts_of

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(script: str, *arguments: str | Path) -> None:
    subprocess.run([sys.executable, EXAMPLES / script, *map(str, arguments)], check=True)


@pytest.mark.ocr
def test_the_receipt_that_is_made_can_be_read_and_its_fields_drawn(tmp_path: Path) -> None:
    receipt, answer, drawn = (tmp_path / name for name in ("r.png", "a.json", "f.png"))
    run("make_receipt.py", receipt)

    page = read_document(receipt.read_bytes()).pages[0]
    texts = [token.text for token in page.tokens]
    assert {"KEDAI", "SERINDIT", "58.30", "16/03/2018"} <= set(texts)
    total = page.tokens[texts.index("58.30")]
    assert [t.text for t in page.tokens if t.line == total.line] == ["TOTAL", "RM", "58.30"]

    value = {"page": 1, "confidence": 0.97, "box": total.box.as_list()}
    fields = {"total": value, "date": None, "party": [value], "other": {**value, "page": 2}}
    answer.write_text(json.dumps({"fields": fields}))
    run("draw_fields.py", receipt, answer, drawn)
    with Image.open(receipt) as before, Image.open(drawn) as after:
        assert after.size == before.size
        changed = np.asarray(after) != np.asarray(before.convert("RGB"))
    rows = changed.any(axis=(1, 2)).nonzero()[0] / changed.shape[0]
    # Only around the box is anything drawn.
    assert total.box.top - 0.02 < rows.min() < rows.max() < total.box.bottom + 0.02


def test_the_values_of_invented_orders_are_found_on_all_forms(tmp_path: Path) -> None:
    """Sixty forms: dates in five ways, ranges with and without spaces, captions all round."""
    folder = tmp_path / "orders"
    run("make_orders.py", folder, "--count", "60", "--issuers", "60", "--seed", "1")
    dataset = load_dataset(folder)
    assert len(dataset.rows) == 60
    fields = load_fields(EXAMPLES / "orders.toml")
    corpus = build_corpus(dataset, fields, "own", cache=tmp_path / "readings")
    assert not corpus.unread
    ids = [row.id for row in dataset.rows]
    styles = corpus.styles(ids)
    found = score(texts_of(oracle(corpus, ids, styles), styles), corpus.labels(ids), fields)
    assert found.total("normalised").f1 == 1
    assert all(len(document.pages) >= 1 for document in corpus.documents.values())


def test_invented_orders_are_the_same_from_one_seed_and_replace_nothing(tmp_path: Path) -> None:
    for name, seed in (("a", "3"), ("b", "3"), ("c", "4")):
        run("make_orders.py", tmp_path / name, "--count", "3", "--issuers", "2", "--seed", seed)
    labels = [(tmp_path / name / "labels.jsonl").read_text() for name in "abc"]
    pages = [(tmp_path / name / "documents" / "0002.pdf").read_bytes() for name in "abc"]
    assert labels[0] == labels[1] != labels[2]
    assert pages[0] == pages[1] != pages[2]
    again = subprocess.run(
        [sys.executable, EXAMPLES / "make_orders.py", tmp_path / "a"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert again.returncode == 1
    assert "is there already" in again.stderr
    assert (tmp_path / "a" / "labels.jsonl").read_text() == labels[0]
