"""LAMBERT's claim (Garncarek et al., 2020): layout helps, and the reading order can go.

Field models are trained on a dataset with gold transcriptions and scored end to end on issuers
that no training saw; then the same with the lines of every page in a random order, in the scored
documents, and in training. The lines that one labelled value runs over stay together, so that it
can be answered.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.random import Generator

from benchmarks.papers import field_models
from benchmarks.papers.field_models import load_task, per_document, score_task, train_task
from benchmarks.papers.options import Arm, Context, plan
from benchmarks.papers.runs import Result, Settings, Summands, run_all
from benchmarks.papers.table import Experiment
from models.labels import Span
from pipeline.document import Document
from pipeline.tagging import example_of
from training.augment import AugmentConfig
from training.augment.reorder import shuffle_blocks
from training.data import Corpus

_SYSTEMS = ("text", "lambert-plain", "lambert-plain-unordered", "lambert", "lambert-unordered")
_AS_READ, _SHUFFLED = "as read", "lines shuffled"

EXPERIMENT = Experiment(
    "lambert",
    "LAMBERT: does layout help, and can the order go?",
    _SYSTEMS,
    {
        ("text", _AS_READ, f"{_AS_READ}, exact"): ".940 SROIE, .742 NDA",
        ("lambert-plain", _AS_READ, f"{_AS_READ}, exact"): ".946 SROIE, .750 NDA",
        ("lambert-plain-unordered", _AS_READ, f"{_AS_READ}, exact"): ".950 SROIE, .757 NDA",
    },
    "F1 on the test parts of SROIE and Kleister NDA, RoBERTa base (text), pre-trained with layout "
    "(the others; text alone pre-trained as long: .935 and .767); with biases and longer "
    "pre-training .9817 and .8042 (2021). It has no shuffled lines.",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    field_models.add_arguments(parser, _SYSTEMS, transcription="gold", by="issuer")


def run(arguments: argparse.Namespace, context: Context) -> None:
    """Do the runs that are not done."""
    task = load_task(arguments, context)
    readings = {_AS_READ: task.corpus, _SHUFFLED: shuffled(task.corpus, task.scored)}

    def execute(settings: Settings, folder: Path) -> Result:
        augment = AugmentConfig(shuffle=float(settings["trained"] == _SHUFFLED))
        trained = train_task(task, arguments, settings, folder, context, augment)
        scores: dict[str, Summands] = {}
        for name, reading in readings.items():
            found = score_task(trained, reading, task.scored)
            scores[name] = per_document(found, "lenient")
            scores[f"{name}, exact"] = per_document(found, "exact")
        return Result("f1", scores, f"{len(task.prepared.train)} documents")

    arms = [Arm(system, trained) for trained in readings for system in _SYSTEMS]
    runs = plan(EXPERIMENT.name, arguments, arms, **task.settings)
    run_all(runs, execute, context.store, context.budget, context.machine)


def shuffled(corpus: Corpus, ids: Sequence[str]) -> Corpus:
    """Return a corpus in which the lines of some documents come in a random order, always one."""
    return replace(
        corpus,
        documents={
            **corpus.documents,
            **{
                name: shuffle_lines(
                    corpus.documents[name],
                    corpus.tags[name].spans,
                    np.random.default_rng((1, place)),
                )
                for place, name in enumerate(ids)
                if name in corpus.documents
            },
        },
    )


def shuffle_lines(document: Document, spans: tuple[Span, ...], random: Generator) -> Document:
    """Return a document with its words in the order that `shuffle_blocks` puts them in."""
    example = example_of(document, spans=spans)
    # Words that are their own index tell where each of them went.
    numbered = replace(example, words=tuple(map(str, range(len(example.words)))))
    order = [int(word) for word in shuffle_blocks(numbered, random).words]
    tokens = [token for _, token in document.words()]
    pages = []
    start = 0
    for page in document.pages:
        # Blocks never leave their page, and pages keep their order.
        end = start + len(page.tokens)
        pages.append(replace(page, tokens=tuple(tokens[index] for index in order[start:end])))
        start = end
    return replace(document, pages=tuple(pages))
