"""From a config to an encoder: which module fills which slot."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from torch import nn

from models.attention.base import Attention, Prior, ValueMixing
from models.attention.cosformer import CosformerAttention, CosinePrior
from models.attention.linformer import LinformerAttention
from models.attention.longformer import LongformerAttention, SlidingWindow
from models.attention.multiplicative import MultiplicativeAttention, MultiplicativePrior
from models.attention.relative_bias import RelativeBias
from models.attention.skim import LongSkimAttention, SkimAttention, SkimPrior
from models.attention.skimming_mask import SkimmingMask
from models.attention.softmax import SoftmaxAttention
from models.config import TaggerConfig
from models.encoder import Encoder
from models.position.autoencoder import AutoencoderEmbedding
from models.position.corners import CornerEmbedding
from models.position.graph import GraphEmbedding
from models.position.pages import PageEmbedding
from models.position.sequential import SequentialEmbedding
from models.position.skim import SkimEmbedding
from models.position.winding import WindingEmbedding


def build_encoder(config: TaggerConfig) -> Encoder:
    """Return the encoder that a config describes, with fresh weights."""
    return Encoder(
        config, positions=_positions(config), prior=_prior(config), attention=_attention(config)
    )


def _positions(config: TaggerConfig) -> list[nn.Module]:
    """Return slot 1: order, layout, page, those of them that the config has."""
    found: list[nn.Module] = []
    size = config.hidden_size
    if config.order != "none":
        found.append(
            SequentialEmbedding(
                config.window, size, kind=config.order, droppable=config.order_dropout
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
            found.append(CornerEmbedding("learned", size, extent=True))
        case "learned" | "sine" | "lope" | "lope-sc":
            found.append(CornerEmbedding(config.layout, size))
        case "skim":
            found.append(SkimEmbedding(size))
        case "none":
            pass
    if config.pages:
        found.append(PageEmbedding(config.pages, size))
    return found


def _prior(config: TaggerConfig) -> Prior | None:
    """Return slot 2."""
    match config.attention:
        case "squircle" | "cross":
            return MultiplicativePrior(config.attention)
        case "skim" | "long-skim":
            return SkimPrior(config, banded=config.attention == "long-skim")
        case "longformer":
            return SlidingWindow(config.reach)
        case "cosformer":
            return CosinePrior("sequence")
        case "cosformer-squircle":
            return CosinePrior("squircle")
        case "cosformer-cross-sum":
            return CosinePrior("cross-sum")
        case "cosformer-cross-larger":
            return CosinePrior("cross-larger")
        case "softmax" | "linformer":
            bias = _bias(config)
            return SkimmingMask(config, bias) if config.skim_top else bias


def _bias(config: TaggerConfig) -> RelativeBias | None:
    """Return LAMBERT's biases, those of them that the config has."""
    if config.sequence_bias or config.layout_bias:
        return RelativeBias(
            config.heads,
            sequence=config.sequence_bias,
            layout=config.layout_bias,
            page_unit=config.page_unit,
            span=config.bias_range,
        )
    return None


def _attention(config: TaggerConfig) -> Callable[[], Attention | ValueMixing]:
    """Return the maker of slot 3, called once for each block."""
    match config.attention:
        case "softmax":
            return SoftmaxAttention
        case "squircle" | "cross":
            return MultiplicativeAttention
        case "skim":
            return SkimAttention
        case "long-skim":
            return LongSkimAttention
        case "longformer":
            return LongformerAttention
        case "linformer":
            return partial(LinformerAttention, config.window, config.rank)
        case "cosformer" | "cosformer-squircle" | "cosformer-cross-sum" | "cosformer-cross-larger":
            return CosformerAttention
