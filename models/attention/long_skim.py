"""Skim-Attention within a sliding window: LongSkimformer (Nguyen et al., EMNLP Findings 2021).

    A = softmax over |i - j| <= w of (Q_l K_l^T / sqrt(d_l)),   out = A V in every layer

Q_l and K_l are those of `models.attention.skim`, whose contextualiser attends within the same
window. A is kept in bands, see `models.attention.longformer`: O(H L w) time and memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NewType

from torch import Tensor

from models.attention.base import CLOSED, Attention, Prior
from models.attention.longformer import LongformerAttention, band, chunks, joined, neighbourhoods
from models.attention.skim import SkimLayout
from models.config import TaggerConfig
from models.encoding import TaggerBatch

BandedWeights = NewType("BandedWeights", Tensor)
"""Context of a banded attention whose weights are the same in every layer: A in n chunks of `size`
queries, each with its neighbours' keys, (B, n, H, size, 3 size); 0 where attention is closed."""


class LongSkimPrior(Prior[BandedWeights]):
    """A of a batch in bands, once for all layers.

    Args:
        config: sizes, and `reach`, w.
    """

    def __init__(self, config: TaggerConfig) -> None:
        super().__init__()
        self.layout = SkimLayout(config, LongformerAttention)
        self.reach = config.reach

    def forward(self, batch: TaggerBatch) -> BandedWeights:
        """Return A in bands."""
        window = band(batch.keep, self.reach)  # for the contextualiser and for A
        query, key = self.layout(batch, window)
        size = window.shape[2]
        scores = chunks(query, size) @ neighbourhoods(key, size).transpose(-1, -2)
        closed = ~window[:, :, None]  # (B, n, 1, size, 3 size)
        return BandedWeights(scores.masked_fill(closed, CLOSED).softmax(-1))


class LongSkimAttention(Attention[BandedWeights]):
    """Mixes values by the context's A, chunk by chunk."""

    inputs = ("value",)

    def forward(self, inputs: Sequence[Tensor], context: BandedWeights) -> Tensor:
        """Return A V, (B, H, L, d)."""
        [value] = inputs
        near = neighbourhoods(value, context.shape[3])  # (B, n, H, 3 size, d)
        return joined(context.to(value.dtype) @ near, value.shape[2])
