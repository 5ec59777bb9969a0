"""A teacher's folder and documents without labels become an encoder of another architecture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from models.build import build_encoder
from models.packages.package import load_encoder, save_encoder, training_of
from tests.commands import run
from tests.datasets import write_pages
from tests.packages import tiny_config, tiny_tokenizer


def _teacher(folder: Path) -> Path:
    torch.manual_seed(0)
    config = tiny_config("layoutlm", window=32, overlap=0)
    save_encoder(
        folder,
        encoder=build_encoder(config),
        config=config,
        tokenizer=tiny_tokenizer(),
        notes={},
        training={"trained_on": ["0123456789ab"]},
    )
    return folder


@pytest.mark.slow
def test_encoder_is_written_and_can_be_started_from(tmp_path: Path) -> None:
    pages, out = write_pages(tmp_path / "pages.jsonl.gz", 6), tmp_path / "encoder"
    done = run(
        "distil", pages, "--teacher", _teacher(tmp_path / "teacher"), "--preset", "cosformer",
        "--set", "window=256", "--out", out, "--steps", 4, code=0,
    )  # fmt: skip
    assert "1 of 6 documents held out" in done.stderr
    assert "of the variance of the teacher's last states" in done.stderr
    loaded = load_encoder(out)
    weights, config = loaded.weights, loaded.config
    assert (config.preset, config.window, config.hidden_size) == ("cosformer", 256, 32)
    assert weights["positions.0.table.weight"].shape == (256, 32)
    notes = json.loads((out / "config.json").read_text())["notes"]
    assert notes["teacher"] == "teacher"
    assert training_of(out) == {"trained_on": ["0123456789ab"]}  # what the teacher has seen
    assert 0 < notes["missed"] < 2


def test_teacher_that_is_none_is_refused_in_one_line(tmp_path: Path) -> None:
    pages = write_pages(tmp_path / "pages.jsonl.gz", 2)
    usual = ("--preset", "cosformer", "--out", tmp_path / "encoder")
    done = run("distil", pages, "--teacher", tmp_path, *usual, code=2)
    assert f"Cannot start from {tmp_path}" in done.stderr
    assert "Traceback" not in done.stderr
