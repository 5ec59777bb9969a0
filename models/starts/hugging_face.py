"""Local Hugging Face folders of the BERT family, read through `transformers`.

    bert                                 order and words
    roberta, xlm-roberta, camembert      the same; places are counted from the padding id on
    distilbert                           the same, without token types
    mpnet                                and a bias over 1-D distance, in buckets as in T5
    layoutlm                             and tables over the page
    lilt                                 its text; its second, layout stream has no place here

Everything is taken from the folder: nothing is fetched. Every weight of the folder is taken, or
belongs to what no tagger has (heads, poolers, LiLT's layout stream); anything else is an error, and
so is a weight that the folder lacks.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, pre_tokenizers
from torch import Tensor

from models.config import TaggerConfig
from models.starts.pretrained import convert_bert, convert_layoutlm

# What a checkpoint of a task holds beside its encoder.
_HEADS = re.compile(
    r"^((bert|roberta|distilbert|mpnet|layoutlm|lilt)\.)?"
    r"(cls|lm_head|classifier|pre_classifier|qa_outputs|score|pooler|"
    r"vocab_transform|vocab_layer_norm|vocab_projector|embeddings\.position_ids)(\.|$)"
)
_LAYOUT_STREAM = re.compile(r"(^|\.)layout_")
_MPNET_FARTHEST = 128  # `transformers` gives these by default and no config changes them


@dataclass(frozen=True, slots=True)
class Foreign:
    """An encoder of another library.

    Attributes:
        kind: its model type, a key of `PRESET_OF`.
        weights: of its encoder under their own names, float32.
        sizes: settings of `TaggerConfig` that the weights fix.
        padding: id of its padding piece.
        tokenizer: that it was trained with.
    """

    kind: str
    weights: dict[str, Tensor]
    sizes: dict[str, Any]
    padding: int
    tokenizer: Tokenizer

    def converted(self, config: TaggerConfig) -> dict[str, Tensor]:
        """Return the weights under the names of an encoder, for `models.starts.fill.fill`.

        Raises:
            ValueError: a key is missing, or one is left over.
        """
        found: dict[str, Tensor] = _CONVERTERS[self.kind](self, config)
        return found


def is_foreign(folder: Path) -> bool:
    """Say whether a folder holds an encoder of another library that can be read."""
    return _model_type(folder) in PRESET_OF


def read_foreign(folder: Path) -> Foreign:
    """Return what a folder holds.

    Raises:
        ValueError: it is not of the kinds above, a weight is missing or has no place, or its
            architecture differs from BERT's in a way that no config says (activation, positions).
        OSError: a file is missing.
    """
    from transformers import AutoModel
    from transformers.utils import logging

    kind = _model_type(folder)
    if kind not in PRESET_OF:
        raise ValueError(f"its model type is {kind}, not one of {', '.join(PRESET_OF)}")
    quietly: Any = logging  # without annotations
    quietly.disable_progress_bar()  # files of this machine load faster than bars are drawn
    model, found = AutoModel.from_pretrained(
        folder, local_files_only=True, output_loading_info=True, dtype=torch.float32
    )
    missing = sorted(name for name in found["missing_keys"] if not _HEADS.match(name))
    unknown = sorted(name for name in found["unexpected_keys"] if not _HEADS.match(name))
    if missing or unknown:
        raise ValueError(f"weights missing: {missing}; weights with no place: {unknown}")
    config: Any = model.config  # names of attributes differ by kind, aliases are their own
    _check(config)
    tokenizer = _tokenizer(folder)
    if tokenizer.get_vocab_size() > config.vocab_size:
        raise ValueError(
            f"its tokenizer has {tokenizer.get_vocab_size()} pieces, its words {config.vocab_size}"
        )
    distil = kind == "distilbert"
    return Foreign(
        kind,
        {name: value for name, value in model.state_dict().items() if not _HEADS.match(name)},
        {
            "vocab_size": config.vocab_size,
            "hidden_size": config.hidden_size,
            "layers": config.num_hidden_layers,
            "heads": config.num_attention_heads,
            "intermediate_size": config.hidden_dim if distil else config.intermediate_size,
            "layer_norm_eps": 1e-12 if distil else config.layer_norm_eps,
        },
        int(config.pad_token_id or 0),
        tokenizer,
    )


def _model_type(folder: Path) -> str | None:
    try:
        found = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return str(found["model_type"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _check(config: Any) -> None:
    act = getattr(config, "hidden_act", None) or config.activation
    if act != "gelu":
        raise ValueError(f"its activation is {act}, and ours is gelu")
    places = getattr(config, "position_embedding_type", None) or "absolute"
    if places != "absolute":
        raise ValueError(f"its positions are {places}, and ours are absolute")


def _tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer of a folder, which takes words one by one.

    Byte-level pieces tell the beginning of a word from its inside by the space before it, so that a
    word alone is given one.
    """
    from transformers import AutoTokenizer

    path = folder / "tokenizer.json"
    if path.is_file():
        tokenizer = Tokenizer.from_file(str(path))
    else:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True).backend_tokenizer
        # Of a folder without a vocabulary the library makes one of nothing but [UNK] and the like.
        if tokenizer.get_vocab_size() <= len(tokenizer.get_added_tokens_decoder()):
            raise ValueError("it has no tokenizer: tokenizer.json or vocab.txt is missing")
    if isinstance(tokenizer.pre_tokenizer, pre_tokenizers.ByteLevel):
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    found: Tokenizer = tokenizer
    return found


def _roberta(found: Foreign, config: TaggerConfig) -> dict[str, Tensor]:
    """Return RobertaModel's weights; its places are counted from the one behind the padding id."""
    target = convert_bert(found.weights, config.layers)
    target["order.weight"] = target["order.weight"][found.padding + 1 :]
    return target


def _lilt(found: Foreign, config: TaggerConfig) -> dict[str, Tensor]:
    """Return LiltModel's text stream, which is a RobertaModel."""
    text = {n: value for n, value in found.weights.items() if not _LAYOUT_STREAM.search(n)}
    return _roberta(replace(found, weights=text), config)


def _distilbert(found: Foreign, config: TaggerConfig) -> dict[str, Tensor]:
    """Return DistilBertModel's weights; it has no token types."""
    renamed = _renamed(
        found.weights,
        {
            "transformer.layer.": "encoder.layer.",
            "attention.q_lin": "attention.self.query",
            "attention.k_lin": "attention.self.key",
            "attention.v_lin": "attention.self.value",
            "attention.out_lin": "attention.output.dense",
            "sa_layer_norm": "attention.output.LayerNorm",
            "ffn.lin1": "intermediate.dense",
            "ffn.lin2": "output.dense",
            "output_layer_norm": "output.LayerNorm",
        },
    )
    return convert_bert(_with_one_type(renamed), config.layers)


def _mpnet(found: Foreign, config: TaggerConfig) -> dict[str, Tensor]:
    """Return MPNetModel's weights; its bias goes to LAMBERT's W, which has a row for each distance.

    Raises:
        ValueError: W is too short to hold the last bucket's beginning.
    """
    weights = dict(found.weights)
    bias = weights.pop("encoder.relative_attention_bias.weight", None)
    if bias is None:
        raise ValueError("the source encoder has no encoder.relative_attention_bias.weight")
    renamed = _renamed(
        weights,
        {
            "attention.attn.q.": "attention.self.query.",
            "attention.attn.k.": "attention.self.key.",
            "attention.attn.v.": "attention.self.value.",
            "attention.attn.o.": "attention.output.dense.",
            "attention.LayerNorm": "attention.output.LayerNorm",
        },
    )
    target = convert_bert(_with_one_type(renamed), config.layers)
    target["order.weight"] = target["order.weight"][2:]  # its padding id is 1, always
    apart = torch.arange(-config.bias_range, config.bias_range)  # i - j
    buckets = _buckets(apart, len(bias))
    if not {int(buckets[0]), int(buckets[-1])} == {len(bias) - 1, len(bias) // 2 - 1}:
        raise ValueError(f"a bias_range of {config.bias_range} is too short for its bias")
    target["prior.sequence"] = bias[buckets]
    return target


def _buckets(apart: Tensor, count: int) -> Tensor:
    """Return the buckets of distances i - j as in T5 (Raffel et al., 2020, sec. 2.1).

    Half of them are for either sign; the first half of these are distances, the others grow with
    the logarithm.
    """
    side = count // 2
    exact = side // 2
    size = apart.abs()
    # In this order of operations, for at powers of 2 rounding decides the bucket.
    grown = (size.clamp(min=1).float() / exact).log() / math.log(_MPNET_FARTHEST / exact)
    far = (exact + (grown * (side - exact)).long()).clamp(max=side - 1)
    return torch.where(size < exact, size, far) + side * (apart < 0)


def _renamed(source: Mapping[str, Tensor], parts: Mapping[str, str]) -> dict[str, Tensor]:
    found = {}
    for name, value in source.items():
        for theirs, ours in parts.items():
            if theirs in name:
                name = name.replace(theirs, ours)
        found[name] = value
    return found


def _with_one_type(source: dict[str, Tensor]) -> dict[str, Tensor]:
    width = source["embeddings.word_embeddings.weight"].shape[1]
    return {**source, "embeddings.token_type_embeddings.weight": torch.zeros(1, width)}


_CONVERTERS: dict[str, Any] = {
    "bert": lambda found, config: convert_bert(found.weights, config.layers),
    "roberta": _roberta,
    "xlm-roberta": _roberta,
    "camembert": _roberta,
    "distilbert": _distilbert,
    "mpnet": _mpnet,
    "layoutlm": lambda found, config: convert_layoutlm(found.weights, config.layers),
    "lilt": _lilt,
}
PRESET_OF = {kind: "layoutlm" if kind == "layoutlm" else "lambert" for kind in _CONVERTERS}
"""The preset that each kind starts where none is named."""
