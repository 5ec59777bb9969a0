"""Several trainings from one start become one model."""

from __future__ import annotations

from pathlib import Path

import torch

from tests.datasets import SEEDS, write_dataset
from tests.packages import tiny_package
from tests.quiet import Quiet
from training.data import infer_fields, load_dataset
from training.field_model.learning import mean_weights, train_model
from training.field_model.recipe import Recipe, prepare
from training.loop import LoopConfig


def test_mean_of_weights_keeps_their_types() -> None:
    one = {"a": torch.tensor([1.0, 2.0]), "n": torch.tensor([1])}
    two = {"a": torch.tensor([3.0, 6.0]), "n": torch.tensor([3])}
    mean = mean_weights([one, two])
    assert mean["a"].tolist() == [2.0, 4.0]
    assert mean["n"].dtype == torch.int64
    assert mean["n"].tolist() == [2]


def test_two_seeds_are_never_worse_than_the_better_one(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    recipe = Recipe(
        init=str(tiny_package(tmp_path / "init")),
        share=0.25,
        seeds=2,
        loop=LoopConfig(epochs=1, precision="float32"),
    )
    prepared = prepare(data, infer_fields(data), recipe, cache=tmp_path / "cache")
    progress = Quiet()
    trained = train_model(prepared, recipe, folder=tmp_path / "run", progress=progress)
    assert len(progress.epochs) == 2
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["seed-0", "seed-1"]
    assert trained.scores["gold"].total("lenient").f1 >= trained.outcome.best_score
