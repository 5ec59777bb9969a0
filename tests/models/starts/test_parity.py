"""Without layout the encoder is `transformers`' BertModel, and no weight enters uncounted."""

from __future__ import annotations

import dataclasses

import pytest
import torch
import transformers
from torch import Tensor

from models.build import build_encoder
from models.config import PRESETS, TaggerConfig
from models.encoder import Encoder
from models.encoding import TaggerBatch
from models.position.sequential import SequentialEmbedding
from models.starts import fill, scale_layout
from models.starts.pretrained import convert_bert, convert_layoutlm, minilm_folder, read_bert
from tests.packages import tiny_config

WINDOW = 24


def _config(preset: str) -> TaggerConfig:
    return tiny_config(preset, window=WINDOW, overlap=8)


def of_sizes(
    kind: type[transformers.PreTrainedModel], config: TaggerConfig, **more: object
) -> transformers.PreTrainedModel:
    """Return a model of `transformers` as large as a config says, every part of which matters."""
    torch.manual_seed(0)
    made = kind.config_class(
        vocab_size=config.vocab_size,
        hidden_size=config.hidden_size,
        num_hidden_layers=config.layers,
        num_attention_heads=config.heads,
        intermediate_size=config.intermediate_size,
        initializer_range=0.2,
        **more,
    )
    return kind(made).train(False)


def _bert() -> transformers.BertModel:
    return of_sizes(transformers.BertModel, _config("text"), max_position_embeddings=WINDOW)


def load_bert(encoder: Encoder, source: dict[str, Tensor]) -> list[str]:
    """Fill an encoder from BertModel weights; return the names that were left new."""
    return fill(encoder, convert_bert(source, len(encoder.blocks)))


def _batch(vocabulary: int, length: int) -> TaggerBatch:
    random = torch.Generator().manual_seed(1)
    ids = torch.randint(0, vocabulary, (3, length), generator=random)
    keep = torch.arange(length) < torch.tensor([length, length // 2, 1])[:, None]
    zeros = torch.zeros(3, length, dtype=torch.long)
    return TaggerBatch(ids, torch.rand(3, length, 4), zeros, torch.ones(3, length), keep, zeros)


def _agree(encoder: Encoder, bert: transformers.BertModel, batch: TaggerBatch) -> None:
    with torch.inference_mode():
        ours = encoder.eval()(batch)
        theirs = bert(batch.input_ids, attention_mask=batch.keep.long()).last_hidden_state
    torch.testing.assert_close(ours[batch.keep], theirs[batch.keep], rtol=1e-5, atol=1e-5)


def test_encoder_without_layout_is_bert() -> None:
    bert, config = _bert(), _config("text")
    encoder = build_encoder(config)
    assert load_bert(encoder, bert.state_dict()) == []
    _agree(encoder, bert, _batch(config.vocab_size, WINDOW))


def test_minilm_without_layout_is_bert() -> None:
    source, tokenizer = read_bert(minilm_folder())
    encoder = build_encoder(PRESETS["text"])
    load_bert(encoder, source)
    bert = transformers.BertModel.from_pretrained(minilm_folder(), local_files_only=True)
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


def test_window_beyond_the_positions_of_the_source_repeats_them() -> None:
    config = dataclasses.replace(_config("text"), window=2 * WINDOW + 5)
    encoder, bert = build_encoder(config), _bert()
    load_bert(encoder, bert.state_dict())
    _agree(encoder, bert, _batch(config.vocab_size, WINDOW))
    table = encoder.state_dict()["positions.0.table.weight"]
    assert torch.equal(table[WINDOW : 2 * WINDOW], table[:WINDOW])
    assert torch.equal(table[2 * WINDOW :], table[:5])


def test_shorter_window_takes_the_first_positions() -> None:
    config = dataclasses.replace(_config("text"), window=16)
    encoder, bert = build_encoder(config), _bert()
    load_bert(encoder, bert.state_dict())
    _agree(encoder, bert, _batch(config.vocab_size, 16))


def _layoutlm() -> transformers.LayoutLMModel:
    sizes = {"max_position_embeddings": WINDOW, "max_2d_position_embeddings": 1024}
    return of_sizes(transformers.LayoutLMModel, _config("layoutlm"), **sizes)


def test_layoutlm_without_pages_is_layoutlm() -> None:
    layoutlm = _layoutlm()
    config = dataclasses.replace(_config("layoutlm"), pages=0)
    encoder = build_encoder(config)
    assert fill(encoder, convert_layoutlm(layoutlm.state_dict(), config.layers)) == []
    batch = _batch(config.vocab_size, WINDOW)
    corners = torch.randint(0, 1001, (3, WINDOW, 2, 2))
    corners[0, 0] = torch.tensor([[0, 0], [1000, 1000]])
    places = torch.cat([corners.amin(2), corners.amax(2)], dim=-1)
    with torch.inference_mode():
        ours = encoder.eval()(dataclasses.replace(batch, boxes=places / 1000))
        theirs = layoutlm(
            batch.input_ids, bbox=places, attention_mask=batch.keep.long()
        ).last_hidden_state
    torch.testing.assert_close(ours[batch.keep], theirs[batch.keep], rtol=1e-5, atol=1e-5)


def test_layoutlm_starts_with_pages_alone_new_and_its_tables_as_they_came() -> None:
    encoder, source = build_encoder(_config("layoutlm")), _layoutlm().state_dict()
    new = fill(encoder, convert_layoutlm(source, len(encoder.blocks)))
    assert new == ["positions.2.weight"]
    scale_layout(encoder, 0.5, new)
    table = encoder.state_dict()["positions.1.x.weight"]
    assert torch.equal(table, source["embeddings.x_position_embeddings.weight"][:1001])
    found = float(encoder.state_dict()["positions.2.weight"].square().mean().sqrt())
    words = float(encoder.words.weight.detach().square().mean().sqrt())
    assert found == pytest.approx(0.5 * words, rel=0.15)


def test_tables_of_layoutlm_have_no_place_in_bert() -> None:
    with pytest.raises(ValueError, match="keys with no place"):
        load_bert(build_encoder(_config("layoutlm")), _layoutlm().state_dict())
    with pytest.raises(ValueError, match=r"no place for: .*'x\.weight'"):
        fill(build_encoder(_config("text")), convert_layoutlm(_layoutlm().state_dict(), 2))


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_new_positions_start_as_a_share_of_the_words(preset: str) -> None:
    encoder = build_encoder(_config(preset))
    new = load_bert(encoder, _bert().state_dict())
    scale_layout(encoder, 0.5, new)
    config, batch = _config(preset), _batch(tiny_config().vocab_size, WINDOW)
    terms = [
        position(batch)[batch.keep[: len(position(batch))]]
        for position in encoder.positions
        if not (isinstance(position, SequentialEmbedding) and config.order == "learned")
    ]
    if terms:
        words = float(encoder.words.weight.detach().square().mean().sqrt())
        power = sum(float(term.detach().square().mean()) for term in terms)
        # Terms of one box are alike, sinusoids above all: their sum is at most twice as large.
        assert 0.3 * words < power**0.5 < 1.1 * words


def test_skimformer_takes_the_values_and_leaves_queries_and_keys() -> None:
    encoder, source = build_encoder(_config("skimformer")), _bert().state_dict()
    load_bert(encoder, source)
    for index in range(2):
        for part in ("weight", "bias"):
            ours = encoder.state_dict()[f"blocks.{index}.value.{part}"]
            assert torch.equal(ours, source[f"encoder.layer.{index}.attention.self.value.{part}"])


def test_layout_starts_as_a_share_of_the_words() -> None:
    config = dataclasses.replace(_config("lambert"), layout_dim=128)
    encoder = build_encoder(config)
    scale_layout(encoder, 0.5, load_bert(encoder, _bert().state_dict()))
    batch = _batch(config.vocab_size, WINDOW)
    with torch.inference_mode():
        layout = float(encoder.positions[1](batch).square().mean().sqrt())
        words = float(encoder.words.weight.square().mean().sqrt())
    assert layout == pytest.approx(0.5 * words, rel=0.15)
