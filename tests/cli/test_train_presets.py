"""`fieldwright train` on every preset: one step, validation, a package that says its preset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from transformers import BertConfig, BertModel

from cli.main import build
from models.config import PRESETS
from models.packages.package import load_package
from tests.datasets import SEEDS, write_dataset
from tests.packages import tiny_package, tiny_tokenizer


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A dataset of four receipts, and a home where its readings are kept for all presets."""
    folder = Path(tmp_path_factory.mktemp("presets"))
    return write_dataset(folder / "shop", SEEDS[:4]), folder / "home"


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_trains(
    preset: str,
    shop: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    init = tiny_package(tmp_path / "init", preset=preset)
    _train(preset, init, shop, tmp_path / "package", monkeypatch)


def test_package_of_windows_is_trained_on_near_and_far(
    shop: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    init = tiny_package(tmp_path / "windows")
    _train("near-and-far", init, shop, tmp_path / "package", monkeypatch)
    gate = load_package(tmp_path / "package").tagger.encoder.state_dict()["blocks.0.attention.gate"]
    assert gate.any()


def test_hugging_face_folder_is_trained_on(
    shop: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {"num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    vocabulary = tiny_tokenizer().get_vocab_size()
    bert = BertModel(BertConfig(vocab_size=vocabulary, hidden_size=16, **sizes))
    bert.save_pretrained(tmp_path / "bert")
    tiny_tokenizer().save(str(tmp_path / "bert" / "tokenizer.json"))
    _train("lambert", tmp_path / "bert", shop, tmp_path / "package", monkeypatch)
    card = (tmp_path / "package" / "README.md").read_text()
    assert "1 layers, 16 wide, windows of 512 pieces" in card
    assert "started from the package" not in card


def _train(
    preset: str,
    init: Path,
    shop: tuple[Path, Path],
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dataset, home = shop
    name = f"{preset}-{init.name}"
    monkeypatch.setenv("FIELDWRIGHT_HOME", str(home))
    build()(
        [
            "train", str(dataset), "--name", name, "--preset", preset, "--init", str(init),
            "--transcription", "gold", "--epochs", "1", "--batch-size", "8", "--validation", "0.25",
            "--passes", "1", "--shuffle-blocks", "0.5", "--swap-neighbours", "1", "--out", str(out),
        ],
        standalone_mode=False,
    )  # fmt: skip
    assert json.loads((out / "config.json").read_text())["tagger"]["preset"] == preset
    log = home / "runs" / f"{name}-1.0.0" / "seed-0" / "log.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["step"] for line in lines if "loss" in line] == [1]
    # Validation read documents with the weights that came of that step.
    assert [line["epoch"] for line in lines if "score" in line] == [1]
