"""Options of the commands that train: which architecture, and what weights it starts from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Preset = Annotated[
    str | None, typer.Option(help="Architecture: lambert, or that of --init, by default.")
]
Init = Annotated[
    str,
    typer.Option(
        help="minilm, scratch, or the folder of an encoder or a package to start from; what a "
        "package knows of fields of the same name is kept."
    ),
]
Skim = Annotated[
    Path | None, typer.Option(help="Skimformer whose layout skimming-mask and the like use.")
]
Changes = Annotated[
    list[str] | None, typer.Option("--set", help="Setting of the preset: NAME=VALUE.")
]
