"""Errors as the command line shows them: most are raised, and worded, for the API."""

from __future__ import annotations

import os
import sys

import typer

from pipeline.errors import FieldwrightError

_ADVICE = {
    "dataset_unknown": "See `fieldwright trainings list` for the ids of all datasets.",
    "key_missing": "Name a file with the key by --key-file, or set FIELDWRIGHT_API_KEY.",
    "no_fitting_model": "Name a model that reads such documents, or teach one; "
    "`--on-no-fit warn` answers anyway.",
    "option_invalid": "See the --help of the command for the values that are allowed.",
    "pdf_encrypted": "Name a file with the password by --password-file (of `extract`, `batch` and "
    "`inspect`), or remove the protection.",
    "processing_timeout": "Choose fewer pages with --pages, or lower the resolution of the scan.",
    "shadow_unknown": "Start one with `fieldwright models shadow NAME@VERSION`.",
    "too_few_labels": "Name fields and label more documents at /teach, a page of the service; "
    "`fieldwright trainings list` counts those labelled.",
    "too_many_pages": "Choose pages with --pages (such as 1-10), or split the document.",
    "training_not_finished": "Wait until `fieldwright trainings list` shows it as succeeded.",
    "training_running": "Wait for its end, or stop it with `fieldwright trainings cancel ID`.",
    "training_unknown": "See `fieldwright trainings list` for the ids of all trainings.",
}
"""By the code of the error."""


def in_own_terms(error: FieldwrightError) -> FieldwrightError:
    """Return an error with advice for a command line.

    Advice that whoever raised it has written for the one case stays.
    """
    if error.advice == error.default_advice:
        error.advice = _ADVICE.get(error.code, error.advice)
    return error


def show(text: str, color: str = "red") -> None:
    """Print a line on standard error, in a color where that is a terminal that wants colors."""
    # Not `typer.secho`, which would write into the line of a bar that is shown at the moment.
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    line = typer.style(text, fg=color) if sys.stderr.isatty() and not plain else text
    sys.stderr.write(f"{line}\n")
