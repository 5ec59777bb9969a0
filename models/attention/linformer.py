"""Attention to a fixed number of projected keys.

Linformer: Wang et al., 2020. LayoutLinformer: Douzon et al., ICDAR workshops 2023.

    K' = P_K K,   V' = P_V V,   out = softmax(Q K'^T / sqrt(d)) V'

P_K and P_V are (k, N), trained, one pair a layer and shared by its heads; a sequence of L <= N
pieces uses their first L columns. N is the longest sequence: longer ones are refused. Padding is
zeroed before it is projected, so it adds nothing to any K' or V'.
Cost O(L k d) time, O(L d + k N) memory.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.attention.base import Attention, Padding


class LinformerAttention(Attention[Padding]):
    """Softmax attention over `rank` mixtures of the sequence.

    Args:
        length: N, the longest sequence.
        rank: k, how many mixtures.
    """

    def __init__(self, length: int, rank: int) -> None:
        super().__init__()
        self.project_key = nn.Parameter(torch.empty(rank, length))
        self.project_value = nn.Parameter(torch.empty(rank, length))
        for projection in (self.project_key, self.project_value):
            nn.init.normal_(projection, std=rank**-0.5)  # a random projection keeps lengths

    def forward(self, inputs: Sequence[Tensor], context: Padding) -> Tensor:
        """Return mixed values (B, H, L, d); see `models.attention.base.Attention`.

        Raises:
            ValueError: the sequence is longer than N.
        """
        query, key, value = inputs
        length, longest = key.shape[2], self.project_key.shape[1]
        if length > longest:
            raise ValueError(
                f"{length} pieces, but linformer attention was built for at most {longest}: "
                "cut the document into windows"
            )
        keys = _project(self.project_key, key, context)  # (B, H, k, d)
        values = _project(self.project_value, value, context)  # (B, H, k, d)
        return F.scaled_dot_product_attention(query, keys, values)


def _project(projection: Tensor, x: Tensor, keep: Tensor) -> Tensor:
    """Return P x, (B, H, k, d), from P (k, N) and x (B, H, L, d), leaving padding out."""
    real = (x * keep[:, None, :, None]).transpose(1, 2)  # (B, L, H, d)
    mixed = projection[:, : real.shape[1]] @ real.flatten(2)  # (B, k, H d)
    return mixed.view(len(mixed), -1, *real.shape[2:]).transpose(1, 2)
