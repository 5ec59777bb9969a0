"""LAMBERT's winding layout embedding (Garncarek et al., 2020, eq. 2 and sec. 3.1; ICDAR 2021).

    l_i = [F(x0) | F(top) | F(x1) | F(bottom)],   F(t) = (cos th_r t, sin th_r t),  r = 1 .. dim/8

th_r are geometric between the lowest and the highest frequency; lengths are in page units.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.config import PageUnit
from models.encoding import TaggerBatch
from models.position.base import AdaptedPosition


def page_units(boxes: Tensor, aspect: Tensor, unit: PageUnit) -> Tensor:
    """Return boxes in units of one side of the page, so that both axes have one scale.

    Args:
        boxes: (B, L, 4) fractions of the page's width and height.
        aspect: (B, L) width / height of the page.
        unit: the side of length 1. ``height``: x runs to aspect, y to 1; ``longer_side``: the
            longer of the two runs to 1.
    """
    scale = torch.stack([aspect, torch.ones_like(aspect)] * 2, dim=-1)  # (B, L, 4)
    if unit == "longer_side":
        scale = scale / aspect.clamp(min=1.0)[..., None]
    return boxes * scale


class WindingEmbedding(AdaptedPosition):
    """Boxes to (B, L, D): the winding embedding through a linear adapter.

    Args:
        dim: size of the winding embedding, a multiple of 8.
        hidden_size: D.
        frequencies: lowest and highest th.
        page_unit: which side of the page has length 1.
    """

    frequencies: Tensor

    def __init__(
        self, dim: int, hidden_size: int, frequencies: tuple[float, float], page_unit: PageUnit
    ) -> None:
        super().__init__()
        self.page_unit = page_unit
        low, high = frequencies
        factors = torch.logspace(0, 1, dim // 8, base=high / low) * low
        self.register_buffer("frequencies", factors, persistent=False)
        self.adapter = nn.Linear(dim, hidden_size, bias=False)
        self.start_at(0.02 * (dim / 2) ** 0.5)  # the paper's N(0, 0.02^2)

    def energy(self) -> float:
        """Return 1/2: the winding vector is made of pairs of cos^2 + sin^2 = 1.

        The paper's start suits RoBERTa; where word embeddings are smaller it drowns them, so that
        `start_at` is given a share of the encoder's own embeddings.
        """
        return 0.5

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return the layout term of the input, (B, L, D)."""
        boxes = page_units(batch.boxes, batch.aspect, self.page_unit)
        angles = boxes[..., None] * self.frequencies  # (B, L, 4, dim/8)
        winding = torch.cat([angles.cos(), angles.sin()], dim=-1)  # (B, L, 4, dim/4)
        term: Tensor = self.adapter(winding.flatten(-2))  # (B, L, dim) -> (B, L, D)
        return term
