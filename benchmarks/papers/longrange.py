"""The long-range paper's claim (Douzon et al., 2023): whole documents beat windows when long.

Field models of documents of many pages, scored by their length in pieces. LAMBERT and LayoutLM see
windows of 512, SplitPage a page at a time, Linformer 2,048 pieces, Cosformer and its 2-D forms the
whole document. A training shows each document once an epoch, one window of it drawn anew: those
with longer windows see more text in an epoch, and take longer.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from benchmarks.papers import field_models
from benchmarks.papers.field_models import keep, load_task, per_document, score_task, train_task
from benchmarks.papers.options import Arm, Context, plan
from benchmarks.papers.runs import Result, Settings, Summands, run_all
from benchmarks.papers.table import Experiment
from models.encoding import NO_WORD, PieceEncoder
from models.example import Example
from pipeline.tagging import example_of
from training.augment import AugmentConfig
from training.field_model.judging import Trained

_SYSTEMS = (
    *("layoutlm", "layoutlm-splitpage", "layoutlm-splitpage-squircle", "lambert", "linformer"),
    *("cosformer", "cosformer-squircle", "cosformer-cross-sum", "cosformer-cross-larger"),
)
_TRAINED = "as read"
_LENGTHS = ("up to 512", "up to 2,048", "longer")

EXPERIMENT = Experiment(
    "longrange",
    "Long-range: windows, pages or whole documents?",
    _SYSTEMS,
    {
        (system, _TRAINED, scored): figure
        for system, figures in (
            ("layoutlm-splitpage", (".900", ".822", ".772")),
            ("layoutlm-splitpage-squircle", (".904", ".830", ".778")),
            ("cosformer", (".876", ".850", ".790")),
            ("cosformer-squircle", (".858", ".822", ".734")),
            # The paper's "cross" in a linear attention is, as published, this one.
            ("cosformer-cross-larger", (".876", ".852", ".772")),
        )
        for scored, figure in zip(_LENGTHS, figures, strict=True)
    },
    "business orders that are not public, macro F1 over their fields, encoders pre-trained "
    "alike; here micro F1 of normalised values.",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    field_models.add_arguments(parser, _SYSTEMS, transcription="own", by="template")


def run(arguments: argparse.Namespace, context: Context) -> None:
    """Do the runs that are not done."""
    run_by_length(EXPERIMENT, arguments, context, by_field=False)


def run_by_length(
    experiment: Experiment, arguments: argparse.Namespace, context: Context, *, by_field: bool
) -> None:
    """Train and score the systems of an experiment.

    Args:
        experiment: its systems in the order of the runs.
        arguments: the options.
        context: where it runs.
        by_field: scores are kept by field, for macro F1.
    """
    task = load_task(arguments, context)

    def execute(settings: Settings, folder: Path) -> Result:
        trained = train_task(task, arguments, settings, folder, context, AugmentConfig())
        if arguments.keep:
            keep(task, trained, settings, arguments.keep)
        scored = score_task(trained, task.corpus, task.scored)
        found = per_document(scored, "normalised", by_field=by_field)
        scores: dict[str, Summands] = {"all": found}
        for name, counts in found.items():
            # A document that could not be read counts among the short ones.
            document = task.corpus.documents.get(name)
            pieces = length(trained, example_of(document)) if document else 0
            scores.setdefault(length_class(pieces), {})[name] = counts
        return Result("f1", scores, f"{len(task.prepared.train)} documents")

    arms = [Arm(system, _TRAINED) for system in experiment.systems]
    runs = plan(experiment.name, arguments, arms, **task.settings)
    run_all(runs, execute, context.store, context.budget, context.machine)


def length(trained: Trained, example: Example) -> int:
    """Return the number of pieces of a document's words."""
    config = replace(trained.learnt.tagger.config, split_pages=False, overlap=0)
    windows = PieceEncoder(trained.learnt.tokenizer, config).windows(example)
    return sum(int((window.word != NO_WORD).sum()) for window in windows)


def length_class(pieces: int) -> str:
    """Return which of the paper's three classes a document of so many pieces is in."""
    return _LENGTHS[0] if pieces <= 512 else _LENGTHS[1] if pieces <= 2048 else _LENGTHS[2]
