"""The seams of the encoder: what a layout prior hands on, and what an attention must answer.

Every mechanism reads `keep` the same way: True on real pieces, False on padding.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor, nn

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
        factor: (B, 1, L, L) to multiply attention weights by; None where the prior has none.
        given: the attention weights themselves, for all layers: (B, H, L, L), or in a band of
            chunks (B, n, H, size, 3 size); 0 where j is padding.
        band: (B, n, size, 3 size) bool, where attention in chunks is open.
        waves: (B, L, G, R) separable factors of a re-weighting, 0 on padding.
    """

    bias: Tensor | None = None
    factor: Tensor | None = None
    given: Tensor | None = None
    band: Tensor | None = None
    waves: Tensor | None = None


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


class ValueMixing(nn.Module, ABC):
    """Slot 3 where the context holds the weights already: the block projects values alone."""

    @abstractmethod
    def forward(self, value: Tensor, context: LayoutContext) -> Tensor:
        """Return (B, H, L, d) from values of that shape."""

    def matrix(self, context: LayoutContext) -> Tensor:
        """Return what values are mixed by, (B, H, L, L).

        Raises:
            ValueError: there is no such matrix.
        """
        raise ValueError(f"{type(self).__name__} has no attention matrix to show")


@runtime_checkable
class AttentionMap(Protocol):
    """An attention that has a matrix to show: how much each piece takes from each other."""

    def weights(self, query: Tensor, key: Tensor, keep: Tensor, context: LayoutContext) -> Tensor:
        """Return what values are mixed by, (B, H, L, L) or (B, 1, L, L); 0 where j is padding."""
        ...


def compute_dtype(tensor: Tensor) -> torch.dtype:
    """Return the type that matrix products of `tensor` run in: autocast's, or its own."""
    device = tensor.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else tensor.dtype
