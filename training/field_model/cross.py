"""Cross-validated training: documents are held out in turn, then all of them train one model.

By issuer these are the documents of the small ones, while large ones are always trained on; by
template they are all (`training.data.split`).

Each document held out is answered by the model of the fold that held it out. These answers give the
scores, and the confidences and thresholds of the final model, which has been trained on everything.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.answers.arithmetic.checks import Check
from training.data import Transcription
from training.field_model.judging import Trained, doubtful_fields, held_out_spans, judged
from training.field_model.learning import learn
from training.field_model.prepared import Prepared
from training.field_model.recipe import Recipe
from training.loop import Session
from training.scoring import Scores
from training.scoring.held_out import HeldOut

HELD_OUT = "held-out.jsonl"


@dataclass(frozen=True, slots=True)
class Crossed:
    """A model of all documents, and how its recipe does on documents held out.

    Attributes:
        trained: the model; its scores are of all documents held out, each answered by the model
            of the fold that did.
        prepared: all documents in training, and all of those scored as validation.
        by_fold: the scores of each fold, by transcription, with what the other folds teach.
        first_alone: those of the first fold with what its own documents teach, as for the models
            of a learning curve.
    """

    trained: Trained
    prepared: Prepared
    by_fold: tuple[dict[Transcription, Scores], ...]
    first_alone: dict[Transcription, Scores]


def cross_train(
    folds: Sequence[Prepared],
    recipe: Recipe,
    session: Session,
    *,
    dataset: str,
    checks: Sequence[Check] = (),
    on_fold: Callable[[int, Trained], None] | None = None,
) -> Crossed:
    """Train one model for each fold, then one on all documents for the folds' mean best epoch.

    Args:
        folds: of one dataset, see `training.field_model.prepared.prepare_folds`; at least two.
        recipe: of every training.
        session: how it is run; each training has a folder in its, and beside them held-out.jsonl
            keeps what the folds' models found (`training.scoring.held_out`).
        dataset: whose folds they are.
        checks: of the model.
        on_fold: called with each fold's model when it is scored.

    Raises:
        ValueError: fewer than two folds.
        DatasetError, InvalidOption: as `training.field_model.learning.learn`.
    """
    if len(folds) < 2:
        raise ValueError(f"{len(folds)} folds are no cross-validation")
    epochs: list[int] = []
    alone: list[dict[Transcription, Scores]] = []
    doubtful = doubtful_fields(folds[0], sum(len(prepared.validation) for prepared in folds))
    held_out = HeldOut(dataset, doubtful, groups=folds[0].groups)
    for number, prepared in enumerate(folds):
        learnt = learn(prepared, recipe, session.within(f"fold-{number}"))
        found = held_out_spans(prepared, learnt, doubtful)
        held_out.add(found)
        held_out.save(session.folder / HELD_OUT)
        of_fold = HeldOut(dataset, doubtful, [found])
        result = judged(prepared, learnt, of_fold, source=f"fold {number}", checks=checks)
        epochs.append(learnt.outcome.best_epoch)
        alone.append(result.scores)
        if on_fold is not None:
            on_fold(number, result)
    whole = _of_all(folds)
    # The schedule is that of the folds: the rate has fallen as far as where they were best.
    last = max(1, round(statistics.mean(epochs)))
    final = learn(
        dataclasses.replace(whole, validation=()),
        dataclasses.replace(recipe, loop=dataclasses.replace(recipe.loop, stop_after=last)),
        session.within("all"),
    )
    source = f"{len(folds)} folds, each document answered by a model that had not seen it"
    trained = judged(whole, final, held_out, source=source, checks=checks)
    by_fold = tuple(
        {name: scores.only(prepared.validation) for name, scores in trained.scores.items()}
        for prepared in folds
    )
    return Crossed(trained, whole, by_fold, alone[0])


def _of_all(folds: Sequence[Prepared]) -> Prepared:
    """Return all documents as those in training, and all that a fold held out as validation."""
    return dataclasses.replace(
        folds[0],
        train=tuple(dict.fromkeys(name for prepared in folds for name in prepared.train)),
        validation=tuple(name for prepared in folds for name in prepared.validation),
    )
