"""LAMBERT's relative attention biases (Garncarek et al., ICDAR 2021, sec. 3.2).

    out     = softmax(Q K^T / sqrt(d) + bias) V
    bias_ij = W(i - j) + H(floor(xi_i - xi_j)) + V(floor(eta_i - eta_j))
    (xi, eta) = (C x0, C (top + bottom) / 2)

W, H, V: one trainable weight a head for each integer in [-C, C), starting at 0; distances beyond
are clipped. x0, top and bottom are in page units (see `models.position.winding.page_units`).
H and V apply between pieces of one page: a distance across pages is not defined.
Cost: the bias takes O(H L^2) once in a forward pass and is shared by all layers; attention takes
O(L^2 d) time, and O(H L^2) memory while the bias is trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NewType

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.attention.base import CLOSED, Attention, Context, Prior, compute_dtype
from models.config import PageUnit
from models.encoding import TaggerBatch
from models.position.winding import page_units
from models.roles import Role

Bias = NewType("Bias", Tensor)
"""Context of an attention with an additive bias: (B, H, L, L), or smaller where it is broadcast.

Holds CLOSED where a key is padding, so that no layer derives the mask again.
"""


class BiasTables(Prior[Context]):
    """The tables of the biases that are learnt; at least one of the two switches is on.

    Args:
        heads: H.
        sequence: learn W over 1-D distance.
        layout: learn H and V over distance on the page.
        page_unit: which side of the page has length 1.
        span: C, half the number of buckets, and buckets a page unit.
    """

    roles: ClassVar[dict[str, Role]] = dict.fromkeys(
        ("sequence", "horizontal", "vertical"), Role.BIAS
    )

    def __init__(
        self, heads: int, *, sequence: bool, layout: bool, page_unit: PageUnit, span: int = 100
    ) -> None:
        super().__init__()
        self.span = span
        self.page_unit = page_unit
        # Row 0 is distance -C; a table is (2C, heads) so that a look-up gives (..., heads).
        self.sequence = nn.Parameter(torch.zeros(2 * span, heads)) if sequence else None
        self.horizontal = nn.Parameter(torch.zeros(2 * span, heads)) if layout else None
        self.vertical = nn.Parameter(torch.zeros(2 * span, heads)) if layout else None

    def places(self, batch: TaggerBatch) -> Tensor:
        """Return (xi, eta) of each piece, (B, L, 2)."""
        boxes = page_units(batch.boxes, batch.aspect, self.page_unit)  # (B, L, 4)
        return self.span * torch.stack([boxes[..., 0], (boxes[..., 1] + boxes[..., 3]) / 2], -1)

    def buckets(self, apart: Tensor) -> Tensor:
        """Return the rows of distances in a table, floor(v_i - v_j) + C clipped to [0, 2C)."""
        return apart.floor().clamp(-self.span, self.span - 1).long() + self.span


class RelativeBias(BiasTables[Bias]):
    """The sum of the biases that are learnt, between all pieces; see `BiasTables`."""

    def forward(self, batch: TaggerBatch) -> Bias:
        """Return the summed biases, CLOSED where the key is padding, (B, H, L, L)."""
        length = batch.keep.shape[1]
        along: Tensor | None = None
        if self.sequence is not None:
            order = torch.arange(length, device=batch.keep.device)
            bucket = (order[:, None] - order[None, :]).clamp(-self.span, self.span - 1) + self.span
            # Look-ups are heads first, as attention wants them: turning the sum costs more.
            along = self.sequence.t().index_select(1, bucket.flatten()).view(-1, length, length)
        if self.horizontal is not None and self.vertical is not None:
            cells, sums = self._cells(batch), sums_of(self.horizontal, self.vertical)
            placed = [sums.index_select(1, row).view(-1, length, length) for row in cells]
            # Fresh memory is what costs here: sums are made in place, a single row is not copied.
            bias = placed[0][None] if len(placed) == 1 else torch.stack(placed)
            if along is not None:
                bias += along
        else:
            assert along is not None
            bias = along.repeat(len(batch.keep), 1, 1, 1)  # alike for all rows but for padding
        # Laid out once, in the precision that attention runs in, so that no layer copies it.
        bias = bias.to(compute_dtype(bias))
        return Bias(bias.masked_fill_(~batch.keep[:, None, None, :], CLOSED))

    def _cells(self, batch: TaggerBatch) -> Tensor:
        """Return for each pair of pieces the column of `sums_of` it reads, (B, L * L)."""
        xi, eta = (
            self.buckets(place[:, :, None] - place[:, None, :])
            for place in self.places(batch).unbind(-1)
        )
        same_page = batch.page_index[:, :, None] == batch.page_index[:, None, :]
        side = 2 * self.span + 1
        return (xi * side + eta).masked_fill(~same_page, side**2 - 1).flatten(1)


def sums_of(horizontal: Tensor, vertical: Tensor) -> Tensor:
    """Return H(a) + V(b) of all buckets a, b, (H, (2C + 1)^2): one look-up in place of two.

    The last bucket of each, one more than the table has, is 0: for pieces of two pages.
    """
    across, down = (nn.functional.pad(t.t(), (0, 1)) for t in (horizontal, vertical))
    return (across[:, :, None] + down[:, None, :]).flatten(1)


class PaddingBias(Prior[Bias]):
    """A bias that closes padding and says nothing else."""

    def forward(self, batch: TaggerBatch) -> Bias:
        """Return 0, CLOSED where the key is padding, (B, 1, 1, L)."""
        keys = batch.keep[:, None, None, :]
        zeros = torch.zeros(keys.shape, dtype=compute_dtype(batch.boxes), device=keys.device)
        return Bias(zeros.masked_fill_(~keys, CLOSED))


class BiasedAttention(Attention[Bias]):
    """Scaled dot-product attention with the context's bias."""

    def forward(self, inputs: Sequence[Tensor], context: Bias) -> Tensor:
        """Return mixed values (B, H, L, d); see `models.attention.base.Attention`."""
        query, key, value = inputs
        if context.requires_grad:
            # PyTorch has no fused kernel for a bias that is trained, and its fallback guards
            # against rows of -inf in four more passes over (B, H, L, L).
            return self.weights(inputs, context).to(value.dtype) @ value
        bias = context.to(query.dtype)
        return F.scaled_dot_product_attention(query, key, value, attn_mask=bias)

    def weights(self, inputs: Sequence[Tensor], context: Bias) -> Tensor:
        """Return the attention matrix, (B, H, L, L)."""
        query, key, _ = inputs
        scores = query * query.shape[-1] ** -0.5 @ key.transpose(-1, -2)  # (B, H, L, L)
        weights: Tensor = (scores + context).softmax(-1)
        return weights
