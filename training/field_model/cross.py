"""Training with documents held out, of one fold or of several in turn; then one model of them all.

By issuer folds hold out the documents of small ones, while large ones are always trained on; by
template they hold out all (`training.data.split`).

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
from training.loop import Outcome, Session
from training.scoring import Scores
from training.scoring.held_out import HeldOut

HELD_OUT = "held-out.jsonl"


@dataclass(frozen=True, slots=True)
class Crossed:
    """A model, and how its recipe does on documents held out.

    Attributes:
        trained: the model; its scores are of all documents held out, each answered by the model
            of the fold that did.
        prepared: its documents in training, and all of those scored as validation.
        by_fold: of several folds the scores of each, by transcription, with what the others teach.
        first_alone: those of the first fold with what its own documents teach, as for the models
            of a learning curve.
        outcome: of the first fold's training.
    """

    trained: Trained
    prepared: Prepared
    by_fold: tuple[dict[Transcription, Scores], ...]
    first_alone: dict[Transcription, Scores]
    outcome: Outcome


def cross_train(
    folds: Sequence[Prepared],
    recipe: Recipe,
    session: Session,
    *,
    dataset: str,
    final: bool = True,
    checks: Sequence[Check] = (),
    on_fold: Callable[[int, Trained], None] | None = None,
    on_final: Callable[[int, int], None] | None = None,
) -> Crossed:
    """Train one model for each fold, then one on all documents for the folds' mean best epoch.

    Args:
        folds: of one dataset, see `training.field_model.prepared.prepare_folds`.
        recipe: of every training.
        session: how it is run; each training has a folder in its, but for that of a single fold,
            and held-out.jsonl there keeps what the folds' models found (`scoring.held_out`).
        dataset: whose folds they are.
        final: whether to train on all documents; without it the model is that of the one fold.
        checks: of the model.
        on_fold: called with each fold's model when it is scored.
        on_final: called before the training on all documents, with their number and its epochs.

    Raises:
        ValueError: no folds, or several and no training on all documents.
        DatasetError, InvalidOption: as `training.field_model.learning.learn`.
    """
    if not folds or not (final or len(folds) == 1):
        raise ValueError(f"{len(folds)} folds come to no model")
    outcomes: list[Outcome] = []
    seeds: list[int | None] = []
    alone: list[dict[Transcription, Scores]] = []
    doubtful = doubtful_fields(folds[0], sum(len(prepared.validation) for prepared in folds))
    held_out = HeldOut(dataset, doubtful, groups=folds[0].groups)
    for number, prepared in enumerate(folds):
        within = session.within(f"fold-{number}") if len(folds) > 1 else session
        learnt = learn(prepared, recipe, within)
        found = held_out_spans(prepared, learnt, doubtful)
        held_out.add(found)
        held_out.save(session.folder / HELD_OUT)
        result = judged(prepared, learnt, HeldOut(dataset, doubtful, [found]), checks=checks)
        outcomes.append(learnt.outcome)
        seeds.append(learnt.seed)
        alone.append(result.scores)
        if on_fold is not None:
            on_fold(number, result)
    if not final:
        return Crossed(result, folds[0], (), alone[0], outcomes[0])
    whole = _of_all(folds)
    # The schedule is that of the folds: the rate has fallen as far as where they were best.
    last = max(1, round(statistics.mean(outcome.best_epoch for outcome in outcomes)))
    recipe = dataclasses.replace(recipe, loop=dataclasses.replace(recipe.loop, stop_after=last))
    # Nothing judges the mean of several seeds here: none is made where no fold was best with it.
    if None not in seeds and (seed := seeds[0]) is not None:
        loop = dataclasses.replace(recipe.loop, seed=seed)
        recipe = dataclasses.replace(recipe, seeds=1, loop=loop)
    if on_final is not None:
        on_final(len(whole.train) - len(whole.unread()), last)
    learnt = learn(dataclasses.replace(whole, validation=()), recipe, session.within("all"))
    if len(folds) == 1:  # scored as it was; what values look like is learnt from all documents
        known = judged(whole, learnt, held_out, checks=checks).calibration
        trained = dataclasses.replace(result, learnt=learnt, calibration=known)
        return Crossed(trained, whole, (), alone[0], outcomes[0])
    source = f"{len(folds)} folds, each document answered by a model that had not seen it"
    trained = judged(whole, learnt, held_out, source=source, checks=checks)
    by_fold = tuple(
        {name: scores.only(prepared.validation) for name, scores in trained.scores.items()}
        for prepared in folds
    )
    return Crossed(trained, whole, by_fold, alone[0], outcomes[0])


def train_model(
    prepared: Prepared, recipe: Recipe, session: Session, *, checks: Sequence[Check] = ()
) -> Trained:
    """Train with documents held out, and on no others; see `cross_train`."""
    alone = cross_train([prepared], recipe, session, dataset="", final=False, checks=checks)
    return alone.trained


def _of_all(folds: Sequence[Prepared]) -> Prepared:
    """Return all documents as those in training, and all that a fold held out as validation."""
    return dataclasses.replace(
        folds[0],
        train=tuple(dict.fromkeys(name for one in folds for name in (*one.train, *one.validation))),
        validation=tuple(name for prepared in folds for name in prepared.validation),
    )
