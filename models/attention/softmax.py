"""Softmax attention with an optional additive bias.

    out = softmax(Q K^T / sqrt(d) + bias) V            (Vaswani et al., 2017, eq. 1)

Cost O(L^2 d) time; memory O(L d) where PyTorch's fused kernel runs, O(L^2) while the bias is
being trained.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional as F

from models.attention.base import LayoutContext


class SoftmaxAttention(nn.Module):
    """Scaled dot-product attention.

    No dropout on the weights: drawing H L^2 random numbers a layer took a third of a training
    step on a CPU, and the residual dropout of the block regularises already.
    """

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, keep: Tensor, context: LayoutContext
    ) -> Tensor:
        """Return (B, H, L, d); see `models.attention.base.Attention`."""
        # The context's bias already closes padded keys; without one, keep does: (B, 1, 1, L).
        mask = keep[:, None, None, :] if context.bias is None else context.bias.to(query.dtype)
        return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
