"""Page embeddings (Douzon et al., ICDAR 2023), x_i = ... + P[page_i], and who shares a page."""

from __future__ import annotations

from torch import Tensor

from models.encoding import TaggerBatch
from models.position.base import Position
from models.position.learned import LearnedAxis


class PageEmbedding(LearnedAxis, Position):
    """A trainable vector for each page; pages beyond the last row share it."""

    def forward(self, batch: TaggerBatch) -> Tensor:  # type: ignore[override]
        """Return the page term of the input, (B, L, D)."""
        term: Tensor = super().forward(batch.page_index.clamp(max=self.num_embeddings - 1))
        return term


def same_page(batch: TaggerBatch) -> Tensor:
    """Return where j is a real piece on the page of i, (B, L, L) bool."""
    alike = batch.page_index[:, :, None] == batch.page_index[:, None, :]
    return alike & batch.keep[:, None, :]


def page_mean(values: Tensor, counted: Tensor) -> Tensor:
    """Return for each piece the mean of the counted pieces' values; 0 where none counts.

    Args:
        values: (B, L, C); may hold anything where a piece is not counted.
        counted: (B, L, L) bool, which pieces j count for piece i, see `same_page`.
    """
    seen = counted.any(1)[..., None]  # (B, L, 1)
    weights = counted.to(values.dtype)
    total = weights @ values.where(seen, 0.0)  # (B, L, C)
    return total / weights.sum(-1, keepdim=True).clamp(min=1.0)
