"""Several trainings from one start become one model."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from tests.datasets import SEEDS, write_dataset
from tests.packages import tiny_package
from tests.quiet import Quiet
from training.data import infer_fields, load_dataset
from training.field_model.learning import State, choose_weights, learn, mean_weights
from training.field_model.prepared import prepare_folds
from training.field_model.recipe import Recipe
from training.loop import LoopConfig, Session


def _state(value: float) -> State:
    return {"a": torch.tensor([value])}


def test_mean_of_weights_keeps_their_types() -> None:
    one = {"a": torch.tensor([1.0, 2.0]), "n": torch.tensor([1])}
    two = {"a": torch.tensor([3.0, 6.0]), "n": torch.tensor([3])}
    mean = mean_weights([one, two])
    assert mean["a"].tolist() == [2.0, 4.0]
    assert mean["n"].dtype == torch.int64
    assert mean["n"].tolist() == [2]


@pytest.mark.parametrize(
    ("of_the_mean", "chosen"),
    [
        pytest.param(0.9, 2.0, id="better_than_both"),
        pytest.param(0.7, 2.0, id="as_good_as_the_better_one"),
        pytest.param(0.6, 3.0, id="worse_than_the_better_one"),
    ],
)
def test_two_trainings_are_never_worse_than_the_better_one(
    of_the_mean: float, chosen: float
) -> None:
    kept = choose_weights([_state(1.0), _state(3.0)], [0.5, 0.7], lambda _: of_the_mean)
    assert kept["a"].tolist() == [chosen]


def test_one_training_is_not_scored_again() -> None:
    def score_of(state: State) -> float:
        raise AssertionError

    assert choose_weights([_state(1.0)], [0.0], score_of)["a"].tolist() == [1.0]


def test_two_seeds_are_trained_apart_and_averaged(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    recipe = Recipe(
        init=str(tiny_package(tmp_path / "init")),
        share=0.25,
        seeds=2,
        loop=LoopConfig(epochs=1, seed=5, precision="float32"),
    )
    [prepared, *_] = prepare_folds(data, infer_fields(data), recipe, cache=tmp_path / "cache")
    progress = Quiet()
    learnt = learn(prepared, recipe, Session(tmp_path / "run", progress))
    assert len(progress.epochs) == 2
    one, two = (load_file(tmp_path / f"run/seed-{seed}/best.safetensors") for seed in (5, 6))
    assert not torch.equal(one["head.weight"], two["head.weight"])
    # After one epoch no model finds anything: the mean is as good as either.
    assert learnt.outcome.best_score == 0.0
    mean = mean_weights([one, two])
    for name, value in learnt.tagger.state_dict().items():
        assert torch.equal(value, mean[name]), name
