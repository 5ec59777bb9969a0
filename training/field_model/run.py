"""Runs a plan: the trainings it takes, the learning curve, the package, pictures of the logs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from training.field_model.cross import cross_train
from training.field_model.curve import Curve, learning_curve
from training.field_model.judging import Trained
from training.field_model.package import write_package
from training.field_model.plan import Plan
from training.field_model.prepared import Prepared
from training.loop import Outcome, Progress, Session
from training.loop.checkpoint import NAME as CHECKPOINT
from training.loop.plot import plot_log


class PlanProgress(Progress, Protocol):
    """What a caller may show while a plan runs."""

    def fold(self, number: int, trained: Trained) -> None:
        """Called with each fold's model when it is scored."""

    def final(self, documents: int, epochs: int) -> None:
        """Called before the training on all documents."""

    def size(self, documents: int) -> None:
        """Called before each training of a learning curve."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a plan came to.

    Attributes:
        trained: the model that was packaged.
        prepared: what it was trained and scored on.
        curve: scores by the number of documents in training: of a learning curve, where it was
            measured, and of all; each by what the documents held out themselves teach.
        outcome: of the training with documents held out, the first of several.
    """

    trained: Trained
    prepared: Prepared
    curve: Curve
    outcome: Outcome

    @property
    def found_nothing(self) -> bool:
        """Whether the model found no value at all in the documents held out."""
        return not any(scores.total("lenient").tp for scores in self.trained.scores.values())


def run_plan(
    plan: Plan, *, folder: Path, progress: PlanProgress, device: str = "cpu", resume: bool = False
) -> Result:
    """Train, and write the package.

    Args:
        plan: of the training.
        folder: of the run; each training has a folder in it.
        progress: told of steps, epochs, folds, the training on all documents, and sizes.
        device: ``cpu`` or ``cuda``.
        resume: continue from the last checkpoints.

    Raises:
        DatasetError: no training document could be read.
        InvalidOption: weights that do not fit, checkpoints of other settings, a loss that is not
            finite.
    """
    session = Session(folder, progress, device, resume)
    if not resume:  # what an earlier run left of its later trainings is none of this one
        for checkpoint in folder.glob(f"**/{CHECKPOINT}"):
            checkpoint.unlink()
    crossed = cross_train(
        plan.folds,
        plan.recipe,
        session,
        dataset=plan.dataset.name,
        final=plan.final,
        checks=plan.package.checks,
        on_fold=progress.fold if len(plan.folds) > 1 else None,
        on_final=progress.final,
    )
    trained, prepared, by_fold = crossed.trained, crossed.prepared, crossed.by_fold
    few = learning_curve(plan.curve_of, plan.recipe, plan.curve, session, on_size=progress.size)
    curve = {**few, len(plan.curve_of.train): crossed.first_alone}
    for log in sorted(folder.glob("**/log.jsonl")):
        plot_log(log, log.with_name("curve.png"))
    write_package(
        plan.package, trained, prepared, plan.recipe, plan.dataset, by_fold=by_fold, curve=curve
    )
    return Result(trained, prepared, curve, crossed.outcome)
