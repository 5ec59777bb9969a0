"""LoPE's claim: a learnt function of sinusoids encodes places better than tables or sinusoids.

FUNSD, entity F1 (a span with its label and both ends right, as seqeval counts in strict mode).
Four functions for order, x and y alike; trained on forms as annotated, with their blocks in a
random order, with neighbouring blocks swapped, and without any order of words. The words are
FUNSD's, in its order; no separator tells the blocks apart. The split is random, for FUNSD names
no issuers.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.papers.options import (
    Arm,
    Context,
    add_options,
    add_training,
    init_of,
    loop_of,
    plan,
    sizes_of,
)
from benchmarks.papers.runs import Result, Settings, Summands, run_all
from benchmarks.papers.table import Experiment
from models.encoding import PieceEncoder
from models.example import Example
from models.tagger import Tagger
from pipeline.values.schema import FieldSpec, Kind
from training.augment import NONE, AugmentConfig, Augmenter
from training.augment.reorder import shuffle_blocks
from training.data.formats.funsd import FIELDS, load_funsd
from training.field_model.learning import build_tagger
from training.field_model.recipe import Recipe
from training.loop import Session, train
from training.scoring import Counts

_AXES = ("learned", "sine", "lope", "lope-sc")
_PLAIN, _SHUFFLED, _SWAPPED = "plain", "blocks shuffled", "neighbours swapped"
_WAYS: dict[str, AugmentConfig] = {
    _PLAIN: NONE,
    _SHUFFLED: replace(NONE, shuffle=1.0),
    _SWAPPED: replace(NONE, neighbours=1.0),
}
_ARMS = [
    *(Arm(axis, _PLAIN) for axis in _AXES),
    *(Arm(f"{axis}-no-order", _PLAIN) for axis in _AXES),
    *(Arm(axis, way) for way in (_SHUFFLED, _SWAPPED) for axis in _AXES),
]
_SYSTEMS = tuple(dict.fromkeys(arm.system for arm in _ARMS))

EXPERIMENT = Experiment(
    "lope",
    "LoPE: which function of a place?",
    _SYSTEMS,
    {
        (system, trained, _PLAIN): figure
        for trained, suffix, figures in (
            (_PLAIN, "", (".7795", ".7495", ".8204", ".8046")),
            (_SHUFFLED, "", (".7103", ".7454", ".7818", ".7859")),
            (_SWAPPED, "", (".7793", ".7594", ".8101", ".8023")),
            (_PLAIN, "-no-order", (".4914", ".715", ".7461", ".7779")),
        )
        for system, figure in zip((f"{axis}{suffix}" for axis in _AXES), figures, strict=True)
    },
    "FUNSD's own test part, entity F1; LayoutLM .7866.",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_options(parser, _SYSTEMS, batch_size=4, rate=1e-4)
    add_training(parser, epochs=12)


def run(arguments: argparse.Namespace, context: Context) -> None:
    """Do the runs that are not done."""
    training, validation, scored = split(load_funsd(arguments.data), arguments.most)
    readings = {
        _PLAIN: scored,
        _SHUFFLED: [
            shuffle_blocks(example, np.random.default_rng((1, place)))
            for place, example in enumerate(scored)
        ],
    }
    fields = [FieldSpec(name, Kind.TEXT) for name in FIELDS]

    def execute(settings: Settings, folder: Path) -> Result:
        loop = loop_of(arguments, settings)
        recipe = Recipe(
            preset=settings["system"],
            init=init_of(arguments, settings),
            # A separator after each block would tell the tagger where entities end.
            config={"line_separator": False, **sizes_of(arguments)},
            loop=loop,
        )
        tagger, start = build_tagger(recipe, fields)
        pieces = PieceEncoder(start.tokenizer, tagger.config)

        def validate(current: Tagger) -> float:
            counts = count_entities(current, pieces, validation).values()
            return sum(counts, Counts()).f1

        train(
            tagger,
            pieces,
            training,
            groups=[example.id for example in training],
            evaluate=validate,
            augment=Augmenter(_WAYS[settings["trained"]], {}),
            config=loop,
            session=Session(folder, context.budget, context.device, resume=True),
        )
        scores: dict[str, Summands] = {
            name: {
                key: [counts.tp, counts.fp, counts.fn]
                for key, counts in count_entities(tagger, pieces, reading).items()
            }
            for name, reading in readings.items()
        }
        return Result("f1", scores, f"{len(training)} forms")

    runs = plan(
        EXPERIMENT.name,
        arguments,
        _ARMS,
        split=f"random, {len(validation)} forms to choose the epoch, {len(scored)} scored",
        epochs=arguments.epochs,
        most=arguments.most,
    )
    run_all(runs, execute, context.store, context.budget, context.machine)


def split(
    examples: Sequence[Example], most: int
) -> tuple[list[Example], list[Example], list[Example]]:
    """Return forms to train on, a tenth to choose the epoch, and a third to score, always the same.

    Args:
        examples: all forms.
        most: forms to train on; 0 for all that are left.
    """
    order = np.random.default_rng(0).permutation(len(examples))
    mixed = [examples[int(index)] for index in order]
    scored, chosen = len(mixed) // 3, max(1, len(mixed) // 10)
    training = mixed[scored + chosen :]
    return training[: most or None], mixed[scored : scored + chosen], mixed[:scored]


def count_entities(
    tagger: Tagger, pieces: PieceEncoder, examples: Iterable[Example]
) -> dict[str, Counts]:
    """Return the entities that were found, invented and missed in each document."""
    found = {}
    for example in examples:
        tagged = {(span.field, span.start, span.end) for span in tagger.tag(example, pieces)}
        labelled = {(span.field, span.start, span.end) for span in example.spans}
        hits = len(tagged & labelled)
        found[example.id] = Counts(hits, len(tagged) - hits, len(labelled) - hits)
    return found
