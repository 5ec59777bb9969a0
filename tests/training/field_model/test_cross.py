"""Cross-validated training: all documents answered once, and all of them in the model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from models.packages.package import load_package
from models.tagger import Tagger
from tests.datasets import SEEDS, write_dataset
from tests.packages import tiny_package
from tests.quiet import Quiet
from training.data import infer_fields, load_dataset
from training.errors import DatasetError
from training.field_model.cross import Crossed, cross_train
from training.field_model.judging import Trained, judged
from training.field_model.new_package import NewPackage
from training.field_model.package import write_package
from training.field_model.prepared import Prepared, prepare_folds
from training.field_model.recipe import Recipe
from training.field_model.refit import refit
from training.loop import LoopConfig, Session
from training.scoring import Scores, tag_all
from training.scoring.held_out import HeldOut


def _scores(
    tagger: Tagger, number: int, folds: list[Prepared], crossed: Crossed, kept: HeldOut
) -> Scores:
    """Return the scores of a fold, had a tagger answered it, with what the others taught."""
    trained, fold = crossed.trained, folds[number]
    doubtful = trained.calibration.doubtful
    corpus = fold.corpora["gold"]
    held_out = {name: corpus.documents[name] for name in fold.validation}
    pieces = trained.learnt.pieces
    found = HeldOut("shop", doubtful, list(kept.folds))
    found.folds[number] = {"gold": tag_all(tagger, pieces, held_out, doubtful)}
    learnt = replace(trained.learnt, tagger=tagger)
    return judged(crossed.prepared, learnt, found, source="").scores["gold"].only(fold.validation)


def test_every_document_is_scored_unseen_and_trained_on(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    recipe = Recipe(
        init=str(tiny_package(tmp_path / "init")),
        share=0.25,
        # Little is learnt: the models still answer, wrongly, and each fold's in its own way.
        loop=LoopConfig(epochs=2, patience=1, rate=3e-4, head_rate=3e-3, precision="float32"),
    )
    folds = prepare_folds(data, infer_fields(data), recipe, cache=tmp_path / "cache")
    assert len(folds) > 1
    taggers: list[Tagger] = []
    alone: list[Mapping[str, Scores]] = []

    def on_fold(number: int, trained: Trained) -> None:
        assert number == len(taggers)
        taggers.append(trained.learnt.tagger)
        alone.append(trained.scores)
        assert set(trained.answers["gold"]) == set(folds[number].validation)
        assert set(trained.scores["gold"].ids) == set(folds[number].validation)

    progress = Quiet()
    crossed = cross_train(
        folds, recipe, Session(tmp_path / "run", progress), dataset="shop", on_fold=on_fold
    )
    assert len(taggers) == len(folds)
    scored = [name for fold in folds for name in fold.validation]
    assert list(crossed.prepared.validation) == scored
    assert set(crossed.prepared.train) == {row.id for row in data.rows}
    assert set(crossed.trained.scores["gold"].ids) == set(scored)
    assert crossed.first_alone == alone[0]
    # Each document was answered by the tagger of the fold that held it out, and by no other.
    kept = HeldOut.load(tmp_path / "run" / "held-out.jsonl")
    for number, tagger in enumerate(taggers):
        found = crossed.by_fold[number]["gold"]
        assert set(found.ids) == set(folds[number].validation)
        assert _scores(tagger, number, folds, crossed, kept) == found
    others = enumerate([*taggers[1:], crossed.trained.learnt.tagger])
    assert any(
        _scores(tagger, number, folds, crossed, kept) != crossed.by_fold[number]["gold"]
        for number, tagger in others
    )
    last, score, _ = progress.epochs[-1]
    assert crossed.trained.learnt.outcome.best_epoch == last  # the last one is kept
    assert score is None  # for nothing is held out of it
    assert all(score is not None for _, score, _ in progress.epochs[:-last])
    assert (tmp_path / "run" / "all" / "seed-0" / "log.jsonl").exists()

    # Confidences can be fitted again from what was kept, and come out as they were.
    assert [set(fold["gold"]) for fold in kept.folds] == [set(f.validation) for f in folds]
    calibration, given = refit(
        data,
        crossed.prepared.fields,
        kept,
        crossed.trained.calibration.styles,
        cache=tmp_path / "cache",
    )
    assert calibration.fields == crossed.trained.calibration.fields
    assert calibration.through == crossed.trained.calibration.through
    assert tuple(given) == crossed.trained.given
    # What was held out together is kept: a refit does not have to guess the split.
    assert kept.groups == folds[0].groups
    together = replace(kept, groups=dict.fromkeys(kept.groups, "one"))
    otherwise, _ = refit(
        data,
        crossed.prepared.fields,
        together,
        crossed.trained.calibration.styles,
        cache=tmp_path / "cache",
    )
    assert otherwise.fields != calibration.fields

    changed = replace(data, rows=[row for row in data.rows if row.id not in kept.folds[0]["gold"]])
    silent = HeldOut(
        "shop", kept.doubtful, [{"gold": {name: [] for name in kept.folds[0]["gold"]}}]
    )
    with pytest.raises(DatasetError, match="is read otherwise"):
        refit(changed, crossed.prepared.fields, silent, {}, cache=tmp_path / "cache")

    package = tmp_path / "package"
    write_package(
        NewPackage(package, "shop"),
        crossed.trained,
        crossed.prepared,
        recipe,
        data,
        by_fold=crossed.by_fold,
        curve={2: crossed.first_alone, 9: crossed.first_alone},
    )
    loaded = load_package(package)
    assert loaded.training["validation"] == []
    assert len(loaded.training["trained_on"]) == len(data.rows)
    card = (package / "README.md").read_text()
    assert f"in {len(folds)} folds" in card
    assert card.count(", gold transcription |") >= len(folds)
    assert "scored on those that the first fold held out" in card
    f1 = crossed.first_alone["gold"].total("normalised").f1
    rows = re.findall(r"^\| (\w+), gold transcription \| 3 \|.* ([\d.]+) \|$", card, re.MULTILINE)
    assert {("2", f"{f1:.3f}"), ("all", f"{f1:.3f}")} <= set(rows)


def test_one_fold_is_no_cross_validation(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no cross-validation"):
        cross_train([], Recipe(), Session(tmp_path, Quiet()), dataset="shop")
