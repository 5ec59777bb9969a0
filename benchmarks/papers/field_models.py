"""Field models in experiments: trained as `fieldwright train` does, scored on what is unseen.

One fold of issuers or templates chooses the best epoch, a second is scored, the rest is trained on.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.papers.options import Context, add_options, add_training, init_of, loop_of, sizes_of
from benchmarks.papers.runs import Settings, Summands
from models.packages.package import save_package
from pipeline.values.schema import FieldSpec, dump_fields, load_fields
from training.augment import AugmentConfig
from training.data import Corpus, Dataset, infer_fields, load_dataset
from training.errors import DatasetError
from training.field_model.cross import train_model
from training.field_model.judging import Trained
from training.field_model.prepared import Prepared, prepare_folds
from training.field_model.recipe import Recipe
from training.loop import Session
from training.scoring import Counts, Metric, Scores, evaluate


@dataclass(frozen=True, slots=True)
class Task:
    """A dataset ready to be trained on.

    Attributes:
        recipe: what all runs have in common.
        prepared: with what chooses the epoch for validation; nothing of `scored` is in training.
        scored: ids of the second fold.
        settings: what tells this task from another, JSON values.
    """

    recipe: Recipe
    prepared: Prepared
    scored: tuple[str, ...]
    settings: dict[str, Any]

    @property
    def corpus(self) -> Corpus:
        """The dataset as read."""
        [corpus] = self.prepared.corpora.values()
        return corpus


def add_arguments(
    parser: argparse.ArgumentParser, systems: tuple[str, ...], *, transcription: str, by: str
) -> None:
    """Add the options of experiments on field models."""
    add_options(parser, systems, batch_size=4, rate=2e-4)
    add_training(parser, epochs=8)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write each run's package here")
    parser.add_argument("--fields", type=Path, help="fields.toml; guessed by default")
    parser.add_argument("--transcription", choices=["gold", "own"], default=transcription)
    parser.add_argument("--share", type=float, default=0.1, help="of the documents, of each fold")
    parser.add_argument(
        "--by", choices=["issuer", "template"], default=by, help="what the folds hold whole"
    )
    parser.add_argument("--group-by", help="field that names the issuer")
    parser.add_argument(
        "--crop", type=int, default=0, help="most pieces of a document in a step; 0: a whole window"
    )
    parser.add_argument(
        "--passes", type=int, default=1, help="over the documents in an epoch, each another window"
    )
    parser.add_argument(
        "--choose-on",
        type=int,
        default=0,
        metavar="N",
        help="documents of the first fold that choose the epoch, drawn once; 0 for all. Reading "
        "long ones after every epoch takes longer than learning from them",
    )


def load_labelled(arguments: argparse.Namespace) -> tuple[Dataset, Sequence[FieldSpec]]:
    """Return the dataset `data` of the options, and its fields: those of `fields`, or guessed.

    Raises:
        DatasetError: it cannot be read.
    """
    data = load_dataset(arguments.data)
    return data, load_fields(arguments.fields) if arguments.fields else infer_fields(data)


def keep(task: Task, trained: Trained, settings: Settings, folder: Path) -> None:
    """Write the model of a run as a package, FOLDER/SYSTEM-SEED-EPOCHS; nothing if it is there."""
    name = f"{settings['system']}-{settings['seed']}-{settings['epochs']}"
    if (folder / name).exists():
        return
    save_package(
        folder / name,
        name=settings["system"],
        version="0.0.0",
        tagger=trained.learnt.tagger,
        tokenizer=trained.learnt.tokenizer,
        fields_toml=dump_fields(task.prepared.fields),
        calibration=trained.calibration.to_json(),
        card=f"# {name}\n\nOf an experiment: `python -m benchmarks.papers`.\n",
    )


def load_task(arguments: argparse.Namespace, context: Context) -> Task:
    """Read and tag a dataset, and hold two folds out.

    Raises:
        DatasetError: it cannot be read, or has too few issuers or templates for two folds.
    """
    data, fields = load_labelled(arguments)
    recipe = Recipe(
        init=arguments.init,
        config=sizes_of(arguments),
        transcriptions=(arguments.transcription,),
        share=arguments.share,
        group_by=arguments.group_by,
        by_template=arguments.by == "template",
    )
    folds = prepare_folds(data, fields, recipe, cache=context.cache)
    if len(folds) < 2:
        raise DatasetError(
            "There are too few issuers to hold out two parts.", advice="Give a smaller --share."
        )
    prepared, scored = folds[0], folds[1].validation
    kept = draw([name for name in prepared.train if name not in set(scored)], arguments.most)
    chosen = draw(prepared.validation, arguments.choose_on)
    settings = {
        "transcription": arguments.transcription,
        "fields": ", ".join(spec.name for spec in fields),
        "split": f"by {arguments.group_by or arguments.by}, {len(chosen)} documents to "
        f"choose the epoch, {len(scored)} scored",
        "epochs": arguments.epochs,
        "most": arguments.most,
        **({"crop": arguments.crop} if arguments.crop else {}),
        **({"passes": arguments.passes} if arguments.passes > 1 else {}),
    }
    return Task(recipe, replace(prepared, train=kept, validation=chosen), scored, settings)


def draw(names: Sequence[str], most: int, seed: int = 0) -> tuple[str, ...]:
    """Return at most so many of the names in their order, the seed's always the same; 0 for all."""
    if not 0 < most < len(names):
        return tuple(names)
    drawn = np.random.default_rng(seed).permutation(len(names))[:most]
    return tuple(names[int(index)] for index in sorted(drawn))


def train_task(
    task: Task,
    arguments: argparse.Namespace,
    settings: Settings,
    folder: Path,
    context: Context,
    augment: AugmentConfig,
) -> Trained:
    """Train the system of a run, from its checkpoint where there is one."""
    loop = loop_of(arguments, settings)
    return train_model(
        task.prepared,
        replace(
            task.recipe,
            preset=settings["system"],
            init=init_of(arguments, settings),
            loop=replace(loop, crop=arguments.crop, passes=arguments.passes),
            augment=augment,
        ),
        Session(folder, context.budget, context.device, resume=True),
    )


def score_task(trained: Trained, corpus: Corpus, scored: tuple[str, ...]) -> Scores:
    """Return a trained model's scores on documents of a corpus."""
    learnt = trained.learnt
    return evaluate(learnt.tagger, learnt.pieces, corpus, scored, trained.calibration)


def per_document(scores: Scores, metric: Metric, *, by_field: bool = False) -> Summands:
    """Return true positives, false positives and false negatives of each document.

    Args:
        scores: of documents.
        metric: how values are compared.
        by_field: three numbers for each field, one after the other; else three of all fields.
    """
    found: Summands = {}
    fields = scores.counts[metric].values()
    for index, name in enumerate(scores.ids):
        counts = [items[index] for items in fields]
        parts = counts if by_field else [sum(counts, Counts())]
        found[name] = [number for part in parts for number in (part.tp, part.fp, part.fn)]
    return found
