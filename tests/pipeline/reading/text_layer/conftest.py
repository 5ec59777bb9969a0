"""The text layer of a PDF's first page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.reading.sources import pdfium
from pipeline.reading.text_layer.layer import LayerPage, read_layer

Layer = Callable[[bytes], LayerPage]


@pytest.fixture
def layer(tmp_path: Path) -> Layer:
    """Return a function that reads the text layer of a PDF's first page."""

    def read(data: bytes) -> LayerPage:
        (tmp_path / "a.pdf").write_bytes(data)
        pdf = pdfium.open_pdf(tmp_path / "a.pdf")
        try:
            return read_layer(pdfium.load_page(pdf, 1))
        finally:
            pdf.close()

    return read


def texts(page: LayerPage) -> list[str]:
    """Return the words of a page."""
    return [token.text for token in page.tokens]
