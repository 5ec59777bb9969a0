"""Receipts to be labelled, and a home in which a model of them is trained in moments."""

from __future__ import annotations

from pathlib import Path

from pipeline.reading.reader import read_document
from tests.builders import make_receipt, receipt_pdf
from tests.packages import tiny_package

RECEIPTS = [make_receipt(number) for number in range(10)]


def home_with_a_model(home: Path) -> Path:
    """Put a tiny model into a home that receipts are most like, so that an epoch takes a moment."""
    package = home / "models" / "tiny" / "0.0.1"
    package.parent.mkdir(parents=True)
    tiny_package(package, documents=[read_document(receipt_pdf(one)) for one in RECEIPTS])
    return home
