"""2-D relative attention as a factor, in LayoutLM (Douzon et al., ICDAR 2023).

    out = (softmax(Q K^T / sqrt(d)) * B) V
    squircle  B_ij = cos(pi/2M (x_i - x_j)) cos(pi/2M (y_i - y_j))
    cross     B_ij = max(cos(pi/2M (x_i - x_j)), cos(pi/2M (y_i - y_j)))

(x, y) is the middle of a box and M the largest coordinate: here coordinates are fractions, M = 1.
Rows no longer sum to 1, as published. Pages are not told apart by B; the page embedding does that.
Cost O(L^2 d) time, O(H L^2) memory; B is made once for all layers and heads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from models.attention.base import Attention, Prior
from models.attention.softmax import softmax_weights
from models.config import FactorForm
from models.encoding import TaggerBatch


@dataclass(frozen=True, slots=True)
class Factor:
    """Context of an attention whose weights are multiplied.

    Attributes:
        factor: B, (B, 1, L, L).
        keep: (B, L) bool, True on real pieces.
    """

    factor: Tensor
    keep: Tensor


class MultiplicativePrior(Prior[Factor]):
    """B of a batch.

    Args:
        form: squircle or cross.
    """

    def __init__(self, form: FactorForm) -> None:
        super().__init__()
        self.form = form

    def forward(self, batch: TaggerBatch) -> Factor:
        """Return B, (B, 1, L, L)."""
        # Padding may hold any box; it is weighed 0 later, so its factor must be finite.
        boxes = batch.boxes.clamp(0.0, 1.0)
        middle = (boxes[..., :2] + boxes[..., 2:]) / 2  # (B, L, 2)
        apart = middle[:, :, None] - middle[:, None]  # (B, L, L, 2)
        x, y = (math.pi / 2 * apart).cos().unbind(-1)
        factor = x * y if self.form == "squircle" else x.maximum(y)
        return Factor(factor[:, None], batch.keep)


class MultiplicativeAttention(Attention[Factor]):
    """Softmax attention whose weights are multiplied by the context's factor."""

    def forward(self, inputs: Sequence[Tensor], context: Factor) -> Tensor:
        """Return mixed values (B, H, L, d); see `models.attention.base.Attention`."""
        value = inputs[-1]
        return self.weights(inputs, context).to(value.dtype) @ value

    def weights(self, inputs: Sequence[Tensor], context: Factor) -> Tensor:
        """Return softmax * B, (B, H, L, L); rows sum to at most 1."""
        query, key, _ = inputs
        return softmax_weights(query, key, context.keep) * context.factor
