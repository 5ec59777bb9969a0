"""1-D position embeddings, with LAMBERT's way of unlearning them (Garncarek et al., 2020).

    p_i = PE(i),   x_i = ... + drop_q(p_i)

drop_q drops whole position vectors, without rescaling the others; q rises from 0 to 1 over the
first half of training and stays at 1, so that the finished model reads no order. With order kept,
q is 0 throughout. PE is a table as in BERT, or one of the functions of the LoPE paper. A table may
be counted through again and again: place i >= rows has the vector of 1 + (i - 1) mod (rows - 1), so
that row 0 is left to the first piece of a sequence, which is no word.
"""

from __future__ import annotations

import torch
from torch import Tensor

from models.config import Axis
from models.encoding import TaggerBatch
from models.position.base import Position
from models.position.corners import build_axis
from models.position.learned import LearnedAxis


class SequentialEmbedding(Position):
    """Embeddings of places 0 .. length - 1.

    Args:
        length: rows of a table, which refuses longer sequences unless it repeats; functions take
            any.
        hidden_size: D.
        kind: of encoding.
        droppable: order can be suppressed; the rate is then saved with the weights.
        repeats: a longer sequence counts through the table again.
    """

    rate: Tensor

    def __init__(
        self,
        length: int,
        hidden_size: int,
        *,
        kind: Axis = "learned",
        droppable: bool = False,
        repeats: bool = False,
    ) -> None:
        super().__init__()
        self.table = build_axis(kind, length, hidden_size)
        self.rows = length
        self.droppable = droppable
        self.repeats = repeats
        self.register_buffer("rate", torch.zeros(()), persistent=droppable)

    def set_progress(self, progress: float) -> None:
        """Set q by the share of training done, 0 to 1: it rises linearly to 1 at one half."""
        if self.droppable:
            self.rate.fill_(min(1.0, 2.0 * progress))

    def start_at(self, rms: float) -> None:
        """Draw the encoding anew so that it has about this root mean square."""
        self.table.start_at(rms)

    def pretrained_tables(self) -> dict[str, str]:
        """Return the table of places, where it is one."""
        return {"order.weight": "table.weight"} if isinstance(self.table, LearnedAxis) else {}

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return the order term of the input, (1, L, D) in use or (B, L, D) in training.

        Raises:
            ValueError: the sequence is longer than a table that does not repeat.
        """
        length = batch.input_ids.shape[1]
        places = torch.arange(length, device=batch.input_ids.device)
        if isinstance(self.table, LearnedAxis) and length > self.rows:
            if not self.repeats:
                raise ValueError(
                    f"{length} pieces, but the position table has {self.rows} rows: "
                    "cut the document into windows"
                )
            places = places.where(places < self.rows, 1 + (places - 1) % (self.rows - 1))
        term: Tensor = self.table(places)[None]  # (1, L, D)
        if not self.droppable:
            return term
        if self.training:
            kept = torch.rand(batch.input_ids.shape, device=term.device) >= self.rate  # (B, L)
            return term * kept[..., None]
        return term * (1.0 - self.rate)  # what training sees on average; nothing once q is 1
