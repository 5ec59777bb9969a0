"""Runs a command line in the process of the test, which has loaded torch already."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout

import pytest

from cli.main import main as fieldwright


def run(
    *arguments: object,
    main: Callable[[], None] = fieldwright,
    code: int | None = None,
    **environment: object,
) -> subprocess.CompletedProcess[str]:
    """Return the exit status of a command and what it printed.

    Args:
        arguments: of the command line.
        main: what the command runs.
        code: the exit status that it must have, if any is asked for.
        environment: variables that are set meanwhile.
    """
    command = ["command", *map(str, arguments)]
    out, errors = io.StringIO(), io.StringIO()
    status = 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(errors):
        patch.setattr(sys, "argv", command)
        for name, value in environment.items():
            patch.setenv(name, str(value))
        try:
            main()
        except SystemExit as end:
            if isinstance(end.code, str):  # the interpreter prints it, and ends with 1
                errors.write(f"{end.code}\n")
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
    assert code in (None, status), errors.getvalue()
    return subprocess.CompletedProcess(command, status, out.getvalue(), errors.getvalue())
