"""A teacher's folder and documents without labels become an encoder of another architecture."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from models.build import build_encoder
from models.packages.package import load_encoder, save_encoder
from tests.cli.test_pretrain import ROOT, write_pages
from tests.packages import tiny_config, tiny_tokenizer


def _run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli.main", "distil", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def _teacher(folder: Path) -> Path:
    torch.manual_seed(0)
    config = tiny_config("layoutlm", window=32, overlap=0)
    save_encoder(
        folder, encoder=build_encoder(config), config=config, tokenizer=tiny_tokenizer(), notes={}
    )
    return folder


@pytest.mark.slow
def test_encoder_is_written_and_can_be_started_from(tmp_path: Path) -> None:
    pages, out = write_pages(tmp_path / "pages.jsonl.gz", 6), tmp_path / "encoder"
    done = _run(pages, "--teacher", _teacher(tmp_path / "teacher"), "--preset", "cosformer",
                "--set", "window=256", "--out", out, "--steps", 4)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "1 of 6 documents held out" in done.stderr
    assert "of the variance of the teacher's last states" in done.stderr
    loaded = load_encoder(out)
    weights, config = loaded.weights, loaded.config
    assert (config.preset, config.window, config.hidden_size) == ("cosformer", 256, 32)
    assert weights["positions.0.table.weight"].shape == (256, 32)
    notes = json.loads((out / "config.json").read_text())["notes"]
    assert notes["teacher"] == "teacher"
    assert 0 < notes["missed"] < 2


def test_teacher_that_is_none_is_refused_in_one_line(tmp_path: Path) -> None:
    done = _run(write_pages(tmp_path / "pages.jsonl.gz", 2), "--teacher", tmp_path, "--preset",
                "cosformer", "--out", tmp_path / "encoder")  # fmt: skip
    assert done.returncode == 2
    assert f"Cannot start from {tmp_path}" in done.stderr
    assert "Traceback" not in done.stderr
