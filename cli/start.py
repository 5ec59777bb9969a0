"""Options of the commands that train: which architecture, and what weights it starts from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.served import served

if TYPE_CHECKING:
    from training.data import Row
    from training.field_model.recipe import Prepared

AUTO = "auto"

Preset = Annotated[
    str | None, typer.Option(help="Architecture: lambert, or that of --init, by default.")
]
_STARTS = (
    "minilm, scratch, the NAME or NAME@VERSION of a model in service, or the folder of an encoder "
    "or a package"
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


def start_of(init: str) -> str:
    """Return the folder of a model in service that --init names; anything else as it is.

    Raises:
        InvalidOption: it is neither a folder nor a model.
        ModelPackageError: it is a damaged model.
    """
    from pipeline.errors import InvalidOption, UnknownModel
    from training.starts import MINILM, SCRATCH

    if init in (AUTO, MINILM, SCRATCH) or Path(init).exists():
        return init
    try:
        return str(served().resolve(init).path)
    except UnknownModel as error:
        raise InvalidOption(
            f"Cannot start from {init}: there is neither such a folder nor such a model.",
            advice=error.advice,
        ) from error


def likely_start(prepared: Prepared, held_out: Sequence[Row]) -> str:
    """Return what --init auto means for a dataset, and say so.

    It is the package in service whose documents are most alike, unless it was trained on some that
    are held out now; where there is none, MiniLM.
    """
    from training.starts import MINILM, nearest_package

    corpus = next(iter(prepared.corpora.values()))
    found = nearest_package(corpus.documents.values(), served(), held_out=held_out)
    if found is None:
        return MINILM
    typer.echo(f"Starting from the model {found}, whose documents are most alike.", err=True)
    return str(found.path)
