"""What a word attends to: shares of words that sum to the attention's rows, or a clear refusal."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from models.config import PRESETS
from models.encoding import PieceEncoder, collate
from models.example import Example
from models.inspection import word_attention
from models.labels import LabelSet
from models.tagger import Tagger
from pipeline.tagging import example_of
from tests.builders import document_of
from tests.packages import tiny_config, tiny_tokenizer
from tests.strategies import FIELDS

# One piece a character: TOTAL has five.
EXAMPLE = example_of(document_of("SHOP AB | TOTAL 5.00", "PAGE TWO"))
WITHOUT_MATRIX = ("linformer", "cosformer", "longformer", "long-skimformer", "near-and-far")
SHOWN = [name for name in sorted(PRESETS) if not name.startswith(WITHOUT_MATRIX)]
REFUSED = [name for name in sorted(PRESETS) if name.startswith(WITHOUT_MATRIX)]


def _tagger(preset: str, **changes: object) -> tuple[Tagger, PieceEncoder]:
    config = tiny_config(preset, **changes)
    torch.manual_seed(0)
    tagger = Tagger(config, LabelSet(FIELDS))
    with torch.no_grad():
        for parameter in tagger.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    return tagger.eval(), PieceEncoder(tiny_tokenizer(), config)


@pytest.mark.parametrize("preset", SHOWN)
def test_shares_are_those_of_the_attention(preset: str) -> None:
    tagger, pieces = _tagger(preset)
    found = word_attention(tagger, EXAMPLE, pieces, 2)
    assert found.shares.shape == (6,)
    assert (found.shares >= 0).all()
    assert found.specials >= 0
    total = float(found.shares.sum()) + found.specials
    if PRESETS[preset].attention in ("squircle", "cross"):
        assert 0 < total < 1  # the factor takes some
    else:
        assert total == pytest.approx(1.0, abs=1e-5)
    assert found.seen.tolist() == [True] * 4 + [not PRESETS[preset].split_pages] * 2
    assert (found.shares[found.seen] > 0).any()


@pytest.mark.parametrize("preset", REFUSED)
def test_attention_without_a_matrix_is_refused(preset: str) -> None:
    tagger, pieces = _tagger(preset)
    with pytest.raises(ValueError, match="has no attention matrix to show"):
        word_attention(tagger, EXAMPLE, pieces, 2)


def test_a_layer_and_a_head_are_rows_of_its_matrix() -> None:
    tagger, pieces = _tagger("lambert")
    [window] = pieces.windows(EXAMPLE)
    batch = collate([window])
    with torch.inference_mode():
        maps = list(tagger.encoder.attention_maps(batch))
    rows = np.flatnonzero(window.word == 2)
    columns = np.flatnonzero(window.word == 3)
    for layer, head in ((1, 1), (1, 4), (2, 3)):
        found = word_attention(tagger, EXAMPLE, pieces, 2, layer=layer, head=head)
        matrix = maps[layer - 1][0, head - 1].numpy()
        expected = np.mean([matrix[i, columns].sum() for i in rows])
        assert found.shares[3] == pytest.approx(expected, rel=1e-5)
    alone = [
        word_attention(tagger, EXAMPLE, pieces, 2, layer=layer, head=head).shares
        for layer in (1, 2)
        for head in (1, 2, 3, 4)
    ]
    mean = word_attention(tagger, EXAMPLE, pieces, 2).shares
    np.testing.assert_allclose(mean, np.mean(alone, axis=0), rtol=1e-4)


@pytest.mark.parametrize("preset", SHOWN)
def test_values_mixed_by_the_matrix_are_the_attention(preset: str) -> None:
    # What is shown is what the model does: the matrix times values gives the block's own output.
    tagger, pieces = _tagger(preset)
    batch = collate(pieces.windows(EXAMPLE)[:1])
    seen = []
    block = tagger.encoder.blocks[0]
    block.attention.register_forward_hook(lambda module, inputs, out: seen.append((inputs, out)))
    with torch.inference_mode():
        matrix = next(iter(tagger.encoder.attention_maps(batch)))
        tagger.encoder(batch)
    (inputs, _), out = seen[0]
    torch.testing.assert_close(matrix @ inputs[-1], out, rtol=1e-4, atol=1e-5)


def test_of_a_long_document_the_window_around_the_word_is_looked_at() -> None:
    tagger, pieces = _tagger("lambert", window=32, overlap=8)
    example = example_of(document_of(" | ".join(f"line {number}" for number in range(40))))
    found = word_attention(tagger, example, pieces, 41)
    assert found.seen[41]
    assert 0 < found.seen.sum() < len(example.words)
    assert not found.shares[~found.seen].any()
    seen = np.flatnonzero(found.seen)
    assert seen[0] < 41 < seen[-1]


@pytest.mark.parametrize(
    ("word", "layer", "head", "message"),
    [
        (6, None, None, "no word 6: the document has 6"),
        (-1, None, None, "no word -1"),
        (0, 3, None, "no layer 3: the model has layers 1 to 2"),
        (0, 1, 5, "no head 5: the model has heads 1 to 4"),
    ],
)
def test_what_is_not_there_is_named(
    word: int, layer: int | None, head: int | None, message: str
) -> None:
    tagger, pieces = _tagger("lambert")
    with pytest.raises(IndexError, match=message):
        word_attention(tagger, EXAMPLE, pieces, word, layer=layer, head=head)


def test_document_without_words_has_no_word() -> None:
    tagger, pieces = _tagger("text")
    empty = Example(
        "empty", (), *(np.zeros(shape, kind) for shape, kind in (
            ((0, 4), np.float32), (0, np.int64), (0, np.int64), (0, np.float32)
        ))
    )  # fmt: skip
    with pytest.raises(IndexError, match="the document has 0"):
        word_attention(tagger, dataclasses.replace(empty), pieces, 0)
