"""Where encoders start from: what is filled, what is kept, and what is refused."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from models.build import build_encoder
from models.config import PRESETS
from models.encoder import Encoder
from models.encoding import PieceEncoder
from models.labels import LabelSet
from models.packages.package import load_package, save_encoder
from models.tagger import Tagger
from pipeline.errors import InvalidOption
from pipeline.tagging import example_of
from tests.builders import document_of
from tests.packages import tiny_config, tiny_package, tiny_tokenizer
from tests.twins import twin_batch
from training.starts import SCRATCH, choose_start, parse_changes
from training.starts.start import Start

SIZES = {
    name: getattr(tiny_config(), name) for name in ("hidden_size", "layers", "heads", "window")
} | {"intermediate_size": 64, "overlap": 32, "layout_dim": 16}


def _saved(folder: Path, preset: str) -> tuple[Path, Encoder]:
    torch.manual_seed(1)
    config = choose_start(preset, SCRATCH, changes=SIZES | {"skim_top": 0}).config
    encoder = build_encoder(config)
    save_encoder(folder, encoder=encoder, config=config, tokenizer=tiny_tokenizer(), notes={})
    return folder, encoder


def _started(
    preset: str | None, init: str | Path, *, changes: Mapping[str, Any] | None = None, **more: Path
) -> tuple[Start, Encoder]:
    """Return a start, and an encoder that it has filled."""
    start = choose_start(preset, str(init), changes=changes or {}, **more)
    encoder = build_encoder(start.config)
    start.fill(encoder)
    return start, encoder


def test_scratch_is_fresh_with_layout_no_larger_than_words() -> None:
    torch.manual_seed(0)
    start, encoder = _started("lambert", SCRATCH, changes=SIZES)
    assert start.tokenizer.get_vocab_size() == encoder.words.num_embeddings
    assert 0.015 < float(encoder.words.weight.detach().std()) < 0.025
    adapter = encoder.positions[1].adapter.weight.detach()
    assert float(adapter.std()) * (SIZES["layout_dim"] / 2) ** 0.5 < 0.02


def test_folder_keeps_its_architecture_and_weights(tmp_path: Path) -> None:
    folder, saved = _saved(tmp_path, "skimformer")
    start, encoder = _started(None, folder)
    assert start.config.preset == "skimformer"
    for name, value in saved.state_dict().items():
        assert torch.equal(encoder.state_dict()[name], value), name


def test_package_moved_to_word_shapes_begins_as_it_was(tmp_path: Path) -> None:
    folder = tiny_package(tmp_path / "package")
    before = load_package(folder).tagger
    start = choose_start("lambert-shapes", str(folder), changes={"word_shapes": 50})
    after = Tagger(start.config, before.labels)
    start.fill_tagger(after)
    new = set(after.state_dict()) - set(before.state_dict())
    [table] = (after.state_dict()[name] for name in new)
    assert table.shape == (50, start.config.hidden_size)
    assert not table.any()
    batch = twin_batch(12)
    random = torch.Generator().manual_seed(0)
    shapes = torch.randint(0, 50, batch.keep.shape, generator=random)
    batch = dataclasses.replace(
        batch, boxes=batch.boxes.float(), aspect=batch.aspect.float(), word_shape=shapes
    )
    with torch.inference_mode():
        assert torch.equal(after.eval()(batch), before.eval()(batch))


def test_word_shapes_stay_where_the_preset_changes(tmp_path: Path) -> None:
    folder = tiny_package(tmp_path / "package", preset="lambert-shapes")
    start = choose_start("near-and-far", str(folder), changes={})
    assert start.config.word_shapes == PRESETS["lambert-shapes"].word_shapes
    start.fill_tagger(Tagger(start.config, load_package(folder).tagger.labels))


def test_package_of_windows_starts_near_and_far_with_every_weight(tmp_path: Path) -> None:
    folder = tiny_package(tmp_path / "package")
    windows = load_package(folder).tagger
    start = choose_start("near-and-far", str(folder), changes={"reach": 50})
    own, chosen = windows.config, PRESETS["near-and-far"]
    assert own.window < chosen.order_rows
    assert start.config == dataclasses.replace(
        own,
        preset="near-and-far",
        attention="near-and-far",
        window=chosen.window,
        order_rows=own.window,
        reach=50,
    )
    tagger = Tagger(start.config, windows.labels)
    start.fill_tagger(tagger)
    tagger.eval()
    before, after = windows.state_dict(), tagger.state_dict()
    assert set(after) - set(before) == {f"encoder.blocks.{n}.attention.gate" for n in range(2)}
    for name, value in before.items():
        assert torch.equal(after[name], value), name
    example = example_of(document_of(" | ".join(["a1 a1    a1 a1"] * 5)))
    pieces = PieceEncoder(start.tokenizer, start.config)
    assert 40 < pieces.count(example) <= 48
    np.testing.assert_allclose(
        tagger.probabilities(example, pieces), windows.probabilities(example, pieces), atol=1e-6
    )


def test_preset_without_a_place_for_all_weights_is_refused(tmp_path: Path) -> None:
    folder = tiny_package(tmp_path / "package")
    with pytest.raises(InvalidOption, match=r"no place for: .*positions.1.adapter.weight"):
        _started("layoutlm", folder)


def test_new_parts_of_another_preset_start_as_they_do_beside_minilm(tmp_path: Path) -> None:
    folder, saved = _saved(tmp_path, "text")
    start, encoder = _started("lambert", folder)
    assert torch.equal(encoder.words.weight, saved.words.weight)
    rms = float(encoder.words.weight.detach().square().mean().sqrt())
    adapter = encoder.positions[1].adapter.weight.detach()
    expected = start.config.adapter_start * rms / (SIZES["layout_dim"] / 2) ** 0.5
    assert float(adapter.std()) == pytest.approx(expected, rel=0.2)


def test_package_keeps_what_its_head_knows_of_the_same_fields(tmp_path: Path) -> None:
    package = load_package(tiny_package(tmp_path / "package")).tagger
    start = choose_start(None, str(tmp_path / "package"), changes={})
    tagger = Tagger(start.config, LabelSet(["total", "table", "company"]))
    before = tagger.head.weight.detach().clone()
    start.fill_tagger(tagger)
    for name in ("O", "B-total", "S-total", "I-company"):
        row, old = tagger.labels.names.index(name), package.labels.names.index(name)
        assert torch.equal(tagger.head.weight[row], package.head.weight[old]), name
        assert torch.equal(tagger.head.bias[row], package.head.bias[old]), name
    for name in ("B-table", "S-table"):
        row = tagger.labels.names.index(name)
        assert torch.equal(tagger.head.weight[row], before[row]), name
    assert torch.equal(tagger.encoder.words.weight, package.encoder.words.weight)


def test_package_of_other_fields_gives_its_encoder_alone(tmp_path: Path) -> None:
    package = load_package(tiny_package(tmp_path / "package")).tagger
    start = choose_start(None, str(tmp_path / "package"), changes={})
    tagger = Tagger(start.config, LabelSet(["party", "term"]))
    before = tagger.head.weight.detach().clone()
    start.fill_tagger(tagger)
    assert torch.equal(tagger.head.weight, before)
    assert torch.equal(tagger.encoder.words.weight, package.encoder.words.weight)


def test_damaged_package_is_no_start(tmp_path: Path) -> None:
    folder = tiny_package(tmp_path / "package")
    weights = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(weights[:-1])
    with pytest.raises(InvalidOption, match="Cannot start from"):
        choose_start(None, str(folder), changes={})


def test_a_folder_of_another_family_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    with pytest.raises(InvalidOption, match="nor a Hugging Face folder of the BERT family"):
        choose_start(None, str(tmp_path), changes={})


@pytest.mark.parametrize("preset", ["skimming-mask", "skim-embeddings"])
def test_trained_skimformer_gives_its_layout(preset: str, tmp_path: Path) -> None:
    folder, saved = _saved(tmp_path, "skimformer-plain")
    start, encoder = _started(preset, SCRATCH, changes=SIZES, skim=folder)
    assert start.config.skim_layers == 0  # as the Skimformer has them
    [own] = [
        value for name, value in encoder.named_parameters() if name.endswith("tables.x.weight")
    ]
    assert torch.equal(own, saved.state_dict()["prior.layout.tables.x.weight"])


def test_mask_without_a_trained_skimformer_is_refused() -> None:
    with pytest.raises(InvalidOption, match="needs a trained Skimformer") as caught:
        choose_start("skimming-mask", SCRATCH, changes=SIZES)
    assert "--skim" in caught.value.advice


def test_skim_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    folder, _ = _saved(tmp_path / "text", "text")
    with pytest.raises(InvalidOption, match="holds no Skimformer"):
        _started("skimming-mask", SCRATCH, changes=SIZES, skim=folder)
    with pytest.raises(InvalidOption, match="Cannot start from"):
        choose_start("skimming-mask", SCRATCH, changes=SIZES, skim=tmp_path / "nowhere")


def test_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidOption, match="There is no preset 'gpt'") as caught:
        choose_start("gpt", SCRATCH, changes={})
    assert all(name in caught.value.advice for name in PRESETS)


def test_changes_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(InvalidOption, match=r"heads \(5\) must divide"):
        choose_start("text", SCRATCH, changes={"heads": 5})


def test_changes_are_read_as_numbers_words_and_pairs() -> None:
    texts = ["skim_top=64", "layout=none", "line_separator=false", "layout_frequencies=[1, 5]"]
    assert parse_changes(texts) == {
        "skim_top": 64,
        "layout": "none",
        "line_separator": False,
        "layout_frequencies": (1, 5),
    }


@pytest.mark.parametrize("text", ["skim_top", "preset=text", "size=3", "=4", ""])
def test_what_is_no_setting_is_refused(text: str) -> None:
    with pytest.raises(InvalidOption, match="is not a setting of a preset"):
        parse_changes([text])


@pytest.mark.parametrize(
    "text",
    ["layers=many", "layers=2.5", "order=backwards", "layout_bias=2", "layout_frequencies=[1]"],
)
def test_what_a_setting_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(InvalidOption, match=f"'{re.escape(text)}' cannot be: "):
        parse_changes([text])


def test_hugging_face_folder_starts_a_tagger_with_layout_drawn_anew(tmp_path: Path) -> None:
    tokenizer = tiny_tokenizer()
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    bert = transformers.BertModel(
        transformers.BertConfig(
            vocab_size=tokenizer.get_vocab_size(), intermediate_size=64, **sizes
        )
    )
    bert.save_pretrained(tmp_path)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    start = choose_start(None, str(tmp_path), changes={"layout_dim": 16, "bias_range": 20})
    config = start.config
    assert (config.preset, config.hidden_size, config.layers) == ("lambert", 32, 2)
    assert start.draws_layout
    assert start.head is None
    tagger = Tagger(start.config, LabelSet(["total"]))
    start.fill_tagger(tagger)
    words = bert.embeddings.word_embeddings.weight + bert.embeddings.token_type_embeddings.weight[0]
    assert torch.equal(tagger.encoder.words.weight, words)
    rms = float(words.detach().square().mean().sqrt())
    adapter = tagger.encoder.positions[1].adapter.weight.detach()
    expected = start.config.adapter_start * rms / (16 / 2) ** 0.5
    assert float(adapter.std()) == pytest.approx(expected, rel=0.2)
    _started("near-and-far", tmp_path, changes={"layout_dim": 16})
    with pytest.raises(InvalidOption, match="needs a trained Skimformer"):
        choose_start("skimming-mask", str(tmp_path), changes={})
    with pytest.raises(InvalidOption, match=r"Cannot start from .*shapes differ"):
        _started("linformer", tmp_path, changes={"hidden_size": 48})
