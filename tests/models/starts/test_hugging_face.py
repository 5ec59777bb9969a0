"""Hugging Face folders of the BERT family: their hidden states, their pieces, and every weight."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from models.build import build_encoder
from models.config import PRESETS
from models.encoding import PieceEncoder, TaggerBatch
from models.starts import PRESET_OF, fill, is_foreign, read_foreign
from pipeline.tagging import example_of
from tests.builders import document_of
from tests.packages import tiny_tokenizer

LENGTH = 150  # further apart than the last bucket of MPNet's bias
SIZES = {
    "vocab_size": tiny_tokenizer().get_vocab_size(),
    "hidden_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": LENGTH + 2,
    "initializer_range": 0.2,  # so that every part matters
}
DISTIL = {
    "vocab_size": SIZES["vocab_size"],
    "dim": 48,
    "n_layers": 2,
    "n_heads": 4,
    "hidden_dim": 64,
    "max_position_embeddings": LENGTH,
    "initializer_range": 0.2,
}


def _bytes() -> Tokenizer:
    """Return a byte-level BPE tokenizer as RoBERTa's folders have it: no space before a text."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(
        ["the total of the invoice is 10.00", "TOTAL Total total"], trainer
    )
    ends = (("</s>", 2), ("<s>", 0))
    tokenizer.post_processor = processors.RobertaProcessing(*ends, add_prefix_space=False)
    return tokenizer


def _kinds() -> dict[str, tuple[transformers.PreTrainedModel, Tokenizer]]:
    torch.manual_seed(0)
    roberta = SIZES | {"vocab_size": 320, "pad_token_id": 1, "layer_norm_eps": 1e-5}
    found = {
        "bert": (transformers.BertModel(transformers.BertConfig(**SIZES)), tiny_tokenizer()),
        "roberta": (transformers.RobertaModel(transformers.RobertaConfig(**roberta)), _bytes()),
        "distilbert": (
            transformers.DistilBertModel(transformers.DistilBertConfig(**DISTIL)),
            tiny_tokenizer(),
        ),
        "mpnet": (transformers.MPNetModel(transformers.MPNetConfig(**SIZES)), tiny_tokenizer()),
        "layoutlm": (
            transformers.LayoutLMModel(transformers.LayoutLMConfig(**SIZES)),
            tiny_tokenizer(),
        ),
        "lilt": (transformers.LiltModel(transformers.LiltConfig(**roberta)), _bytes()),
    }
    return {kind: (model.train(False), tokenizer) for kind, (model, tokenizer) in found.items()}


def _folder(folder: Path, kind: str) -> tuple[Path, transformers.PreTrainedModel, Tokenizer]:
    model, tokenizer = _kinds()[kind]
    if kind == "lilt":  # its layout stream says nothing, for the tagger has none
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                if "layout_query" in name:
                    parameter.zero_()
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder, model, tokenizer


def _changes(kind: str) -> dict[str, Any]:
    """Return what makes a preset no more than the model it is compared with."""
    changes: dict[str, Any] = {"window": LENGTH, "overlap": 0, "pages": 0, "layout_bias": False}
    changes["sequence_bias"] = kind == "mpnet"
    return changes if kind == "layoutlm" else changes | {"layout": "none"}


@pytest.mark.parametrize("kind", ["bert", "roberta", "distilbert", "mpnet", "layoutlm", "lilt"])
def test_hidden_states_are_those_of_transformers(kind: str, tmp_path: Path) -> None:
    folder, theirs, _ = _folder(tmp_path, kind)
    assert is_foreign(folder)
    found = read_foreign(folder)
    preset = PRESETS[PRESET_OF[found.kind]]
    config = dataclasses.replace(preset, **{**found.sizes, **_changes(kind)})
    encoder = build_encoder(config).train(False)
    assert fill(encoder, found.converted(config)) == []
    random = torch.Generator().manual_seed(1)
    ids = torch.randint(5, config.vocab_size, (2, LENGTH), generator=random)
    keep = torch.arange(LENGTH) < torch.tensor([LENGTH, 40])[:, None]
    ids = ids.where(keep, found.padding)
    corners = torch.randint(0, 1001, (2, LENGTH, 2, 2), generator=random)
    grid = torch.cat([corners.amin(2), corners.amax(2)], -1)
    zeros = torch.zeros(2, LENGTH, dtype=torch.long)
    batch = TaggerBatch(ids, grid / 1000, zeros, torch.ones(2, LENGTH), keep, zeros)
    boxes = {"bbox": grid} if kind in ("layoutlm", "lilt") else {}
    with torch.inference_mode():
        expected = theirs(input_ids=ids, attention_mask=keep.long(), **boxes).last_hidden_state
        ours = encoder(batch)
    torch.testing.assert_close(ours[keep], expected[keep], rtol=1e-5, atol=1e-5)


def test_words_alone_have_the_pieces_of_words_in_a_text(tmp_path: Path) -> None:
    folder, _, tokenizer = _folder(tmp_path, "roberta")
    found = read_foreign(folder)
    words = ["the", "total", "Total", "invoice", "10.00", "zebra"]
    theirs = transformers.RobertaTokenizerFast(tokenizer_object=tokenizer, add_prefix_space=False)
    expected = theirs(" " + " ".join(words), add_special_tokens=True)["input_ids"]
    config = dataclasses.replace(PRESETS["lambert"], line_separator=False)
    encoder = PieceEncoder(found.tokenizer, config)
    [window] = encoder.windows(example_of(document_of(" ".join(words)), "one"))
    assert window.input_ids.tolist() == expected
    assert (window.boxes[:, 0] <= window.boxes[:, 2]).all()  # a lone space before a word: a point


def test_task_heads_and_prefixes_are_left_behind(tmp_path: Path) -> None:
    model = transformers.BertForMaskedLM(transformers.BertConfig(**SIZES))
    model.save_pretrained(tmp_path)
    tiny_tokenizer().save(str(tmp_path / "tokenizer.json"))
    found = read_foreign(tmp_path)
    config = dataclasses.replace(PRESETS["text"], **{**found.sizes, "window": LENGTH, "overlap": 0})
    encoder = build_encoder(config)
    assert fill(encoder, found.converted(config)) == []
    words = model.bert.embeddings.word_embeddings.weight
    types = model.bert.embeddings.token_type_embeddings.weight
    assert torch.equal(encoder.words.weight, words + types[0])


@pytest.mark.parametrize("kind", ["bert", "roberta", "distilbert", "mpnet"])
def test_a_folder_without_its_tokenizer_is_refused(kind: str, tmp_path: Path) -> None:
    """The library would make one that knows no word, and nothing would be learnt of any."""
    folder, _, _ = _folder(tmp_path, kind)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ValueError, match="it has no tokenizer"):
        read_foreign(folder)
    (folder / "vocab.txt").write_text("\n".join(tiny_tokenizer().get_vocab()), encoding="utf-8")
    if kind in ("bert", "distilbert"):
        assert read_foreign(folder).tokenizer.get_vocab_size() == SIZES["vocab_size"]


def _edited(folder: Path, **weights: torch.Tensor | None) -> None:
    path = folder / "model.safetensors"
    found = load_file(path) | {name.replace("__", "."): value for name, value in weights.items()}
    save_file({n: v for n, v in found.items() if v is not None}, path, metadata={"format": "pt"})


def test_every_weight_is_accounted_for(tmp_path: Path) -> None:
    folder, _, _ = _folder(tmp_path, "bert")
    _edited(folder, encoder__layer__1__extra__weight=torch.zeros(3))
    with pytest.raises(ValueError, match=r"no place: \['encoder.layer.1.extra.weight'\]"):
        read_foreign(folder)
    _edited(folder, encoder__layer__1__extra__weight=None, embeddings__LayerNorm__weight=None)
    with pytest.raises(ValueError, match=r"missing: \['embeddings.LayerNorm.weight'\]"):
        read_foreign(folder)


@pytest.mark.parametrize(
    ("kind", "preset", "unmatched"),
    [
        pytest.param("layoutlm", "lambert", "x.weight", id="tables_over_the_page"),
        pytest.param("mpnet", "text", "prior.sequence", id="bias_over_distance"),
    ],
)
def test_preset_without_a_place_for_a_weight_is_refused(
    kind: str, preset: str, unmatched: str, tmp_path: Path
) -> None:
    found = read_foreign(_folder(tmp_path, kind)[0])
    config = dataclasses.replace(PRESETS[preset], **{**found.sizes, "window": LENGTH, "overlap": 0})
    with pytest.raises(ValueError, match=rf"no place for: .*{unmatched}"):
        fill(build_encoder(config), found.converted(config))


def test_bias_too_short_for_mpnet_is_refused(tmp_path: Path) -> None:
    found = read_foreign(_folder(tmp_path, "mpnet")[0])
    config = dataclasses.replace(PRESETS["lambert"], **{**found.sizes, "bias_range": 50})
    with pytest.raises(ValueError, match="bias_range of 50 is too short"):
        found.converted(config)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"hidden_act": "relu"}, "activation is relu"),
        ({"vocab_size": 20}, "tokenizer has .* pieces, its words 20"),
    ],
)
def test_other_architectures_are_refused(changes: dict[str, Any], why: str, tmp_path: Path) -> None:
    transformers.BertModel(transformers.BertConfig(**{**SIZES, **changes})).save_pretrained(
        tmp_path
    )
    tiny_tokenizer().save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(ValueError, match=why):
        read_foreign(tmp_path)


def test_other_folders_are_none_of_these(tmp_path: Path) -> None:
    assert not is_foreign(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "t5"}')
    assert not is_foreign(tmp_path)
    with pytest.raises(ValueError, match="model type is t5, not one of bert, roberta"):
        read_foreign(tmp_path)
