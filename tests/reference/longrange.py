"""The long-range attentions as their quadratic formulas: cosformer, Linformer, sliding windows."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from models.encoding import TaggerBatch


def cosine_weights(batch: TaggerBatch, row: int, axis: str) -> Tensor:
    """Return B for one row and one axis, (L, L), where pieces are real; 0 elsewhere.

    Args:
        batch: where the pieces stand.
        row: of the batch.
        axis: ``sequence``, cos(pi/2M (i - j)) with M real pieces; ``x`` or ``y``, the cosine of a
            quarter turn times the distance of the boxes' middles.
    """
    length = batch.keep.shape[1]
    real = int(batch.keep[row].sum())
    out = torch.zeros(length, length, dtype=batch.boxes.dtype)
    for i in range(length):
        for j in range(length):
            if not (batch.keep[row, i] and batch.keep[row, j]):
                continue
            if axis == "sequence":
                apart = (i - j) / real
            else:
                first, last = (0, 2) if axis == "x" else (1, 3)
                a, b = batch.boxes[row, i], batch.boxes[row, j]
                apart = float(a[first] + a[last] - b[first] - b[last]) / 2
            out[i, j] = math.cos(math.pi / 2 * apart)
    return out


def cosformer(
    query: Tensor, key: Tensor, value: Tensor, batch: TaggerBatch, form: str, least: float
) -> Tensor:
    """Return sum_j s_ij v_j / sum_j s_ij with s_ij = ReLU(q_i) ReLU(k_j)^T B_ij, (B, H, L, d).

    Args:
        query: (B, H, L, d).
        key: likewise.
        value: likewise.
        batch: where the pieces stand.
        form: of B, see `models.attention.cosformer`.
        least: denominator, so that a piece without weights takes 0.
    """

    def attend(b: Tensor, row: int) -> Tensor:
        s = query[row].clamp(min=0) @ key[row].clamp(min=0).transpose(-1, -2) * b  # (H, L, L)
        return s @ value[row] / s.sum(-1, keepdim=True).clamp(min=least)

    out = []
    for row in range(len(query)):
        if form == "sequence":
            out.append(attend(cosine_weights(batch, row, "sequence"), row))
            continue
        x, y = (cosine_weights(batch, row, axis) for axis in ("x", "y"))
        if form == "squircle":
            out.append(attend(x * y, row))
        elif form == "cross-sum":
            out.append(attend(x + y, row))
        else:
            of_x, of_y = attend(x, row), attend(y, row)
            out.append(torch.where(of_x.abs() > of_y.abs(), of_x, of_y))
    return torch.stack(out)


def linformer(
    query: Tensor, key: Tensor, value: Tensor, keep: Tensor, p_key: Tensor, p_value: Tensor
) -> Tensor:
    """Return softmax(Q (P_K K)^T / sqrt(d)) P_V V, (B, H, L, d), over real pieces alone."""
    rows, heads, length, d = query.shape
    out = []
    for row in range(rows):
        real = [j for j in range(length) if keep[row, j]]
        for head in range(heads):
            keys = sum(p_key[:, j, None] * key[row, head, j] for j in real)  # (k, d)
            values = sum(p_value[:, j, None] * value[row, head, j] for j in real)
            weights = (query[row, head] @ keys.T / math.sqrt(d)).softmax(-1)
            out.append(weights @ values)
    return torch.stack(out).view(rows, heads, length, d)


def windowed_weights(scores: Tensor, keep: Tensor, reach: int, first: int = 0) -> Tensor:
    """Return softmax of scores (B, H, L, L) over real j near i, or j = i.

    Near is |i - j| <= reach, or j < first.
    """
    rows, heads, length, _ = scores.shape
    out = torch.zeros_like(scores)
    for row in range(rows):
        for i in range(length):
            near = [j for j in range(length) if abs(i - j) <= reach or j < first]
            seen = [j for j in near if keep[row, j] or i == j]
            for head in range(heads):
                weights = scores[row, head, i, seen].exp()
                out[row, head, i, seen] = weights / weights.sum()
    return out


def near_and_far(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    batch: TaggerBatch,
    bias: Tensor,
    gate: Tensor,
    reach: int,
    first: int,
) -> Tensor:
    """Return softmax over the near plus the gate's share of the cosformer, (B, H, L, d).

    Args:
        query: (B, H, L, d).
        key: likewise.
        value: likewise.
        batch: where the pieces stand.
        bias: of the scores, (B, H, L, L).
        gate: (H,).
        reach: how far a piece sees on either side.
        first: pieces at the beginning that all see.
    """
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1]) + bias
    near = windowed_weights(scores, batch.keep, reach, first) @ value
    far = cosformer(query, key, value, batch, "sequence", 1e-6)
    return near + gate.view(-1, 1, 1) * far
