"""LAMBERT's relative attention biases (Garncarek et al., ICDAR 2021, sec. 3.2).

    bias_ij = W(i - j) + H(floor(xi_i - xi_j)) + V(floor(eta_i - eta_j))
    (xi, eta) = (C x0, C (top + bottom) / 2)

W, H, V: one trainable weight a head for each integer in [-C, C), starting at 0; distances beyond
are clipped. x0, top and bottom are in page units (see `models.position.winding.page_units`).
H and V apply between pieces of one page: a distance across pages is not defined.
Cost: O(H L^2) once in a forward pass, shared by all layers.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.attention.base import CLOSED, LayoutContext, compute_dtype
from models.config import PageUnit
from models.encoding import TaggerBatch
from models.position.winding import page_units


class RelativeBias(nn.Module):
    """The three biases of a batch as one `LayoutContext`.

    Args:
        heads: H.
        sequence: learn W over 1-D distance.
        layout: learn H and V over distance on the page.
        page_unit: which side of the page has length 1.
        span: C, half the number of buckets, and buckets a page unit.
    """

    def __init__(
        self, heads: int, *, sequence: bool, layout: bool, page_unit: PageUnit, span: int = 100
    ) -> None:
        super().__init__()
        self.span = span
        self.page_unit = page_unit
        # Row 0 is distance -C; a table is (2C, heads) so that a look-up gives (..., heads).
        self.sequence = nn.Parameter(torch.zeros(2 * span, heads)) if sequence else None
        self.horizontal = nn.Parameter(torch.zeros(2 * span, heads)) if layout else None
        self.vertical = nn.Parameter(torch.zeros(2 * span, heads)) if layout else None

    def forward(self, batch: TaggerBatch) -> LayoutContext:
        """Return the summed biases, CLOSED where the key is padding, (B, H, L, L)."""
        length = batch.keep.shape[1]
        total: Tensor | None = None
        if self.sequence is not None:
            order = torch.arange(length, device=batch.keep.device)
            total = self._look_up(self.sequence, order[:, None] - order[None, :])  # (L, L, H)
        if self.horizontal is not None and self.vertical is not None:
            boxes = page_units(batch.boxes, batch.aspect, self.page_unit)  # (B, L, 4)
            xi = self.span * boxes[..., 0]
            eta = self.span * (boxes[..., 1] + boxes[..., 3]) / 2
            placed = self._look_up(self.horizontal, _differences(xi)) + self._look_up(
                self.vertical, _differences(eta)
            )  # (B, L, L, H)
            same_page = batch.page_index[:, :, None] == batch.page_index[:, None, :]
            placed = placed * same_page[..., None]
            total = placed if total is None else placed + total
        if total is None:
            return LayoutContext()
        bias = total.movedim(-1, -3)
        if bias.dim() == 3:  # alike for all rows; padding, filled in place below, is not
            bias = bias.repeat(len(batch.keep), 1, 1, 1)  # (B, H, L, L)
        # Laid out once, in the precision that attention runs in, so that no layer copies it.
        bias = bias.to(compute_dtype(bias), memory_format=torch.contiguous_format)
        return LayoutContext(bias.masked_fill_(~batch.keep[:, None, None, :], CLOSED))

    def _look_up(self, table: Tensor, distance: Tensor) -> Tensor:
        bucket = distance.clamp(-self.span, self.span - 1) + self.span
        return nn.functional.embedding(bucket, table)


def _differences(values: Tensor) -> Tensor:
    """Return floor(v_i - v_j) as integers, (B, L) -> (B, L, L)."""
    return (values[:, :, None] - values[:, None, :]).floor().long()
