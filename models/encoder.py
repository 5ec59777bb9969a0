"""One encoder with three slots: position encodings, a layout prior, an attention.

    x   = norm(words(input_ids) + sum of position terms)      slot 1
    ctx = prior(batch)                                        slot 2, once
    x   = block(x, keep, ctx) for each block                  slot 3

Post-norm blocks as in BERT, so that its weights fit (checked against `transformers`' BertModel).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.attention.base import Attention, AttentionMap, LayoutContext, Prior, ValueMixing
from models.config import TaggerConfig
from models.encoding import TaggerBatch
from models.position.sequential import SequentialEmbedding
from models.roles import Role

# Pieces of a long sequence that go through the feed-forward together where nothing is learnt:
# what is computed of them then stays in the processor's caches.
_AT_ONCE = 2048


class Block(nn.Module):
    """Attention and feed-forward, each with a residual and a norm behind it.

    Args:
        config: sizes.
        attention: slot 3.
    """

    roles: ClassVar[dict[str, Role]] = {
        **dict.fromkeys(("query_key_value", "value", "attention", "attention_out"), Role.MIXING),
        **dict.fromkeys(("attention_norm", "widen", "narrow", "norm"), Role.FEED_FORWARD),
    }

    def __init__(self, config: TaggerConfig, attention: Attention | ValueMixing) -> None:
        super().__init__()
        size = config.hidden_size
        self.heads = config.heads
        if isinstance(attention, ValueMixing):
            self.value = nn.Linear(size, size)
        else:
            self.query_key_value = nn.Linear(size, 3 * size)
        self.attention = attention
        self.attention_out = nn.Linear(size, size)
        self.attention_norm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.widen = nn.Linear(size, config.intermediate_size)
        self.narrow = nn.Linear(config.intermediate_size, size)
        self.norm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, keep: Tensor, context: LayoutContext) -> Tensor:
        """Return (B, L, D) from (B, L, D)."""
        if isinstance(self.attention, ValueMixing):
            value = self.value(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)  # (B, H, L, d)
            mixed = self.attention(value, context)
        else:
            query, key, value = self._split(x)
            mixed = self.attention(query, key, value, keep, context)  # (B, H, L, d)
        mixed = mixed.transpose(1, 2).reshape(x.shape)  # (B, L, D)
        if torch.is_grad_enabled() or x.size(1) <= _AT_ONCE:
            return self._feed_forward(x, mixed)
        parts = zip(torch.split(x, _AT_ONCE, 1), torch.split(mixed, _AT_ONCE, 1), strict=True)
        return torch.cat([self._feed_forward(*part) for part in parts], 1)

    def _feed_forward(self, x: Tensor, mixed: Tensor) -> Tensor:
        """Return what becomes of each piece and what was mixed for it, by itself, (B, L, D)."""
        x = self.attention_norm(x + self.dropout(self.attention_out(mixed)))
        out: Tensor = self.norm(x + self.dropout(self.narrow(F.gelu(self.widen(x)))))
        return out

    def attention_map(self, x: Tensor, keep: Tensor, context: LayoutContext) -> Tensor:
        """Return what `forward` mixes values by, (B, H, L, L) or (B, 1, L, L).

        Raises:
            ValueError: the attention has no matrix.
        """
        if isinstance(self.attention, ValueMixing):
            return self.attention.matrix(context)
        if not isinstance(self.attention, AttentionMap):
            raise ValueError(f"{type(self.attention).__name__} has no attention matrix to show")
        query, key, _ = self._split(x)
        return self.attention.weights(query, key, keep, context)

    def _split(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return query, key and value, each (B, H, L, d)."""
        batch, length, size = x.shape
        heads: Tensor = self.query_key_value(x)  # (B, L, 3D)
        query, key, value = (
            heads.view(batch, length, 3, self.heads, size // self.heads)
            .permute(2, 0, 3, 1, 4)  # (3, B, H, L, d)
            .unbind(0)
        )
        return query, key, value


class Encoder(nn.Module):
    """Pieces with boxes to hidden states.

    Args:
        config: sizes.
        positions: slot 1, modules whose terms are summed.
        prior: slot 2, or None.
        attention: slot 3, called once for each block (a mechanism may hold parameters).
    """

    def __init__(
        self,
        config: TaggerConfig,
        *,
        positions: Sequence[nn.Module],
        prior: Prior | None,
        attention: Callable[[], Attention | ValueMixing],
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(config.vocab_size, config.hidden_size)
        self.positions = nn.ModuleList(positions)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.dropout)
        self.prior = prior
        self.blocks = nn.ModuleList(Block(config, attention()) for _ in range(config.layers))

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return hidden states (B, L, D); those of padding are finite and without meaning."""
        x, context = self._enter(batch)
        for block in self.blocks:
            x = block(x, batch.keep, context)
        return x

    def states(self, batch: TaggerBatch, given: Sequence[Tensor] | None = None) -> Iterator[Tensor]:
        """Yield the states before the first block and behind each, (B, L, D).

        Args:
            batch: of B sequences of L pieces.
            given: states that blocks from the second on get in place of those behind the block
                before them; of the same form and order as what is yielded.
        """
        x, context = self._enter(batch)
        yield x
        for place, block in enumerate(self.blocks):
            if given is not None and place:
                x = given[place]
            x = block(x, batch.keep, context)
            yield x

    def set_progress(self, progress: float) -> None:
        """Tell the positions that follow a schedule how much of training is done, 0 to 1."""
        for position in self.positions:
            if isinstance(position, SequentialEmbedding):
                position.set_progress(progress)

    def attention_maps(self, batch: TaggerBatch) -> Iterator[Tensor]:
        """Yield what each layer mixes values by, (B, H or 1, L, L), from the first layer on.

        Raises:
            ValueError: the attention has no matrix.
        """
        x, context = self._enter(batch)
        for block in self.blocks:
            assert isinstance(block, Block)
            yield block.attention_map(x, batch.keep, context)
            x = block(x, batch.keep, context)

    def _enter(self, batch: TaggerBatch) -> tuple[Tensor, LayoutContext]:
        """Return the input of the first block and the context of all."""
        x: Tensor = self.words(batch.input_ids)
        for position in self.positions:
            x = x + position(batch)
        x = self.dropout(self.norm(x))
        return x, LayoutContext() if self.prior is None else self.prior(batch)
