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
    from cli.shared.home import prepare_home
    from store.settings import Settings
    from store.sql.database import Database

    settings = Settings.load()
    prepare_home(settings)
    database = Database(settings.store_url)
    try:
        database.migrate(to)
    finally:
        database.close()
    where = "up to date" if to == "head" else f"those of revision {to}"
    typer.echo(f"The tables are {where}.", err=True)
