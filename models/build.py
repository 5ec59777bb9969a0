"""From a config to an encoder: which module fills which slot."""

from __future__ import annotations

from functools import partial
from typing import Any

from models.attention.base import Mechanism, PaddingPrior, Prior
from models.attention.cosformer import CosformerAttention, CosinePrior
from models.attention.linformer import LinformerAttention
from models.attention.long_skim import LongSkimAttention, LongSkimPrior
from models.attention.longformer import LongformerAttention, SlidingWindow
from models.attention.multiplicative import MultiplicativeAttention, MultiplicativePrior
from models.attention.near_and_far import NearAndFarAttention, NearAndFarPrior
from models.attention.relative_bias import Bias, BiasedAttention, PaddingBias, RelativeBias
from models.attention.skim import SkimAttention, SkimPrior
from models.attention.skimming_mask import SkimmingMask
from models.attention.softmax import SoftmaxAttention
from models.config import TaggerConfig
from models.encoder import Encoder
from models.position.autoencoder import AutoencoderEmbedding
from models.position.base import Position
from models.position.corners import CornerEmbedding, ExtentEmbedding
from models.position.graph import GraphEmbedding
from models.position.pages import PageEmbedding
from models.position.sequential import SequentialEmbedding
from models.position.shapes import ShapeEmbedding
from models.position.skim import SkimEmbedding
from models.position.winding import WindingEmbedding


def build_encoder(config: TaggerConfig) -> Encoder:
    """Return the encoder that a config describes, with fresh weights."""
    return Encoder(config, _positions(config), _mechanism(config))


def _positions(config: TaggerConfig) -> list[Position]:
    """Return slot 1: order, layout, page, word shapes, those of them that the config has."""
    found: list[Position] = []
    size = config.hidden_size
    if config.order != "none":
        found.append(
            SequentialEmbedding(
                config.order_rows or config.window,
                size,
                kind=config.order,
                droppable=config.order_dropout,
                repeats=bool(config.order_rows),
            )
        )
    match config.layout:
        case "winding":
            found.append(
                WindingEmbedding(
                    config.layout_dim, size, config.layout_frequencies, config.page_unit
                )
            )
        case "autoencoder":
            found.append(AutoencoderEmbedding(config.layout_dim, size, config.page_unit))
        case "graph":
            found.append(GraphEmbedding(config.layout_dim, size, config.page_unit))
        case "layoutlm":
            found.append(ExtentEmbedding(size))
        case "learned" | "sine" | "lope" | "lope-sc":
            found.append(CornerEmbedding(config.layout, size))
        case "skim":
            found.append(SkimEmbedding(size))
        case "none":
            pass
    if config.pages:
        found.append(PageEmbedding(config.pages, size))
    if config.word_shapes:
        found.append(ShapeEmbedding(config.word_shapes, size))
    return found


def _mechanism(config: TaggerConfig) -> Mechanism[Any]:
    """Return slots 2 and 3: a prior, and an attention that reads its context."""
    match config.attention:
        case "softmax" if config.skim_top:
            return Mechanism(SkimmingMask(config, _bias(config)), BiasedAttention)
        case "softmax" if config.sequence_bias or config.layout_bias:
            return Mechanism(_bias(config), BiasedAttention)
        case "softmax":
            return Mechanism(PaddingPrior(), SoftmaxAttention)
        case "squircle" | "cross":
            return Mechanism(MultiplicativePrior(config.attention), MultiplicativeAttention)
        case "skim":
            return Mechanism(SkimPrior(config), SkimAttention)
        case "long-skim":
            return Mechanism(LongSkimPrior(config), LongSkimAttention)
        case "longformer":
            return Mechanism(SlidingWindow(config.reach), LongformerAttention)
        case "linformer":
            attention = partial(LinformerAttention, config.window, config.rank)
            return Mechanism(PaddingPrior(), attention)
        case "cosformer":
            return Mechanism(CosinePrior("sequence"), CosformerAttention)
        case "cosformer-squircle":
            return Mechanism(CosinePrior("squircle"), CosformerAttention)
        case "cosformer-cross-sum":
            return Mechanism(CosinePrior("cross-sum"), CosformerAttention)
        case "cosformer-cross-larger":
            return Mechanism(CosinePrior("cross-larger"), CosformerAttention)
        case "near-and-far":
            near = NearAndFarPrior(
                config.heads,
                sequence=config.sequence_bias,
                layout=config.layout_bias,
                page_unit=config.page_unit,
                span=config.bias_range,
                reach=config.reach,
                first=config.first,
            )
            return Mechanism(near, partial(NearAndFarAttention, config.heads))


def _bias(config: TaggerConfig) -> Prior[Bias]:
    """Return LAMBERT's biases, those of them that the config has."""
    if not (config.sequence_bias or config.layout_bias):
        return PaddingBias()
    return RelativeBias(
        config.heads,
        sequence=config.sequence_bias,
        layout=config.layout_bias,
        page_unit=config.page_unit,
        span=config.bias_range,
    )
