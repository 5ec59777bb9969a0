"""FUNSD: blocks become spans, words keep the order of the annotation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from models.labels import Span
from training.data.formats.funsd import load_funsd
from training.errors import DatasetError

FORM = [
    {"label": "other", "words": [{"text": "R&D", "box": [20, 10, 60, 30]}]},
    {
        "label": "question",
        "words": [
            {"text": "Date", "box": [20, 50, 60, 70]},
            {"text": " ", "box": [60, 50, 62, 70]},
            {"text": ":", "box": [62, 50, 66, 70]},
        ],
    },
    {"label": "answer", "words": [{"text": "5 May", "box": [80, 50, 210, 70]}]},
    {"label": "header", "words": []},
]


def _write(folder: Path, form: Any) -> Path:
    for part in ("annotations", "images"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "annotations" / "a.json").write_text(json.dumps({"form": form}))
    Image.new("L", (200, 100)).save(folder / "images" / "a.png")
    return folder


def test_blocks_are_spans_and_lines(tmp_path: Path) -> None:
    [example] = load_funsd(_write(tmp_path, FORM))
    assert example.id == "a"
    assert example.words == ("R&D", "Date", ":", "5May")
    assert example.spans == (Span("question", 1, 3), Span("answer", 3, 4))
    assert example.line.tolist() == [0, 1, 1, 2]
    assert example.boxes[1].tolist() == pytest.approx([0.1, 0.5, 0.3, 0.7])
    assert example.boxes[3].tolist() == pytest.approx([0.4, 0.5, 1.0, 0.7])  # clipped to the page
    assert example.aspect.tolist() == [2.0] * 4


def test_folder_without_forms_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="holds no annotations"):
        load_funsd(tmp_path)


@pytest.mark.parametrize(
    "form",
    [
        pytest.param({"a": 1}, id="no_list"),
        pytest.param([{"label": "total", "words": []}], id="unknown_label"),
        pytest.param([{"label": "other"}], id="no_words"),
        pytest.param([{"label": "other", "words": [{"text": "x", "box": [1]}]}], id="no_box"),
    ],
)
def test_form_of_another_kind_is_named(tmp_path: Path, form: Any) -> None:
    with pytest.raises(DatasetError, match=r"a.json is not a form of FUNSD"):
        load_funsd(_write(tmp_path, form))


def test_form_without_its_picture_is_named(tmp_path: Path) -> None:
    (_write(tmp_path, FORM) / "images" / "a.png").unlink()
    with pytest.raises(DatasetError, match=r"a.json is not a form of FUNSD"):
        load_funsd(tmp_path)
