"""Cross-validated training: all documents answered once, and all of them in the model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from models.packages.package import load_package
from models.tagger import Tagger
from pipeline.answers.confidence.calibration import Calibration
from pipeline.reading.reader import REVISION
from tests.datasets import SEEDS, write_dataset
from tests.packages import tiny_package
from tests.quiet import Quiet
from training.data import Dataset, infer_fields, load_dataset
from training.errors import DatasetError
from training.field_model import learning
from training.field_model.cross import Crossed, cross_train
from training.field_model.judging import Trained, judged
from training.field_model.learning import State, mean_weights
from training.field_model.new_package import NewPackage
from training.field_model.package import write_package
from training.field_model.prepared import Prepared, prepare_folds
from training.field_model.recipe import Recipe
from training.field_model.refit import Folds, Known, refit
from training.loop import LoopConfig, Session
from training.scoring import Scores, tag_all
from training.scoring.calibrate import Given
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
    known = Known(crossed.prepared.fields, (), crossed.trained.calibration, None, {})

    def again(dataset: Dataset, held_out: HeldOut) -> tuple[Calibration, list[Given]]:
        folds = Folds(dataset, held_out)
        return refit(known, folds, tag=lambda _: [], cache=tmp_path / "cache")

    calibration, given = again(data, kept)
    assert calibration.fields == crossed.trained.calibration.fields
    assert calibration.through == crossed.trained.calibration.through
    assert tuple(given) == crossed.trained.given
    # What was held out together is kept: a refit does not have to guess the split.
    assert kept.groups == folds[0].groups
    together = replace(kept, groups=dict.fromkeys(kept.groups, "one"))
    otherwise, _ = again(data, together)
    assert otherwise.fields != calibration.fields

    changed = replace(data, rows=[row for row in data.rows if row.id not in kept.folds[0]["gold"]])
    silent = HeldOut(
        "shop", kept.doubtful, [{"gold": {name: [] for name in kept.folds[0]["gold"]}}]
    )
    with pytest.raises(DatasetError, match="is read otherwise"):
        again(changed, silent)

    own = HeldOut("shop", kept.doubtful, [{"own": kept.folds[0]["gold"]}], revision=REVISION - 1)
    with pytest.raises(DatasetError, match=f"revision {REVISION - 1} of the reader") as refused:
        again(data, own)
    assert refused.value.advice == "Train the folds again."

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
    assert loaded.contents.training["validation"] == []
    assert len(loaded.contents.training["trained_on"]) == len(data.rows)
    card = (package / "README.md").read_text()
    assert f"in {len(folds)} folds" in card
    assert card.count(", gold transcription |") >= len(folds)
    assert "scored on those that the first fold held out" in card
    f1 = crossed.first_alone["gold"].total("normalised").f1
    rows = re.findall(r"^\| (\w+), gold transcription \| 3 \|.* ([\d.]+) \|$", card, re.MULTILINE)
    assert {("2", f"{f1:.3f}"), ("9", f"{f1:.3f}")} <= set(rows)


class _Broken(Quiet):
    """Breaks a training off in the second epoch of learning from all documents."""

    def step(self, done: int, total: int, loss: float) -> None:
        """Break off, as where the process is killed."""
        if self.epochs and self.epochs[-1][1] is None:
            raise KeyboardInterrupt
        super().step(done, total, loss)


def test_what_one_fold_held_out_is_learnt_from_in_the_end(tmp_path: Path) -> None:
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    loop = LoopConfig(epochs=3, passes=8, rate=3e-3, head_rate=3e-2, precision="float32")
    recipe = Recipe(init=str(tiny_package(tmp_path / "init")), share=0.25, loop=loop)
    fold = prepare_folds(data, infer_fields(data), recipe, cache=tmp_path / "cache")[0]

    def trained(name: str, progress: Quiet, *, final: bool = True) -> Crossed:
        session = Session(tmp_path / name, progress, resume=True)
        return cross_train([fold], recipe, session, dataset="shop", final=final)

    progress = Quiet()
    final = trained("final", progress)
    alone = trained("alone", Quiet(), final=False)
    # Scores, confidences and thresholds are of the model that had not seen what was held out.
    assert final.trained.scores == alone.trained.scores == final.first_alone
    fitted = [
        {name: replace(one, habit=None) for name, one in each.trained.calibration.fields.items()}
        for each in (final, alone)
    ]
    assert fitted[0] == fitted[1]
    assert final.trained.calibration.fields != alone.trained.calibration.fields
    assert final.trained.given == alone.trained.given
    assert final.trained.answers == alone.trained.answers
    assert final.outcome.scores == alone.outcome.scores
    assert (final.by_fold, alone.by_fold) == ((), ())
    # The weights are those of as many epochs, the schedule of all of them, on every document.
    best = final.outcome.best_epoch
    assert [number for number, score, _ in progress.epochs if score is None] == [
        *range(1, best + 1)
    ]
    done, due = progress.steps[-1]
    assert done == due  # no later epochs are counted that are not to be run
    assert set(final.prepared.train) == {row.id for row in data.rows}
    assert final.prepared.validation == fold.validation
    assert (final.prepared.final, alone.prepared.final) == (True, False)
    assert _weights(final) != _weights(alone)
    # Broken off in the midst of it, it goes on, and comes to the same.
    assert best > 1
    with pytest.raises(KeyboardInterrupt):
        trained("broken", _Broken())
    resumed = Quiet()
    again = trained("broken", resumed)
    assert resumed.epochs[0][0] == 2  # of all documents: nothing was learnt twice
    assert resumed.epochs[0][1] is None
    assert _weights(again) == _weights(final)

    package = tmp_path / "package"
    write_package(NewPackage(package, "shop"), final.trained, final.prepared, recipe, data)
    loaded = load_package(package)
    assert loaded.contents.training["validation"] == []
    assert len(loaded.contents.training["trained_on"]) == len(data.rows)
    card = (package / "README.md").read_text()
    assert "12 documents of `shop`, all of which were learnt from in the end." in card
    assert "of a model trained before by the same recipe, with 3 documents held out." in card


@pytest.mark.parametrize("mean", [True, False])
def test_seeds_are_averaged_in_the_end_where_their_mean_was_best_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, mean: bool
) -> None:
    def chosen(states: list[State], scores: list[float], score_of: object) -> State:
        return mean_weights(states) if mean and len(states) > 1 else states[-1]

    monkeypatch.setattr(learning, "choose_weights", chosen)
    data = load_dataset(write_dataset(tmp_path / "shop", SEEDS))
    init = str(tiny_package(tmp_path / "init"))
    recipe = Recipe(init=init, share=0.25, seeds=2, loop=LoopConfig(epochs=1, seed=5))
    fold = prepare_folds(data, infer_fields(data), recipe, cache=tmp_path / "cache")[0]
    cross_train([fold], recipe, Session(tmp_path / "run", Quiet()), dataset="shop")
    found = sorted(path.name for path in (tmp_path / "run" / "all").iterdir())
    assert found == (["seed-5", "seed-6"] if mean else ["seed-6"])


def _weights(crossed: Crossed) -> dict[str, bytes]:
    state = crossed.trained.learnt.tagger.state_dict()
    return {name: value.numpy().tobytes() for name, value in state.items()}


def test_several_folds_come_to_a_model_of_all_documents_alone(tmp_path: Path) -> None:
    session = Session(tmp_path, Quiet())
    with pytest.raises(ValueError, match="0 folds come to no model"):
        cross_train([], Recipe(), session, dataset="shop")
    with pytest.raises(ValueError, match="2 folds come to no model"):
        cross_train([Prepared({}, (), (), {})] * 2, Recipe(), session, dataset="shop", final=False)
