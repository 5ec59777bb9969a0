"""Cross-validated training: all documents answered once, and all of them in the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.packages.package import load_package
from tests.datasets import SEEDS, write_dataset
from tests.packages import tiny_package
from tests.quiet import Quiet
from training.data import infer_fields, load_dataset
from training.field_model.cross import cross_train
from training.field_model.judging import Trained
from training.field_model.package import NewPackage, write_package
from training.field_model.prepared import prepare_folds
from training.field_model.recipe import Recipe
from training.loop import LoopConfig


def test_every_document_is_scored_unseen_and_trained_on(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    recipe = Recipe(
        init=str(tiny_package(tmp_path / "init")),
        share=0.25,
        loop=LoopConfig(epochs=2, patience=1, precision="float32"),
    )
    folds = prepare_folds(data, infer_fields(data), recipe, cache=tmp_path / "cache")
    assert len(folds) > 1
    told: list[int] = []

    def on_fold(number: int, trained: Trained) -> None:
        told.append(number)
        assert set(trained.scores["gold"].ids) == set(folds[number].validation)

    progress = Quiet()
    crossed = cross_train(
        folds, recipe, folder=tmp_path / "run", progress=progress, on_fold=on_fold
    )
    assert told == list(range(len(folds)))
    scored = [name for fold in folds for name in fold.validation]
    assert list(crossed.prepared.validation) == scored
    assert set(crossed.prepared.train) == {row.id for row in data.rows}
    assert set(crossed.trained.scores["gold"].ids) == set(scored)
    assert crossed.trained.outcome.best_epoch == progress.epochs[-1][0]  # the last one is kept
    assert (tmp_path / "run" / "all" / "seed-0" / "log.jsonl").exists()

    package = tmp_path / "package"
    write_package(
        NewPackage(package, "shop"),
        crossed.trained,
        crossed.prepared,
        recipe,
        data,
        by_fold=crossed.by_fold,
    )
    loaded = load_package(package)
    assert loaded.training["validation"] == []
    assert len(loaded.training["trained_on"]) == len(data.rows)
    card = (package / "README.md").read_text()
    assert f"in {len(folds)} folds" in card
    assert card.count(", gold transcription |") >= len(folds)


def test_one_fold_is_no_cross_validation(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no cross-validation"):
        cross_train([], Recipe(), folder=tmp_path, progress=Quiet())
