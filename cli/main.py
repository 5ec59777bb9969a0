"""The `fieldwright` command: puts the command groups together and turns errors into one line.

A command is a module of the same name in one of the folders here, with a function of that name, or
with a function ``register(app)`` that adds a group of commands to the Typer app; see `COMMANDS`.
The modules import light things only; what is heavy (torch above all) is imported inside the
commands, so that ``--help`` is quick. A command that is to be run is the only one that is imported.
"""

from __future__ import annotations

import errno
import gc
import importlib
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cli import FAILED, USAGE
from cli.shared.advice import in_own_terms, show
from pipeline.errors import FieldwrightError, RequestError
from store.actor import acting, this_operator

COMMANDS = {
    "extract": "documents",
    "batch": "sending",
    "migrate": "service",
    "serve": "service",
    "worker": "service",
    "models": "models",
    "keys": "service",
    "secrets": "service",
    "audit": "service",
    "train": "models",
    "trainings": "models",
    "pretrain": "models",
    "distil": "models",
    "evaluate": "models",
    "benchmark": "measuring",
    "inspect": "documents",
    "value": "documents",
    "dataset": "models",
    "invent": "models",
}
"""The folder of each command, by its name."""
_FULL = (errno.ENOSPC, errno.EDQUOT)
_OF_TRAINING = ("matplotlib", "scipy")  # packages of the extra `train`
_WRONG_CALLS = {
    *("dataset_unknown", "training_unknown", "shadow_unknown"),
    *("key_missing", "key_invalid", "scope_missing"),
}
"""Codes of errors that say of a command, other than of a request, that the call is wrong."""


class _Commands(TyperGroup):
    """The commands; what Pydantic puts before the text of a refused value is left out."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise


def build(command: str | None = None) -> typer.Typer:
    """Return the Typer app.

    Args:
        command: the one that it has to know; all of them where there is none of that name.
    """
    app = typer.Typer(
        name="fieldwright",
        cls=_Commands,
        help="Read business documents and answer with their fields.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )

    @app.callback()
    def options(
        context: typer.Context,
        version: Annotated[
            bool,
            typer.Option(
                "--version",
                help="Show the version and exit.",
                is_eager=True,
                callback=_show_version,
            ),
        ] = False,
    ) -> None:
        context.with_resource(acting(this_operator()))

    for name in (command,) if command in COMMANDS else COMMANDS:
        module = importlib.import_module(f"cli.{COMMANDS[name]}.{name}")
        if hasattr(module, "register"):
            module.register(app)
        else:
            app.command(name)(getattr(module, name))
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"fieldwright {version('fieldwright')}")
        raise typer.Exit()


def main() -> None:
    """Run the command line; an error that is ours shows as one line on standard error."""
    if isinstance(sys.stdout, TextIOWrapper):  # tests put another one in its place
        # What is printed holds texts of documents, in any script, and is to be read by programs.
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    if sys.stderr is None:  # it was closed
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    named = next((argument for argument in sys.argv[1:] if not argument.startswith("-")), None)
    try:
        build(named)()
    except FieldwrightError as error:
        show(f"Error: {in_own_terms(error)}")
        sys.exit(_status(error))
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _OF_TRAINING:
            raise
        show(f"Error: This needs {package}. Run: pip install 'fieldwright[train]'")
        sys.exit(FAILED)
    except OSError as error:
        # Whatever a command was to read or write: a folder for a file, no permission, a full disk.
        if error.filename is None and error.errno not in _FULL:
            raise
        what = f"{error.filename} cannot be used" if error.filename else "A file cannot be written"
        show(
            f"Error: {what}: {error.strerror}. "
            "Check the path, its permissions and the room on the disk."
        )
        sys.exit(USAGE if isinstance(error, FileNotFoundError) else FAILED)
    finally:
        gc.freeze()  # the process ends: what it holds need not be looked through for garbage


def _status(error: FieldwrightError) -> int:
    """Return the exit code of an error: whether the call is wrong, or something else failed."""
    # A dataset that is not there; what is missing inside of a package is a damage of the package.
    nowhere = isinstance(error.__cause__, FileNotFoundError | NotADirectoryError)
    absent = error.code == "dataset_invalid" and nowhere
    wrong = isinstance(error, RequestError) or error.code in _WRONG_CALLS or absent
    return USAGE if wrong else FAILED


if __name__ == "__main__":
    main()
