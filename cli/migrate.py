"""`fieldwright migrate`: brings the tables of the job store up to date, and does no more."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(migrate)


def migrate() -> None:
    """Make or migrate the tables of the job store, as a step of its own before a roll-out.

    The API does the same when it starts; of several processes, one migrates and the others wait.
    """
    from cli.home import job_store
    from store.settings import Settings

    with job_store(Settings.load()):
        typer.echo("The tables are up to date.", err=True)
