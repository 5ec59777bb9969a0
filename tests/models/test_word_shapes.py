"""Word shapes: what they say of a word, and that a tagger with them sees how words are written."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from models.encoding import MASK, NO_WORD, PieceEncoder, collate
from models.example import Example
from models.labels import LabelSet
from models.tagger import Tagger
from models.word_shapes import NO_SHAPE, shape_of, shape_row
from tests.packages import tiny_config, tiny_tokenizer
from tests.strategies import FIELDS

ROWS = 64


def _example(*words: str) -> Example:
    zeros = np.zeros(len(words), np.int64)
    boxes = np.tile(np.array([[0.1, 0.1, 0.2, 0.2]], np.float32), (len(words), 1))
    return Example("a", words, boxes, zeros, zeros, np.ones(len(words), np.float32))


@pytest.mark.parametrize(
    ("word", "shape"),
    [
        ("ACME-20261", "XX-9999"),
        ("Acme", "Xxx"),
        ("acme", "xx"),
        ("GmbH", "XxxX"),
        ("1,234.50", "9,999.99"),
        ("No.:", "Xx.:"),
        ("Ärzte", "Xxx"),
        ("---", "-"),
        ("", ""),
        ("a1" * 20, "x9" * 8),
    ],
)
def test_a_shape_says_how_a_word_is_written(word: str, shape: str) -> None:
    assert shape_of(word) == shape


@given(st.text())
def test_every_word_has_a_row_that_is_not_that_of_no_word(word: str) -> None:
    assert 1 <= shape_row(word, 2) == 1
    assert NO_SHAPE < shape_row(word, ROWS) < ROWS


def test_pieces_have_the_shape_of_their_word() -> None:
    pieces = PieceEncoder(tiny_tokenizer(), tiny_config(word_shapes=ROWS))
    [window] = pieces.windows(_example("Total:", MASK, "12.50"))
    expected = {0: shape_row("Total:", ROWS), 1: NO_SHAPE, 2: shape_row("12.50", ROWS)}
    expected[NO_WORD] = NO_SHAPE
    assert window.word_shape.tolist() == [expected[word] for word in window.word.tolist()]
    assert collate([window]).word_shape.tolist() == [window.word_shape.tolist()]


@pytest.mark.parametrize("rows", [0, ROWS])
def test_case_is_seen_by_a_tagger_with_shapes_alone(rows: int) -> None:
    config = tiny_config(word_shapes=rows)
    torch.manual_seed(0)
    tagger = Tagger(config, LabelSet(FIELDS)).eval()
    with torch.no_grad():
        for parameter in tagger.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
    pieces = PieceEncoder(tiny_tokenizer(), config)
    with torch.inference_mode():
        upper, lower = (
            tagger(collate(pieces.windows(_example(word, "total")))) for word in ("TOTAL", "total")
        )
    assert torch.equal(upper, lower) == (rows == 0)
