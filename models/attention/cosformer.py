"""Linear attention re-weighted by cosines, over the sequence or over the page. Non-causal.

cosFormer: Qin et al., ICLR 2022. LayoutCosformer: Douzon et al., ICDAR workshops 2023.

    out_i = sum_j s_ij v_j / sum_j s_ij,      s_ij = phi(q_i) phi(k_j)^T B_ij,      phi = ReLU

    sequence    B_ij = cos(pi/2M (i - j)),    M = number of real pieces of the row
    squircle    B_ij = cos(pi/2 (x_i - x_j)) cos(pi/2 (y_i - y_j))
    cross-sum   B_ij = cos(pi/2 (x_i - x_j)) + cos(pi/2 (y_i - y_j))
    cross-larger   two attentions, one with the cosine of x and one with that of y, each divided by
                   its own sum; of the two outputs the one of larger magnitude, number by number

(x, y) is the middle of a box in fractions of its page, so that M, the largest coordinate, is 1.
Each B is a sum of products of a wave at i and a wave at j, by cos(a - b) = cos a cos b +
sin a sin b, so that keys and values are summed first and no (L, L) matrix arises: O(L) time and
memory, O(L R d^2) products with R = 2 waves for the sequence and 4 for the page.

The published *cross*, the larger of the two cosines, is no such sum. ``cross-sum`` keeps its shape,
high along the row and the column of a piece, and is the quadratic formula above exactly;
``cross-larger`` is what the published code computes under that name. M of the sequence is the
row's own length, as published, and not a constant of the model: a page and a long document both
use the whole quarter of the cosine, and no length is baked in.

All B are non-negative, so a denominator is 0 only where a query or all keys are; such a piece
takes 0. Sums run in float32 under autocast: bfloat16 would lose the far pieces of a long one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NewType

import torch
from torch import Tensor
from torch.nn import functional as F

from models.attention.base import Attention, Prior
from models.encoding import TaggerBatch

CosineForm = Literal["sequence", "squircle", "cross-sum", "cross-larger"]
EPSILON = 1e-6
"""Least denominator: a piece that attends to nothing gets 0, not 0 / 0."""
# Pieces a step: on a CPU the copies of a step stay in the cache, elsewhere steps cost launches.
_STEP_ON_CPU, _STEP = 256, 8192


Waves = NewType("Waves", Tensor)
"""Context of a linear attention re-weighted by cosines: (B, L, G, R), 0 on padding: R waves whose
products add up to B, for each of the G attentions that are normalised apart."""


class CosinePrior(Prior[Waves]):
    """The waves of a batch, once for all layers.

    Args:
        form: which B, see above.
    """

    def __init__(self, form: CosineForm) -> None:
        super().__init__()
        self.form = form

    def forward(self, batch: TaggerBatch) -> Waves:
        """Return the waves of a batch."""
        if self.form == "sequence":
            length = batch.keep.sum(1, keepdim=True).clamp(min=1)  # (B, 1)
            order = torch.arange(batch.keep.shape[1], device=batch.keep.device)
            # At least float32: angles of neighbours in a long row differ by less than bfloat16.
            waves = _waves(order.to(batch.boxes.dtype) / length)[:, :, None]  # (B, L, 1, 2)
        else:
            # Padding may hold any box; its waves are zeroed below and must be finite.
            boxes = batch.boxes.clamp(0.0, 1.0)
            middle = (boxes[..., :2] + boxes[..., 2:]) / 2  # (B, L, 2)
            waves = _waves(middle)  # (B, L, 2: x or y, 2: cos or sin)
            if self.form == "squircle":
                x, y = waves.unbind(2)
                waves = (x[..., :, None] * y[..., None, :]).flatten(2)[:, :, None]  # (B, L, 1, 4)
            elif self.form == "cross-sum":
                waves = waves.flatten(2)[:, :, None]  # (B, L, 1, 4)
        return Waves(waves * batch.keep[:, :, None, None])


def _waves(fraction: Tensor) -> Tensor:
    """Return (..., 2), cos and sin of a quarter turn's fraction."""
    angle = math.pi / 2 * fraction
    return torch.stack([angle.cos(), angle.sin()], dim=-1)


class CosformerAttention(Attention[Waves]):
    """ReLU attention re-weighted by the context's waves, which are 0 on padding and so close it."""

    def forward(self, inputs: Sequence[Tensor], context: Waves) -> Tensor:
        """Return mixed values (B, H, L, d); see `models.attention.base.Attention`."""
        query, key, value = inputs
        kind = query.dtype
        with torch.autocast(query.device.type, enabled=False):
            if kind in (torch.float16, torch.bfloat16):
                query, key, value = query.float(), key.float(), value.float()
            waves = context.to(query.dtype)
            groups = [_mix(query, key, value, group) for group in waves.unbind(2)]  # (B, H, L, d)
        if len(groups) == 1:
            return groups[0].to(kind)
        first, second = groups
        return torch.where(first.abs() > second.abs(), first, second).to(kind)


def _mix(query: Tensor, key: Tensor, value: Tensor, waves: Tensor) -> Tensor:
    """Return normalised linear attention for one B, (B, H, L, d), from waves (B, L, R).

    A column of ones beside the values makes the denominator in the same products.
    """
    step = _STEP_ON_CPU if query.device.type == "cpu" else _STEP
    size = value.shape[-1]
    summed: Tensor | None = None  # (B, H, R d, d + 1)
    for keys, values, at in zip(
        torch.split(key, step, 2),
        torch.split(value, step, 2),
        torch.split(waves, step, 1),
        strict=True,
    ):
        part = _spread(keys, at).transpose(-1, -2) @ F.pad(values, (0, 1), value=1.0)
        summed = part if summed is None else summed + part
    assert summed is not None
    found = []
    for queries, at in zip(torch.split(query, step, 2), torch.split(waves, step, 1), strict=True):
        mixed = _spread(queries, at) @ summed  # (B, H, n, d + 1)
        found.append(mixed[..., :size] / mixed[..., size:].clamp(min=EPSILON))
    return torch.cat(found, dim=2) if len(found) > 1 else found[0]


def _spread(x: Tensor, waves: Tensor) -> Tensor:
    """Return phi(x) under each wave, (B, H, n, R d), from (B, H, n, d) and (B, n, R)."""
    return (x.relu()[..., None, :] * waves[:, None, :, :, None]).flatten(-2)
