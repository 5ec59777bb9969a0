"""A temporary folder that is swept away later where the process that made it was killed.

What lies in a folder without an owner may be somebody's document.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pipeline.reading.isolation.owner import abandoned, own

_PREFIX = "fieldwright-reading-"


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Return a folder of this process's own; it goes, with all in it, at the end."""
    folder, lock = _owned()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def sweep() -> None:
    """Remove what killed processes left among the temporary files."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with abandoned(folder) as ours:
            if ours:
                shutil.rmtree(folder, ignore_errors=True)


def _owned() -> tuple[Path, int]:
    """Return a new folder and the descriptor whose lock keeps others from sweeping it away."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
        with suppress(FileNotFoundError):  # swept before it was locked: another one
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            if own(lock, folder):
                return folder, lock
            os.close(lock)
