"""Where encoders start from: what is filled, what is kept, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from models.build import build_encoder
from models.config import PRESETS
from models.encoder import Encoder
from models.labels import LabelSet
from models.packages.package import load_package, save_encoder
from models.tagger import Tagger
from pipeline.errors import InvalidOption
from tests.packages import tiny_config, tiny_package, tiny_tokenizer
from training.starts import SCRATCH, choose_start, parse_changes

SIZES = {
    name: getattr(tiny_config(), name) for name in ("hidden_size", "layers", "heads", "window")
} | {"intermediate_size": 64, "overlap": 32, "layout_dim": 16}


def _saved(folder: Path, preset: str) -> tuple[Path, Encoder]:
    torch.manual_seed(1)
    config = choose_start(preset, SCRATCH, changes=SIZES | {"skim_top": 0}).config
    encoder = build_encoder(config)
    save_encoder(folder, encoder=encoder, config=config, tokenizer=tiny_tokenizer(), notes={})
    return folder, encoder


def test_scratch_is_fresh_with_layout_no_larger_than_words() -> None:
    start = choose_start("lambert", SCRATCH, changes=SIZES)
    torch.manual_seed(0)
    encoder = build_encoder(start.config)
    start.fill(encoder)
    assert start.tokenizer.get_vocab_size() == encoder.words.num_embeddings
    assert 0.015 < float(encoder.words.weight.detach().std()) < 0.025
    adapter = encoder.positions[1].adapter.weight.detach()
    assert float(adapter.std()) * (SIZES["layout_dim"] / 2) ** 0.5 < 0.02


def test_folder_keeps_its_architecture_and_weights(tmp_path: Path) -> None:
    folder, saved = _saved(tmp_path, "skimformer")
    start = choose_start(None, str(folder), changes={})
    assert start.config.preset == "skimformer"
    encoder = build_encoder(start.config)
    start.fill(encoder)
    for name, value in saved.state_dict().items():
        assert torch.equal(encoder.state_dict()[name], value), name
    with pytest.raises(InvalidOption, match="its preset is skimformer, not lambert"):
        choose_start("lambert", str(folder), changes={})


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


@pytest.mark.parametrize("preset", ["skimming-mask", "skim-embeddings"])
def test_trained_skimformer_gives_its_layout(preset: str, tmp_path: Path) -> None:
    folder, saved = _saved(tmp_path, "skimformer-plain")
    start = choose_start(preset, SCRATCH, changes=SIZES, skim=folder)
    assert start.config.skim_layers == 0  # as the Skimformer has them
    encoder = build_encoder(start.config)
    start.fill(encoder)
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
    start = choose_start("skimming-mask", SCRATCH, changes=SIZES, skim=folder)
    with pytest.raises(InvalidOption, match="holds no Skimformer"):
        start.fill(build_encoder(start.config))
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
