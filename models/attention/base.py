"""The seams of the encoder: what a layout prior hands on, and what an attention must answer.

Every mechanism reads `keep` the same way: True on real pieces, False on padding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from models.encoding import TaggerBatch

CLOSED = -1e4
"""What a bias holds where attention must not look: exp of it is exactly 0 beside any open key.

Finite, so that a row of padding alone gives finite numbers, and softmax needs no special case.
"""


@dataclass(frozen=True, slots=True)
class LayoutContext:
    """The layout quantity that all layers share, computed once in a forward pass.

    Attributes:
        bias: (B, H, L, L) to add to attention logits; None where the prior has none. Already
            holds CLOSED where a key is padding, so that no layer derives the mask again.
    """

    bias: Tensor | None = None


class Prior(Protocol):
    """Slot 2: boxes to the context of all layers."""

    def __call__(self, batch: TaggerBatch) -> LayoutContext:
        """Return the context of a batch."""
        ...


class Attention(Protocol):
    """Slot 3: mixes values; the projections around it belong to the block."""

    def __call__(
        self, query: Tensor, key: Tensor, value: Tensor, keep: Tensor, context: LayoutContext
    ) -> Tensor:
        """Return (B, H, L, d) from query, key and value of the same shape and keep (B, L)."""
        ...


def compute_dtype(tensor: Tensor) -> torch.dtype:
    """Return the type that matrix products of `tensor` run in: autocast's, or its own."""
    device = tensor.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else tensor.dtype
