"""Softmax attention with an optional additive bias.

    out = softmax(Q K^T / sqrt(d) + bias) V            (Vaswani et al., 2017, eq. 1)

Cost O(L^2 d) time; memory O(L d) where PyTorch's fused kernel runs, O(L^2) while the bias is
being trained.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional as F

from models.attention.base import CLOSED, LayoutContext


def softmax_weights(query: Tensor, key: Tensor, keep: Tensor, context: LayoutContext) -> Tensor:
    """Return softmax(Q K^T / sqrt(d) + bias), (B, H, L, L); exactly 0 where a key is padding."""
    scores = query * query.shape[-1] ** -0.5 @ key.transpose(-1, -2)
    if context.bias is None:
        scores = scores.masked_fill(~keep[:, None, None, :], CLOSED)
    else:
        scores = scores + context.bias
    weights: Tensor = scores.softmax(-1)
    return weights


class SoftmaxAttention(nn.Module):
    """Scaled dot-product attention.

    No dropout on the weights: drawing H L^2 random numbers a layer took a third of a training
    step on a CPU, and the residual dropout of the block regularises already.
    """

    def weights(self, query: Tensor, key: Tensor, keep: Tensor, context: LayoutContext) -> Tensor:
        """Return the attention matrix, (B, H, L, L); see `models.attention.base.AttentionMap`."""
        return softmax_weights(query, key, keep, context)

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, keep: Tensor, context: LayoutContext
    ) -> Tensor:
        """Return (B, H, L, d); see `models.attention.base.Attention`."""
        if context.bias is None:
            mask = keep[:, None, None, :]  # (B, 1, 1, L)
            return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        if context.bias.requires_grad:
            # PyTorch has no fused kernel for a bias that is trained, and its fallback guards
            # against rows of -inf in four more passes over (B, H, L, L).
            return self.weights(query, key, keep, context).to(value.dtype) @ value
        return F.scaled_dot_product_attention(
            query, key, value, attn_mask=context.bias.to(query.dtype)
        )
