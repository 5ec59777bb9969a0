"""`fieldwright audit`: what keys, reviewers and operators did, as JSON lines."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command()(audit)


def audit(
    since: Annotated[
        str | None, typer.Option(help="Only the last 12h, 30d or 4w; all if absent.")
    ] = None,
) -> None:
    """Write the audit log to standard output, one JSON object a line, the oldest first."""
    from cli.service.keys import iso_time, seconds_of
    from cli.shared.home import job_store
    from store.access.audit import entries
    from store.settings import Settings

    with job_store(Settings.load()) as database:
        for entry in entries(database, within=seconds_of(since) if since else None):
            typer.echo(json.dumps({**asdict(entry), "at": iso_time(entry.at)}))
