"""Runs the programs that reading uses, and tells apart why one of them failed.

A program that broke off by itself, crashed or exceeded its limits failed because of the document.
One that was killed by somebody else did not: the kernel's memory killer takes whoever is near.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.errors import DependencyMissing, ReaderLost, ReadingTimeout

PROGRAMS = ("tesseract", "pdftoppm", "pdfinfo")
# What readers and their programs get of our environment: where programs and their data are.
PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "HOME", "TMPDIR", "LANG", "LC_ALL")
# Several pages are read at once, one a core: with threads of their own they would share the cores.
ONE_THREAD = {"OMP_THREAD_LIMIT": "1"}

# Signals by which a process ends through what it does itself; no other one is its fault.
_OWN_SIGNALS = frozenset(
    {
        signal.SIGABRT,
        signal.SIGBUS,
        signal.SIGFPE,
        signal.SIGILL,
        signal.SIGSEGV,
        signal.SIGSYS,
        signal.SIGTRAP,
        signal.SIGXCPU,
        signal.SIGXFSZ,
    }
)
_OUT_OF_RESOURCES = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that has ended by itself: exit status (0 for success), output, messages."""

    status: int
    output: bytes
    messages: str


def killed_from_outside(status: int) -> bool:
    """Say whether a process was ended by somebody else, by its exit status or minus its signal."""
    return status < 0 and -status not in _OWN_SIGNALS


def passed_on() -> dict[str, str]:
    """Return the part of the environment that readers and their programs get."""
    return {name: os.environ[name] for name in PASSED_ON if name in os.environ}


def run(command: Sequence[str], *, timeout_s: float, doing: str) -> Finished:
    """Run one of `PROGRAMS` to its end.

    Args:
        command: its name and arguments.
        timeout_s: seconds after which it is ended.
        doing: begins the sentence of the error that this took too long, such as "Opening the PDF".

    Raises:
        DependencyMissing: it is not installed, or may not be run.
        ReadingTimeout: the time was not enough.
        ReaderLost: it was killed from outside, or the system has no room for a process.
    """
    program = command[0]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout_s,
            env={**passed_on(), **ONE_THREAD},
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        limit = round(timeout_s, 1)  # what is left of the time of a page
        raise ReadingTimeout(f"{doing} took longer than {limit:g} seconds.") from error
    except FileNotFoundError as error:
        raise DependencyMissing(f"The program {program} is not installed.") from error
    except PermissionError as error:
        raise DependencyMissing(
            f"The program {program} may not be run.",
            advice="Install it as a program of the system, not as a script around it.",
        ) from error
    except OSError as error:
        if error.errno in _OUT_OF_RESOURCES:
            raise ReaderLost(f"The program {program} could not be started") from error
        raise
    if killed_from_outside(done.returncode):
        name = signal.Signals(-done.returncode).name
        raise ReaderLost(f"The program {program} was killed ({name})")
    return Finished(done.returncode, done.stdout, done.stderr.decode(errors="replace"))
