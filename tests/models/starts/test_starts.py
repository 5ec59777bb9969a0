"""What a Skimformer learnt goes where it is used, and fresh weights are of the size they should."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from models.build import build_encoder
from models.config import PRESETS
from models.encoder import Encoder
from models.starts import load_skim, start_fresh
from tests.packages import tiny_config


def _encoder(preset: str, **changes: int) -> Encoder:
    return build_encoder(tiny_config(preset, **changes))


@pytest.mark.parametrize("preset", ["skimming-mask", "skimming-mask-layoutlm", "skim-embeddings"])
def test_trained_layout_goes_where_it_is_used(preset: str) -> None:
    trained = _encoder("skimformer").state_dict()
    encoder = _encoder(preset)
    load_skim(encoder, trained)
    own = encoder.state_dict()
    found = [name for name in own if "tables." in name]
    assert len(found) == 4
    for name in found:
        assert torch.equal(own[name], trained["prior.layout.tables." + name.split("tables.")[1]])
    if preset != "skim-embeddings":
        layout = [name for name in trained if name.startswith("prior.layout.")]
        assert all(torch.equal(own[name], trained[name]) for name in layout)


def test_what_is_no_skimformer_or_does_not_fit_is_refused() -> None:
    trained = _encoder("skimformer").state_dict()
    mask = _encoder("skimming-mask")
    with pytest.raises(ValueError, match="holds no Skimformer"):
        load_skim(mask, _encoder("text").state_dict())
    with pytest.raises(ValueError, match="takes nothing from a Skimformer"):
        load_skim(_encoder("text"), trained)
    with pytest.raises(ValueError, match="does not fit"):
        load_skim(_encoder("skimming-mask", skim_layers=1), trained)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_fresh_weights_are_small_and_biases_none(preset: str) -> None:
    encoder = _encoder(preset)
    torch.manual_seed(0)
    start_fresh(encoder)
    for module in encoder.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            assert 0.015 < float(module.weight.detach().std()) < 0.025
        if isinstance(module, nn.Linear) and module.bias is not None:
            assert not module.bias.any()
