"""A plan is run, broken off, begun anew and resumed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from models.packages import Registry
from models.packages.package import training_of
from tests.datasets import SEEDS, write_dataset
from tests.packages import tiny_package
from tests.quiet import Quiet
from training.data import load_dataset
from training.field_model.judging import Trained
from training.field_model.new_package import NewPackage
from training.field_model.plan import Plan, TrainingOptions, plan_training
from training.field_model.run import run_plan
from training.loop import LoopConfig


class _Stopping(Quiet):
    """Stops a run after some epochs.

    Args:
        after: number of epochs, of all trainings.
    """

    def __init__(self, after: int) -> None:
        super().__init__()
        self._after = after

    def epoch(self, number: int, score: float | None, best: bool) -> None:
        """Stop, as Ctrl-C does."""
        super().epoch(number, score, best)
        if len(self.epochs) == self._after:
            raise KeyboardInterrupt

    def fold(self, number: int, trained: Trained) -> None:
        """There is one fold."""

    def final(self, documents: int, epochs: int) -> None:
        """Nothing is shown."""

    def size(self, documents: int) -> None:
        """There is no curve."""


def _plan(folder: Path, home: Path) -> Plan:
    loop = LoopConfig(epochs=1, precision="float32")
    return plan_training(
        load_dataset(folder),
        TrainingOptions(init=str(home / "init"), transcriptions=("gold",), passes=1, loop=loop),
        NewPackage(home / "new", "new"),
        registry=Registry(home / "models", bundled=home / "none"),
        readings=home / "readings",
    )


def test_what_was_begun_anew_is_resumed_whatever_an_earlier_run_left(tmp_path: Path) -> None:
    folder, run = write_dataset(tmp_path / "shop", SEEDS), tmp_path / "run"
    tiny_package(tmp_path / "init")
    with pytest.raises(KeyboardInterrupt):  # in the last training
        run_plan(_plan(folder, tmp_path), folder=run, progress=_Stopping(2))
    labels = folder / "labels.jsonl"
    first, *others = map(json.loads, labels.read_text().splitlines())
    first["fields"]["total"] = ["9.99"]
    labels.write_text("".join(json.dumps(row) + "\n" for row in [first, *others]))
    plan = _plan(folder, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        run_plan(plan, folder=run, progress=_Stopping(1))
    result = run_plan(plan, folder=run, progress=_Stopping(0), resume=True)
    assert result.prepared.final
    assert len(training_of(tmp_path / "new")["trained_on"]) == len(SEEDS)
