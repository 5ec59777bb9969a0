"""The autoencoder of layouts learns to draw, and only where there is one."""

from __future__ import annotations

import numpy as np
import torch

from models.build import build_encoder
from models.config import TaggerConfig
from models.encoding import PieceEncoder, Window, collate
from models.position.autoencoder import AutoencoderEmbedding
from pipeline.tagging import example_of
from tests.builders import document_of
from tests.packages import tiny_config, tiny_tokenizer
from training.pretraining.rasters import learn_rasters

PAGES = (
    "SHOP AB | TOTAL 5.00 | THANK YOU",
    "A | LONGER LINE HERE | B C D",
    "TWO    COLUMNS | X   9",
)


def _windows(config: TaggerConfig, *pages: str) -> list[Window]:
    pieces = PieceEncoder(tiny_tokenizer(), config)
    return [window for page in pages for window in pieces.windows(example_of(document_of(page)))]


def test_drawing_is_learnt_and_the_rest_is_left_alone() -> None:
    config = tiny_config("lambert-autoencoder")
    windows = _windows(config, *PAGES)
    torch.manual_seed(0)
    encoder = build_encoder(config)
    before = {name: value.clone() for name, value in encoder.state_dict().items()}
    losses = learn_rasters(encoder, windows, seed=0, steps=60)
    [embedding] = [p for p in encoder.positions if isinstance(p, AutoencoderEmbedding)]
    assert np.mean(losses[-10:]) < 0.5 * np.mean(losses[:3])
    changed = {
        name for name, value in encoder.state_dict().items() if not torch.equal(value, before[name])
    }
    assert changed == {f"positions.1.encoder.{n}.{p}" for n in range(6) for p in ("weight", "bias")}
    # What it learnt tells places apart.
    term = embedding(collate(windows[:1]))[0]
    assert float(term.detach().std(0).mean()) > 0


def test_same_seed_same_weights() -> None:
    config = tiny_config("lambert-autoencoder")
    windows = _windows(config, *PAGES[:1])
    states = []
    for _ in range(2):
        torch.manual_seed(3)
        encoder = build_encoder(config)
        learn_rasters(encoder, windows, seed=1, steps=2)
        states.append(encoder.state_dict())
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])


def test_other_presets_and_no_windows_learn_nothing() -> None:
    config = tiny_config("lambert")
    windows = _windows(config, *PAGES[:1])
    assert learn_rasters(build_encoder(config), windows, seed=0) == []
    assert learn_rasters(build_encoder(tiny_config("lambert-autoencoder")), [], seed=0) == []
