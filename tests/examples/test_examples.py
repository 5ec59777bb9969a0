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
