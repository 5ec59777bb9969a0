"""Skim-Attention (Nguyen et al., EMNLP Findings 2021): where to look is read off the layout, once.

    l_i = norm(X(x0) + Y(y0) + X(x1) + Y(y1) + W(x1 - x0) + H(y1 - y0))      tables over 0 .. 1000
    l = contextualiser(l)                           a small Transformer on layout alone, or nothing
    A = softmax(Q_l K_l^T / sqrt(d_l)),   out = A V in every layer

A is computed once in a forward pass and handed to all layers; text gives the values only. With
no 1-D position in the text, a page may come in any order. This is the Skimformer, whose A runs
over the whole sequence: O(H L^2) memory. See `models.attention.long_skim` for the banded form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NewType

from torch import Tensor, nn

from models.attention.base import CLOSED, Attention, Context, Padding, Prior
from models.attention.block import Block
from models.attention.softmax import SoftmaxAttention
from models.config import TaggerConfig
from models.encoding import TaggerBatch
from models.position.corners import ExtentEmbedding


class SkimLayout(nn.Module, Generic[Context]):
    """Boxes to the queries and keys of Skim-Attention: the part that a Skimformer learns of layout.

    Args:
        config: sizes, and `skim_layers` of the contextualiser.
        attention: makes the attention of one layer of the contextualiser.
    """

    def __init__(self, config: TaggerConfig, attention: Callable[[], Attention[Context]]) -> None:
        super().__init__()
        size = config.hidden_size
        self.heads = config.heads
        self.tables = ExtentEmbedding(size)
        self.norm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.dropout)
        self.contextualiser = nn.ModuleList(
            Block(config, attention()) for _ in range(config.skim_layers)
        )
        self.query_key = nn.Linear(size, 2 * size)

    def forward(self, batch: TaggerBatch, context: Context) -> tuple[Tensor, Tensor]:
        """Return queries, already divided by sqrt(d_l), and keys, each (B, H, L, d_l).

        Args:
            batch: whose boxes are read.
            context: of the contextualiser's attention.
        """
        x: Tensor = self.dropout(self.norm(self.tables(batch)))  # (B, L, D)
        for block in self.contextualiser:
            x = block(x, context)
        query, key = self.query_key(x).unflatten(-1, (2, self.heads, -1)).unbind(2)  # (B, L, H, d)
        return query.transpose(1, 2) * query.shape[-1] ** -0.5, key.transpose(1, 2)


def skim_scores(layout: SkimLayout[Padding], batch: TaggerBatch) -> Tensor:
    """Return the logits of A, (B, H, L, L); CLOSED where j is padding."""
    query, key = layout(batch, Padding(batch.keep))
    closed = ~batch.keep[:, None, None, :]
    scores: Tensor = (query @ key.transpose(-1, -2)).masked_fill(closed, CLOSED)
    return scores


SkimWeights = NewType("SkimWeights", Tensor)
"""Context of an attention whose weights are the same in every layer: A, (B, H, L, L); 0 where j is
padding."""


class SkimPrior(Prior[SkimWeights]):
    """A of a batch, once for all layers."""

    def __init__(self, config: TaggerConfig) -> None:
        super().__init__()
        self.layout = SkimLayout(config, SoftmaxAttention)

    def forward(self, batch: TaggerBatch) -> SkimWeights:
        """Return A."""
        return SkimWeights(skim_scores(self.layout, batch).softmax(-1))


class SkimAttention(Attention[SkimWeights]):
    """Mixes values by the context's A."""

    inputs = ("value",)

    def forward(self, inputs: Sequence[Tensor], context: SkimWeights) -> Tensor:
        """Return A V, (B, H, L, d)."""
        [value] = inputs
        return context.to(value.dtype) @ value

    def weights(self, inputs: Sequence[Tensor], context: SkimWeights) -> Tensor:
        """Return A, (B, H, L, L)."""
        return context
