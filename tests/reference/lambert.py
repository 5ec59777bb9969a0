"""LAMBERT's equations word for word (Garncarek et al., 2020 and ICDAR 2021), with loops."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from models.config import PageUnit
from models.encoding import TaggerBatch

BoxInUnits = tuple[float, float, float, float]


def box_in_units(batch: TaggerBatch, row: int, i: int, unit: PageUnit) -> BoxInUnits:
    """Return one box with the page's height, or its longer side, as the unit of length."""
    x0, top, x1, bottom = (float(value) for value in batch.boxes[row, i])
    aspect = float(batch.aspect[row, i])
    width, height = aspect, 1.0
    side = height if unit == "height" else max(width, height)
    width, height = width / side, height / side
    return x0 * width, top * height, x1 * width, bottom * height


def relative_bias(
    batch: TaggerBatch,
    *,
    unit: PageUnit,
    span: int,
    sequence: Tensor | None,
    horizontal: Tensor | None,
    vertical: Tensor | None,
    closed: float,
) -> Tensor:
    """Return W(i - j) + H(floor(xi_i - xi_j)) + V(floor(eta_i - eta_j)), (B, heads, L, L).

    Args:
        batch: where the pieces stand.
        unit: side of the page that has length 1.
        span: C; a table has a row for each integer in [-C, C).
        sequence: W as (2C, heads), or None for no such term.
        horizontal: H, likewise.
        vertical: V, likewise.
        closed: what stands where j is padding.
    """

    def bucket(distance: int) -> int:
        return max(-span, min(distance, span - 1)) + span

    rows, length = batch.keep.shape
    table = next(t for t in (sequence, horizontal) if t is not None)
    heads = table.shape[1]
    out = []
    for row in range(rows):
        boxes = [box_in_units(batch, row, i, unit) for i in range(length)]
        xi = [span * box[0] for box in boxes]
        eta = [span * (box[1] + box[3]) / 2 for box in boxes]
        for i in range(length):
            for j in range(length):
                total = torch.zeros(heads, dtype=table.dtype)
                if not batch.keep[row, j]:
                    out.append(torch.full_like(total, closed))
                    continue
                if sequence is not None:
                    total = total + sequence[bucket(i - j)]
                if batch.page_index[row, i] == batch.page_index[row, j]:
                    if horizontal is not None:
                        total = total + horizontal[bucket(math.floor(xi[i] - xi[j]))]
                    if vertical is not None:
                        total = total + vertical[bucket(math.floor(eta[i] - eta[j]))]
                out.append(total)
    return torch.stack(out).view(rows, length, length, heads).permute(0, 3, 1, 2)


def winding(box: BoxInUnits, frequencies: Sequence[float]) -> list[float]:
    """Return l = [F(x0) | F(top) | F(x1) | F(bottom)], F(t) = (cos th_r t, sin th_r t)."""
    found: list[float] = []
    for t in box:
        found += [math.cos(th * t) for th in frequencies]
        found += [math.sin(th * t) for th in frequencies]
    return found


def softmax_attention(
    query: Tensor, key: Tensor, value: Tensor, keep: Tensor, bias: Tensor | None
) -> Tensor:
    """Return softmax(Q K^T / sqrt(d) + bias) V with keys that are not kept left out altogether."""
    rows, heads, length, d = query.shape  # values may have another width
    out = []
    for row in range(rows):
        real = [j for j in range(length) if keep[row, j]]
        for head in range(heads):
            for i in range(length):
                logits = []
                for j in real:
                    logit = (query[row, head, i] * key[row, head, j]).sum() / math.sqrt(d)
                    logits.append(logit if bias is None else logit + bias[row, head, i, j])
                weights = torch.stack(logits).exp()
                weights = weights / weights.sum()
                out.append(sum(w * value[row, head, j] for w, j in zip(weights, real, strict=True)))
    return torch.stack(out).view(rows, heads, length, value.shape[-1])
