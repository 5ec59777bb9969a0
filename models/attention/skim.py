"""Skim-Attention (Nguyen et al., EMNLP Findings 2021): where to look is read off the layout, once.

    l_i = norm(X(x0) + Y(y0) + X(x1) + Y(y1) + W(x1 - x0) + H(y1 - y0))      tables over 0 .. 1000
    l = contextualiser(l)                           a small Transformer on layout alone, or nothing
    A = softmax(Q_l K_l^T / sqrt(d_l)),   out = A V in every layer

A is computed once in a forward pass and handed to all layers; text gives the values only. With
no 1-D position in the text, a page may come in any order. Skimformer: A over the sequence,
O(H L^2) memory. LongSkimformer: A, and the contextualiser, within a sliding window, O(H L w).
"""

from __future__ import annotations

from torch import Tensor, nn

from models.attention.base import CLOSED, LayoutContext, ValueMixing
from models.attention.longformer import (
    LongformerAttention,
    band,
    chunks,
    joined,
    neighbourhoods,
)
from models.attention.softmax import SoftmaxAttention
from models.config import TaggerConfig
from models.encoder import Block
from models.encoding import TaggerBatch
from models.position.corners import CornerEmbedding


class SkimLayout(nn.Module):
    """Boxes to the queries and keys of Skim-Attention: the part that a Skimformer learns of layout.

    Args:
        config: sizes, and `skim_layers` of the contextualiser.
        banded: the contextualiser attends within the band of the context that it is called with.
    """

    def __init__(self, config: TaggerConfig, *, banded: bool = False) -> None:
        super().__init__()
        size = config.hidden_size
        self.heads = config.heads
        self.tables = CornerEmbedding("learned", size, extent=True)
        self.norm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.dropout)
        attention = LongformerAttention if banded else SoftmaxAttention
        self.contextualiser = nn.ModuleList(
            Block(config, attention()) for _ in range(config.skim_layers)
        )
        self.query_key = nn.Linear(size, 2 * size)

    def forward(self, batch: TaggerBatch, context: LayoutContext) -> tuple[Tensor, Tensor]:
        """Return queries, already divided by sqrt(d_l), and keys, each (B, H, L, d_l)."""
        x: Tensor = self.dropout(self.norm(self.tables(batch)))  # (B, L, D)
        for block in self.contextualiser:
            x = block(x, batch.keep, context)
        query, key = self.query_key(x).unflatten(-1, (2, self.heads, -1)).unbind(2)  # (B, L, H, d)
        return query.transpose(1, 2) * query.shape[-1] ** -0.5, key.transpose(1, 2)

    def scores(self, batch: TaggerBatch) -> Tensor:
        """Return the logits of A, (B, H, L, L); CLOSED where j is padding."""
        query, key = self(batch, LayoutContext())
        scores: Tensor = (query @ key.transpose(-1, -2)).masked_fill(
            ~batch.keep[:, None, None, :], CLOSED
        )
        return scores


class SkimPrior(nn.Module):
    """A of a batch, once for all layers.

    Args:
        config: sizes; `reach` of the window where it is banded.
        banded: within a sliding window (LongSkimformer), else over the whole sequence.
    """

    def __init__(self, config: TaggerConfig, *, banded: bool) -> None:
        super().__init__()
        self.layout = SkimLayout(config, banded=banded)
        self.reach = config.reach if banded else None

    def forward(self, batch: TaggerBatch) -> LayoutContext:
        """Return A, (B, H, L, L), or within the band, (B, n, H, size, 3 size)."""
        if self.reach is None:
            return LayoutContext(given=self.layout.scores(batch).softmax(-1))
        # (B, n, size, 3 size), the same for the contextualiser and for A
        window = band(batch.keep, self.reach)
        query, key = self.layout(batch, LayoutContext(band=window))
        size = window.shape[2]
        scores = chunks(query, size) @ neighbourhoods(key, size).transpose(-1, -2)
        closed = ~window[:, :, None]
        return LayoutContext(given=scores.masked_fill(closed, CLOSED).softmax(-1))


class SkimAttention(ValueMixing):
    """Mixes values by the context's A, over the sequence."""

    def forward(self, value: Tensor, context: LayoutContext) -> Tensor:
        """Return A V, (B, H, L, d).

        Raises:
            ValueError: the context holds no A.
        """
        return self.matrix(context).to(value.dtype) @ value

    def matrix(self, context: LayoutContext) -> Tensor:
        """Return A, (B, H, L, L).

        Raises:
            ValueError: the context holds no A.
        """
        if context.given is None:
            raise ValueError("skim attention needs a prior that gives its weights")
        return context.given


class LongSkimAttention(ValueMixing):
    """Mixes values by the context's A, within the sliding window."""

    def forward(self, value: Tensor, context: LayoutContext) -> Tensor:
        """Return A V, (B, H, L, d).

        Raises:
            ValueError: the context holds no A.
        """
        if context.given is None:
            raise ValueError("skim attention needs a prior that gives its weights")
        near = neighbourhoods(value, context.given.shape[3])  # (B, n, H, 3 size, d)
        return joined(context.given.to(value.dtype) @ near, value.shape[2])
