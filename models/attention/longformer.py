"""Sliding-window attention (Longformer: Beltagy et al., 2020, sec. 3.1), computed in bands.

    out_i = sum_j softmax_j(q_i k_j^T / sqrt(d)) v_j      over real pieces j with |i - j| <= w

The sequence is cut in chunks of w pieces, and the queries of a chunk meet the keys of the chunk
and of its two neighbours: O(L w d) time, and no (L, L) matrix. Where a sequence is shorter than w,
the chunk is the sequence. Local attention alone: the published code's global pieces, with
projections of their own, serve questions and whole-text tasks, and tagging has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NewType

import torch
from torch import Tensor
from torch.nn import functional as F

from models.attention.base import Attention, Prior
from models.encoding import TaggerBatch

Band = NewType("Band", Tensor)
"""Context of an attention within a sliding window, see `band`."""


def chunks(x: Tensor, size: int) -> Tensor:
    """Return (B, H, L, d) as chunks (B, n, H, size, d), the last one filled up with zeros."""
    padded = F.pad(x, (0, 0, 0, -x.shape[2] % size))
    rows, heads, length, width = padded.shape
    return padded.reshape(rows, heads, length // size, size, width).transpose(1, 2)


def neighbourhoods(x: Tensor, size: int) -> Tensor:
    """Return for each chunk its pieces and its neighbours', (B, n, H, 3 size, d)."""
    padded = F.pad(x, (0, 0, size, size + -x.shape[2] % size))
    return padded.unfold(2, 3 * size, size).permute(0, 2, 1, 4, 3)


def joined(x: Tensor, length: int) -> Tensor:
    """Return chunks (B, n, H, size, d) as (B, H, L, d), without what filled the last one up."""
    return x.transpose(1, 2).flatten(2, 3)[:, :, :length]


def band(keep: Tensor, reach: int) -> Band:
    """Return where attention is open, (B, n, size, 3 size), True = open, from keep (B, L).

    Padding attends to itself, so that its rows stay finite; nothing else attends to it.
    """
    size = min(keep.shape[1], reach)
    offset = torch.arange(3 * size, device=keep.device) - size
    distance = offset[None, :] - torch.arange(size, device=keep.device)[:, None]  # j - i
    real = F.pad(keep, (size, size + -keep.shape[1] % size)).unfold(1, 3 * size, size)
    return Band((distance.abs() <= reach) & real[:, :, None] | (distance == 0))


class SlidingWindow(Prior[Band]):
    """The band of a batch, once for all layers.

    Args:
        reach: w, how far a piece sees on either side.
    """

    def __init__(self, reach: int) -> None:
        super().__init__()
        self.reach = reach

    def forward(self, batch: TaggerBatch) -> Band:
        """Return the band of a batch."""
        return band(batch.keep, self.reach)


class LongformerAttention(Attention[Band]):
    """Softmax attention within the context's band."""

    def forward(self, inputs: Sequence[Tensor], context: Band) -> Tensor:
        """Return mixed values (B, H, L, d); see `models.attention.base.Attention`."""
        query, key, value = inputs
        rows, count, size, _ = context.shape
        mixed = F.scaled_dot_product_attention(
            chunks(query, size).flatten(0, 1),  # (B n, H, size, d)
            neighbourhoods(key, size).flatten(0, 1),  # (B n, H, 3 size, d)
            neighbourhoods(value, size).flatten(0, 1),
            attn_mask=context.flatten(0, 1)[:, None],  # (B n, 1, size, 3 size)
        )
        return joined(mixed.view(rows, count, *mixed.shape[1:]), query.shape[2])
