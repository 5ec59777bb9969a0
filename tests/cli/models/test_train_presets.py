"""`fieldwright train` on every preset: one step, validation, a package that says its preset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import transformers
from safetensors.torch import load_file

from cli.main import build
from models.config import PRESETS
from tests.datasets import SEEDS, write_dataset
from tests.packages import tiny_package, tiny_tokenizer


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A dataset of four receipts, and a home where its readings are kept for all presets."""
    folder = Path(tmp_path_factory.mktemp("presets"))
    return write_dataset(folder / "shop", SEEDS[:4]), folder / "home"


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_trains(
    preset: str, shop: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    init = tiny_package(tmp_path / "init", preset=preset)
    _train(preset, init, shop, tmp_path / "package", monkeypatch)


def test_package_of_windows_is_trained_on_near_and_far(
    shop: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    init = tiny_package(tmp_path / "windows")
    _train("near-and-far", init, shop, tmp_path / "package", monkeypatch)
    weights = load_file(tmp_path / "package" / "model.safetensors")
    assert weights["encoder.blocks.0.attention.gate"].any()


def test_hugging_face_folder_is_trained_on(
    shop: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {"num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    vocabulary = tiny_tokenizer().get_vocab_size()
    bert = transformers.BertModel(
        transformers.BertConfig(vocab_size=vocabulary, hidden_size=16, **sizes)
    )
    bert.save_pretrained(tmp_path / "bert")
    tiny_tokenizer().save(str(tmp_path / "bert" / "tokenizer.json"))
    _train("lambert", tmp_path / "bert", shop, tmp_path / "package", monkeypatch)
    config = json.loads((tmp_path / "package" / "config.json").read_text())["tagger"]
    assert (config["layers"], config["hidden_size"], config["window"]) == (1, 16, 512)
    assert f"started from {tmp_path / 'bert'}." in (tmp_path / "package" / "README.md").read_text()


def _train(
    preset: str, init: Path, shop: tuple[Path, Path], out: Path, monkeypatch: pytest.MonkeyPatch
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
