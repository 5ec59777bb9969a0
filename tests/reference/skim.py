"""Skim-Attention's equations word for word (Nguyen et al., 2021), with loops over pieces."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from models.attention.block import Block
from models.attention.skim import SkimLayout
from models.encoding import TaggerBatch
from tests.reference.longrange import windowed_weights


def layout_embedding(module: SkimLayout, batch: TaggerBatch) -> Tensor:
    """Return l = X(x0) + Y(y0) + X(x1) + Y(y1) + W(x1 - x0) + H(y1 - y0), (B, L, D)."""
    tables = module.tables
    x, y, width, height = (
        part.weight  # type: ignore[union-attr]
        for part in (tables.x, tables.y, tables.width, tables.height)
    )
    rows = []
    for row in batch.boxes:
        for box in row:
            x0, y0, x1, y1 = (round(1000 * float(value)) for value in box)
            rows.append(x[x0] + y[y0] + x[x1] + y[y1] + width[x1 - x0] + height[y1 - y0])
    return torch.stack(rows).view(*batch.keep.shape, -1)


def transformer_layer(block: Block, x: Tensor, keep: Tensor, reach: int) -> Tensor:
    """Return a post-norm Transformer layer's output, (B, L, D), within a sliding window."""
    rows, length, size = x.shape
    heads = block.query_key_value(x).view(rows, length, 3, block.heads, -1)
    query, key, value = (heads[:, :, part].transpose(1, 2) for part in range(3))
    weights = windowed_weights(query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5, keep, reach)
    mixed = (weights @ value).transpose(1, 2).reshape(rows, length, size)
    x = block.attention_norm(x + block.attention_out(mixed))
    found: Tensor = block.norm(x + block.narrow(F.gelu(block.widen(x))))
    return found


def skim_scores(module: SkimLayout, batch: TaggerBatch, reach: int = 10**6) -> Tensor:
    """Return Q_l K_l^T / sqrt(d_l), (B, H, L, L), with no piece left out.

    Args:
        module: whose weights are used.
        batch: where the pieces stand.
        reach: of the contextualiser's sliding window; all pieces by default.
    """
    x = module.norm(layout_embedding(module, batch))
    for block in module.contextualiser:
        assert isinstance(block, Block)
        x = transformer_layer(block, x, batch.keep, reach)
    size = x.shape[-1]
    query = x @ module.query_key.weight[:size].T + module.query_key.bias[:size]
    key = x @ module.query_key.weight[size:].T + module.query_key.bias[size:]
    d = size // module.heads
    found = []
    for head in range(module.heads):
        own = slice(head * d, (head + 1) * d)
        found.append(query[..., own] @ key[..., own].transpose(-1, -2) / d**0.5)
    return torch.stack(found, dim=1)


def top_mask(scores: Tensor, keep: Tensor, top: int) -> Tensor:
    """Return where A_ij is among the k largest of A_i and j is real, (B, H, L, L) bool."""
    out = torch.zeros(scores.shape, dtype=torch.bool)
    rows, heads, length, _ = scores.shape
    for row in range(rows):
        real = [j for j in range(length) if keep[row, j]]
        for head in range(heads):
            for i in range(length):
                values = [float(scores[row, head, i, j]) for j in real]
                least = sorted(values, reverse=True)[: min(top, len(values))][-1]
                for j, value in zip(real, values, strict=True):
                    out[row, head, i, j] = value >= least
    return out
