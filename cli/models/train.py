"""`fieldwright train`: a folder of labelled documents in, a served field model out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.models.in_service import in_service
from cli.shared.corpus import warn_of_few
from cli.shared.device import Device, Threads, device_of
from cli.shared.start import AUTO, Changes, Kin, Preset, Resume, Seed, Skim, tell_if_anew

if TYPE_CHECKING:
    from models.packages import Registry
    from training.data import Transcription
    from training.field_model.new_package import NewPackage
    from training.field_model.plan import Plan, TrainingOptions
    from training.field_model.run import Result


_TRANSCRIPTIONS: dict[str, tuple[Transcription, ...] | None] = {
    "auto": None,
    "gold": ("gold",),
    "own": ("own",),
    "both": ("gold", "own"),
}


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
        Literal["auto", "gold", "own", "both"],
        typer.Option(help="auto: gold with own where the dataset has gold, else own."),
    ] = "auto",
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
    shuffle_blocks: Annotated[
        float, typer.Option(min=0, max=1, help="Probability that a page's lines are shuffled.")
    ] = 0.0,
    swap_neighbours: Annotated[
        float, typer.Option(min=0, help="Sigma, in lines, at which lines change places; 0: none.")
    ] = 0.0,
    shift: Annotated[
        float, typer.Option(min=0, max=0.5, help="Most that a page's content moves, of the page.")
    ] = 0.03,
    stretch: Annotated[
        float, typer.Option(min=0, max=0.5, help="Most that a page's content is stretched.")
    ] = 0.08,
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
    final: Annotated[
        bool | None,
        typer.Option(
            "--final/--no-final",
            help="Learn from all documents in the end, those held out too, as long again; by "
            "default where there are fewer than 200.",
            show_default=False,
        ),
    ] = None,
    curve: Annotated[
        str, typer.Option(help="Train on so many documents too, such as 25,50,100, for the card.")
    ] = "",
    group_by: Annotated[str | None, typer.Option(help="Field that names the issuer.")] = None,
    by_template: Annotated[
        bool, typer.Option("--by-template", help="Hold out templates in place of issuers.")
    ] = False,
    seed: Seed = 0,
    seeds: Annotated[
        int, typer.Option(min=1, help="Trainings whose weights are averaged; each takes as long.")
    ] = 1,
    device: Device = "auto",
    threads: Threads = 0,
    resume: Resume = False,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the package; by default in the models' home.")
    ] = None,
    data_licence: Annotated[
        str, typer.Option(help="Source and licence of the data, for the card.")
    ] = "not stated",
    description: Annotated[str, typer.Option(help="What it reads, for the card.")] = "",
) -> None:
    """Train a field model on a dataset folder and put its package among the served models.

    Documents are tagged automatically, issuers are held out for validation (templates or single
    documents, where they are too few), and training stops when the validation score no longer
    rises. Where documents are few, a last training of as many epochs learns from all. A run can
    be interrupted and resumed.
    """
    from cli.shared.served import served
    from models.packages.registry import IDLE
    from store.settings import Settings
    from training.augment import AugmentConfig
    from training.field_model.new_package import NewPackage
    from training.field_model.plan import TrainingOptions, parse_sizes
    from training.loop import LoopConfig
    from training.starts import parse_changes, preset_of

    if preset is not None:
        preset_of(preset)  # before documents are read for it
    settings = Settings.load()
    home = settings.home
    package = NewPackage(
        out or home / "models" / name / version, name, version, data_licence, description
    )
    device = device_of(device, threads)
    options = TrainingOptions(
        preset=preset,
        init=None if init == AUTO else init,
        skim=skim,
        config=parse_changes(change or ()),
        fields=fields,
        transcriptions=_TRANSCRIPTIONS[transcription],
        share=validation,
        fold=fold,
        cross=cross,
        final=final,
        curve=parse_sizes(curve),
        also=tuple(also or ()),
        group_by=group_by,
        by_template=by_template,
        seeds=seeds,
        passes=passes or None,
        loop=LoopConfig(
            epochs=epochs,
            batch_size=batch_size,
            rate=rate,
            patience=patience,
            per_group=per_group,
            crop=crop,
            average=average,
            seed=seed,
        ),
        augment=AugmentConfig(
            shuffle=shuffle_blocks,
            neighbours=swap_neighbours,
            shift=shift,
            scale=stretch,
        ),
    )
    registry = served(settings)
    plan = _planned(dataset, options, package, registry, home / "readings")
    run = home / "runs" / f"{name}-{version}"
    tell_if_anew(run, resume)
    result = _run(plan, run, device=device, resume=resume)
    _report(result)
    typer.echo(f"Package written to {package.folder}; log and curve in {run}.", err=True)
    made = f"{name}@{version}"
    if out is None and result.found_nothing:
        (package.folder / IDLE).touch()
        typer.echo(
            f"{made} is kept, and not in service. Remove it: fieldwright models remove {made}",
            err=True,
        )
    elif out is None:
        typer.echo(in_service(registry, made), err=True)


def _planned(
    dataset: Path, options: TrainingOptions, package: NewPackage, registry: Registry, readings: Path
) -> Plan:
    """Return the plan of a training, its documents read; say what a user should know of it."""
    from cli.shared.console import ReadingBar
    from training.data import load_dataset
    from training.field_model.plan import plan_training

    data = load_dataset(dataset)
    warn_of_few(data)
    with ReadingBar("reading") as bar:
        plan = plan_training(
            data, options, package, registry=registry, readings=readings, on_row=bar.on_row
        )
    for note in plan.notes:
        typer.echo(note, err=True)
    if plan.final and len(plan.folds) == 1:
        typer.echo(
            "A last training, as long again, learns from all documents; --no-final leaves it out.",
            err=True,
        )
    return plan


def _run(plan: Plan, folder: Path, *, device: str, resume: bool) -> Result:
    """Train in a folder of runs; say how it goes on where somebody stops it."""
    from cli.shared.console import TrainingBar
    from training.field_model.run import run_plan
    from training.loop.checkpoint import has_checkpoint

    try:
        with TrainingBar() as progress:
            return run_plan(plan, folder=folder, progress=progress, device=device, resume=resume)
    except KeyboardInterrupt:
        typer.echo(
            "Stopped. The same command with --resume goes on from the last epoch that ended."
            if has_checkpoint(folder)
            else "Stopped before an epoch ended: nothing is kept.",
            err=True,
        )
        raise


def _report(result: Result) -> None:
    """Say how good the model is on documents held out, and those of the learning curve."""
    for size, of_size in list(result.curve.items())[:-1]:
        for reading, scores in of_size.items():
            f1 = scores.total("normalised").f1
            typer.echo(
                f"{reading} transcription, {size} documents in training: normalised F1 {f1:.3f}",
                err=True,
            )
    for reading, scores in result.trained.scores.items():
        typer.echo(
            f"{reading} transcription, {len(result.prepared.validation)} documents held out: "
            f"normalised F1 {scores.total('normalised').f1:.3f}, "
            f"lenient {scores.total('lenient').f1:.3f}, exact {scores.total('exact').f1:.3f}",
            err=True,
        )
    if result.found_nothing:
        typer.echo(
            "Warning: the model found no value in the documents held out. See `fieldwright dataset "
            "autotag` for labels that are not found; add documents, --epochs or --passes.",
            err=True,
        )
