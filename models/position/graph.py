"""LAMBERT's graph layout embedding (Garncarek et al., 2020, appendix).

    N(i)  = the K = 5 boxes of the page nearest to box i under l^p, p = 1/2, between middles,
            on axes divided by the page's mean width and mean height of boxes
    h_i  <- MLP((1 + e) h_i + sum over j in N(i) of h_j)           GIN (Xu et al., ICLR 2019)
    l_i   = h_i after two modules of three such blocks

h_i starts as the box in page units; MLP is Linear, ReLU, Linear, 64 wide, and the last one puts
out `dim` (128). Ours: modules follow one another; of boxes equally far, on axes to four decimals,
the earlier one is taken, so that rounding errors do not choose; l_i is normalised (no affine part),
so that the adapter's start has a known size.
"""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.config import PageUnit
from models.encoding import TaggerBatch
from models.position.base import AdaptedPosition
from models.position.pages import page_mean, same_page
from models.position.winding import page_units

NEIGHBOURS = 5
HIDDEN = 64
MODULES, BLOCKS = 2, 3
_POWER = 0.5
_DECIMALS = 4
_LEAST = 1e-6  # mean width or height of boxes, where all are points


def neighbours(batch: TaggerBatch) -> tuple[Tensor, Tensor]:
    """Return the nearest boxes of each piece, nearest first.

    Returns:
        Their indices (B, L, k) and whether each is one (a page may have fewer), k = min(5, L).
        The scale of the page's axes cancels out, so fractions of the page serve.
    """
    near = same_page(batch)
    length = batch.keep.shape[1]
    middle = (batch.boxes[..., :2] + batch.boxes[..., 2:]) / 2  # (B, L, 2)
    size = page_mean(batch.boxes[..., 2:] - batch.boxes[..., :2], near).clamp(min=_LEAST)
    apart = (middle[:, :, None] - middle[:, None]).abs() / size[:, :, None]  # (B, L, L, 2)
    # Boxes in rows and columns are equally far but for rounding, which differs from machine to
    # machine and which the root makes a thousand times larger near 0. The outer root of l^p keeps
    # the order, so it is left out.
    distance = (apart.round(decimals=_DECIMALS) ** _POWER).sum(-1)
    itself = torch.eye(length, dtype=torch.bool, device=near.device)
    distance = distance.masked_fill(~near | itself, torch.inf)
    ordered, index = distance.sort(dim=-1, stable=True)
    count = min(NEIGHBOURS, length)
    return index[..., :count], ordered[..., :count].isfinite()


class GraphBlock(nn.Module):
    """One block of a graph isomorphism network.

    Args:
        size_in, size_out: width of h before and after.
    """

    def __init__(self, size_in: int, size_out: int) -> None:
        super().__init__()
        self.own = nn.Parameter(torch.zeros(()))  # e
        self.first = nn.Linear(size_in, HIDDEN)
        self.second = nn.Linear(HIDDEN, size_out)

    def forward(self, h: Tensor, index: Tensor, real: Tensor) -> Tensor:
        """Return (B, L, size_out) from h (B, L, size_in) and neighbours (B, L, k)."""
        rows = torch.arange(len(h), device=h.device)[:, None, None]
        around = (h[rows, index] * real[..., None]).sum(2)  # (B, L, k, size_in) summed over k
        result: Tensor = self.second(F.relu(self.first((1 + self.own) * h + around)))
        return result


class GraphEmbedding(AdaptedPosition):
    """Boxes to (B, L, D): a graph network over nearest boxes through a linear adapter.

    Args:
        dim: size of the graph network's output.
        hidden_size: D.
        page_unit: which side of the page has length 1.
    """

    def __init__(self, dim: int, hidden_size: int, page_unit: PageUnit) -> None:
        super().__init__()
        self.page_unit = page_unit
        sizes = (4, *[HIDDEN] * (MODULES * BLOCKS - 1), dim)
        self.blocks = nn.ModuleList(GraphBlock(before, after) for before, after in pairwise(sizes))
        self.adapter = nn.Linear(dim, hidden_size, bias=False)
        self.start_at(0.02 * dim**0.5)  # the paper's N(0, 0.02^2)

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return the layout term of the input, (B, L, D)."""
        index, real = neighbours(batch)
        # A neighbour that is none is weighed 0; what padding holds must not make that NaN.
        h = page_units(batch.boxes, batch.aspect, self.page_unit).where(batch.keep[..., None], 0.0)
        for block in self.blocks:
            h = block(h, index, real)
        term: Tensor = self.adapter(F.layer_norm(h, (h.shape[-1],)))
        return term
