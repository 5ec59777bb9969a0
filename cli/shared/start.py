"""Options of the commands that train: which architecture, what it starts from, which run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

AUTO = "auto"

Preset = Annotated[
    str | None, typer.Option(help="Architecture: lambert, or that of --init, by default.")
]
_STARTS = (
    "minilm, scratch, the NAME or NAME@VERSION of a model in service, or the folder of an encoder, "
    "a package, or a Hugging Face model of the BERT family"
)
Init = Annotated[str, typer.Option(help=f"What to start from: {_STARTS}.")]
Kin = Annotated[
    str,
    typer.Option(
        help=f"What to start from: auto for the model in service whose documents are most alike, "
        f"{_STARTS}. What a model knows of fields of the same name is kept."
    ),
]
Skim = Annotated[
    Path | None, typer.Option(help="Skimformer whose layout skimming-mask and the like use.")
]
Changes = Annotated[
    list[str] | None, typer.Option("--set", help="Setting of the preset: NAME=VALUE.")
]
Seed = Annotated[int, typer.Option(help="Of everything drawn.")]
Resume = Annotated[bool, typer.Option(help="Go on from the last checkpoint.")]


def tell_if_anew(folder: Path, resume: bool) -> None:
    """Say so where a run is to go on and its folder has no checkpoint: it begins anew."""
    from training.loop.checkpoint import has_checkpoint

    if resume and not has_checkpoint(folder):
        typer.echo(f"There is no checkpoint in {folder}: this run begins anew.", err=True)
