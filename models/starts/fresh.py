"""New weights: drawn as BERT draws them, and position terms of a size that suits the words."""

from __future__ import annotations

from collections.abc import Sequence

from torch import nn

from models.encoder import Encoder


def start_fresh(encoder: Encoder) -> None:
    """Draw an encoder's weights anew as BERT does: matrices and tables normal, biases 0.

    Parts with an initialisation of their own keep it: norms, relative biases, projections of an
    attention.
    """
    for module in encoder.modules():
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


def scale_layout(encoder: Encoder, share: float, new: Sequence[str]) -> None:
    """Start new position terms at `share` of the word embeddings' root mean square, in all.

    Args:
        encoder: with the words that came in.
        share: of their root mean square.
        new: names that `fill` returned; positions that were filled stay as they came.
    """
    rms = float(encoder.words.weight.detach().square().mean().sqrt())
    fresh = [
        position
        for index, position in enumerate(encoder.position_terms())
        # The rate of order dropout is a counter, not a part of an encoding.
        if any(n.startswith(f"positions.{index}.") and not n.endswith(".rate") for n in new)
    ]
    for position in fresh:
        position.start_at(share * rms / len(fresh) ** 0.5)
