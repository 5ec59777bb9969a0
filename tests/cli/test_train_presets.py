"""`fieldwright train` on every preset: one step, validation, a package that says its preset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import build
from models.config import PRESETS
from tests.datasets import SEEDS, write_dataset
from tests.packages import tiny_package


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
    dataset, home = shop
    monkeypatch.setenv("FIELDWRIGHT_HOME", str(home))
    init = tiny_package(tmp_path / "init", preset=preset)
    out = tmp_path / "package"
    build()(
        [
            "train", str(dataset), "--name", preset, "--preset", preset, "--init", str(init),
            "--transcription", "gold", "--epochs", "1", "--batch-size", "8", "--validation", "0.25",
            "--passes", "1", "--shuffle-blocks", "0.5", "--swap-neighbours", "1", "--out", str(out),
        ],
        standalone_mode=False,
    )  # fmt: skip
    assert json.loads((out / "config.json").read_text())["tagger"]["preset"] == preset
    log = home / "runs" / f"{preset}-1.0.0" / "seed-0" / "log.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["step"] for line in lines if "loss" in line] == [1]
    # Validation read documents with the weights that came of that step.
    assert [line["epoch"] for line in lines if "score" in line] == [1]
