"""Without layout the encoder is `transformers`' BertModel, and no weight enters uncounted."""

from __future__ import annotations

import dataclasses

import pytest
import torch
from torch import Tensor
from transformers import BertConfig, BertModel

from models.build import build_encoder
from models.config import PRESETS, TaggerConfig
from models.encoder import Encoder
from models.encoding import TaggerBatch
from models.pretrained import convert_bert, load_bert, minilm_folder, read_bert, scale_layout
from tests.packages import tiny_config

WINDOW = 24


def _config(preset: str) -> TaggerConfig:
    tiny = tiny_config(window=WINDOW, overlap=8, layout_dim=16)
    sizes = ("vocab_size", "hidden_size", "layers", "heads", "intermediate_size", "layout_dim")
    changes = {name: getattr(tiny, name) for name in (*sizes, "window", "overlap")}
    return dataclasses.replace(PRESETS[preset], **changes)


def _bert() -> BertModel:
    config = _config("text")
    torch.manual_seed(0)
    bert: BertModel = BertModel(
        BertConfig(
            vocab_size=config.vocab_size,
            hidden_size=config.hidden_size,
            num_hidden_layers=config.layers,
            num_attention_heads=config.heads,
            intermediate_size=config.intermediate_size,
            max_position_embeddings=WINDOW,
            initializer_range=0.2,  # so that every part matters
        )
    )
    bert.train(False)
    return bert


def _batch(vocabulary: int, length: int) -> TaggerBatch:
    random = torch.Generator().manual_seed(1)
    ids = torch.randint(0, vocabulary, (3, length), generator=random)
    keep = torch.arange(length) < torch.tensor([length, length // 2, 1])[:, None]
    zeros = torch.zeros(3, length, dtype=torch.long)
    return TaggerBatch(ids, torch.rand(3, length, 4), zeros, torch.ones(3, length), keep)


def _agree(encoder: Encoder, bert: BertModel, batch: TaggerBatch) -> None:
    with torch.inference_mode():
        ours = encoder.eval()(batch)
        theirs = bert(batch.input_ids, attention_mask=batch.keep.long()).last_hidden_state
    torch.testing.assert_close(ours[batch.keep], theirs[batch.keep], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_encoder_without_layout_is_bert(prefix: str) -> None:
    bert, config = _bert(), _config("text")
    encoder = build_encoder(config)
    source = {prefix + name: tensor for name, tensor in bert.state_dict().items()}
    assert load_bert(encoder, source) == []
    _agree(encoder, bert, _batch(config.vocab_size, WINDOW))


def test_minilm_without_layout_is_bert() -> None:
    source, tokenizer = read_bert(minilm_folder())
    encoder = build_encoder(PRESETS["text"])
    load_bert(encoder, source)
    bert = BertModel.from_pretrained(minilm_folder(), local_files_only=True)
    bert.train(False)
    assert tokenizer.get_vocab_size() == encoder.words.num_embeddings
    _agree(encoder, bert, _batch(tokenizer.get_vocab_size(), 32))


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_layout_parts_alone_are_new(preset: str) -> None:
    encoder = build_encoder(_config(preset))
    new = load_bert(encoder, _bert().state_dict())
    config = PRESETS[preset]
    own = set(encoder.state_dict())
    filled = ("words.", "norm.", "blocks.") + ("positions.0.table.",) * (config.order == "learned")
    slots = {name for name in own if not name.startswith(filled) or ".attention." in name}
    assert set(new) == slots
    assert ("prior.sequence" in new) == config.sequence_bias
    assert ("prior.vertical" in new) == config.layout_bias


def test_biased_encoder_starts_as_bert() -> None:
    # Relative biases start at 0: before the first step the encoder knows what BERT knows.
    config = dataclasses.replace(_config("lambert"), layout="none")
    encoder, bert = build_encoder(config), _bert()
    load_bert(encoder, bert.state_dict())
    _agree(encoder, bert, _batch(config.vocab_size, WINDOW))


@pytest.mark.parametrize(
    "name",
    [
        "embeddings.token_type_embeddings.weight",
        "embeddings.position_embeddings.weight",
        "encoder.layer.1.attention.self.key.bias",
        "encoder.layer.0.output.LayerNorm.weight",
    ],
)
def test_missing_key_is_an_error(name: str) -> None:
    source = _bert().state_dict()
    del source[name]
    with pytest.raises(ValueError, match=f"has no {name}"):
        convert_bert(source, 2)


@pytest.mark.parametrize(
    "name", ["encoder.layer.2.output.dense.weight", "embeddings.more", "cls.predictions.bias"]
)
def test_key_too_many_is_an_error(name: str) -> None:
    source = {**_bert().state_dict(), name: torch.zeros(1)}
    with pytest.raises(ValueError, match="1 keys with no place"):
        convert_bert(source, 2)


def test_fewer_layers_than_the_source_has_are_an_error() -> None:
    with pytest.raises(ValueError, match="keys with no place"):
        convert_bert(_bert().state_dict(), 1)


def test_shapes_that_differ_are_named() -> None:
    source: dict[str, Tensor] = _bert().state_dict()
    source["embeddings.word_embeddings.weight"] = torch.zeros(7, 32)
    with pytest.raises(ValueError, match=r"words.weight: \(7, 32\) for"):
        load_bert(build_encoder(_config("text")), source)


def test_window_beyond_the_positions_of_the_source_is_an_error() -> None:
    config = dataclasses.replace(_config("text"), window=WINDOW + 1)
    with pytest.raises(ValueError, match="choose a window that fits"):
        load_bert(build_encoder(config), _bert().state_dict())


def test_shorter_window_takes_the_first_positions() -> None:
    config = dataclasses.replace(_config("text"), window=16)
    encoder, bert = build_encoder(config), _bert()
    load_bert(encoder, bert.state_dict())
    _agree(encoder, bert, _batch(config.vocab_size, 16))


def test_layout_starts_as_a_share_of_the_words() -> None:
    config = dataclasses.replace(_config("lambert"), layout_dim=128)
    encoder = build_encoder(config)
    scale_layout(encoder, 0.5, load_bert(encoder, _bert().state_dict()))
    batch = _batch(config.vocab_size, WINDOW)
    with torch.inference_mode():
        layout = float(encoder.positions[1](batch).square().mean().sqrt())
        words = float(encoder.words.weight.square().mean().sqrt())
    assert layout == pytest.approx(0.5 * words, rel=0.15)
