"""Writes small dataset folders of invented receipts, with text-layer PDFs and transcriptions."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.builders import A4, Receipt, make_receipt, receipt_pdf

# One receipt each of different shops: no two names are alike, no two addresses the same.
SEEDS = (0, 1, 2, 4, 5, 7, 9, 12, 13, 14, 15, 16)


def labels_of(receipt: Receipt) -> dict[str, list[str]]:
    """Return the values of a receipt as a dataset labels them."""
    return {
        "company": [receipt.company],
        "date": [receipt.date],
        "address": [receipt.address],
        "total": [receipt.total],
    }


def transcription_of(receipt: Receipt, name: str) -> dict[str, Any]:
    """Return the content of an ocr/ file: the lines of the PDF of a receipt, boxes in points."""
    lines = []
    for number, (left, right) in enumerate(receipt.lines):
        top, bottom = A4[1] - 780 + 28 * number - 11, A4[1] - 780 + 28 * number + 3
        for text, x0, x1 in ((left, 60, 60 + 8 * len(left)), (right, 530 - 8 * len(right), 530)):
            if text:
                lines.append({"text": text, "box": [x0, top, x1, bottom]})
    page = {"number": 1, "width": A4[0], "height": A4[1], "lines": lines}
    return {"id": name, "pages": [page]}


def write_dataset(folder: Path, seeds: Iterable[int] = SEEDS, *, gold: bool = True) -> Path:
    """Write a dataset of one receipt a seed and return its folder (made if it is not there)."""
    (folder / "documents").mkdir(parents=True)
    (folder / "ocr").mkdir()
    rows = []
    for seed in seeds:
        receipt, name = make_receipt(seed), f"r{seed}"
        (folder / "documents" / f"{name}.pdf").write_bytes(receipt_pdf(receipt))
        row: dict[str, Any] = {"id": name, "document": f"documents/{name}.pdf"}
        if gold:
            content = json.dumps(transcription_of(receipt, name))
            (folder / "ocr" / f"{name}.json").write_text(content)
            row["ocr"] = f"ocr/{name}.json"
        rows.append({**row, "fields": labels_of(receipt), "split": "train"})
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def write_pages(path: Path, count: int, *, words: int = 12) -> Path:
    """Write a ``pages.jsonl.gz`` of documents of one page of words, and return it."""
    step = 120 // words
    page = {
        "number": 1,
        "width": 100,
        "height": 140,
        "words": [f"word{number}" for number in range(words)],
        "boxes": [[10, step * row, 60, step * row + step - 1] for row in range(words)],
    }
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for number in range(count):
            file.write(json.dumps({"id": str(number), "pages": [page]}) + "\n")
    return path
