"""What is asked of a training becomes a plan: every decision made, everything that can be refused.

Nothing is trained here. A plan that was made can still fail on what only the run shows: weights
that do not fit, a loss that diverges.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from models.packages import Registry
from models.packages.package import training_of
from pipeline.answers.arithmetic.checks import parse_checks
from pipeline.answers.titles import parse_titles
from pipeline.errors import InvalidOption
from pipeline.values.schema import FieldSpec, load_fields
from training.augment import AugmentConfig
from training.data import (
    Corpus,
    Dataset,
    Row,
    Transcription,
    default_transcription,
    infer_fields,
    load_dataset,
)
from training.data.seen import seen_before
from training.field_model.new_package import NewPackage
from training.field_model.prepared import Prepared, chosen_fold, drawn_in_a_pass, prepare_folds
from training.field_model.recipe import Recipe
from training.loop import LoopConfig
from training.starts import MINILM, nearest_package, resolve_start

# How much is held out, and how often an epoch goes over few documents: measured on 50 invented
# orders, see docs/decisions/0032-usual-training.md.
_TENTH, _QUARTER = 0.1, 0.25
_ENOUGH_HELD_OUT = 20  # documents, below which the tenth that is held out tells little
_ENOUGH_IN_AN_EPOCH = 400  # documents drawn: a hundred steps of four
_FEW = 200  # documents, of which more than a tenth is held out, and worth another training


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOptions:
    """What is asked of a training; None leaves a decision to the plan.

    Attributes:
        preset, skim, config: as in `Recipe`.
        init: minilm, scratch, a model in service, or a folder; None for the model in service whose
            documents are most alike.
        fields: fields.toml of the model; None guesses the fields from the labels.
        transcriptions: what documents are read from; None for gold and own where every document
            has a gold transcription, else own.
        share: of the documents that are held out; None for what `usual_share` says.
        fold, group_by, by_template, seeds: as in `Recipe`.
        cross: folds to score on in turn before the training on all documents; 0 scores on one.
        final: whether to train on all documents in the end; None for where they are few.
        curve: numbers of documents to train on besides, for a learning curve.
        also: folders of datasets that are only trained on.
        passes: over the documents in an epoch; None for what `usual_passes` says.
        loop: settings of the loop; its number of passes is set by the plan.
        augment: how documents are varied.
    """

    preset: str | None = None
    init: str | None = None
    skim: Path | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    fields: Path | None = None
    transcriptions: tuple[Transcription, ...] | None = None
    share: float | None = None
    fold: int = 0
    cross: int = 0
    final: bool | None = None
    curve: tuple[int, ...] = ()
    also: tuple[Path, ...] = ()
    group_by: str | None = None
    by_template: bool = False
    seeds: int = 1
    passes: int | None = None
    loop: LoopConfig = field(default_factory=LoopConfig)
    augment: AugmentConfig = field(default_factory=AugmentConfig)


@dataclass(frozen=True, slots=True)
class Plan:
    """A training that can be run.

    Attributes:
        package: to be written.
        dataset: to train on.
        recipe: of every training.
        folds: what each training with documents held out starts from; one without `cross`.
        final: whether all documents are trained on after the folds.
        curve_of: whose documents the learning curve is drawn from.
        curve: numbers of documents of the learning curve.
        notes: what a user should know before it runs, a sentence or two each.
    """

    package: NewPackage
    dataset: Dataset
    recipe: Recipe
    folds: tuple[Prepared, ...]
    final: bool
    curve_of: Prepared
    curve: tuple[int, ...]
    notes: tuple[str, ...]


def plan_training(
    dataset: Dataset,
    options: TrainingOptions,
    package: NewPackage,
    *,
    registry: Registry,
    readings: Path,
    on_row: Callable[[int, int], None] | None = None,
) -> Plan:
    """Return the plan of a training; its documents are read and tagged.

    Args:
        dataset: to train on, and to hold documents out of.
        options: what is asked.
        package: to be written in the end.
        registry: the models in service, which a training may start from.
        readings: folder of earlier readings.
        on_row: called with the number of documents read, and to be read.

    Raises:
        InvalidOption: an option that cannot be followed.
        DatasetError: a dataset that cannot be used.
        ModelPackageError: the model to start from is damaged.
    """
    package.check()
    _check(options)
    dataset.need_labels()
    fields = _fields(dataset, options.fields)
    if options.fields:
        text = options.fields.read_text("utf-8-sig")
        package = replace(
            package, checks=parse_checks(text, fields), titles=parse_titles(text, fields)
        )
    recipe = _recipe(dataset, options, registry)
    every = prepare_folds(
        dataset,
        fields,
        recipe,
        cache=readings,
        also=[load_dataset(folder) for folder in options.also],
        count=0 if options.share else options.cross,
        on_row=on_row,
    )
    folds = _chosen(every, options)
    held_out = {name for fold in folds for name in fold.validation}
    judges = [row for row in dataset.rows if row.id in held_out]
    notes = _split_notes(folds[0], recipe)
    # A package is of one architecture: where that is asked for, MiniLM is what fits.
    if options.init is None and not (options.preset or options.config or options.skim):
        nearest = nearest_package(folds[0].corpus.documents.values(), registry, held_out=judges)
        if nearest is not None:
            notes.append(f"Starting from the model {nearest}, whose documents are most alike.")
            recipe = replace(recipe, init=str(nearest.path))
    notes += _known(recipe.init, options.init, judges)
    curve_of = every[0] if options.cross else folds[0]
    if large := [str(size) for size in options.curve if size >= len(curve_of.train)]:
        notes.append(
            f"The learning curve is without {', '.join(large)}: its largest part is all "
            f"{len(curve_of.train)} documents in training."
        )
    passes = options.passes or usual_passes(folds[0], recipe.loop.per_group)
    final = len(dataset.rows) < _FEW if options.final is None else options.final
    return Plan(
        package,
        dataset,
        replace(recipe, loop=replace(recipe.loop, passes=passes)),
        tuple(folds),
        final or bool(options.cross),
        curve_of,
        options.curve,
        tuple(notes),
    )


def _check(options: TrainingOptions) -> None:
    """Refuse options that contradict each other, before anything is read."""
    if options.cross == 1:
        raise InvalidOption("One fold is no cross-validation.", advice="Use --cross 2 or more.")
    if options.cross and options.fold:
        raise InvalidOption(
            "With --cross every fold is held out in turn.", advice="Leave out --fold, or --cross."
        )
    if options.cross and options.final is False:
        raise InvalidOption(
            "With --cross all documents are learnt from in the end.",
            advice="Leave out --no-final, or --cross.",
        )


def _recipe(dataset: Dataset, options: TrainingOptions, registry: Registry) -> Recipe:
    """Return the recipe as far as it is decided before a document is read.

    Where every document has a gold transcription it is read from that too.
    """
    has_gold = default_transcription(dataset) == "gold"
    usual = 1 / options.cross if options.cross else usual_share(len(dataset.rows))
    return Recipe(
        preset=options.preset,
        init=MINILM if options.init is None else resolve_start(options.init, registry),
        skim=options.skim,
        config=options.config,
        transcriptions=options.transcriptions or (("gold", "own") if has_gold else ("own",)),
        share=options.share or usual,
        fold=options.fold,
        group_by=options.group_by,
        by_template=options.by_template,
        seeds=options.seeds,
        loop=options.loop,
        augment=options.augment,
    )


def _chosen(every: Sequence[Prepared], options: TrainingOptions) -> Sequence[Prepared]:
    """Return the folds that are held out: all that are asked for, or one.

    Raises:
        InvalidOption: there are too few of them.
    """
    if not options.cross:
        return [chosen_fold(every, options.fold)]
    if len(every) < options.cross:
        raise InvalidOption(
            f"The documents make {len(every)} folds of whole issuers, not {options.cross}.",
            advice="Use a smaller --cross, or --group-by another field, or leave out --validation.",
        )
    return every[: options.cross]


def _fields(dataset: Dataset, path: Path | None) -> tuple[FieldSpec, ...]:
    """Return the fields of the model, those of a file or those guessed from the labels.

    Raises:
        InvalidOption: the file cannot be read, or names a field that no document has.
        DatasetError: a field has a name that fields.toml cannot hold.
    """
    specs = load_fields(path) if path else infer_fields(dataset)
    if unknown := [spec.name for spec in specs if spec.name not in dataset.field_names]:
        raise InvalidOption(
            f"No document of {dataset.folder} has the field {', '.join(unknown)}.",
            advice=f"The dataset's fields are {', '.join(dataset.field_names)}.",
        )
    return specs


def _split_notes(prepared: Prepared, recipe: Recipe) -> list[str]:
    """Return what a user should know of the documents: which are left out, what is held out."""
    notes = [
        f"Warning: {name} is left out, for it could not be read: {why}"
        for name, why in prepared.unread().items()
    ]
    if mostly := _unfound(prepared.corpus):
        notes.append(
            f"Warning: most values of {mostly} are not found in the documents, and nothing is "
            "learnt of those: `fieldwright dataset autotag` lists them, and why."
        )
    if prepared.unit == "template" and not recipe.by_template:
        notes.append("The documents are of too few issuers: templates are held out in their place.")
    if prepared.unit == "document":
        notes.append(
            "Warning: the documents are of too few issuers and templates to hold such out. Those "
            "held out look like those learnt from; new issuers will be read less well than the "
            "scores say."
        )
    return notes


def _unfound(corpus: Corpus) -> str:
    """Return the fields of which most values are printed nowhere, with how many, in words."""
    labelled = Counter(
        name
        for row in corpus.rows
        if row.id in corpus.tags
        for name, values in row.fields.items()
        for _ in set(values)
    )
    missed = Counter(miss.field for tagged in corpus.tags.values() for miss in tagged.misses)
    return ", ".join(
        f"{name} ({count} of {labelled[name]})"
        for name, count in missed.items()
        if count * 2 > labelled[name]
    )


def _known(start: str, asked: str | None, judges: Sequence[Row]) -> list[str]:
    """Return a warning where the start was trained on documents that are held out now."""
    known = len(seen_before(training_of(Path(start)), judges))
    if not known:
        return []
    return [
        f"Warning: {asked}, or what it started from, was trained on {known} of the {len(judges)} "
        "documents held out; the scores say nothing about new ones."
    ]


def usual_share(documents: int) -> float:
    """Return which share of a dataset to hold out: a tenth, of a small one up to a quarter."""
    return min(_QUARTER, max(_TENTH, _ENOUGH_HELD_OUT / documents))


def usual_passes(prepared: Prepared, per_group: int) -> int:
    """Return how often an epoch goes over the documents: the fewer they are, the more often.

    A tagger needs about a thousand steps to learn, whatever the number of documents.
    """
    return max(1, math.ceil(_ENOUGH_IN_AN_EPOCH / max(1, drawn_in_a_pass(prepared, per_group))))


def parse_sizes(text: str) -> tuple[int, ...]:
    """Return the numbers of documents of a learning curve from a text such as ``25,50,100``.

    Raises:
        InvalidOption: a part is not a number above 0.
    """
    try:
        sizes = tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        sizes = (0,)
    if any(size < 1 for size in sizes):
        raise InvalidOption(
            f"{text!r} is not a list of numbers of documents.",
            advice="Give --curve numbers above 0 with commas, such as 25,50,100.",
        )
    return sizes
