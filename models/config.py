"""What a tagger is made of: one frozen dataclass, and presets by name. Loads no torch."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

PageUnit = Literal["height", "longer_side"]


@dataclass(frozen=True, slots=True)
class TaggerConfig:
    """Sizes and switches of a tagger.

    Attributes:
        preset: name of the preset it was made from.
        vocab_size: rows of the word embedding table.
        hidden_size: width D of the encoder.
        layers: number of encoder blocks.
        heads: attention heads H; divides `hidden_size`.
        intermediate_size: width of the feed-forward layers.
        dropout: probability, during training.
        layer_norm_eps: as in the encoder that weights come from.
        window: most pieces in one sequence, specials included.
        overlap: pieces that neighbouring windows share.
        line_separator: put a separator piece after each line of the page.
        layout: position encoding of boxes: winding, or none (text only).
        layout_dim: size of the winding embedding before the adapter; a multiple of 8.
        layout_frequencies: lowest and highest factor of the winding embedding.
        adapter_start: start of the adapter's output, as a share of the word embeddings' rms.
        page_unit: the side of the page that has length 1 in layout coordinates.
        order_dropout: raise dropout of 1-D positions from 0 to 1 in training, and drop them after.
        sequence_bias: relative attention bias over 1-D distance.
        layout_bias: relative attention biases over horizontal and vertical distance.
        bias_range: C; distances are clipped to [-C, C), and a page unit has C buckets.
    """

    preset: str = "lambert"
    vocab_size: int = 30522
    hidden_size: int = 384
    layers: int = 6
    heads: int = 12
    intermediate_size: int = 1536
    dropout: float = 0.1
    layer_norm_eps: float = 1e-12
    window: int = 512
    overlap: int = 128
    line_separator: bool = True
    layout: Literal["winding", "none"] = "winding"
    layout_dim: int = 128
    layout_frequencies: tuple[float, float] = (1.0, 500.0)
    adapter_start: float = 0.5
    page_unit: PageUnit = "height"
    order_dropout: bool = False
    sequence_bias: bool = True
    layout_bias: bool = True
    bias_range: int = 100

    def __post_init__(self) -> None:
        if self.hidden_size % self.heads:
            raise ValueError(f"heads ({self.heads}) must divide hidden_size ({self.hidden_size})")
        if self.layout_dim % 8:
            raise ValueError(f"layout_dim ({self.layout_dim}) must be a multiple of 8")
        if not 0 <= self.overlap <= self.window // 2:
            raise ValueError(
                f"overlap ({self.overlap}) must be between 0 and half the window ({self.window})"
            )
        low, high = self.layout_frequencies
        if not 0 < low < high:
            raise ValueError(f"layout_frequencies must rise from above 0, not {low} to {high}")

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value that `from_json` turns back into an equal config."""
        return {
            **dataclasses.asdict(self),
            "layout_frequencies": list(self.layout_frequencies),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> TaggerConfig:
        """Return the config that `to_json` wrote.

        Raises:
            ValueError: a key is not known; a newer version of the program wrote it.
        """
        known = {field.name for field in dataclasses.fields(cls)}
        unknown = sorted(set(data) - known)
        if unknown:
            raise ValueError(f"config.json has unknown keys: {', '.join(unknown)}")
        values = dict(data)
        if "layout_frequencies" in values:
            values["layout_frequencies"] = tuple(values["layout_frequencies"])
        return cls(**values)


PRESETS: dict[str, TaggerConfig] = {
    # LAMBERT, ICDAR 2021: page height is 1, relative biases.
    "lambert": TaggerConfig(),
    # LAMBERT, 2020: the longer side is 1, lower first frequency, no biases, order suppressed.
    "lambert-2020": TaggerConfig(
        preset="lambert-2020",
        layout_frequencies=(0.25, 500.0),
        page_unit="longer_side",
        order_dropout=True,
        sequence_bias=False,
        layout_bias=False,
    ),
    # LAMBERT, 2021, with 1-D order suppressed: embeddings and the bias over 1-D distance.
    "lambert-unordered": TaggerConfig(
        preset="lambert-unordered", order_dropout=True, sequence_bias=False
    ),
    # The same encoder without layout: the text-only baseline of every comparison.
    "text": TaggerConfig(preset="text", layout="none", sequence_bias=False, layout_bias=False),
}
