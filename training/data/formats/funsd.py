"""FUNSD (Jaume et al., 2019): scanned forms whose words are labelled block by block.

    annotations/ID.json   {"form": [{"label", "words": [{"text", "box"}], ...}]}, boxes in pixels
    images/ID.png         read for its size alone

A block of label question, answer or header is one span; blocks of label other are outside. Words
come in the order of the annotation, as every published figure takes them, and a block is a line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from models.example import Example
from models.geometry import Box, clamped_box
from models.labels import Span
from training.errors import DatasetError

FIELDS = ("question", "answer", "header")
_OTHER = "other"


def load_funsd(folder: Path) -> list[Example]:
    """Return the forms of a FUNSD folder, by id; spans are the entities.

    Raises:
        DatasetError: no forms, or one that is not as described.
    """
    paths = sorted((folder / "annotations").glob("*.json"))
    if not paths:
        raise DatasetError(
            f"{folder} holds no annotations/*.json.", advice="Give the folder of a part of FUNSD."
        )
    examples = []
    for path in paths:
        picture = folder / "images" / f"{path.stem}.png"
        try:
            with Image.open(picture) as image:
                size = image.size
            form = json.loads(path.read_text(encoding="utf-8"))["form"]
            examples.append(_example(path.stem, form, size))
        except (OSError, ValueError, KeyError, TypeError, ArithmeticError) as error:
            raise DatasetError(
                f"{path} is not a form of FUNSD: {error!r}.",
                advice="Expected blocks with label and words, and a picture in images/.",
            ) from error
    return examples


def _example(name: str, form: list[dict[str, Any]], size: tuple[int, int]) -> Example:
    width, height = size
    words: list[str] = []
    boxes: list[Box] = []
    lines: list[int] = []
    spans: list[Span] = []
    for number, block in enumerate(form):
        if block["label"] not in (*FIELDS, _OTHER):
            raise ValueError(f"a block has the label {block['label']!r}")
        start = len(words)
        for word in block["words"]:
            if text := "".join(word["text"].split()):
                x0, top, x1, bottom = word["box"]
                words.append(text)
                boxes.append(clamped_box(x0 / width, top / height, x1 / width, bottom / height))
                lines.append(number)
        if block["label"] != _OTHER and len(words) > start:
            spans.append(Span(block["label"], start, len(words)))
    count = len(words)
    return Example(
        name,
        tuple(words),
        np.array([box.as_list() for box in boxes], np.float32).reshape(-1, 4),
        np.zeros(count, np.int64),
        np.array(lines, np.int64),
        np.full(count, width / height, np.float32),
        tuple(spans),
    )
