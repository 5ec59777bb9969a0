"""One encoder with three slots: position encodings, a layout prior, an attention.

    x   = norm(words(input_ids) + sum of position terms)      slot 1
    ctx = prior(batch)                                        slot 2, once
    x   = block(x, keep, ctx) for each block                  slot 3

Post-norm blocks as in BERT, so that its weights fit (checked against `transformers`' BertModel).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torch import Tensor, nn
from torch.nn import functional as F

from models.attention.base import Attention, LayoutContext, Prior
from models.config import TaggerConfig
from models.encoding import TaggerBatch


class Block(nn.Module):
    """Attention and feed-forward, each with a residual and a norm behind it.

    Args:
        config: sizes.
        attention: slot 3.
    """

    def __init__(self, config: TaggerConfig, attention: Attention) -> None:
        super().__init__()
        size = config.hidden_size
        self.heads = config.heads
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
        batch, length, size = x.shape
        heads: Tensor = self.query_key_value(x)  # (B, L, 3D)
        query, key, value = (
            heads.view(batch, length, 3, self.heads, size // self.heads)
            .permute(2, 0, 3, 1, 4)  # (3, B, H, L, d)
            .unbind(0)
        )
        mixed = self.attention(query, key, value, keep, context)  # (B, H, L, d)
        mixed = mixed.transpose(1, 2).reshape(batch, length, size)  # (B, L, D)
        x = self.attention_norm(x + self.dropout(self.attention_out(mixed)))
        x = self.norm(x + self.dropout(self.narrow(F.gelu(self.widen(x)))))
        return x


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
        attention: Callable[[], Attention],
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
        x: Tensor = self.words(batch.input_ids)
        for position in self.positions:
            x = x + position(batch)
        x = self.dropout(self.norm(x))
        context = LayoutContext() if self.prior is None else self.prior(batch)
        for block in self.blocks:
            x = block(x, batch.keep, context)
        return x
