"""Trains the autoencoder of LAMBERT's appendix, first of all, to draw what surrounds a piece.

    loss = mean over cells of cross-entropy(D(E(R_i)), R_i)

E becomes the tagger's layout embedding, D is discarded. Presets without that embedding have nothing
to learn here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from models.encoder import Encoder
from models.encoding import Window, collate
from models.position.autoencoder import AutoencoderEmbedding, RasterDecoder, rasters

_BATCH = 128  # rasters a step, of one window
_RATE = 2e-3


def learn_rasters(
    encoder: Encoder, windows: Sequence[Window], *, seed: int, steps: int = 300, device: str = "cpu"
) -> list[float]:
    """Train the raster autoencoder of an encoder in place; encoders without one stay as they are.

    Args:
        encoder: with fresh layout parts; ends on `device`.
        windows: of the training documents; nothing is read but their boxes.
        seed: of everything drawn.
        steps: of Adam.
        device: where to train.

    Returns:
        The loss of each step; none where there is nothing to learn.
    """
    found = [part for part in encoder.positions if isinstance(part, AutoencoderEmbedding)]
    if not found or not windows:
        return []
    [embedding] = found
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    encoder.to(device)
    decoder = RasterDecoder(embedding.adapter.in_features).to(device)
    learning = [*embedding.encoder.parameters(), *decoder.parameters()]
    optimizer = torch.optim.Adam(learning, lr=_RATE)
    losses = []
    for _ in range(steps):
        window = windows[int(random.integers(len(windows)))]
        pictures = rasters(collate([window]).to(device), embedding.page_unit)
        chosen = random.permutation(len(pictures))[:_BATCH]
        pictures = pictures[torch.from_numpy(chosen).to(device)]
        drawn = decoder(embedding.encode(pictures))
        loss = nn.functional.binary_cross_entropy_with_logits(drawn, pictures)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        losses.append(float(loss.detach()))
    return losses
