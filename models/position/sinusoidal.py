"""Sinusoidal encoding of the places of one axis (Vaswani et al., 2017; *Sine* in the LoPE paper).

PE_sine(p)[2k] = sin(p / 10000^(2k/D)),   PE_sine(p)[2k+1] = cos(p / 10000^(2k/D))

D is even; nothing is learnt, and no place is the last one.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


def sinusoid(places: Tensor, size: int, dtype: torch.dtype) -> Tensor:
    """Return PE_sine of integer places (...) as (..., size); size is even."""
    powers = torch.arange(0, size, 2, device=places.device, dtype=dtype) / size
    angles = places[..., None].to(dtype) * 10000.0**-powers  # (..., D/2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


class SineAxis(nn.Module):
    """The fixed encoding of an axis times a factor, 1 in the paper.

    The factor is no parameter: it is set once, so that the encoding does not drown the word
    embeddings of a pretrained encoder, and saved with the weights.

    Args:
        size: D, even.
    """

    scale: Tensor

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size
        self.register_buffer("scale", torch.ones(()))

    def start_at(self, rms: float) -> None:
        """Set the factor so that the encoding has this root mean square."""
        self.scale.fill_(rms * 2**0.5)  # sin^2 + cos^2 = 1 over two places

    def forward(self, places: Tensor) -> Tensor:
        """Return (..., D) from integer places (...)."""
        return self.scale * sinusoid(places, self.size, self.scale.dtype)
