"""Transcriptions on their way: the lines of a dataset's ocr/ files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from models.geometry import Box
from training.data.formats.boxes import Size, edges_of


def write_transcription(
    folder: Path, name: str, pages: Iterable[tuple[Size, Iterable[tuple[str, Box]]]]
) -> Path:
    """Write a file of ocr/: for each page its size, and its lines with their boxes."""
    content = {
        "id": name,
        "pages": [
            {
                "number": number,
                "width": size[0],
                "height": size[1],
                "lines": [{"text": text, "box": edges_of(box, size, 2)} for text, box in lines],
            }
            for number, (size, lines) in enumerate(pages, 1)
        ],
    }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path
