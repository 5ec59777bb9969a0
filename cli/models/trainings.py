"""`fieldwright trainings`: the trainings of datasets that are labelled in the pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from app.teaching import Releases
    from app.teaching.schemas import NewTraining

Id = Annotated[str, typer.Argument(help="Of the training, as `trainings list` shows it.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead.")]

_ADVICE = {
    "version": "Write at most 64 letters, digits, points, + and -, such as 1.0.0.",
    "preset": "Name a preset of `fieldwright train`, such as lambert.",
}


def register(app: typer.Typer) -> None:
    """Add the group to the command line."""
    group = typer.Typer(help="Train models on labelled datasets of the service, and follow them.")
    group.command("list")(list_trainings)
    for command in (start, show, cancel, resume, promote):
        group.command()(command)
    app.add_typer(group, name="trainings", no_args_is_help=True)


def list_trainings(as_json: AsJson = False) -> None:
    """List the datasets and their trainings, the newest first."""
    with teaching() as releases:
        datasets = releases.teaching.store.all()
        trainings = releases.trainings.all()
        rows: list[dict[str, Any]] = [
            {
                "dataset": one.id,
                "name": one.name,
                "labelled": one.labelled,
                "documents": one.documents,
                "trainings": [
                    releases.view(training).model_dump(mode="json", exclude={"report"})
                    for training in trainings
                    if training.dataset_id == one.id
                ],
            }
            for one in datasets
        ]
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    for row in rows:
        typer.echo(
            f"{row['dataset']}  {row['name']}: {row['labelled']} of {row['documents']} labelled"
        )
        for training in row["trainings"]:
            typer.echo(f"    {training['id']}  {_line(training)}")
    if not rows:
        typer.echo("There is no dataset: begin one at /teach, a page of the service.", err=True)


def start(
    dataset: Annotated[str, typer.Argument(help="Id of the dataset.")],
    version: Annotated[
        str | None, typer.Option(help="Of the model; the next free one by default.")
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Architecture, as of `train`.")] = None,
    epochs: Annotated[int, typer.Option(min=1, max=50, help="Most epochs.")] = 8,
    curve: Annotated[
        bool, typer.Option(help="Train on half of the documents too, for the learning curve.")
    ] = True,
    final: Annotated[
        bool | None,
        typer.Option(
            help="Learn in the end from what was held out, too; by default where it is little."
        ),
    ] = None,
) -> None:
    """Queue the training of a dataset's model; its id goes to standard output."""
    from store.access.keys import OPEN

    wanted = _wanted(version=version, preset=preset, epochs=epochs, curve=curve, final=final)
    with teaching() as releases:
        training = releases.train(dataset, OPEN, wanted)
    typer.echo(training.id)
    typer.echo(f"{training.name}@{training.version} waits for a trainer.", err=True)


def _wanted(**options: Any) -> NewTraining:
    """Return what is asked for; raises InvalidOption where an option is of no use."""
    from pydantic import ValidationError

    from app.teaching.schemas import NewTraining
    from pipeline.errors import InvalidOption

    try:
        return NewTraining(**options)
    except ValidationError as error:
        name = str(error.errors()[0]["loc"][0])
        raise InvalidOption(
            f"--{name} cannot be {options[name]!r}.",
            advice=_ADVICE.get(name, "See `fieldwright trainings start --help`."),
        ) from error


def show(training: Id) -> None:
    """Show how far a training is, and its report once it has succeeded, as JSON."""
    with teaching() as releases:
        found = releases.trainings.get(training)
        typer.echo(releases.view(found).model_dump_json(indent=2))


def cancel(training: Id) -> None:
    """Stop a training at its next step; it can be resumed."""
    with teaching() as releases:
        found = releases.trainings.cancel(training)
    typer.echo(f"The training is {found.state}.", err=True)


def resume(training: Id) -> None:
    """Go on with a training that was cancelled or failed, from its last epoch."""
    with teaching() as releases:
        found = releases.trainings.resume(training)
    typer.echo(f"The training is {found.state}.", err=True)


def promote(training: Id) -> None:
    """Put the model of a training in service."""
    from store.access import ANY_OWNER

    with teaching() as releases:
        found = releases.trainings.finished(training)
        releases.promote(found.name, found.version, ANY_OWNER)
    typer.echo(f"{found.name}@{found.version} is in service.", err=True)


@contextmanager
def teaching() -> Iterator[Releases]:
    """Give the trainings of this installation, and what is in service."""
    from app.intake import Submissions
    from app.settings import ApiSettings
    from app.teaching import Releases, Teaching
    from cli.shared.home import prepare_home
    from cli.shared.served import in_step
    from store.jobs import Jobs

    settings = ApiSettings.load()
    prepare_home(settings)
    jobs = Jobs(settings)
    try:
        jobs.prepare()
        registry = in_step(settings)
        made = Teaching(jobs, Submissions(jobs, registry), registry, settings)
        yield Releases(jobs, made, registry)
    finally:
        jobs.close()


def _line(training: dict[str, Any]) -> str:
    state = training["state"]
    if state == "running":
        left = training["seconds_left"]
        state = f"{training['stage']}, epoch {training['epoch']} of {training['epochs']}"
        state += "" if left is None else f", {left / 60:.0f} min left"
    if training["best"] is not None:
        state += f", F1 {training['best']:.2f}"
    if training["promoted"]:
        state += ", in service"
    return f"{training['name']}@{training['version']}: {state}"
