"""SkimmingMask: a trained Skimformer tells a text model where to look.

Nguyen et al., EMNLP Findings 2021.

    open_ij = A_ij is among the k largest of A_i,      bias_ij = 0 where open, else CLOSED

A is that of `models.attention.skim`, head by head, with weights that a Skimformer learnt and that
are not trained here: the choice of the k largest has no gradient. All pieces that tie with the
k-th stay open, so that the order of pieces does not matter. A sequence of fewer than k pieces is
all open. Cost O(H L^2), once in a forward pass.
"""

from __future__ import annotations

import dataclasses

import torch
from torch import Tensor

from models.attention.base import CLOSED, Prior
from models.attention.relative_bias import Bias
from models.attention.skim import SkimLayout, skim_scores
from models.attention.softmax import SoftmaxAttention
from models.config import TaggerConfig
from models.encoding import TaggerBatch


class SkimmingMask(Prior[Bias]):
    """Closes what a trained skim would not look at, on top of another prior's bias.

    Args:
        config: sizes; `skim_top` is k.
        inner: the text model's own bias.
    """

    def __init__(self, config: TaggerConfig, inner: Prior[Bias]) -> None:
        super().__init__()
        self.top = config.skim_top
        # Frozen parts have no dropout, whatever the mode of the model around them.
        still = dataclasses.replace(config, dropout=0.0)
        self.layout = SkimLayout(still, SoftmaxAttention).requires_grad_(False)
        self.inner = inner

    def forward(self, batch: TaggerBatch) -> Bias:
        """Return the bias of the inner prior, CLOSED outside the mask, (B, H, L, L)."""
        inner: Bias = self.inner(batch)
        return Bias(inner.masked_fill(~self.open(batch), CLOSED))

    @torch.no_grad()
    def open(self, batch: TaggerBatch) -> Tensor:
        """Return the mask, (B, H, L, L) bool, True = open."""
        scores = skim_scores(self.layout, batch)  # (B, H, L, L)
        least = scores.topk(min(self.top, scores.shape[-1]), dim=-1).values[..., -1:]
        return (scores >= least) & batch.keep[:, None, None, :]
