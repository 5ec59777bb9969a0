"""Word shapes as a term of the input, x_i = ... + S[row of the shape of i's word].

The table starts at nothing, so that an encoder that comes in with weights begins as it was.
"""

from __future__ import annotations

from torch import Tensor, nn

from models.encoding import TaggerBatch
from models.position.base import Position
from models.position.learned import LearnedAxis


class ShapeEmbedding(LearnedAxis, Position):
    """A trainable vector for each row of `models.word_shapes`."""

    def start_at(self, rms: float) -> None:
        """Set all rows to zero, whatever the size of other terms."""
        nn.init.zeros_(self.weight)

    def forward(self, batch: TaggerBatch) -> Tensor:  # type: ignore[override]
        """Return the term of the input, (B, L, D)."""
        term: Tensor = super().forward(batch.word_shape)
        return term
