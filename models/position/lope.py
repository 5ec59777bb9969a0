"""LoPE, learnable sinusoidal positional encoding of the places of one axis (ACL submission).

    LoPE(p)    = FFN(PE_sine(p)),   FFN(x) = GELU(x W1 + b1) W2 + b2
    LoPE_sc(p) = PE_sine(p) + LoPE(p)

W1 and W2 are D x D. Each axis has its own network. As in `SineAxis` a fixed factor stands before
all of it: among small word embeddings the encoding starts small, while its weights do not. An
optimizer moves every weight by about as much, which would blow up a network of small weights.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.position.sinusoidal import sinusoid

_WAVES = 2**-0.5  # root mean square of sinusoids


class LopeAxis(nn.Module):
    """A network over the sinusoids of an axis, with or without a short cut around it.

    Args:
        size: D, even.
        shortcut: LoPE_sc.
    """

    scale: Tensor

    def __init__(self, size: int, *, shortcut: bool) -> None:
        super().__init__()
        self.size = size
        self.shortcut = shortcut
        self.widen = nn.Linear(size, size)
        self.narrow = nn.Linear(size, size)
        self.register_buffer("scale", torch.ones(()))

    @torch.no_grad()
    def start_at(self, rms: float) -> None:
        """Draw the last layer anew so that places 0 to 1000 have about this root mean square."""
        nn.init.normal_(self.narrow.weight, std=self.size**-0.5)
        nn.init.zeros_(self.narrow.bias)
        found = self._network(torch.arange(1001, device=self.narrow.weight.device))
        self.narrow.weight *= _WAVES / found.square().mean().sqrt()
        # Where there is a short cut, network and sinusoids have half the power each.
        self.scale.fill_(rms if self.shortcut else rms / _WAVES)

    def forward(self, places: Tensor) -> Tensor:
        """Return (..., D) from integer places (...)."""
        # Boxes share few coordinates: the network sees each place once.
        found, index = torch.unique(places, return_inverse=True)
        vectors = self._network(found)
        if self.shortcut:
            # In the weights' type: under autocast the network's is bfloat16, in which the angles of
            # neighbouring places are one and the same.
            vectors = vectors + sinusoid(found, self.size, self.narrow.weight.dtype)
        return F.embedding(index, self.scale * vectors)

    def _network(self, places: Tensor) -> Tensor:
        waves = sinusoid(places, self.size, self.narrow.weight.dtype)
        result: Tensor = self.narrow(F.gelu(self.widen(waves)))
        return result
