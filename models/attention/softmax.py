"""Softmax attention.

    out = softmax(Q K^T / sqrt(d)) V            (Vaswani et al., 2017, eq. 1)

Cost O(L^2 d) time and, where PyTorch's fused kernel runs, O(L d) memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor
from torch.nn import functional as F

from models.attention.base import CLOSED, Attention, Padding


def softmax_weights(query: Tensor, key: Tensor, keep: Tensor) -> Tensor:
    """Return softmax(Q K^T / sqrt(d)), (B, H, L, L); exactly 0 where a key is padding."""
    scores = query * query.shape[-1] ** -0.5 @ key.transpose(-1, -2)  # (B, H, L, L)
    weights: Tensor = scores.masked_fill(~keep[:, None, None, :], CLOSED).softmax(-1)
    return weights


class SoftmaxAttention(Attention[Padding]):
    """Scaled dot-product attention.

    No dropout on the weights: drawing H L^2 random numbers a layer took a third of a training
    step on a CPU, and the residual dropout of the block regularises already.
    """

    def forward(self, inputs: Sequence[Tensor], context: Padding) -> Tensor:
        """Return mixed values (B, H, L, d); see `models.attention.base.Attention`."""
        query, key, value = inputs
        mask = context[:, None, None, :]  # (B, 1, 1, L)
        return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)

    def weights(self, inputs: Sequence[Tensor], context: Padding) -> Tensor:
        """Return the attention matrix, (B, H, L, L)."""
        query, key, _ = inputs
        return softmax_weights(query, key, context)
