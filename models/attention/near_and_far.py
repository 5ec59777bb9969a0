"""Softmax for the near, a linear sum for the far: LAMBERT's attention over documents of any length.

    out_i  = near_i + g far_i
    near_i = sum_j softmax_j(q_i k_j^T / sqrt(d) + bias_ij) v_j
             over real pieces j with |i - j| <= w or j < first        (Longformer, sec. 3.1, 5)
    far_i  = the cosformer's sum over all real pieces, from the same q, k, v
    bias   = LAMBERT's W(i - j) + H + V, see `models.attention.relative_bias`
    g      = one trainable number a head, 0 at the start

A sum over thousands of pieces cannot tell a value's caption from the rest; a window can, and of
what softmax learnt in windows of 512 pieces hardly anything looks further than 128. So the weights
of a model with windows go into the near as they are, and training begins where that model stands.
Both parts are normalised apart. LoLCATs (Zhang et al., 2024) and Based (Arora et al., 2024) give
both one denominator, or layers of their own: exp(q k) and ReLU(q) ReLU(k) have no common scale
before a long distillation, and a closed gate needs none.

The sequence is cut in blocks of c queries, which meet the keys of c + 2w pieces and the first ones:
O(L (c + 2w) d) time. The biases of a few blocks are looked up at a time, in every layer anew, and
in training their weights are computed again for the gradients. What is kept for all layers is one
int32 for each pair of pieces that are near: O(L (c + 2w)) memory, heads share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from models.attention.base import CLOSED, Attention, compute_dtype
from models.attention.cosformer import CosformerAttention, CosinePrior, Waves
from models.attention.relative_bias import BiasTables, sums_of
from models.config import PageUnit
from models.encoding import TaggerBatch
from models.roles import Role

_BLOCK = 64  # c, queries that share their keys: what a few blocks look up stays in caches
_STEP = 4  # blocks whose biases are looked up together: on a CPU what caches hold
_STEP_CUDA = 64  # on a GPU enough to fill it


@dataclass(frozen=True, slots=True)
class NearAndFar:
    """Context of an attention that is near and far.

    A row is cut in n blocks of c queries; each meets k = first + c + 2 halo keys: the first pieces,
    and those from `halo` before the block to `halo` behind it.

    Attributes:
        cells: (B, n, c, k) int32, the column of `tables` that each pair reads.
        tables: (H, m), biases on the page summed; CLOSED in the last column.
        along: (H, c, k - first), the bias over 1-D distance, alike in all blocks.
        along_first: (H, n, c, first), likewise to the first pieces.
        halo: see above.
        waves: of the far.
    """

    cells: Tensor
    tables: Tensor
    along: Tensor
    along_first: Tensor
    halo: int
    waves: Waves


class NearAndFarPrior(BiasTables[NearAndFar]):
    """Who is near, with which biases, and the waves of the far; once for all layers.

    Args:
        heads, sequence, layout, page_unit, span: of the biases, see `BiasTables`.
        reach: w, how far a piece sees on either side.
        first: pieces at the beginning of a sequence that all see.
    """

    def __init__(
        self,
        heads: int,
        *,
        sequence: bool,
        layout: bool,
        page_unit: PageUnit,
        span: int,
        reach: int,
        first: int,
    ) -> None:
        super().__init__(heads, sequence=sequence, layout=layout, page_unit=page_unit, span=span)
        self.heads = heads
        self.reach = reach
        self.first = first
        self.far = CosinePrior("sequence")

    def forward(self, batch: TaggerBatch) -> NearAndFar:
        """Return the context of a batch."""
        length = batch.keep.shape[1]
        # A sequence that has no further blocks is one block; its keys are then its pieces.
        whole = length <= _BLOCK + 2 * self.reach
        size, halo = (length, 0) if whole else (_BLOCK, self.reach)
        first = min(self.first, length)
        none = batch.boxes.new_zeros(2 * self.span, self.heads)
        horizontal, vertical, sequence = (
            none if table is None else table
            for table in (self.horizontal, self.vertical, self.sequence)
        )
        sums = sums_of(horizontal, vertical)
        kind = compute_dtype(sums)
        query = torch.arange(-(-length // size) * size, device=batch.keep.device).view(-1, size)
        key = torch.arange(size + 2 * halo, device=query.device) - halo
        along = self._along(sequence, query[0, :, None] - key)
        along_first = self._along(sequence, query[..., None] - query.view(-1)[:first])
        return NearAndFar(
            self._cells(batch, size, halo, first),
            F.pad(sums, (0, 1), value=CLOSED).to(kind),
            along.to(kind),
            along_first.to(kind),
            halo,
            self.far(batch),
        )

    def _along(self, sequence: Tensor, apart: Tensor) -> Tensor:
        """Return W at distances (...), (H, ...)."""
        rows = apart.clamp(-self.span, self.span - 1).flatten() + self.span
        return sequence.t().index_select(1, rows).view(self.heads, *apart.shape)

    @torch.no_grad()
    def _cells(self, batch: TaggerBatch, size: int, halo: int, first: int) -> Tensor:
        """Return the column of the tables that each pair reads, (B, n, c, k)."""
        rows, length = batch.keep.shape
        fill = -length % size
        side = 2 * self.span + 1
        across = halo, halo + fill
        # Numbers of one sort, so that a block's keys are taken in one go: xi, eta, page, place.
        place = torch.arange(length, device=batch.keep.device).where(batch.keep, -1)
        facts = torch.stack(
            [*self.places(batch).unbind(-1), batch.page_index, place], 1
        )  # (B, 4, L), in the type of the boxes, which holds whole numbers to 2^24
        keys = F.pad(facts, across, value=-1.0).unfold(2, size + 2 * halo, size)  # (B, 4, n, .)
        queries = F.pad(facts, (0, fill)).view(rows, 4, -1, size)
        found = []
        step = _step_on(queries.device)
        for query, key in zip(
            torch.split(queries, step, 2), torch.split(keys, step, 2), strict=True
        ):
            head = facts[:, :, None, :first].expand(-1, -1, key.shape[2], -1)
            xi, eta, page, index = torch.cat([head, key], 3)[:, :, :, None].unbind(1)
            own_xi, own_eta, own_page, own_index = query[..., None].unbind(1)
            cell = self.buckets(own_xi - xi) * side + self.buckets(own_eta - eta)
            cell.masked_fill_(own_page != page, side**2 - 1)
            near = (own_index - index).abs() <= self.reach
            near[..., :first] = ~near[..., :first]  # those in reach are among the others
            cell.masked_fill_(~near | (index < 0), side**2)
            found.append(cell.int())
        return torch.cat(found, 1)


class NearAndFarAttention(Attention[NearAndFar]):
    """Softmax over what is near, and a gated share of the cosformer's sum over everything.

    Args:
        heads: H.
    """

    roles: ClassVar[dict[str, Role]] = {"gate": Role.BIAS}  # it starts at 0, as biases do

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.gate = nn.Parameter(torch.zeros(heads))
        self.far = CosformerAttention()

    def forward(self, inputs: Sequence[Tensor], context: NearAndFar) -> Tensor:
        """Return mixed values (B, H, L, d); see `models.attention.base.Attention`."""
        far = self.far(inputs, context.waves)
        query, key, value = inputs
        near = _near(query, key, value, context)
        return torch.addcmul(near, self.gate[:, None, None].to(near.dtype), far)


def _near(query: Tensor, key: Tensor, value: Tensor, context: NearAndFar) -> Tensor:
    """Return the near, (B, H, L, d), from query, key and value (B, H, L, d)."""
    length = query.shape[2]
    rows, count, size, _ = context.cells.shape
    padded = F.pad(query, (0, 0, 0, -length % size))
    blocks = padded.reshape(*query.shape[:2], count, size, -1)
    keys, values = (_around(x, size, context.halo) for x in (key, value))
    first = context.along_first.shape[-1]
    most = max(1, _step_on(query.device) // rows)
    learning = torch.is_grad_enabled() and count > _STEP
    found = []
    for start in range(0, count, most):
        part = slice(start, start + most)
        step = (
            blocks[:, :, part],
            _behind(key[:, :, :first], keys[:, :, part]),
            _behind(value[:, :, :first], values[:, :, part]),
            context.cells[:, part],
            context.tables,
            context.along,
            context.along_first[:, part],
        )
        # What a step looks up would otherwise be kept for the gradients of every layer.
        found.append(checkpoint(_step, *step, use_reentrant=False) if learning else _step(*step))
    return torch.cat(found, 2).flatten(2, 3)[:, :, :length]


def _step_on(device: torch.device) -> int:
    return _STEP_CUDA if device.type == "cuda" else _STEP


def _around(x: Tensor, size: int, halo: int) -> Tensor:
    """Return the pieces of each block and `halo` on either side, (B, H, n, size + 2 halo, d)."""
    padded = F.pad(x, (0, 0, halo, halo + -x.shape[2] % size))
    return padded.unfold(2, size + 2 * halo, size).transpose(3, 4)


def _behind(first: Tensor, around: Tensor) -> Tensor:
    """Return the first pieces (B, H, first, d) before those of each block, (B, H, n, k, d)."""
    head = first[:, :, None].expand(-1, -1, around.shape[2], -1, -1)
    return torch.cat([head, around], 3)


def _step(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    cells: Tensor,
    tables: Tensor,
    along: Tensor,
    along_first: Tensor,
) -> Tensor:
    """Return softmax attention of a few blocks of all rows, (B, H, n, c, d)."""
    bias = tables.index_select(1, cells.flatten()).view(-1, *cells.shape)  # (H, B, n, c, k)
    first = along_first.shape[-1]
    bias[..., :first] += along_first[:, None]
    bias[..., first:] += along[:, None, None]
    bias = bias.transpose(0, 1)
    if bias.requires_grad:  # no fused kernel trains a bias, see `BiasedAttention`
        scores = query * query.shape[-1] ** -0.5 @ key.transpose(-1, -2) + bias
        mixed: Tensor = scores.softmax(-1).to(value.dtype) @ value
        return mixed
    # The fused kernels take four dimensions: rows and heads are one of them.
    flat = F.scaled_dot_product_attention(
        query.flatten(0, 1),
        key.flatten(0, 1),
        value.flatten(0, 1),
        attn_mask=bias.flatten(0, 1).to(query.dtype),
    )
    return flat.reshape(query.shape)
