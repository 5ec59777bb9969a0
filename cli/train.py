"""`fieldwright train`: a folder of labelled documents in, a served field model out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.start import AUTO, Changes, Kin, Preset, Skim, likely_start, start_of

if TYPE_CHECKING:
    from training.scoring import Scores


class Reading(StrEnum):
    """What training documents are read from."""

    AUTO = "auto"
    GOLD = "gold"
    OWN = "own"
    BOTH = "both"


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(train)


def train(
    dataset: Annotated[Path, typer.Argument(help="Folder with labels.jsonl and documents/.")],
    name: Annotated[str, typer.Option(help="Name under which the model is served.")],
    version: Annotated[str, typer.Option(help="Version of the package.")] = "1.0.0",
    fields: Annotated[
        Path | None, typer.Option(help="fields.toml; guessed from the labels by default.")
    ] = None,
    preset: Preset = None,
    init: Kin = AUTO,
    skim: Skim = None,
    change: Changes = None,
    transcription: Annotated[
        Reading, typer.Option(help="auto: gold with own where the dataset has gold, else own.")
    ] = Reading.AUTO,
    epochs: Annotated[int, typer.Option(min=1, help="Most epochs; after each it is scored.")] = 12,
    passes: Annotated[
        int, typer.Option(min=0, help="Passes over the documents an epoch; 0: more of fewer.")
    ] = 0,
    batch_size: Annotated[int, typer.Option(min=1, help="Windows in a step.")] = 4,
    crop: Annotated[
        int, typer.Option(min=0, help="Most pieces of a document in a step; 0: a whole window.")
    ] = 0,
    rate: Annotated[float, typer.Option(help="Peak learning rate of the encoder.")] = 2e-4,
    patience: Annotated[int, typer.Option(min=1, help="Epochs without gain to stop after.")] = 4,
    per_group: Annotated[
        int, typer.Option(min=0, help="Most documents of one issuer in a pass; 0 for all.")
    ] = 8,
    average: Annotated[
        float, typer.Option(min=0, max=0.9999, help="Decay of averaged weights; 0 for none.")
    ] = 0.99,
    freeze_words: Annotated[
        bool, typer.Option(help="Leave the word embeddings as they came.")
    ] = False,
    shuffle_blocks: Annotated[
        float, typer.Option(min=0, max=1, help="Probability that a page's lines are shuffled.")
    ] = 0.0,
    swap_neighbours: Annotated[
        float, typer.Option(min=0, help="Sigma, in lines, at which lines change places; 0: none.")
    ] = 0.0,
    hide_values: Annotated[
        float, typer.Option(min=0, max=1, help="Share of labelled values whose words are hidden.")
    ] = 0.0,
    shift: Annotated[
        float, typer.Option(min=0, max=0.5, help="Most that a page's content moves, of the page.")
    ] = 0.03,
    stretch: Annotated[
        float, typer.Option(min=0, max=0.5, help="Most that a page's content is stretched.")
    ] = 0.08,
    warp: Annotated[
        float, typer.Option(min=0, max=2, help="How unevenly pages are stretched; 0: not.")
    ] = 0.0,
    validation: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            max=0.5,
            help="Share of documents held out by issuer: .1 by default, of few documents more.",
        ),
    ] = None,
    also: Annotated[
        list[Path] | None,
        typer.Option(
            help="Dataset to learn from alone, such as an invented one; none is held out."
        ),
    ] = None,
    fold: Annotated[int, typer.Option(min=0, help="Which validation split.")] = 0,
    cross: Annotated[
        int,
        typer.Option(min=0, help="Score on so many folds in turn, then train on all; 0: one fold."),
    ] = 0,
    curve: Annotated[
        str,
        typer.Option(help="Train on so many documents too, such as 25,50,100, for the card."),
    ] = "",
    group_by: Annotated[str | None, typer.Option(help="Field that names the issuer.")] = None,
    by_template: Annotated[
        bool, typer.Option("--by-template", help="Hold out templates in place of issuers.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Of everything drawn.")] = 0,
    seeds: Annotated[
        int, typer.Option(min=1, help="Trainings whose weights are averaged; each takes as long.")
    ] = 1,
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    threads: Annotated[int, typer.Option(min=0, help="CPU threads; 0 for all cores.")] = 0,
    resume: Annotated[bool, typer.Option(help="Go on from the last checkpoint.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the package; by default in the models' home.")
    ] = None,
    data_licence: Annotated[
        str, typer.Option(help="Source and licence of the data, for the card.")
    ] = "not stated",
    description: Annotated[str, typer.Option(help="What it reads, for the card.")] = "",
) -> None:
    """Train a field model on a dataset folder and put its package among the served models.

    Documents are tagged automatically, issuers are held out for validation, and training stops
    when the validation score no longer rises. A run can be broken off and resumed.
    """
    import torch

    from cli.console import ReadingBar, TrainingBar
    from cli.device import device_of
    from models.packages.manifest import check_name
    from models.packages.package import training_of
    from pipeline.errors import InvalidOption
    from pipeline.values.schema import load_fields
    from store.settings import Settings
    from training.augment import AugmentConfig
    from training.data import Transcription, default_transcription, infer_fields, load_dataset
    from training.data.seen import seen_before
    from training.field_model.cross import cross_train
    from training.field_model.curve import learning_curve
    from training.field_model.learning import train_model
    from training.field_model.package import write_package
    from training.field_model.recipe import (
        Recipe,
        chosen_fold,
        prepare_folds,
        usual_passes,
        usual_share,
    )
    from training.loop import LoopConfig
    from training.loop.plot import plot_log
    from training.starts import MINILM, parse_changes

    try:
        check_name(name, version)
    except ValueError as error:
        raise InvalidOption(f"{error}.", advice="Choose another --name or --version.") from error
    home = Settings.load().home
    target = out or home / "models" / name / version
    if target.exists():
        raise InvalidOption(
            f"{target} exists; a package is never overwritten.", advice="Choose another --version."
        )
    if cross == 1:
        raise InvalidOption("One fold is no cross-validation.", advice="Use --cross 2 or more.")
    sizes = _sizes(curve)
    device = device_of(device)
    if threads:
        torch.set_num_threads(threads)
    data = load_dataset(dataset)
    specs = load_fields(fields) if fields else infer_fields(data)
    if unknown := [spec.name for spec in specs if spec.name not in data.field_names]:
        raise InvalidOption(
            f"No document of {dataset} has the field {', '.join(unknown)}.",
            advice=f"The dataset's fields are {', '.join(data.field_names)}.",
        )
    if transcription is Reading.AUTO:
        gold = default_transcription(data) == "gold"
        transcription = Reading.BOTH if gold else Reading.OWN
    names: dict[Reading, tuple[Transcription, ...]] = {
        Reading.GOLD: ("gold",),
        Reading.OWN: ("own",),
        Reading.BOTH: ("gold", "own"),
    }
    recipe = Recipe(
        preset=preset,
        init=start_of(init),
        skim=skim,
        config=parse_changes(change or ()),
        transcriptions=names[transcription],
        share=validation or (1 / cross if cross else usual_share(len(data.rows))),
        fold=fold,
        group_by=group_by,
        by_template=by_template,
        seeds=seeds,
        loop=LoopConfig(
            epochs=epochs,
            passes=passes,
            batch_size=batch_size,
            rate=rate,
            patience=patience,
            per_group=per_group,
            crop=crop,
            average=average,
            freeze_words=freeze_words,
            seed=seed,
        ),
        augment=AugmentConfig(
            shuffle=shuffle_blocks,
            neighbours=swap_neighbours,
            hide=hide_values,
            shift=shift,
            scale=stretch,
            warp=warp,
        ),
    )
    run = home / "runs" / f"{name}-{version}"
    with ReadingBar("reading") as bar:
        folds = prepare_folds(
            data,
            specs,
            recipe,
            cache=home / "readings",
            also=[load_dataset(folder) for folder in also or ()],
            on_row=bar.on_row,
        )
    used = folds[:cross] if cross else [chosen_fold(folds, recipe.fold)]
    held_out = {name for each in used for name in each.validation}
    judges = [row for row in data.rows if row.id in held_out]
    if init == AUTO:
        free = not (preset or change or skim)  # a package is of one architecture
        recipe = replace(recipe, init=likely_start(used[0], judges) if free else MINILM)
    if not passes:
        passes = usual_passes(used[0], per_group)
        recipe = replace(recipe, loop=replace(recipe.loop, passes=passes))
    known = seen_before(training_of(Path(recipe.init)), judges)
    if known:
        typer.echo(
            f"Warning: {init} was trained on {known} of the {len(held_out)} documents held out; "
            "the scores say nothing about new ones.",
            err=True,
        )
    options: Any = {"folder": run, "device": device, "resume": resume}
    by_fold: Sequence[Mapping[Transcription, Scores]] = ()
    with TrainingBar() as progress:
        if cross:
            crossed = cross_train(used, recipe, progress=progress, on_fold=progress.fold, **options)
            trained, prepared, by_fold = crossed.trained, crossed.prepared, crossed.by_fold
        else:
            (prepared,) = used
            trained = train_model(prepared, recipe, progress=progress, **options)
        curved = learning_curve(
            folds[0] if cross else prepared,
            recipe,
            sizes,
            progress=progress,
            on_size=progress.size,
            **options,
        )
    for log in sorted(run.glob("**/log.jsonl")):
        plot_log(log, log.with_name("curve.png"))
    write_package(
        target,
        trained,
        prepared,
        recipe,
        data,
        name=name,
        version=version,
        data_licence=data_licence,
        description=description,
        by_fold=by_fold,
        curve=curved,
    )
    for size, of_size in curved.items():
        for reading, scores in of_size.items():
            f1 = scores.total("normalised").f1
            typer.echo(
                f"{reading} transcription, {size} documents in training: normalised F1 {f1:.3f}",
                err=True,
            )
    for reading, scores in trained.scores.items():
        counts = scores.total("normalised")
        typer.echo(
            f"{reading} transcription, {len(prepared.validation)} documents held out: "
            f"normalised F1 {counts.f1:.3f}, lenient {scores.total('lenient').f1:.3f}, "
            f"exact {scores.total('exact').f1:.3f}",
            err=True,
        )
    if not any(scores.total("lenient").tp for scores in trained.scores.values()):
        typer.echo(
            "Warning: the model found no value in the documents held out. See `fieldwright dataset "
            "autotag` for labels that are not found; add documents, --epochs or --passes.",
            err=True,
        )
    typer.echo(f"Package written to {target}; log and curve in {run}.", err=True)


def _sizes(text: str) -> list[int]:
    """Return the numbers of documents of a learning curve."""
    from pipeline.errors import InvalidOption

    try:
        sizes = [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        sizes = [0]
    if any(size < 1 for size in sizes):
        raise InvalidOption(
            f"{text!r} is no list of numbers of documents.",
            advice="Give --curve numbers above 0 with commas, such as 25,50,100.",
        )
    return sizes
