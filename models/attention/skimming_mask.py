"""SkimmingMask: a trained Skimformer tells a text model where to look.

Nguyen et al., EMNLP Findings 2021.

    open_ij = A_ij is among the k largest of A_i,      bias_ij = 0 where open, else CLOSED

A is that of `models.attention.skim`, head by head, with weights that a Skimformer learnt and that
are not trained here: the choice of the k largest has no gradient. All pieces that tie with the
k-th stay open, so that the order of pieces decides nothing. A sequence of fewer than k pieces is
all open. Cost O(H L^2), once in a forward pass.
"""

from __future__ import annotations

import dataclasses

import torch
from torch import Tensor, nn

from models.attention.base import CLOSED, LayoutContext, Prior, compute_dtype
from models.attention.skim import SkimLayout
from models.config import TaggerConfig
from models.encoding import TaggerBatch


class SkimmingMask(nn.Module):
    """Closes what a trained skim would not look at, on top of another prior's bias.

    Args:
        config: sizes; `skim_top` is k.
        inner: the text model's own prior, or None.
    """

    def __init__(self, config: TaggerConfig, inner: Prior | None) -> None:
        super().__init__()
        self.top = config.skim_top
        # Frozen parts have no dropout, whatever the mode of the model around them.
        self.layout = SkimLayout(dataclasses.replace(config, dropout=0.0)).requires_grad_(False)
        self.inner = inner

    def forward(self, batch: TaggerBatch) -> LayoutContext:
        """Return the bias of the inner prior, CLOSED outside the mask, (B, H, L, L)."""
        closed = ~self.open(batch)
        bias = None if self.inner is None else self.inner(batch).bias
        if bias is None:
            kind = compute_dtype(batch.boxes)
            zeros = torch.zeros(closed.shape, dtype=kind, device=closed.device)
            return LayoutContext(zeros.masked_fill_(closed, CLOSED))
        return LayoutContext(bias.masked_fill(closed, CLOSED))

    @torch.no_grad()
    def open(self, batch: TaggerBatch) -> Tensor:
        """Return the mask, (B, H, L, L) bool, True = open."""
        scores = self.layout.scores(batch)
        least = scores.topk(min(self.top, scores.shape[-1]), dim=-1).values[..., -1:]
        return (scores >= least) & batch.keep[:, None, None, :]
