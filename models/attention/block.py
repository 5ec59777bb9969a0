"""The block of the encoder: attention and feed-forward, as in BERT (post-norm).

x = norm(x + out(attention(project(x), context)))
x = norm(x + narrow(GELU(widen(x))))
"""

from __future__ import annotations

from typing import ClassVar, Generic

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.attention.base import Attention, Context
from models.config import TaggerConfig
from models.roles import Role

# Pieces of a long sequence that go through the feed-forward together where nothing is learnt:
# what is computed for them then stays in the processor's caches.
_AT_ONCE = 2048


class Block(nn.Module, Generic[Context]):
    """Attention and feed-forward, each with a residual and a norm behind it.

    What the attention takes is projected by one linear map, which is stored under the joined names
    of its inputs: ``query_key_value``, or ``value``.

    Args:
        config: sizes.
        attention: slot 3.
    """

    roles: ClassVar[dict[str, Role]] = {
        **dict.fromkeys(("query_key_value", "value", "attention", "attention_out"), Role.MIXING),
        **dict.fromkeys(("attention_norm", "widen", "narrow", "norm"), Role.FEED_FORWARD),
    }

    def __init__(self, config: TaggerConfig, attention: Attention[Context]) -> None:
        super().__init__()
        size = config.hidden_size
        self.heads = config.heads
        self.projection = "_".join(attention.inputs)
        self.add_module(self.projection, nn.Linear(size, len(attention.inputs) * size))
        self.attention = attention
        self.attention_out = nn.Linear(size, size)
        self.attention_norm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.widen = nn.Linear(size, config.intermediate_size)
        self.narrow = nn.Linear(config.intermediate_size, size)
        self.norm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, context: Context) -> Tensor:
        """Return (B, L, D) from (B, L, D)."""
        mixed: Tensor = self.attention(self._project(x), context)  # (B, H, L, d)
        mixed = mixed.transpose(1, 2).reshape(x.shape)  # (B, L, D)
        if torch.is_grad_enabled() or x.size(1) <= _AT_ONCE:
            return self._feed_forward(x, mixed)
        parts = zip(torch.split(x, _AT_ONCE, 1), torch.split(mixed, _AT_ONCE, 1), strict=True)
        return torch.cat([self._feed_forward(*part) for part in parts], 1)

    def attention_map(self, x: Tensor, context: Context) -> Tensor:
        """Return what `forward` mixes values by, (B, H, L, L) or (B, 1, L, L).

        Raises:
            ValueError: the attention has no matrix.
        """
        return self.attention.weights(self._project(x), context)

    def _project(self, x: Tensor) -> tuple[Tensor, ...]:
        """Return the inputs of the attention, each (B, H, L, d)."""
        projected: Tensor = self.get_submodule(self.projection)(x)  # (B, L, n D)
        heads = projected.view(*x.shape[:2], len(self.attention.inputs), self.heads, -1)
        # (B, L, n, H, d) -> n of (B, H, L, d)
        return heads.permute(2, 0, 3, 1, 4).unbind(0)

    def _feed_forward(self, x: Tensor, mixed: Tensor) -> Tensor:
        """Return the output (B, L, D) from the input and the mixed values, piece by piece."""
        x = self.attention_norm(x + self.dropout(self.attention_out(mixed)))
        out: Tensor = self.norm(x + self.dropout(self.narrow(F.gelu(self.widen(x)))))
        return out
