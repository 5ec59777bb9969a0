"""Tables of vectors for the places of one axis: LearnVec in the LoPE paper, BERT's in order.

PE(p) = table[p]

What is learnt for a place says nothing of the places beside it.
"""

from __future__ import annotations

from torch import nn


class LearnedAxis(nn.Embedding):
    """One trainable vector for each place 0 .. rows - 1.

    Args:
        rows: number of places.
        size: D.
    """

    def __init__(self, rows: int, size: int) -> None:
        super().__init__(rows, size)
        self.start_at(0.02)

    def start_at(self, rms: float) -> None:
        """Draw the table anew with this root mean square."""
        nn.init.normal_(self.weight, std=rms)
