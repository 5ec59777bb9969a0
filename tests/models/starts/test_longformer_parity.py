"""Our `longformer` is `transformers`' LongformerModel with local attention, on copied weights.

Compared are the last hidden states of real pieces, for rows of several lengths in one batch. Not
compared: global attention, which ours does not have.
"""

from __future__ import annotations

import dataclasses

import pytest
import torch
import transformers
from torch import Tensor

from models.build import build_encoder
from models.config import PRESETS, TaggerConfig
from models.encoding import TaggerBatch
from models.starts import fill
from models.starts.pretrained import convert_bert
from tests.models.starts.test_parity import of_sizes
from tests.packages import tiny_config

PAD = 1  # RoBERTa's, from which its places are counted
REACH = 4


def _config(window: int) -> TaggerConfig:
    tiny = tiny_config()
    sizes = ("vocab_size", "hidden_size", "layers", "heads", "intermediate_size")
    changes = {name: getattr(tiny, name) for name in sizes}
    return dataclasses.replace(
        PRESETS["longformer"], **changes, window=window, overlap=0, reach=REACH
    )


def _longformer(window: int) -> transformers.LongformerModel:
    config = _config(window)
    return of_sizes(
        transformers.LongformerModel, config, attention_window=2 * REACH, type_vocab_size=1,
        max_position_embeddings=window + 2, pad_token_id=PAD, layer_norm_eps=config.layer_norm_eps,
    )  # fmt: skip


def _local(model: transformers.LongformerModel) -> dict[str, Tensor]:
    """Return the weights without the projections of global attention; the rest is as RoBERTa's."""
    found = {name: value for name, value in model.state_dict().items() if "_global." not in name}
    target = convert_bert(found, model.config.num_hidden_layers)
    return {**target, "order.weight": target["order.weight"][PAD + 1 :]}


@pytest.mark.parametrize("length", [1, 3, 8, 9, 33, 64])
def test_longformer_on_copied_weights(length: int) -> None:
    theirs = _longformer(64)
    encoder = build_encoder(_config(64)).eval()
    assert fill(encoder, _local(theirs)) == []
    random = torch.Generator().manual_seed(length)
    ids = torch.randint(PAD + 1, encoder.words.num_embeddings, (3, length), generator=random)
    keep = torch.arange(length) < torch.tensor([length, (length + 1) // 2, 1])[:, None]
    ids = torch.where(keep, ids, PAD)
    zeros = torch.zeros_like(ids)
    batch = TaggerBatch(ids, torch.rand(3, length, 4), zeros, torch.ones(3, length), keep, zeros)
    with torch.inference_mode():
        ours = encoder(batch)
        expected = theirs(ids, attention_mask=keep.long()).last_hidden_state
    torch.testing.assert_close(ours[keep], expected[keep], rtol=1e-5, atol=1e-5)


def test_window_matters_in_that_comparison() -> None:
    theirs = _longformer(64)
    encoder = build_encoder(dataclasses.replace(_config(64), reach=REACH + 1)).eval()
    fill(encoder, _local(theirs))
    ids = torch.arange(PAD + 1, PAD + 41)[None]
    keep = torch.ones_like(ids, dtype=torch.bool)
    zeros = torch.zeros_like(ids)
    batch = TaggerBatch(ids, torch.rand(1, 40, 4), zeros, torch.ones(1, 40), keep, zeros)
    with torch.inference_mode():
        ours = encoder(batch)
        expected = theirs(ids, attention_mask=keep.long()).last_hidden_state
    assert float((ours - expected).abs().max()) > 1e-2
