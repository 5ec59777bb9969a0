"""What a tagger is made of: one frozen dataclass, and presets by name. Loads no torch."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, get_args

PageUnit = Literal["height", "longer_side"]
Axis = Literal["learned", "sine", "lope", "lope-sc"]
Order = Literal[Axis, "none"]
Layout = Literal["winding", "autoencoder", "graph", Axis, "layoutlm", "skim", "none"]
FactorForm = Literal["squircle", "cross"]
Cosformer = Literal[
    "cosformer", "cosformer-squircle", "cosformer-cross-sum", "cosformer-cross-larger"
]
AttentionName = Literal[
    "softmax", FactorForm, "skim", "long-skim", "longformer", "linformer", Cosformer, "near-and-far"
]
BIASED: tuple[AttentionName, ...] = ("softmax", "near-and-far")
"""Attentions that take relative biases."""
_FROM_1 = (
    *("vocab_size", "hidden_size", "layers", "heads", "intermediate_size"),
    *("layout_dim", "bias_range", "reach", "rank"),
)


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
        split_pages: begin a new sequence at each page.
        order: 1-D positions: a table (learned), a function of the place, or none.
        order_rows: rows of a table of 1-D positions, which a longer sequence counts through again;
            0 for as many as the window has pieces.
        layout: position encoding of boxes, one of `models.position`, or none (text only).
        pages: rows of the page embedding, added to the input; 0 for none. Pages beyond the last
            row share it.
        word_shapes: rows of a table of word shapes, added to the input: 2 or more, or 0 for none.
        layout_dim: size of a LAMBERT embedding before its adapter; a multiple of 8.
        layout_frequencies: lowest and highest factor of the winding embedding.
        adapter_start: start of each new position term, as a share of the word embeddings' rms.
        page_unit: the side of the page that has length 1 in layout coordinates.
        order_dropout: raise dropout of 1-D positions from 0 to 1 in training, and drop them after.
        sequence_bias: relative attention bias over 1-D distance.
        layout_bias: relative attention biases over horizontal and vertical distance.
        bias_range: C; distances are clipped to [-C, C), and a page unit has C buckets.
        attention: how values are mixed, one of `models.attention`.
        skim_layers: layers of a Skimformer's contextualiser of layout; 0 for none.
        skim_top: k of a SkimmingMask over softmax attention; 0 for no mask.
        reach: w, how far a piece sees on either side in a sliding window.
        first: pieces at the beginning that all see besides, where attention is near and far.
        rank: k, into how many keys and values Linformer projects.
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
    split_pages: bool = False
    order: Order = "learned"
    order_rows: int = 0
    layout: Layout = "winding"
    pages: int = 0
    word_shapes: int = 0
    layout_dim: int = 128
    layout_frequencies: tuple[float, float] = (1.0, 500.0)
    adapter_start: float = 0.25  # what an adapter mixes moves far with every step
    page_unit: PageUnit = "height"
    order_dropout: bool = False
    sequence_bias: bool = True
    layout_bias: bool = True
    bias_range: int = 100
    attention: AttentionName = "softmax"
    skim_layers: int = 2
    skim_top: int = 0
    reach: int = 256
    first: int = 1
    rank: int = 512

    def __post_init__(self) -> None:
        for name, kinds in (("order", Order), ("layout", Layout), ("attention", AttentionName)):
            if getattr(self, name) not in get_args(kinds):
                raise ValueError(f"{name} is one of {', '.join(get_args(kinds))}")
        for name in _FROM_1:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is a number from 1 on, not {getattr(self, name)}")
        if self.window < 3:
            raise ValueError(f"window ({self.window}) has no room beside the pieces at its ends")
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
        if self.hidden_size % 2 and {self.order, self.layout} & {"sine", "lope", "lope-sc"}:
            raise ValueError(f"sinusoids need an even hidden_size, not {self.hidden_size}")
        if self.pages < 0:
            raise ValueError(f"pages ({self.pages}) is a number of rows, or 0")
        if self.word_shapes < 0 or self.word_shapes == 1:
            raise ValueError("word_shapes is a number from 2 on, or 0: row 0 is of what is no word")
        if self.order == "none" and self.order_dropout:
            raise ValueError("order_dropout has no order to drop where order is none")
        if self.attention not in BIASED and (self.sequence_bias or self.layout_bias):
            raise ValueError(f"{self.attention} attention takes no relative bias")
        if self.skim_top and self.attention != "softmax":
            raise ValueError(f"skim_top is a mask for softmax attention, not for {self.attention}")
        if self.order_rows and self.order != "learned":
            raise ValueError(f"order_rows is of a learned table, not of {self.order} order")
        if self.order_rows == 1:
            raise ValueError("order_rows is a number from 2 on, or 0: row 0 is of the first piece")
        if min(self.skim_layers, self.skim_top, self.order_rows, self.first) < 0:
            raise ValueError("skim_layers, skim_top, order_rows, first are numbers from 0 on")

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value that `from_json` turns back into an equal config."""
        return {**dataclasses.asdict(self), "layout_frequencies": list(self.layout_frequencies)}

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


def _preset(base: TaggerConfig, name: str, **changes: Any) -> TaggerConfig:
    return dataclasses.replace(base, preset=name, **changes)


_LAMBERT = TaggerConfig()
_PLAIN = _preset(_LAMBERT, "lambert-plain", sequence_bias=False, layout_bias=False)
_LAYOUTLM = _preset(_PLAIN, "layoutlm", layout="layoutlm", pages=32, adapter_start=0.5)
_AXIS = _preset(_PLAIN, "axis", adapter_start=0.5)
_LINEAR = _preset(_LAYOUTLM, "cosformer", attention="cosformer", window=32768)
_SKIM = _preset(_PLAIN, "skimformer", order="none", layout="none", attention="skim")
_AXES: tuple[Axis, ...] = ("learned", "sine", "lope", "lope-sc")

PRESETS: dict[str, TaggerConfig] = {
    config.preset: config
    for config in (
        # LAMBERT, ICDAR 2021: page height is 1, relative biases over order and layout.
        _LAMBERT,
        # With how words are written, which its tokenizer takes away.
        _preset(_LAMBERT, "lambert-shapes", word_shapes=1024),
        # Its layout embedding alone, and with each of the biases alone.
        _PLAIN,
        _preset(_LAMBERT, "lambert-sequence-bias", layout_bias=False),
        _preset(_LAMBERT, "lambert-layout-bias", sequence_bias=False),
        # With 1-D order suppressed in training, and without any order from the start.
        _preset(_LAMBERT, "lambert-unordered", order_dropout=True, sequence_bias=False),
        _preset(_PLAIN, "lambert-plain-unordered", order_dropout=True),
        _preset(_LAMBERT, "lambert-no-order", order="none", sequence_bias=False),
        # LAMBERT, 2020: the longer side is 1, lower first frequency, no biases, order suppressed.
        _preset(
            _PLAIN,
            "lambert-2020",
            layout_frequencies=(0.25, 500.0),
            page_unit="longer_side",
            order_dropout=True,
        ),
        # The other layout embeddings of its appendix.
        _preset(_PLAIN, "lambert-autoencoder", layout="autoencoder"),
        _preset(_PLAIN, "lambert-graph", layout="graph"),
        # The same encoder without layout: the text-only baseline of every comparison.
        _preset(_PLAIN, "text", layout="none"),
        # LoPE: one function for all axes, with and without 1-D positions.
        *(_preset(_AXIS, axis, order=axis, layout=axis) for axis in _AXES),
        *(_preset(_AXIS, f"{axis}-no-order", order="none", layout=axis) for axis in _AXES),
        # LayoutLM with page embedding: whole, a sequence a page, multiplicative attention.
        _LAYOUTLM,
        _preset(_LAYOUTLM, "layoutlm-splitpage", split_pages=True),
        _preset(_LAYOUTLM, "layoutlm-squircle", attention="squircle"),
        _preset(_LAYOUTLM, "layoutlm-cross", attention="cross"),
        _preset(_LAYOUTLM, "layoutlm-splitpage-squircle", attention="squircle", split_pages=True),
        _preset(_LAYOUTLM, "layoutlm-splitpage-cross", attention="cross", split_pages=True),
        # Whole documents in one sequence.
        _preset(_LAYOUTLM, "linformer", attention="linformer", window=2048),
        _LINEAR,
        _preset(_LINEAR, "cosformer-squircle", attention="cosformer-squircle"),
        _preset(_LINEAR, "cosformer-cross-sum", attention="cosformer-cross-sum"),
        _preset(_LINEAR, "cosformer-cross-larger", attention="cosformer-cross-larger"),
        # LAMBERT's softmax for the near, the cosformer's sum for the far, and an order without end.
        _preset(
            _LAMBERT,
            "near-and-far",
            attention="near-and-far",
            window=65536,
            order_rows=512,
            reach=128,
        ),
        # Skim-Attention: layout alone says where to look.
        _SKIM,
        _preset(_SKIM, "skimformer-plain", skim_layers=0),
        _preset(_PLAIN, "skimming-mask", layout="none", skim_top=128),
        _preset(_LAYOUTLM, "skimming-mask-layoutlm", skim_top=128),
        _preset(_PLAIN, "skim-embeddings", layout="skim", adapter_start=0.5),
        _preset(_SKIM, "long-skimformer", attention="long-skim", window=2048),
        # Text alone in a sliding window, which the long Skimformer is compared with.
        _preset(_PLAIN, "longformer", layout="none", attention="longformer", window=2048),
    )
}
