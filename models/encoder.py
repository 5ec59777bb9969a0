"""One encoder with three slots: position encodings, a layout prior, an attention.

    x   = norm(words(input_ids) + sum of position terms)      slot 1
    ctx = prior(batch)                                        slot 2, once
    x   = block(x, ctx) for each block                        slot 3

What a context holds is between the prior and the attention of one mechanism; the encoder hands it
on. Blocks are post-norm as in BERT, so that its weights fit (checked against `transformers`'
BertModel).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from torch import Tensor, nn

from models.attention.base import Context, Mechanism, Prior
from models.attention.block import Block
from models.config import TaggerConfig
from models.encoding import TaggerBatch
from models.position.base import Position


class Encoder(nn.Module):
    """Pieces with boxes to hidden states.

    Args:
        config: sizes.
        positions: slot 1, whose terms are summed.
        mechanism: slots 2 and 3.
    """

    def __init__(
        self, config: TaggerConfig, positions: Sequence[Position], mechanism: Mechanism[Context]
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(config.vocab_size, config.hidden_size)
        self.positions = nn.ModuleList(positions)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.dropout)
        self.prior: Prior[Any] = mechanism.prior
        self.blocks = nn.ModuleList(
            Block(config, mechanism.attention()) for _ in range(config.layers)
        )

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return hidden states (B, L, D); those of padding are finite and without meaning."""
        x, context = self._enter(batch)
        for block in self.blocks:
            x = block(x, context)
        return x

    def states(self, batch: TaggerBatch, given: Sequence[Tensor] | None = None) -> Iterator[Tensor]:
        """Yield the states before the first block and behind each, (B, L, D).

        Args:
            batch: of B sequences of L pieces.
            given: states to feed to the blocks, in the form and order of what is yielded; the
                first block takes its own input all the same.
        """
        x, context = self._enter(batch)
        yield x
        for place, block in enumerate(self.blocks):
            if given is not None and place:
                x = given[place]
            x = block(x, context)
            yield x

    def attention_maps(self, batch: TaggerBatch) -> Iterator[Tensor]:
        """Yield what each block mixes values by, (B, H or 1, L, L), from the first block on.

        Raises:
            ValueError: the attention has no matrix.
        """
        x, context = self._enter(batch)
        for block in cast("Sequence[Block[Any]]", self.blocks):
            yield block.attention_map(x, context)
            x = block(x, context)

    def position_terms(self) -> Sequence[Position]:
        """Return slot 1, in the order of its state."""
        return cast("Sequence[Position]", self.positions)

    def set_progress(self, progress: float) -> None:
        """Tell the positions how much of training is done, 0 to 1."""
        for position in self.position_terms():
            position.set_progress(progress)

    def _enter(self, batch: TaggerBatch) -> tuple[Tensor, Any]:
        """Return the input of the first block, (B, L, D), and the context of all."""
        x: Tensor = self.words(batch.input_ids).to(self.norm.weight.dtype)
        for position in self.positions:
            x = x + position(batch)
        return self.dropout(self.norm(x)), self.prior(batch)
