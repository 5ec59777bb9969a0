"""Pages without labels become an encoder that a training can start from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from models.config import PRESETS
from models.packages.package import load_encoder
from tests.commands import run
from tests.datasets import write_dataset, write_pages
from tests.packages import tiny_package


@pytest.mark.slow
def test_encoder_is_written_and_can_be_started_from(tmp_path: Path) -> None:
    out = tmp_path / "encoder"
    pages, sizes = write_pages(tmp_path / "pages.jsonl.gz", 6), ("--window", 32, "--most", 5)
    done = run("pretrain", pages, "--out", out, "--batch-size", 2, *sizes, code=0)
    assert "5 windows" in done.stderr
    assert "1 of 6 documents held out" in done.stderr
    assert "Perplexity on held-out documents" in done.stderr
    loaded = load_encoder(out)
    weights, config, tokenizer = loaded.weights, loaded.config, loaded.tokenizer
    assert config == PRESETS["lambert"]
    assert weights["words.weight"].shape == (tokenizer.get_vocab_size(), config.hidden_size)
    notes = json.loads((out / "config.json").read_text())["notes"]
    assert notes["corpus"] == ["pages.jsonl.gz"]


def test_folder_is_read_once_and_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path / "shop", seeds=(21, 22, 23))
    (dataset / "documents" / "r21.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    out, home = tmp_path / "encoder", tmp_path / "home"
    start = tiny_package(tmp_path / "tiny")
    done = run("pretrain", dataset, "--init", start, "--out", out, FIELDWRIGHT_HOME=home, code=2)
    assert "Give --window 128 or less." in done.stderr
    settings = (dataset, "--init", start, "--out", out, "--batch-size", 1, "--window", 64)
    done = run("pretrain", *settings, "--resume", FIELDWRIGHT_HOME=home, code=0)
    assert f"There is no checkpoint in {out / 'run'}: this run begins anew." in done.stderr
    assert "r21.pdf was left out: " in done.stderr
    assert "1 of 2 documents held out" in done.stderr
    kept = {path: path.stat().st_mtime_ns for path in (home / "readings").iterdir()}
    assert len(kept) == 2
    done = run("pretrain", *settings, "--resume", FIELDWRIGHT_HOME=home, code=0)
    assert "begins anew" not in done.stderr
    assert {path: path.stat().st_mtime_ns for path in (home / "readings").iterdir()} == kept
    # The same folder, written otherwise.
    again = [tmp_path / "shop" / ".." / "tiny" if one == start else one for one in settings]
    run("pretrain", *again, "--resume", FIELDWRIGHT_HOME=home, code=0)
    other = write_dataset(tmp_path / "other", seeds=(24, 25, 26))
    done = run("pretrain", other, *settings[1:], "--resume", FIELDWRIGHT_HOME=home, code=2)
    assert "holds a run on other documents" in done.stderr


def test_what_is_no_corpus_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl.gz"
    path.write_bytes(b"not gzip")
    done = run("pretrain", path, "--out", tmp_path / "encoder", code=3)
    assert "is not a file of pages" in done.stderr
    assert "Traceback" not in done.stderr
