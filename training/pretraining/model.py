"""The model of a masked-language pre-training; needs PyTorch alone."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from models.encoder import Encoder
from models.encoding import IGNORED, TaggerBatch
from models.roles import Role


class MaskedModel(nn.Module):
    """An encoder under a decoder that guesses hidden pieces.

    The decoder shares its matrix with the word embeddings and is discarded afterwards.

    Attributes:
        roles: the decoder is the head, see `models.roles`.
    """

    roles: ClassVar = dict.fromkeys(("transform", "norm", "bias"), Role.HEAD)

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        size = encoder.words.embedding_dim
        self.encoder = encoder
        self.transform = nn.Linear(size, size)
        self.norm = nn.LayerNorm(size)
        self.bias = nn.Parameter(torch.zeros(encoder.words.num_embeddings))

    def forward(self, batch: TaggerBatch) -> Tensor:
        """Return the mean cross-entropy of the pieces that carry a label, a scalar."""
        assert batch.labels is not None
        chosen = batch.labels != IGNORED  # (B, L)
        hidden = self.encoder(batch)[chosen]  # (N, D): only the chosen ones are decoded
        guesses = self.norm(F.gelu(self.transform(hidden)))
        logits = F.linear(guesses, self.encoder.words.weight, self.bias)  # (N, vocabulary)
        total = F.cross_entropy(logits.float(), batch.labels[chosen], reduction="sum")
        return total / max(len(guesses), 1)  # short pages may have no piece chosen
