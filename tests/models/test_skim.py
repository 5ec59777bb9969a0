"""Skim-Attention, its banded form and its mask against their equations, and their laws."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest
import torch
from torch import Tensor, nn

from models.attention.base import CLOSED
from models.attention.long_skim import LongSkimAttention, LongSkimPrior
from models.attention.relative_bias import PaddingBias, RelativeBias
from models.attention.skim import SkimAttention, SkimLayout, SkimPrior
from models.attention.skimming_mask import SkimmingMask
from models.attention.softmax import SoftmaxAttention
from models.config import TaggerConfig
from models.encoding import TaggerBatch
from models.position.skim import SkimEmbedding
from tests.packages import tiny_config
from tests.reference import skim
from tests.reference.longrange import windowed_weights
from tests.twins import assert_twins, every_length, twin_batch

every_depth = pytest.mark.parametrize("layers", [0, 2])


def _config(**changes: object) -> TaggerConfig:
    return tiny_config(
        hidden_size=8, heads=2, intermediate_size=12, sequence_bias=False, layout_bias=False,
        **changes,
    )  # fmt: skip


def _prior(
    config: TaggerConfig, kind: type[SkimPrior] | type[LongSkimPrior] = SkimPrior
) -> SkimPrior | LongSkimPrior:
    """Return a prior in float64 whose weights are large enough to matter."""
    torch.manual_seed(0)
    prior = kind(config).double().eval()
    with torch.no_grad():
        for parameter in prior.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    return prior


def _assert_twins(
    ours: Tensor, theirs: Tensor, batch: TaggerBatch, inputs: Sequence[Tensor]
) -> None:
    """Compare what real pieces get; rows of padding have no meaning."""
    assert_twins(ours.transpose(1, 2)[batch.keep], theirs.transpose(1, 2)[batch.keep], inputs)


def _used(module: nn.Module) -> list[nn.Parameter]:
    return list(module.parameters())


@every_length
@every_depth
def test_skim_attention_is_its_equation(length: int, layers: int) -> None:
    batch, prior = twin_batch(length), _prior(_config(skim_layers=layers))
    random = torch.Generator().manual_seed(1)
    value = torch.randn(2, 2, length, 4, generator=random, dtype=torch.float64).requires_grad_()
    ours = SkimAttention()([value], prior(batch))
    closed = torch.where(batch.keep, 0.0, -torch.inf)[:, None, None, :]
    theirs = (skim.skim_scores(prior.layout, batch) + closed).softmax(-1) @ value
    _assert_twins(ours, theirs, batch, [value, *_used(prior)])


@every_length
@pytest.mark.parametrize("reach", [3, 100])
def test_long_skim_attention_is_its_equation(length: int, reach: int) -> None:
    config = _config(skim_layers=1, reach=reach)
    batch, prior = twin_batch(length), _prior(config, LongSkimPrior)
    random = torch.Generator().manual_seed(1)
    value = torch.randn(2, 2, length, 4, generator=random, dtype=torch.float64).requires_grad_()
    ours = LongSkimAttention()([value], prior(batch))
    scores = skim.skim_scores(prior.layout, batch, reach)
    theirs = windowed_weights(scores, batch.keep, reach) @ value
    _assert_twins(ours, theirs, batch, [value, *_used(prior)])


@every_length
@pytest.mark.parametrize("top", [1, 5, 500])
@pytest.mark.parametrize("biased", [False, True])
def test_skimming_mask_keeps_the_largest(length: int, top: int, biased: bool) -> None:
    config = _config(skim_top=top)
    inner = RelativeBias(2, sequence=True, layout=True, page_unit="height").double()
    nn.init.normal_(inner.sequence)
    mask = SkimmingMask(config, inner if biased else PaddingBias()).double()
    mask.layout.load_state_dict(_prior(config).layout.state_dict())
    batch = twin_batch(length)
    real = batch.keep  # of the rows of the mask; its columns are part of what is tested
    scores = skim.skim_scores(mask.layout, batch)
    expected = skim.top_mask(scores, batch.keep, top).transpose(1, 2)[real]
    bias = mask(batch).transpose(1, 2)[real]
    assert torch.equal(bias > CLOSED / 2, expected)
    base = torch.zeros_like(bias)
    if biased:
        base = inner(batch).transpose(1, 2)[real]
    assert torch.equal(bias[expected], base[expected])
    assert (bias[~expected] == CLOSED).all()


def test_pieces_in_one_place_are_in_the_mask_together() -> None:
    mask = SkimmingMask(_config(skim_top=2, skim_layers=0), PaddingBias())
    batch = twin_batch(6)
    one_place = batch.boxes[:, :1].expand_as(batch.boxes).float()
    batch = dataclasses.replace(batch, boxes=one_place)
    assert torch.equal(mask.open(batch), batch.keep[:, None, None].expand(2, 2, 6, 6))


def test_skimming_mask_is_not_trained_and_does_not_drop() -> None:
    mask = SkimmingMask(_config(skim_top=2, dropout=0.5), PaddingBias()).train()
    assert not any(parameter.requires_grad for parameter in mask.parameters())
    batch = twin_batch(30)
    batch = dataclasses.replace(batch, boxes=batch.boxes.float())
    assert torch.equal(mask.open(batch), mask.open(batch))


def test_attention_is_computed_once_and_text_gives_values_only() -> None:
    """A quarter of the cost, as the paper counts it: 2 + 1 attentions where BERT has 12."""
    from models.build import build_encoder
    from models.config import PRESETS

    config = dataclasses.replace(PRESETS["skimformer"], vocab_size=9, layers=12)
    encoder = build_encoder(config)
    names = [name for name, _ in encoder.named_modules()]
    assert sum(name.endswith("query_key_value") for name in names) == 2  # the contextualiser
    assert sum(name.endswith("query_key") for name in names) == 1
    assert sum(name.endswith(".value") for name in names) == 12


@every_length
def test_skim_embedding_is_the_projected_layout_embedding(length: int) -> None:
    batch, module = twin_batch(length), SkimEmbedding(8).double()
    layout = SkimLayout(_config(), SoftmaxAttention).double()
    layout.tables = module.tables
    theirs = skim.layout_embedding(layout, batch) @ module.adapter.weight.T
    assert_twins(module(batch), theirs, _used(module))


@pytest.mark.parametrize("size", [0.05, 1.0])
def test_skim_embedding_starts_at_the_size_asked_for(size: float) -> None:
    torch.manual_seed(0)
    module = SkimEmbedding(64).double()
    module.tables.start_at(0.7)  # as tables that were trained may be
    module.start_at(size)
    found = float(module(twin_batch(64)).detach().square().mean().sqrt())
    assert found == pytest.approx(size, rel=0.15)
