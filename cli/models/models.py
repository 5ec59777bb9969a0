"""`fieldwright models`: which packages there are, and which one answers for a name."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli.models.in_service import in_service
from cli.shared.served import in_step, served

if TYPE_CHECKING:
    from models.packages import PackageRef
    from pipeline.document import Document
    from store.access.audit import Action

Package = Annotated[str, typer.Argument(help="NAME@VERSION, such as receipts@1.0.0.")]
NewVersion = Annotated[str, typer.Option(help="Of the new package.")]
Out = Annotated[
    Path | None, typer.Option(help="Folder of the package; by default in the models' home.")
]


def register(app: typer.Typer) -> None:
    """Add the group to the command line."""
    group = typer.Typer(help="List the models and choose which version is in service.")
    group.command("list")(list_models)
    for command in (show, promote, rollback, shadow, remove, profile, calibrate, fields):
        group.command()(command)
    app.add_typer(group, name="models", no_args_is_help=True)


def list_models(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON array instead.")] = False,
) -> None:
    """List all models; * marks the version that answers for its name."""
    from models.packages import AUTO

    registry = in_step()
    default = None if registry.default == AUTO else registry.here(registry.default)
    rows = [
        {
            "name": ref.name,
            "version": ref.version,
            "current": ref.current,
            "bundled": ref.bundled,
            "default": ref == default,
        }
        for ref in registry.packages()
    ]
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    for row in rows:
        notes = [note for note in ("bundled", "default") if row[note]]
        mark = "*" if row["current"] else " "
        typer.echo(f"{mark} {row['name']}@{row['version']}  {', '.join(notes)}".rstrip())
    if not rows:
        typer.echo("No model is installed.", err=True)


def show(
    model: Annotated[str, typer.Argument(help="NAME or NAME@VERSION.")],
) -> None:
    """Show a model's identity, fields, folder and state as JSON."""
    from models.packages.manifest import FIELDS, load_manifest
    from pipeline.values.schema import load_fields

    ref = _whole(model)
    manifest, fields = load_manifest(ref.path), load_fields(ref.path / FIELDS)
    shown: dict[str, Any] = {
        "name": ref.name,
        "version": ref.version,
        "preset": manifest.preset,
        "sha256": manifest.sha256,
        "current": ref.current,
        "bundled": ref.bundled,
        "path": str(ref.path),
        "fields": {spec.name: spec.kind.value for spec in fields},
    }
    typer.echo(json.dumps(shown, indent=2))


def promote(model: Package) -> None:
    """Put a version in service under its name."""
    from models.packages import releases

    with _audited("model.promoted", model):
        ref = releases.promote(in_step(), model)
    typer.echo(f"{ref} is in service.", err=True)


def rollback(
    name: Annotated[str, typer.Argument(help="Name of the model.")],
) -> None:
    """Put the version back that was in service before the last promotion."""
    from models.packages import releases

    with _audited("model.rolled_back", name):
        ref = releases.rollback(in_step(), name)
    typer.echo(f"{ref} is in service.", err=True)


def shadow(
    model: Annotated[
        str,
        typer.Argument(help="NAME@VERSION that is to read along; NAME shows where it differs."),
    ],
    share: Annotated[float, typer.Option(min=0.01, max=1, help="Of the documents.")] = 1.0,
    stop: Annotated[bool, typer.Option("--stop", help="End the run of NAME.")] = False,
) -> None:
    """Have a version read live documents beside the one in service, and see where it differs.

    It comes behind all other work; the answers of the service are those of the version in service.
    """
    from app.teaching.schemas import ShadowView
    from cli.models.trainings import teaching
    from store.access import ANY_OWNER

    name, _, version = model.partition("@")
    with teaching() as releases:
        if stop:
            releases.shadows.stop(name)
            typer.echo(f"Nothing runs beside {name} any more.", err=True)
            return
        if version:
            run = releases.shadow(name, version, share, ANY_OWNER)
            typer.echo(f"{model} reads along with {name}@{run.against}.", err=True)
            return
        run = releases.shadows.get(name)
        view = ShadowView.of(run, releases.shadows.differences(run))
    typer.echo(view.model_dump_json(indent=2))


def remove(model: Package) -> None:
    """Delete a version that is not in service, or the only one of a model, from the disk.

    What comes with the product cannot be removed.
    """
    from models.packages import releases

    with _audited("model.removed", model):
        ref = releases.remove(in_step(), model)
    typer.echo(f"{ref} was removed.", err=True)


def profile(
    model: Package,
    version: NewVersion,
    dataset: Annotated[
        Path | None,
        typer.Argument(
            help="Folder with labels.jsonl and documents/. Without it the words of the model's "
            "documents stay, and those of --measured are held against them anew."
        ),
    ] = None,
    transcription: Annotated[
        Literal["gold", "own"], typer.Option(help="What the documents are read from.")
    ] = "own",
    also: Annotated[
        list[Path] | None, typer.Option(help="Another dataset of documents like them.")
    ] = None,
    measured: Annotated[
        list[Path] | None,
        typer.Option(
            help="Dataset of other documents of the kind, which the model has not seen. They say "
            "how far new ones lie from these (for a dataset that was invented, real ones), and "
            "which fields the model finds in all of them: a document without is none of the kind."
        ),
    ] = None,
    out: Out = None,
) -> None:
    """Make a version of a model that can be chosen for documents like those of a dataset.

    Models trained by this version of the program can be already.
    """
    from models.packages.package import copy_package
    from training.field_model.profiling import profile_again

    ref = _whole(model)
    target = _target(ref, version, out)
    others = _read(measured, transcription) if measured else {}
    documents = _read([dataset, *(also or ())], transcription) if dataset else {}
    made = profile_again(ref.path, documents, list(others.values()))
    copy_package(ref.path, target, version=version, profile=made.to_json())
    said = (
        f"with the words of {len(documents)} documents"
        if documents
        else f"measured on {len(others)} documents"
    )
    typer.echo(f"{ref.name}@{version}, {said}, in {target}.")
    if out is None:
        typer.echo(in_service(served(), f"{ref.name}@{version}"), err=True)
    if made.expected:
        typer.echo(f"A document without {', '.join(made.expected)} is none of its kind.", err=True)


def _read(folders: Sequence[Path], transcription: Literal["gold", "own"]) -> dict[str, Document]:
    """Return the documents of datasets that can be read, by folder and name.

    Raises:
        InvalidOption: none can.
    """
    from cli.shared.corpus import readable
    from pipeline.errors import InvalidOption

    found = {
        f"{folder}/{name}": document
        for folder in folders
        for name, document in readable(folder, transcription).items()
    }
    if not found:
        raise InvalidOption(
            f"No document of {folders[0]} can be read.", advice="Name a folder of others."
        )
    return found


def calibrate(
    model: Package,
    dataset: Annotated[
        Path | None,
        typer.Argument(help="Dataset that it was trained on, with --held-out.", show_default=False),
    ] = None,
    *,
    version: NewVersion,
    held_out: Annotated[
        Path | None, typer.Option(help="held-out.jsonl that `train` leaves in its folder of runs.")
    ] = None,
    also: Annotated[
        list[Path] | None,
        typer.Option(help="Dataset that was trained on besides (`train --also`)."),
    ] = None,
    unseen: Annotated[
        list[Path] | None,
        typer.Option(help="Dataset that the model never learnt from, and answers itself."),
    ] = None,
    error: Annotated[
        float,
        typer.Option(min=0.001, max=0.5, help="Share of unmarked values that may be wrong."),
    ] = 0.02,
    out: Out = None,
) -> None:
    """Make a version of a model with confidences fitted anew; its weights stay as they are.

    They are fitted on what the folds of a training found in documents that they had not seen, on
    documents that the model has not learnt from, or on both.
    """
    from cli.shared.console import ReadingBar
    from cli.shared.corpus import warn_of_few
    from models.packages.manifest import CARD
    from models.packages.package import copy_package
    from pipeline.errors import InvalidOption
    from pipeline.extract import Extractor
    from store.settings import Settings
    from training.data import load_dataset
    from training.field_model.card import confidence_section, with_confidence
    from training.field_model.refit import Folds, Known, refit
    from training.scoring.held_out import HeldOut

    if (dataset is None) != (held_out is None) or not (held_out or unseen):
        raise InvalidOption(
            "Confidences are fitted on answers to documents that the model had not seen.",
            advice="Name a training's dataset and its --held-out, or --unseen FOLDER, or both.",
        )
    if also and held_out is None:
        raise InvalidOption(
            "--also says what a training learnt from besides its dataset.",
            advice="Name that dataset and its --held-out, or leave --also out.",
        )
    ref = _whole(model)
    target = _target(ref, version, out)
    known, card = Known.load(ref.path), (ref.path / CARD).read_text(encoding="utf-8")
    folds = None
    if dataset and held_out:
        besides = [load_dataset(folder) for folder in also or ()]
        folds = Folds(load_dataset(dataset), HeldOut.load(held_out), besides)
    others = [load_dataset(folder) for folder in unseen or ()]
    for data in others:
        warn_of_few(data)
    extractor = functools.cache(lambda: Extractor(ref.path))  # what the folds found needs none
    with ReadingBar("reading") as bar:
        calibration, given = refit(
            known,
            folds,
            others,
            tag=lambda document: extractor().tag(document),
            error=error,
            cache=Settings.load().home / "readings",
            on_row=bar.on_row,
        )
    section = confidence_section(calibration, given, known.fields)
    copy_package(
        ref.path,
        target,
        version=version,
        calibration=calibration.to_json(),
        card=with_confidence(card, section),
    )
    typer.echo(section)
    _tell(f"{ref.name}@{version}", target, out)


def fields(
    model: Package,
    rules: Annotated[
        Path, typer.Argument(help="A fields.toml: the model's own, with what is to change in it.")
    ],
    version: NewVersion,
    out: Out = None,
) -> None:
    """Make a version of a model with other captions, titles, checks or hints; nothing is trained.

    The model's own fields.toml is in its folder (`models show`). Names and kinds of its fields
    stay, for the weights have learnt them.
    """
    from models.packages.manifest import FIELDS
    from models.packages.package import copy_package
    from pipeline.answers.arithmetic.checks import parse_checks
    from pipeline.answers.titles import parse_titles
    from pipeline.errors import InvalidOption
    from pipeline.values.schema import fields_text, load_fields, parse_fields

    ref = _whole(model)
    target = _target(ref, version, out)
    old = load_fields(ref.path / FIELDS)
    text = fields_text(rules)
    new = parse_fields(text, source=str(rules))
    parse_checks(text, new)
    parse_titles(text, new)
    learnt, asked = ([f"{spec.name} ({spec.kind})" for spec in specs] for specs in (old, new))
    if learnt != asked:
        other = next(
            (name for name in [*asked, *learnt] if (name in asked) != (name in learnt)), None
        )
        raise InvalidOption(
            f"{rules} has other fields than {ref}: "
            + (f"{other} is in one of them alone." if other else "they are in another order."),
            advice=f"Change what is below the names and kinds of {ref.path / FIELDS}, or train a "
            "model of other fields.",
        )
    copy_package(ref.path, target, version=version, fields_toml=text)
    _tell(f"{ref.name}@{version}", target, out)


def _tell(model: str, target: Path, out: Path | None) -> None:
    typer.echo(f"{model} is in {target}.", err=True)
    if out is None:
        typer.echo(in_service(served(), model), err=True)


def _whole(model: str) -> PackageRef:
    """Return a package of which every file is there and unchanged.

    Raises:
        UnknownModel: there is no such package.
        ModelPackageError: it is damaged.
    """
    from models.packages.manifest import load_manifest, verify
    from pipeline.errors import ModelPackageError

    ref = in_step().resolve(model)
    try:
        load_manifest(ref.path)
        verify(ref.path)
    except ValueError as fault:
        raise ModelPackageError(f"{fault}.") from fault
    return ref


def _target(ref: PackageRef, version: str, out: Path | None) -> Path:
    """Return the folder of a version that is to be made; refused before any work where it cannot.

    Raises:
        InvalidOption: the version is not usable or exists, or its folder cannot be made.
    """
    from store.settings import Settings
    from training.field_model.new_package import NewPackage

    target = out or Settings.load().home / "models" / ref.name / version
    NewPackage(target, ref.name, version).check()
    return target


@contextmanager
def _audited(action: Action, model: str) -> Iterator[None]:
    """Write what the context does into the audit log; nothing where it fails."""
    from cli.shared.home import job_store
    from store.access import audit
    from store.settings import Settings

    with job_store(Settings.load()) as database:
        yield  # packages are checked and copied: no transaction is open for as long
        with database.writing() as connection:
            audit.record(connection, action, model)
