"""What a trained Skimformer knows of layout, for the text models that use it."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from models.attention.skimming_mask import SkimmingMask
from models.encoder import Encoder
from models.position.skim import SkimEmbedding


def load_skim(encoder: Encoder, skimformer: Mapping[str, Tensor]) -> None:
    """Give an encoder what a trained Skimformer learnt of layout, where it has a place for it.

    A SkimmingMask takes the whole layout part, SkimEmbeddings take the tables.

    Args:
        encoder: of a preset with one of the two.
        skimformer: weights of a Skimformer's encoder, of the same width and depth of layout.

    Raises:
        ValueError: the source is no Skimformer, it does not fit, or the encoder has no such part.
    """
    layout = _under(skimformer, "prior.layout.")
    if not layout:
        raise ValueError("it holds no Skimformer")
    places: list[tuple[nn.Module, dict[str, Tensor]]] = [
        (position.tables, _under(layout, "tables."))
        for position in encoder.positions
        if isinstance(position, SkimEmbedding)
    ]
    if isinstance(encoder.prior, SkimmingMask):
        places.append((encoder.prior.layout, layout))
    if not places:
        raise ValueError("this preset takes nothing from a Skimformer")
    for module, weights in places:
        try:
            module.load_state_dict(weights)
        except RuntimeError as error:
            raise ValueError(f"the Skimformer does not fit: {error}") from error


def _under(weights: Mapping[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {n.removeprefix(prefix): value for n, value in weights.items() if n.startswith(prefix)}
