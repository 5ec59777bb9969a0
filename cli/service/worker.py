"""`fieldwright worker`: workers for a service with a broker, on this machine or any other."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(worker)


def worker(
    queues: Annotated[
        str, typer.Option(help="What to work at, by comma: read, tag, resolve; or train alone.")
    ] = "read,tag,resolve",
    concurrency: Annotated[
        int | None,
        typer.Option(help="Documents read at a time; one a core by default.", min=1, max=256),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option(help="cpu or cuda, of the models; FIELDWRIGHT_DEVICE by default."),
    ] = None,
) -> None:
    """Work off the queues of a service that has a broker (FIELDWRIGHT_BROKER_URL).

    The queue `train` needs no broker: a process trains the models of datasets, one at a time.

    Ctrl-C or SIGTERM stops it: running documents are finished or handed back; nothing is lost.
    """
    import os
    import re

    from cli.service.unknown import warn_of_unknown
    from cli.shared.home import prepare_home
    from pipeline.errors import InvalidOption
    from store.settings import DEVICES, Settings
    from workers.logs import configure_logging

    settings = Settings.load()
    chosen = [queue.strip() for queue in queues.split(",")]
    if chosen == ["train"]:
        prepare_home(settings)
        configure_logging()
        warn_of_unknown()
        from workers.training.process import train

        train(settings)
        return
    if not settings.broker_url:
        raise InvalidOption(
            "There is no broker, so `fieldwright serve` runs the workers itself.",
            advice="Set FIELDWRIGHT_BROKER_URL, such as redis://127.0.0.1:6379/0, for the API "
            "and for all workers.",
        )
    if "train" in chosen:
        raise InvalidOption(
            "The queue train is worked off by a process of its own.",
            advice="Start another one with: fieldwright worker --queues train",
        )
    if unknown := set(chosen) - {"read", "tag", "resolve"}:
        raise InvalidOption(
            f"There is no queue {min(unknown)!r}.",
            advice="Choose among read, tag and resolve, or train alone.",
        )
    if device is not None:
        if not re.fullmatch(DEVICES, device):
            raise InvalidOption(f"There is no device {device!r}.", advice="Choose cpu or cuda.")
        settings = settings.model_copy(update={"device": device})
    prepare_home(settings)
    configure_logging()
    warn_of_unknown()
    from workers.broker.launch import work

    work(settings, chosen, concurrency or len(os.sched_getaffinity(0)))
