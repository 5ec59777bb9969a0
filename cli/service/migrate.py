"""`fieldwright migrate`: brings the tables of the job store up to date, or back, and no more."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(migrate)


def migrate(
    to: Annotated[
        str,
        typer.Option(
            help="Revision, such as 0007; an older one removes what newer releases alone keep."
        ),
    ] = "head",
) -> None:
    """Make or migrate the tables of the job store, as a step of its own before a roll-out.

    The API does the same when it starts; of several processes, one migrates and the others wait.
    """
    from cli.shared.home import job_store
    from store.settings import Settings

    with job_store(Settings.load(), to):
        pass
    where = "up to date" if to == "head" else f"those of revision {to}"
    typer.echo(f"The tables are {where}.", err=True)
