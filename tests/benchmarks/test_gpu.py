"""Measurements for a GPU run on the CPU at toy size, where there is PyTorch alone."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import torch
from torch import Tensor

from benchmarks.gpu import Scale, documents, parity, report
from models.encoding import TaggerBatch
from models.tagger import Tagger

TOY = Scale(pieces=64, lengths=(64, 128), batches=(1, 2), hidden=(32, 2))
ROOT = Path(__file__).resolve().parents[2]


def test_every_preset_computes_in_bfloat16_what_it_does_in_float32() -> None:
    found = {preset: errors for preset, errors, holds in parity(TOY, "cpu") if holds}
    assert set(found) == set(TOY.presets)
    assert all(0 < errors["bfloat16"] < 0.02 for errors in found.values())


def test_a_device_that_computes_something_else_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    forward, calls = Tagger.forward, iter(range(9))

    def wrong(self: Tagger, batch: TaggerBatch) -> Tensor:
        return forward(self, batch) * (1.01 if next(calls) else 1)

    monkeypatch.setattr(Tagger, "forward", wrong)
    scale = Scale(("lambert",), pieces=64, hidden=(32, 2))
    [(preset, errors, holds)] = parity(scale, "cpu")
    assert preset == "lambert"
    assert errors["float32"] > 1e-3
    assert not holds


def test_the_report_has_every_part_and_what_there_was_no_time_for() -> None:
    lines = list(report(TOY, "cpu", 1))
    text = "\n".join(lines)
    assert text.count("\n## ") == 4
    assert "not run" not in text
    assert lines[-1].endswith("all presets.")
    late = "\n".join(report(Scale(("text",), 64, (64,), (1,), (32, 2)), "cpu", 0))
    assert late.count("not run") == 5 + 12 + 2


def test_documents_are_as_a_tagger_takes_them() -> None:
    batch = documents(2, 1700, 50)
    assert batch.boxes.shape == (2, 1700, 4)
    assert (batch.boxes[..., 0] < batch.boxes[..., 2]).all()
    assert set(batch.page_index[0].tolist()) == {0, 1, 2}
    assert not torch.equal(batch.input_ids[0], batch.input_ids[1])


def test_it_needs_pytorch_and_numpy_alone() -> None:
    """Whatever else the environment holds cannot be imported there."""
    program = textwrap.dedent(
        """
        import importlib.metadata as metadata, importlib.abc, sys
        import torch, numpy
        kept = {"benchmarks", "models", "training"}
        there = {name for name, _ in metadata.packages_distributions().items()}
        class Bare(importlib.abc.MetaPathFinder):
            def find_spec(self, name, path, target=None):
                top = name.partition(".")[0]
                if top in there - kept and name not in sys.modules and top not in sys.modules:
                    raise ModuleNotFoundError(name)
        sys.meta_path.insert(0, Bare())
        try:
            import tokenizers
        except ModuleNotFoundError:
            from benchmarks.gpu import main
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", program + "main\n"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
