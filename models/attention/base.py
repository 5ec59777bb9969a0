"""What every mechanism has: a prior, an attention, and the context that goes from one to the other.

A prior turns the boxes of a batch into a context, once in a forward pass; the attention of every
block reads it. Each mechanism has a context type of its own, which holds exactly what its attention
reads, padding included: for most a tensor with a type's name. The encoder only passes it on. A
`Mechanism` is made of a prior and an attention of the same type, which mypy checks where they are
paired (`models.build`).

Padding is said in one way throughout: `keep` is True on real pieces and False on padding.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, NewType, TypeVar

import torch
from torch import Tensor, nn

from models.encoding import TaggerBatch

Context = TypeVar("Context")

CLOSED = -1e4
"""What a bias holds where attention must not look: exp of it is exactly 0 beside any open key.

Finite, so that a row of padding alone gives finite numbers, and softmax needs no special case.
"""


class Prior(nn.Module, ABC, Generic[Context]):
    """Slot 2: boxes to the context of all blocks."""

    @abstractmethod
    def forward(self, batch: TaggerBatch) -> Context:
        """Return the context of a batch."""


class Attention(nn.Module, ABC, Generic[Context]):
    """Slot 3: mixes values. The projections before and behind it belong to the block.

    Attributes:
        inputs: names of what the block projects for it, the value last. An attention whose weights
            come from the context alone takes values only.
    """

    inputs: ClassVar[tuple[str, ...]] = ("query", "key", "value")

    @abstractmethod
    def forward(self, inputs: Sequence[Tensor], context: Context) -> Tensor:
        """Return mixed values (B, H, L, d) from `inputs`, each of that shape."""

    def weights(self, inputs: Sequence[Tensor], context: Context) -> Tensor:
        """Return what `forward` mixes values by, (B, H, L, L) or (B, 1, L, L); 0 on padding.

        Raises:
            ValueError: there is no such matrix, as in linear attention.
        """
        raise ValueError(f"{type(self).__name__} has no attention matrix to show")


@dataclass(frozen=True, slots=True)
class Mechanism(Generic[Context]):
    """A prior and the attention that reads its context.

    Attributes:
        prior: called once in a forward pass.
        attention: makes the attention of one block, which may hold weights of its own.
    """

    prior: Prior[Context]
    attention: Callable[[], Attention[Context]]


Padding = NewType("Padding", Tensor)
"""Context of a mechanism that reads no layout: (B, L) bool, True on real pieces."""


class PaddingPrior(Prior[Padding]):
    """Passes on where padding is."""

    def forward(self, batch: TaggerBatch) -> Padding:
        """Return the padding of a batch."""
        return Padding(batch.keep)


def compute_dtype(tensor: Tensor) -> torch.dtype:
    """Return the type that matrix products of `tensor` run in: autocast's, or its own."""
    device = tensor.device.type
    return torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else tensor.dtype
